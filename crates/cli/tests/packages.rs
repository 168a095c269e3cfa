//! A crate is published without the files around it.

use std::path::{Component, Path};

use crate::readme::files_below;

/// The depth of a path below the folder that it begins in; nothing if it leaves that folder.
fn depth(path: &Path) -> Option<usize> {
    path.components().try_fold(0_usize, |depth, component| match component {
        Component::ParentDir => depth.checked_sub(1),
        Component::CurDir => Some(depth),
        _ => Some(depth + 1),
    })
}

/// The files that a source file includes at compile time, as it writes them.
fn included(source: &str) -> impl Iterator<Item = &str> {
    ["include_str!(\"", "include_bytes!(\"", "include!(\""]
        .into_iter()
        .flat_map(|macro_call| source.split(macro_call).skip(1))
        .filter_map(|rest| rest.split('"').next())
}

#[test]
fn nothing_from_outside_of_a_crate_is_compiled_into_it() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut count = 0;
    for root in crates.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        let sources = files_below(&root.join("src"));
        for file in sources.into_iter().filter(|file| file.extension() == Some("rs".as_ref())) {
            let source = std::fs::read_to_string(&file).unwrap();
            for path in included(&source) {
                let whole = file.strip_prefix(&root).unwrap().parent().unwrap().join(path);
                assert!(depth(&whole).is_some(), "{} includes {path}, which its package has not", file.display());
                count += 1;
            }
        }
    }
    assert!(count >= 5, "only {count} files are included anywhere");
    assert_eq!(depth("src/../../examples/file".as_ref()), None);
}

#[test]
fn the_model_without_a_file_is_the_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = |file: &str| std::fs::read_to_string(root.join(file)).unwrap();
    assert_eq!(text("crates/registry/src/knapsack.toml"), text("examples/models/knapsack.toml"));
}
