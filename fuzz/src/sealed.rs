//! Checkpoints, tasks and reports. A checksum would keep a fuzzer out, so the bytes are also tried with the right one: as changes of bytes
//! that were written by a run. A search goes on from what it accepts.

use std::sync::OnceLock;

use nestling::{Problem, ReportHeader, Run, RunError, TaskSpec};

use crate::presentable;
use crate::problems::{LeftMove, Queens};

const PROBLEM: LeftMove = LeftMove { depth: 12, lefts: 0 };
const QUEENS: Queens = Queens { side: 7, columns: Vec::new() };

/// Searches, each with the playouts after which its checkpoint is taken; all but the last are of [`PROBLEM`].
const SEARCHES: [(&str, u64); 20] = [
    ("repeat(5, nrpa(2, iterations=5))", 30),
    ("nested(2)", 30),
    ("uct(60)", 30),
    ("uct(30, trees=4)", 50),
    ("beam(4)", 30),
    ("beam(3, samples=70)", 100),
    ("dfs", 30),
    ("dfs(merge=on)", 9),
    ("pool(300, starts=10)", 5),
    ("repeat(pool(60))", 170),
    ("pool(5000, starts=10, cycle=128)", 150),
    ("portfolio(repeat(nested(1)), repeat(playout))", 30),
    ("step(repeat(5, playout))", 30),
    ("lazy(2)", 30),
    ("mean(20, nested(1))", 60),
    ("repeat(300, playout)", 100),
    ("nrpa(2, iterations=6, beam=3, diverse=on)", 40),
    ("nrpa(2, repetitions=2, explore=on, stopping=2.3)", 20),
    ("improve(40, nrpa(1, iterations=9))", 20),
    ("repeat(cdcl)", 3),
];

fn run<'a, P: Problem>(problem: &'a P, search: &str) -> Run<'a, P> {
    Run::new(problem, search.parse().expect("it is a search")).seed(1).playouts(10_000)
}

/// A checkpoint of each search.
fn checkpoint(index: usize) -> &'static Option<Vec<u8>> {
    static CHECKPOINTS: OnceLock<Vec<Option<Vec<u8>>>> = OnceLock::new();
    fn of<P: Problem>(problem: &P, search: &str, playouts: u64) -> Option<Vec<u8>> {
        let mut stepper = run(problem, search).stepper().expect("it starts");
        stepper.step(playouts).expect("it goes on");
        stepper.checkpoint().expect("it can be written").map(|(bytes, _)| bytes)
    }
    &CHECKPOINTS.get_or_init(|| {
        let last = SEARCHES.len() - 1;
        let each = SEARCHES.iter().enumerate().map(|(number, &(search, playouts))| match number == last {
            true => of(&QUEENS, search, playouts),
            false => of(&PROBLEM, search, playouts),
        });
        each.collect()
    })[index]
}

/// Changes bytes: each three bytes of `changes` are a place (two of them) and a value. Then the checksum is made right.
pub(crate) fn changed(original: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for change in changes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len();
        bytes[place] = change[2];
    }
    const SUM: std::ops::Range<usize> = 12..20;
    if bytes.len() >= SUM.end {
        let fnv = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let sum = bytes[SUM.end..].iter().fold(0xcbf2_9ce4_8422_2325, fnv);
        bytes[SUM].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

/// Reads the checkpoint of a search, as it is in the bytes, or changed by them, and goes on from it.
pub fn checkpoints(bytes: &[u8]) {
    let Some((&index, changes)) = bytes.split_first() else { return };
    let index = usize::from(index) % SEARCHES.len();
    let changed = checkpoint(index).as_ref().map(|original| changed(original, changes));
    for resumed in [Some(changes.to_vec()), changed].into_iter().flatten() {
        let ended =
            if index + 1 == SEARCHES.len() { go_on(&QUEENS, index, resumed) } else { go_on(&PROBLEM, index, resumed) };
        if let Err(error) = ended {
            presentable(&error);
        }
    }
}

/// Resumes a search for a while.
fn go_on<P: Problem>(problem: &P, index: usize, checkpoint: Vec<u8>) -> Result<(), RunError> {
    run(problem, SEARCHES[index].0).resume(checkpoint).stepper()?.step(100).map(drop)
}

/// Tasks and reports, as they come from other machines. The first task has begun before: it has a frame.
pub fn tasks(bytes: &[u8]) {
    for text in
        [TaskSpec::description(bytes).err(), TaskSpec::read(bytes.to_vec()).err(), ReportHeader::read(bytes).err()]
    {
        text.iter().for_each(presentable);
    }
    let _ = ReportHeader::is_report(bytes);
    let Some((&index, changes)) = bytes.split_first() else { return };
    // Those that can be divided, with a paused task: searches 0, 3, 9 and 14.
    let index = [0, 3, 9, 14][usize::from(index) % 4];
    let begun = checkpoint(index).clone().expect("it has a checkpoint");
    let mut ledger = run(&PROBLEM, SEARCHES[index].0).resume(begun).ledger().expect("it can be divided");
    let Some(task) = ledger.next_task().expect("there is a task") else { return };
    match run(&PROBLEM, SEARCHES[index].0).run_task(&changed(&task.bytes, changes), "somebody") {
        Ok(report) => {
            let foreign = changed(&report, changes);
            if let Err(error) = ledger.take(task.index, &foreign) {
                presentable(&error);
            }
        }
        Err(error) => presentable(&error),
    }
}
