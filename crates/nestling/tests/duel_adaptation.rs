//! UCT with playout policy adaptation, in the form of the paper, grows the same trees as the library.

use std::collections::HashMap;

use crate::tables::{Doubles, TicTacToe};
use nestling::duel::{Decision, EndingCounts, Setting, Strategy};
use nestling::{Ending, Game, Player, Rng, Stream};

fn decide<G: Game>(text: &str, state: &G, threads: usize, seed: u64) -> Decision<G::Move> {
    let strategy: Strategy = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    strategy.agent(state, &Setting { threads, ..Setting::default() }).unwrap().choose(Stream::new(seed))
}

/// A node, with the moves in the order in which they were first tried.
struct Node<M> {
    moves: Vec<(M, Option<Node<M>>)>,
    tally: EndingCounts,
}

/// `PPA` of *Playout Policy Adaptation for Games*: a policy for the moves of both players, and a tree below a board.
struct Paper<G: Game> {
    board: G,
    alpha: f64,
    /// The number of the game's own policy that restricts the playouts.
    own: Option<usize>,
    policy: HashMap<(bool, u64), f64>,
}

fn legal<G: Game>(state: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    state.legal_moves(&mut moves);
    moves
}

impl<G: Game> Paper<G> {
    fn considered(&self, state: &G) -> Vec<G::Move> {
        let mut moves = legal(state);
        self.own.iter().for_each(|&own| state.prefer(own, &mut moves));
        moves
    }

    fn code(state: &G, played: G::Move) -> (bool, u64) {
        (state.turn() == Player::First, state.code(played))
    }

    fn exponential(&self, state: &G, played: G::Move) -> f64 {
        self.policy.get(&Self::code(state, played)).map_or(1.0, |weight| weight.exp())
    }

    fn playout(&self, state: &mut G, rng: &mut Rng, game: &mut Vec<G::Move>) -> Ending {
        loop {
            if let Some(ending) = state.ending() {
                return ending;
            }
            let moves = self.considered(state);
            let total: f64 = moves.iter().map(|&played| self.exponential(state, played)).sum();
            let (point, mut passed) = (rng.unit() * total, 0.0);
            let drawn = moves.iter().find(|&&played| {
                passed += self.exponential(state, played);
                passed > point
            });
            let played = *drawn.unwrap_or(&moves[moves.len() - 1]);
            state.play(played);
            game.push(played);
        }
    }

    fn adapt(&mut self, winner: Player, game: &[G::Move]) {
        let (mut state, mut adapted) = (self.board.clone(), self.policy.clone());
        for &played in game {
            let moves = self.considered(&state);
            if state.turn() == winner && moves.contains(&played) {
                *adapted.entry(Self::code(&state, played)).or_default() += self.alpha;
                let z: f64 = moves.iter().map(|&other| self.exponential(&state, other)).sum();
                for &other in &moves {
                    let share = self.exponential(&state, other) / z;
                    *adapted.entry(Self::code(&state, other)).or_default() -= self.alpha * share;
                }
            }
            state.play(played);
        }
        self.policy = adapted;
    }

    /// One simulation from a node that the tree has; `game` gets the moves.
    fn uct(&self, node: &mut Node<G::Move>, state: &mut G, rng: &mut Rng, game: &mut Vec<G::Move>) -> Ending {
        let ending = match state.ending() {
            Some(ending) => ending,
            None if node.tally.visits() == 0 && !game.is_empty() => self.playout(state, rng, game),
            None => {
                if node.moves.is_empty() {
                    node.moves = legal(state).into_iter().map(|played| (played, None)).collect();
                }
                let chosen = choose(node, state.turn(), rng);
                let (played, child) = &mut node.moves[chosen];
                state.play(*played);
                game.push(*played);
                let new = || Node { moves: Vec::new(), tally: EndingCounts::default() };
                self.uct(child.get_or_insert_with(new), state, rng, game)
            }
        };
        node.tally.add(ending);
        ending
    }

    fn search(mut self, simulations: u64, seed: u64) -> Node<G::Move> {
        let mut root = Node { moves: Vec::new(), tally: EndingCounts::default() };
        let mut rng = Stream::new(seed).rng();
        for _ in 0..simulations {
            let mut game = Vec::new();
            if let Ending::Win(winner) = self.uct(&mut root, &mut self.board.clone(), &mut rng, &mut game) {
                self.adapt(winner, &game);
            }
        }
        root
    }
}

/// An untried move at random, or else the first with the greatest μ + sqrt(ln t / (5·s)).
fn choose<M>(node: &mut Node<M>, mover: Player, rng: &mut Rng) -> usize {
    let tried = node.moves.iter().filter(|(_, child)| child.is_some()).count();
    if tried < node.moves.len() {
        let drawn = rng.below(node.moves.len() - tried);
        node.moves.swap(tried, tried + drawn);
        return tried;
    }
    let breadth = f64::from(node.tally.visits()).ln().sqrt() as f32 * (1.0_f64 / 5.0).sqrt() as f32;
    let worth = |place: usize| {
        let tally = node.moves[place].1.as_ref().expect("all are tried").tally;
        tally.value(mover, 0.5) as f32 + breadth * (1.0 / (tally.visits() as f32).sqrt())
    };
    (1..node.moves.len()).fold(0, |best, place| if worth(place) > worth(best) { place } else { best })
}

#[track_caller]
fn agrees<G: Game>(board: &G, own: Option<&str>) {
    let number = own.map(|name| board.policies().iter().position(|&policy| policy == name).expect("it has it"));
    let option = own.map_or(String::new(), |name| format!(", policy={name}"));
    for (simulations, alpha) in [(1, 0.32), (60, 1.0), (400, 0.32), (400, 2.5)] {
        let text = format!("uct({simulations}, adapt={alpha}, proof=off{option})");
        for seed in 0..5 {
            let decision = decide(&text, board, 1, seed);
            let paper = Paper { board: board.clone(), alpha, own: number, policy: HashMap::new() };
            let root = paper.search(simulations, seed);
            let known = |played: G::Move| {
                let (_, child) = root.moves.iter().find(|(other, _)| *other == played)?;
                child.as_ref().map(|child| (played, child.tally))
            };
            let plain: Vec<_> = legal(board).into_iter().filter_map(known).collect();
            let ours: Vec<_> = decision.assessments.iter().map(|of| (of.played, of.tally)).collect();
            assert_eq!(ours, plain, "{text}, seed {seed}");
        }
    }
}

#[test]
fn adaptation_is_the_papers() {
    agrees(&TicTacToe::new(), None);
    agrees(&TicTacToe::new(), Some("winning"));
    agrees(&Doubles::new(9), None);
}

/// Playouts that learn visit other moves, on each thread alike; every search begins without what an earlier one learned.
#[test]
fn each_search_learns_anew() {
    let game = Doubles::new(9);
    let text = "uct(700, adapt=0.32, trees=3)";
    assert_eq!(decide(text, &game, 1, 4), decide(text, &game, 3, 4));
    assert_ne!(decide("uct(700)", &game, 1, 4), decide("uct(700, adapt=0.32)", &game, 1, 4));
    let strategy: Strategy = "uct(700, adapt=0.32, proof=off)".parse().unwrap();
    let mut agent = strategy.agent(&game, &Setting::default()).unwrap();
    let first = agent.choose(Stream::new(1));
    let counts = |decision: &Decision<usize>| decision.assessments.iter().map(|of| of.visits).sum::<u64>();
    assert_eq!((counts(&first), counts(&agent.choose(Stream::new(1)))), (700, 1400));
}

#[test]
fn whole_turns_do_not_learn() {
    let strategy: Strategy = "uct(9, adapt=0.32, turn=joined)".parse().unwrap();
    let refused = strategy.agent(&Doubles::new(7), &Setting::default()).err().map(|error| error.to_string());
    let reason = "adapt=: playouts learn single moves, not whole turns; leave out turn=joined";
    assert_eq!(refused.as_deref(), Some(reason));
}
