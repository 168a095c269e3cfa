//! The hall of fame: the best distinct games of a problem, whoever found them.

use nestling::Provenance;
use nestling_registry::Published;
use rusqlite::params;

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

impl Fame {
    /// As a game worth remembering, named by its problem and its rank there, from 1.
    pub fn published(self, problem: &str, rank: usize) -> Published {
        let provenance = Provenance {
            search: Some(self.search.clone()),
            seed: Some(self.seed),
            date: Some(self.found.to_string()),
            ..Provenance::default()
        };
        let name = format!("{} of run {}", self.search, self.run);
        let (id, date) = (format!("{problem}#{rank}"), provenance.date.clone());
        Published { id, name, date, score: self.score, moves: self.moves, provenance }
    }
}

impl Store {
    /// The names of the problems that have games in the hall of fame.
    pub fn famous_problems(&self) -> Result<Vec<String>, StoreError> {
        self.rows("SELECT DISTINCT problem FROM games ORDER BY problem", [], |row| Ok(Ok(row.get(0)?)))
    }

    /// The best games of a problem, best first, those found earlier before others that are as good. No two are the same
    /// game in the sense of [`Instance::identity`](nestling_registry::Instance::identity).
    pub fn hall_of_fame(&self, problem: &str, limit: usize) -> Result<Vec<Fame>, StoreError> {
        let best = "SELECT id, score, moves, search, seed, run, found, seal FROM games
                    WHERE problem = ? ORDER BY worth DESC, id LIMIT ?";
        self.rows(best, params![problem, i64::try_from(limit).unwrap_or(i64::MAX)], |row| {
            let (id, score, moves): (i64, f64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            if row.get::<_, i64>(7)? != seal(&[&score.to_le_bytes(), moves.as_bytes()]) {
                return Ok(Err(format!("the checksum of game {id} does not match")));
            }
            Ok(Ok(Fame {
                score,
                moves: moves.lines().map(str::to_owned).collect(),
                search: row.get(3)?,
                seed: row.get::<_, i64>(4)?.cast_unsigned(),
                run: row.get(5)?,
                found: Moment(row.get(6)?),
            }))
        })
    }
}
