//! Puts a salvaged store in the place of the damaged one, so that it may be interrupted anywhere: as long as the complete store
//! has its own name, the next process that opens the store finishes this.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Step;
use crate::StoreError;
use crate::files::{self, StoreFiles};
use crate::open::PATIENCE;
use crate::witness::Witness;

/// Declares the salvaged store complete, and puts it in place. Where the damaged one is now.
pub(super) fn put_in_place(files: &StoreFiles, step: &mut Step<'_>) -> io::Result<Option<PathBuf>> {
    fs::rename(&files.restoring, &files.restored)?;
    files.sync_folder()?;
    step("complete");
    finish(files, step)
}

/// Puts a complete salvaged store in place. An old log beside it would be taken for its own, so that the log goes first; before
/// that everything damaged has another name.
fn finish(files: &StoreFiles, step: &mut Step<'_>) -> io::Result<Option<PathBuf>> {
    let damaged = preserve(files, step)?;
    files::remove(&files.log)?;
    step("log removed");
    files::remove(&files.index)?;
    files.sync_folder()?;
    step("index removed");
    fs::rename(&files.restored, &files.store)?;
    step("in place");
    files.sync_folder()?;
    Ok(damaged)
}

/// Gives the damaged files a second name, if they have none yet; that of the first. What an earlier salvage has put aside stays.
fn preserve(files: &StoreFiles, step: &mut Step<'_>) -> io::Result<Option<PathBuf>> {
    let mut pairs = Vec::new();
    for number in 0.. {
        let name = files.damaged(number);
        pairs = vec![(&files.store, name.clone()), (&files.log, StoreFiles::log_of(&name))];
        let taken = pairs.iter().map(|(file, name)| same(file, name)).collect::<io::Result<Vec<_>>>()?;
        // A log that is gone already was given the name that its store has.
        let is_finished = taken[0] == Some(true) && files::size(&files.log)?.is_none();
        if is_finished || !taken.contains(&Some(false)) {
            break;
        }
    }
    let mut preserved = None;
    for (from, to) in pairs {
        if files::size(from)?.unwrap_or(0) == 0 {
            continue;
        }
        if same(from, &to)?.is_none() {
            duplicate(from, &to, &files.restoring)?;
            step("preserved");
        }
        preserved.get_or_insert(to);
    }
    files.sync_folder()?;
    Ok(preserved)
}

/// Whether a name belongs to the same file as another; none if it is free.
fn same(file: &Path, name: &Path) -> io::Result<Option<bool>> {
    let Some(found) = files::metadata(name)? else { return Ok(None) };
    let number = files::metadata(file)?.as_ref().and_then(files::file_number);
    Ok(Some(number.is_some() && number == files::file_number(&found)))
}

/// A second name for a file, or a copy where files have only one.
fn duplicate(from: &Path, to: &Path, unfinished: &Path) -> io::Result<()> {
    if fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    fs::copy(from, unfinished)?;
    fs::File::open(unfinished)?.sync_all()?;
    fs::rename(unfinished, to)
}

/// Finishes a salvage that was interrupted when the new store was complete.
pub(crate) fn finish_interrupted(path: &Path) -> Result<StoreFiles, StoreError> {
    let files = StoreFiles::of(path);
    let failed = |error: io::Error| StoreError::open(path, &error);
    if files::size(&files.restored).map_err(failed)?.is_none() {
        return Ok(files);
    }
    let witness = Witness::make(&files.seen).map_err(failed)?;
    if !witness.lock(PATIENCE).map_err(failed)? {
        return Err(StoreError::Busy { path: path.to_path_buf() });
    }
    // Another process may have been faster.
    if files::size(&files.restored).map_err(failed)?.is_some() {
        finish(&files, &mut |_| {}).map_err(failed)?;
    }
    Ok(files)
}
