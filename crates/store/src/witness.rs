//! A witness of the store outside of SQLite. When the log is damaged, SQLite takes the store as it was before the damaged
//! place, and says nothing. So the last inventory is written down here as well: a store with fewer commits has lost some.
//!
//! The file is written after each commit, never before, and not flushed: it can lag behind the store, never run ahead. A crash,
//! a power failure and several processes at once leave one that lags at worst, which is harmless. The file is also what is
//! locked: shared by all processes that have the store open, exclusively by one that replaces it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::files::{guard, if_there};
use crate::inventory::Inventory;
use crate::schema::KNOWN;
use crate::seal::seal;

/// The length of a line. There are two, written in turn, so that one that was torn leaves the other.
const LINE: usize = 256;

const WORD: &str = "nestling-store";

/// The file, open and locked.
#[derive(Debug)]
pub(crate) struct Witness {
    file: File,
    guard: File,
}

/// The knowledge of a witness.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// The inventories that can be read: at most two.
    pub inventories: Vec<Inventory>,
    /// The schema of a later version, if such a one has written it.
    pub newer: Option<i64>,
}

impl Seen {
    /// Whether there has been a store.
    pub fn is_any(&self) -> bool {
        !self.inventories.is_empty() || self.newer.is_some()
    }

    /// The newest inventory of a store, or of any.
    pub fn newest(&self, identity: Option<i64>) -> Option<Inventory> {
        let of = |inventory: &&Inventory| identity.is_none_or(|identity| identity == inventory.identity);
        self.inventories.iter().filter(of).max_by_key(|inventory| inventory.commits).copied()
    }
}

impl Witness {
    /// The witness that is there; it is not locked yet.
    pub fn existing(path: &Path) -> io::Result<Option<Self>> {
        let writable = OpenOptions::new().read(true).write(true).open(path);
        if_there(writable.or_else(|_| File::open(path)))?.map(|file| Witness::guarded(file, path)).transpose()
    }

    /// The witness, which is made if there is none; it is not locked yet.
    pub fn make(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        Witness::guarded(file, path)
    }

    fn guarded(file: File, path: &Path) -> io::Result<Self> {
        Ok(Witness { guard: guard(&file, path)?, file })
    }

    /// Keeps other processes from replacing the store while this is open; false if another has been replacing it for too long.
    pub fn share(&self, patience: Duration) -> io::Result<bool> {
        wait(patience, || self.guard.try_lock_shared())
    }

    /// Keeps other processes from opening the store; false if others have it open and do not close it.
    pub fn lock(&self, patience: Duration) -> io::Result<bool> {
        wait(patience, || self.guard.try_lock())
    }

    pub fn read(&self) -> io::Result<Seen> {
        let mut bytes = Vec::new();
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0))?;
        file.take(2 * LINE as u64).read_to_end(&mut bytes)?;
        let mut seen = Seen::default();
        for line in bytes.chunks(LINE) {
            match parse(line) {
                Some(WitnessLine::Known(inventory)) => seen.inventories.push(inventory),
                Some(WitnessLine::Newer(schema)) => seen.newer = Some(schema),
                None => {}
            }
        }
        Ok(seen)
    }

    /// Records the contents of the store after a commit.
    pub fn write(&self, inventory: &Inventory) -> io::Result<()> {
        let slot = inventory.commits.rem_euclid(2).unsigned_abs();
        let mut file = &self.file;
        file.seek(SeekFrom::Start(slot * LINE as u64))?;
        file.write_all(line(inventory).as_bytes())
    }
}

/// Tries to lock until it works or patience ends. Where files cannot be locked, other processes cannot be kept out.
fn wait(patience: Duration, attempt: impl Fn() -> Result<(), TryLockError>) -> io::Result<bool> {
    let began = Instant::now();
    loop {
        match attempt() {
            Ok(()) => return Ok(true),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => return Ok(true),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if began.elapsed() >= patience => return Ok(false),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// The schema, the commits, all other numbers of the inventory, and a checksum, for people's eyes too.
fn line(inventory: &Inventory) -> String {
    let [schema, others @ ..] = inventory.numbers();
    let others: Vec<String> = others.iter().map(|number| format!("{number:x}")).collect();
    let text = format!("{WORD} {schema} {:x} {}", inventory.commits, others.join(" "));
    let text = format!("{text} {:x}", seal(&[text.as_bytes()]));
    format!("{text:<0$}\n", LINE - 1)
}

enum WitnessLine {
    Known(Inventory),
    Newer(i64),
}

fn parse(line: &[u8]) -> Option<WitnessLine> {
    let text = std::str::from_utf8(line).ok()?.trim_end();
    let (text, sum) = text.rsplit_once(' ')?;
    if format!("{:x}", seal(&[text.as_bytes()])) != sum {
        return None;
    }
    let (schema, rest) = text.strip_prefix(WORD)?.trim_start().split_once(' ')?;
    let schema: i64 = schema.parse().ok()?;
    if schema > KNOWN {
        return Some(WitnessLine::Newer(schema));
    }
    let number = |text: &str| u64::from_str_radix(text, 16).ok().map(u64::cast_signed);
    let numbers: Vec<i64> = rest.split(' ').map(number).collect::<Option<_>>()?;
    let (commits, others) = numbers.split_first()?;
    let columns: Vec<i64> = std::iter::once(schema).chain(others.iter().copied()).collect();
    (columns.len() == 10).then(|| WitnessLine::Known(Inventory::from_numbers(*commits, &columns)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inventory::Total;

    fn inventory(commits: i64) -> Inventory {
        let total = Total { rows: 3, seals: -7 };
        let (standings, collections, deleted) = (total, Total { rows: 0, seals: 0 }, total);
        Inventory {
            commits,
            schema: KNOWN,
            identity: i64::MIN,
            next_id: 9,
            last_run: 4,
            standings,
            collections,
            deleted,
        }
    }

    fn witness() -> (tempfile::TempDir, std::path::PathBuf, Witness) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.db-seen");
        let witness = Witness::make(&path).unwrap();
        (folder, path, witness)
    }

    /// Lines are read back; a line that was changed anywhere is ignored, and the one before it is used.
    #[test]
    fn a_torn_line_leaves_the_one_before() {
        let (_folder, path, witness) = witness();
        assert!(!witness.read().unwrap().is_any());
        for commits in [1, 2, 3] {
            witness.write(&inventory(commits)).unwrap();
        }
        assert_eq!(witness.read().unwrap().newest(None), Some(inventory(3)));
        assert_eq!(witness.read().unwrap().newest(Some(5)), None, "that is another store");
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes.len(), 2 * LINE);
        let text = line(&inventory(3)).trim_end().len();
        for index in 0..text {
            let mut torn = bytes.clone();
            torn[LINE + index] ^= 1;
            std::fs::write(&path, torn).unwrap();
            let seen = Witness::existing(&path).unwrap().unwrap().read().unwrap();
            assert_eq!(seen.newest(None), Some(inventory(2)), "byte {index}");
        }
    }

    /// Many processes may share the store; none replaces it meanwhile, and none opens it while it is replaced.
    #[test]
    fn the_store_is_shared_or_replaced() {
        let (_folder, path, first) = witness();
        let other = || Witness::existing(&path).unwrap().unwrap();
        let (second, third) = (other(), other());
        assert!(first.share(Duration::ZERO).unwrap() && second.share(Duration::ZERO).unwrap());
        assert!(!third.lock(Duration::ZERO).unwrap());
        drop((first, second));
        assert!(third.lock(Duration::ZERO).unwrap());
        assert!(!other().share(Duration::ZERO).unwrap());
    }
}
