//! Reads a store of runs, without changing it: `cargo run --release --example read_store [FILE]`.

use std::error::Error;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use nestling_store::Store;

fn main() -> Result<(), Box<dyn Error>> {
    let path =
        std::env::args_os().nth(1).map(PathBuf::from).or_else(Store::default_path).ok_or("there is no data folder")?;
    list(&path, &mut stdout())
}

/// Writes a line for each run of a store, and one for each of its better games.
pub fn list(path: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let Some(store) = Store::look(path)? else {
        writeln!(out, "{}: no store yet; `nestling solve` makes one", path.display())?;
        return Ok(());
    };
    for run in store.runs()? {
        let best = run.best.map_or_else(|| "nothing yet".to_owned(), |best| best.to_string());
        writeln!(out, "run {}: {} by {:?}, {best}", run.id, run.spec.problem, run.spec.search)?;
        for better in store.improvements(run.id)? {
            writeln!(out, "  {} after {} playouts", better.score, better.playouts)?;
        }
    }
    Ok(())
}
