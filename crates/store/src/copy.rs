//! The automatic copy: the whole store in one file beside it, for salvage, made at most once a day by a process that writes.

use std::fs::{self, File, Metadata, TryLockError};
use std::time::{Duration, Instant};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ffi};

use crate::audit::LARGE;
use crate::inventory::Inventory;
use crate::open::PATIENCE;
use crate::{Store, StoreError, files};

/// How old a copy may become.
const AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// How long to wait after a copy that could not be made.
const RETRY: Duration = Duration::from_secs(60 * 60);

/// The commit after which the first copy is made: before it there is little to lose.
const FIRST: i64 = 60;

impl Store {
    /// Makes the copy if it is time. A copy that cannot be made costs nothing else: what went wrong waits to be told.
    pub(crate) fn copy_if_due(&mut self, inventory: &Inventory) {
        if self.copy_tried.is_some_and(|tried| tried.elapsed() < RETRY) || !self.is_copy_due(inventory) {
            return;
        }
        self.copy_tried = Some(Instant::now());
        if let Err(error) = self.copy() {
            self.copy_failure = Some(format!("the daily copy of the store could not be made: {error}"));
        }
    }

    /// A store that is too large to be checked is not copied either: the copy might replace a better one.
    fn is_copy_due(&self, inventory: &Inventory) -> bool {
        let size = files::size(&self.files.store).ok().flatten().unwrap_or(0);
        match files::metadata(&self.files.copy) {
            _ if size > LARGE => false,
            Ok(None) => inventory.commits >= FIRST,
            // One from the future was made before the clock was set back.
            Ok(Some(copy)) => copy.modified().is_ok_and(|made| made.elapsed().map_or(true, |age| age > AGE)),
            Err(_) => false,
        }
    }

    /// Copies the store, if it is whole, under another name, which then takes the place of the copy before.
    pub(crate) fn copy(&self) -> Result<(), StoreError> {
        let failed = |error: std::io::Error| StoreError::open(&self.files.copying, &error);
        let copying =
            File::options().create(true).truncate(false).write(true).open(&self.files.copying).map_err(failed)?;
        let guard = files::guard(&copying, &self.files.copying).map_err(failed)?;
        match guard.try_lock() {
            // Another process is making it.
            Err(TryLockError::WouldBlock) => return Ok(()),
            // Where files cannot be locked, the last to be renamed stays, and each is whole.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        // It may have made it while this one was opening the file, which now has another name.
        let number = |found: Option<Metadata>| found.as_ref().and_then(files::file_number);
        let named = number(files::metadata(&self.files.copying).map_err(failed)?);
        if number(copying.metadata().ok()) != named {
            return Ok(());
        }
        self.check()?;
        copying.set_len(0).map_err(failed)?;
        files::protect_like(&self.files.store, &self.files.copying).map_err(failed)?;
        self.back_up().map_err(|error| StoreError::new(&self.files.copying, &error))?;
        copying.sync_all().map_err(failed)?;
        fs::rename(&self.files.copying, &self.files.copy).map_err(failed)?;
        self.files.sync_folder().map_err(failed)
    }

    fn back_up(&self) -> rusqlite::Result<()> {
        let mut target = Connection::open(&self.files.copying)?;
        // Half a copy is of no use, so there is nothing to roll back.
        target.pragma_update(None, "journal_mode", "off")?;
        let backup = Backup::new(&self.connection, &mut target)?;
        let began = Instant::now();
        loop {
            match backup.step(-1)? {
                StepResult::Done => return Ok(()),
                StepResult::More => {}
                _ if began.elapsed() > PATIENCE => {
                    return Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_BUSY), None));
                }
                _ => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestling_registry::RunSpec;

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("runs.db")).unwrap();
        (folder, store)
    }

    fn age(store: &Store, age: Duration) {
        let file = File::options().write(true).open(&store.files.copy).unwrap();
        file.set_modified(std::time::SystemTime::now() - age).unwrap();
    }

    /// The first copy comes when there is something to copy; the next one a day later, and no sooner.
    #[test]
    fn one_copy_a_day() {
        let (_folder, mut store) = store();
        let runs = |store: &Store| rusqlite_count(&store.files.copy);
        while store.read(Inventory::read).unwrap().commits < FIRST {
            assert!(!store.files.copy.exists());
            store.add(&RunSpec::new("morpion-5d").search("nested(1)")).unwrap();
        }
        let first = runs(&store);
        assert_eq!(first as usize, store.runs().unwrap().len());
        for (hours, copied) in [(23, first), (25, first + 2)] {
            age(&store, Duration::from_secs(hours * 3600));
            store.copy_tried = None;
            store.add(&RunSpec::new("morpion-5d").search("nested(1)")).unwrap();
            assert_eq!(runs(&store), copied, "{hours} hours");
        }
        assert!(!store.files.copying.exists());
    }

    /// A damaged store does not replace the copy of a whole one, and people hear of it.
    #[test]
    fn a_damaged_store_is_not_copied() {
        let (_folder, mut store) = store();
        store.add(&RunSpec::new("morpion-5d").search("nested(1)")).unwrap();
        store.copy().unwrap();
        store.connection.execute("UPDATE runs SET machine = 'another'", []).unwrap();
        age(&store, AGE + Duration::from_secs(1));
        let before = fs::read(&store.files.copy).unwrap();
        store.add(&RunSpec::new("morpion-5d").search("nested(1)")).unwrap();
        assert_eq!(fs::read(&store.files.copy).unwrap(), before);
        let told = store.copy_failure.take().unwrap();
        assert!(told.contains("daily copy") && told.contains("checksum does not match"), "{told}");
    }

    fn rusqlite_count(path: &std::path::Path) -> i64 {
        let copy = Connection::open(path).unwrap();
        copy.query_row("SELECT count(*) FROM runs", [], |row| row.get(0)).unwrap()
    }
}
