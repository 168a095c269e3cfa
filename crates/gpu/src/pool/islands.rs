//! The islands of a device, in its memory.

use cudarc::driver::{CudaSlice, DeviceRepr, PushKernelArg, ValidAsZeroBits};
use serde::{Deserialize, Serialize};

use super::{GENERATION, Pooling, STEPS};
use crate::{Gpu, GpuError, Kernel};

/// Entries whose ends are searched at the same time; the kernel counts on it, as on the next.
const TARGETS: usize = 4;

/// Results of searches are counted by score up to here.
const SCORES: usize = 1024;

/// The settings of a search, in the kernel's layout.
#[derive(Clone, Copy)]
#[repr(C)]
struct IslandOptions {
    games: u64,
    patience: u64,
    period: u64,
    starts: u64,
    window: f64,
    ends: u32,
    skew: f32,
    changes: u32,
    size: u32,
    generation: u32,
    places: u32,
    known: u32,
    unused: u32,
}

/// The state of an island, in the kernel's layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[repr(C)]
pub(super) struct Island {
    pub games: u64,
    pub improved: u64,
    pub playouts: u64,
    pub moves: u64,
    pub outgrown: u64,
    pub outgrown_game: u64,
    pub done: u32,
    pub size: u32,
    pub active: u32,
    pub best: u32,
    pub record_length: u32,
    pub record_score: u32,
    pub window: u32,
    pub target_count: u32,
    pub targets: [u32; TARGETS],
    pub outgrown_length: u32,
    pub(super) unused: u32,
}

/// A game of a generation, in the kernel's layout; not used between launches.
#[derive(Clone, Copy)]
#[repr(C)]
struct IslandFind([u64; 4]);

// SAFETY: all are plain numbers, laid out as the kernel's.
unsafe impl DeviceRepr for IslandOptions {}
// SAFETY: as above.
unsafe impl DeviceRepr for Island {}
// SAFETY: as above.
unsafe impl DeviceRepr for IslandFind {}
// SAFETY: zeros are an island that has not begun.
unsafe impl ValidAsZeroBits for Island {}
// SAFETY: zeros are a game that found nothing.
unsafe impl ValidAsZeroBits for IslandFind {}

impl IslandOptions {
    fn new(pooling: &Pooling) -> IslandOptions {
        let Pooling { games, window, cycle, changes, skew, ends, size, patience, starts, .. } = *pooling;
        let period = (cycle / STEPS).max(1);
        IslandOptions {
            games,
            patience: if patience == 0 { u64::MAX } else { patience.saturating_mul(period.saturating_mul(STEPS)) },
            period: period.min(1 << 60),
            starts,
            window: window.min(65_535.0),
            ends: (ends * 2_f64.powi(32)) as u32,
            skew: skew as f32,
            changes,
            size,
            generation: GENERATION,
            places: (2 * (size + GENERATION)).next_power_of_two(),
            known: 0,
            unused: 0,
        }
    }

    /// Entries before the worst are dropped.
    fn room(&self) -> usize {
        (self.size + self.generation) as usize
    }

    /// Rows of moves: one for each entry and for each game of a generation.
    fn rows(&self) -> usize {
        self.room() + self.generation as usize
    }

    /// Numbers that are sorted.
    fn sorting(&self) -> usize {
        self.room().next_power_of_two()
    }
}

/// The work of a launch.
pub(super) struct Launch {
    pub seed: u64,
    pub first: u32,
    pub runs: u32,
    pub searches: u64,
    /// Games after which an island pauses, and work.
    pub games: u64,
    pub work: u32,
}

/// The pools of all islands, and what they have found.
pub(super) struct Islands {
    device: Gpu,
    options: IslandOptions,
    count: usize,
    /// Moves that a row has room for.
    longest: usize,
    start: CudaSlice<u32>,
    /// The games to begin with, a row for each, and their lengths.
    known: CudaSlice<u16>,
    known_lengths: CudaSlice<u32>,
    islands: CudaSlice<Island>,
    records: CudaSlice<u16>,
    moves: CudaSlice<u16>,
    rows: CudaSlice<u32>,
    values: CudaSlice<u32>,
    visits: CudaSlice<u32>,
    order: CudaSlice<u32>,
    keys: CudaSlice<u64>,
    searched: CudaSlice<u8>,
    sorting: CudaSlice<u64>,
    table: CudaSlice<u64>,
    entries: CudaSlice<u32>,
    latest: CudaSlice<u64>,
    finds: CudaSlice<IslandFind>,
    outgrown: CudaSlice<u16>,
    finished: CudaSlice<u32>,
}

/// An entry of an island: its score and length, its key, and the row that has its moves.
pub(super) struct Entry {
    pub value: u32,
    pub key: u64,
    pub row: u32,
}

/// An island on the host. Entry i has the moves of row `rows[i]`.
pub(super) struct RawIsland {
    pub island: Island,
    pub record: Vec<u16>,
    pub values: Vec<u32>,
    pub visits: Vec<u32>,
    pub order: Vec<u32>,
    pub keys: Vec<u64>,
    pub searched: Vec<u8>,
    pub rows: Vec<u32>,
    pub moves: Vec<u16>,
    pub longest: usize,
}

impl RawIsland {
    /// The games of the pool, the oldest first.
    pub fn games(&self) -> impl Iterator<Item = &[u16]> {
        let game = |(&value, &row): (&u32, &u32)| &self.moves[row as usize * self.longest..][..value as usize & 0xffff];
        self.values.iter().zip(&self.rows).map(game)
    }
}

impl Islands {
    /// The device memory of an island.
    pub fn bytes(pooling: &Pooling, longest: usize) -> usize {
        let options = IslandOptions::new(pooling);
        let (rows, places) = (options.rows(), options.places as usize);
        rows * (2 * longest + 4) + options.room() * (3 * 4 + 8 + 1) + (options.sorting() + 3 * places) * 8
    }

    pub fn new(device: &Gpu, start: &[u32], pooling: &Pooling, count: usize, longest: usize) -> Result<Self, GpuError> {
        let options = IslandOptions::new(pooling);
        let (room, rows, places) = (options.room(), options.rows(), options.places as usize);
        let own_rows: Vec<u32> = (0..count).flat_map(|_| 0..rows as u32).collect();
        Ok(Islands {
            start: device.upload(start)?,
            known: device.zeros(longest)?,
            known_lengths: device.zeros(1)?,
            islands: device.zeros(count)?,
            records: device.zeros(count * longest)?,
            moves: device.zeros(count * rows * longest)?,
            rows: device.upload(&own_rows)?,
            values: device.zeros(count * room)?,
            visits: device.zeros(count * room)?,
            order: device.zeros(count * room)?,
            keys: device.zeros(count * room)?,
            searched: device.zeros(count * room)?,
            sorting: device.zeros(count * options.sorting())?,
            table: device.zeros(count * places)?,
            entries: device.zeros(count * places)?,
            latest: device.zeros(count * places)?,
            finds: device.zeros(count * options.generation as usize)?,
            outgrown: device.zeros(count * longest)?,
            finished: device.zeros(SCORES)?,
            device: device.clone(),
            options,
            count,
            longest,
        })
    }

    pub fn launch(&mut self, kernel: &Kernel, by: &Launch) -> Result<(), GpuError> {
        let sorting_room = self.options.sorting() as u32;
        let mut launch = self.device.stream().launch_builder(kernel.function());
        launch
            .arg(&self.start)
            .arg(&self.known)
            .arg(&self.known_lengths)
            .arg(&by.seed)
            .arg(&by.first)
            .arg(&by.runs)
            .arg(&by.searches);
        launch.arg(&self.options).arg(&by.games).arg(&by.work);
        launch.arg(&mut self.islands).arg(&mut self.records).arg(&mut self.moves).arg(&mut self.rows);
        launch.arg(&mut self.values).arg(&mut self.visits).arg(&mut self.order).arg(&mut self.keys);
        launch.arg(&mut self.searched).arg(&mut self.sorting).arg(&sorting_room);
        launch.arg(&mut self.table).arg(&mut self.entries).arg(&mut self.latest).arg(&mut self.finds);
        launch.arg(&mut self.outgrown).arg(&mut self.finished);
        // SAFETY: the arguments are those of the kernel, and every array has the size that it counts on for so many islands.
        unsafe { launch.launch(kernel.launch(self.count as u32)) }?;
        Ok(())
    }

    /// Lets every search begin with games of these; with random ones if there are none.
    pub fn begin_with(&mut self, games: &[Vec<u16>]) -> Result<(), GpuError> {
        if games.is_empty() {
            self.options.known = 0;
            return Ok(());
        }
        let (mut rows, mut lengths) = (vec![0; games.len() * self.longest], Vec::new());
        for (row, game) in rows.chunks_mut(self.longest).zip(games) {
            row[..game.len()].copy_from_slice(game);
            lengths.push(game.len() as u32);
        }
        self.known = self.device.upload(&rows)?;
        self.known_lengths = self.device.upload(&lengths)?;
        self.options.known = games.len() as u32;
        Ok(())
    }

    pub fn islands(&self) -> Result<Vec<Island>, GpuError> {
        self.device.download(&self.islands)
    }

    pub fn finished(&self) -> Result<Vec<u32>, GpuError> {
        self.device.download(&self.finished)
    }

    /// The best game of a run.
    pub fn record(&self, run: usize, island: &Island) -> Result<Vec<u16>, GpuError> {
        self.part(&self.records, run * self.longest, island.record_length as usize)
    }

    /// The longest game of a run in the last launch that outgrew the player's memory.
    pub fn outgrown(&self, run: usize, island: &Island) -> Result<Vec<u16>, GpuError> {
        self.part(&self.outgrown, run * self.longest, island.outgrown_length as usize)
    }

    /// The entries of an island, the oldest first.
    pub fn entries(&self, run: usize, island: &Island) -> Result<Vec<Entry>, GpuError> {
        let (first, size) = (run * self.options.room(), island.size as usize);
        let (values, keys) = (self.part(&self.values, first, size)?, self.part(&self.keys, first, size)?);
        let rows = self.part(&self.rows, run * self.options.rows(), size)?;
        let entry = |((value, key), row)| Entry { value, key, row };
        Ok(values.into_iter().zip(keys).zip(rows).map(entry).collect())
    }

    /// The moves of an entry.
    pub fn moves_of(&self, run: usize, entry: &Entry) -> Result<Vec<u16>, GpuError> {
        let row = run * self.options.rows() + entry.row as usize;
        self.part(&self.moves, row * self.longest, entry.value as usize & 0xffff)
    }

    /// A copy of an island.
    pub fn download(&self, run: usize) -> Result<RawIsland, GpuError> {
        let island = self.part(&self.islands, run, 1)?[0];
        let (room, rows) = (self.options.room(), self.options.rows());
        let (first, size) = (run * room, island.size as usize);
        Ok(RawIsland {
            island,
            record: self.record(run, &island)?,
            values: self.part(&self.values, first, size)?,
            visits: self.part(&self.visits, first, size)?,
            order: self.part(&self.order, first, island.active as usize)?,
            keys: self.part(&self.keys, first, size)?,
            searched: self.part(&self.searched, first, size)?,
            rows: self.part(&self.rows, run * rows, size)?,
            moves: self.part(&self.moves, run * rows * self.longest, rows * self.longest)?,
            longest: self.longest,
        })
    }

    /// Replaces an island by another, whose rows are in the order of its entries.
    pub fn upload(&mut self, run: usize, raw: &RawIsland) -> Result<(), GpuError> {
        let (room, rows, stream) = (self.options.room(), self.options.rows(), self.device.stream());
        let first = run * room;
        stream.memcpy_htod(&[raw.island], &mut self.islands.slice_mut(run..=run))?;
        put(stream, &mut self.records, run * self.longest, &raw.record)?;
        put(stream, &mut self.values, first, &raw.values)?;
        put(stream, &mut self.visits, first, &raw.visits)?;
        put(stream, &mut self.order, first, &raw.order)?;
        put(stream, &mut self.keys, first, &raw.keys)?;
        put(stream, &mut self.searched, first, &raw.searched)?;
        put(stream, &mut self.rows, run * rows, &(0..rows as u32).collect::<Vec<_>>())?;
        put(stream, &mut self.moves, run * rows * self.longest, &raw.moves)
    }

    fn part<T: DeviceRepr>(&self, all: &CudaSlice<T>, first: usize, count: usize) -> Result<Vec<T>, GpuError> {
        if count == 0 {
            return Ok(Vec::new());
        }
        Ok(self.device.stream().clone_dtoh(&all.slice(first..first + count))?)
    }
}

/// Overwrites some of an array.
fn put<T: DeviceRepr>(
    stream: &std::sync::Arc<cudarc::driver::CudaStream>,
    all: &mut CudaSlice<T>,
    first: usize,
    values: &[T],
) -> Result<(), GpuError> {
    if !values.is_empty() {
        stream.memcpy_htod(values, &mut all.slice_mut(first..first + values.len()))?;
    }
    Ok(())
}
