//! The hall of fame: the best distinct games of a problem, of all runs.

use nestling::Provenance;
use nestling_registry::Published;

use crate::clock::Moment;
use crate::error::StoreFault;
use crate::inventory::Collection;
use crate::record::StoredRow;
use crate::table::{COLLECTIONS, GAMES};
use crate::{Store, StoreError};

/// A game of the hall of fame.
#[derive(Clone, Debug, PartialEq)]
pub struct FamousGame {
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

impl FamousGame {
    /// As a notable game, named by its problem and its rank there, from 1.
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
        self.read(|look| {
            self.check_counts(look)?;
            let games = COLLECTIONS.all(look, "WHERE kind = ? ORDER BY name", [GAMES.name])?;
            games.iter().map(|record| Ok(Collection::of(record)?.name)).collect()
        })
    }

    /// The best games of a problem, best first, those found earlier before others that are as good. No two are the same
    /// game in the sense of [`Instance::identity`](nestling_registry::Instance::identity).
    pub fn hall_of_fame(&self, problem: &str, limit: usize) -> Result<Vec<FamousGame>, StoreError> {
        let mut games = self.collected(&GAMES, problem, |record| {
            let (worth, fame) = fame(&record)?;
            Ok((worth, record.id, fame))
        })?;
        games.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        Ok(games.into_iter().take(limit).map(|(_, _, fame)| fame).collect())
    }
}

/// The value of a game, and the game.
fn fame(record: &StoredRow) -> Result<(f64, FamousGame), StoreFault> {
    let mut fields = record.fields();
    let worth = fields.skip(2)?.take()?;
    let fame = FamousGame {
        score: fields.take()?,
        moves: fields.take::<String>()?.lines().map(str::to_owned).collect(),
        search: fields.take()?,
        seed: fields.take::<i64>()?.cast_unsigned(),
        run: fields.take()?,
        found: Moment(fields.take()?),
    };
    Ok((worth, fame))
}
