//! UCT for two players: a tree grown by simulations; each move is rated by its mean plus a bonus for few visits.
//!
//! *Playing Quarto with Monte Carlo Tree Search* (the paper's formula: w/v + sqrt(ln V / (5 v))), after Kocsis and
//! Szepesvári, *Bandit based Monte-Carlo Planning*, 2006. Proofs after Winands, Björnsson and Saito, *Monte-Carlo Tree Search
//! Solver*, 2008; transpositions with counts on edges and values on nodes after Childs, Brodeur and Kocsis,
//! *Transpositions and Move Groups in Monte Carlo Tree Search*, 2008 (their UCT2).

use std::cmp::Ordering;
use std::time::{Duration, Instant};

use super::joined::in_turns;
use super::screen::Screen;
use super::seat::refused;
use super::tree::{Tree, class_after};
use super::turnwise::Turnwise;
use super::{Agent, Assessment, Decision, Joined, Past, PlayerKind, Seat, Setting, Strategy, StrategyError};
use crate::bounded::{self, DEFAULT_MEMORY, MOST_MEMORY};
use crate::expression::error::quoted;
use crate::expression::form::{Argument, Form, Type};
use crate::game::{Ending, Game, Player};
use crate::stream::Stream;
use crate::watch::Cancel;

/// `uct(n)` or `uct(time=1s)`: a tree, grown by n simulations or for some time before each move.
///
/// | option | meaning |
/// |---|---|
/// | `turn=split\|joined` | whether two moves in a row of the same player are two levels of the tree or one, see [`Joined`] |
/// | `draw=0.5` | what a draw is worth, with 1 for a win and 0 for a loss |
/// | `final=visits\|value` | the move that is played: most visits, then highest value; or highest value, then most visits |
/// | `c=5` | a simulation goes where μ + sqrt(ln t / (c·s)) is highest; the larger c, the less is explored |
/// | `epsilon=E` | instead: where the mean μ is highest, or with this probability anywhere |
/// | `policy=NAME` | the game's policy for playouts; otherwise the game's default |
/// | `children=legal\|policy` | whether the tree has all legal moves, or only those that the policy of the playouts considers; then nothing can be proven |
/// | `tree=kept\|new` | whether the tree is kept from one move to the next, or every search starts with a new one |
/// | `adapt=A` | playouts learn: after each simulation the winner's moves become more likely, by a gradient of this step size (playout policy adaptation, Cazenave 2015) |
/// | `transpositions=off\|on` | whether a position that is reached in several ways has one node |
/// | `symmetry=off\|on` | whether moves to symmetric positions are one move, and with transpositions symmetric positions one position |
/// | `proof=on\|off` | whether proven wins, losses and draws are backed up through the tree |
/// | `exact=N` | from stage N of the game on the game's solver plays what wins and leaves out what loses, and simulations compare the rest; before, it takes the place of playouts at leaves that are a few stages later still |
/// | `games=FILE` | games that were played before, from which the trees begin |
/// | `weight=0.1` | what each of them is worth, in simulations |
/// | `trees=1` | independent trees whose counts are added; each grows by the whole budget |
/// | `memory=128` | the MiB that the trees may take together; they are pruned when they would take more. A match has two players on each thread |
///
/// ```
/// use nestling::duel::Strategy;
/// let paper = Strategy::uct(1000).with("turn", "joined").with("draw", 0.0).with("proof", false);
/// assert_eq!(paper.to_string(), "uct(1000, turn=joined, draw=0, proof=off)");
/// ```
pub struct UctPlayer;

impl PlayerKind for UctPlayer {
    const FORM: Form = Form {
        name: "uct",
        example: "uct(1000)",
        about: "grows a tree before each move, by n simulations or for a given time",
        arguments: &[Argument::integer("simulations", 1, 100_000_000).symbol("n").about("simulations per tree")],
        options: &[
            Argument::time("time").instead_of("simulations").about("how long the trees grow before each move"),
            Argument::word("turn", &["split", "joined"])
                .about("whether consecutive moves of one player are searched one by one or as one move"),
            Argument::share("draw").default_number(0.5).about("the value of a draw, where a win is 1 and a loss 0"),
            Argument::word("final", &["visits", "value"])
                .about("whether the most visited move is played or the one with the highest value"),
            Argument::positive("c")
                .default_number(5.0)
                .about("a larger c explores less: the value of a move is μ + sqrt(ln t / (c·s)), with its mean μ, its visits s and the visits t of its position"),
            Argument::share("epsilon")
                .instead_of("c")
                .about("the probability of a random move instead of the one with the highest mean"),
            Argument::of("policy", Type::Name).optional().about("the policy of the playouts"),
            Argument::word("children", &["legal", "policy"])
                .about("whether the tree has all legal moves or only those that the playouts' policy considers"),
            Argument::word("tree", &["kept", "new"])
                .about("whether the tree is kept for the next move or every search starts a new one"),
            Argument::positive("adapt")
                .optional()
                .about("how much playouts learn from each simulation, such as 0.32; if not given, they do not learn"),
            Argument::switch("transpositions", false)
                .about("whether a position that is reached in several ways has one node"),
            Argument::switch("symmetry", false).about("whether moves to symmetric positions count as one move"),
            Argument::switch("proof", true).about("whether proven results are backed up through the tree"),
            Argument::integer("exact", 0, 1_000_000)
                .optional()
                .about("the stage of the game from which its exact solver is used"),
            Argument::file("games").about("games of earlier matches, which the trees start with"),
            Argument::positive("weight")
                .default_number(0.1)
                .about("how many simulations each of these games counts as"),
            Argument::integer("trees", 1, 1024).default_integer(1).about("independent trees whose counts are added"),
            Argument::integer("memory", 1, MOST_MEMORY)
                .default_integer(DEFAULT_MEMORY)
                .about("the memory of all trees together in MiB"),
        ],
        menu: None,
    };

    fn agent<G: Game>(strategy: &Strategy, seat: &Seat<'_, G>) -> Result<Box<dyn Agent<G>>, StrategyError> {
        needs_met(strategy, seat)?;
        let Seat { start, setting, .. } = *seat;
        let policy = seat.policy(strategy.name_of("policy").unwrap_or(start.default_policy()))?;
        let (past, weight) = (past_games(strategy, seat)?, strategy.number("weight"));
        if strategy.word("turn") == "split" {
            let mut agent = UctAgent::new(strategy, policy, start, setting);
            agent.remember(past, weight);
            return Ok(Box::new(agent));
        }
        let in_turns = |past: &Past<G::Move>| Past { moves: in_turns(start, &past.moves), ending: past.ending };
        let mut agent = UctAgent::new(strategy, policy, &Joined::new(start.clone()), setting);
        agent.remember(&past.iter().map(in_turns).collect::<Vec<_>>(), weight);
        Ok(Box::new(Turnwise::new(start.clone(), agent)))
    }

    fn is_timed(strategy: &Strategy) -> bool {
        strategy.time("time").is_some()
    }

    fn width(strategy: &Strategy) -> usize {
        strategy.integer("trees") as usize
    }
}

impl Strategy {
    /// `uct(n)`: a tree, grown by so many simulations before each move; see [`UctPlayer`].
    pub fn uct(simulations: u64) -> Self {
        Strategy::of::<UctPlayer>().with("simulations", simulations)
    }
}

fn needs_met<G: Game>(strategy: &Strategy, seat: &Seat<'_, G>) -> Result<(), StrategyError> {
    let keys = ["transpositions", "symmetry"].into_iter().find(|option| strategy.is_on(option));
    if let Some(option) = keys.filter(|_| seat.start.key().is_none()) {
        return refused(format!("{option}=on: this game has no keys for its positions; leave the option out"));
    }
    if strategy.optional_number("adapt").is_some() && strategy.word("turn") == "joined" {
        return refused("adapt=: playouts learn single moves, not whole turns; leave out turn=joined");
    }
    let proves = strategy.is_on("proof") || strategy.optional_integer("exact").is_some();
    if proves && strategy.word("children") == "policy" {
        return refused("children=policy: some of the moves prove nothing; add proof=off and leave out exact=");
    }
    if strategy.optional_integer("exact").is_some() && seat.start.solver(&seat.setting.cancel).is_none() {
        return refused("exact=: this game has no exact solver; leave the option out");
    }
    Ok(())
}

/// The games that a strategy mentions.
fn past_games<'a, G: Game>(strategy: &Strategy, seat: &Seat<'a, G>) -> Result<&'a [Past<G::Move>], StrategyError> {
    let Some(name) = strategy.file("games") else { return Ok(&[]) };
    match seat.setting.memories.get(name) {
        Some(games) => Ok(games),
        None => refused(format!("games={}: this file of games was not read", quoted(name))),
    }
}

/// The budget of a search before each move.
#[derive(Clone, Copy, Debug)]
pub(super) enum Budget {
    /// So many simulations per tree.
    Simulations(u64),
    /// So much time.
    Time(Duration),
}

impl Budget {
    fn of(strategy: &Strategy) -> Self {
        match strategy.time("time") {
            Some(time) => Budget::Time(time),
            None => Budget::Simulations(strategy.integer("simulations")),
        }
    }
}

/// The settings of a strategy that a tree needs.
#[derive(Clone, Debug)]
pub(super) struct TreeSettings {
    pub policy: Option<usize>,
    /// The policy whose moves are the only ones in the tree.
    pub children: Option<usize>,
    /// Whether the tree is kept for the next move.
    pub keeps_tree: bool,
    /// The step size of playouts that learn.
    pub adapt: Option<f64>,
    pub draw: f64,
    /// The factor of √ln t / √s in the formula: 1/√c; 0 with an epsilon.
    pub exploration: f32,
    pub epsilon: Option<f64>,
    pub transpositions: bool,
    pub symmetry: bool,
    pub proof: bool,
    pub exact: Option<u32>,
    pub memory: usize,
}

impl TreeSettings {
    pub fn new(strategy: &Strategy, policy: Option<usize>) -> Self {
        let epsilon = strategy.optional_number("epsilon");
        TreeSettings {
            policy,
            children: policy.filter(|_| strategy.word("children") == "policy"),
            keeps_tree: strategy.word("tree") == "kept",
            adapt: strategy.optional_number("adapt"),
            draw: strategy.number("draw"),
            exploration: if epsilon.is_none() { (1.0 / strategy.number("c")).sqrt() as f32 } else { 0.0 },
            epsilon,
            transpositions: strategy.is_on("transpositions"),
            symmetry: strategy.is_on("symmetry"),
            proof: strategy.is_on("proof"),
            exact: strategy.optional_integer("exact").map(|stage| stage as u32),
            memory: bounded::bytes(strategy.integer("memory")) / strategy.integer("trees") as usize,
        }
    }
}

/// A player that grows trees before every move and keeps them for the next.
pub(super) struct UctAgent<G: Game> {
    pub(super) plan: TreeSettings,
    pub(super) budget: Budget,
    /// Whether the highest value decides before the most visits.
    by_value: bool,
    pub(super) trees: Vec<Tree<G>>,
    pub(super) state: G,
    threads: usize,
    pub(super) cancel: Cancel,
}

/// Simulations between two looks at the clock.
const SLICE: u64 = 64;

impl<G: Game> UctAgent<G> {
    pub fn new<M>(strategy: &Strategy, policy: Option<usize>, start: &G, setting: &Setting<M>) -> Self {
        let plan = TreeSettings::new(strategy, policy);
        let trees = (0..strategy.integer("trees")).map(|_| Tree::new(start, &plan, &setting.cancel)).collect();
        UctAgent {
            plan,
            budget: Budget::of(strategy),
            by_value: strategy.word("final") == "value",
            trees,
            state: start.clone(),
            threads: setting.threads.max(1),
            cancel: setting.cancel.clone(),
        }
    }

    /// Begins with games that were played earlier from the same start.
    pub fn remember(&mut self, games: &[Past<G::Move>], weight: f64) {
        for tree in &mut self.trees {
            tree.remember(&self.state, games, weight, &self.plan);
        }
    }

    /// Grows all trees. Each has its own stream, so that the result does not depend on the threads.
    fn grow(&mut self, stream: Stream, began: Instant) {
        self.trees.iter_mut().for_each(Tree::open);
        let count = self.trees.len();
        let (plan, budget, cancel) = (self.plan.clone(), self.budget, self.cancel.clone());
        let stream_of = |tree: usize| if count == 1 { stream } else { stream.child(tree as u64) };
        self.in_groups(|trees| {
            let mut trees: Vec<_> = trees.map(|(index, tree)| (tree, stream_of(index).rng())).collect();
            let mut done = 0;
            loop {
                let slice = match budget {
                    Budget::Simulations(count) => SLICE.min(count - done),
                    Budget::Time(time) if done == 0 || began.elapsed() < time => SLICE,
                    Budget::Time(_) => 0,
                };
                trees.retain(|(tree, _)| !tree.is_done());
                if slice == 0 || trees.is_empty() || cancel.is_cancelled() {
                    return;
                }
                for (tree, rng) in &mut trees {
                    (0..slice).for_each(|_| tree.simulate(&plan, rng));
                }
                done += slice;
            }
        });
    }

    /// Distributes the trees, each with its number, among the threads; `work` gets the trees of one thread.
    pub(super) fn in_groups(&mut self, work: impl Fn(&mut dyn Iterator<Item = (usize, &mut Tree<G>)>) + Sync) {
        let share = self.trees.len().div_ceil(self.threads);
        if share == self.trees.len() {
            return work(&mut self.trees.iter_mut().enumerate());
        }
        let work = &work;
        std::thread::scope(|scope| {
            for (group, trees) in self.trees.chunks_mut(share).enumerate() {
                scope.spawn(move || {
                    work(&mut trees.iter_mut().enumerate().map(|(index, tree)| (group * share + index, tree)))
                });
            }
        });
    }
}

impl<G: Game> UctAgent<G> {
    /// Starts again at a state.
    pub fn restart(&mut self, state: G) {
        self.trees.iter_mut().for_each(|tree| tree.plant(&state, &self.plan));
        self.state = state;
    }

    /// The assessments of the legal moves that at least one tree has tried, added over all trees.
    fn assessments(&self, legal: &[G::Move]) -> Vec<Assessment<G::Move>> {
        let class_of = |state: &G, played| if self.plan.symmetry { class_after(state, played) } else { None };
        let classes: Vec<_> = legal.iter().map(|&played| class_of(&self.state, played)).collect();
        let mut sums: Vec<Option<Assessment<G::Move>>> = vec![None; legal.len()];
        for tree in &self.trees {
            for (edge, node) in tree.tried() {
                let index = match class_of(&tree.start, edge.played) {
                    None => legal.iter().position(|&played| played == edge.played),
                    class => classes.iter().position(|&other| other == class),
                };
                let index = index.expect("what a tree has tried is legal");
                let played = legal[index];
                let sum = sums[index].get_or_insert(Assessment::unknown(played));
                sum.visits += u64::from(edge.visits);
                sum.tally.merge(node.tally);
                if self.plan.proof {
                    sum.proof = sum.proof.or(node.proof.map(Into::into));
                }
            }
        }
        sums.into_iter().flatten().collect()
    }

    /// Which of two moves is the better one to play.
    fn compare(&self, one: &Assessment<G::Move>, other: &Assessment<G::Move>) -> Ordering {
        let mover = self.state.turn();
        let certainty = |assessment: &Assessment<G::Move>| certainty(assessment, mover);
        let value = |assessment: &Assessment<G::Move>| assessment.value(mover, self.plan.draw);
        let by_value = value(one).total_cmp(&value(other));
        let by_visits = one.visits.cmp(&other.visits);
        certainty(one).cmp(&certainty(other)).then(if self.by_value {
            by_value.then(by_visits)
        } else {
            by_visits.then(by_value)
        })
    }
}

/// A rank for proven moves: a sooner win is better, a sooner loss is worse, and anything unproven lies between.
fn certainty<M>(assessment: &Assessment<M>, mover: Player) -> i64 {
    let far = i64::from(u32::MAX);
    match assessment.proof {
        Some(solved) if solved.ending == Ending::Win(mover) => far - i64::from(solved.moves),
        Some(solved) if solved.ending == Ending::Win(mover.other()) => i64::from(solved.moves) - far,
        _ => 0,
    }
}

impl<G: Game> Agent<G> for UctAgent<G> {
    fn observe(&mut self, played: G::Move) {
        self.state.play(played);
        self.trees.iter_mut().for_each(|tree| tree.advance(played, &self.state, &self.plan));
    }

    fn choose(&mut self, stream: Stream) -> Decision<G::Move> {
        let mut legal = Vec::new();
        self.state.legal_moves(&mut legal);
        if let [only] = legal[..] {
            return Decision::plain(only);
        }
        let began = Instant::now();
        let mut screen = None;
        if self.plan.exact.is_some_and(|from| self.state.stage() >= from) {
            let screened = Screen::new(self, &legal);
            if let Some(decision) = screened.decision(stream) {
                return decision;
            }
            self.keep(&screened);
            screen = Some(screened);
        }
        self.grow(stream, began);
        let mut assessments = self.assessments(&legal);
        if let Some(screen) = &screen {
            screen.annotate(&mut assessments);
        }
        let best = assessments.iter().max_by(|one, other| self.compare(one, other));
        // Only a search that was cancelled before it began has tried nothing.
        let Some(best) = best else { return Decision::plain(legal[stream.own().rng().below(legal.len())]) };
        let equal = |other: &&Assessment<G::Move>| self.compare(best, other) == Ordering::Equal;
        let equal: Vec<_> = assessments.iter().filter(equal).collect();
        let played = equal[stream.own().rng().below(equal.len())].played;
        Decision { played, assessments }
    }
}
