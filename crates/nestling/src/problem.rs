//! The trait that a problem implements so that every search can be run on it.
//!
//! A [`Problem`] value is a *state*: the start is a state, and playing a move turns it into the next one. States are never stored; a state
//! is represented by the moves that lead to it. Three methods are required; every other method has a default, and its documentation says
//! who should replace it and why.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::clauses::Formula;
use crate::expression::Search;
use crate::improver::Improver;
use crate::learner::Learner;
use crate::playout::{self, Batch, Rule};
use crate::priority::PriorityPlayer;
use crate::stream::{Rng, Stream};
use crate::suggestion::{Allowance, Suggestion};

/// The requirements for a move: small, comparable, and serializable for checkpoints.
///
/// Implemented for every type that qualifies; integers do, and a struct with the derives `Clone, Copy, PartialEq, Eq,
/// Hash, Debug, Serialize, Deserialize` does.
pub trait Move: Copy + Eq + Hash + fmt::Debug + Send + Sync + Serialize + DeserializeOwned + 'static {}

impl<T> Move for T where T: Copy + Eq + Hash + fmt::Debug + Send + Sync + Serialize + DeserializeOwned + 'static {}

/// Whether a problem wants its score large or small.
///
/// People always see the problem's own number; searches compare through the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Goal {
    /// The larger score is the better one.
    Max,
    /// The smaller score is the better one.
    Min,
}

impl Goal {
    /// Is `a` strictly better than `b`?
    ///
    /// ```
    /// use nestling::Goal;
    /// assert!(Goal::Max.better(82.0, 80.0));
    /// assert!(!Goal::Min.better(165.0, 165.0));
    /// ```
    #[inline]
    pub fn better(self, a: f64, b: f64) -> bool {
        match self {
            Goal::Max => a > b,
            Goal::Min => a < b,
        }
    }

    /// The better of two scores.
    ///
    /// ```
    /// use nestling::Goal;
    /// assert_eq!(Goal::Min.best(165.0, 170.0), 165.0);
    /// ```
    #[inline]
    pub fn best(self, a: f64, b: f64) -> f64 {
        if self.better(b, a) { b } else { a }
    }

    /// Is `score` at least as good as `target`?
    #[inline]
    pub fn reaches(self, score: f64, target: f64) -> bool {
        !self.better(target, score)
    }

    /// The score on a scale where larger is better.
    #[inline]
    pub fn value(self, score: f64) -> f64 {
        match self {
            Goal::Max => score,
            Goal::Min => -score,
        }
    }
}

/// A problem for one agent; a value is one state of it.
///
/// **The order of the legal moves is part of the contract.** The same moves from the start must always give the same list in the same
/// order, because ties and random choices, and so all results, depend on it.
///
/// ```
/// use nestling::Problem;
///
/// /// Count the moves to the left on the way down a binary tree.
/// #[derive(Clone)]
/// struct LeftMove { depth: u32, lefts: u32 }
///
/// impl Problem for LeftMove {
///     type Move = bool;
///     fn legal_moves(&self, moves: &mut Vec<bool>) {
///         moves.clear();
///         if self.depth > 0 { moves.extend([true, false]) }
///     }
///     fn play(&mut self, left: bool) {
///         self.depth -= 1;
///         self.lefts += u32::from(left);
///     }
///     fn score(&self) -> f64 { self.lefts.into() }
/// }
/// ```
pub trait Problem: Clone + Send + Sync {
    /// A move; see [`Move`] for what the type needs.
    type Move: Move;

    /// Whether the [text](Problem::move_text) of a move is the same in every state; then a game can be written without playing it.
    const PLAIN_TEXTS: bool = false;

    /// Replaces the contents of `moves` by the legal moves of this state, in the problem's order; none at the end.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a legal move. May panic on an illegal one; [`certify`](Problem::certify) must not.
    fn play(&mut self, played: Self::Move);

    /// The score of this state, on the problem's own scale. Searches call it at the end of a game; never NaN.
    fn score(&self) -> f64;

    /// Whether the score is maximised (the default) or minimised.
    fn goal(&self) -> Goal {
        Goal::Max
    }

    /// The code under which a learned policy stores the weight of a move.
    ///
    /// The default hashes the move, which is right when a move means the same thing in every state. Replace it when it
    /// does not (a group of SameGame cells), or to give [dense codes](Problem::dense_codes).
    fn code(&self, played: Self::Move) -> u64 {
        code_of(played)
    }

    /// Codes below this number are small integers that may index an array; larger codes go through a hash map.
    ///
    /// Replace it (and [`code`](Problem::code)) in a problem whose moves are easily numbered: looking a weight up is
    /// then several times cheaper.
    fn dense_codes(&self) -> usize {
        0
    }

    /// Knowledge about a move, added to its learned weight: the move is drawn with probability ∝ exp(weight + bias). It
    /// lies between −300 and 300.
    fn bias(&self, _played: Self::Move) -> f64 {
        0.0
    }

    /// The names of the biases that `nrpa(bias=NAME)` can use; see [`named_bias`](Problem::named_bias).
    fn biases(&self) -> &'static [&'static str] {
        &[]
    }

    /// Bias number `bias` of [`biases`](Problem::biases) of a move in this state: knowledge that a search uses only on request, and whose
    /// weight it can learn. On the scale of weights, so that a move is drawn with probability ∝ exp(weight + bias); a finite number.
    fn named_bias(&self, _bias: usize, _played: Self::Move) -> f64 {
        0.0
    }

    /// The [code](Problem::code) that a move shares with all moves that are symmetric to it, for `nrpa(codes=symmetric)`; it must be below
    /// [`dense_codes`](Problem::dense_codes) if the code is. `None`, the default, means that no symmetries are known.
    fn symmetric_code(&self, _played: Self::Move) -> Option<u64> {
        None
    }

    /// How many [features](Problem::features) there are, the same in every state; 0, the default, if moves have none. Instances of one kind
    /// of problem share their features, so that a network that was trained on some can be used on others.
    fn feature_count(&self) -> usize {
        0
    }

    /// Appends the numbers of the features that a legal move has in this state, each below [`feature_count`](Problem::feature_count). A
    /// feature is a yes-or-no property of the move, such as a pattern of its surroundings on a board; divide a number into ranges. A
    /// [`Network`](crate::Network) computes the weight of the move from them.
    fn features(&self, _played: Self::Move, _features: &mut Vec<u32>) {}

    /// The names of the problem's own playout policies; every problem also has `uniform` and `mobility`.
    fn policies(&self) -> &'static [&'static str] {
        &[]
    }

    /// The playout policy to use if an expression names none: `uniform`, `mobility`, or one of the problem's own.
    fn default_policy(&self) -> &'static str {
        "uniform"
    }

    /// The moves of policy number `policy` of [`policies`](Problem::policies): removes moves from the legal `moves` (never all of them),
    /// keeping their order, and may fill the empty `weights` with one positive weight per remaining move. This affects playouts only, not
    /// the legal moves of a search.
    fn prefer(&self, _policy: usize, _moves: &mut Vec<Self::Move>, _weights: &mut Vec<f64>) {}

    /// A score that no game can exceed, if one is known. A run that reaches it stops, and its result is proven.
    fn bound(&self) -> Option<f64> {
        None
    }

    /// The search to use if the user names none, and the reason. The default restarts NRPA at the level that suits the allowance; replace
    /// it if another search, or a playout policy of the problem's own, has measured better.
    ///
    /// ```
    /// use nestling::{Allowance, Problem, Search, Suggestion};
    /// # #[derive(Clone)] struct LeftMove { depth: u32, lefts: u32 }
    /// impl Problem for LeftMove {
    ///     # type Move = bool;
    ///     # fn legal_moves(&self, moves: &mut Vec<bool>) { moves.clear(); if self.depth > 0 { moves.extend([true, false]) } }
    ///     # fn play(&mut self, left: bool) { self.depth -= 1; self.lefts += u32::from(left); }
    ///     # fn score(&self) -> f64 { self.lefts.into() }
    ///     // …
    ///     fn default_search(&self, _allowance: Allowance) -> Suggestion {
    ///         Suggestion::new(Search::nested(2).forever(), "it measured best of four searches")
    ///     }
    /// }
    /// ```
    fn default_search(&self, allowance: Allowance) -> Suggestion {
        Suggestion::restarted_nrpa(self, allowance, Search::nrpa(1))
    }

    /// An estimate of how far games from this state can get, on any scale where larger is better, such as the number of cells that can
    /// still be filled; never NaN. `beam(w, by=outlook)` keeps the states with the best outlooks. `None`, the default, means that the
    /// problem has no such estimate; if a state has one, so has every state that follows.
    fn outlook(&self) -> Option<f64> {
        None
    }

    /// Draws again what the player cannot know (the future of a bus line, the order of a deck). `mean` calls it.
    fn redraw(&mut self, _rng: &mut Rng) {}

    /// The move as people write it, in this state. Games are written and read as these texts, one a line, so a text must
    /// have no line break and differ from the texts of the state's other moves.
    fn move_text(&self, played: Self::Move) -> String {
        format!("{played:?}")
    }

    /// A game as people write it: the text of each move, in the state it is played in. The moves must be legal.
    fn texts(&self, moves: &[Self::Move]) -> Vec<String> {
        if Self::PLAIN_TEXTS {
            return moves.iter().map(|&played| self.move_text(played)).collect();
        }
        let mut state = self.clone();
        let mut text = |&played: &Self::Move| {
            let text = state.move_text(played);
            state.play(played);
            text
        };
        moves.iter().map(&mut text).collect()
    }

    /// A key of the state to which the legal `moves` lead from this one. `pool` keeps one game for each key.
    ///
    /// The default adds up a random number for the [code](Problem::code) of every move, so that games with the same moves in another order
    /// have the same key. Replace it if games with different moves can end in equivalent states, or if the key can be computed without
    /// playing the moves.
    fn key(&self, moves: &[Self::Move]) -> u64 {
        key_of_codes(self, moves)
    }

    /// A number that two states share only if they have the same future: the same legal moves, and the same score after every continuation.
    /// With it, `dfs(merge=on)` searches only one of the states that differ in the order of moves; with `None`, the default, it merges
    /// none. Use 128 random bits, such as sums of [`digest`]s: the correctness of proofs depends on it.
    fn position(&self) -> Option<u128> {
        None
    }

    /// Replays a whole game from this state by the simplest possible rules, and returns its score.
    ///
    /// Every game passes this check before it is shown, stored or exported. The default looks every move up among the legal ones; a problem
    /// with a fast engine replaces it by rules that share no code with the engine.
    fn certify(&self, moves: &[Self::Move]) -> Result<Certificate, Illegal> {
        let mut state = self.clone();
        let mut legal = Vec::new();
        for (index, &played) in moves.iter().enumerate() {
            state.legal_moves(&mut legal);
            if !legal.contains(&played) {
                let text = state.move_text(played);
                return Err(Illegal { index, reason: format!("{text} is not one of the {} legal moves", legal.len()) });
            }
            state.play(played);
        }
        state.legal_moves(&mut legal);
        Ok(Certificate { score: state.score(), terminal: legal.is_empty() })
    }

    /// Plays the games of a batch from this state: **replace this to use a fast engine.**
    ///
    /// `repeat`, `lookahead`, `mean` and `beam` all play their games through it. The default plays one after the other; an engine may
    /// interleave them, or use another representation, as long as every game is the one its stream defines (the conformance suite
    /// compares). An engine that does not support the batch's policy calls [`playout::play_batch`], which is also the default.
    fn playouts(&self, batch: &mut Batch<'_, Self::Move>) {
        playout::play_batch(self, batch);
    }

    /// An engine that plays NRPA's games from this state by a rule, if the problem has one. It must apply the [`bias`](Problem::bias) if
    /// the problem has one (the conformance suite compares); it is not used if a move of this state has a bias.
    fn learner(&self, _rule: Rule) -> Option<Box<dyn Learner<Self::Move> + '_>> {
        None
    }

    /// An engine that plays the games of `pool` from this state, if the problem has one (the conformance suite compares).
    fn priority_player(&self) -> Option<Box<dyn PriorityPlayer<Self::Move> + '_>> {
        None
    }

    /// Small changes of games from this state, for a problem whose games can be changed anywhere, such as the order of a tour. `improve`
    /// searches with them.
    fn improver(&self) -> Option<Box<dyn Improver<Self::Move> + '_>> {
        None
    }

    /// The games from this state that reach the [`bound`](Problem::bound), as the solutions of a formula, for a problem that is solved or
    /// not, such as a Sudoku. `cdcl` searches with it. If a state has a formula, so has every state that follows.
    ///
    /// The moves of a solution are those of a game that reaches the bound, in any order that [`legal_moves`](Problem::legal_moves) allows.
    fn formula(&self) -> Option<Formula<Self::Move>> {
        None
    }
}

/// The code of a move that means the same in every state.
pub(crate) fn code_of(played: impl Hash) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    played.hash(&mut hasher);
    hasher.finish()
}

/// The result of replaying a legal game with the plain rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certificate {
    /// The score of the last state.
    pub score: f64,
    /// Whether the game is over: no legal move is left.
    pub terminal: bool,
}

/// The first illegal move of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {}: {reason}", index + 1)]
pub struct Illegal {
    /// The index of the move, from 0 (messages show it from 1).
    pub index: usize,
    /// The error.
    pub reason: String,
}

/// A 128-bit hash of a sequence of numbers, for [`Problem::position`]. For a set, add up or XOR those of its members.
///
/// ```
/// use nestling::digest;
/// assert_ne!(digest([1, 2]), digest([2, 1]));
/// ```
pub fn digest(words: impl IntoIterator<Item = u64>) -> u128 {
    let begin = [Stream::new(0x243f_6a88_85a3_08d3), Stream::new(0x1319_8a2e_0370_7344)];
    let [high, low] = words.into_iter().fold(begin, |halves, word| halves.map(|half| half.child(word)));
    u128::from(high.seed()) << 64 | u128::from(low.seed())
}

/// The default of [`Problem::key`].
pub fn key_of_codes<P: Problem>(start: &P, moves: &[P::Move]) -> u64 {
    let mut state = start.clone();
    moves.iter().fold(0, |key: u64, &played| {
        let code = state.code(played);
        state.play(played);
        key.wrapping_add(Stream::new(0).child(code).seed())
    })
}

/// The state after some moves, which must be legal.
pub fn state_after<P: Problem>(start: &P, moves: &[P::Move]) -> P {
    let mut state = start.clone();
    moves.iter().for_each(|&played| state.play(played));
    state
}

/// The state after some moves, if each of them is legal.
pub(crate) fn state_after_legal<P: Problem>(start: &P, moves: &[P::Move]) -> Option<P> {
    let (mut state, mut legal) = (start.clone(), Vec::new());
    for &played in moves {
        state.legal_moves(&mut legal);
        if !legal.contains(&played) {
            return None;
        }
        state.play(played);
    }
    Some(state)
}

/// Whether these moves are a game to its end.
pub(crate) fn is_game<P: Problem>(start: &P, moves: &[P::Move]) -> bool {
    state_after_legal(start, moves).is_some_and(|end| is_over(&end))
}

/// Whether no legal move is left.
pub(crate) fn is_over<P: Problem>(state: &P) -> bool {
    let mut moves = Vec::new();
    state.legal_moves(&mut moves);
    moves.is_empty()
}
