//! The counts of a search while it runs ([`SearchProgress`]), and its output ([`SearchReport`]).

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::found::{Found, ScoredMoves, game, joined};
use super::frame::Frame;
use super::task::{Counts, Task};
use crate::expression::Search;
use crate::problem::{Goal, Move};
use crate::stream::Stream;
use crate::watch::Reason;
use crate::weights::Weights;

/// The counts of a search and the best games it has seen; part of every frame.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub struct SearchProgress<M> {
    /// The counts.
    pub counts: Counts,
    /// The best game to its end.
    #[serde(with = "game")]
    pub seen: Option<ScoredMoves<M>>,
    /// A better game from a task after the cut that time made in the order of tasks, with what repeats it.
    pub(crate) speculative: Option<SpeculativeBest<M>>,
}

impl<M> Default for SearchProgress<M> {
    fn default() -> Self {
        SearchProgress { counts: Counts::default(), seen: None, speculative: None }
    }
}

/// A game found by a task after the cut in the order of tasks, and the sub-search that finds it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(crate) struct SpeculativeBest<M> {
    /// Always a game.
    pub found: Found<M>,
    /// After how many of the moves the sub-search starts.
    #[serde(deserialize_with = "length")]
    pub from: usize,
    #[serde(deserialize_with = "printable")]
    pub search: String,
    pub seed: u64,
    pub playouts: u64,
}

/// A text that people will read.
pub(crate) fn printable<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.contains(char::is_control) { Err(D::Error::custom("a text with control characters")) } else { Ok(text) }
}

/// A number of moves; sums of a few such numbers still fit.
fn length<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    Ok(u32::deserialize(deserializer)? as usize)
}

impl<M: Copy> SearchProgress<M> {
    /// How many playouts of a limit are left.
    pub fn left(&self, limit: u64) -> u64 {
        limit.saturating_sub(self.counts.playouts)
    }

    /// Counts games that were just played, the best of them `best`, and announces that one if it is better than all before.
    pub fn count(&mut self, task: &Task<'_, M>, playouts: u64, moves: u64, best: Option<(f64, &[M])>) {
        self.counts.playouts += playouts;
        self.counts.moves += moves;
        task.shared.played.add(playouts, moves);
        if let Some((score, game)) = best
            && self.is_news(task.goal(), score)
        {
            self.seen = Some(ScoredMoves::new(score, game.to_vec()));
            task.announce(score, game);
        }
    }

    /// Adds the counts and games of a sub-search that started after `path`, and announces its best game if it is better than all before.
    pub fn absorb(&mut self, task: &Task<'_, M>, path: &[M], other: &SearchProgress<M>) {
        self.add_counts(other);
        if let Some(seen) = &other.seen
            && self.is_news(task.goal(), seen.score)
        {
            let moves = joined(path, &seen.moves);
            task.announce(seen.score, &moves);
            self.seen = Some(ScoredMoves::new(seen.score, moves));
        }
    }

    /// Adds the counts of a sub-search whose games were not games of the problem itself.
    pub fn add_counts(&mut self, other: &SearchProgress<M>) {
        self.counts.playouts = self.counts.playouts.saturating_add(other.counts.playouts);
        self.counts.moves = self.counts.moves.saturating_add(other.counts.moves);
    }

    /// Adds the games after the cut: those of a task that lies there itself (`alone` identifies it), and those that it or its own sub-tasks
    /// have recorded as such.
    pub fn absorb_speculative(
        &mut self,
        goal: Goal,
        path: &[M],
        alone: Option<(&Search, Stream)>,
        other: &SearchProgress<M>,
    ) {
        if let (Some(seen), Some((search, stream))) = (&other.seen, alone) {
            let found = Found::Game(ScoredMoves::new(seen.score, joined(path, &seen.moves)));
            let (search, seed, playouts) = (search.to_string(), stream.seed(), other.counts.playouts);
            self.offer_speculative(goal, SpeculativeBest { found, from: path.len(), search, seed, playouts });
        }
        if let Some(speculative) = &other.speculative {
            let found = speculative.found.clone().after(path);
            self.offer_speculative(
                goal,
                SpeculativeBest { found, from: speculative.from + path.len(), ..speculative.clone() },
            );
        }
    }

    fn offer_speculative(&mut self, goal: Goal, speculative: SpeculativeBest<M>) {
        if self.speculative.as_ref().is_none_or(|best| goal.better(speculative.found.score(), best.found.score())) {
            self.speculative = Some(speculative);
        }
    }

    /// Whether a score is better than the best game's.
    pub fn is_news(&self, goal: Goal, score: f64) -> bool {
        self.seen.as_ref().is_none_or(|seen| goal.better(score, seen.score))
    }
}

/// The reports.
impl<M: Copy> SearchProgress<M> {
    /// The report of a complete search.
    pub fn finished<F>(self, result: Found<M>) -> SearchReport<M, F> {
        SearchReport { result: Some(result), tally: self, cut: None, exhaustive: false, learned: None }
    }

    /// The report of a search that has reached the end of a game, perhaps without a playout. The game is announced like any other. If it
    /// reaches the target, the search is cut, and continues from `frame`, which gets the tally before this game.
    pub fn ended<F>(
        mut self,
        task: &Task<'_, M>,
        result: ScoredMoves<M>,
        frame: impl FnOnce(SearchProgress<M>) -> F,
    ) -> SearchReport<M, F> {
        let before = self.clone();
        self.count(task, 0, 0, Some((result.score, &result.moves)));
        if task.reached(result.score) {
            self.cut(Reason::Target, frame(before))
        } else {
            self.finished(Found::Game(result))
        }
    }

    /// The report of a search that was cut for a reason and can continue from `frame`.
    pub fn cut<F>(self, reason: Reason, frame: F) -> SearchReport<M, F> {
        SearchReport { result: None, tally: self, cut: Some((reason, frame)), exhaustive: false, learned: None }
    }
}

/// The output of a search.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "M: Move, F: Serialize", deserialize = "M: Move, F: Deserialize<'de>"))]
pub struct SearchReport<M, F = Frame<M>> {
    /// The result by its definition; if it was cut, none, or the best estimate so far.
    pub result: Option<Found<M>>,
    /// Its counts and the best games seen.
    pub tally: SearchProgress<M>,
    /// If it was cut: the reason, and its frame.
    pub cut: Option<(Reason, F)>,
    /// Whether every game was visited.
    pub exhaustive: bool,
    /// The policy that it has learned, if it was the whole run.
    #[serde(skip)]
    pub learned: Option<Weights>,
}

impl<M, F> SearchReport<M, F> {
    /// The same with another frame, if it was cut.
    pub fn map_frame<G>(self, map: impl FnOnce(F) -> G) -> SearchReport<M, G> {
        let SearchReport { result, tally, cut, exhaustive, learned } = self;
        SearchReport { result, tally, cut: cut.map(|(reason, frame)| (reason, map(frame))), exhaustive, learned }
    }

    /// The same without its frame.
    pub(crate) fn without_frame(&self) -> SearchReport<M, ()>
    where
        M: Clone,
    {
        let cut = self.cut.as_ref().map(|(reason, _)| (*reason, ()));
        let (result, tally) = (self.result.clone(), self.tally.clone());
        SearchReport { result, tally, cut, exhaustive: self.exhaustive, learned: None }
    }

    /// The result of a search that was not cut.
    ///
    /// # Panics
    ///
    /// When it was cut.
    pub fn into_found(self) -> Found<M> {
        self.result.expect("a finished search has a result")
    }
}
