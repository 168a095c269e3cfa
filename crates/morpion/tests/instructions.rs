//! The instructions per move of the engine's hot paths do not grow. Valgrind counts them, so a slower path is noticed on any machine,
//! however busy it is.
//!
//! The counts of this program are compared with the pinned ones, which are in `instructions/test.txt` for the daily tests and in
//! `instructions/release.txt` for the program as users get it (`scripts/soak`). After an intended change, pin the new counts with
//! `NESTLING_PIN=1 cargo test -p nestling-morpion --test all instructions::`, once as it stands and once with `--release`.
#![cfg(target_arch = "x86_64")]

use std::io::Write;
use std::path::Path;
use std::process::Command;

use nestling_morpion::Instructions;
use nestling_testing::Need;

#[allow(dead_code, reason = "its main function is for the example")]
#[path = "../examples/hot_paths.rs"]
mod hot_paths;

/// Two sizes of each hot path: the difference between them is the path alone, without the start of the program.
const PATHS: [(&str, [u32; 2]); 4] =
    [("uniform", [200, 1_200]), ("weighted", [200, 1_200]), ("nrpa", [10, 30]), ("nested", [1, 5])];

/// The instruction sets that valgrind knows.
const SETS: [Instructions; 2] = [Instructions::Portable, Instructions::Avx2];

/// How much more than pinned a path may take, and how much if another compiler made it.
const MARGIN: f64 = 0.05;
const MARGIN_OF_ANOTHER_COMPILER: f64 = 0.25;

/// The build that is counted, and how to pin its counts again.
const BUILD: (&str, &str) = if cfg!(debug_assertions) {
    ("test", "NESTLING_PIN=1 cargo test -p nestling-morpion --test all instructions::")
} else {
    ("release", "NESTLING_PIN=1 cargo test --release -p nestling-morpion --test all instructions::")
};

/// The hot path that `one_path` plays: its arguments, separated by spaces.
const ASKED: &str = "NESTLING_HOT_PATH";

/// Reports something even if the test passes: the harness hides the output of `eprintln`.
fn say(line: &str) {
    writeln!(std::io::stderr(), "instructions: {line}").expect("standard error takes a line");
}

fn output(command: &mut Command) -> std::process::Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    String::from_utf8_lossy(&output(Command::new(rustc).arg("--version")).stdout).trim().to_owned()
}

/// Valgrind runs this test of this program for each path; without a path there is nothing to do.
#[test]
#[ignore = "hot_paths_take_no_more_instructions_than_before runs it under valgrind"]
fn one_path() {
    let Ok(asked) = std::env::var(ASKED) else { return };
    let arguments: Vec<&str> = asked.split(' ').collect();
    println!("\nmoves: {}", hot_paths::moves(&arguments).unwrap());
}

/// The moves played and the instructions executed.
fn counted(path: &str, set: &str, size: u32) -> (f64, f64) {
    let valgrind = ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"];
    let one_path = ["instructions::one_path", "--exact", "--ignored", "--nocapture", "--test-threads=1"];
    let program = std::env::current_exe().expect("this program has a path");
    let asked = format!("{path} {set} {size}");
    let run = output(Command::new("valgrind").args(valgrind).arg(program).args(one_path).env(ASKED, asked));
    let (told, report) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{told}{report}");
    let moves = told.lines().find_map(|line| line.strip_prefix("moves:"));
    let total = report.lines().find(|line| line.contains("refs:")).and_then(|line| line.split(':').nth(1));
    let number = |text: &str| text.trim().replace(',', "").parse().ok();
    let counts = moves.and_then(number).zip(total.and_then(number));
    counts.unwrap_or_else(|| panic!("no counts in the report of valgrind on {path}: {told}{report}"))
}

/// Instructions per move.
fn per_move(path: &str, set: &str, sizes: [u32; 2]) -> f64 {
    let [(moves, total), (more_moves, larger_total)] = sizes.map(|size| counted(path, set, size));
    (larger_total - total) / (more_moves - moves)
}

#[test]
fn hot_paths_take_no_more_instructions_than_before() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        return nestling_testing::skip(Need::Valgrind, "there is no valgrind; scripts/test installs it where it can");
    }
    let (build, again) = BUILD;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/instructions/{build}.txt"));
    let mut counts = Vec::new();
    for set in SETS.into_iter().filter(|set| Instructions::available().contains(set)) {
        let set = format!("{set:?}").to_lowercase();
        counts.extend(PATHS.map(|(path, sizes)| (format!("{path} {set}"), per_move(path, &set, sizes))));
    }
    if counts.len() < PATHS.len() * SETS.len() {
        say("this processor has no AVX2; only the portable paths were counted");
    }
    if std::env::var_os("NESTLING_PIN").is_some() {
        let lines: String = counts.iter().map(|(path, count)| format!("{path} {count:.1}\n")).collect();
        std::fs::write(&file, format!("{}\n{lines}", compiler())).expect("the pins can be written");
        return say(&format!("pinned in {}", file.display()));
    }
    let pins = std::fs::read_to_string(&file).expect("the pins are there");
    let Verdict { notes, worse } = judge(&counts, &pins, &compiler());
    notes.iter().for_each(|note| say(note));
    assert!(worse.is_empty(), "slower paths; if this is intended, pin them again with {again}\n{}", worse.join("\n"));
}

#[derive(Default)]
struct Verdict {
    notes: Vec<String>,
    /// The paths that take too many instructions.
    worse: Vec<String>,
}

fn judge(counts: &[(String, f64)], pins: &str, compiler: &str) -> Verdict {
    let (pinned_with, pins) = pins.split_once('\n').expect("the first line is the compiler");
    let mut verdict = Verdict::default();
    let margin = if pinned_with == compiler { MARGIN } else { MARGIN_OF_ANOTHER_COMPILER };
    if pinned_with != compiler {
        let percent = 100.0 * margin;
        verdict.notes.push(format!("pinned with {pinned_with}, this is {compiler}: up to {percent} % more may pass"));
    }
    for (path, count) in counts {
        let line = pins.lines().find_map(|line| line.strip_prefix(path.as_str()));
        let pin: f64 = line.and_then(|pin| pin.trim().parse().ok()).unwrap_or_else(|| panic!("{path} has no pin"));
        let change = count / pin - 1.0;
        let told = format!("{path}: {count:.1} instructions a move, pinned {pin:.1}, {:+.1} %", 100.0 * change);
        if change > margin {
            verdict.worse.push(told);
        } else if change < -margin {
            verdict.notes.push(format!("better than pinned; keep it with {}: {told}", BUILD.1));
        }
    }
    verdict
}

/// The guard itself: what it lets pass, and what not.
#[test]
fn the_guard_bites() {
    let judge = |count, compiler| {
        let verdict = judge(&[("uniform avx2".to_owned(), count)], "rustc 1\nuniform avx2 200.0\n", compiler);
        (verdict.notes.len(), verdict.worse.len())
    };
    assert_eq!(judge(209.0, "rustc 1"), (0, 0));
    assert_eq!(judge(211.0, "rustc 1"), (0, 1));
    assert_eq!(judge(189.0, "rustc 1"), (1, 0));
    assert_eq!(judge(249.0, "rustc 2"), (1, 0));
    assert_eq!(judge(251.0, "rustc 2"), (1, 1));
}
