//! Files that are written by several processes, and by processes that are killed.

use super::*;
use std::process::{Child, Command, Stdio};

fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// Two ways to write, of which a file system may have only the second.
type Write = fn(&Output, &[u8]) -> io::Result<()>;
const WAYS: [(&str, Write); 2] = [
    ("without a name", |output, contents| output.write(contents).map_err(io::Error::other)),
    ("with a name", Output::through_hidden),
];

/// A text whose every line has its number of lines in it, so that a part of it is told from the whole.
fn contents(lines: usize) -> String {
    (0..lines).map(|line| format!("{line} of {lines}\n")).collect()
}

fn is_whole(text: &str) -> bool {
    text == contents(text.lines().count())
}

/// Not a test by itself: the process that `kills_leave_nothing` kills.
#[test]
fn writes_until_it_is_killed() {
    let Some(path) = std::env::var_os("NESTLING_TEST_WRITES") else { return };
    let way = std::env::var("NESTLING_TEST_WAY").unwrap();
    let (_, write) = WAYS.into_iter().find(|(name, _)| *name == way).unwrap();
    let output = Output::over(Path::new(&path)).unwrap();
    for lines in (0..3_000).cycle() {
        write(&output, contents(lines).as_bytes()).unwrap();
    }
}

fn writer(path: &Path, way: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "output::tests::writes_until_it_is_killed"])
        .env("NESTLING_TEST_WRITES", path)
        .env("NESTLING_TEST_WAY", way)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// Fifty processes that do nothing but write are killed. What they leave is whole; beside it there is at most the one hidden
/// name, and not even that once another process looks at the file again.
#[test]
fn kills_leave_nothing() {
    for (way, _) in WAYS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.txt");
        for _ in 0..25 {
            let before = path.metadata().and_then(|there| there.modified()).ok();
            let mut child = writer(&path, way);
            let written =
                || path.metadata().and_then(|there| there.modified()).ok().is_some_and(|now| Some(now) != before);
            for _ in 0..6_000 {
                if written() {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            assert!(written(), "nothing was written in a minute");
            child.kill().unwrap();
            child.wait().unwrap();
            assert!(is_whole(&std::fs::read_to_string(&path).unwrap()), "{way}");
            let left = names(folder.path());
            assert!(left.len() <= 2 && left.contains(&"file.txt".to_owned()), "{way}: {left:?}");
            Output::over(&path).unwrap();
            assert_eq!(names(folder.path()), ["file.txt"], "{way}");
        }
    }
}

/// Several processes may write one file: it is always whole, and theirs one after the other.
#[test]
fn several_write_one_file() {
    for (way, write) in WAYS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.txt");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    let output = Output::over(path).unwrap();
                    for round in 0..50 {
                        write(&output, contents(100 * writer + round).as_bytes()).unwrap();
                        assert!(is_whole(&std::fs::read_to_string(path).unwrap()), "{way}");
                    }
                });
            }
        });
        assert_eq!(names(folder.path()), ["file.txt"], "{way}");
    }
}

/// A file that is replaced keeps its permissions, and a new one has those of any new file.
#[cfg(unix)]
#[test]
fn permissions_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let any = folder.path().join("any");
    std::fs::write(&any, "").unwrap();
    for (way, write) in WAYS {
        let path = folder.path().join(way);
        let output = Output::over(&path).unwrap();
        write(&output, b"one").unwrap();
        assert_eq!(mode(&path), mode(&any), "{way}");
        std::fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        write(&output, b"two").unwrap();
        assert_eq!((mode(&path), std::fs::read(&path).unwrap()), (0o640, b"two".to_vec()), "{way}");
    }
}

/// A file is refused before anything is done to it, unless there is nothing in it.
#[test]
fn files_that_are_there_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    assert!(Output::new(&path, Existing::Refused).is_ok());
    std::fs::write(&path, "").unwrap();
    assert!(Output::new(&path, Existing::Forced(false)).is_ok());
    std::fs::write(&path, "precious").unwrap();
    let refused = |existing| Output::new(&path, existing).err().unwrap().to_string();
    assert!(
        refused(Existing::Forced(false))
            .ends_with("notes.txt: this file exists already; name another file, or add --force to replace it")
    );
    assert!(refused(Existing::Refused).ends_with("notes.txt: this file exists already; name another file"));
    assert!(Output::new(&path, Existing::Forced(true)).is_ok());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_the_hidden_file_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let precious = folder.path().join("precious");
    std::fs::write(&precious, "precious").unwrap();
    let output = Output::over(&folder.path().join("file.txt")).unwrap();
    std::os::unix::fs::symlink(&precious, &output.hidden).unwrap();
    assert!(output.through_hidden(b"other").is_err());
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "precious");
}
