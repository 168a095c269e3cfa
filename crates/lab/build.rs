//! Lists the experiments of the folder `experiments`, so that adding one is adding a file.

use std::fmt::Write;
use std::{env, fs, path::PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=experiments");
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo")).join("experiments");
    let entries = fs::read_dir(&folder).expect("the folder of experiments is there");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("a readable folder").file_name().into_string().expect("names in UTF-8"))
        .filter(|name| name.ends_with(".toml"))
        .collect();
    names.sort();
    let mut list = String::from("&[\n");
    for name in names {
        writeln!(list, "({name:?}, include_str!({:?})),", folder.join(&name)).expect("strings take all text");
    }
    list.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo")).join("experiments.rs");
    fs::write(out, list).expect("the output folder can be written to");
}
