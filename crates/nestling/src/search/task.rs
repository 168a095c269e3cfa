//! What a search is given ([`Task`]), what it counts ([`SearchProgress`]) and what it gives back ([`SearchReport`]).

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::away::Place;
use super::found::{Found, ScoredMoves, game, joined};
use super::frame::Frame;
use super::played::PlayedCounts;
use crate::expression::Search;
use crate::playout::{Batch, PlayoutPolicy};
use crate::problem::{Goal, Move, Problem, state_after};
use crate::run::RunError;
use crate::scores::Scores;
use crate::stream::Stream;
use crate::watch::{Reason, Watch};
use crate::weights::Weights;

/// How much has been played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Games played to the end.
    pub playouts: u64,
    /// Moves played in them.
    pub moves: u64,
}

/// What all tasks of a run share.
pub(crate) struct Shared<M> {
    pub goal: Goal,
    /// The score at which the run stops: the user's target or the problem's bound.
    pub target: Option<f64>,
    pub threads: usize,
    /// Everything really played, superfluous tasks included; for the rate, never for a decision.
    pub played: PlayedCounts,
    /// How many tasks wait for a thread.
    pub queued: AtomicUsize,
    /// Whether nobody waits for the order of tasks: those that run ahead of their turn may announce what they find, and end the run when
    /// they reach the target.
    eager: bool,
    /// The best score announced so far: its worth as bits, for a look without a lock, and the lock to announce under.
    best: AtomicU64,
    /// Games that reach this score are told of, even if they are not the best.
    keep: Option<f64>,
    news: Mutex<Sender<News<M>>>,
    /// Whether there is a clock.
    timed: bool,
    /// Where somebody looks at single scores.
    pub scores: Option<Scores>,
    /// Why the run cannot go on.
    failure: Mutex<Option<RunError>>,
}

/// A game that nobody had seen before, and when it was found.
pub(crate) struct News<M> {
    pub found: ScoredMoves<M>,
    /// The search that found it, where it is told of because it is to be kept.
    pub kept: Option<u64>,
    pub playouts: u64,
    /// Where there is a clock.
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

    /// Shows the score of one playout to whoever wants to see it.
    pub fn show(&self, score: f64) {
        if let Some(scores) = &self.scores {
            scores.add(score);
        }
    }

    /// The best score announced so far, also before the run was taken up again.
    pub fn best(&self) -> Option<f64> {
        let worth = f64::from_bits(self.best.load(Ordering::Relaxed));
        (worth > f64::NEG_INFINITY).then(|| self.goal.value(worth))
    }

    /// Why the run cannot go on.
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
            // Nobody listens any more once the run has been given up.
            let _ = news.send(self.news_of(score, prefix, moves, None));
        }
    }

    fn news_of(&self, score: f64, prefix: &Prefix<'_, M>, moves: &[M], kept: Option<u64>) -> News<M> {
        let mut game = Vec::new();
        prefix.collect(&mut game);
        game.extend_from_slice(moves);
        // People read the score: -0 is 0.
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

/// A search's place in the run: what it is allowed, whom it tells, and when it should stop.
#[derive(Clone, Copy)]
pub struct Task<'a, M> {
    pub(crate) shared: &'a Shared<M>,
    pub(crate) watch: &'a Watch<'a>,
    /// How many playouts it may play, those of its frame included.
    pub(crate) limit: u64,
    /// Whether games count as the problem's. In a redrawn world they only inform a decision.
    real: bool,
    pub(super) place: Place<'a, M>,
    prefix: Prefix<'a, M>,
}

impl<'a, M: Copy> Task<'a, M> {
    pub(crate) fn root(shared: &'a Shared<M>, watch: &'a Watch<'a>, limit: u64, place: Place<'a, M>) -> Self {
        Task { shared, watch, limit, real: true, place, prefix: Prefix { parent: None, moves: &[] } }
    }

    pub(crate) fn with(&self, watch: &'a Watch<'a>, limit: u64) -> Self {
        Task { watch, limit, place: Place::Inside, ..*self }
    }

    /// A part of this task, of at most so many playouts.
    #[must_use]
    pub fn limited(&self, limit: u64) -> Self {
        self.with(self.watch, limit)
    }

    /// The task of searching on after `moves`, of at most so many playouts.
    #[must_use]
    pub fn after(&'a self, moves: &'a [M], limit: u64) -> Self {
        Task { limit, place: Place::Inside, prefix: Prefix { parent: Some(&self.prefix), moves }, ..*self }
    }

    /// The same task in a redrawn world, where no game is news and no target can be reached.
    #[must_use]
    pub fn imagined(&self) -> Self {
        Task { real: false, ..*self }
    }

    /// How many playouts it may play, those of its frame included.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Whether this is the whole run, whose learned policy somebody may want.
    pub fn is_root(&self) -> bool {
        !matches!(self.place, Place::Inside)
    }

    /// The problem's goal.
    pub fn goal(&self) -> Goal {
        self.shared.goal
    }

    /// Tells the driver of a game, if it is news and sure to count. Where no number of playouts bounds the run everything counts.
    fn announce(&self, score: f64, game: &[M]) {
        if self.real && (self.shared.eager || self.watch.is_first()) {
            self.shared.announce(score, &self.prefix, game);
        }
    }

    /// The score from which on games are told of even if they are not the best.
    pub fn keep(&self) -> Option<f64> {
        self.shared.keep.filter(|_| self.real)
    }

    /// Tells the driver of a game that is worth keeping, if its score reaches that of [`Task::keep`]. The number tells searches apart;
    /// that of the search's [stream](Stream::seed) serves.
    pub fn find(&self, search: u64, score: f64, game: &[M]) {
        if self.keep().is_some_and(|keep| self.shared.goal.reaches(score, keep)) {
            let news = self.shared.news_of(score, &self.prefix, game, Some(search));
            // Nobody listens any more once the run has been given up.
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

    /// Why a search that has counted this much should stop now, if it should: its best game reaches the target, the run is told to
    /// stop, or its playouts are spent. To be asked before every playout, and after the last.
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
    /// When the run is told to stop on the way. The game is given up, and will be played again.
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

    /// Takes note of the best game that a task of this search has reported, where nobody waits for the order of tasks.
    pub(super) fn overhear(&self, report: &SearchReport<M>) {
        if !self.shared.eager {
            return;
        }
        let beyond = report.tally.beyond.as_ref().map(|beyond| beyond.found.line());
        for game in report.tally.seen.iter().chain(beyond) {
            self.announce(game.score, &game.moves);
            self.reached(game.score);
        }
    }

    /// Ends the run, which cannot go on.
    pub(crate) fn fail(&self, error: RunError) -> SearchReport<M> {
        self.shared.failure.lock().expect("no thread panics with it").get_or_insert(error);
        self.watch.fail();
        SearchProgress::default().cut(Reason::Failed, Frame::new("failed", 1, ()))
    }
}

/// What a search has counted and seen so far; part of every frame.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub struct SearchProgress<M> {
    /// What was played.
    pub counts: Counts,
    /// The best game to its end.
    #[serde(with = "game")]
    pub seen: Option<ScoredMoves<M>>,
    /// A better game from beyond the point where time cut the order of tasks, with what repeats it.
    pub(crate) beyond: Option<SpeculativeBest<M>>,
}

impl<M> Default for SearchProgress<M> {
    fn default() -> Self {
        SearchProgress { counts: Counts::default(), seen: None, beyond: None }
    }
}

/// A game found by a task whose place in the order lies beyond the cut, and the sub-search that finds it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(crate) struct SpeculativeBest<M> {
    /// Always a game.
    pub found: Found<M>,
    /// After how many of the moves the sub-search starts.
    pub from: usize,
    pub search: String,
    pub seed: u64,
    pub playouts: u64,
}

impl<M: Copy> SearchProgress<M> {
    /// How many playouts of a limit are left.
    pub fn left(&self, limit: u64) -> u64 {
        limit.saturating_sub(self.counts.playouts)
    }

    /// Counts games that were just played, the best of them `best`, and announces that if it is news.
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

    /// Adds what a sub-search that started after `path` reported, and announces its best if it is news.
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

    /// Adds the work of a sub-search whose games were not the problem's.
    pub fn add_counts(&mut self, other: &SearchProgress<M>) {
        self.counts.playouts = self.counts.playouts.saturating_add(other.counts.playouts);
        self.counts.moves = self.counts.moves.saturating_add(other.counts.moves);
    }

    /// Adds what lies beyond the cut: the games of a task that is there itself (`alone` says what it is), and what it or
    /// its own sub-tasks know of such games.
    pub fn absorb_beyond(
        &mut self,
        goal: Goal,
        path: &[M],
        alone: Option<(&Search, Stream)>,
        other: &SearchProgress<M>,
    ) {
        if let (Some(seen), Some((search, stream))) = (&other.seen, alone) {
            let found = Found::Game(ScoredMoves::new(seen.score, joined(path, &seen.moves)));
            let (search, seed, playouts) = (search.to_string(), stream.seed(), other.counts.playouts);
            self.offer_beyond(goal, SpeculativeBest { found, from: path.len(), search, seed, playouts });
        }
        if let Some(beyond) = &other.beyond {
            let found = beyond.found.clone().after(path);
            self.offer_beyond(goal, SpeculativeBest { found, from: beyond.from + path.len(), ..beyond.clone() });
        }
    }

    fn offer_beyond(&mut self, goal: Goal, beyond: SpeculativeBest<M>) {
        if self.beyond.as_ref().is_none_or(|best| goal.better(beyond.found.score(), best.found.score())) {
            self.beyond = Some(beyond);
        }
    }

    /// Whether a score is better than the best game's.
    pub fn is_news(&self, goal: Goal, score: f64) -> bool {
        self.seen.as_ref().is_none_or(|seen| goal.better(score, seen.score))
    }
}

/// The reports.
impl<M: Copy> SearchProgress<M> {
    /// The report of a search that has come to its end.
    pub fn finished<F>(self, result: Found<M>) -> SearchReport<M, F> {
        SearchReport { result: Some(result), tally: self, cut: None, exhaustive: false, learned: None }
    }

    /// The report of a search that has come to the end of a game, perhaps without a playout: the game is news like any
    /// other, and may be the one that was wanted; then the search is cut, and goes on from `frame`, which is given the tally before.
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

    /// The report of a search that was cut for a reason and can go on from `frame`.
    pub fn cut<F>(self, reason: Reason, frame: F) -> SearchReport<M, F> {
        SearchReport { result: None, tally: self, cut: Some((reason, frame)), exhaustive: false, learned: None }
    }
}

/// What a search gives back.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "M: Move, F: Serialize", deserialize = "M: Move, F: Deserialize<'de>"))]
pub struct SearchReport<M, F = Frame<M>> {
    /// What its definition returns; if it was cut, nothing, or of estimates the best so far.
    pub result: Option<Found<M>>,
    /// What it has counted and seen.
    pub tally: SearchProgress<M>,
    /// If it was cut, why, and where it stands.
    pub cut: Option<(Reason, F)>,
    /// Whether every game there is was looked at.
    pub exhaustive: bool,
    /// The policy that it had learned, where it was the whole run.
    #[serde(skip)]
    pub learned: Option<Weights>,
}

impl<M, F> SearchReport<M, F> {
    /// The same with another frame, if it was cut.
    pub fn map_frame<G>(self, map: impl FnOnce(F) -> G) -> SearchReport<M, G> {
        let SearchReport { result, tally, cut, exhaustive, learned } = self;
        SearchReport { result, tally, cut: cut.map(|(reason, frame)| (reason, map(frame))), exhaustive, learned }
    }

    /// The same without where it was cut.
    pub(crate) fn without_frame(&self) -> SearchReport<M, ()>
    where
        M: Clone,
    {
        let cut = self.cut.as_ref().map(|(reason, _)| (*reason, ()));
        let (result, tally) = (self.result.clone(), self.tally.clone());
        SearchReport { result, tally, cut, exhaustive: self.exhaustive, learned: None }
    }

    /// What a search that has not been cut has found.
    ///
    /// # Panics
    ///
    /// When it was cut.
    pub fn into_found(self) -> Found<M> {
        self.result.expect("a finished search has a result")
    }
}
