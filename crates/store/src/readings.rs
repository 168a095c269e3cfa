//! What experiments have measured: readings in bundles, under the definition of what was run, so that experiments that run the
//! same share them, and an experiment that is taken up again runs only what is missing.

use rusqlite::params;
use rusqlite::types::Value;

use crate::clock::Moment;
use crate::machine;
use crate::record::values;
use crate::table::READINGS;
use crate::{Store, StoreError};

/// Readings number `first` to `first + count` of a definition; with a count of 0, a remark on it. The store does not look
/// into the definition or the data.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadingRange {
    /// The seed that the runs' seeds derive from.
    pub seed: u64,
    /// The number of the first reading.
    pub first: u64,
    /// How many readings there are.
    pub count: u64,
    /// The readings, or the remark.
    pub data: String,
    /// The machine, or the cluster, they were taken on.
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
        self.add_readings_of(&machine::description(), definition, seed, first, count, data)
    }

    /// Keeps a bundle of readings that another machine, or a cluster, has taken now.
    pub fn add_readings_of(
        &mut self,
        machine: &str,
        definition: &str,
        seed: u64,
        first: u64,
        count: u64,
        data: &str,
    ) -> Result<bool, StoreError> {
        let version = env!("CARGO_PKG_VERSION");
        let (seed, first, count) = (seed.cast_signed(), first.cast_signed(), count.cast_signed());
        self.write(|adding| {
            let same = "WHERE definition = ?1 AND seed = ?2 AND machine = ?3 AND version = ?4
                        AND first < ?5 + ?6 AND ?5 < first + count LIMIT 1";
            let same_place = params![definition, seed, machine, version, first, count];
            if !READINGS.keys(&adding.transaction, same, same_place)?.is_empty() {
                return Ok(false);
            }
            adding.insert(&READINGS, row(definition, [seed, first, count], data, machine))?;
            Ok(true)
        })
    }

    /// Keeps remarks on definitions, all in one write.
    pub fn add_remarks(&mut self, seed: u64, remarks: &[(&str, &str)]) -> Result<(), StoreError> {
        let machine = machine::description();
        self.write(|adding| {
            for (definition, remark) in remarks {
                adding.insert(&READINGS, row(definition, [seed.cast_signed(), 0, 0], remark, &machine))?;
            }
            Ok(())
        })
    }

    /// All bundles of a definition, in the order they were kept.
    pub fn readings(&self, definition: &str) -> Result<Vec<ReadingRange>, StoreError> {
        self.collected(&READINGS, definition, |record| {
            let mut fields = record.fields();
            Ok(ReadingRange {
                seed: fields.skip(1)?.take::<i64>()?.cast_unsigned(),
                first: fields.take::<i64>()?.cast_unsigned(),
                count: fields.take::<i64>()?.cast_unsigned(),
                data: fields.take()?,
                machine: fields.take()?,
                version: fields.take()?,
                taken: Moment(fields.take()?),
            })
        })
    }

    /// The machine as bundles name it.
    pub fn machine() -> String {
        machine::description()
    }
}

/// A row of readings: `numbers` are the seed, the first reading and their count.
fn row(definition: &str, numbers: [i64; 3], data: &str, machine: &str) -> Vec<Value> {
    let [definition, data, machine, version] =
        [definition, data, machine, env!("CARGO_PKG_VERSION")].map(str::to_owned);
    let [seed, first, count] = numbers;
    values![definition, seed, first, count, data, machine, version, Moment::now().0]
}
