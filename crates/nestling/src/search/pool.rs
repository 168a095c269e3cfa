//! Pool search: keeps a pool of good games; each new game follows one of them, with a few of its moves demoted.
//!
//! Dimitri Tishchenko found his long games of Morpion Solitaire this way (2010 to 2026). Here the pool is frozen for a generation of games,
//! and their results are entered in the order of their numbers: so the result depends neither on threads nor on interruptions.

mod entries;
mod generation;
mod packed;

use serde::{Deserialize, Serialize};

use super::{
    Algorithm, Argument, Form, Frame, FrameCheck, Menu, Plan, PlanError, Planned, Planner, Profile, Reason,
    ScoredMoves, SearchProgress, SearchReport, Task, Type, require,
};
use crate::estimate::Estimate;
use crate::expression::Search;
use crate::playout::PlayoutPolicy;
use crate::problem::{Goal, Move, Problem, is_game, is_over};
use crate::run::RunError;
use crate::stream::Stream;
use entries::Entries;
use generation::{Finds, GenerationWorkers};

/// `pool(n)`: n games, each of which follows a game of a pool with a few changes.
pub struct Pool;

/// The window narrows in this many steps, and the order of the parents is renewed in each.
const STEPS: u64 = 128;

/// How many games are played while the pool is frozen.
const GENERATION: u64 = 2_048;

/// About the bytes that an entry takes.
const ENTRY_BYTES: u64 = 1 << 11;

impl Algorithm for Pool {
    const FORM: Form = Form {
        name: "pool",
        example: "pool(1000000)",
        about: "keeps a pool of good games; each new game replays one of them, but plays a few of its moves as late as possible",
        arguments: &[Argument::integer("games", 1, u64::MAX)
            .symbol("n")
            .optional()
            .about("games to play; if not given, until no better game has been found for a while")],
        options: &[
            Argument::positive("window")
                .default_number(20.0)
                .about("a game is a parent if its score is at most this much worse than the best"),
            Argument::integer("cycle", STEPS, u64::MAX)
                .default_integer(100_000 * STEPS)
                .about("the number of games in which the window shrinks to nothing, in 128 steps"),
            Argument::integer("changes", 2, 1_000)
                .default_integer(10)
                .about("how many moves of the parent are put at the end: from two up to this number"),
            Argument::integer("skew", 1, 100)
                .default_integer(10)
                .about("a larger value favours the parents that were used least"),
            Argument::share("ends")
                .default_number(0.08)
                .about("the share of games that only change the last quarter of one of the best games"),
            Argument::integer("size", 16, 10_000_000).default_integer(16_384).about("games that the pool holds"),
            Argument::integer("patience", 0, u64::MAX)
                .default_integer(2)
                .about("the search ends after this many cycles without a better game; 0: it does not end"),
            Argument::integer("starts", 1, u64::MAX).default_integer(100).about("games that the pool starts with"),
            Argument::of("first", Type::Search { game: true, ends: true })
                .optional()
                .about("the search that finds the games to start with; if not given, playout"),
        ],
        menu: Some(Menu {
            title: "Pool of games",
            about: "Keeps many good games, and plays each of them again with a few changes.",
            choice: "Games",
            choices: &["1000000", "10000000", "100000000"],
            usual: "10000000",
        }),
    };

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        let playout = || Search::playout().played_by(search.games.clone());
        let pool = PoolSettings {
            games: search.optional_integer("games").unwrap_or(u64::MAX),
            window: search.number("window"),
            step: search.integer("cycle") / STEPS,
            changes: search.integer("changes") as usize,
            skew: search.integer("skew") as u32,
            ends: search.number("ends"),
            size: search.integer("size") as usize,
            patience: search.integer("patience"),
            starts: search.integer("starts"),
            first: planner.plan(&search.inner().first().cloned().unwrap_or_else(playout))?,
            policy: planner.policy(search)?,
        };
        planner.ready(search, pool)
    }

    fn is_endless(search: &Search) -> bool {
        search.optional_integer("games").is_none() && search.integer("patience") == 0
    }

    fn memory(search: &Search) -> u64 {
        search.integer("size").saturating_mul(ENTRY_BYTES)
    }
}

/// A pool of games.
///
/// ```
/// use nestling::Search;
/// let search = Search::pool(1_000_000).window(10.0).first(Search::nrpa(2));
/// assert_eq!(search.to_string(), "pool(1000000, window=10, first=nrpa(2))");
/// ```
impl Search {
    /// `games` games, each of which follows a game of a pool with a few changes.
    pub fn pool(games: u64) -> Search {
        Search::of::<Pool>().with("games", games)
    }

    /// `window=`, of `pool`.
    ///
    /// # Panics
    ///
    /// Like all options, when the search has none of this name.
    #[must_use]
    pub fn window(self, value: f64) -> Search {
        self.with("window", value)
    }

    /// `starts=`, of `pool`: how many games it starts with.
    #[must_use]
    pub fn starts(self, value: u64) -> Search {
        self.with("starts", value)
    }

    /// `first=SEARCH`, of `pool`: the search that finds the games to start with.
    #[must_use]
    pub fn first(self, search: Search) -> Search {
        self.around([search])
    }
}

/// The options of a search.
struct PoolSettings<'a, P: Problem> {
    games: u64,
    window: f64,
    /// Games between two renewals of the order.
    step: u64,
    changes: usize,
    skew: u32,
    ends: f64,
    size: usize,
    patience: u64,
    starts: u64,
    first: Planned<'a, P>,
    policy: PlayoutPolicy,
}

/// The state of a search.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct PoolState<M> {
    tally: SearchProgress<M>,
    /// How many of the first games have been found, and the frame of the search for the next.
    started: u64,
    first: Option<(SearchProgress<M>, Frame<M>)>,
    entries: Entries<M>,
    /// The entries that games may follow, the least used first; and those whose endings are searched.
    order: Vec<u32>,
    targets: Vec<u32>,
    /// After how many games of the pool the order is renewed.
    renewal: u64,
    /// How many games the pool has played itself, and how many when the best game was found.
    played: u64,
    gained: u64,
    /// The results of the games of an incomplete generation.
    finds: Finds<M>,
}

impl<P: Problem> Plan<P> for PoolSettings<'_, P> {
    type Frame = PoolState<P::Move>;

    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let mut this = frame.unwrap_or_else(PoolState::new);
        if is_over(state) {
            return this.tally.clone().ended(task, ScoredMoves::new(state.score(), Vec::new()), |_| this);
        }
        this.entries.index();
        // Inside another search, such as `repeat`, each thread has its own pool.
        let threads = if task.is_root() { task.shared.threads } else { 1 };
        let within = task.limited(task.limit().min(self.games));
        let reason = match self.start(&within, state, stream, &mut this) {
            Ok(()) => self.play(&within, state, stream, &mut this, threads),
            Err(reason) => Some(reason),
        };
        match reason {
            Some(reason) if reason != Reason::Playouts || this.tally.counts.playouts < self.games => {
                this.tally.clone().cut(reason, this)
            }
            _ => {
                let best = this.tally.seen.clone().expect("at least one game was played");
                this.tally.clone().ended(task, best, |_| this)
            }
        }
    }

    fn check_frame(&self, state: &P, frame: &Self::Frame) -> FrameCheck {
        let PoolState { tally, started, entries, order, targets, played, gained, finds, .. } = frame;
        let is_game = |moves: &[P::Move]| !moves.is_empty() && is_game(state, moves);
        entries.check(is_game)?;
        let known = |places: &[u32]| places.iter().all(|&place| (place as usize) < entries.len());
        require(known(order) && known(targets), "it follows games that it does not have")?;
        require(*started < self.starts || entries.len() > 0, "its pool is empty")?;
        require(gained <= played && *played <= tally.counts.playouts, "its games do not match its count")?;
        require(*started <= self.starts && (*played == 0 || *started == self.starts), "its games came too early")?;
        finds.check(*played, entries.len(), is_game)
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        let games = if self.games == u64::MAX { f64::INFINITY } else { self.games as f64 };
        profile.playouts(games, profile.seconds_per_move(&self.policy))
    }

    fn plays(&self, state: &P) -> bool {
        !is_over(state)
    }
}

impl<M: Move> PoolState<M> {
    fn new() -> Self {
        PoolState {
            tally: SearchProgress::default(),
            started: 0,
            first: None,
            entries: Entries::default(),
            order: Vec::new(),
            targets: Vec::new(),
            renewal: 0,
            played: 0,
            gained: 0,
            finds: Finds::default(),
        }
    }

    /// The tally including the counts of the search for the next of the first games.
    fn with_first(&self, task: &Task<'_, M>, first: &SearchProgress<M>) -> SearchProgress<M> {
        let mut tally = self.tally.clone();
        tally.absorb(task, &[], first);
        tally
    }
}

impl<P: Problem> PoolSettings<'_, P> {
    /// Fills the pool with its first games.
    fn start(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        this: &mut PoolState<P::Move>,
    ) -> Result<(), Reason> {
        while this.started < self.starts {
            // A search that plays no games would never check this.
            task.stop(&this.tally).map_or(Ok(()), Err)?;
            let frame = this.first.take().map(|(before, frame)| {
                this.tally = before;
                frame
            });
            let limit = this.tally.left(task.limit());
            let report = self.first.run(&task.limited(limit), state, stream.child(0).child(this.started), frame);
            if let Some((reason, frame)) = report.cut {
                let before = this.tally.clone();
                this.tally = this.with_first(task, &report.tally);
                this.first = Some((before, frame));
                if let (Reason::Target, Some(seen)) = (reason, &this.tally.seen) {
                    task.find(stream.seed(), seen.score, &seen.moves);
                }
                return Err(reason);
            }
            this.tally = this.with_first(task, &report.tally);
            let ScoredMoves { score, moves } = report.into_found().into_line();
            if !is_game(state, &moves) {
                let (search, reason) = (self.first.search().to_string(), "it returned something else than a game");
                drop(task.fail(RunError::Faulty { search, reason }));
                return Err(Reason::Failed);
            }
            if this.entries.enter(task.goal(), state.key(&moves), score, &moves) {
                task.find(stream.seed(), score, &moves);
            }
            this.started += 1;
        }
        Ok(())
    }

    /// Plays generation after generation; returns why it stopped, or nothing if it has stalled.
    fn play(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        this: &mut PoolState<P::Move>,
        threads: usize,
    ) -> Option<Reason> {
        let mut workers = GenerationWorkers::new(state, &self.policy, threads);
        loop {
            // A search that stalls here is complete, even if its playouts are spent.
            let stop = task.stop(&this.tally);
            if self.has_stalled(this) && !matches!(stop, Some(Reason::Target)) {
                return None;
            }
            if stop.is_some() {
                return stop;
            }
            if this.played >= this.renewal || this.order.is_empty() {
                self.renew_order(task.goal(), this);
            }
            let end = self.end_of_generation(this.played);
            let count = (end - this.played).min(this.tally.left(task.limit()));
            workers.play(self, task, stream.child(1), this, count);
            this.count(task, stream.seed(), &mut workers);
            if this.played == end {
                this.merge(task, stream.seed(), self.size);
            }
        }
    }

    /// Whether it has stalled after a complete generation. An interrupted generation is always completed first.
    fn has_stalled(&self, this: &PoolState<P::Move>) -> bool {
        let cycle = self.step.saturating_mul(STEPS);
        let is_late = this.played - this.gained >= self.patience.saturating_mul(cycle);
        self.patience > 0 && is_late && this.finds.is_empty()
    }

    /// The end of the current generation, at the latest where the order is renewed.
    fn end_of_generation(&self, played: u64) -> u64 {
        next_multiple(played, GENERATION).min(next_multiple(played, self.step))
    }

    /// How much worse than the best a game may be: W·(1 − j/128) in step j of a cycle.
    fn window(&self, played: u64) -> f64 {
        let step = played / self.step % STEPS;
        self.window * ((STEPS - step) as f64 / STEPS as f64)
    }

    fn renew_order(&self, goal: Goal, this: &mut PoolState<P::Move>) {
        let worst = this.entries.best(goal) - self.window(this.played);
        this.order = this.entries.least_used(goal, worst);
        this.targets = this.entries.next_targets(goal);
        this.renewal = next_multiple(this.played, self.step);
    }
}

/// The first multiple of `length` above `number`.
fn next_multiple(number: u64, length: u64) -> u64 {
    (number / length).saturating_add(1).saturating_mul(length)
}
