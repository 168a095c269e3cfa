//! NRPA and UCT after their papers, in the plainest form, find the same games as the library.

use std::collections::HashMap;

use crate::common::{LeftMove, Maze, Order, run};
use crate::papers::{Game, legal};
use nestling::engine::Exponential;
use nestling::{Goal, Problem, Rng, Stream, Weights};

/// Rosin's algorithm with plain weights and the exponential of the system.
struct Rosin<'a, P: Problem> {
    root: &'a P,
    iterations: u64,
    alpha: f64,
    /// Playouts before each adapt of level 1.
    tries: u64,
    /// The number of the problem's own policy, if its playouts follow one.
    own: Option<usize>,
}

type Policy = HashMap<u64, f64>;

impl<P: Problem> Rosin<'_, P> {
    /// The moves a playout considers and what each weighs by the policy.
    fn weighed(&self, policy: &Policy, node: &P) -> (Vec<P::Move>, Vec<f64>) {
        let (mut moves, mut factors) = (legal(node), Vec::new());
        if let Some(own) = self.own {
            node.prefer(own, &mut moves, &mut factors);
        }
        let weigh = |(index, &played): (usize, &P::Move)| {
            let weight = policy.get(&node.code(played)).copied().unwrap_or(0.0) + node.bias(played);
            weight.exp() * factors.get(index).copied().unwrap_or(1.0)
        };
        let weights = moves.iter().enumerate().map(weigh).collect();
        (moves, weights)
    }

    fn nrpa(&self, level: u32, policy: &Policy, stream: Stream) -> Game<P::Move> {
        if level == 0 {
            return self.playout(policy, stream);
        }
        let goal = self.root.goal();
        let mut policy = policy.clone();
        let mut best: Option<Game<P::Move>> = None;
        let tries = if level == 1 { self.tries } else { 1 };
        for iteration in 0..self.iterations {
            for attempt in 0..tries {
                let (result, new) = self.nrpa(level - 1, &policy, stream.child(iteration * tries + attempt));
                if best.as_ref().is_none_or(|(score, _)| goal.reaches(result, *score)) {
                    best = Some((result, new));
                }
            }
            policy = self.adapt(&policy, &best.as_ref().expect("just set").1);
        }
        best.expect("at least one iteration")
    }

    /// Every move considered has a clock that rings after an exponential waiting time at the rate of its weight; the first
    /// to ring is played, and the others, if they are considered again, wait for the rest of their times.
    fn playout(&self, policy: &Policy, stream: Stream) -> Game<P::Move> {
        let (mut node, mut sequence, mut rng) = (self.root.clone(), Vec::new(), stream.rng());
        let mut waiting: HashMap<u64, (f64, f64)> = HashMap::new();
        loop {
            let (moves, weights) = self.weighed(policy, &node);
            let mut clocks = Vec::new();
            let mut still_waiting = HashMap::new();
            for (&considered, &weight) in moves.iter().zip(&weights) {
                let code = node.code(considered);
                let kept = waiting.remove(&code).filter(|(earlier, _)| *earlier == weight).map(|(_, left)| left);
                let clock = kept.unwrap_or_else(|| Exponential::new().draw(&mut rng) / weight);
                clocks.push((code, clock));
                still_waiting.insert(code, (weight, clock));
            }
            let Some(index) = (0..moves.len()).min_by(|&a, &b| clocks[a].1.total_cmp(&clocks[b].1)) else {
                return (node.score(), sequence);
            };
            let (code, time) = clocks[index];
            if still_waiting.get(&code).is_some_and(|(_, clock)| *clock == time) {
                still_waiting.remove(&code);
            }
            waiting = still_waiting.into_iter().map(|(code, (weight, clock))| (code, (weight, clock - time))).collect();
            node.play(moves[index]);
            sequence.push(moves[index]);
        }
    }

    fn adapt(&self, policy: &Policy, sequence: &[P::Move]) -> Policy {
        let (mut node, mut adapted) = (self.root.clone(), policy.clone());
        for &played in sequence {
            *adapted.entry(node.code(played)).or_default() += self.alpha;
            let (moves, weights) = self.weighed(policy, &node);
            let z: f64 = weights.iter().sum();
            for (&other, weight) in moves.iter().zip(weights) {
                *adapted.entry(node.code(other)).or_default() -= self.alpha * weight / z;
            }
            node.play(played);
        }
        adapted
    }
}

#[track_caller]
fn nrpa_agrees<P: Problem>(problem: &P, level: u32, iterations: u64, alpha: f64, own: Option<&str>) {
    nrpa_trying_agrees(problem, level, iterations, alpha, 1, own);
}

#[track_caller]
fn nrpa_trying_agrees<P: Problem>(problem: &P, level: u32, iterations: u64, alpha: f64, tries: u64, own: Option<&str>) {
    let number = own.map(|name| problem.policies().iter().position(|&policy| policy == name).expect("it has it"));
    let rosin = Rosin { root: problem, iterations, alpha, tries, own: number };
    let policy = own.map_or(String::new(), |name| format!(", playout={name}"));
    let search = format!("nrpa({level}, iterations={iterations}, alpha={alpha}, tries={tries}{policy})");
    for seed in 0..10 {
        let (score, moves) = rosin.nrpa(level, &Policy::new(), Stream::new(seed));
        let outcome = run(problem, &search, seed).start().expect("the run is valid");
        assert_eq!((outcome.score(), outcome.moves()), (Some(score), &moves[..]), "{search}, seed {seed}");
    }
}

/// NRPA is Rosin's: policies copied per level, an equal score replaces, adapt by the probabilities before it.
#[test]
fn nrpa_is_rosins() {
    for (level, iterations, alpha) in [(0, 5, 1.0), (1, 100, 1.0), (2, 20, 1.0), (2, 30, 0.3), (3, 8, 2.0)] {
        nrpa_agrees(&LeftMove::new(12), level, iterations, alpha, None);
        nrpa_agrees(&Maze::new(12, 12, Goal::Max), level, iterations, alpha, None);
        nrpa_agrees(&Maze::new(13, 12, Goal::Min), level, iterations, alpha, None);
        nrpa_agrees(&Order::new(), level, iterations, alpha, None);
    }
}

/// With tries, level 1 adapts to the best game after so many playouts by the same policy.
#[test]
fn nrpa_tries_before_it_adapts() {
    for (level, iterations, tries) in [(0, 5, 3), (1, 20, 5), (2, 8, 3), (3, 4, 2)] {
        nrpa_trying_agrees(&LeftMove::new(12), level, iterations, 1.0, tries, None);
        nrpa_trying_agrees(&Maze::new(13, 12, Goal::Min), level, iterations, 0.5, tries, None);
        nrpa_trying_agrees(&Order::new(), level, iterations, 1.0, tries, Some("both"));
    }
}

/// A playout policy restricts and weighs the moves of the playouts, and adapt sees the same moves and weights.
#[test]
fn nrpa_adapts_over_what_its_playouts_consider() {
    for own in ["even", "heavy", "both"] {
        nrpa_agrees(&Order::new(), 1, 60, 1.0, Some(own));
        nrpa_agrees(&Order::new(), 2, 12, 0.7, Some(own));
    }
}

/// The policy of a finished `nrpa`, given back with `warm=`, is where the next one starts: level 0 plays by it.
#[test]
fn a_learned_policy_is_a_start() {
    // Before the highest level adapts for the first time, those below have learned.
    let early = run(&Maze::new(3, 12, Goal::Max), "nrpa(3)", 3).playouts(150).start().expect("valid").learned;
    assert!(!early.expect("it learned").is_empty());
    let problem = Order::new();
    let learned = run(&problem, "nrpa(1, iterations=80)", 3).start().expect("valid").learned.expect("it learned");
    let policy: Policy = learned.to_string().lines().fold(Policy::new(), |mut policy, line| {
        let (code, weight) = line.split_once(' ').expect("code and weight");
        policy.insert(code.parse().expect("a number"), weight.parse().expect("a number"));
        policy
    });
    assert!(policy.values().any(|&weight| weight.abs() > 1.0), "{policy:?}");
    let rosin = Rosin { root: &problem, iterations: 10, alpha: 1.0, tries: 1, own: None };
    for seed in 0..10 {
        for level in [0, 2] {
            let (score, moves) = rosin.nrpa(level, &policy, Stream::new(seed));
            let warm: Weights = learned.to_string().parse().expect("what is printed is read");
            let search = format!("nrpa({level}, iterations=10, warm=w)");
            let outcome = run(&problem, &search, seed).weights("w", warm).start().expect("the run is valid");
            assert_eq!((outcome.score(), outcome.moves()), (Some(score), &moves[..]), "{search}, seed {seed}");
        }
    }
    // What a search was given and never met is not lost from what it leaves.
    let never_met = (u64::MAX, 0.1);
    let warm: Weights = learned.iter().chain([never_met]).collect();
    let outcome = run(&problem, "nrpa(1, warm=w)", 1).weights("w", warm).start().expect("the run is valid");
    assert_eq!(outcome.learned.expect("it learned").get(never_met.0), never_met.1);
}

/// A tree with one node per state visited, children in the order of their first visit.
struct Node<M> {
    children: Vec<(M, Node<M>)>,
    visits: f64,
    sum: f64,
}

impl<M: Copy + PartialEq> Node<M> {
    fn new() -> Self {
        Node { children: Vec::new(), visits: 0.0, sum: 0.0 }
    }

    /// Plays `state` to its end and gives back the score; `game` gets the moves.
    fn simulate<P: Problem<Move = M>>(&mut self, state: &mut P, c: f64, rng: &mut Rng, game: &mut Vec<M>) -> f64 {
        let moves = legal(state);
        let score = if moves.is_empty() {
            state.score()
        } else {
            let tried = |played: &M| self.children.iter().any(|(tried, _)| tried == played);
            let untried: Vec<M> = moves.iter().copied().filter(|played| !tried(played)).collect();
            if untried.is_empty() {
                let best = self.best_child(c);
                let (played, child) = &mut self.children[best];
                state.play(*played);
                game.push(*played);
                child.simulate(state, c, rng, game)
            } else {
                let played = untried[rng.below(untried.len())];
                state.play(played);
                game.push(played);
                play_out(state, rng, game);
                let score = state.score();
                self.children.push((played, Node { visits: 1.0, sum: state.goal().value(score), ..Node::new() }));
                score
            }
        };
        self.visits += 1.0;
        self.sum += state.goal().value(score);
        score
    }

    fn best_child(&self, c: f64) -> usize {
        let log = self.visits.ln();
        let worth = |index: usize| {
            let node = &self.children[index].1;
            node.sum / node.visits + (log / (c * node.visits)).sqrt()
        };
        // Of equal children the one tried last: the papers leave it open, so it has to be the library's choice.
        let newest_first = (0..self.children.len()).rev();
        newest_first.reduce(|best, other| if worth(other) > worth(best) { other } else { best }).expect("has children")
    }
}

fn play_out<P: Problem>(state: &mut P, rng: &mut Rng, game: &mut Vec<P::Move>) {
    loop {
        let moves = legal(state);
        if moves.is_empty() {
            return;
        }
        let played = moves[rng.below(moves.len())];
        state.play(played);
        game.push(played);
    }
}

/// UCT descends by μ + sqrt(ln t / (c·s)), tries new children in random order, and returns the best simulation.
#[test]
fn uct_is_the_papers() {
    fn uct<P: Problem>(simulations: u64, c: f64, trees: u64, start: &P, stream: Stream) -> Game<P::Move> {
        let mut best: Option<Game<P::Move>> = None;
        for tree in 0..trees {
            let mut root = Node::new();
            for simulation in 0..simulations {
                let (mut state, mut game) = (start.clone(), Vec::new());
                let tree_stream = if trees == 1 { stream } else { stream.child(tree) };
                let mut rng = tree_stream.child(simulation).rng();
                let score = root.simulate(&mut state, c, &mut rng, &mut game);
                if best.as_ref().is_none_or(|(best, _)| start.goal().better(score, *best)) {
                    best = Some((score, game));
                }
            }
        }
        best.expect("at least one simulation")
    }
    #[track_caller]
    fn agrees<P: Problem>(problem: &P, simulations: u64, c: f64, trees: u64) {
        let search = format!("uct({simulations}, c={c}, trees={trees})");
        for seed in 0..10 {
            let (score, moves) = uct(simulations, c, trees, problem, Stream::new(seed));
            let outcome = run(problem, &search, seed).start().expect("the run is valid");
            assert_eq!((outcome.score(), outcome.moves()), (Some(score), &moves[..]), "{search}, seed {seed}");
        }
    }
    for (simulations, c, trees) in [(1, 0.1, 1), (40, 0.1, 1), (500, 0.1, 1), (300, 5.0, 1), (60, 0.5, 4)] {
        agrees(&Maze::new(21, 12, Goal::Max), simulations, c, trees);
        agrees(&Maze::new(22, 12, Goal::Min), simulations, c, trees);
        agrees(&LeftMove::new(14), simulations, c, trees);
        agrees(&Order::new(), simulations, c, trees);
    }
}
