//! Runs that survive: what was searched, every improvement, checkpoints to resume from, outcomes, and the best games of all
//! time, in one SQLite file that several processes may share.
//!
//! ```
//! use nestling_registry::RunSpec;
//! use nestling_store::Store;
//!
//! let folder = tempfile::tempdir()?;
//! let mut store = Store::open(&folder.path().join("runs.db"))?;
//! let run = store.add(&RunSpec::new("morpion-5d").search("nrpa(3)"))?;
//! assert_eq!(store.run(run)?.spec.expression(), "nrpa(3)");
//! assert!(store.hall_of_fame("morpion-5d", 10)?.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Recorder`] writes a run while it runs, from a thread of its own, so that a slow disk never holds the search up; it
//! hands out the [`RunJournal`]s that the driver wants. [`Store::take`] makes this process the one that works on a run.

mod account;
mod audit;
mod clock;
mod copy;
mod error;
mod fame;
mod files;
mod inventory;
pub mod json;
mod kept;
mod lease;
mod machine;
mod old;
mod open;
mod portable;
mod read;
mod readings;
mod record;
mod recorder;
mod resume;
mod run;
mod salvage;
mod schema;
mod seal;
mod table;
mod witness;
mod write;
mod writer;
mod writing;

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rusqlite::Connection;

pub use account::Account;
pub use clock::Moment;
pub use error::StoreError;
pub use fame::FamousGame;
pub use kept::KeptRun;
pub use lease::Lease;
pub use portable::{
    HEADER, Imported, PortableCheckpoint, PortableGame, PortableImprovement, PortableLine, PortableOutcome, PortableRun,
};
pub use readings::ReadingRange;
pub use recorder::{Recorder, RecorderSettings, RunJournal};
pub use resume::{More, ResumeError};
pub use run::{Finished, Leg, RunInfo, State, StoredCheckpoint, StoredImprovement};
pub use salvage::{Salvage, StorePart, salvage};

/// An open store.
pub struct Store {
    pub(crate) connection: Connection,
    /// As the caller named it.
    pub(crate) path: PathBuf,
    pub(crate) files: files::StoreFiles,
    pub(crate) witness: Option<witness::Witness>,
    /// The identity of the file, which a later file of the same name does not have.
    number: Option<(u64, u64)>,
    /// The commit whose counts have been compared with what is there.
    counted: Cell<i64>,
    copy_tried: Option<Instant>,
    /// Why the daily copy could not be made, if that was not reported yet.
    copy_failure: Option<String>,
    /// The folder of a copy that is looked at in the store's place.
    _aside: Option<tempfile::TempDir>,
}

impl Store {
    /// The file a person has when they choose none: `nestling/runs.db` in the data folder of the system
    /// (`$XDG_DATA_HOME`, or `~/.local/share`). Nothing if there is no home.
    pub fn default_path() -> Option<PathBuf> {
        use etcetera::BaseStrategy;
        let folders = etcetera::choose_base_strategy().ok()?;
        Some(folders.data_dir().join("nestling").join("runs.db"))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives what went wrong the file's name. What a damaged store had before stays in its log.
    pub(crate) fn failed(&self, fault: error::StoreFault) -> StoreError {
        let error = fault.of(&self.path);
        if matches!(error, StoreError::Damaged { .. }) {
            self.keep_log(true);
        }
        error
    }
}
