//! `nestling weights`, and warm starts from games.

use std::path::PathBuf;

use crate::common::{events, nestling, nestling_fed, refused, results, stderr, stdout};
use serde_json::Value;
use tempfile::TempDir;

/// A folder for files.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), contents).unwrap();
        self.path(name)
    }

    /// A file with a published game.
    fn record(&self, id: &str, name: &str) -> String {
        let path = self.path(name);
        let written = nestling(&["records", id, "-o", &path]);
        assert!(written.status.success(), "{}", stderr(&written));
        path
    }
}

fn solved(problem: &str, search: &str) -> Value {
    let output = nestling(&["solve", problem, "-s", search, "--seed", "1", "--no-store", "--json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let mut result = results(&output).remove(0);
    for name in ["seconds", "search", "recipe"] {
        result.as_object_mut().unwrap().remove(name);
    }
    result
}

/// What `warm=FILE` is refused with, in one line that names the file.
#[track_caller]
fn refused_file(problem: &str, file: &str, words: &[&str]) {
    let name = PathBuf::from(file).file_name().unwrap().to_str().unwrap().to_owned();
    for option in ["warm", "weights"] {
        let search = format!("nrpa(1, {option}=\"{file}\")");
        refused(&nestling(&["solve", problem, "-s", &search]), 2, &[&[name.as_str()], words].concat());
    }
    refused(&nestling(&["weights", problem, "--weights", file]), 2, &[&[name.as_str()], words].concat());
}

/// A game is as good as the weights towards it, in any format, and one of several games as good as a file of its own.
#[test]
fn games_start_searches_warm() {
    let folder = Folder::new();
    let game = folder.record("rosin82", "game.psol");
    let weights = folder.path("towards.txt");
    let written = nestling(&["weights", "morpion-5d", "--weights", &game, "-o", &weights]);
    assert!(written.status.success(), "{}", stderr(&written));
    let warm = |file: &str| solved("morpion-5d", &format!("nrpa(1, iterations=20, warm=\"{file}\")"));
    let result = warm(&game);
    assert!(result["score"].as_u64().unwrap() > 75, "{result}");
    assert_eq!(result, warm(&weights));
    let weighted = |file: &str| solved("morpion-5d", &format!("repeat(20, playout, weights=\"{file}\")"));
    assert_eq!(weighted(&game), weighted(&weights));
    let picture = folder.record("rosin82", "game.png");
    assert_eq!(result, warm(&picture));
    let other = folder.path("other.psol");
    nestling(&["solve", "morpion-5d", "-s", "nested(1)", "--seed", "1", "--no-store", "-o", &other]);
    let both = [&game, &other].map(|path| std::fs::read(path).unwrap()).concat();
    let both = folder.write("both.psol", both);
    assert_eq!(result, warm(&format!("{both}#1")));
    assert_ne!(result["moves"], warm(&both)["moves"]);
}

/// The games of the hall of fame are a start, too.
#[test]
fn the_hall_of_fame_starts_searches_warm() {
    let folder = Folder::new();
    let found = folder.path("found.psol");
    for (seed, run) in [("1", "1"), ("2", "2")] {
        let later = nestling(&["solve", "morpion-5d", "-s", "nested(1)", "--seed", seed, "--later"]);
        assert!(later.status.success(), "{}", stderr(&later));
        assert!(nestling(&["runs", "resume", run]).status.success());
    }
    let written = nestling(&["records", "morpion-5d", "-o", &found]);
    assert!(written.status.success(), "{}", stderr(&written));
    let verified = stdout(&nestling(&["verify", &found]));
    assert!(verified.contains("found.psol#2"), "{verified}");
    let [warm, cold] = [format!(", warm=\"{found}\""), String::new()]
        .map(|warm| solved("morpion-5d", &format!("nrpa(1, iterations=10{warm})"))["score"].as_u64().unwrap());
    assert!(warm > cold, "{warm} and {cold}");
}

#[test]
fn files_that_are_neither_are_refused() {
    let folder = Folder::new();
    let broken = folder.write("broken.txt", "17 2.5\n18 many\n");
    refused_file("morpion-5d", &broken, &["not a file of weights", "line 2", "expected a move"]);
    let unknown = folder.write("unknown.txt", "(28,24) | +2 1\n(28,24) | +9 1\n");
    refused_file("morpion-5d", &unknown, &["line 2", "(28,24) | +9 is on no line"]);
    let twice = folder.write("twice.txt", "(28,24) | +2 1\n(28,28) | -2 1\n");
    refused_file("morpion-5d", &twice, &["line 2", "(28,28) | -2 has the code", "line 1"]);
    let later = folder.write("later.txt", "left 1\nelsewhere 1\n");
    refused_file("left-move:9", &later, &["line 2", "elsewhere is not one of the 2 legal moves of the start"]);
    refused_file("morpion-5d", &folder.write("empty.txt", ""), &["neither weights nor games"]);
    refused_file("morpion-5d", &folder.write("bytes.bin", b"\xff\xfe\x00"), &["not text"]);
    let other = folder.write("other.txt", "# weights: morpion-5t\n17 2.5\n");
    refused_file("morpion-5d", &other, &["weights of morpion-5t, not of morpion-5d"]);
    refused_file("morpion-5d", &folder.path("nowhere.txt"), &["cannot be opened"]);

    let game = folder.record("rosin82", "game.psol");
    refused_file("morpion-5t", &game, &["a game of morpion-5d, not of morpion-5t"]);
    let text = std::fs::read_to_string(&game).unwrap();
    let cut = folder.write("cut.psol", text.trim_end().rsplit_once(' ').unwrap().0);
    refused_file("morpion-5d", &cut, &["expected the number k"]);
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('(')).collect();
    let skipped = format!("{text}{text}{}\n{}\n", lines[0], lines[20]);
    let skipped = folder.write("skipped.psol", skipped);
    refused_file("morpion-5d", &skipped, &["skipped.psol#3", "move 1: "]);
    let over = ["solve", "morpion-5d", "--from", &game, "-s", &format!("nrpa(1, warm=\"{game}\")")];
    refused(&nestling(&over), 2, &["game.psol", "none of its moves can be played from this start"]);
}

/// The moves with their codes, by weight; what is written can be edited and read again.
#[test]
fn moves_are_listed_with_their_weights() {
    let folder = Folder::new();
    let list = stdout(&nestling(&["weights", "morpion-5d"]));
    assert_eq!(list.lines().count(), 29, "{list}");
    assert!(list.lines().next().unwrap().split_whitespace().eq(["move", "code", "weight", "probability"]));
    let mine = folder.path("mine.txt");
    assert!(nestling(&["weights", "morpion-5d", "-o", &mine]).status.success());
    let text = std::fs::read_to_string(&mine).unwrap();
    assert!(text.starts_with("# weights: morpion-5d\n") && text.contains("(28,24) | +2  0\n"), "{text}");
    std::fs::write(&mine, text.replace("(28,24) | +2  0\n", "(28,24) | +2  4.5\n4711 -1\n")).unwrap();
    refused(&nestling(&["weights", "morpion-5d", "-o", &mine]), 2, &["mine.txt", "exists", "--force"]);
    let itself = nestling(&["weights", "morpion-5d", "--weights", &mine, "-o", &mine, "--force"]);
    refused(&itself, 2, &["mine.txt", "both input and output"]);
    let rows = events(&nestling(&["weights", "morpion-5d", "--weights", &mine, "--json"]));
    assert_eq!(rows.len(), 28);
    assert_eq!((&rows[0]["move"], rows[0]["weight"].as_f64()), (&Value::from("(28,24) | +2"), Some(4.5)));
    let probability = rows[0]["probability"].as_f64().unwrap();
    assert!((probability - 4.5f64.exp() / (4.5f64.exp() + 27.0)).abs() < 1e-9, "{probability}");
    let list = stdout(&nestling(&["weights", "morpion-5d", "--weights", &mine]));
    assert!(list.contains("\n1 more weight is for a move that is not legal here\n"), "{list}");
    let again = stdout(&nestling(&["weights", "morpion-5d", "--weights", &mine, "-o", "-"]));
    assert!(again.contains("(28,24) | +2  4.5\n") && again.contains("\n4711 -1\n"), "{again}");
    refused(&nestling(&["weights", "quarto"]), 2, &["two-player game"]);
    refused(&nestling(&["weights", "morpion-5d", "--json", "-o", "a"]), 2, &["--json"]);
}

/// Where the code of a move depends on the position, a later position is written by codes.
#[test]
fn later_positions_are_written_by_codes() {
    let folder = Folder::new();
    let game = folder.write("tour.game", "# problem: left-move:3\nleft\nright\nleft\n");
    let written = |from: &str| stdout(&nestling(&["weights", "left-move:3", "--from", from, "-o", "-"]));
    assert!(written(&format!("{game}@0")).ends_with("\nleft   0\nright  0\n"), "{}", written(&format!("{game}@0")));
    assert!(written(&format!("{game}@1")).ends_with("\n2  0  # left\n3  0  # right\n"));
    let after = format!("{game}@1");
    let over = nestling(&["weights", "left-move:3", "--from", &after, "-o", &game, "--force"]);
    refused(&over, 2, &["tour.game", "both input and output"]);
    let passed_on = nestling_fed(&["weights", "left-move:3", "--weights", "-", "-o", "-"], b"left 2\n7 1\n");
    assert!(stdout(&passed_on).contains("\nleft   2\nright  0\n") && stdout(&passed_on).ends_with("\n7 1\n"));
    let over = stdout(&nestling(&["weights", "left-move:3", "--from", &game]));
    assert_eq!(over, "the game is over: there are no legal moves\n");
    let numbers = folder.write("tour.csv", "name,x,y,earliest,latest\n0,0,0,0,99\n7,1,0,0,99\n8,2,0,0,99\n");
    let places = stdout(&nestling(&["weights", &format!("tsptw:{numbers}"), "-o", "-"]));
    assert!(places.contains("\n\"7\"  0\n"), "{places}");
}
