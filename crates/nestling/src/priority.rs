//! Priority playouts: games that follow an earlier game as far as possible. `pool` plays all its games this way.

use rustc_hash::FxHashMap;

use crate::math::ln;
use crate::playout::{PlayoutPolicy, Scratch, reason_to_give_up};
use crate::problem::Problem;
use crate::stream::Stream;
use crate::watch::{Reason, Watch};

/// The priorities of one game: in every state the legal move of the highest priority is played.
///
/// The moves of the parent have the highest priorities, in their order, except those that are demoted. Every other move has a lower, random
/// priority: [`Priorities::other`] of its [code](Problem::code), the largest first. Moves are identified by their codes; of several legal
/// moves with the same priority the first is played.
#[derive(Clone, Copy, Debug)]
pub struct Priorities<'a, M> {
    /// The moves of the parent.
    pub parent: &'a [M],
    /// The indices in `parent` of the moves that are demoted, in any order; an index may occur twice.
    pub demoted: &'a [usize],
    /// The stream of the random priorities.
    pub stream: Stream,
}

impl<M> Priorities<'_, M> {
    /// The random priority of a move with this code that is demoted or not one of the parent's.
    #[inline]
    pub fn other(&self, code: u64) -> u64 {
        self.stream.child(code).seed()
    }
}

/// Plays games by priorities: **implement this to let a fast engine play the games of `pool`.**
pub trait PriorityPlayer<M>: Send {
    /// Plays a game to its end; returns its score and its number of moves. Nothing if the engine cannot play this game: the problem's own
    /// methods then play it again.
    fn play(&mut self, priorities: &Priorities<'_, M>) -> Option<(f64, usize)>;

    /// Appends the moves of the game played last.
    fn moves(&self, into: &mut Vec<M>);
}

/// Plays games by priorities, with the problem's engine if it has one, otherwise with its own methods.
pub(crate) struct Follower<'a, P: Problem> {
    engine: Option<Box<dyn PriorityPlayer<P::Move> + 'a>>,
    by_engine: bool,
    start: &'a P,
    policy: &'a PlayoutPolicy,
    state: P,
    scratch: Scratch<P>,
    /// By code: the rank of the parent's moves that are not demoted.
    ranks: FxHashMap<u64, usize>,
    codes: Vec<u64>,
    game: Vec<P::Move>,
}

impl<'a, P: Problem> Follower<'a, P> {
    /// Plays from `start`; moves that are not the parent's are chosen among those that the policy considers, by its weights if it has any.
    pub fn new(start: &'a P, policy: &'a PlayoutPolicy) -> Self {
        let engine = if policy.is_uniform() { start.priority_player() } else { None };
        Follower {
            engine,
            by_engine: false,
            start,
            policy,
            state: start.clone(),
            scratch: Scratch::new(),
            ranks: FxHashMap::default(),
            codes: Vec::new(),
            game: Vec::new(),
        }
    }

    /// Plays a game; returns its score and its number of moves, or why it was stopped.
    pub fn play(
        &mut self,
        priorities: &Priorities<'_, P::Move>,
        watch: Option<&Watch<'_>>,
    ) -> Result<(f64, usize), Reason> {
        let played = self.engine.as_mut().and_then(|engine| engine.play(priorities));
        self.by_engine = played.is_some();
        match played {
            Some(played) => Ok(played),
            None => self.play_here(priorities, watch),
        }
    }

    /// Appends the moves of the game played last.
    pub fn moves(&self, into: &mut Vec<P::Move>) {
        match &self.engine {
            Some(engine) if self.by_engine => engine.moves(into),
            _ => into.extend_from_slice(&self.game),
        }
    }

    fn play_here(
        &mut self,
        priorities: &Priorities<'_, P::Move>,
        watch: Option<&Watch<'_>>,
    ) -> Result<(f64, usize), Reason> {
        self.rank(priorities);
        self.state.clone_from(self.start);
        self.game.clear();
        loop {
            if let Some(reason) = reason_to_give_up(watch, self.game.len()) {
                return Err(reason);
            }
            self.state.legal_moves(&mut self.scratch.moves);
            let ranked = self
                .scratch
                .moves
                .iter()
                .filter_map(|&legal| self.ranks.get(&self.state.code(legal)).map(|&rank| (rank, legal)));
            let next = match ranked.reduce(|first, other| if other.0 < first.0 { other } else { first }) {
                Some((_, next)) => next,
                None => match self.other(priorities) {
                    Some(next) => next,
                    None => return Ok((self.state.score(), self.game.len())),
                },
            };
            self.state.play(next);
            self.game.push(next);
        }
    }

    /// Stores the ranks of the parent's moves. A code that occurs twice has the first rank.
    fn rank(&mut self, priorities: &Priorities<'_, P::Move>) {
        self.state.clone_from(self.start);
        self.codes.clear();
        for &played in priorities.parent {
            self.codes.push(self.state.code(played));
            self.state.play(played);
        }
        self.ranks.clear();
        for (rank, &code) in self.codes.iter().enumerate() {
            if !priorities.demoted.contains(&rank) {
                self.ranks.entry(code).or_insert(rank);
            }
        }
    }

    /// The move of the highest random priority; none at the end of the game. With weights it is the move with the least exponential waiting
    /// time, −ln(u) / weight, so that moves are chosen in proportion to their weights.
    fn other(&mut self, priorities: &Priorities<'_, P::Move>) -> Option<P::Move> {
        let Follower { state, scratch, policy, .. } = self;
        scratch.consider(state, policy.rule);
        if let Some(weights) = &policy.weights {
            scratch.weigh(state, weights);
        }
        let priority = |index: usize| priorities.other(state.code(scratch.moves[index]));
        let indices = 0..scratch.moves.len();
        let best = if scratch.weights.is_empty() {
            indices.reduce(|first, other| if priority(other) > priority(first) { other } else { first })
        } else {
            // Strictly between 0 and 1.
            let unit = |index: usize| ((priority(index) >> 12) as f64 + 0.5) * (1.0 / (1u64 << 52) as f64);
            let earliness = |index: usize| ln(unit(index)) / scratch.weights[index];
            indices.reduce(|first, other| if earliness(other) > earliness(first) { other } else { first })
        };
        best.map(|index| scratch.moves[index])
    }
}
