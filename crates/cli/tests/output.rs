//! Files that commands write: nothing that was there is lost without a word, and a disk that is full costs no result.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::{events, nestling, refused, stderr, stdout};

/// A folder of one's own, and the path of a file in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn with(&self, name: &str, contents: &str) -> String {
        std::fs::write(self.file(name), contents).unwrap();
        self.file(name)
    }

    fn record(&self, id: &str, name: &str) -> String {
        let written = nestling(&["records", id, "-o", &self.file(name)]);
        assert!(written.status.success(), "{}", stderr(&written));
        self.file(name)
    }
}

fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

/// A short search of morpion-5d that keeps its game in a file.
fn solve(file: &str, more: &[&str]) -> Output {
    nestling(&[&["solve", "morpion-5d", "-s", "nested(1)", "--seed", "1", "--no-store", "-o", file], more].concat())
}

/// A better game stays, in whatever format, and this is reported before and after the search, to people and to programs.
#[test]
fn a_better_game_stays() {
    let folder = Folder::new();
    for name in ["keep.psol", "keep.json", "keep.svg", "keep.png", "keep.msr"] {
        let kept = folder.record("rosin82", name);
        let before = bytes(&kept);
        for more in [&[][..], &["--runs", "3"]] {
            let output = solve(&kept, more);
            assert!(output.status.success(), "{}", stderr(&output));
            let holds = format!("{kept} contains a game (82 moves); it is replaced only by a better one\n");
            assert!(stderr(&output).ends_with(&holds), "{}", stderr(&output));
            let unchanged = format!("{kept} is unchanged: the game in it (82 moves) is better\n");
            assert!(stdout(&output).contains(&unchanged), "{}", stdout(&output));
            let told = events(&solve(&kept, &[more, &["--json"]].concat()));
            let told = told.iter().find(|event| event["event"] == "output").unwrap();
            assert_eq!((&told["written"], &told["held"], &told["error"]), (&false.into(), &82.into(), &().into()));
            assert_eq!(bytes(&kept), before, "{name}");
        }
    }
}

/// A worse game is replaced; one that is as good stays, for it was there first.
#[test]
fn a_worse_game_is_replaced() {
    let folder = Folder::new();
    let file = folder.file("game.psol");
    let first = solve(&file, &[]);
    assert!(stdout(&first).contains(&format!("written to {file}\n")), "{}", stdout(&first));
    let kept = bytes(&file);
    let same = solve(&file, &[]);
    assert!(stdout(&same).contains("is as good\n"), "{}", stdout(&same));
    assert_eq!(bytes(&file), kept);
    let better =
        nestling(&["solve", "morpion-5d", "-s", "nrpa(2)", "--seed", "1", "--no-store", "-o", &file, "--json"]);
    assert!(stderr(&better).contains("it is replaced only by a better one"), "{}", stderr(&better));
    let told = events(&better);
    let of = |kind: &str| told.iter().rfind(|event| event["event"] == kind).unwrap().clone();
    assert_eq!(of("output")["written"], true);
    let verified = stdout(&nestling(&["verify", &file]));
    assert!(verified.contains(&format!(" {} moves", of("result")["score"])), "{verified}");
    assert_ne!(bytes(&file), kept);
}

/// Any other file is refused before anything is searched, with what it is; `--force` replaces it.
#[test]
fn other_files_are_refused() {
    let folder = Folder::new();
    let unfinished = "(28,28)\n(28,24) | +2\n";
    let two = "{\"format\":\"nestling-game-1\"}\n{\"format\":\"nestling-game-1\"}\n";
    let cases = [
        (folder.with("notes.txt", "call the dentist\n"), "this file exists and is not a game"),
        (folder.record("rosin178", "other.psol"), "contains a game of morpion-5t, 178 moves"),
        (folder.with("unfinished.psol", unfinished), "contains an unfinished game of morpion-5d"),
        (folder.with("illegal.psol", &format!("{unfinished}(28,24) | +2\n")), "contains an illegal game"),
        (folder.with("games.json", two), "contains 2 games"),
        (folder.with("picture.svg", "<svg xmlns='http://www.w3.org/2000/svg'></svg>"), "is not a game"),
    ];
    for (file, what) in cases {
        let before = bytes(&file);
        for more in [&[][..], &["--json"], &["--runs", "2"]] {
            let output = solve(&file, more);
            refused(&output, 2, &[&file, what, "name another file, or add --force to replace it"]);
            assert!(output.stdout.is_empty(), "{}", stdout(&output));
        }
        assert_eq!(bytes(&file), before, "{file}");
        let forced = solve(&file, &["--force"]);
        assert!(forced.status.success(), "{}", stderr(&forced));
        assert_eq!(stderr(&forced), "");
        let verified = stdout(&nestling(&["verify", &file]));
        assert!(verified.contains("legal, morpion-5d") && verified.contains("complete"), "{verified}");
    }
    let better = folder.record("rosin82", "better.psol");
    assert!(solve(&better, &["--force"]).status.success());
    assert!(!stdout(&nestling(&["verify", &better])).contains("82 moves"), "--force means it");
    assert!(solve(&folder.with("empty.psol", ""), &[]).status.success(), "there is nothing to lose");
}

/// A record of 5D is a legal and complete game of 5T as well; a search of 5T does not take it for one, whether or not the file says 5D.
#[test]
fn games_of_another_variant_are_refused() {
    let folder = Folder::new();
    let named = folder.record("rosin82", "named.psol");
    let text = String::from_utf8(bytes(&named)).unwrap();
    let open = folder.with("open.psol", &text.replace("# variant: 5D\n", ""));
    assert_ne!(bytes(&named), bytes(&open));
    for file in [&named, &open] {
        let before = bytes(file);
        let solve = ["solve", "morpion-5t", "-s", "nested(1)", "--seed", "1", "--no-store", "-o", file];
        refused(&nestling(&solve), 2, &["this file exists and contains a game of morpion-5d, 82 moves", "--force"]);
        assert_eq!(bytes(file), before);
    }
}

/// The other commands that write: another game, or anything else, is refused; the same game may be drawn anew.
#[test]
fn other_commands_replace_nothing() {
    let folder = Folder::new();
    let game = folder.record("demaine31", "game.psol");
    let notes = folder.with("notes.json", "{}");
    let svg = folder.with("drawing.svg", "<svg xmlns='http://www.w3.org/2000/svg'></svg>");
    let lines = folder.with("games.jsonl", "{}\n");
    let (page, policy) = (folder.0.path().join("report"), folder.with("policy.txt", "1 2\n"));
    std::fs::create_dir(&page).unwrap();
    std::fs::write(page.join("index.html"), "<title>my page</title>").unwrap();
    let page = page.to_str().unwrap();
    let commands: [&[&str]; 8] = [
        &["convert", &game, &notes],
        &["show", &game, "-o", &svg],
        &["records", "rosin82", "-o", &notes],
        &["records", "rosin82", "-o", &game],
        &["match", "quarto", "random", "random", "--games", "2", "-o", &lines],
        &["lab", "compare", "left-move:5", "playout", "nested(1)", "--runs", "2", "-o", &svg],
        &["lab", "report", "-o", page],
        &["solve", "morpion-5d", "-s", "nrpa(1)", "--no-store", "--learned", &policy],
    ];
    let everything = || [&game, &notes, &svg, &lines, &policy, &format!("{page}/index.html")].map(|file| bytes(file));
    let before = everything();
    for command in commands {
        let output = nestling(command);
        refused(&output, 2, &["this file exists", "--force"]);
        assert!(output.stdout.is_empty(), "{}", stdout(&output));
        assert_eq!(everything(), before, "{command:?}");
    }
    for command in commands {
        let forced = nestling(&[command, &["--force"]].concat());
        assert!(forced.status.success(), "{command:?}: {}", stderr(&forced));
    }
    // The report is its own, and may be made anew; a game may be drawn anew.
    assert!(nestling(&["lab", "report", "-o", page]).status.success());
    for theme in ["dark", "age"] {
        assert!(nestling(&["convert", &game, &folder.file("game.png"), "--theme", theme]).status.success());
    }
}

/// On the terminal a game is saved beside what is there.
#[test]
fn a_game_on_the_terminal_is_saved_beside_others() {
    let folder = Folder::new();
    let notes = folder.with("notes.json", "{}");
    let input = format!("save {notes}\nsave {}\nquit\n", folder.file("new.json"));
    let played = crate::common::nestling_fed(&["play", "quarto", "--terminal", "--seat", "both"], input.as_bytes());
    let text = stdout(&played);
    assert!(text.contains("notes.json: this file exists and is not a game; name another file\n"), "{text}");
    assert!(text.contains("new.json\n") && bytes(&notes) == b"{}", "{text}");
}

/// Exported runs replace nothing either.
#[test]
fn exports_replace_nothing() {
    let folder = Folder::new();
    let store = folder.file("runs.db");
    let search = ["-s", "repeat(nested(1))", "--time", "300ms", "--checkpoint", "20ms", "--store", &store];
    assert!(nestling(&[&["solve", "morpion-5d"][..], &search].concat()).status.success());
    for name in ["run.json", "run.csv", "run.svg", "run.psol"] {
        let file = folder.file(name);
        let export = |more: &[&str]| nestling(&[&["runs", "export", "1", &file, "--store", &store], more].concat());
        std::fs::write(&file, "precious").unwrap();
        refused(&export(&[]), 2, &[name, "this file exists", "--force"]);
        assert_eq!(bytes(&file), b"precious");
        assert!(export(&["--force"]).status.success());
        assert_ne!(bytes(&file), b"precious");
    }
}

/// A resumed run continues its own file, and overwrites no other.
#[test]
fn resumed_runs_have_their_own_file() {
    let folder = Folder::new();
    let (store, file) = (folder.file("runs.db"), folder.file("game.psol"));
    let run = |arguments: &[&str]| nestling(&[arguments, &["--store", &store]].concat());
    let search = ["-s", "repeat(nested(1))", "--seed", "1", "--checkpoint", "20ms", "-o", &file];
    let solve = [&["solve", "morpion-5d"][..], &search].concat();
    assert!(run(&[&solve[..], &["--playouts", "400000"]].concat()).status.success());
    let resume = |playouts: &str| run(&["runs", "resume", "1", "--playouts", playouts]);
    let more = resume("400001");
    assert_eq!(stderr(&more), "", "its own file is nothing to warn of");
    assert!(stdout(&more).contains(&format!("written to {file}\n")), "{}", stdout(&more));
    let record = bytes(&folder.record("rosin82", "record.psol"));
    std::fs::write(&file, &record).unwrap();
    let more = resume("400002");
    assert!(stderr(&more).contains("contains a game (82 moves)"), "{}", stderr(&more));
    assert_eq!(bytes(&file), record);
    std::fs::write(&file, "call the dentist").unwrap();
    refused(&resume("400003"), 2, &["game.psol", "is not a game", "--force"]);
}

/// Runs nestling where no file may have anything in it, as on a disk that is full.
fn on_a_full_disk(arguments: &[&str]) -> Output {
    // The signal that would end the process is ignored, so that writing fails as on a full disk.
    let script =
        format!("trap '' XFSZ; ulimit -f 0; exec '{}' \"$@\"", assert_cmd::cargo::cargo_bin("nestling").display());
    let mut command = Command::new("sh");
    command.args(["-c", &script, "nestling"]).args(arguments);
    command
        .env("NO_COLOR", "1")
        .env("RUST_BACKTRACE", "0")
        .env("NESTLING_STORE", crate::common::store())
        .output()
        .unwrap()
}

/// A file that cannot be written does not stop the search. The failure is reported once, and at the end; the game is printed.
#[cfg(unix)]
#[test]
fn a_full_disk_stops_no_search() {
    let folder = Folder::new();
    let (file, policy) = (folder.file("game.psol"), folder.file("policy.txt"));
    let search = ["solve", "morpion-5d", "-s", "nrpa(2)", "--seed", "1", "--no-store"];
    let alone = crate::common::results(&nestling(&[&search[..], &["--json"]].concat())).remove(0);
    let full = on_a_full_disk(&[&search[..], &["-o", &file, "--json"]].concat());
    assert_eq!(full.status.code(), Some(2));
    let result = crate::common::results(&full).remove(0);
    assert_eq!((&result["moves"], &result["playouts"]), (&alone["moves"], &alone["playouts"]), "it went on to its end");
    let told = stderr(&full);
    assert_eq!(told.lines().count(), 2, "once, and at the end: {told}");
    assert!(told.lines().all(|line| line.contains("game.psol: cannot be written")), "{told}");
    let event = events(&full).into_iter().find(|event| event["event"] == "output").unwrap();
    assert_eq!(event["written"], false);
    assert!(event["error"].as_str().unwrap().contains("cannot be written"), "{event}");

    let full = on_a_full_disk(&[&search[..], &["-o", &file]].concat());
    assert_eq!(full.status.code(), Some(2));
    let (_, game) = stdout(&full)
        .split_once("the game that could not be written:\n")
        .map(|(_, game)| ((), game.to_owned()))
        .unwrap();
    let (game, _) = game.split_once("repeat it:").unwrap();
    let verified = stdout(&crate::common::nestling_fed(&["verify", "-"], game.as_bytes()));
    assert!(verified.contains(&format!("legal, morpion-5d, {} moves, complete", alone["score"])), "{verified}");

    let full = on_a_full_disk(&[&search[..], &["--learned", &policy, "--runs", "1"]].concat());
    assert_eq!(full.status.code(), Some(2));
    assert!(
        stderr(&full).contains("the policy was not written") && stdout(&full).contains("moves"),
        "{}",
        stderr(&full)
    );
    assert_eq!(on_a_full_disk(&[&search[..], &["-o", &file, "--runs", "3", "--json"]].concat()).status.code(), Some(2));
    assert_eq!(folder.0.path().read_dir().unwrap().count(), 0, "nothing was left behind");
}

/// What could not be written for a while is written as soon as it can be.
#[cfg(unix)]
#[test]
fn writing_is_tried_again() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new();
    let (here, elsewhere) = (folder.file("here"), folder.file("elsewhere"));
    std::fs::create_dir(&here).unwrap();
    let file = format!("{here}/game.game");
    // Of so many bits a search finds better ones for a long time.
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("nestling"))
        .args(["solve", "left-move:3000", "-s", "repeat(playout)", "--time", "10m", "--no-store", "-o", &file])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let written = || Path::new(&file).exists();
    (0..6_000).take_while(|_| !written()).for_each(|_| std::thread::sleep(std::time::Duration::from_millis(10)));
    assert!(written(), "nothing was written in a minute");
    std::fs::rename(&here, &elsewhere).unwrap();
    let mut told = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut told).unwrap();
    assert!(
        told.contains("cannot be written") && told.ends_with("the search continues, and will try again\n"),
        "{told}"
    );
    std::fs::rename(&elsewhere, &here).unwrap();
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let text = stdout(&output);
    assert!(text.contains(&format!("written to {file}\n")), "{text}");
    let verified = stdout(&nestling(&["verify", &file]));
    let (_, score) = verified.split_once("left-move:3000, ").unwrap();
    let score = score.split_whitespace().next().unwrap();
    assert!(text.contains(&format!("left-move:3000: {score} ")), "{verified} {text}");
}
