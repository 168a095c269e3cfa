//! SameGame, Sudoku and Kakuro, as a user meets them.

mod common;

use common::{file, nestling, refused, results, stderr, stdout};

/// Bad input is one line; exit code 2, or 1 where the puzzle can be read and has no solution.
#[test]
fn bad_puzzles_are_refused() {
    let long = format!("# 3\\\n\\3 {}\n", "y".repeat(10_000));
    let files: [(&str, &str, i32, &[&str]); 11] = [
        ("samegame", "012\n01\n", 2, &["line 2", "2 cells"]),
        ("samegame", "012\n01g\n", 2, &["line 2", "'g'", "16 colours"]),
        ("samegame", "", 2, &["no board"]),
        ("sudoku", "12..\n..\n....\n....\n", 2, &["line 2", "2 cells"]),
        ("sudoku", "12..\n..\u{7}.\n....\n....\n", 2, &["line 2", "no value"]),
        ("sudoku", "1..1\n....\n....\n....\n", 1, &["no solution", "row 1", "r1c1", "r1c4"]),
        ("sudoku", "12..\n..3.\n...4\n....\n", 1, &["no solution", "r1c4"]),
        ("kakuro", "3 4\n40\n3\n", 1, &["no solution", "row 1", "40"]),
        ("kakuro", "3 4\n5\n3\n", 1, &["no solution", "rows", "8", "columns", "7"]),
        ("kakuro", "# 3\\ 4\\\n\\4 . .\n\\3 .\n", 2, &["line 3", "2 places"]),
        ("kakuro", &long, 2, &["line 2", "no place"]),
    ];
    for (problem, contents, code, words) in files {
        let (_folder, path) = file(contents.as_bytes());
        refused(&nestling(&["solve", &format!("{problem}:{path}"), "-s", "playout"]), code, words);
    }
    let names: [(&str, &[&str]); 15] = [
        ("samegame:colours=17", &["colours=17", "from 1 to 16"]),
        ("samegame:size=100x3", &["100 columns", "64"]),
        ("samegame:size=3", &["size=20x10"]),
        ("samegame:sed=7", &["no parameter \"sed\"", "seed"]),
        ("samegame:/", &["no ordinary file"]),
        ("sudoku:order=0", &["order=0", "from 2 to 6"]),
        ("sudoku:order=1", &["order=1", "from 2 to 6"]),
        ("sudoku:order=9", &["order=9", "from 2 to 6"]),
        ("sudoku:empty=101", &["empty=101"]),
        ("sudoku:seed=1,seed=2", &["twice"]),
        ("kakuro:size=0", &["size=0", "from 1 to 20"]),
        ("kakuro:size=99999999,values=64", &["size=99999999", "from 1 to 20"]),
        ("kakuro:values=0", &["values=0", "from 1 to 64"]),
        ("kakuro:values=65", &["values=65", "from 1 to 64"]),
        ("kakuro:size=8,values=7", &["8 cells", "7 values"]),
    ];
    for (name, words) in names {
        refused(&nestling(&["solve", name, "-s", "playout"]), 2, words);
    }
}

/// Solved, unsolvable and not solved in time are three things.
#[test]
fn verdicts_differ() {
    let (_folder, path) = file(b"....\n.2..\n3...\n..21\n");
    let said = |problem: &str, search: &str| {
        let output = nestling(&["solve", problem, "-s", search, "--playouts", "1000", "--seed", "1"]);
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    assert!(said("sudoku", "repeat(nested(1))").contains("sudoku: solved\n"));
    assert!(said(&format!("sudoku:{path}"), "dfs").contains(": has no solution"));
    assert!(said(&format!("sudoku:{path}"), "repeat(nested(1))").contains(": not solved"));
}

/// Games go through files and pictures and are verified by the plain rules.
#[test]
fn games_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for problem in ["samegame:seed=3,size=6x5,colours=3", "sudoku:order=3", "kakuro:size=4,values=5"] {
        let (game, picture) = (path("game.txt"), path("game.svg"));
        let solved = nestling(&["solve", problem, "-s", "nested(1)", "--seed", "1", "-o", &game, "--json"]);
        let score = results(&solved).remove(0)["score"].clone();
        assert!(nestling(&["convert", &game, &picture]).status.success());
        for file in [&game, &picture] {
            let verdict = nestling(&["verify", file, "--json"]);
            assert!(verdict.status.success(), "{problem}: {}", stderr(&verdict));
            let verdict: serde_json::Value = serde_json::from_str(stdout(&verdict).lines().next().unwrap()).unwrap();
            assert_eq!(verdict["score"], score, "{problem}");
        }
        let text = std::fs::read_to_string(&game).unwrap();
        let broken = text.lines().chain(["r1c1=1", "1,1"]).map(|line| format!("{line}\n")).collect::<String>();
        std::fs::write(&game, broken).unwrap();
        assert_eq!(nestling(&["verify", &game]).status.code(), Some(1), "{problem}");
    }
}
