//! What experiments have measured: readings in bundles, under the definition of what was run, so that experiments that run the
//! same share them, and an experiment that is taken up again runs only what is missing.

use rusqlite::{TransactionBehavior, params};

use crate::clock::Moment;
use crate::machine;
use crate::seal::seal;
use crate::{Store, StoreError};

/// Readings number `first` to `first + count` of a definition; with a count of 0, a remark on it. The store does not look
/// into the definition or the data.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle {
    /// The seed that the runs' seeds derive from.
    pub seed: u64,
    /// The number of the first reading.
    pub first: u64,
    /// How many readings there are.
    pub count: u64,
    /// The readings, or the remark.
    pub data: String,
    /// The machine they were taken on.
    pub machine: String,
    /// The version that took them.
    pub version: String,
    /// When.
    pub taken: Moment,
}

impl Store {
    /// Keeps a bundle of readings, taken here and now. False if some of them are there already, taken on this machine by this
    /// version: another process was faster, and nothing is kept. [`Store::readings`] says which, and the others can be kept by
    /// themselves.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let mut store = nestling_store::Store::open(&folder.path().join("runs.db"))?;
    /// assert!(store.add_readings("nested(1) on left-move", 1, 0, 3, "[42, 41, 44]")?);
    /// assert!(!store.add_readings("nested(1) on left-move", 1, 2, 2, "[44, 43]")?);
    /// assert_eq!(store.readings("nested(1) on left-move")?[0].data, "[42, 41, 44]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_readings(
        &mut self,
        definition: &str,
        seed: u64,
        first: u64,
        count: u64,
        data: &str,
    ) -> Result<bool, StoreError> {
        let (machine, version) = (machine::description(), env!("CARGO_PKG_VERSION"));
        let added = (|| {
            let adding = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let (seed, first, count) = (seed.cast_signed(), first.cast_signed(), count.cast_signed());
            let insert = "INSERT INTO readings(definition, seed, first, count, data, machine, version, taken, seal)
                          SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE NOT EXISTS
                          (SELECT 1 FROM readings WHERE definition = ?1 AND seed = ?2 AND machine = ?6 AND version = ?7
                           AND first < ?3 + ?4 AND ?3 < first + count)";
            let sum = sum(definition, seed, first, count, data);
            let row = params![definition, seed, first, count, data, machine, version, Moment::now().0, sum];
            let added = adding.execute(insert, row)?;
            adding.commit()?;
            Ok(added > 0)
        })();
        added.map_err(|error| self.failed(&error))
    }

    /// All bundles of a definition, in the order they were kept.
    pub fn readings(&self, definition: &str) -> Result<Vec<Bundle>, StoreError> {
        let bundles = "SELECT id, seed, first, count, data, machine, version, taken, seal FROM readings
                       WHERE definition = ? ORDER BY id";
        self.rows(bundles, [definition], |row| {
            let (id, seed, first, count): (i64, i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
            let data: String = row.get(4)?;
            if row.get::<_, i64>(8)? != sum(definition, seed, first, count, &data) {
                return Ok(Err(format!("the checksum of readings {id} does not match")));
            }
            Ok(Ok(Bundle {
                seed: seed.cast_unsigned(),
                first: first.cast_unsigned(),
                count: count.cast_unsigned(),
                data,
                machine: row.get(5)?,
                version: row.get(6)?,
                taken: Moment(row.get(7)?),
            }))
        })
    }

    /// The machine as bundles name it.
    pub fn machine() -> String {
        machine::description()
    }
}

pub(crate) fn sum(definition: &str, seed: i64, first: i64, count: i64, data: &str) -> i64 {
    let numbers = [seed, first, count].map(i64::to_le_bytes).concat();
    seal(&[definition.as_bytes(), &numbers, data.as_bytes()])
}
