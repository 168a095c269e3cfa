//! The instructions per move of the engine's hot paths stay what they were: counted by valgrind, so that a slower path
//! shows on any machine, however busy.
//!
//! The counts are in `instructions.txt`, with the compiler they are of. After a change that is meant, write new ones with
//! `NESTLING_PIN=1 cargo test -p nestling-morpion --test instructions`.
#![cfg(target_arch = "x86_64")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use nestling_morpion::Instructions;
use nestling_testing::Need;

/// What `examples/hot_paths.rs` can do, and two sizes of it: the difference between them is the path alone, without
/// what starting costs.
const PATHS: [(&str, [u32; 2]); 4] =
    [("uniform", [200, 1_200]), ("weighted", [200, 1_200]), ("nrpa", [10, 30]), ("nested", [1, 5])];

/// valgrind knows no others.
const SETS: [Instructions; 2] = [Instructions::Portable, Instructions::Avx2];

/// How much more than pinned a path may take, and how much if another compiler made it.
const MARGIN: f64 = 0.05;
const MARGIN_OF_ANOTHER_COMPILER: f64 = 0.25;

const AGAIN: &str = "NESTLING_PIN=1 cargo test -p nestling-morpion --test instructions";

/// Says something also where the test passes: the harness keeps what `eprintln` writes.
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

/// The program, built as users get it, beside this test.
fn hot_paths() -> PathBuf {
    let test = std::env::current_exe().expect("this program has a path");
    let target = test.ancestors().nth(3).expect("tests are built into TARGET/PROFILE/deps");
    let built = output(
        Command::new(env!("CARGO"))
            .args([
                "build",
                "--release",
                "--locked",
                "-p",
                "nestling-morpion",
                "--example",
                "hot_paths",
                "--target-dir",
            ])
            .arg(target),
    );
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    target.join("release/examples/hot_paths")
}

/// The moves played and the instructions it took.
fn counted(program: &Path, path: &str, set: &str, size: u32) -> (f64, f64) {
    let size = size.to_string();
    let valgrind = ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"];
    let run = output(Command::new("valgrind").args(valgrind).arg(program).args([path, set, &size]));
    let (moves, report) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{report}");
    let total = report.lines().find(|line| line.contains("refs:")).and_then(|line| line.split(':').nth(1));
    let number = |text: &str| text.trim().replace(',', "").parse().ok();
    moves
        .trim()
        .parse()
        .ok()
        .zip(total.and_then(number))
        .unwrap_or_else(|| panic!("no counts in what valgrind says of {path}: {moves}{report}"))
}

/// Instructions per move.
fn per_move(program: &Path, path: &str, set: &str, sizes: [u32; 2]) -> f64 {
    let [(moves, total), (more_moves, larger_total)] = sizes.map(|size| counted(program, path, set, size));
    (larger_total - total) / (more_moves - moves)
}

#[test]
fn hot_paths_take_no_more_instructions_than_before() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        return nestling_testing::skip(Need::Valgrind, "there is no valgrind; scripts/test installs it where it can");
    }
    let (program, file) = (hot_paths(), Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/instructions.txt"));
    let mut counts = Vec::new();
    for set in SETS.into_iter().filter(|set| Instructions::available().contains(set)) {
        let set = format!("{set:?}").to_lowercase();
        counts.extend(PATHS.map(|(path, sizes)| (format!("{path} {set}"), per_move(&program, path, &set, sizes))));
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
    assert!(worse.is_empty(), "slower paths; if it has to be, pin them again with {AGAIN}\n{}", worse.join("\n"));
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
            verdict.notes.push(format!("better than pinned; keep it with {AGAIN}: {told}"));
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
