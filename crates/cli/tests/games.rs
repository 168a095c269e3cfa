//! `show`, `convert`, `records` and `verify --against`, as a user runs them: games in every format, good and broken.

use std::path::Path;

use crate::common::{nestling, nestling_fed, refused, stderr, stdout};
use nestling_testing::data;
use serde_json::Value;

const ENDINGS: [&str; 7] = ["psol", "msr", "ms1", "game", "json", "svg", "png"];

/// The path of a file in a folder, as an argument.
fn inside(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

fn succeeds(arguments: &[&str]) -> String {
    let output = nestling(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn a_record_goes_through_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let [picture, record] = ["a.png", "b.msr"].map(|name| inside(&folder, name));
    let original = match data() {
        Some(data) => data.join("morpion/5T-178-rosin.psol").to_str().unwrap().to_owned(),
        None => {
            let published = inside(&folder, "5T-178.psol");
            succeeds(&["records", "rosin178", "-o", &published]);
            published
        }
    };
    succeeds(&["convert", &original, &picture]);
    succeeds(&["convert", &picture, &record]);
    let text = succeeds(&["verify", &record]);
    assert!(text.contains("legal, morpion-5t, 178 moves, complete; record Rosin 178: the same game"), "{text}");
    let compared = succeeds(&["verify", &record, "--against", &original]);
    assert!(compared.lines().last().unwrap().ends_with("the same game"), "{compared}");
}

/// Every ending gives its format, and standard input and output do as well as files.
#[test]
fn endings_and_pipes() {
    let folder = tempfile::tempdir().unwrap();
    let first = inside(&folder, "first.psol");
    succeeds(&["records", "demaine31", "-o", &first]);
    let original = std::fs::read(&first).unwrap();
    for (ending, format) in ENDINGS.iter().zip(["pentasol", "msr", "ms1", "text", "json", "svg", "png"]) {
        let file = inside(&folder, &format!("game.{ending}"));
        succeeds(&["convert", &first, &file]);
        let verdict: Value = serde_json::from_str(&succeeds(&["verify", "--json", &file])).unwrap();
        assert_eq!((verdict["format"].as_str(), verdict["record"].as_str()), (Some(format), Some("demaine31")));
        let back = nestling_fed(&["convert", "-", "-"], &std::fs::read(&file).unwrap());
        assert_eq!(back.stdout, original, "{ending}: {}", stderr(&back));
    }
    let packed = stdout(&nestling_fed(&["convert", "-", "-", "--to", "MS1"], &original));
    assert!(packed.starts_with("MS1:") && packed.lines().count() == 1, "{packed}");
}

#[test]
fn pictures_have_options() {
    let folder = tempfile::tempdir().unwrap();
    let [plain, moving] = ["plain.svg", "moving.svg"].map(|name| inside(&folder, name));
    succeeds(&["records", "rosin82", "-o", &plain]);
    let options = ["--theme", "dark", "--size", "640", "--up-to", "40", "--caption", "half of it", "--animated"];
    succeeds(&[&["show", &plain, "-o", &moving][..], &options].concat());
    let [plain_text, moving_text] = [&plain, &moving].map(|path| std::fs::read_to_string(path).unwrap());
    assert!(plain_text.contains("Christopher D. Rosin") && !plain_text.contains("half of it"));
    assert!(moving_text.contains("half of it") && moving_text.contains("640"));
    let verdict: Value = serde_json::from_str(&succeeds(&["verify", "--json", &moving])).unwrap();
    assert_eq!(verdict["score"], 82, "the picture carries the whole game");
    let png = inside(&folder, "moving.png");
    refused(&nestling(&["convert", &plain, &png, "--animated"]), 2, &["moving.png", ".svg"]);
    assert!(!Path::new(&png).exists());
    for options in [["--theme", "pink"], ["--size", "1"], ["--size", "99999999999"], ["--up-to", "83"]] {
        refused(&nestling(&[&["convert", &plain, &png][..], &options].concat()), 2, &[options[0]]);
    }
}

/// What only a picture can show is refused where none is written, rather than left out without a word.
#[test]
fn pictures_alone_have_their_options() {
    let folder = tempfile::tempdir().unwrap();
    let [game, copy] = ["game.psol", "copy.psol"].map(|name| inside(&folder, name));
    succeeds(&["records", "demaine31", "-o", &game]);
    let given = ["--up-to=5", "--size=1000", "--theme=light", "--animated", "--caption=hi"];
    for option in given {
        let name = option.split('=').next().unwrap();
        for command in [["convert", &game, &copy].to_vec(), ["show", &game, "-o", &copy].to_vec()] {
            refused(&nestling(&[&command[..], &[option]].concat()), 2, &["copy.psol", name, "pictures", ".svg"]);
        }
    }
    refused(&nestling(&["records", "demaine31", "-o", &copy, "--theme", "dark"]), 2, &["copy.psol", "--theme"]);
    refused(&nestling(&["convert", &game, "-", "--to", "json", "--up-to", "5"]), 2, &["-: --up-to"]);
    assert!(!Path::new(&copy).exists());
    succeeds(&["convert", &game, &inside(&folder, "copy.svg"), "--up-to", "5", "--caption", "hi"]);
    succeeds(&["convert", &game, &copy, "--to", "svg", "--up-to", "5"]);
}

#[test]
fn games_on_the_terminal() {
    let text = succeeds(&["records", "rosin82"]);
    assert!(text.contains("82") && text.contains("Rosin 82 (5D): morpion-5d, 82 moves"), "{text}");
    let game = succeeds(&["records", "rosin82", "-o", "-"]);
    let shown = stdout(&nestling_fed(&["show", "-", "--up-to", "3", "--ascii"], game.as_bytes()));
    let (picture, about) = shown.rsplit_once("\n\n").unwrap();
    assert!(picture.is_ascii() && picture.contains('3') && !picture.contains('4'), "{picture}");
    assert!(about.starts_with("morpion-5d: after move 3 of 82\nauthor: Christopher D. Rosin\n"), "{about}");
}

#[test]
fn the_published_records() {
    // Other tests of this file add games of their own to the store they share.
    let folder = tempfile::tempdir().unwrap();
    let empty = inside(&folder, "runs.db");
    let table = succeeds(&["records", "--store", &empty]);
    for words in ["rosin178        morpion-5t    178  Christopher D. Rosin", "August 2011", "485", "Quist"] {
        assert!(table.contains(words), "{words} is not in {table}");
    }
    let rows: Vec<Value> = succeeds(&["records", "--json", "--store", &empty])
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    assert_eq!(rows.len(), 15);
    assert!(rows.iter().all(|row| row["moves"].as_array().unwrap().len() as u64 == row["score"].as_u64().unwrap()));
    refused(&nestling(&["records", "rosin179"]), 2, &["rosin179", "rosin178"]);
}

/// A file with the opposite sign of k and no reference point is read, and the correction is reported.
#[test]
fn the_opposite_sign_is_noted() {
    let game = "# variant: 5D\n(28,24)|-2\n(29,28)-+2\n";
    let output = nestling_fed(&["convert", "-", "-"], game.as_bytes());
    assert_eq!(stdout(&output), "# variant: 5D\n(28,28)\n(28,24) | +2\n(29,28) - -2\n");
    let note = stderr(&output);
    assert!(note.contains("note: k has the opposite sign") && note.contains("(28,28)"), "{note}");
    let verified = nestling_fed(&["verify", "-", "--json"], game.as_bytes());
    let verdict: Value = serde_json::from_str(&stdout(&verified)).unwrap();
    assert_eq!(verdict["notes"].as_array().map(Vec::len), Some(1));
}

/// Several games in one file: each is verified and shown, `FILE#K` chooses one, and what takes one game says how many there are.
#[test]
fn several_games_in_one_file() {
    let folder = tempfile::tempdir().unwrap();
    for ending in ["psol", "msr", "ms1", "game", "json"] {
        let [one, other, both] = ["one", "other", "both"].map(|name| inside(&folder, &format!("{name}.{ending}")));
        succeeds(&["records", "rosin82", "-o", &one]);
        succeeds(&["records", "demaine31", "-o", &other]);
        let bytes = [std::fs::read(&one).unwrap(), b"\n".to_vec(), std::fs::read(&other).unwrap()].concat();
        std::fs::write(&both, &bytes).unwrap();
        let verified = succeeds(&["verify", &both]);
        let lines: Vec<&str> = verified.lines().collect();
        assert_eq!(lines.len(), 2, "{verified}");
        assert!(lines[0].contains(&format!("both.{ending}#1: legal, morpion-5d, 82 moves")), "{verified}");
        assert!(lines[1].contains(&format!("both.{ending}#2: legal, morpion-4d, 31 moves")), "{verified}");
        let shown = succeeds(&["show", &both, "--ascii"]);
        assert!(shown.contains("morpion-5d: 82 moves") && shown.contains("morpion-4d: 31 moves"), "{shown}");
        assert!(shown.ends_with(&format!(": 2 games; {both}#1 is the first of them\n")), "{shown}");
        let second = format!("{both}#2");
        assert!(!succeeds(&["show", &second]).contains("morpion-5d"));
        let json = inside(&folder, &format!("{ending}.json"));
        succeeds(&["convert", &second, &json]);
        assert!(succeeds(&["verify", &json]).contains("morpion-4d, 31 moves"));
        let from = format!("{second}@20");
        succeeds(&["solve", "morpion-4d", "--from", &from, "-s", "playout"]);
        assert!(succeeds(&["verify", &other, "--against", &second]).ends_with("the same game\n"));
        for command in [
            &["convert", &second, &both, "--force"][..],
            &["solve", "morpion-4d", "--from", &from, "-s", "playout", "-o", &both, "--force"],
        ] {
            refused(&nestling(command), 2, &["is both input and output"]);
        }
        for command in
            [&["convert", &both, "-"][..], &["show", &both, "-o", "-"], &["verify", &one, "--against", &both]]
        {
            refused(&nestling(command), 2, &["the file contains 2 games; choose one, as in", "#1"]);
        }
        for missing in ["#0", "#3"] {
            refused(
                &nestling(&["verify", &format!("{both}{missing}")]),
                2,
                &["the file contains 2 games; choose one of #1 to #2"],
            );
        }
        refused(&nestling(&["verify", &format!("{one}#2")]), 2, &["the file has one game"]);
        let piped = nestling_fed(&["verify", "--", "-#2"], &bytes);
        assert!(stdout(&piped).starts_with("-#2: legal, morpion-4d"), "{}", stdout(&piped));
    }
}

/// A broken game among others is named with the line that it begins in, and does not hide the others.
#[test]
fn a_broken_game_among_others_is_named() {
    let game = "# variant: 5D\n(28,28)\n(28,24) | +2\n";
    let file = format!("{game}\n{}\n{}{game}", game.replace("+2", "?"), game.replace("(28,24) | +2", "(50,50) | +2"));
    let output = nestling_fed(&["verify", "-"], file.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output).lines().count(), 2, "{}", stdout(&output));
    let errors = stderr(&output);
    assert!(errors.contains("-#2 (which begins in line 4): line 4, byte 11: expected the number k"), "{errors}");
    assert!(errors.contains("-#3: illegal, move 1: (50,50) | +2"), "{errors}");
    let shown = nestling_fed(&["show", "-"], file.as_bytes());
    assert_eq!(shown.status.code(), Some(2));
    assert_eq!((stderr(&shown).lines().count(), stdout(&shown).matches("1 moves").count()), (2, 2));
    let json = nestling_fed(&["verify", "-", "--json"], b"{\"format\":\n{\"a\":1}\n");
    let lines: Vec<Value> = stdout(&json).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines[0]["error"].as_str().unwrap().contains("EOF while parsing"), "{lines:?}");
    assert!(lines[1]["error"].as_str().unwrap().contains("JSON of another program, with \"a\""), "{lines:?}");
}

/// A file that leaves the variant open is never given a false name: both are named, and which was taken.
#[test]
fn both_variants_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let game = inside(&folder, "game.psol");
    // The third line touches the second, at (29,28).
    let [disjoint, touching] =
        ["", "(30,28) - +1\n"].map(|last| format!("(28,28)\n(28,24) | +2\n(29,28) - -2\n{last}"));
    std::fs::write(&game, &disjoint).unwrap();
    let output = nestling(&["verify", &game]);
    assert!(stdout(&output).contains("legal, morpion-5d, 2 moves"), "{}", stdout(&output));
    let note = stderr(&output);
    assert!(note.contains("5D (moves are left) and as 5T (moves are left): read as 5D"), "{note}");
    std::fs::write(&game, format!("# variant: 5T\n{disjoint}")).unwrap();
    let output = nestling(&["verify", &game]);
    assert!(stdout(&output).contains("legal, morpion-5t, 2 moves") && stderr(&output).is_empty());
    std::fs::write(&game, &touching).unwrap();
    let output = nestling(&["verify", &game]);
    assert!(stdout(&output).contains("legal, morpion-5t, 3 moves"), "{}{}", stdout(&output), stderr(&output));
    assert!(stderr(&output).is_empty(), "{}", stderr(&output));
    // Files of our own say which it is.
    let record = inside(&folder, "record.psol");
    succeeds(&["records", "rosin82", "-o", &record]);
    assert!(stderr(&nestling(&["verify", &record])).is_empty());
}

#[test]
fn games_are_compared_up_to_symmetry() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = inside(&folder, name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let one = write("one.psol", "(28,28)\n(28,24) | +2\n(29,28) - -2\n");
    let cases = [
        ("(28,28)\n(28,24) | +2\n(29,28) - -2\n", "game", "the same game"),
        ("(28,28)\n(29,28) - -2\n(28,24) | +2\n", "moves", "the same lines in another order"),
        ("(28,28)\n(31,24) | +2\n(30,28) - +2\n", "game", "mirrored left to right"),
        ("(28,28)\n(28,24) | +2\n", "different", "another game"),
        ("# variant: 4T\n(28,28)\n(26,27) | +1\n", "different", "of morpion-5d"),
        ("# variant: 5T\n(28,28)\n(28,24) | +2\n(29,28) - -2\n", "game", "the same game"),
    ];
    for (text, same, words) in cases {
        let other = write("other.psol", text);
        let output = succeeds(&["verify", &other, "--against", &one, "--json"]);
        let verdict: Value = serde_json::from_str(&output).unwrap();
        assert_eq!(verdict["against"]["same"], same, "{output}");
        assert!(verdict["against"]["words"].as_str().unwrap().contains(words), "{output}");
    }
}

/// An illegal game is refused with exit code 1, an unreadable file with 2; one line names the culprit; nothing is written.
#[test]
fn broken_files_leave_everything_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let legal = inside(&folder, "legal.psol");
    succeeds(&["records", "demaine31", "-o", &legal]);
    let kept = inside(&folder, "kept.json");
    std::fs::write(&kept, "precious").unwrap();
    let before = std::fs::read_dir(folder.path()).unwrap().count();
    let json = stdout(&nestling(&["convert", &legal, "-", "--to", "json"]));
    let swapped = json.replacen("(28,25) | +1", "(28,25) | -1", 1);
    let png = nestling(&["convert", &legal, "-", "--to", "png", "--size", "100"]).stdout;
    let empty_png =
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\0IEND\xaeB`\x82";
    let cases: Vec<(Vec<u8>, i32, &str)> = vec![
        (swapped.clone().into_bytes(), 1, "move 1: (28,25) | -1"),
        (json.replace("\"score\": 31", "\"score\": 32").into_bytes(), 2, "score 32"),
        (json.as_bytes()[..json.len() / 2].to_vec(), 2, "line "),
        (png[..png.len() / 2].to_vec(), 2, ""),
        (png[..60].to_vec(), 2, "PNG ends too early, at byte 60"),
        (empty_png.to_vec(), 2, "PNG contains no game"),
        (b"MS1:eJwBAAD//wAAAAE".to_vec(), 2, "cut off"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'></svg>".to_vec(), 2, "SVG contains no game"),
        (b"{\"format\":\"nestling-game-1\",\"problem\":\"chess\",\"score\":0,\"moves\":[]}".to_vec(), 2, "chess"),
        (vec![b'{'; 10 << 20], 2, "line 1"),
        (vec![0; 1000], 2, "not the beginning of a game"),
    ];
    for (contents, code, words) in cases {
        // A picture that was cut off after its game still has it.
        let output = nestling_fed(&["convert", "-", &kept, "--force"], &contents);
        if words.is_empty() && output.status.success() {
            std::fs::write(&kept, "precious").unwrap();
            continue;
        }
        refused(&output, code, &["-: ", words]);
        refused(&nestling_fed(&["show", "-"], &contents), code, &[words]);
        refused(&nestling_fed(&["verify", "-"], &contents), code, &[words]);
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), "precious");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), before, "something was left behind");
    }
}

/// No command writes over the file it reads, under whatever name, nor where it cannot.
#[test]
fn inputs_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let [game, link] = ["game.psol", "link.json"].map(|name| inside(&folder, name));
    succeeds(&["records", "demaine31", "-o", &game]);
    let original = std::fs::read(&game).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&game, &link).unwrap();
    refused(&nestling(&["convert", &game, &game]), 2, &["game.psol", "is both input and output"]);
    refused(&nestling(&["show", &game, "-o", &game]), 2, &["is both input and output"]);
    #[cfg(unix)]
    refused(&nestling(&["convert", &game, &link]), 2, &["link.json", "is both input and output"]);
    refused(&nestling(&["convert", &game, "/nowhere/game.json"]), 2, &["/nowhere"]);
    refused(&nestling(&["convert", &game, &inside(&folder, "game.doc")]), 2, &["game.doc", ".msr", ".png"]);
    refused(&nestling(&["convert", &game, "-", "--to", "doc"]), 2, &["doc", "pentasol, msr"]);
    refused(&nestling(&["convert", "/nowhere.psol", "-"]), 2, &["/nowhere.psol"]);
    assert_eq!(std::fs::read(&game).unwrap(), original);
}

/// A link stays and what it leads to is made, wherever that is told from; an existing file keeps its permissions.
#[cfg(unix)]
#[test]
fn links_and_permissions_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str| nestling(&["records", "demaine31", "--force", "-o", &inside(&folder, name)]);
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    let links = [
        ("absolute.psol", inside(&folder, "one.psol"), "one.psol"),
        ("relative.psol", "deep/two.psol".to_owned(), "deep/two.psol"),
        ("deep/up.psol", "../three.psol".to_owned(), "three.psol"),
        ("twice.psol", "deep/again.psol".to_owned(), "deep/four.psol"),
    ];
    symlink("four.psol", folder.path().join("deep/again.psol")).unwrap();
    for (link, target, file) in links {
        symlink(target, folder.path().join(link)).unwrap();
        let output = write(link);
        assert!(output.status.success(), "{link}: {}", stderr(&output));
        assert!(folder.path().join(link).is_symlink() && folder.path().join(file).is_file(), "{link}");
        assert!(!folder.path().join(file).is_symlink(), "{link}");
    }
    symlink("missing/five.psol", folder.path().join("astray.psol")).unwrap();
    refused(&write("astray.psol"), 2, &["astray.psol", "there is no folder", "missing"]);
    symlink("circle.psol", folder.path().join("circle.psol")).unwrap();
    refused(&write("circle.psol"), 2, &["circle.psol", "broken symbolic link"]);

    let mode = |name: &str| folder.path().join(name).metadata().unwrap().permissions().mode() & 0o777;
    for permissions in [0o600, 0o666, 0o640] {
        let one = folder.path().join("one.psol");
        std::fs::write(&one, "old").unwrap();
        std::fs::set_permissions(&one, std::fs::Permissions::from_mode(permissions)).unwrap();
        assert!(write("absolute.psol").status.success());
        assert_eq!(mode("one.psol"), permissions);
        assert!(std::fs::metadata(&one).unwrap().len() > 100, "it is written");
    }
    std::fs::write(folder.path().join("any"), "").unwrap();
    assert_eq!(mode("three.psol"), mode("any"), "a new file is like any");
}

/// What a search keeps says where it comes from, in any format, and is refused before the search if it cannot be kept.
#[test]
fn searches_keep_where_games_come_from() {
    let folder = tempfile::tempdir().unwrap();
    for ending in ENDINGS {
        let file = inside(&folder, &format!("game.{ending}"));
        let solved = ["solve", "morpion-4d", "-s", "nested(1)", "--seed", "7", "-o", &file];
        assert!(nestling(&solved).status.success());
        let json: Value = serde_json::from_str(&succeeds(&["convert", &file, "-", "--to", "json"])).unwrap();
        let provenance = &json["provenance"];
        assert_eq!(
            (provenance["search"].as_str(), provenance["seed"].as_u64()),
            (Some("nested(1)"), Some(7)),
            "{ending}"
        );
        assert!(provenance["playouts"].as_u64().unwrap() > 100, "{ending}: {provenance}");
        assert!(provenance["date"].as_str().unwrap().ends_with('Z'), "{ending}: {provenance}");
        assert!(provenance["program"].as_str().unwrap().starts_with("nestling "), "{ending}: {provenance}");
    }
    let file = inside(&folder, "game.doc");
    refused(&nestling(&["solve", "morpion-4d", "--time", "1h", "-o", &file]), 2, &["game.doc", ".psol"]);
}

/// Of the improvements that come faster than they are drawn, the file has the last.
#[test]
fn the_picture_is_of_the_best_game() {
    let folder = tempfile::tempdir().unwrap();
    let picture = inside(&folder, "best.png");
    let text = succeeds(&[
        "solve",
        "morpion-5d",
        "-s",
        "repeat(nrpa(2))",
        "--seed",
        "1",
        "--playouts",
        "20000",
        "--json",
        "-o",
        &picture,
        "--no-store",
    ]);
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let result = events.iter().find(|event| event["event"] == "result").unwrap();
    assert!(events.len() > 3, "{text}");
    let verdict: Value = serde_json::from_str(&succeeds(&["verify", "--json", &picture])).unwrap();
    assert_eq!(verdict["score"], result["score"]);
}
