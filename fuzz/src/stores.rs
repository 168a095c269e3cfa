//! Stores: a store with a few runs, bytes of which are changed anywhere; and runs that come from another store.

use std::path::Path;
use std::sync::OnceLock;

use nestling_registry::RunSpec;
use nestling_store::{Imported, PortableLine, Store, salvage};
use tempfile::TempDir;

use crate::presentable;
use crate::readers::registry;

/// The bytes of a store with a few runs.
fn original() -> &'static [u8] {
    static ORIGINAL: OnceLock<Vec<u8>> = OnceLock::new();
    ORIGINAL.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("runs.db");
        let mut store = Store::open(&path).expect("it can be made");
        for search in ["nrpa(3)", "nested(2)", "repeat(pool)"] {
            store.add(&RunSpec::new("morpion-5d").search(search)).expect("it can be written to");
        }
        drop(store);
        std::fs::read(&path).expect("it is there")
    })
}

/// A folder in memory, where there is one.
pub(crate) fn folder() -> TempDir {
    let shared = Path::new("/dev/shm");
    if shared.is_dir() { tempfile::tempdir_in(shared) } else { tempfile::tempdir() }.expect("a folder")
}

/// Four bytes of the input are a change: a place (three of them) and a value. The store is listed, and salvaged.
pub fn stores(bytes: &[u8]) {
    let mut content = original().to_vec();
    for change in bytes.chunks_exact(4) {
        let place = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize % content.len();
        content[place] = change[3];
    }
    let folder = folder();
    let path = folder.path().join("runs.db");
    std::fs::write(&path, &content).expect("a file");
    match Store::look(&path) {
        Ok(Some(store)) => {
            for run in store.runs().into_iter().flatten() {
                let read = [
                    store.improvements(run.id).map(drop),
                    store.legs(run.id).map(drop),
                    store.outcomes(run.id).map(drop),
                ];
                read.into_iter().filter_map(Result::err).for_each(|error| presentable(&error));
            }
        }
        Ok(None) => {}
        Err(error) => presentable(&error),
    }
    if let Err(error) = salvage(&path) {
        presentable(&error);
    }
}

/// Lines of a file of runs from another store: read, verified, added to an empty store, and written again.
pub fn portable(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<PortableLine> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if lines.is_empty() {
        return;
    }
    let folder = folder();
    let mut store = Store::open(&folder.path().join("runs.db")).expect("it can be made");
    for line in lines.iter().take(4) {
        let name = match line {
            PortableLine::Run(run) => serde_json::from_str(&run.spec).map(|spec: RunSpec| spec.problem).ok(),
            PortableLine::Game(game) => Some(game.problem.clone()),
        };
        let Some(Ok(problem)) = name.map(|name| registry().open(&name)) else { continue };
        let refused = match line {
            PortableLine::Run(run) => store.import(run, problem.as_ref()).expect("the store is sound").err(),
            PortableLine::Game(game) => store.import_game(game, problem.as_ref()).expect("the store is sound").err(),
        };
        refused.iter().for_each(presentable);
    }
    for run in store.runs().expect("it can be listed") {
        let written = store.portable(run.id).expect("what was read can be written");
        let problem = registry().open(&run.spec.problem).expect("it was opened before");
        let again = store.import(&written, problem.as_ref()).expect("the store is sound");
        assert!(matches!(again, Ok(Imported::Known(id)) if id == run.id), "{again:?}");
    }
}
