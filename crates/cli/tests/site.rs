//! `nestling site`, and runs that move between stores.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::common::{nestling, refused, results, stderr, stdout};

/// A file that says of itself that it is the engine.
fn engine(folder: &Path, version: &str) -> String {
    let path = folder.join(format!("engine-{version}.wasm"));
    fs::write(&path, [b"\0asm".as_slice(), format!("nestling engine {version};").as_bytes()].concat()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_site_is_a_folder() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("public");
    let folder = folder.to_str().unwrap();
    let engine = engine(home.path(), env!("CARGO_PKG_VERSION"));
    let game = home.path().join("rosin178.psol");
    let game = game.to_str().unwrap();
    assert!(nestling(&["records", "rosin178", "-o", game]).status.success());
    let site = ["site", "-o", folder, "--engine", &engine, "--game", game, "--address", "https://example.org/n/"];
    let output = nestling(&site);
    assert!(output.status.success(), "{}", stderr(&output));
    let page = fs::read_to_string(format!("{folder}/rosin178.html")).unwrap();
    assert!(page.contains("content=\"https://example.org/n/rosin178.png\"") && page.contains("178 moves"), "{page}");
    let link = page.split("url=").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert!(link.starts_with("morpion.html#5t~") && link.len() < 200, "{link}");
    assert!(fs::read(format!("{folder}/rosin178.png")).unwrap().starts_with(b"\x89PNG"));
    for file in
        ["index.html", "quarto.html", "core/backend.js", "tab/worker.js", "nestling.wasm", "icon-512.png", "service.js"]
    {
        assert!(Path::new(folder).join(file).is_file(), "{file}");
    }
    assert!(nestling(&site).status.success(), "a site is replaced");
    // Two games with the same name, or the name of a file of the app, would overwrite each other.
    for name in ["rosin178", "icon-192", "quarto"] {
        fs::create_dir_all(home.path().join(name)).unwrap();
        let other = home.path().join(name).join(format!("{name}.psol"));
        fs::copy(game, &other).unwrap();
        let both = [&site[..], &["--game", other.to_str().unwrap()]].concat();
        refused(&nestling(&both), 2, &[name, "rename the file"]);
    }
}

#[test]
fn what_is_no_site_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().to_str().unwrap();
    let engine = engine(home.path(), "0.0.1");
    refused(&nestling(&["site", "-o", folder, "--engine", &engine]), 2, &["other files", "--force"]);
    let fresh = home.path().join("fresh");
    let fresh = fresh.to_str().unwrap();
    refused(&nestling(&["site", "-o", fresh, "--engine", &engine]), 2, &["engine-0.0.1.wasm", "scripts/site"]);
    refused(&nestling(&["site", "-o", fresh]), 2, &["no engine", "-site.tar.gz", "scripts/site", "--engine"]);
    refused(&nestling(&["site", "-o", &engine]), 2, &["not a folder"]);
    assert!(!Path::new(fresh).exists(), "nothing was written");
}

/// A run that is interrupted here continues in another store, with the result of a run in one piece. (Runs of less than 50 ms are not stored.)
#[test]
fn runs_move_between_stores() {
    let home = tempfile::tempdir().unwrap();
    let [one, other, packed] =
        ["one.db", "other.db", "all.runs"].map(|name| home.path().join(name).to_str().unwrap().to_owned());
    let search = [
        "solve",
        "morpion-5d",
        "-s",
        "repeat(40000, nested(1))",
        "--seed",
        "7",
        "--store",
        &one,
        "--json",
        "--quiet",
        "--playouts",
    ];
    let whole = nestling(&[&search[..], &["1600000", "--no-store"]].concat());
    assert!(nestling(&[&search[..], &["800000", "--checkpoint", "50ms"]].concat()).status.success());
    assert!(nestling(&["runs", "pack", &packed, "--store", &one]).status.success());
    refused(&nestling(&["runs", "pack", &packed, "--store", &one]), 2, &["exists", "--force"]);
    let unpack = ["runs", "unpack", &packed, "--store", &other];
    let output = nestling(&unpack);
    assert!(stdout(&output).contains("added as run 1"), "{} {}", stdout(&output), stderr(&output));
    assert!(stdout(&nestling(&unpack)).contains("run 1 is as far already"));
    // What a file only claims, and has no checkpoint for, takes no run's place.
    let claims = fs::read_to_string(&packed).unwrap().lines().map(boasting).collect::<Vec<_>>().join("\n");
    fs::write(home.path().join("claims.runs"), claims).unwrap();
    let claims = home.path().join("claims.runs").to_str().unwrap().to_owned();
    let output = nestling(&["runs", "unpack", &claims, "--store", &other]);
    assert!(stdout(&output).contains("run 1 is as far already"), "{} {}", stdout(&output), stderr(&output));
    let resumed = nestling(&["runs", "resume", "1", "--playouts", "1600000", "--store", &other, "--json", "--quiet"]);
    let (whole, resumed) = (&results(&whole)[0], &results(&resumed)[0]);
    for field in ["score", "moves", "playouts", "stop"] {
        assert_eq!(whole[field], resumed[field], "{field}");
    }
    // The way back takes the place of the run that it began as.
    assert!(nestling(&["runs", "pack", &packed, "1", "--force", "--store", &other]).status.success());
    let output = nestling(&["runs", "unpack", &packed, "--store", &one]);
    assert!(stdout(&output).contains("goes further than the run here; now run 2"), "{}", stdout(&output));
}

/// Without memory a search may see a better game than that of its result, of which only the score is kept with the result.
#[test]
fn runs_that_saw_better_games_move_too() {
    let home = tempfile::tempdir().unwrap();
    let [one, other, packed] =
        ["one.db", "other.db", "all.runs"].map(|name| home.path().join(name).to_str().unwrap().to_owned());
    let search = ["-s", "nested(2, memory=off)", "--seed", "1", "--checkpoint", "20ms"];
    let solved = nestling(&[&["solve", "morpion-5d", "--store", &one, "--json", "--quiet"], &search[..]].concat());
    let result = &results(&solved)[0];
    assert!(result["best_seen"].as_f64() > result["score"].as_f64(), "{result}");
    assert!(nestling(&["runs", "pack", &packed, "--store", &one]).status.success());
    let output = nestling(&["runs", "unpack", &packed, "--store", &other]);
    assert!(stdout(&output).contains("added as run 1"), "{} {}", stdout(&output), stderr(&output));
}

/// A line of a file of runs that claims to be far, and has lost its checkpoints and results.
fn boasting(line: &str) -> String {
    let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
    if let Some(run) = line.get_mut("run") {
        run["playouts"] = 1_000_000_000_000_000_u64.into();
        run["checkpoints"] = serde_json::Value::Array(Vec::new());
        run["outcomes"] = serde_json::Value::Array(Vec::new());
    }
    line.to_string()
}

#[test]
fn files_that_lie_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let [store, file] = ["runs.db", "all.runs"].map(|name| home.path().join(name).to_str().unwrap().to_owned());
    let unpack = ["runs", "unpack", &file, "--store", &store];
    fs::write(&file, "{}\n").unwrap();
    refused(&nestling(&unpack), 2, &["not a file of runs"]);
    let header = "{\"nestling\":\"runs\",\"format\":1}";
    fs::write(&file, format!("{header}\nnonsense\n")).unwrap();
    refused(&nestling(&unpack), 2, &["line 2"]);
    let game = r#"{"game":{"problem":"morpion-5d","moves":["(1,1) | +2"],"search":"playout","seed":"1","found":0}}"#;
    fs::write(&file, format!("{header}\n{game}\n")).unwrap();
    let output = nestling(&unpack);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("line 2: illegal"), "{}", stderr(&output));
}
