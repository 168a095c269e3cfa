//! The games of islands that are worth keeping, beside the best.

use std::collections::HashSet;

use nestling::engine::KeptGame;

use super::islands::Island;
use super::{PoolLayout, PoolRuns};
use crate::{GpuError, MoveOf};

/// Every so many launches, about once a second, all pools are looked through; in between only those with a better game.
const LAUNCHES: u32 = 10;

/// How many games of an island are reported at a time; the others wait for the next.
const MOST: usize = 256;

/// The games that were reported to the driver.
#[derive(Default)]
pub(super) struct Reported {
    launches: u32,
    /// The keys of games.
    keys: HashSet<u64>,
    /// For each run the number of its search and the best score of that, as far as the game was reported.
    bests: Vec<(u32, u32)>,
}

impl<L: PoolLayout> PoolRuns<L> {
    /// Games that score at least so much: each once, and the best of a search even if another has found it too.
    pub(super) fn worth_keeping(&mut self, least: f64) -> Result<Vec<KeptGame<MoveOf<Self>>>, GpuError> {
        self.reported.launches += 1;
        let is_due = self.reported.launches.is_multiple_of(LAUNCHES);
        let islands = self.islands.islands()?;
        self.reported.bests.resize(islands.len(), (0, 0));
        let Some((run, island)) = islands.iter().enumerate().max_by_key(|(_, island)| island.record_score) else {
            return Ok(Vec::new());
        };
        // What the player does not count: the score of the start.
        let record = self.layout.decode(&self.islands.record(run, island)?);
        let before = L::score(&self.start, &record) - f64::from(island.record_score);
        let reaches = |score: u32| f64::from(score) + before >= least;
        let mut finds = Vec::new();
        for (run, island) in islands.iter().enumerate().filter(|(_, island)| reaches(island.best)) {
            if is_due || self.reported.bests[run] != (island.done, island.best) {
                self.find_in(run, island, reaches, &mut finds)?;
            }
        }
        Ok(finds)
    }

    fn find_in(
        &mut self,
        run: usize,
        island: &Island,
        reaches: impl Fn(u32) -> bool,
        finds: &mut Vec<KeptGame<MoveOf<Self>>>,
    ) -> Result<(), GpuError> {
        let search = u64::from(island.done) * u64::from(self.pooling.runs) + u64::from(self.here.start) + run as u64;
        let entries = self.islands.entries(run, island)?;
        let mut left = MOST;
        for entry in entries.iter().filter(|entry| reaches(entry.value >> 16)) {
            let score = entry.value >> 16;
            let is_best = score == island.best && self.reported.bests[run] != (island.done, score);
            if left == 0 || (!is_best && self.reported.keys.contains(&entry.key)) {
                continue;
            }
            left -= 1;
            self.reported.keys.insert(entry.key);
            if is_best {
                self.reported.bests[run] = (island.done, score);
            }
            let moves = self.layout.decode(&self.islands.moves_of(run, entry)?);
            finds.push(KeptGame { search, score: L::score(&self.start, &moves), moves });
        }
        Ok(())
    }
}
