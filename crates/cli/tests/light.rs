//! What a crate of one's own builds: the library alone, and a command line without features, need neither SQLite nor CUDA, neither a web
//! server nor the language of models.

use std::path::Path;
use std::process::Command;

/// What only some programs want; a full command line has all of it.
const HEAVY: [&str; 10] = [
    "nestling-store",
    "nestling-web",
    "nestling-lab",
    "nestling-gpu",
    "libsqlite3-sys",
    "cudarc",
    "axum",
    "tokio",
    "cel",
    "resvg",
];

/// The names of the packages that a build of a package needs on this system.
fn packages(arguments: &[&str]) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .current_dir(root)
        .args(["tree", "--offline", "--locked", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut names: Vec<String> = text.lines().filter_map(|line| Some(line.split(' ').next()?.to_owned())).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn heavy(packages: &[String]) -> Vec<&str> {
    HEAVY.into_iter().filter(|name| packages.iter().any(|package| package == name)).collect()
}

#[test]
fn the_light_builds_are_light() {
    let full = packages(&["--package", "nestling-cli"]);
    assert_eq!(heavy(&full), HEAVY, "the names of the packages have changed");
    let light = packages(&["--package", "nestling-cli", "--no-default-features"]);
    assert_eq!(heavy(&light), [""; 0]);
    let library = packages(&["--package", "nestling"]);
    assert_eq!(heavy(&library), [""; 0]);
    let own: Vec<&String> = library.iter().filter(|name| name.starts_with("nestling-")).collect();
    assert!(own.is_empty(), "{own:?}");
}
