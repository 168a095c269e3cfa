//! Salvage that is interrupted: a process of its own is ended between two steps, and the next process finds a store.

use std::collections::BTreeMap;
use std::process::Command;

use nestling::{Certified, Counts, Improvement, Spent};

use super::*;
use crate::write;
use crate::{Moment, RunInfo, StoredCheckpoint, StoredImprovement as Found};
use nestling_registry::RunSpec;

const STORE: &str = "NESTLING_TEST_SALVAGE";
const STOP: &str = "NESTLING_TEST_STOP";

/// The process that salvages and is ended after so many steps; without a store to salvage this does nothing.
#[test]
fn salvage_until_stopped() {
    let Some(path) = std::env::var_os(STORE) else { return };
    let stop: usize = std::env::var(STOP).unwrap().parse().unwrap();
    let mut steps = 0;
    let salvaged = salvage_in_steps(Path::new(&path), &mut |_| {
        steps += 1;
        if steps == stop {
            std::process::abort();
        }
    });
    salvaged.unwrap();
}

/// Salvages in a process of its own; whether it was ended before its time.
fn interrupt(path: &Path, stop: usize) -> bool {
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "salvage::tests::salvage_until_stopped"])
        .env(STORE, path)
        .env(STOP, stop.to_string())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success() || status.code().is_none(), "{status}");
    status.code().is_none()
}

type FileSet = BTreeMap<&'static str, Vec<u8>>;

fn beside(path: &Path, suffix: &str) -> PathBuf {
    path.with_file_name(format!("runs.db{suffix}"))
}

/// A store with a log, as a killed process leaves it.
fn left_behind() -> FileSet {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    let mut store = Store::open(&path).unwrap();
    for seed in 0..5 {
        let spec = RunSpec { seed: Some(seed), ..RunSpec::new("morpion-5d").search("nested(1)") };
        let run = store.add(&spec).unwrap();
        let filled = store.write(|writing| {
            for score in 1..=10 {
                let moves = (0..score).map(|index| format!("move {index} of run {run}")).collect();
                let game = Certified::kept(score as f64, true, moves);
                let found = Improvement { game, playouts: 5, elapsed: Duration::from_secs(1) };
                write::improvement(writing, &spec, run, 0, &found, Moment(7))?;
            }
            let spent = Spent { time: Duration::from_secs(3), work: Counts { playouts: 9, moves: 99 } };
            write::checkpoint(writing, run, 0, &[run as u8; 9_000], spent)
        });
        filled.unwrap();
        if seed == 2 {
            store.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).unwrap();
        }
    }
    let files = ["", "-wal", "-shm", "-seen"].into_iter();
    files.map(|suffix| (suffix, std::fs::read(beside(&path, suffix)).unwrap())).collect()
}

/// A damaged store: what was done to it, and its files.
fn damaged() -> Vec<(&'static str, FileSet)> {
    let whole = left_behind();
    let change = |suffix: &'static str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut files = whole.clone();
        change(files.get_mut(suffix).unwrap());
        files
    };
    let mut gone = whole.clone();
    gone.remove("");
    vec![
        ("a bit of the log", change("-wal", &|bytes| bytes[32 + 24 + 77] ^= 1)),
        ("the end of the log", change("-wal", &|bytes| bytes.truncate(bytes.len() / 8))),
        ("most pages", change("", &|bytes| bytes[8 * 4096..].fill(0))),
        ("the file", gone),
    ]
}

fn save(files: &FileSet) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    files.iter().for_each(|(suffix, bytes)| std::fs::write(beside(&path, suffix), bytes).unwrap());
    (folder, path)
}

/// Everything that a person sees of a run.
type Seen = (RunInfo, Vec<Found>, Option<StoredCheckpoint>);

fn contents(path: &Path) -> Result<Vec<Seen>, StoreError> {
    let store = Store::look(path)?.expect("there is a store");
    store.check()?;
    let of = |run: RunInfo| Ok((store.improvements(run.id)?, store.checkpoint(run.id, 0)?)).map(|(a, b)| (run, a, b));
    store.runs()?.into_iter().map(of).collect()
}

/// How many steps a salvage has, and what it ends with.
fn undisturbed(files: &FileSet) -> (usize, Vec<Seen>) {
    let (_folder, path) = save(files);
    let mut steps = 0;
    let saved = salvage_in_steps(&path, &mut |_| steps += 1).unwrap();
    assert!(saved.damage.is_some(), "{saved:?}");
    (steps, contents(&path).unwrap())
}

/// After an interruption the path has the damaged store or the salvaged one, and what was damaged is still there.
fn assert_kept(path: &Path, files: &FileSet, saved: &[Seen], name: &str) {
    match contents(path) {
        Ok(found) => assert!(found == saved, "{name}: neither the one nor the other"),
        Err(StoreError::Damaged { .. } | StoreError::Missing { .. }) => {
            for suffix in ["", "-wal"] {
                let now = std::fs::read(beside(path, suffix)).ok();
                assert!(now.as_ref() == files.get(suffix), "{name}: runs.db{suffix} has changed");
            }
        }
        Err(error) => panic!("{name}: {error}"),
    }
}

fn interrupt_many(twice: bool) {
    let mut interruptions = 0;
    for (damage, files) in damaged() {
        let (steps, saved) = undisturbed(&files);
        assert!(steps >= 6, "{damage}: {steps} steps");
        for first in 1..=steps {
            for second in if twice { 1..=steps } else { 1..=1 } {
                let name = format!("{damage}, steps {first} and {second} of {steps}");
                let (_folder, path) = save(&files);
                assert!(interrupt(&path, first), "{name}: it was to be ended");
                interruptions += 1;
                // Looking at it may finish the work; half of the time, salvage does.
                if (first + second) % 2 == 0 {
                    assert_kept(&path, &files, &saved, &name);
                }
                if twice {
                    interruptions += usize::from(interrupt(&path, second));
                    assert_kept(&path, &files, &saved, &name);
                }
                let again = salvage(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(again.damage.is_none() || !again.kept.is_empty(), "{name}");
                assert!(contents(&path).unwrap() == saved, "{name}: the end is another");
                for suffix in ["", "-wal"] {
                    let Some(bytes) = files.get(suffix) else { continue };
                    let kept = std::fs::read(beside(&path, &format!(".damaged{suffix}"))).ok();
                    assert!(kept.as_ref() == Some(bytes), "{name}: the damaged runs.db{suffix} is not kept");
                }
                assert!(!beside(&path, ".damaged-1").exists(), "{name}: it is kept twice");
                assert!(!beside(&path, ".restored").exists() && !beside(&path, ".restoring").exists(), "{name}");
            }
        }
    }
    println!("{interruptions} interrupted salvages");
    assert!(interruptions >= if twice { 200 } else { 20 }, "{interruptions}");
}

#[test]
fn interrupted_salvages_are_finished() {
    interrupt_many(false);
}

#[test]
#[ignore = "takes a minute; scripts/soak runs it"]
fn two_hundred_interrupted_salvages() {
    interrupt_many(true);
}

/// Of two salvages at once one is refused, and so is one while the store is open.
#[test]
fn one_salvage_at_a_time() {
    let files = damaged().remove(0).1;
    let (_folder, path) = save(&files);
    let mut refused = None;
    salvage_in_steps(&path, &mut |_| refused = refused.take().or_else(|| salvage(&path).err())).unwrap();
    assert!(matches!(refused, Some(StoreError::InUse { .. })), "{refused:?}");
    let store = Store::open(&path).unwrap();
    assert!(matches!(salvage(&path), Err(StoreError::InUse { .. })));
    drop(store);
    assert_eq!(salvage(&path).unwrap().damage, None);
}

/// What an earlier salvage has put aside is never overwritten.
#[test]
fn earlier_damaged_files_stay() {
    let files = damaged().remove(0).1;
    let (_folder, path) = save(&files);
    std::fs::write(beside(&path, ".damaged"), "put aside before").unwrap();
    std::fs::write(beside(&path, ".damaged-1-wal"), "and a log").unwrap();
    let saved = salvage(&path).unwrap();
    assert_eq!(saved.damaged, Some(std::fs::canonicalize(beside(&path, ".damaged-2")).unwrap()));
    assert_eq!(std::fs::read(beside(&path, ".damaged")).unwrap(), b"put aside before");
    assert_eq!(std::fs::read(beside(&path, ".damaged-1-wal")).unwrap(), b"and a log");
}

/// A salvage of an earlier version that was ended between its two renames left no store: what it had put aside stands in.
#[test]
fn what_an_earlier_version_put_aside_is_found() {
    let (_folder, path) = save(&left_behind());
    let before = contents(&path).unwrap();
    std::fs::rename(&path, beside(&path, ".damaged")).unwrap();
    std::fs::remove_file(beside(&path, "-seen")).unwrap();
    assert!(matches!(Store::look(&path), Err(StoreError::Missing { .. })));
    let saved = salvage(&path).unwrap();
    assert_eq!(saved.missing, []);
    assert!(contents(&path).unwrap() == before);
}
