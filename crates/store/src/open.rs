//! Opening a store. Nothing is written before everything has been looked at: a store that is found damaged stays byte for byte
//! as it is, its log included, because that is what salvage works with.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

use crate::error::StoreFault;
use crate::files::{self, StoreFiles};
use crate::inventory::Inventory;
use crate::salvage::finish_interrupted;
use crate::schema::{self, Condition, judge};
use crate::witness::{Seen, Witness};
use crate::{Store, StoreError, old};

/// How long to wait for other processes that are writing.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

impl Store {
    /// Opens a store, which is made if there is none, and brought to the newest schema if it is older.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|error| StoreError::open(path, &error))?;
        }
        Opening::new(path)?.for_writing()
    }

    /// Opens a store that is there; none if there is none and never was.
    pub fn open_existing(path: &Path) -> Result<Option<Self>, StoreError> {
        let opening = Opening::new(path)?;
        if opening.is_present()? { opening.for_writing().map(Some) } else { Ok(None) }
    }

    /// Opens an existing store for reading; none if there is none and never was. This works if nothing can be
    /// written, too; elsewhere an older store is brought to the newest schema.
    pub fn look(path: &Path) -> Result<Option<Self>, StoreError> {
        let opening = Opening::new(path)?;
        if opening.is_present()? { opening.for_reading() } else { Ok(None) }
    }

    /// Opens a store for reading that no other process can open, because the witness is locked; none if it is empty.
    pub(crate) fn open_locked(path: &Path, seen: &Seen) -> Result<Option<Self>, StoreError> {
        let (files, seen) = (StoreFiles::of(path), seen.clone());
        let opening = Opening { path, files, witness: None, seen, is_locked: true };
        if opening.is_present()? { opening.for_reading() } else { Ok(None) }
    }
}

/// A store that is being opened.
struct Opening<'a> {
    path: &'a Path,
    files: StoreFiles,
    /// Shared with others who have the store open.
    witness: Option<Witness>,
    seen: Seen,
    /// Whether this process has locked the witness, so that no other process opens the store.
    is_locked: bool,
}

impl<'a> Opening<'a> {
    fn new(path: &'a Path) -> Result<Self, StoreError> {
        let files = finish_interrupted(path)?;
        let failed = |error: std::io::Error| StoreError::open(path, &error);
        let witness = Witness::existing(&files.seen).map_err(failed)?;
        if let Some(witness) = &witness {
            share(witness, path)?;
        }
        let seen = witness.as_ref().map_or_else(|| Ok(Seen::default()), Witness::read).map_err(failed)?;
        Ok(Opening { path, files, witness, seen, is_locked: false })
    }

    /// Whether there is a file. It is an error if there was one and it has gone, or lost all its contents.
    fn is_present(&self) -> Result<bool, StoreError> {
        let failed = |error: std::io::Error| StoreError::open(self.path, &error);
        let found = files::metadata(&self.files.store).map_err(failed)?;
        if found.as_ref().is_some_and(|found| !found.is_file()) {
            return Err(StoreError::Open { path: self.path.to_path_buf(), reason: "not a regular file".to_owned() });
        }
        let size = found.map(|found| found.len());
        if size.is_some_and(|size| size > 0) {
            return Ok(true);
        }
        let mut traces = self.files.traces().map_err(failed)?;
        let counts_nothing = |known: Inventory| (known.standings.rows, known.collections.rows) == (0, 0);
        if self.seen.newest(None).is_some_and(counts_nothing) {
            traces.retain(|trace| *trace != self.files.seen);
        }
        let path = self.path.to_path_buf();
        match size {
            _ if traces.is_empty() => Ok(false),
            None => Err(StoreError::Missing { path, traces }),
            Some(_) => Err(StoreError::Damaged { path, what: "the file is empty".to_owned() }),
        }
    }

    fn for_writing(mut self) -> Result<Store, StoreError> {
        let path = self.path;
        if !self.is_present()? {
            // What it had counted was nothing.
            self.seen = Seen::default();
        }
        let create = OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_READ_WRITE;
        let mut connection = connect(&self.files.store, create, path)?;
        patiently(|| judge(&connection, &self.seen, path))?;
        if self.witness.is_none() && !self.is_locked {
            let witness = Witness::make(&self.files.seen).map_err(|error| StoreError::open(path, &error))?;
            share(&witness, path)?;
            self.witness = Some(witness);
        }
        let inventory = patiently(|| self.settle(&mut connection))?;
        self.check_writable(&connection)?;
        if let Some(witness) = &self.witness {
            // A witness that lags is harmless.
            let _ = witness.write(&inventory);
        }
        self.store(connection, None)
    }

    /// Makes a connection durable and patient, and the tables the newest.
    fn settle(&self, connection: &mut Connection) -> Result<Inventory, StoreError> {
        let failed = |fault: StoreFault| fault.of(self.path);
        let condition = judge(connection, &self.seen, self.path)?;
        configure(connection).map_err(|error| failed(error.into()))?;
        match condition {
            Condition::Empty => schema::create(connection).map_err(failed)?,
            Condition::Old(_) => old::migrate(connection).map_err(failed)?,
            Condition::Current(_) => {}
        }
        match judge(connection, &self.seen, self.path)? {
            Condition::Current(inventory) => Ok(inventory),
            _ => Err(failed(StoreFault::Damage("data written to it does not read back".to_owned()))),
        }
    }

    /// Refuses now what would be refused at the first write.
    fn check_writable(&self, connection: &Connection) -> Result<(), StoreError> {
        if !connection.is_readonly("main").unwrap_or(false) {
            return Ok(());
        }
        Err(match is_writable(&self.files.store) {
            true => StoreFault::Damage(READ_ONLY_HEADER.to_owned()).of(self.path),
            false => StoreError::read_only(self.path),
        })
    }

    fn for_reading(self) -> Result<Option<Store>, StoreError> {
        let connection = connect(&self.files.store, OpenFlags::SQLITE_OPEN_READ_WRITE, self.path)?;
        match patiently(|| judge(&connection, &self.seen, self.path)) {
            Ok(Condition::Current(_)) => self.store(connection, None).map(Some),
            Ok(Condition::Empty) => Ok(None),
            Ok(Condition::Old(_)) => {
                drop(connection);
                let again = Opening { witness: None, files: self.files.clone(), seen: self.seen.clone(), ..self };
                match again.for_writing() {
                    Err(StoreError::Open { .. }) => self.aside().map(Some),
                    opened => opened.map(Some),
                }
            }
            // SQLite needs to write, even to read, if there is a log.
            Err(StoreError::Open { .. }) => {
                drop(connection);
                self.aside().map(Some)
            }
            Err(error) => Err(error),
        }
    }

    /// A store if nothing can be written: as it is if all of it is in one file, otherwise a copy of it in another folder.
    fn aside(self) -> Result<Store, StoreError> {
        let path = self.path;
        let failed = |error: std::io::Error| StoreError::open(path, &error);
        if files::size(&self.files.log).map_err(failed)?.unwrap_or(0) == 0 {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            let connection = connect(&unchanging(&self.files.store), flags, path)?;
            if let Condition::Current(_) = judge(&connection, &self.seen, path)? {
                return self.store(connection, None);
            }
        }
        let (folder, copied) = copy_aside(&self.files).map_err(failed)?;
        let mut connection = connect(&copied, OpenFlags::SQLITE_OPEN_READ_WRITE, path)?;
        self.settle(&mut connection)?;
        // What would be written to the copy would be lost.
        connection.pragma_update(None, "query_only", true).map_err(|error| StoreError::new(path, &error))?;
        self.store(connection, Some(folder))
    }

    fn store(self, connection: Connection, aside: Option<TempDir>) -> Result<Store, StoreError> {
        let failed = |error: std::io::Error| StoreError::open(self.path, &error);
        let number = files::metadata(&self.files.store).map_err(failed)?.as_ref().and_then(files::file_number);
        let store = Store {
            connection,
            path: self.path.to_path_buf(),
            files: self.files,
            witness: self.witness,
            number,
            counted: Cell::new(-1),
            copy_tried: None,
            copy_failure: None,
            _aside: aside,
        };
        store.keep_log(false);
        Ok(store)
    }
}

impl Store {
    /// Whether SQLite leaves the log alone when the last connection closes: it would write over what a damaged store had before.
    pub(crate) fn keep_log(&self, keep: bool) {
        // If this cannot be set, SQLite keeps its default.
        let _ = self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep);
    }

    /// Refuses to write to a file that was moved or deleted.
    pub(crate) fn check_still_there(&self) -> Result<(), StoreError> {
        let now = files::metadata(&self.files.store).map_err(|error| StoreError::open(&self.path, &error))?;
        match now {
            Some(now) if self.number.is_none() || files::file_number(&now) == self.number => Ok(()),
            _ => Err(StoreError::Gone { path: self.path.clone() }),
        }
    }
}

/// The error if SQLite refuses to write to a writable file.
pub(crate) const READ_ONLY_HEADER: &str = "its header marks it as read-only";

/// Whether the system would let us write to a file.
pub(crate) fn is_writable(file: &Path) -> bool {
    fs::File::options().append(true).open(file).is_ok()
}

fn share(witness: &Witness, path: &Path) -> Result<(), StoreError> {
    match witness.share(PATIENCE).map_err(|error| StoreError::open(path, &error))? {
        true => Ok(()),
        false => Err(StoreError::Busy { path: path.to_path_buf() }),
    }
}

/// A connection that changes nothing until it is configured.
fn connect(database: &Path, flags: OpenFlags, path: &Path) -> Result<Connection, StoreError> {
    let connect = || -> rusqlite::Result<Connection> {
        let connection = Connection::open_with_flags(database, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.busy_timeout(PATIENCE)?;
        Ok(connection)
    };
    connect().map_err(|error| StoreError::new(path, &error))
}

/// Durable writes, several processes at once.
fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    // What a large checkpoint left of the log is given back.
    connection.pragma_update(None, "journal_size_limit", 4 << 20)
}

/// Tries again while others keep the store busy: while another process turns the log on, SQLite does not wait by itself.
fn patiently<T>(mut attempt: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    let began = Instant::now();
    loop {
        match attempt() {
            Err(StoreError::Busy { .. }) if began.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(10)),
            done => return done,
        }
    }
}

/// The name by which SQLite opens a file without a lock or a log.
fn unchanging(file: &Path) -> PathBuf {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    let bytes = file.as_os_str().as_encoded_bytes().iter();
    let name: String =
        bytes.map(|&byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect();
    PathBuf::from(format!("file:{name}?immutable=1"))
}

/// Copies the database and its log to a separate folder. If another process writes meanwhile, they are copied again.
fn copy_aside(files: &StoreFiles) -> std::io::Result<(TempDir, PathBuf)> {
    let state = || -> std::io::Result<_> {
        let of = |path: &Path| files::metadata(path).map(|found| found.map(|file| (file.len(), file.modified().ok())));
        Ok((of(&files.store)?, of(&files.log)?))
    };
    let folder = tempfile::Builder::new().prefix("nestling-").tempdir()?;
    let copied = folder.path().join("runs.db");
    for _ in 0..10 {
        let before = state()?;
        fs::copy(&files.store, &copied)?;
        files::remove(&StoreFiles::log_of(&copied))?;
        if before.1.is_some() {
            fs::copy(&files.log, StoreFiles::log_of(&copied))?;
        }
        if state()? == before {
            return Ok((folder, copied));
        }
    }
    Err(std::io::Error::new(std::io::ErrorKind::ResourceBusy, "another process keeps writing to it"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestling_registry::RunSpec;

    /// The files of a folder, and the times of their last changes.
    fn listing(folder: &Path) -> Vec<(PathBuf, u64, std::time::SystemTime)> {
        let mut listing: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.path(), entry.metadata().unwrap()))
            .map(|(path, metadata)| (path, metadata.len(), metadata.modified().unwrap()))
            .collect();
        listing.sort();
        listing
    }

    /// Where nothing can be written a store is read without a trace, with what is in its log, and nothing is written to it.
    #[test]
    fn a_store_is_read_without_writing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a name?with #% signs.db");
        let mut writer = Store::open(&path).unwrap();
        for log in [true, false] {
            writer.add(&RunSpec::new("morpion-5d").search("nested(1)")).unwrap();
            let expected = writer.runs().unwrap();
            if log {
                assert!(fs::metadata(StoreFiles::log_of(&path)).unwrap().len() > 0);
            } else {
                drop(writer);
                writer = Store::look(&path).unwrap().unwrap();
                drop(std::mem::replace(&mut writer, Store::open(&folder.path().join("other.db")).unwrap()));
                assert!(!StoreFiles::log_of(&path).exists());
            }
            let before = listing(folder.path());
            let mut store = Opening::new(&path).unwrap().aside().unwrap();
            store.check().unwrap();
            assert_eq!(store.runs().unwrap(), expected);
            let error = store.add(&RunSpec::new("morpion-5d").search("nested(1)")).unwrap_err().to_string();
            assert!(error.contains("read-only"), "{error}");
            drop(store);
            assert_eq!(listing(folder.path()), before);
        }
    }

    /// A witness that lags, is torn or is missing is accepted; one that is ahead of the store is an error.
    #[test]
    fn only_a_witness_that_knows_more_complains() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.db");
        let seen = StoreFiles::of(&path).seen;
        let mut store = Store::open(&path).unwrap();
        let early = fs::read(&seen).unwrap();
        store.add(&RunSpec::new("morpion-5d").search("nested(1)")).unwrap();
        drop(store);
        let (database, late) = (fs::read(&path).unwrap(), fs::read(&seen).unwrap());
        let mut store = Store::open(&path).unwrap();
        store.add(&RunSpec::new("morpion-5d").search("nested(2)")).unwrap();
        drop(store);
        for witness in [Some(early), Some(late), Some(vec![b'x'; 600]), Some(Vec::new()), None] {
            match witness {
                Some(bytes) => fs::write(&seen, bytes).unwrap(),
                None => fs::remove_file(&seen).unwrap(),
            }
            assert_eq!(Store::look(&path).unwrap().unwrap().runs().unwrap().len(), 2);
            assert_eq!(Store::open(&path).unwrap().runs().unwrap().len(), 2);
        }
        // As a person has it who puts an older file in the store's place.
        fs::write(&path, database).unwrap();
        let error = Store::open(&path).err().unwrap().to_string();
        assert!(error.contains("its last write is missing"), "{error}");
        crate::salvage(&path).unwrap();
        assert_eq!(Store::look(&path).unwrap().unwrap().runs().unwrap().len(), 1);
    }

    /// A commit to a file that was deleted or replaced is reported, not believed.
    #[test]
    fn a_store_that_goes_away_is_missed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.db");
        for replaced in [false, true] {
            let mut store = Store::open(&path).unwrap();
            store.add(&RunSpec::new("morpion-5d").search("nested(1)")).unwrap();
            for suffix in ["", "-wal", "-shm", "-seen"] {
                fs::remove_file(path.with_file_name(format!("runs.db{suffix}"))).unwrap();
            }
            let other = replaced.then(|| Store::open(&path).unwrap());
            let error = store.add(&RunSpec::new("morpion-5d").search("nested(1)")).unwrap_err();
            assert!(matches!(error, StoreError::Gone { .. }), "{error}");
            drop((store, other));
        }
    }
}
