//! What a search is given ([`Task`]), what it counts ([`Tally`]) and what it gives back ([`Report`]).

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::{Found, Frame};
use crate::expression::Search;
use crate::problem::Goal;
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
    pub playouts: AtomicU64,
    pub moves: AtomicU64,
    /// Whether tasks that run ahead of their turn may announce what they find.
    eager: bool,
    /// The best score announced so far: its worth as bits, for a look without a lock, and the lock to announce under.
    best: AtomicU64,
    news: Mutex<Sender<News<M>>>,
    /// Where somebody looks at single scores.
    pub scores: Option<Scores>,
}

/// A game that nobody had seen before, and when it was found.
pub(crate) struct News<M> {
    pub found: Found<M>,
    pub playouts: u64,
    pub at: Instant,
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
            playouts: AtomicU64::new(0),
            moves: AtomicU64::new(0),
            eager,
            best: AtomicU64::new(best.to_bits()),
            news: Mutex::new(news),
            scores: None,
        }
    }

    pub fn watched(self, scores: Option<Scores>) -> Self {
        Shared { scores, ..self }
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
            let mut game = Vec::new();
            prefix.collect(&mut game);
            game.extend_from_slice(moves);
            let found = Found { score, moves: game, complete: true };
            // Nobody listens any more once the run has been given up.
            let _ = news.send(News { found, playouts: self.playouts.load(Ordering::Relaxed), at: Instant::now() });
        }
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

/// A search's place in the run.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a, M> {
    pub shared: &'a Shared<M>,
    pub watch: &'a Watch<'a>,
    /// How many playouts it may play, those of its frame included.
    pub limit: u64,
    /// Whether games count as the problem's. In a redrawn world they only inform a decision.
    real: bool,
    /// Whether this is the whole run, whose learned policy somebody may want.
    pub is_root: bool,
    prefix: Prefix<'a, M>,
}

impl<'a, M: Copy> Task<'a, M> {
    pub fn root(shared: &'a Shared<M>, watch: &'a Watch<'a>, limit: u64) -> Self {
        Task { shared, watch, limit, real: true, is_root: true, prefix: Prefix { parent: None, moves: &[] } }
    }

    pub fn with(&self, watch: &'a Watch<'a>, limit: u64) -> Self {
        Task { watch, limit, is_root: false, ..*self }
    }

    /// The task of searching on after `moves`.
    pub fn after(&'a self, moves: &'a [M], limit: u64) -> Self {
        Task { limit, is_root: false, prefix: Prefix { parent: Some(&self.prefix), moves }, ..*self }
    }

    /// The same task in a redrawn world, where no game is news and no target can be reached.
    pub fn imagined(&self) -> Self {
        Task { real: false, ..*self }
    }

    pub fn goal(&self) -> Goal {
        self.shared.goal
    }

    /// Tells the driver of a game, if it is news and sure to count. Where only time bounds the run everything counts.
    fn announce(&self, score: f64, game: &[M]) {
        if self.real && (self.shared.eager || self.watch.is_first()) {
            self.shared.announce(score, &self.prefix, game);
        }
    }

    pub fn target(&self) -> Option<f64> {
        self.shared.target.filter(|_| self.real)
    }

    pub fn reached(&self, score: f64) -> bool {
        self.target().is_some_and(|target| self.shared.goal.reaches(score, target))
    }
}

/// What a search has counted and seen so far; part of every frame.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Tally<M> {
    pub counts: Counts,
    /// The best complete game.
    pub seen: Option<Found<M>>,
    /// A better game from beyond the point where time cut the order of tasks, with what repeats it.
    pub beyond: Option<Beyond<M>>,
}

impl<M> Default for Tally<M> {
    fn default() -> Self {
        Tally { counts: Counts::default(), seen: None, beyond: None }
    }
}

/// A game found by a task whose place in the order lies beyond the cut, and the sub-search that finds it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Beyond<M> {
    pub found: Found<M>,
    /// After how many of the moves the sub-search starts.
    pub from: usize,
    pub search: String,
    pub seed: u64,
    pub playouts: u64,
}

impl<M: Copy> Tally<M> {
    pub fn left(&self, limit: u64) -> u64 {
        limit.saturating_sub(self.counts.playouts)
    }

    /// Counts games that were just played, the best of them `best`, and announces that if it is news.
    pub fn count(&mut self, task: &Task<'_, M>, playouts: u64, moves: u64, best: Option<(f64, &[M])>) {
        self.counts.playouts += playouts;
        self.counts.moves += moves;
        task.shared.playouts.fetch_add(playouts, Ordering::Relaxed);
        task.shared.moves.fetch_add(moves, Ordering::Relaxed);
        if let Some((score, game)) = best
            && self.is_news(task.goal(), score)
        {
            self.seen = Some(Found { score, moves: game.to_vec(), complete: true });
            task.announce(score, game);
        }
    }

    /// Adds what a sub-search that started after `path` reported, and announces its best if it is news.
    pub fn absorb(&mut self, task: &Task<'_, M>, path: &[M], other: &Tally<M>) {
        self.add_counts(other);
        if let Some(seen) = &other.seen
            && self.is_news(task.goal(), seen.score)
        {
            let found = Found { moves: joined(path, &seen.moves), ..*seen };
            task.announce(seen.score, &found.moves);
            self.seen = Some(found);
        }
    }

    /// Adds the work of a sub-search whose games were not the problem's.
    pub fn add_counts(&mut self, other: &Tally<M>) {
        self.counts.playouts += other.counts.playouts;
        self.counts.moves += other.counts.moves;
    }

    /// Adds what lies beyond the cut: the games of a task that is there itself (`alone` says what it is), and what it or
    /// its own sub-tasks know of such games.
    pub fn absorb_beyond(&mut self, goal: Goal, path: &[M], alone: Option<(&Search, Stream)>, other: &Tally<M>) {
        if let (Some(seen), Some((search, stream))) = (&other.seen, alone) {
            let found = Found { moves: joined(path, &seen.moves), ..*seen };
            let (search, seed, playouts) = (search.to_string(), stream.seed(), other.counts.playouts);
            self.offer_beyond(goal, Beyond { found, from: path.len(), search, seed, playouts });
        }
        if let Some(beyond) = &other.beyond {
            let found = Found { moves: joined(path, &beyond.found.moves), ..beyond.found };
            self.offer_beyond(goal, Beyond { found, from: beyond.from + path.len(), ..beyond.clone() });
        }
    }

    pub fn offer_beyond(&mut self, goal: Goal, beyond: Beyond<M>) {
        if self.beyond.as_ref().is_none_or(|best| goal.better(beyond.found.score, best.found.score)) {
            self.beyond = Some(beyond);
        }
    }

    pub fn is_news(&self, goal: Goal, score: f64) -> bool {
        self.seen.as_ref().is_none_or(|seen| goal.better(score, seen.score))
    }

    /// The report of a search that has come to its end.
    pub fn finished(self, result: Found<M>) -> Report<M> {
        Report { result: Some(result), tally: self, cut: None, exhaustive: false, learned: None }
    }

    /// The report of a search that has come to the end of a game, perhaps without a playout: the game is news like any
    /// other, and may be the one that was wanted.
    pub fn ended(
        mut self,
        task: &Task<'_, M>,
        result: Found<M>,
        frame: impl FnOnce(Tally<M>) -> Frame<M>,
    ) -> Report<M> {
        let before = self.clone();
        self.count(task, 0, 0, Some((result.score, &result.moves)));
        if task.reached(result.score) { self.cut(Reason::Target, frame(before)) } else { self.finished(result) }
    }

    /// The report of a search that was cut at `reason` and can go on from `frame`.
    pub fn cut(self, reason: Reason, frame: Frame<M>) -> Report<M> {
        Report { result: None, tally: self, cut: Some((reason, frame)), exhaustive: false, learned: None }
    }
}

pub(crate) fn joined<M: Copy>(path: &[M], moves: &[M]) -> Vec<M> {
    [path, moves].concat()
}

/// What a search gives back.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Report<M> {
    /// What its definition returns; if it was cut, nothing, or of estimates the best so far.
    pub result: Option<Found<M>>,
    pub tally: Tally<M>,
    pub cut: Option<(Reason, Frame<M>)>,
    /// Whether every game there is was looked at.
    pub exhaustive: bool,
    /// The policy that NRPA had learned, where it was the whole run.
    #[serde(skip)]
    pub learned: Option<Weights>,
}
