//! Checkpoints of format 2, which an earlier version wrote in the middle of a run, lead to the end that the run had there; checkpoints
//! that cannot be read are refused.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crate::common::{Checkpoints, LeftMove, Maze, NEVER, assert_same, interrupt, run};
use crate::laws_accelerator::Fake;
use nestling::{Answer, Certified, CheckpointError, Goal, Outcome, Problem, Run, RunError};

const SEED: u64 = 7;

/// The format stands after the magic, and the checksum of all that follows after the format.
const FORMAT: usize = 8;
const SUM: std::ops::Range<usize> = 12..20;

/// A line of `expected.txt`.
#[derive(Clone, Copy)]
struct Row<'t> {
    file: &'t str,
    search: &'t str,
    budget: &'t str,
    whole: &'t str,
}

impl<'t> Row<'t> {
    fn all() -> Vec<Row<'static>> {
        include_str!("old_checkpoints/expected.txt")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(Row::new)
            .collect()
    }

    fn new(whole: &'t str) -> Self {
        let fields: Vec<&str> = whole.split(" | ").collect();
        let &[file, search, budget, ..] = fields.as_slice() else { panic!("{whole} has too few fields") };
        Row { file, search, budget, whole }
    }

    fn bytes(&self) -> Vec<u8> {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/old_checkpoints");
        fs::read(folder.join(format!("{}.checkpoint", self.file))).expect("the file is there")
    }

    fn run<'a, P: Problem>(&self, problem: &'a P) -> Run<'a, P> {
        let endless = run(problem, self.search, SEED);
        if self.budget == "-" { endless } else { endless.playouts(self.budget.parse().expect("a number")) }
    }

    /// The line that an outcome would have.
    fn line<M>(&self, outcome: &Outcome<M>) -> String {
        let game = |game: &Certified<M>| format!("{} {}", game.score(), game.texts().join(" "));
        let answer = match &outcome.answer {
            Answer::Game(found) => format!("game | {}", game(found)),
            Answer::Estimate { score, after } => format!("estimate | {score} {}", after.texts().join(" ")),
            Answer::Nothing => "nothing".to_owned(),
        };
        let seen = outcome.best_seen.as_ref().map_or("-".to_owned(), game);
        let (Row { file, search, budget, .. }, counts) = (self, outcome.counts);
        let (stop, proven, answer) = (outcome.stop.word(), outcome.proven, answer.trim_end());
        format!(
            "{file} | {search} | {budget} | {stop} | {proven} | {} | {} | {answer} | {seen}",
            counts.playouts, counts.moves
        )
    }
}

fn maze() -> Maze {
    Maze::new(91, 12, Goal::Max)
}

pub fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let fnv = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let sum = bytes[SUM.end..].iter().fold(0xcbf2_9ce4_8422_2325, fnv);
    bytes[SUM].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Every search has the outcome that the run had in the version that wrote its checkpoint.
#[test]
fn every_search_goes_on() {
    let maze = maze();
    for row in Row::all().into_iter().filter(|row| row.file != "accelerator") {
        let bytes = row.bytes();
        assert_eq!(bytes[FORMAT..SUM.start], 2_u32.to_le_bytes(), "{}", row.file);
        let whole = row.run(&maze).start().expect("the run is valid");
        assert_eq!(row.line(&whole), row.whole);
        for threads in [1, 2] {
            let resumed =
                row.run(&maze).threads(threads).resume(bytes.clone()).start().expect("the checkpoint is read");
            assert_eq!(row.line(&resumed), row.whole, "{threads} threads");
            assert_same(&whole, &resumed, &format!("{}, {threads} threads", row.file));
            assert!(row.file == "playout" || resumed.work.playouts < whole.work.playouts, "{} started again", row.file);
        }
    }
}

/// So does an accelerator.
#[test]
fn an_accelerator_goes_on() {
    let problem = LeftMove::new(30);
    let row = Row::all().into_iter().find(|row| row.file == "accelerator").expect("it is there");
    for threads in [1, 2] {
        let fresh = row.run(&problem).threads(threads).accelerator(Box::new(Fake::new(&problem, SEED)));
        let resumed = fresh.resume(row.bytes()).start().expect("the checkpoint is read");
        assert_eq!(row.line(&resumed), row.whole, "{threads} threads");
        assert_eq!(resumed.work.playouts, 60, "40 of 100 had been played");
    }
}

/// What an earlier version wrote on one thread is, written again, what this version writes there.
#[test]
fn old_checkpoints_are_written_as_those_of_today() {
    let maze = maze();
    for row in Row::all().into_iter().filter(|row| row.file != "accelerator" && !row.file.ends_with("-threads")) {
        let cut = row.run(&maze).start().expect("the run is valid").counts.playouts / 2;
        let (_, today) = interrupt(&maze, row.search, SEED, None, |run| run.playouts(cut));
        let (_, rewritten) = interrupt(&maze, row.search, SEED, Some(row.bytes()), |run| run.playouts(cut));
        assert!(today.is_some() && today == rewritten, "{}: {today:?}, {rewritten:?}", row.file);
    }
}

/// A format before those is refused, and so is one to come.
#[test]
fn other_formats_are_refused() {
    let maze = maze();
    for row in Row::all().into_iter().filter(|row| row.file != "accelerator") {
        for format in [0, 1, 4, u32::MAX] {
            let mut bytes = row.bytes();
            bytes[FORMAT..SUM.start].copy_from_slice(&format.to_le_bytes());
            let error = row.run(&maze).resume(bytes).start().expect_err("it is refused");
            let expected = CheckpointError::Format { found: format };
            assert!(matches!(&error, RunError::Checkpoint(found) if *found == expected), "{}: {error}", row.file);
        }
    }
}

const TAGS: [&str; 11] =
    ["beam", "dfs", "lookahead", "mean", "nrpa", "playout", "portfolio", "repeat", "step", "tree of uct", "uct"];

/// The checkpoint with another version for each of its frames in turn, and what those are frames of.
fn of_other_versions(checkpoint: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let mut all = Vec::new();
    for tag in TAGS {
        // The length of the tag, the tag and version 1.
        let pattern = [&[tag.len() as u8], tag.as_bytes(), &[1]].concat();
        for at in (SUM.end..checkpoint.len()).filter(|&at| checkpoint[at..].starts_with(&pattern)) {
            let mut bytes = checkpoint.to_vec();
            bytes[at + pattern.len() - 1] = 9;
            all.push((tag, with_checksum(bytes)));
        }
    }
    all
}

/// A frame of a version that is unknown ends the run with an error, wherever it stands, and nothing is written over the checkpoint.
#[test]
fn frames_of_other_versions_are_refused() {
    let (maze, mut met) = (maze(), BTreeSet::new());
    for row in Row::all().into_iter().filter(|row| row.file != "accelerator" && !row.file.ends_with("-threads")) {
        let whole = row.run(&maze).start().expect("the run is valid");
        let cut = whole.counts.playouts / 2;
        let (_, checkpoint) = interrupt(&maze, row.search, SEED, None, |run| run.playouts(cut));
        let checkpoint = checkpoint.expect("the run was cut");
        assert!(checkpoint == with_checksum(checkpoint.clone()), "the checksum is as it was");
        let others = of_other_versions(&checkpoint);
        assert!(!others.is_empty(), "{} has frames", row.file);
        for (tag, bytes) in others {
            for threads in [1, 2] {
                let mut kept = Checkpoints::default();
                let resumed = row.run(&maze).threads(threads).resume(bytes.clone()).journal(&mut kept, NEVER);
                let what = format!("{}, a frame of {tag}, {threads} threads", row.file);
                let error = match resumed.start() {
                    // A lookahead plays its first games again rather than read how far they were.
                    Ok(outcome) if tag == "playout" => {
                        assert_same(&whole, &outcome, &what);
                        continue;
                    }
                    outcome => outcome.expect_err(&what),
                };
                met.insert(tag);
                let expected = CheckpointError::FrameVersion { search: tag.to_owned(), found: 9, wanted: 1 };
                assert!(matches!(&error, RunError::Checkpoint(found) if *found == expected), "{what}: {error}");
                assert!(kept.0.is_empty(), "{what}: it was written over");
            }
        }
    }
    assert_eq!(met, BTreeSet::from(TAGS), "every kind of frame was refused once");
}
