//! The hall of fame: the best distinct games of a problem, whoever found them.

use rusqlite::{Row, params};

use crate::clock::Moment;
use crate::seal::seal;
use crate::{Store, StoreError};

/// A game of the hall of fame.
#[derive(Clone, Debug, PartialEq)]
pub struct Fame {
    /// Its score.
    pub score: f64,
    /// Its moves.
    pub moves: Vec<String>,
    /// The search that found it first.
    pub search: String,
    /// That search's seed.
    pub seed: u64,
    /// The run; it may have been deleted since.
    pub run: i64,
    /// When.
    pub found: Moment,
}

impl Store {
    /// The best games of a problem, best first, those found earlier before others that are as good. No two are the same
    /// game in the sense of [`Instance::identity`](nestling_registry::Instance::identity).
    pub fn hall_of_fame(&self, problem: &str, limit: usize) -> Result<Vec<Fame>, StoreError> {
        let rows =
            self.games(problem, i64::try_from(limit).unwrap_or(i64::MAX)).map_err(|error| self.failed(&error))?;
        rows.into_iter()
            .map(|(id, fame, moves, sum)| {
                if sum == seal(&[&fame.score.to_le_bytes(), moves.as_bytes()]) {
                    Ok(Fame { moves: moves.lines().map(str::to_owned).collect(), ..fame })
                } else {
                    Err(self.damaged(format!("the checksum of game {id} does not match")))
                }
            })
            .collect()
    }

    fn games(&self, problem: &str, limit: i64) -> rusqlite::Result<Vec<(i64, Fame, String, i64)>> {
        let best = "SELECT id, score, search, seed, run, found, moves, seal FROM games
                    WHERE problem = ? ORDER BY worth DESC, id LIMIT ?";
        let read = |row: &Row<'_>| {
            let fame = Fame {
                score: row.get(1)?,
                moves: Vec::new(),
                search: row.get(2)?,
                seed: row.get::<_, i64>(3)?.cast_unsigned(),
                run: row.get(4)?,
                found: Moment(row.get(5)?),
            };
            Ok((row.get(0)?, fame, row.get(6)?, row.get(7)?))
        };
        self.connection.prepare_cached(best)?.query_map(params![problem, limit], read)?.collect()
    }
}
