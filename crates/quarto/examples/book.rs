//! Builds an opening book: `cargo run --release -p nestling-quarto --example book -- FILE [lines|squares [PLACED [THREADS]]]`.
//!
//! The file is rewritten as positions are solved; if it exists already, the work continues from it.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use nestling_quarto::{Draft, Variant};

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn build() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let file = arguments.first().ok_or("the name of a file is needed")?;
    let variant = arguments.get(1).map_or(Ok(Variant::Lines), |name| name.parse())?;
    let placed = arguments.get(2).map_or(Ok(3), |number| number.parse())?;
    let threads = arguments.get(3).map_or(Ok(1), |number| number.parse())?;
    let mut draft = match std::fs::read_to_string(file) {
        Ok(text) if !text.is_empty() => text.parse()?,
        _ => Draft::new(variant, placed),
    };
    let (start, before) = (Instant::now(), draft.solved());
    let mut saved = Instant::now();
    let save = |draft: &Draft| -> std::io::Result<()> {
        let unfinished = format!("{file}.new");
        std::fs::write(&unfinished, draft.to_string())?;
        std::fs::rename(&unfinished, file)?;
        let each = start.elapsed().div_f64((draft.solved() - before).max(1) as f64);
        eprintln!("{} of {}, {each:.1?} each", draft.solved(), draft.len());
        Ok(())
    };
    let mut failure = Ok(());
    draft.fill(threads, |draft| {
        if saved.elapsed() > Duration::from_secs(5) {
            saved = Instant::now();
            failure = save(draft);
        }
        failure.is_ok()
    });
    failure?;
    Ok(save(&draft)?)
}
