//! Playout policy adaptation: playouts that learn, simulation by simulation, to play the moves of those who win.
//!
//! Cazenave, *Playout Policy Adaptation for Games*, 2015. It is nested rollout policy adaptation for two players, with the winner's moves
//! in place of the best sequence.

use rustc_hash::FxHashMap;

use crate::game::{Ending, Game, Player};
use crate::math::exp;
use crate::playout::draw;
use crate::stream::Rng;

/// The weights that a tree has learned for each player's moves, and the moves that one simulation considered.
pub(super) struct Adaptation<G: Game> {
    alpha: f64,
    /// By player, and by the [code](Game::code) of the move; a move without a code has weight 0.
    weights: [FxHashMap<u64, f64>; 2],
    turns: Vec<SimulatedTurn>,
    /// The codes of the moves that were considered at all turns, and the probability of each.
    considered: Vec<(u64, f64)>,
    moves: Vec<G::Move>,
    sums: Vec<f64>,
}

/// A state of the simulation with more than one move to choose from.
struct SimulatedTurn {
    player: Player,
    /// The index of its first move in `considered`, and the index of the move that was played.
    first: usize,
    played: usize,
}

impl<G: Game> Adaptation<G> {
    pub fn new(alpha: f64) -> Self {
        let (turns, considered, moves, sums) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Adaptation { alpha, weights: Default::default(), turns, considered, moves, sums }
    }

    /// Forgets everything that was learned: each search begins with equal weights.
    pub fn forget(&mut self) {
        self.weights.iter_mut().for_each(FxHashMap::clear);
    }

    /// Records a move that the tree has chosen. Nothing is learned from a move that the policy would not consider.
    pub fn note(&mut self, state: &G, policy: Option<usize>, played: G::Move) {
        let first = self.considered.len();
        self.consider(state, policy);
        match self.moves.iter().position(|&considered| considered == played) {
            Some(place) => self.turns.push(SimulatedTurn { player: state.turn(), first, played: first + place }),
            None => self.considered.truncate(first),
        }
    }

    /// Plays a game to its end. P(m) ∝ exp(weight of m) among the moves m that the policy leaves.
    pub fn playout(&mut self, state: &mut G, policy: Option<usize>, rng: &mut Rng) -> Ending {
        loop {
            if let Some(ending) = state.ending() {
                return ending;
            }
            let first = self.considered.len();
            self.consider(state, policy);
            let place = draw(&mut self.sums, rng);
            self.turns.push(SimulatedTurn { player: state.turn(), first, played: first + place });
            state.play(self.moves[place]);
        }
    }

    /// The moves of a state that playouts consider, with their weights as probabilities.
    fn consider(&mut self, state: &G, policy: Option<usize>) {
        state.legal_moves(&mut self.moves);
        if let Some(policy) = policy {
            state.prefer(policy, &mut self.moves);
        }
        let weights = &self.weights[state.turn() as usize];
        let codes = self.moves.iter().map(|&considered| state.code(considered));
        let weighed = codes.map(|code| (code, weights.get(&code).map_or(1.0, |&weight| exp(weight))));
        let first = self.considered.len();
        self.considered.extend(weighed);
        let here = &mut self.considered[first..];
        self.sums.clear();
        self.sums.extend(here.iter().map(|(_, weight)| weight));
        let total: f64 = self.sums.iter().sum();
        here.iter_mut().for_each(|(_, weight)| *weight /= total);
    }

    /// Ends a simulation: at each turn of the winner, w\[played\] += α, and w\[m\] −= α·p(m) for all moves m that were considered. After
    /// a draw nothing is learned.
    pub fn adapt(&mut self, ending: Ending) {
        if let Ending::Win(winner) = ending {
            let weights = &mut self.weights[winner as usize];
            let ends = self.turns.iter().skip(1).map(|turn| turn.first).chain([self.considered.len()]);
            for (turn, end) in self.turns.iter().zip(ends).filter(|(turn, _)| turn.player == winner) {
                for (code, probability) in &self.considered[turn.first..end] {
                    *weights.entry(*code).or_default() -= self.alpha * probability;
                }
                *weights.entry(self.considered[turn.played].0).or_default() += self.alpha;
            }
        }
        self.turns.clear();
        self.considered.clear();
    }
}
