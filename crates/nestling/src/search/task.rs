//! The input of a search: [`Task`].

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::Instant;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::found::{ScoredMoves, joined};
use super::frame::Frame;
use super::played::PlayedCounts;
use super::remote::TaskRole;
use super::report::{SearchProgress, SearchReport};
use crate::playout::{Batch, PlayoutPolicy};
use crate::problem::{Goal, Problem, state_after};
use crate::run::RunError;
use crate::scores::Scores;
use crate::stream::Stream;
use crate::watch::{Reason, Watch};

/// How much has been played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Games played to the end.
    #[serde(deserialize_with = "possible")]
    pub playouts: u64,
    /// Moves played in them.
    #[serde(deserialize_with = "possible")]
    pub moves: u64,
}

/// More than any run can play; sums of a few such counts still fit.
const IMPOSSIBLE: u64 = 1 << 60;

fn possible<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let count = u64::deserialize(deserializer)?;
    if count < IMPOSSIBLE { Ok(count) } else { Err(D::Error::custom("a count that is impossible")) }
}

/// The data that all tasks of a run share.
pub(crate) struct Shared<M> {
    pub goal: Goal,
    /// The score at which the run stops: the user's target or the problem's bound.
    pub target: Option<f64>,
    pub threads: usize,
    /// Everything that was played, superfluous tasks included; for the displayed rate, never for a decision.
    pub played: PlayedCounts,
    /// How many tasks wait for a thread.
    pub queued: AtomicUsize,
    /// Whether the run does not wait for the order of tasks: those that run ahead of their turn may announce what they find, and end the
    /// run when they reach the target.
    eager: bool,
    /// The best score announced so far: as bits, to be read without a lock, and the lock for announcing.
    best: AtomicU64,
    /// Games that reach this score are reported, even if they are not the best.
    keep: Option<f64>,
    news: Mutex<Sender<News<M>>>,
    /// Whether there is a clock.
    timed: bool,
    /// Collects single scores, if requested.
    pub scores: Option<Scores>,
    /// Why the run cannot continue.
    failure: Mutex<Option<RunError>>,
}

/// A game to be announced, and when it was found.
pub(crate) struct News<M> {
    pub found: ScoredMoves<M>,
    /// The search that found it, if it is reported because it is to be kept.
    pub kept: Option<u64>,
    pub playouts: u64,
    /// Set if there is a clock.
    pub at: Option<Instant>,
}

impl<M: Copy> Shared<M> {
    pub fn new(
        goal: Goal,
        target: Option<f64>,
        threads: usize,
        eager: bool,
        best: Option<f64>,
        news: Sender<News<M>>,
    ) -> Self {
        let best = best.map_or(f64::NEG_INFINITY, |score| goal.value(score));
        Shared {
            goal,
            target,
            threads,
            played: PlayedCounts::new(threads),
            queued: AtomicUsize::new(0),
            eager,
            best: AtomicU64::new(best.to_bits()),
            keep: None,
            news: Mutex::new(news),
            timed: true,
            scores: None,
            failure: Mutex::new(None),
        }
    }

    pub fn watched(self, scores: Option<Scores>) -> Self {
        Shared { scores, ..self }
    }

    pub fn untimed(self) -> Self {
        Shared { timed: false, ..self }
    }

    pub fn keeping(self, keep: Option<f64>) -> Self {
        Shared { keep, ..self }
    }

    /// Passes on the score of one playout, if requested.
    pub fn show(&self, score: f64) {
        if let Some(scores) = &self.scores {
            scores.add(score);
        }
    }

    /// The best score announced so far, including the time before the run was resumed.
    pub fn best(&self) -> Option<f64> {
        let worth = f64::from_bits(self.best.load(Ordering::Relaxed));
        (worth > f64::NEG_INFINITY).then(|| self.goal.value(worth))
    }

    /// Why the run cannot continue.
    pub fn failure(&self) -> Option<RunError> {
        self.failure.lock().expect("no thread panics with it").clone()
    }

    /// Announces a game if no task of the run has announced a better one.
    fn announce(&self, score: f64, prefix: &Prefix<'_, M>, moves: &[M]) {
        let worth = self.goal.value(score);
        let is_news = || worth > f64::from_bits(self.best.load(Ordering::Relaxed));
        if !is_news() {
            return;
        }
        let news = self.news.lock().expect("no thread panics while it sends");
        if is_news() {
            self.best.store(worth.to_bits(), Ordering::Relaxed);
            // After the run was abandoned nobody receives this.
            let _ = news.send(self.news_of(score, prefix, moves, None));
        }
    }

    fn news_of(&self, score: f64, prefix: &Prefix<'_, M>, moves: &[M], kept: Option<u64>) -> News<M> {
        let mut game = Vec::new();
        prefix.collect(&mut game);
        game.extend_from_slice(moves);
        // Scores are shown to people: -0 becomes 0.
        let found = ScoredMoves::new(score + 0.0, game);
        News { found, kept, playouts: self.played.total().playouts, at: self.timed.then(Instant::now) }
    }
}

/// The moves that lead from the run's start to a task's state, as a list of slices up the call stack.
#[derive(Clone, Copy)]
pub(crate) struct Prefix<'a, M> {
    parent: Option<&'a Prefix<'a, M>>,
    moves: &'a [M],
}

impl<M: Copy> Prefix<'_, M> {
    fn collect(&self, into: &mut Vec<M>) {
        if let Some(parent) = self.parent {
            parent.collect(into);
        }
        into.extend_from_slice(self.moves);
    }
}

/// A search's position in the run: its limit, where it announces games, and when it should stop.
#[derive(Clone, Copy)]
pub struct Task<'a, M> {
    pub(crate) shared: &'a Shared<M>,
    pub(crate) watch: &'a Watch<'a>,
    /// How many playouts it may play, including those of its frame.
    pub(crate) limit: u64,
    /// Whether games are games of the problem itself. In a redrawn world they only inform a decision.
    real: bool,
    pub(super) role: TaskRole<'a, M>,
    prefix: Prefix<'a, M>,
}

impl<'a, M: Copy> Task<'a, M> {
    pub(crate) fn root(shared: &'a Shared<M>, watch: &'a Watch<'a>, limit: u64, role: TaskRole<'a, M>) -> Self {
        Task { shared, watch, limit, real: true, role, prefix: Prefix { parent: None, moves: &[] } }
    }

    pub(crate) fn with(&self, watch: &'a Watch<'a>, limit: u64) -> Self {
        Task { watch, limit, role: TaskRole::Inside, ..*self }
    }

    /// A part of this task with at most so many playouts.
    #[must_use]
    pub fn limited(&self, limit: u64) -> Self {
        self.with(self.watch, limit)
    }

    /// The task of searching after `moves` with at most so many playouts.
    #[must_use]
    pub fn after(&'a self, moves: &'a [M], limit: u64) -> Self {
        Task { limit, role: TaskRole::Inside, prefix: Prefix { parent: Some(&self.prefix), moves }, ..*self }
    }

    /// The same task in a redrawn world, whose games are not announced and cannot reach the target.
    #[must_use]
    pub fn imagined(&self) -> Self {
        Task { real: false, ..*self }
    }

    /// How many playouts it may play, including those of its frame.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Whether this is the whole run, whose learned policy is part of the outcome.
    pub fn is_root(&self) -> bool {
        !matches!(self.role, TaskRole::Inside)
    }

    /// The problem's goal.
    pub fn goal(&self) -> Goal {
        self.shared.goal
    }

    /// Announces a game to the driver, if it is better than all before and certain to count. If no number of playouts limits the run, every
    /// game counts.
    pub(super) fn announce(&self, score: f64, game: &[M]) {
        if self.real && (self.shared.eager || self.watch.is_first()) {
            self.shared.announce(score, &self.prefix, game);
        }
    }

    /// The score from which on games are reported even if they are not the best.
    pub fn keep(&self) -> Option<f64> {
        self.shared.keep.filter(|_| self.real)
    }

    /// Reports a game that is to be kept to the driver, if its score reaches that of [`Task::keep`]. `search` is a number that tells
    /// searches apart, such as the [seed](Stream::seed) of the search's stream.
    pub fn find(&self, search: u64, score: f64, game: &[M]) {
        if self.keep().is_some_and(|keep| self.shared.goal.reaches(score, keep)) {
            let news = self.shared.news_of(score, &self.prefix, game, Some(search));
            // After the run was abandoned nobody receives this.
            let _ = self.shared.news.lock().expect("no thread panics while it sends").send(news);
        }
    }

    /// The score that ends the run: the user's target, or the problem's bound.
    pub fn target(&self) -> Option<f64> {
        self.shared.target.filter(|_| self.real)
    }

    /// Whether a game with this score, which the task is about to report, ends the search.
    pub fn reached(&self, score: f64) -> bool {
        let reached = self.target().is_some_and(|target| self.shared.goal.reaches(score, target));
        if reached && self.shared.eager {
            self.watch.found();
        }
        reached
    }

    /// Why a search with these counts should stop now, if it should: its best game reaches the target, the run is told to stop, or its
    /// playouts are spent. Call this before every playout, and after the last.
    pub fn stop(&self, tally: &SearchProgress<M>) -> Option<Reason> {
        if tally.seen.as_ref().is_some_and(|seen| self.reached(seen.score)) {
            return Some(Reason::Target);
        }
        self.watch.reason().or((tally.left(self.limit) == 0).then_some(Reason::Playouts))
    }

    /// Plays one game by a policy after some moves from a state, through the problem's engine; it draws from the stream itself.
    ///
    /// The game is not counted yet: [`SearchProgress::count`] does that.
    ///
    /// # Errors
    ///
    /// When the run is told to stop meanwhile. The game is abandoned, and will be played again.
    pub fn playout<P: Problem<Move = M>>(
        &self,
        policy: &PlayoutPolicy,
        state: &P,
        moves: &[M],
        stream: Stream,
    ) -> Result<ScoredMoves<M>, Reason> {
        let mut batch = Batch::alone(policy, self.goal(), stream).bounded(1, self);
        state_after(state, moves).playouts(&mut batch);
        match batch.best() {
            Some((score, rest)) => Ok(ScoredMoves::new(score, joined(moves, rest))),
            None => Err(self.watch.reason().expect("only a run that is told to stop gives a game up")),
        }
    }

    /// Announces the best game in the report of a task of this search, if the run does not wait for the order of tasks.
    pub(super) fn announce_early(&self, report: &SearchReport<M>) {
        if !self.shared.eager {
            return;
        }
        let speculative = report.tally.speculative.as_ref().map(|speculative| speculative.found.line());
        for game in report.tally.seen.iter().chain(speculative) {
            self.announce(game.score, &game.moves);
            self.reached(game.score);
        }
    }

    /// Ends the run, which cannot continue.
    pub(crate) fn fail(&self, error: RunError) -> SearchReport<M> {
        self.shared.failure.lock().expect("no thread panics with it").get_or_insert(error);
        self.watch.fail();
        SearchProgress::default().cut(Reason::Failed, Frame::new("failed", 1, ()))
    }
}
