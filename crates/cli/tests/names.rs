//! One meaning per name: no public type or trait of the workspace has the name of another one, and no public function or constant the name
//! of one in another crate. docs/decisions/names.md has the reasons.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::readme::files_below;

/// Words that several crates define for themselves, all with the same meaning.
const SHARED: [&str; 7] = ["Cell", "Fault", "Move", "ReadError", "Refusal", "Rules", "Variant"];

/// Functions and constants that several crates define, all with the same meaning.
const SHARED_FUNCTIONS: [&str; 2] = ["draw", "svg"];

/// The crate whose types are those of other crates as classes of Python.
const CLASSES: &str = "python";

/// The names of the public items of some kinds that a source file defines outside of inner modules.
fn public_items<'a>(source: &'a str, kinds: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    source.lines().filter_map(|line| {
        let definition = line.strip_prefix("pub ")?;
        let mut words = definition.trim_start_matches("unsafe ").split(|c: char| !c.is_alphanumeric() && c != '_');
        let first = words.next()?;
        let second = words.next()?;
        // A constant function is a function.
        let (kind, name) = if (first, second) == ("const", "fn") { (second, words.next()?) } else { (first, second) };
        kinds.contains(&kind).then_some(name)
    })
}

/// Every name of some kinds, with the crates and files that define it.
fn places(kinds: &[&str]) -> BTreeMap<String, Vec<String>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in crates.read_dir().unwrap().map(Result::unwrap).filter(|entry| entry.file_name() != CLASSES) {
        for file in
            files_below(&entry.path().join("src")).into_iter().filter(|file| file.extension() == Some("rs".as_ref()))
        {
            let place = file.strip_prefix(crates).unwrap().display().to_string();
            for name in public_items(&std::fs::read_to_string(&file).unwrap(), kinds) {
                places.entry(name.to_owned()).or_default().push(place.clone());
            }
        }
    }
    places
}

#[test]
fn every_public_type_has_a_name_of_its_own() {
    let mut places = places(&["struct", "enum", "union", "trait", "type"]);
    assert!(places.len() > 300, "only {} public types were found", places.len());
    for name in SHARED {
        assert!(places.remove(name).is_some_and(|places| places.len() > 1), "{name} needs no exception");
    }
    let twice: Vec<_> = places.iter().filter(|(_, places)| places.len() > 1).collect();
    assert!(
        twice.is_empty(),
        "rename all but one of the types, or list a word with one meaning in SHARED and in docs/decisions/names.md: {twice:#?}"
    );
}

#[test]
fn no_two_crates_have_a_public_function_of_the_same_name() {
    let mut places = places(&["fn", "const", "static"]);
    assert!(places.len() > 150, "only {} public functions were found", places.len());
    let crates = |places: &[String]| -> BTreeSet<String> {
        places.iter().map(|place| place.split(['/', '\\']).next().unwrap().to_owned()).collect()
    };
    for name in SHARED_FUNCTIONS {
        assert!(places.remove(name).is_some_and(|places| crates(&places).len() > 1), "{name} needs no exception");
    }
    let twice: Vec<_> = places.iter().filter(|(_, places)| crates(places).len() > 1).collect();
    assert!(twice.is_empty(), "rename the functions of all but one crate: {twice:#?}");
}
