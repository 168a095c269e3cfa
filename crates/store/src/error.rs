//! The errors of a store, in one line each: the culprit and the remedy.

use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};

/// A store, or a run in it, that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file cannot be opened or made.
    #[error("{}: the store cannot be opened: {reason}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The system's message.
        reason: String,
    },
    /// A database, but not one of ours.
    #[error("{}: a database of another program, not a store of runs; choose another file with --store", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Written by a later version.
    #[error(
        "{}: the store has schema {found}, this version knows schemas up to {known}; use the version that wrote it, or another file with --store",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// The newest schema this version knows.
        known: i64,
    },
    /// Bytes have been lost or changed.
    #[error("{}: the store is damaged: {what}; `nestling runs salvage` repairs it", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// A description of the damage.
        what: String,
    },
    /// Not one row of it can be read.
    #[error(
        "{}: no row can be read, so the file was left unchanged; move it away, or use another file with --store",
        path.display()
    )]
    Unreadable {
        /// The file.
        path: PathBuf,
    },
    /// The file has gone, but it was there.
    #[error(
        "{}: the store is missing, but {} there; `nestling runs salvage` restores what it can; or delete {} to start a new store",
        path.display(),
        are(traces),
        it(traces)
    )]
    Missing {
        /// The file.
        path: PathBuf,
        /// The files that are left beside it.
        traces: Vec<PathBuf>,
    },
    /// The file has gone, and nothing of it can be restored.
    #[error(
        "{}: the store is missing, and nothing can be restored from {}; delete {} to start a new store",
        path.display(),
        names(traces),
        it(traces)
    )]
    Lost {
        /// The file.
        path: PathBuf,
        /// The files that are left beside it.
        traces: Vec<PathBuf>,
    },
    /// The file was deleted or replaced while it was open; what is written to it then is lost.
    #[error("{}: the store was deleted or replaced while it was in use", path.display())]
    Gone {
        /// The file.
        path: PathBuf,
    },
    /// Salvage needs the store for itself.
    #[error("{}: another process has the store open; stop it first", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// Another process has been writing for too long.
    #[error("{}: the store is busy; another process has been writing to it for ten seconds", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// There is no run of that number.
    #[error("{}: there is no run {run}; `nestling runs list` lists the runs", path.display())]
    NoRun {
        /// The file.
        path: PathBuf,
        /// The number.
        run: i64,
    },
    /// Somebody else is at work on it.
    #[error("run {run} is in use by process {process} on {host}; stop that process first")]
    Leased {
        /// The run.
        run: i64,
        /// The process that has it.
        process: u32,
        /// Where.
        host: String,
    },
    /// Somebody else has gone on with it.
    #[error("run {run} was taken over by another process, because this process did not respond for too long")]
    TakenOver {
        /// The run.
        run: i64,
    },
    /// Anything else that SQLite says.
    #[error("{}: {reason}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// SQLite's message.
        reason: String,
    },
}

/// An error inside the store, before the name of the file is added.
#[derive(Debug)]
pub(crate) enum StoreFault {
    /// SQLite says so.
    Sqlite(rusqlite::Error),
    /// A row, or a count of rows, is not what was written.
    Damage(String),
    /// Nothing is wrong with the store, but it cannot be done.
    Refused(StoreError),
}

impl From<rusqlite::Error> for StoreFault {
    fn from(error: rusqlite::Error) -> Self {
        StoreFault::Sqlite(error)
    }
}

impl StoreFault {
    pub(crate) fn of(self, path: &Path) -> StoreError {
        match self {
            StoreFault::Sqlite(error) => StoreError::new(path, &error),
            StoreFault::Damage(what) => StoreError::Damaged { path: path.to_path_buf(), what },
            StoreFault::Refused(error) => error,
        }
    }
}

impl StoreError {
    /// The system's refusal to open a file.
    pub(crate) fn open(path: &Path, error: &std::io::Error) -> Self {
        StoreError::Open { path: path.to_path_buf(), reason: error.to_string() }
    }

    /// A store that may only be read.
    pub(crate) fn read_only(path: &Path) -> Self {
        StoreError::Open { path: path.to_path_buf(), reason: "the file or its folder is read-only".to_owned() }
    }

    /// Gives an error of SQLite the file and the meaning it has for a store.
    pub(crate) fn new(path: &Path, error: &rusqlite::Error) -> Self {
        let path = path.to_path_buf();
        // SQLite quotes what it has found, which may be anything.
        let told = || error.to_string().replace(char::is_control, " ");
        // Our questions never change: where one makes no sense, or an answer has the wrong type, the tables have changed.
        if let rusqlite::Error::SqlInputError { msg, .. } = error {
            return StoreError::Damaged { path, what: msg.replace(char::is_control, " ") };
        }
        let code = error.sqlite_error().map(|error| error.extended_code);
        if [ffi::SQLITE_IOERR_READ, ffi::SQLITE_IOERR_SHORT_READ].into_iter().any(|unread| code == Some(unread)) {
            return StoreError::Damaged { path, what: "a part of it cannot be read".to_owned() };
        }
        match error.sqlite_error_code() {
            None | Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown) => {
                StoreError::Damaged { path, what: told() }
            }
            Some(ErrorCode::ReadOnly) => StoreError::read_only(&path),
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => StoreError::Open { path, reason: told() },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { path },
            Some(ErrorCode::DiskFull) => StoreError::Failed { path, reason: "the disk is full".to_owned() },
            _ => StoreError::Failed { path, reason: told() },
        }
    }
}

fn names(traces: &[PathBuf]) -> String {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    traces.iter().map(name).collect::<Vec<_>>().join(" and ")
}

fn are(traces: &[PathBuf]) -> String {
    format!("{} {}", names(traces), if traces.len() == 1 { "is" } else { "are" })
}

fn it(traces: &[PathBuf]) -> &'static str {
    if traces.len() == 1 { "it" } else { "them" }
}
