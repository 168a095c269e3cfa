//! Everything that a store says, and the files that say it.

use std::collections::BTreeMap;
use std::path::Path;

use nestling_store::{
    FamousGame, Finished, Leg, ReadingRange, RunInfo, Store, StoreError, StoredCheckpoint, StoredImprovement,
};

use super::PROBLEM;

pub const DEFINITION: &str = "playout on left-move";

/// All that is known of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub info: RunInfo,
    pub legs: Vec<Leg>,
    pub steps: Vec<StoredImprovement>,
    pub outcomes: Vec<Finished>,
    pub checkpoints: Vec<(u64, Option<StoredCheckpoint>)>,
}

/// Everything a store says.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    pub runs: BTreeMap<i64, Run>,
    pub problems: Vec<String>,
    pub fame: Vec<FamousGame>,
    pub readings: Vec<ReadingRange>,
    pub best: Vec<(String, f64, i64)>,
}

impl Contents {
    /// None if the store says that it has nothing.
    pub fn read(path: &Path) -> Result<Option<Self>, StoreError> {
        let Some(store) = Store::look(path)? else { return Ok(None) };
        store.check()?;
        let mut runs = BTreeMap::new();
        for info in store.runs()? {
            let run = info.id;
            let numbers = store.checkpointed(run)?.into_iter();
            let checkpoints = numbers.map(|number| Ok((number, store.checkpoint(run, number)?)));
            let checkpoints = checkpoints.collect::<Result<_, StoreError>>()?;
            let (legs, steps, outcomes) = (store.legs(run)?, store.improvements(run)?, store.outcomes(run)?);
            assert_eq!(store.run(run)?, info);
            runs.insert(run, Run { info, legs, steps, outcomes, checkpoints });
        }
        Ok(Some(Contents {
            runs,
            problems: store.famous_problems()?,
            fame: store.hall_of_fame(PROBLEM, 1000)?,
            readings: store.readings(DEFINITION)?,
            best: store.best_of_searches(PROBLEM)?,
        }))
    }
}

/// The files of a store, by what follows the store's name.
pub type FileSet = BTreeMap<&'static str, Vec<u8>>;

pub const SUFFIXES: [&str; 4] = ["", "-wal", "-seen", "-copy"];

pub fn beside(path: &Path, suffix: &str) -> std::path::PathBuf {
    path.with_file_name(format!("{}{suffix}", path.file_name().unwrap().to_str().unwrap()))
}

/// All of them; a log without contents is as good as none.
pub fn load(path: &Path) -> FileSet {
    let file = |suffix: &'static str| Some((suffix, std::fs::read(beside(path, suffix)).ok()?));
    SUFFIXES.into_iter().filter_map(file).filter(|(suffix, bytes)| *suffix != "-wal" || !bytes.is_empty()).collect()
}

pub fn save(path: &Path, files: &FileSet) {
    for (suffix, bytes) in files {
        std::fs::write(beside(path, suffix), bytes).unwrap();
    }
}
