//! Pool search on GPUs, for any problem: a block of warps is an island with its own pool.
//!
//! What is common to all problems is here: choosing parents, generations, the pool in device memory, dividing the islands among devices,
//! checkpoints. A problem adds a `Player`, CUDA C++ that plays the child of a game (`kernels/player.cu` says what it provides), and a
//! [`PoolLayout`], which says on the host what a player's moves are. Its program is the text [`PLAYER`], its own player and [`ISLANDS`], and
//! names the kernel `pool` with the player's shared memory; [`PoolRuns`] then is the [`Part`] for a [`Machine`](crate::Machine).

mod finds;
mod islands;
mod packed;
mod state;

use std::ops::Range;

use nestling::Problem;
use nestling::engine::KeptGame;
use nestling::search::legal_part;

use crate::{DeviceTask, Gpu, GpuError, Kernel, MoveOf, Part, SearchTotals};
use finds::Reported;
use islands::{Island, Islands, Launch};
pub use state::IslandState;

/// The beginning of a program with pools: what a player needs to know, before the player.
pub const PLAYER: &str = include_str!("kernels/player.cu");

/// The rest of a program with pools, after the player.
pub const ISLANDS: &str = concat!(
    include_str!("kernels/island.cu"),
    include_str!("kernels/order.cu"),
    include_str!("kernels/merge.cu"),
    include_str!("kernels/pool.cu")
);

/// The kernel of these.
const KERNEL: &str = "pool";

/// Warps of an island; the kernel counts on it.
const WARPS: u32 = 16;

/// In so many steps the window becomes narrow; the kernel counts on it.
const STEPS: u64 = 128;

/// Games while the pool is frozen.
const GENERATION: u32 = 2_048;

/// The work of every island in a launch, in moves of its player: about a tenth of a second.
const WORK: u32 = 2_500_000;

/// The settings of a search: the options of `pool`, and the division into searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pooling {
    /// Games of a search; `u64::MAX` for no end.
    pub games: u64,
    /// How much worse than the best a parent may be.
    pub window: f64,
    /// Games while the window shrinks to nothing.
    pub cycle: u64,
    /// Moves that a game gives up: from two up to so many.
    pub changes: u32,
    /// Parent number `u^skew · n` of n is followed.
    pub skew: u32,
    /// The share of games that search the end of one of the best.
    pub ends: f64,
    /// Games that a pool holds.
    pub size: u32,
    /// Cycles without a better game after which a search ends; 0 for none.
    pub patience: u64,
    /// Random games that a search begins with.
    pub starts: u64,
    /// How many runs there are, on all devices; as many as the device holds if 0. Run r makes the searches r, r + runs, …
    pub runs: u32,
    /// How many searches the runs make together.
    pub searches: u64,
    /// The seed of the random games.
    pub seed: u64,
}

impl Default for Pooling {
    fn default() -> Self {
        Pooling {
            games: u64::MAX,
            window: 20.0,
            cycle: 12_800_000,
            changes: 10,
            skew: 10,
            ends: 0.08,
            size: 16_384,
            patience: 2,
            starts: 100,
            runs: 0,
            searches: u64::MAX,
            seed: 1,
        }
    }
}

impl DeviceTask for Pooling {
    fn searches(&self) -> u64 {
        self.searches
    }

    fn divided(self, runs: u32, searches: u64) -> Self {
        Pooling { runs, searches, ..self }
    }
}

/// The games of a problem's player, and where they begin.
pub trait PoolLayout: Send + Sync + Sized {
    /// The problem.
    type Problem: Problem;

    /// Room for the moves of a game: `Player::ROOM`.
    const ROOM: usize;

    /// The layout for searches from a state.
    ///
    /// # Errors
    ///
    /// When the state is too large for the player, or the device has other kernels.
    fn new(device: &Gpu, start: &Self::Problem) -> Result<Self, GpuError>;

    /// The start as the player reads it.
    fn start(&self) -> Vec<u32>;

    /// Whether a player could have written this move.
    fn is_move(&self, written: u16) -> bool;

    /// The moves that a player wrote.
    fn decode(&self, written: &[u16]) -> Vec<<Self::Problem as Problem>::Move>;

    /// Moves as a player writes them; nothing if they do not fit into its memory.
    fn encode(&self, game: &[<Self::Problem as Problem>::Move]) -> Option<Vec<u16>>;

    /// The score of a game, by its moves after the start.
    fn score(start: &Self::Problem, game: &[<Self::Problem as Problem>::Move]) -> f64;

    /// Finishes a game that outgrew the player's memory. The path tells the games of a seed apart.
    fn finish(&self, written: &[u16], seed: u64, path: u64) -> Vec<<Self::Problem as Problem>::Move>;
}

/// Islands on a device, each of which begins another search when one has ended.
pub struct PoolRuns<L: PoolLayout> {
    kernel: Kernel,
    pooling: Pooling,
    /// The runs of this device.
    here: Range<u32>,
    start: L::Problem,
    layout: L,
    islands: Islands,
    progress: SearchTotals<<L::Problem as Problem>::Move>,
    /// The best score of the kernel's games that `progress` knows.
    known: u32,
    reported: Reported,
}

impl<L: PoolLayout> PoolRuns<L> {
    /// Prepares searches from a state, all of them on this device.
    ///
    /// # Errors
    ///
    /// When the state is too large, or the device has not enough memory, fails, or was opened with other kernels.
    pub fn new(device: &Gpu, start: &L::Problem, pooling: Pooling) -> Result<Self, GpuError> {
        let runs = if pooling.runs == 0 { Self::room(device, &pooling)? } else { pooling.runs };
        Self::part(device, start, Pooling { runs, ..pooling }, 0..runs)
    }

    /// Prepares the runs of this device; others have the rest.
    ///
    /// # Errors
    ///
    /// As for [`PoolRuns::new`].
    pub fn part(device: &Gpu, start: &L::Problem, pooling: Pooling, here: Range<u32>) -> Result<Self, GpuError> {
        let layout = L::new(device, start)?;
        Ok(PoolRuns {
            kernel: device.kernel(KERNEL, WARPS)?,
            islands: Islands::new(device, &layout.start(), &pooling, here.len(), L::ROOM)?,
            pooling,
            here,
            start: start.clone(),
            layout,
            progress: SearchTotals::default(),
            known: 0,
            reported: Reported::default(),
        })
    }

    /// The settings of the search, with the number of unfinished runs.
    pub fn pooling(&self) -> Pooling {
        self.pooling
    }

    /// Searches on for about a tenth of a second; does not wait for it. All runs together, those on other devices too, end after the
    /// generations in which they have played `games` games.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn advance(&mut self, games: u64) -> Result<(), GpuError> {
        let Pooling { runs, searches, seed, .. } = self.pooling;
        let games = games.div_ceil(runs.into());
        let launch = Launch { seed, first: self.here.start, runs, searches, games, work: WORK };
        self.islands.launch(&self.kernel, &launch)
    }

    /// Waits for what is under way, and reports the progress of all since the beginning.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn collect(&mut self) -> Result<&SearchTotals<MoveOf<Self>>, GpuError> {
        let islands = self.islands.islands()?;
        let sum = |of: fn(&Island) -> u64| islands.iter().map(of).sum();
        self.progress.playouts = sum(|island| island.playouts);
        self.progress.played = sum(|island| island.moves);
        self.progress.searches = sum(|island| island.done.into());
        let best = islands.iter().enumerate().rev().max_by_key(|(_, island)| island.record_score);
        if let Some((run, island)) = best.filter(|(_, island)| island.record_score > self.known) {
            self.known = island.record_score;
            let game = self.layout.decode(&self.islands.record(run, island)?);
            if self.progress.best.is_empty() || self.is_better(&game) {
                self.progress.best = game;
            }
        }
        self.progress.off_board = sum(|island| island.outgrown);
        for (run, island) in islands.iter().enumerate().filter(|(_, island)| island.outgrown_length > 0) {
            let path = island.outgrown_game * u64::from(self.pooling.runs) + u64::from(self.here.start) + run as u64;
            let game = self.layout.finish(&self.islands.outgrown(run, island)?, self.pooling.seed, path);
            if self.progress.best.is_empty() || self.is_better(&game) {
                self.progress.best = game;
            }
        }
        Ok(&self.progress)
    }

    /// Whether a game is better than the best so far.
    fn is_better(&self, game: &[MoveOf<Self>]) -> bool {
        let score = |game| L::score(&self.start, game);
        self.start.goal().better(score(game), score(&self.progress.best))
    }

    /// The best scores of the searches under way, by run.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn scores(&self) -> Result<Vec<u32>, GpuError> {
        Ok(self.islands.islands()?.iter().map(|island| island.best).collect())
    }

    /// How many searches have ended with a score, from 0 on; the last place has all that are higher.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn finished(&self) -> Result<Vec<u32>, GpuError> {
        self.islands.finished()
    }

    /// All games of the pool of a run, the oldest first.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn games(&self, run: usize) -> Result<Vec<Vec<MoveOf<Self>>>, GpuError> {
        Ok(self.islands.download(run)?.games().map(|game| self.layout.decode(game)).collect())
    }
}

impl<L: PoolLayout> Part for PoolRuns<L> {
    type Problem = L::Problem;
    type DeviceTask = Pooling;
    type State = IslandState;

    fn room(device: &Gpu, pooling: &Pooling) -> Result<u32, GpuError> {
        let most = device.free_memory()? / 10 * 9 / Islands::bytes(pooling, L::ROOM);
        Ok(device.kernel(KERNEL, WARPS)?.blocks().min(most as u32))
    }

    fn new(device: &Gpu, start: &L::Problem, pooling: Pooling, here: Range<u32>) -> Result<Self, GpuError> {
        PoolRuns::part(device, start, pooling, here)
    }

    fn score(start: &L::Problem, game: &[MoveOf<Self>]) -> f64 {
        L::score(start, game)
    }

    fn begin_with(&mut self, games: &[Vec<MoveOf<Self>>]) -> Result<(), GpuError> {
        let encode =
            |game: &Vec<_>| self.layout.encode(&legal_part(&self.start, game)).filter(|game| game.len() <= L::ROOM);
        let games = games.iter().map(encode).collect::<Option<Vec<_>>>();
        self.islands.begin_with(&games.ok_or(GpuError::LargeGame)?)
    }

    fn runs(&self) -> usize {
        self.here.len()
    }

    fn search(&mut self, left: u64) -> Result<(), GpuError> {
        self.advance(left)
    }

    fn progress(&mut self) -> Result<&SearchTotals<MoveOf<Self>>, GpuError> {
        self.collect()
    }

    /// No search forgets its best game.
    fn result(&self) -> Result<Option<Vec<MoveOf<Self>>>, GpuError> {
        Ok(None)
    }

    fn finds(&mut self, least: f64) -> Result<Vec<KeptGame<MoveOf<Self>>>, GpuError> {
        self.worth_keeping(least)
    }

    fn save(&self) -> Result<Vec<IslandState>, GpuError> {
        let (runs, mut states) = ((0..self.here.len()).collect::<Vec<_>>(), Vec::new());
        // A pool takes megabytes until it is packed: no more at once than there are threads to pack them.
        for runs in runs.chunks(threads()) {
            let raw = runs.iter().map(|&run| self.islands.download(run)).collect::<Result<Vec<_>, _>>()?;
            states.extend(in_parallel(&raw, state::pack));
        }
        Ok(states)
    }

    fn restore(&mut self, runs: &[IslandState]) -> Result<(), GpuError> {
        if runs.len() != self.here.len() {
            return Err(GpuError::State("it belongs to another search".to_owned()));
        }
        let (size, layout) = (self.pooling.size, &self.layout);
        let unpack = |state: &IslandState| state::unpack(state, (size, L::ROOM), |written| layout.is_move(written));
        for (states, first) in runs.chunks(threads()).zip((0..).step_by(threads())) {
            for (raw, run) in in_parallel(states, unpack).into_iter().zip(first..) {
                let raw = raw.ok_or_else(|| GpuError::State("it contains an invalid pool".to_owned()))?;
                self.islands.upload(run, &raw)?;
            }
        }
        Ok(())
    }
}

/// How many threads pack and unpack pools.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Maps all values, each in its own thread.
fn in_parallel<T: Sync, R: Send>(values: &[T], map: impl Fn(&T) -> R + Sync) -> Vec<R> {
    std::thread::scope(|scope| {
        let mapping: Vec<_> = values.iter().map(|value| scope.spawn(|| map(value))).collect();
        mapping.into_iter().map(|thread| thread.join().expect("mapping does not panic")).collect()
    })
}
