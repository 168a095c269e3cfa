//! SameGame, Sudoku and Kakuro, as a user meets them.

use crate::common::{file, nestling, nestling_fed, refused, results, stderr, stdout};

/// Bad input is one line; exit code 2, or 1 where the puzzle can be read and has no solution.
#[test]
fn bad_puzzles_are_refused() {
    let long = format!("# 3\\\n\\3 {}\n", "y".repeat(10_000));
    let files: [(&str, &str, i32, &[&str]); 11] = [
        ("samegame", "012\n01\n", 2, &["line 2", "2 cells"]),
        ("samegame", "012\n01g\n", 2, &["line 2", "'g'", "16 colours"]),
        ("samegame", "", 2, &["no board"]),
        ("sudoku", "12..\n..\n....\n....\n", 2, &["line 2", "2 cells"]),
        ("sudoku", "12..\n..\u{7}.\n....\n....\n", 2, &["line 2", "not a value"]),
        ("sudoku", "1..1\n....\n....\n....\n", 1, &["no solution", "row 1", "r1c1", "r1c4"]),
        ("sudoku", "12..\n..3.\n...4\n....\n", 1, &["no solution", "r1c4"]),
        ("kakuro", "3 4\n40\n3\n", 1, &["no solution", "row 1", "40"]),
        ("kakuro", "3 4\n5\n3\n", 1, &["no solution", "rows", "8", "columns", "7"]),
        ("kakuro", "# 3\\ 4\\\n\\4 . .\n\\3 .\n", 2, &["line 3", "2 places"]),
        ("kakuro", &long, 2, &["line 2", "not a place"]),
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
        ("samegame:/", &["not a regular file"]),
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
    let said = |problem: &str, search: &str, code: i32| {
        let output = nestling(&["solve", problem, "-s", search, "--playouts", "1000", "--seed", "1"]);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        stdout(&output)
    };
    assert!(said("sudoku", "repeat(nested(1))", 0).contains("sudoku: solved\n"));
    assert!(said(&format!("sudoku:{path}"), "dfs", 1).contains(": has no solution"));
    let unsolved = said(&format!("sudoku:{path}"), "repeat(nested(1))", 1);
    assert!(unsolved.contains(": not solved, ") && unsolved.contains(" free\n"), "{unsolved}");
    let unsolved = nestling(&["solve", &format!("sudoku:{path}"), "-s", "playout", "--seed", "1", "--json"]);
    let meaning = &results(&unsolved)[0]["meaning"];
    assert_eq!(meaning["solved"], false);
    assert_eq!(meaning["cells_free"].as_f64().unwrap() + 1.0, results(&unsolved)[0]["score"].as_f64().unwrap());
}

/// Games go through files and pictures and are verified by the plain rules.
#[test]
fn games_are_kept() {
    for problem in ["samegame:seed=3,size=6x5,colours=3", "sudoku:order=3", "kakuro:size=4,values=5"] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
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

/// A puzzle from standard input becomes part of the problem's name, so that its run is resumed, and its game verified, without it.
#[test]
fn puzzles_come_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let [store, game] = ["runs.db", "game.txt"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let puzzles: [(&str, &str, &str); 5] = [
        ("sudoku:-", "1...\n..3.\n.4..\n...2\n", "sudoku:text=…: solved"),
        ("kakuro:-#2", "3 4\n4\n3\n\n#   3\\  4\\\n\\4  ___ ___\n\\3  ___ ___\n", "kakuro:text=…#2: solved"),
        ("samegame:-,penalty=on", "011\n001\n", "samegame:text=…,penalty=on: "),
        ("tsptw:-", "name;x;y\nhome;0;0\nmill;3;4\nfarm;3;0\n", "tsptw:text=…: "),
        ("sudoku:-", "\u{feff}1...\r\n..3.\r\n.4..\r\n...2\r\n", "sudoku:text=…: solved"),
    ];
    for (problem, text, words) in puzzles {
        let arguments = ["solve", problem, "-s", "nrpa(1)", "--seed", "1", "-o", &game, "--store", &store];
        let output = nestling_fed(&arguments, text.as_bytes());
        assert!(output.status.success(), "{problem}: {}", stderr(&output));
        assert!(stdout(&output).contains(words), "{problem}: {}", stdout(&output));
        let verified = nestling(&["verify", &game]);
        assert!(
            stdout(&verified).contains(": legal, ") && stdout(&verified).contains(":text=…"),
            "{}",
            stdout(&verified)
        );
        // The command that is printed needs no input.
        let again = stdout(&output).lines().find_map(|line| Some(line.split_once("solve ")?.1.to_owned())).unwrap();
        let words: Vec<&str> = again.split_whitespace().map(|word| word.trim_matches('\'')).collect();
        let repeated = nestling(&[&["solve"], &words[..]].concat());
        assert!(repeated.status.success(), "{again}: {}", stderr(&repeated));
        std::fs::remove_file(&game).unwrap();
    }
    let explained = nestling_fed(&["explain", "dfs", "sudoku:-"], b"1...\n..3.\n.4..\n...2\n");
    assert!(stdout(&explained).contains("(sudoku:text=…)"), "{}{}", stdout(&explained), stderr(&explained));
}

/// A run whose puzzle came from standard input can be resumed without that input.
#[test]
fn runs_from_standard_input_are_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db").to_str().unwrap().to_owned();
    let board = "0011220\n1100112\n2211001\n0022110\n".repeat(3);
    let begin = ["solve", "samegame:-", "-s", "repeat(nrpa(2))", "--seed", "1", "--time", "1100ms", "--store", &store];
    let output = nestling_fed(&begin, board.as_bytes());
    assert!(stdout(&output).contains("stored as run 1"), "{}{}", stdout(&output), stderr(&output));
    let resumed = nestling(&["runs", "resume", "1", "--playouts", "100000000", "--time", "1200ms", "--store", &store]);
    assert!(resumed.status.success(), "{}", stderr(&resumed));
    assert!(stdout(&resumed).contains("samegame:text=…: "), "{}", stdout(&resumed));
}

const KNAPSACK: &str = include_str!("../../../examples/models/knapsack.toml");

/// A problem in a file is solved, kept, verified, resumed and read from standard input like any other.
#[test]
fn models_are_problems() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [model, game, json, store] = ["knapsack.toml", "load.game", "load.json", "runs.db"].map(path);
    std::fs::write(&model, KNAPSACK).unwrap();
    for name in [model.clone(), format!("model:{model}")] {
        let solved = nestling(&["solve", &name, "-s", "dfs", "-o", &game, "--force", "--no-store", "--json"]);
        let result = results(&solved).remove(0);
        assert!(result["score"] == 73 && result["proven"] == true, "{}{}", result, stderr(&solved));
    }
    assert!(nestling(&["convert", &game, &json]).status.success());
    for file in [&game, &json] {
        let verified = nestling(&["verify", file]);
        assert!(verified.status.success() && stdout(&verified).contains("legal"), "{}", stderr(&verified));
    }
    assert!(stdout(&nestling(&["show", &game])).contains("load = 20\ngain = 73\n"));
    std::fs::write(&game, std::fs::read_to_string(&game).unwrap() + "jacket\n").unwrap();
    let broken = nestling(&["verify", &game]);
    assert_eq!(broken.status.code(), Some(1));
    assert!(format!("{}{}", stdout(&broken), stderr(&broken)).contains("jacket breaks the rule `legal`"));
    let timed = ["solve", "model:-", "-s", "repeat(nrpa(2))", "--seed", "1", "--time", "1100ms", "--store", &store];
    let output = nestling_fed(&timed, KNAPSACK.as_bytes());
    assert!(stdout(&output).contains("stored as run 1"), "{}{}", stdout(&output), stderr(&output));
    let resumed = nestling(&["runs", "resume", "1", "--time", "1200ms", "--store", &store]);
    assert!(stdout(&resumed).contains("model:text=…: score 73"), "{}{}", stdout(&resumed), stderr(&resumed));
}

/// A model with a mistake is refused in one line with its place.
#[test]
fn bad_models_are_refused() {
    let cases: [(&str, &[&str]); 4] = [
        (
            &KNAPSACK.replace("weight[choice] <=", "wieght[choice] <="),
            &["model: ", "line 3: legal: ", "\"wieght\"", "weight"],
        ),
        (&KNAPSACK.replace("repeat = false", "repeat = no"), &["model: ", "line 2"]),
        (&KNAPSACK.replace("<= 20", "<="), &["line 3: legal: character 25: the expression ends too early"]),
        (&KNAPSACK.replace(", 7]", "]"), &["has no value at the start, with choice 9", "outside of its list"]),
    ];
    for (text, words) in cases {
        let (_folder, path) = file(text.as_bytes());
        refused(&nestling(&["solve", &format!("model:{path}"), "-s", "playout"]), 2, words);
    }
    refused(&nestling(&["solve", "nowhere.toml"]), 2, &["model: nowhere.toml: no such file"]);
    for (name, words) in [
        ("colouring:queen21", &["queen=21", "from 1 to 20"][..]),
        ("colouring:myciel0", &["myciel=0", "from 1 to 9"]),
        ("colouring:nowhere", &["nowhere: no such file"]),
        ("conjecture:name=riemann", &["name=riemann", "matching or proximity"]),
        ("conjecture:vertices=3", &["vertices=3", "from 4 to 300"]),
    ] {
        refused(&nestling(&["solve", name, "-s", "playout"]), 2, words);
    }
}

/// Standard input can be read once, and bad puzzles there are refused like those in files.
#[test]
fn standard_input_is_read_once() {
    let sudoku = b"1...\n..3.\n.4..\n...2\n";
    let game = b"# variant: 5D\n(28,28)\n(28,24) | +2\n";
    let twice = ["standard input can be read only once"];
    refused(&nestling_fed(&["solve", "sudoku:-", "-s", "playout", "--from", "-"], sudoku), 2, &twice);
    refused(&nestling_fed(&["solve", "sudoku:-", "-s", "playout(weights=\"-\")"], sudoku), 2, &twice);
    refused(&nestling_fed(&["verify", "-", "--against", "-"], game), 2, &twice);
    refused(&nestling_fed(&["verify", "-", "-"], game), 2, &twice);
    let solve = |problem: &str, input: &[u8]| nestling_fed(&["solve", problem, "-s", "playout"], input);
    refused(&solve("sudoku:-", b"12..\n..\n....\n....\n"), 2, &["sudoku: the text: line 2: 2 cells"]);
    refused(&solve("sudoku:-", b""), 2, &["no Sudoku found"]);
    refused(&solve("sudoku:-", b"1..1\n....\n....\n....\n"), 1, &["no solution"]);
    refused(&solve("sudoku:-#2", sudoku), 2, &["the text: there is no #2; it contains 1 puzzle"]);
    refused(&solve("sudoku:-#0", sudoku), 2, &["the first puzzle is #1"]);
    refused(&solve("sudoku:-,seed=3", sudoku), 2, &["seed applies only to generated puzzles"]);
    refused(&solve("tsptw:-", b"\xff\xfe"), 2, &["tsptw:-: byte 1: not UTF-8"]);
    let mut rng = nestling::Stream::new(1).rng();
    let noise: Vec<u8> = (0..200_000).map(|_| b'0' + rng.below(10) as u8).collect();
    refused(&solve("sudoku:-", &noise), 2, &["too large to paste; save it to a file"]);
    refused(&solve("left-move:-", b""), 2, &["from 1 to 1000000"]);
}

/// Puzzles as text can be solved and verified; the same seed gives the same puzzles.
#[test]
fn puzzles_are_generated() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let words = ["puzzle", "sudoku", "--level", "medium", "--seed", "5", "--count", "2"];
    let printed = stdout(&nestling(&words));
    assert_eq!(printed.matches("# sudoku, level medium, size 9, seed ").count(), 2, "{printed}");
    let file = path("sudokus.txt");
    assert_eq!(stdout(&nestling(&[&words[..], &["-o", &file]].concat())), "2 medium sudokus, seeds 5 to 6\n");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), printed);
    refused(&nestling(&[&words[..], &["-o", &file]].concat()), 2, &["--force"]);
    let verdict = nestling(&["verify", "--unique", &file]);
    assert!(verdict.status.success(), "{}", stderr(&verdict));
    assert_eq!(stdout(&verdict).matches(": sudoku, exactly one solution\n").count(), 2);
    assert!(nestling(&["solve", &format!("sudoku:{file}#2"), "--playouts", "3000", "--no-store"]).status.success());

    let kakuros = ["puzzle", "kakuro", "--size", "5", "--count", "3", "--seed", "1"];
    for (name, begin) in [("book.pdf", "%PDF"), ("book.svg", "<svg ")] {
        let file = path(name);
        assert!(nestling(&[&kakuros[..], &["-o", &file]].concat()).status.success());
        assert!(std::fs::read(&file).unwrap().starts_with(begin.as_bytes()), "{name}");
    }
    let printed = stdout(&nestling(&[&kakuros[..], &["--json"]].concat()));
    let json: Vec<serde_json::Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((json.len(), &json[2]["seed"], &json[2]["level"]), (3, &3.into(), &"easy".into()));
    refused(
        &nestling(&["puzzle", "kakuro", "--level", "extreme"]),
        2,
        &["level extreme", "easy, medium, hard or expert"],
    );
    refused(&nestling(&["puzzle", "sudoku", "--size", "10"]), 2, &["size 10", "4, 9 or 16"]);
    refused(&nestling(&["puzzle", "sudoku", "-o", &path("book.doc")]), 2, &[".txt, .svg or .pdf"]);
    refused(
        &nestling(&["puzzle", "sudoku", "--count", "2", "--seed", &u64::MAX.to_string()]),
        2,
        &["give a smaller one"],
    );
}

#[test]
fn solutions_are_counted() {
    let count = |text: &str, code: i32| {
        let (_folder, path) = file(text.as_bytes());
        let output = nestling(&["verify", "--unique", &path]);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        stdout(&output).replace(&path, "FILE")
    };
    assert_eq!(count("1... ..3. .4.. ...2\n", 0), "FILE: sudoku, exactly one solution\n");
    assert_eq!(
        count("1... ..3. .4.. ...2\n\n....\n....\n....\n....\n", 1),
        "FILE#1: sudoku, exactly one solution\nFILE#2: sudoku, several solutions\n"
    );
    assert_eq!(count("....\n.2..\n3...\n..21\n", 1), "FILE: sudoku, no solution\n");
    assert_eq!(count("1..1\n....\n....\n....\n", 1), "FILE: sudoku, no solution\n");
    // One that contradicts itself does not hide the others.
    let (_folder, path) = file(b"1... ..3. .4.. ...2\n\n1..1\n....\n....\n....\n\n....\n....\n....\n....\n");
    let all = stdout(&nestling(&["verify", "--unique", &path]));
    assert_eq!(
        all.replace(&path, "FILE"),
        "FILE#1: sudoku, exactly one solution\nFILE#2: sudoku, no solution\nFILE#3: sudoku, several solutions\n"
    );
    let second = nestling(&["verify", "--unique", &format!("{path}#2")]);
    assert_eq!((second.status.code(), stdout(&second)), (Some(1), format!("{path}#2: sudoku, no solution\n")));
    refused(&nestling(&["verify", "--unique", &format!("{path}#4")]), 2, &["contains 3 puzzles", "#1 to #3"]);
    assert_eq!(count("# 3\\ 4\\\n\\4 . .\n\\3 . .\n", 0), "FILE: kakuro, exactly one solution\n");
    assert_eq!(count("3 4\n9\n9\n", 1), "FILE: kakuro, no solution\n");
    let (_folder, path) = file(b"hello");
    refused(&nestling(&["verify", "--unique", &path]), 2, &["a Sudoku is 4 × 4"]);
}
