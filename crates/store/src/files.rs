//! The files of a store, and what can be learned about them without opening them.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The paths of a store and of the files beside it. Links are resolved, because SQLite puts its log beside the real file.
#[derive(Clone, Debug)]
pub(crate) struct StoreFiles {
    /// The database.
    pub store: PathBuf,
    /// SQLite's write-ahead log: the newest commits.
    pub log: PathBuf,
    /// SQLite's index of the log, which it makes anew when it is missing.
    pub index: PathBuf,
    /// What the store should have, outside of it; see [`Witness`](crate::witness::Witness).
    pub seen: PathBuf,
    /// A copy of the store, at most a day older.
    pub copy: PathBuf,
    /// That copy while it is made.
    pub copying: PathBuf,
    /// A salvaged store while it is filled.
    pub restoring: PathBuf,
    /// A salvaged store that is complete and has to take the place of the damaged one.
    pub restored: PathBuf,
}

impl StoreFiles {
    pub fn of(path: &Path) -> Self {
        let resolved = fs::canonicalize(path).or_else(|_| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            fs::canonicalize(folder).map(|folder| folder.join(path.file_name().unwrap_or_default()))
        });
        let store = resolved.unwrap_or_else(|_| path.to_path_buf());
        StoreFiles {
            log: with(&store, "-wal"),
            index: with(&store, "-shm"),
            seen: with(&store, "-seen"),
            copy: with(&store, "-copy"),
            copying: with(&store, "-copying"),
            restoring: with(&store, ".restoring"),
            restored: with(&store, ".restored"),
            store,
        }
    }

    /// The files of a damaged store that was put aside, the first or a later one.
    pub fn damaged(&self, number: u32) -> PathBuf {
        match number {
            0 => with(&self.store, ".damaged"),
            _ => with(&self.store, &format!(".damaged-{number}")),
        }
    }

    /// The log of a database.
    pub fn log_of(database: &Path) -> PathBuf {
        with(database, "-wal")
    }

    /// Whether the log has the mark of a finished write, which SQLite passes over without a word where the log is damaged before it. A
    /// log that was left by a process killed while it made the store has none.
    pub fn log_has_commits(&self) -> io::Result<bool> {
        let Some(log) = if_there(fs::read(&self.log))? else { return Ok(false) };
        // The format of SQLite's log: a header of 32 bytes, then frames, each a header of 24 bytes and a page. A frame that ends a
        // write has the size of the database at 4.
        let Some((header, frames)) = log.split_at_checked(32) else { return Ok(false) };
        let page = header[8..12].iter().fold(0, |size, &byte| size << 8 | usize::from(byte));
        let is_sound = matches!(header[..4], [0x37, 0x7f, 0x06, 0x82 | 0x83]) && (512..=65_536).contains(&page);
        let ends_a_write = |frame: &[u8]| frame[4..8] != [0; 4];
        Ok(if is_sound { frames.chunks_exact(24 + page).any(ends_a_write) } else { !frames.is_empty() })
    }

    /// The traces of a store that no longer exists.
    pub fn traces(&self) -> io::Result<Vec<PathBuf>> {
        let mut traces = Vec::new();
        for path in [&self.seen, &self.log, &self.copy, &self.damaged(0)] {
            if size(path)?.unwrap_or(0) > 0 {
                traces.push(path.clone());
            }
        }
        Ok(traces)
    }

    /// Makes renamed files durable.
    pub fn sync_folder(&self) -> io::Result<()> {
        let folder = self.store.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Only Unix has folders that can be opened.
        if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
    }
}

fn with(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// What was found of a file; none if it is not there. Everything else that hides it is an error: a folder that may not be looked
/// into is not an empty one.
pub(crate) fn if_there<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

pub(crate) fn metadata(path: &Path) -> io::Result<Option<Metadata>> {
    if_there(fs::metadata(path))
}

pub(crate) fn size(path: &Path) -> io::Result<Option<u64>> {
    Ok(metadata(path)?.map(|metadata| metadata.len()))
}

pub(crate) fn remove(path: &Path) -> io::Result<()> {
    if_there(fs::remove_file(path)).map(drop)
}

/// The identity of a file, which a later file of the same name does not have; nothing if the system has no such identity.
pub(crate) fn file_number(metadata: &Metadata) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((metadata.dev(), metadata.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        None
    }
}

/// What is locked to guard a file: the file itself, open once more. On Windows a file next to it, since a locked file cannot be written
/// there: not by anybody if the lock is shared, and not through SQLite's own handle if it is exclusive.
pub(crate) fn guard(file: &File, path: &Path) -> io::Result<File> {
    if !cfg!(windows) {
        return file.try_clone();
    }
    let mut name = path.as_os_str().to_owned();
    name.push("-lock");
    let made = File::options().read(true).write(true).create(true).truncate(false).open(name);
    // Where no file can be made, nobody can write to this one either.
    made.or_else(|_| file.try_clone())
}

/// Gives a file the access rights of the store.
pub(crate) fn protect_like(store: &Path, file: &Path) -> io::Result<()> {
    let Some(metadata) = metadata(store)? else { return Ok(()) };
    fs::set_permissions(file, metadata.permissions())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, chown};
        let own = fs::metadata(file)?;
        if (own.uid(), own.gid()) != (metadata.uid(), metadata.gid()) {
            // Only root may give files away, and anybody else owns them already.
            let _ = chown(file, Some(metadata.uid()), Some(metadata.gid()));
        }
    }
    Ok(())
}
