//! docs/MAP.md covers every source file, and what it names exists: files, folders, functions, types.

use std::path::{Path, PathBuf};

use crate::readme::files_below;

const MAP: &str = include_str!("../../../docs/MAP.md");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What stands between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The paths at the beginning of the lines of a section.
fn rows(section: &str) -> Vec<&str> {
    let heads = section.lines().filter_map(|line| line.strip_prefix("- ")?.split(": ").next());
    heads.flat_map(quoted).collect()
}

/// The part of the map below a heading.
fn section(heading: &str) -> &'static str {
    MAP.split_once(&format!("\n## {heading}\n")).unwrap().1.split("\n## ").next().unwrap()
}

/// The section of every crate has a line for each of its source files, or for a folder that the file is in. A folder ends with a slash.
/// Every line stands for something that is there, and every section for a crate.
#[test]
fn the_map_is_complete() {
    let crates = root().join("crates");
    let sections: Vec<(&str, &str)> = MAP
        .split("\n## `crates/")
        .skip(1)
        .map(|rest| rest.split("\n## ").next().unwrap().split_once('`').unwrap())
        .collect();
    for entry in crates.read_dir().unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(sections.iter().any(|(section, _)| *section == name), "docs/MAP.md has no section crates/{name}");
    }
    for (name, section) in sections {
        let (root, rows) = (crates.join(name), rows(section));
        let sources = root.join("src");
        for row in &rows {
            let there =
                |folder: &Path| if row.ends_with('/') { folder.join(row).is_dir() } else { folder.join(row).is_file() };
            assert!(there(&sources) || there(&root), "docs/MAP.md: crates/{name} has no {row}");
        }
        for file in files_below(&sources) {
            let file = file.strip_prefix(&sources).unwrap().to_str().unwrap().replace('\\', "/");
            let covers = |row: &&str| *row == file || (row.ends_with('/') && file.starts_with(*row));
            assert!(rows.iter().any(covers), "docs/MAP.md has no line for {file} in the section of crates/{name}");
        }
    }
}

fn is_path(name: &str) -> bool {
    const ENDINGS: [&str; 10] = [".rs", ".toml", ".md", ".html", ".js", ".css", ".json", ".py", ".mjs", "/"];
    !name.contains(' ') && (name.contains('/') || ENDINGS.iter().any(|ending| name.ends_with(ending)))
}

/// The file or folder that a path stands for: seen from the root, from the folder named before, or from one above that.
fn resolved(path: &str, before: Option<&Path>) -> Option<PathBuf> {
    let root = root();
    let above = before.into_iter().flat_map(Path::ancestors).take_while(|folder| **folder != root);
    [root.as_path()].into_iter().chain(above).map(|folder| folder.join(path)).find(|place| place.exists())
}

/// The contents of a file, or of all files below a folder.
fn contents(place: &Path) -> String {
    let files = if place.is_dir() { files_below(place) } else { vec![place.to_owned()] };
    files.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect()
}

/// Whether a text has the word, which is not part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_letter) && !text[at + word.len()..].starts_with(is_letter))
}

/// Whether a source text defines the function, type, macro or search.
fn defines(text: &str, name: &str) -> bool {
    let kinds = ["fn", "struct", "enum", "trait", "type", "const", "macro_rules!"];
    kinds.iter().any(|kind| has_word(text, &format!("{kind} {name}"))) || text.contains(&format!("name: \"{name}\""))
}

/// "Where does it go?": paths exist; names occur in the files and folders of their row, or are defined in the source.
#[test]
fn what_new_parts_need_exists() {
    let sources: Vec<PathBuf> =
        root().join("crates").read_dir().unwrap().map(|entry| entry.unwrap().path().join("src")).collect();
    let sources: String = sources.iter().map(|folder| contents(folder)).collect();
    let rows: Vec<&str> = section("Where does it go?").lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() >= 14, "{rows:?}");
    for row in rows {
        let (paths, names): (Vec<&str>, Vec<&str>) = quoted(row)
            .filter(|name| !name.contains("NAME") && !name.starts_with("UPDATE=1"))
            .partition(|name| is_path(name));
        assert!(!paths.is_empty(), "{row}");
        let mut before: Option<PathBuf> = None;
        let mut text = String::new();
        for path in paths {
            let place = resolved(path, before.as_deref());
            let place = place.unwrap_or_else(|| panic!("docs/MAP.md: there is no {path}: {row}"));
            text += &contents(&place);
            before = Some(place);
        }
        for name in names {
            let last = name.rsplit("::").next().unwrap().trim_end_matches('!');
            assert!(has_word(&text, last) || defines(&sources, last), "docs/MAP.md: there is no {name}: {row}");
        }
    }
}

/// "Follow one playout": every function is defined in the file that is named before it, and every type occurs there.
#[test]
fn the_walk_can_be_followed() {
    let walk = section("Follow one playout");
    let steps = &walk[walk.find("\n1. ").unwrap()..walk.find("\n\nThe app").unwrap()];
    let (mut file, mut functions) = (String::new(), 0);
    for name in quoted(steps) {
        if is_path(name) {
            file = std::fs::read_to_string(root().join(name))
                .unwrap_or_else(|error| panic!("docs/MAP.md: {name}: {error}"));
            continue;
        }
        let (owner, function) = match name.rsplit_once("::") {
            Some((owner, function)) => (Some(owner), Some(function)),
            None if name.starts_with(char::is_lowercase) => (None, Some(name)),
            None => (Some(name), None),
        };
        let is_there = owner.is_none_or(|owner| has_word(&file, owner))
            && function.is_none_or(|function| has_word(&file, &format!("fn {function}")));
        assert!(is_there, "docs/MAP.md: {name} is not in the file named before it");
        functions += usize::from(function.is_some());
    }
    assert!(functions >= 25, "{functions}");
}
