//! Runs that survive: what was searched, every improvement, checkpoints to go on from, outcomes, and the best games of all
//! time, in one SQLite file that several processes may share.
//!
//! ```
//! use nestling_store::{Spec, Store};
//!
//! let folder = tempfile::tempdir()?;
//! let mut store = Store::open(&folder.path().join("runs.db"))?;
//! let run = store.add(&Spec::new("morpion-5d", "nrpa(3)"))?;
//! assert_eq!(store.run(run)?.spec.search, "nrpa(3)");
//! assert!(store.hall_of_fame("morpion-5d", 10)?.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Recorder`] writes a run while it goes on, from a thread of its own, so that a slow disk never holds the search up; it
//! hands out the [`RunJournal`]s that the driver wants. [`Store::take`] makes this process the one that works on a run.

mod account;
mod clock;
mod error;
mod fame;
pub mod json;
mod lease;
mod machine;
mod read;
mod readings;
mod recorder;
mod salvage;
mod schema;
mod seal;
mod spec;
mod write;
mod writer;

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

pub use account::Account;
pub use clock::Moment;
pub use error::StoreError;
pub use fame::Fame;
pub use lease::Lease;
pub use read::{Leg, Outcome, RunInfo, State, Step, Taken};
pub use readings::Bundle;
pub use recorder::{Recorder, RunJournal, Settings};
pub use salvage::{Rows, Salvage, salvage};
pub use spec::Spec;

/// A store too large to be checked whenever a run begins.
const LARGE: u64 = 64 << 20;

/// An open store.
pub struct Store {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
}

impl Store {
    /// Opens a store, which is made if there is none, and brought to the newest schema if it is older.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(|error| StoreError::Open { path: path.to_path_buf(), reason: error.to_string() })?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Connection::open_with_flags(path, flags);
        let mut connection = opened.map_err(|error| StoreError::new(path, &error))?;
        schema::prepare(&mut connection, path)?;
        Ok(Store { connection, path: path.to_path_buf() })
    }

    /// The file a person has when they choose none: `nestling/runs.db` in the data folder of the system
    /// (`$XDG_DATA_HOME`, or `~/.local/share`). Nothing where there is no home.
    pub fn default_path() -> Option<PathBuf> {
        use etcetera::BaseStrategy;
        let folders = etcetera::choose_base_strategy().ok()?;
        Some(folders.data_dir().join("nestling").join("runs.db"))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Looks for broken pages: everything but the contents of values, which carry checksums of their own. A store of more
    /// than 64 MiB is taken as it is, because this would take longer than anybody wants to wait; [`salvage`] always looks.
    pub fn check(&self) -> Result<(), StoreError> {
        if self.path.metadata().is_ok_and(|file| file.len() > LARGE) {
            return Ok(());
        }
        let checked = self.connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
        match checked.map_err(|error| self.failed(&error))?.as_str() {
            "ok" => Ok(()),
            what => Err(StoreError::Damaged { path: self.path.clone(), what: what.replace('\n', " ") }),
        }
    }

    pub(crate) fn failed(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::new(&self.path, error)
    }

    pub(crate) fn damaged(&self, what: impl Into<String>) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), what: what.into() }
    }
}
