//! Saves what can still be read of a damaged store. Rows are found by their seals in the bytes of the files, put into a fresh
//! store, and compared with what the inventory and the standings say should be there; so what is missing has a name.

mod cell;
mod image;
mod pour;
mod pour_old;
mod settle;
mod swap;
#[cfg(test)]
mod tests;

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use crate::error::StoreFault;
use crate::files::{self, StoreFiles};
use crate::inventory::Inventory;
use crate::open::{READ_ONLY_HEADER, is_writable};
use crate::schema::{self, LAYOUT};
use crate::table::{CHECKPOINTS, GAMES, IMPROVEMENTS, OUTCOMES, READINGS, RUNS};
use crate::witness::{Seen, Witness};
use crate::{State, Store, StoreError, audit, old};
use image::Image;
use pour::PouredRows;
use settle::Settled;
pub(crate) use swap::finish_interrupted;

/// The result of repairing a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salvage {
    /// The damage; none if the store was intact, and nothing was changed.
    pub damage: Option<String>,
    /// The present path of the damaged file, if there was one.
    pub damaged: Option<PathBuf>,
    /// The content after the repair, in words: how many runs, improvements, checkpoints, outcomes, games and bundles of readings.
    pub kept: Vec<String>,
    /// The missing rows. Empty if nothing is missing.
    pub missing: Vec<StorePart>,
    /// The rows that were taken from the copy, because the damaged store had lost them.
    pub from_copy: Vec<StorePart>,
}

/// A part of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorePart {
    /// The run that it belongs to, if it belongs to one.
    pub run: Option<i64>,
    /// The kind of rows.
    pub what: String,
}

impl fmt::Display for StorePart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.run {
            Some(run) => write!(formatter, "run {run}: {}", self.what),
            None => self.what.fmt(formatter),
        }
    }
}

/// Called after every step that changes a file, with the name of the step: tests end the process there.
type Step<'a> = dyn FnMut(&str) + 'a;

/// How long to wait for those who have the store open.
const PATIENCE: Duration = Duration::from_secs(2);

/// Puts every row that can be found, and matches its seal, into a new file, which takes the place of the damaged one; that is
/// kept beside it. Refused while another process has the store open, and where not one row can be found: then the files stay
/// as they are. It can be interrupted at any time.
pub fn salvage(path: &Path) -> Result<Salvage, StoreError> {
    salvage_in_steps(path, &mut |_| {})
}

fn salvage_in_steps(path: &Path, step: &mut Step<'_>) -> Result<Salvage, StoreError> {
    let failed = |error: std::io::Error| StoreError::open(path, &error);
    let files = finish_interrupted(path)?;
    if files::size(&files.store).map_err(failed)?.is_none() && files.traces().map_err(failed)?.is_empty() {
        return Err(StoreError::Open { path: path.to_path_buf(), reason: "there is no such file".to_owned() });
    }
    let had_witness = files.seen.exists();
    let witness = Witness::make(&files.seen).map_err(failed)?;
    if !witness.lock(PATIENCE).map_err(failed)? {
        return Err(in_use(path, &witness));
    }
    let seen = witness.read().map_err(failed)?;
    let salvaged = damage(path, &seen).and_then(|damage| match damage {
        Ok(kept) => Ok(Salvage { damage: None, damaged: None, kept, missing: Vec::new(), from_copy: Vec::new() }),
        Err(damage) => restore(path, &files, &seen, &witness, damage, step),
    });
    if !had_witness && files::size(&files.seen).is_ok_and(|size| size == Some(0)) {
        // Nothing is put beside what may not be a store at all.
        let _ = files::remove(&files.seen);
    }
    salvaged
}

/// The obstacle: a run in progress, or another process that has the store open.
fn in_use(path: &Path, witness: &Witness) -> StoreError {
    // Another salvage would keep us waiting.
    let is_salvaged = !witness.share(Duration::ZERO).unwrap_or(false);
    let look = || Store::look(path).ok().flatten()?.runs().ok();
    let runs = if is_salvaged { None } else { look() };
    let running = runs.unwrap_or_default().into_iter().find_map(|run| match run.state {
        State::Running { process, host } => Some(StoreError::Leased { run: run.id, process, host }),
        _ => None,
    });
    running.unwrap_or_else(|| StoreError::InUse { path: path.to_path_buf() })
}

/// How much there is, in words.
type Contents = Vec<String>;

/// What there is in the store if it is whole, otherwise what is wrong with it. A store of another program or version is whole for
/// those who can read it.
fn damage(path: &Path, seen: &Seen) -> Result<Result<Contents, String>, StoreError> {
    let checked = Store::open_locked(path, seen).and_then(|store| {
        let Some(store) = store else { return Ok(Vec::new()) };
        store.check_all()?;
        for run in store.runs()? {
            if let State::Running { process, host } = run.state {
                return Err(StoreError::Leased { run: run.id, process, host });
            }
        }
        let kept = store.read(kept)?;
        let is_read_only = store.connection.is_readonly("main").unwrap_or(false);
        drop(store);
        if is_read_only && is_writable(path) {
            return Err(StoreFault::Damage(READ_ONLY_HEADER.to_owned()).of(path));
        }
        Ok(kept)
    });
    match checked {
        Ok(kept) => Ok(Ok(kept)),
        Err(StoreError::Damaged { what, .. }) => Ok(Err(what)),
        Err(StoreError::Missing { .. }) => Ok(Err("the file is missing".to_owned())),
        Err(error) => Err(error),
    }
}

fn kept(connection: &Connection) -> Result<Contents, StoreFault> {
    let mut kept = Vec::new();
    for table in [&RUNS, &IMPROVEMENTS, &CHECKPOINTS, &OUTCOMES, &GAMES, &READINGS] {
        let rows = table.total(connection, "", [])?.rows;
        kept.extend((rows > 0).then(|| table.counted(rows)));
    }
    Ok(kept)
}

fn restore(
    path: &Path,
    files: &StoreFiles,
    seen: &Seen,
    witness: &Witness,
    damage: String,
    step: &mut Step<'_>,
) -> Result<Salvage, StoreError> {
    let failed = |error: std::io::Error| StoreError::open(path, &error);
    let built = build(files, seen, step).map_err(|fault| fault.of(path));
    let Some(built) = built? else {
        files::remove(&files.restoring).map_err(failed)?;
        let path = path.to_path_buf();
        return Err(match files::size(&files.store).map_err(failed)? {
            Some(_) => StoreError::Unreadable { path },
            None => StoreError::Lost { path, traces: files.traces().map_err(failed)? },
        });
    };
    files::protect_like(&files.store, &files.restoring).map_err(failed)?;
    File::open(&files.restoring).and_then(|file| file.sync_all()).map_err(failed)?;
    step("filled");
    let damaged = swap::put_in_place(files, step).map_err(failed)?;
    // A witness that lags is harmless.
    let _ = witness.write(&built.inventory);
    let Built { kept, missing, from_copy, .. } = built;
    Ok(Salvage { damage: Some(damage), damaged, kept, missing, from_copy })
}

/// A fresh store with what could be found.
struct Built {
    inventory: Inventory,
    /// The identity of the damaged store, if anything knows it.
    identity: Option<i64>,
    kept: Contents,
    missing: Vec<StorePart>,
    from_copy: Vec<StorePart>,
}

/// Fills a fresh store from the damaged one, and from the copy if something is missing then; none if there is nothing.
fn build(files: &StoreFiles, seen: &Seen, step: &mut Step<'_>) -> Result<Option<Built>, StoreFault> {
    let damaged = sources(files, seen)?;
    let first = build_from(files, &damaged, None, seen)?;
    step("read");
    if first.as_ref().is_some_and(|built| built.missing.is_empty()) {
        return Ok(first);
    }
    let witnessed = seen.newest(None).map(|known| known.identity);
    let identity = first.as_ref().map_or(witnessed, |built| built.identity);
    let copy = open(&files.copy)?;
    if copy.is_empty() || !belongs(&copy, identity)? {
        return Ok(first);
    }
    build_from(files, &damaged, Some(&copy), seen)
}

/// The damaged store. Where it is missing, the last one that was put aside stands in: a salvage by an earlier version may have
/// ended there.
fn sources(files: &StoreFiles, seen: &Seen) -> Result<Vec<Image>, StoreFault> {
    let mut sources = vec![open(&files.store)?];
    if !files.store.exists() {
        let aside = (0..).map(|number| files.damaged(number)).take_while(|path| path.exists()).last();
        let aside = aside.map(|path| open(&path)).transpose()?;
        let identity = seen.newest(None).map(|known| known.identity);
        if let Some(aside) = aside.filter(|aside| belongs(aside, identity).unwrap_or(false)) {
            sources.push(aside);
        }
    }
    Ok(sources)
}

fn open(path: &Path) -> Result<Image, StoreFault> {
    Image::open(path, &StoreFiles::log_of(path)).map_err(|error| unreadable(path, &error))
}

/// Whether the rows of a file are of the store that is salvaged: another one may have been in its place before.
fn belongs(image: &Image, identity: Option<i64>) -> Result<bool, StoreFault> {
    let found = pour::identity(image)?;
    Ok(found.is_none() || identity.is_none() || found == identity)
}

fn unreadable(path: &Path, error: &std::io::Error) -> StoreFault {
    StoreFault::Refused(StoreError::open(path, error))
}

/// An empty file for a salvaged store. It is flushed as a whole, and made anew if it is not complete.
fn restoring(files: &StoreFiles, journal: &str) -> Result<Connection, StoreFault> {
    files::remove(&files.restoring).map_err(|error| unreadable(&files.restoring, &error))?;
    let fresh = Connection::open(&files.restoring)?;
    fresh.pragma_update(None, "journal_mode", journal)?;
    fresh.pragma_update(None, "synchronous", "off")?;
    Ok(fresh)
}

fn build_from(
    files: &StoreFiles,
    damaged: &[Image],
    copy: Option<&Image>,
    seen: &Seen,
) -> Result<Option<Built>, StoreFault> {
    let mut fresh = restoring(files, "off")?;
    let filling = fresh.transaction()?;
    filling.execute_batch(LAYOUT)?;
    let mut poured = PouredRows::new();
    for image in damaged {
        poured.extend(pour::pour(image, &filling)?);
    }
    let copied = copy.map_or_else(|| Ok(PouredRows::new()), |copy| pour::pour(copy, &filling))?;
    if poured.is_empty() && copied.is_empty() {
        drop(filling);
        drop(fresh);
        return build_from_old(files, damaged);
    }
    let Settled { inventory, identity, missing } = settle::settle(&filling, seen)?;
    schema::mark(&filling)?;
    audit::audit(&filling)?;
    let (kept, from_copy) = (kept(&filling)?, settle::pieces(&filling, &copied)?);
    filling.commit()?;
    Ok(Some(Built { inventory, identity, kept, missing, from_copy }))
}

/// The same from a store of schema 1 to 3, which nothing counted.
fn build_from_old(files: &StoreFiles, damaged: &[Image]) -> Result<Option<Built>, StoreFault> {
    let mut fresh = restoring(files, "memory")?;
    fresh.pragma_update(None, "foreign_keys", false)?;
    old::make(&fresh)?;
    let mut counts = pour_old::Counts::default();
    let filling = fresh.transaction()?;
    for image in damaged {
        let more = pour_old::pour_old(image, &filling)?;
        (counts.kept, counts.lost) = (counts.kept + more.kept, counts.lost + more.lost);
    }
    filling.commit()?;
    if counts.kept == 0 {
        return Ok(None);
    }
    old::migrate(&mut fresh)?;
    let inventory = Inventory::read(&fresh)?;
    let mut missing = vec![StorePart {
        run: None,
        what: "perhaps more: the earlier version that wrote this store did not count its rows".to_owned(),
    }];
    if counts.lost > 0 {
        missing.push(StorePart { run: None, what: format!("{} rows that do not match their checksums", counts.lost) });
    }
    Ok(Some(Built { inventory, identity: None, kept: kept(&fresh)?, missing, from_copy: Vec::new() }))
}
