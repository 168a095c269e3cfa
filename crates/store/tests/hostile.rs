//! Stores that are damaged at random. Looking at one shows either everything or damage; salvage ends with everything, or names
//! what is missing. Never an empty list where there was something, never a changed value. `scripts/soak` tries a thousand.

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::contents::{Contents, FileSet, Run, beside, load, save};
use crate::common::folder;
use crate::common::killed::{KINDS, Kind, make};
use nestling::{Rng, Stream};
use nestling_store::{StoreError, StorePart, salvage};

/// What is done to a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Damage {
    HeaderBit,
    PageBits,
    PageBlock,
    PagesSwapped,
    LogHeadBit,
    FrameHeadBit,
    LogBits,
    LogBlock,
    Truncated,
    LogTruncated,
    LogDeleted,
    StoreDeleted,
    StoreEmptied,
    Updated,
    RowDeleted,
    RowCopied,
    Dropped,
    Renumbered,
    WitnessHit,
}

const DAMAGES: [Damage; 19] = [
    Damage::HeaderBit,
    Damage::PageBits,
    Damage::PageBlock,
    Damage::PagesSwapped,
    Damage::LogHeadBit,
    Damage::FrameHeadBit,
    Damage::LogBits,
    Damage::LogBlock,
    Damage::Truncated,
    Damage::LogTruncated,
    Damage::LogDeleted,
    Damage::StoreDeleted,
    Damage::StoreEmptied,
    Damage::Updated,
    Damage::RowDeleted,
    Damage::RowCopied,
    Damage::Dropped,
    Damage::Renumbered,
    Damage::WitnessHit,
];

const TABLES: [&str; 11] = [
    "inventory",
    "runs",
    "standings",
    "legs",
    "improvements",
    "checkpoints",
    "outcomes",
    "games",
    "readings",
    "collections",
    "deleted",
];

impl Damage {
    /// Does it to the files; false if they have nothing to do it to.
    fn apply(self, files: &mut FileSet, rng: &mut Rng) -> bool {
        let log = if self == Damage::WitnessHit { "-seen" } else { "-wal" };
        let log_length = files.get(log).map_or(0, Vec::len);
        let frame = 24 + 4096;
        match self {
            Damage::HeaderBit => flip(files.get_mut("").unwrap(), 0, 100, rng),
            Damage::PageBits => (0..=rng.below(3)).for_each(|_| flip_any(files.get_mut("").unwrap(), rng)),
            Damage::PageBlock => block(files.get_mut("").unwrap(), rng),
            Damage::PagesSwapped => {
                let bytes = files.get_mut("").unwrap();
                let pages = bytes.len() / 4096;
                let (one, other) = (rng.below(pages), rng.below(pages));
                (0..4096).for_each(|index| bytes.swap(one * 4096 + index, other * 4096 + index));
            }
            Damage::Truncated => {
                let bytes = files.get_mut("").unwrap();
                bytes.truncate(1 + rng.below(bytes.len()));
            }
            Damage::StoreDeleted => drop(files.remove("")),
            Damage::StoreEmptied => files.get_mut("").unwrap().clear(),
            _ if self.uses_sql() => return self.apply_sql(files, rng),
            _ if log_length < 2 * frame && log == "-wal" => return false,
            Damage::LogHeadBit => flip(files.get_mut(log).unwrap(), 0, 32, rng),
            Damage::FrameHeadBit => {
                let start = 32 + frame * rng.below((log_length - 32) / frame);
                flip(files.get_mut(log).unwrap(), start, start + 24, rng);
            }
            Damage::LogBits => (0..=rng.below(3)).for_each(|_| flip_any(files.get_mut(log).unwrap(), rng)),
            Damage::LogBlock => block(files.get_mut(log).unwrap(), rng),
            Damage::LogTruncated => files.get_mut(log).unwrap().truncate(1 + rng.below(log_length - 1)),
            Damage::LogDeleted => drop(files.remove(log)),
            Damage::WitnessHit => match rng.below(3) {
                0 => drop(files.remove(log)),
                1 => files.get_mut(log).unwrap().truncate(rng.below(log_length)),
                _ => flip_any(files.get_mut(log).unwrap(), rng),
            },
            _ => unreachable!("{self:?}"),
        }
        true
    }

    fn uses_sql(self) -> bool {
        use Damage::{Dropped, Renumbered, RowCopied, RowDeleted, Updated};
        matches!(self, Updated | RowDeleted | RowCopied | Dropped | Renumbered)
    }

    /// What one statement of SQL can do.
    fn apply_sql(self, files: &mut FileSet, rng: &mut Rng) -> bool {
        let (_kept, path) = folder();
        save(&path, files);
        let database = rusqlite::Connection::open(&path).unwrap();
        let table = TABLES[rng.below(TABLES.len())];
        let any = format!("(SELECT id FROM {table} ORDER BY id LIMIT 1 OFFSET {})", rng.below(3));
        let statement = match self {
            Damage::Updated => {
                let mut query = database.prepare("SELECT name, type FROM pragma_table_info(?)").unwrap();
                let columns = query.query_map([table], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
                let columns: Vec<(String, String)> = columns.map(Result::unwrap).collect();
                let (name, kind) = &columns[rng.below(columns.len())];
                let changed = match kind.as_str() {
                    "INTEGER" | "REAL" => format!("coalesce({name}, 0) + {}", 1 + rng.below(3)),
                    "TEXT" => format!("{name} || 'x'"),
                    _ => format!("zeroblob(length({name}))"),
                };
                format!("UPDATE OR IGNORE {table} SET {name} = {changed} WHERE id = {any}")
            }
            Damage::RowDeleted => format!("DELETE FROM {table} WHERE id = {any}"),
            Damage::RowCopied => {
                let part = ["legs", "improvements", "checkpoints", "outcomes"][rng.below(4)];
                format!("UPDATE OR IGNORE {part} SET run = (SELECT max(id) FROM runs WHERE id <> run)")
            }
            Damage::Dropped => match rng.below(2) {
                0 => format!("DROP TABLE {table}"),
                _ => "DROP INDEX improvements_of".to_owned(),
            },
            _ => format!("PRAGMA {} = {}", ["user_version", "application_id"][rng.below(2)], rng.below(9)),
        };
        database.execute_batch(&statement).unwrap();
        drop(database);
        let witness = files.remove("-seen").unwrap();
        let copy = files.remove("-copy");
        *files = load(&path);
        files.insert("-seen", witness);
        files.extend(copy.map(|copy| ("-copy", copy)));
        true
    }
}

fn flip(bytes: &mut [u8], from: usize, to: usize, rng: &mut Rng) {
    bytes[from + rng.below(to - from)] ^= 1 << rng.below(8);
}

fn flip_any(bytes: &mut [u8], rng: &mut Rng) {
    flip(bytes, 0, bytes.len(), rng);
}

/// A sector or a page is zero, or noise.
fn block(bytes: &mut [u8], rng: &mut Rng) {
    let size = [512, 4096][rng.below(2)];
    let start = size * rng.below(bytes.len().div_ceil(size));
    let noise = rng.below(2) == 0;
    for byte in bytes.iter_mut().skip(start).take(size) {
        *byte = if noise { rng.below(256) as u8 } else { 0 };
    }
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// Nothing that is read was hit.
    Unhurt,
    /// Noticed, and everything was saved.
    Saved,
    /// Noticed, and what is missing was named.
    Named,
    /// Noticed, and there is nothing left.
    Nothing,
}

/// Damages a store, looks at it, salvages it.
fn torment(kind: Kind, whole: &FileSet, before: &Contents, damage: Damage, rng: &mut Rng, name: &str) -> Option<End> {
    let mut files = whole.clone();
    if !damage.apply(&mut files, rng) {
        return None;
    }
    let (_kept, path) = folder();
    save(&path, &files);
    let noticed = match Contents::read(&path) {
        Ok(Some(contents)) => {
            assert!(contents == *before, "{name}: shown as whole, and it is not");
            false
        }
        Ok(None) => panic!("{name}: shown as empty"),
        Err(StoreError::Damaged { .. } | StoreError::Missing { .. }) => true,
        Err(error) => panic!("{name}: {error}"),
    };
    if noticed {
        assert!(load(&path) == files, "{name}: a damaged store was changed by looking at it");
    }
    match salvage(&path) {
        Ok(saved) => {
            assert!(noticed <= saved.damage.is_some(), "{name}: salvage found nothing");
            let after = Contents::read(&path).unwrap_or_else(|error| panic!("{name}: {error}: {saved:?}"));
            let after = after.unwrap_or_else(|| panic!("{name}: nothing after salvage: {saved:?}"));
            compare(before, &after, &saved.missing, name);
            assert_eq!(salvage(&path).unwrap().damage, None, "{name}: salvage twice");
            if let Some(damaged) = saved.damaged {
                let first = files.get("").filter(|bytes| !bytes.is_empty()).unwrap_or_else(|| &files["-wal"]);
                assert!(std::fs::read(damaged).unwrap() == *first, "{name}: the damaged file is kept");
            }
            Some(match (noticed, saved.missing.is_empty()) {
                (false, true) => End::Unhurt,
                (_, true) => End::Saved,
                (_, false) => End::Named,
            })
        }
        Err(StoreError::Unreadable { .. } | StoreError::Lost { .. }) => {
            use Damage::{LogDeleted, LogTruncated, StoreDeleted, StoreEmptied, Truncated};
            let heavy = matches!(damage, LogDeleted | LogTruncated | StoreDeleted | StoreEmptied | Truncated);
            assert!(heavy && kind != Kind::Copied, "{name}: not everything was lost");
            assert!(load(&path) == files, "{name}: what cannot be read stays as it is");
            Some(End::Nothing)
        }
        Err(error) => panic!("{name}: {error}"),
    }
}

/// Nothing is new or changed; what is missing is named.
fn compare(before: &Contents, after: &Contents, missing: &[StorePart], name: &str) {
    if missing.is_empty() {
        assert!(before == after, "{name}: nothing is said to be missing\n{before:#?}\n{after:#?}");
        return;
    }
    let is_named = |run: Option<i64>| missing.iter().any(|piece| piece.run == run || piece.run.is_none());
    for (id, run) in &before.runs {
        let same = after.runs.get(id) == Some(run);
        assert!(same || is_named(Some(*id)), "{name}: run {id} has changed, {missing:?}");
    }
    for (id, run) in &after.runs {
        let original = before.runs.get(id).unwrap_or_else(|| panic!("{name}: run {id} is new"));
        assert_part(run, original, name);
    }
    let games = |contents: &Contents| (contents.fame.clone(), contents.readings.clone());
    assert!(games(before) == games(after) || is_named(None), "{name}: games or readings, {missing:?}");
    assert!(after.fame.iter().all(|game| before.fame.contains(game)), "{name}: a game is new");
    assert!(after.readings.iter().all(|bundle| before.readings.contains(bundle)), "{name}: a reading is new");
}

/// A run may have less than it had, and be less far; nothing of it is another.
fn assert_part(run: &Run, original: &Run, name: &str) {
    let id = run.info.id;
    assert_eq!(run.info.spec, original.info.spec, "{name}: run {id}");
    assert!(run.steps.iter().all(|step| original.steps.contains(step)), "{name}: run {id}, improvements");
    assert!(run.outcomes.iter().all(|outcome| original.outcomes.contains(outcome)), "{name}: run {id}, outcomes");
    let finished = run.outcomes.iter().filter_map(|finished| finished.outcome.score());
    let best = run.steps.iter().map(|step| step.score).chain(finished);
    assert_eq!(run.info.best, best.reduce(f64::max), "{name}: run {id}, best");
    let done = run.info.state == nestling_store::State::Done;
    assert!(!done || run.outcomes.len() as u64 == run.info.spec.runs, "{name}: run {id} is called done");
}

fn torment_many(trials: usize) {
    let stores: Vec<_> = KINDS.into_iter().map(|kind| (kind, make(kind))).collect();
    let mut figures: BTreeMap<Damage, BTreeMap<End, usize>> = BTreeMap::new();
    for trial in 0..trials {
        let mut rng = Stream::new(19).child(trial as u64).rng();
        let (kind, (files, contents)) = &stores[trial % stores.len()];
        let end = std::iter::repeat_with(|| DAMAGES[rng.below(DAMAGES.len())]).take(100).collect::<Vec<_>>();
        let mut rng = Stream::new(20).child(trial as u64).rng();
        let (damage, end) = end
            .into_iter()
            .find_map(|damage| {
                let name = format!("trial {trial}, {kind:?}, {damage:?}");
                torment(*kind, files, contents, damage, &mut rng, &name).map(|end| (damage, end))
            })
            .unwrap();
        *figures.entry(damage).or_default().entry(end).or_default() += 1;
    }
    let hurt: usize = figures
        .values()
        .map(|ends| ends.iter().filter(|(end, _)| **end != End::Unhurt).map(|(_, n)| n).sum::<usize>())
        .sum();
    assert!(2 * hurt > trials, "only {hurt} of {trials} stores were hurt at all");
    assert!(trials < 1000 || figures.len() == DAMAGES.len(), "not every damage was tried");
    println!("{trials} damaged stores:");
    for (damage, ends) in figures {
        println!("  {damage:?}: {ends:?}");
    }
}

#[test]
fn damaged_stores_are_noticed_and_salvaged() {
    torment_many(100);
}

#[test]
#[ignore = "takes a few minutes; scripts/soak runs it"]
fn a_thousand_damaged_stores() {
    torment_many(1_000);
}

/// Every bit of the header, and of the heads of the log, for the store that is all in the log and the one that is all in a file.
#[test]
#[ignore = "takes a few minutes; scripts/soak runs it"]
fn every_bit_of_the_headers() {
    for kind in [Kind::Early, Kind::Closed] {
        let (whole, before) = make(kind);
        for (suffix, length) in [("", 100), ("-wal", 32 + 24)] {
            for bit in 0..8 * length {
                let mut files = whole.clone();
                let Some(bytes) = files.get_mut(suffix).filter(|bytes| bytes.len() > length) else { continue };
                bytes[bit / 8] ^= 1 << (bit % 8);
                let name = format!("{kind:?}, bit {bit} of runs.db{suffix}");
                let (_kept, path) = folder();
                save(&path, &files);
                match Contents::read(&path) {
                    Ok(contents) => assert!(contents.as_ref() == Some(&before), "{name}"),
                    Err(StoreError::Damaged { .. }) => {}
                    Err(error) => panic!("{name}: {error}"),
                }
                let saved = salvage(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(saved.missing.is_empty(), "{name}: {saved:?}");
                assert!(Contents::read(&path).unwrap().as_ref() == Some(&before), "{name}");
            }
        }
    }
}

/// Without a store, or with one of no length, what is left beside it says that there was one.
#[test]
fn a_store_that_is_gone_is_missed() {
    let (files, _) = make(Kind::Killed);
    for suffix in ["-seen", "-wal"] {
        let (_kept, path) = folder();
        std::fs::write(beside(&path, suffix), &files[suffix]).unwrap();
        let error = Contents::read(&path).err().unwrap().to_string();
        assert!(error.contains("missing") && error.contains(&format!("runs.db{suffix}")), "{error}");
    }
    let (_kept, path) = folder();
    assert!(Contents::read(Path::new(&path)).unwrap().is_none(), "there was never one");
}
