//! Files that are read, with messages that name them.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail, ensure};

use crate::{games, text};

/// No game is this large; a larger file is a mistake.
const LARGEST: u64 = 64 << 20;

/// A file, or standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let name = text::name(path);
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        // It can be read only once.
        static IS_READ: AtomicBool = AtomicBool::new(false);
        ensure!(!IS_READ.swap(true, Ordering::Relaxed), "-: standard input can be read only once; name a file instead");
        std::io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes)
    } else {
        let file = File::open(path).with_context(|| format!("{name}: cannot be opened"))?;
        file.take(LARGEST + 1).read_to_end(&mut bytes)
    };
    read.with_context(|| format!("{name}: cannot be read"))?;
    ensure!(bytes.len() as u64 <= LARGEST, "{name}: larger than 64 MiB; too large for a file of games");
    Ok(bytes)
}

/// The whole of a file that may be large.
pub(crate) fn read_large(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("{}: cannot be read", text::name(path)))
}

/// The ending of a file's name with its dot; nothing where it has none, and for standard output.
pub(crate) fn extension(path: &Path) -> String {
    let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy()));
    extension.filter(|_| path != Path::new("-")).unwrap_or_default()
}

/// Splits `FILE@K` into the file and the number of moves to take from it.
pub(crate) fn game_and_moves(text: &str) -> Result<(PathBuf, Option<usize>)> {
    let whole = (PathBuf::from(text), None);
    // A file whose own name ends in @K is taken as it is.
    let Some((file, moves)) = text.rsplit_once('@').filter(|_| !whole.0.exists()) else { return Ok(whole) };
    match moves.parse() {
        Ok(moves) => Ok((PathBuf::from(file), Some(moves))),
        Err(_) if Path::new(file).exists() => {
            let name = text::name(Path::new(file));
            bail!("--from: expected a number of moves after @, as in {name}@60, found {moves:?}")
        }
        Err(_) => Ok(whole),
    }
}

/// Refuses to overwrite a file that is read, even if only one of its games is read.
pub(crate) fn distinct(input: &Path, output: &Path) -> Result<()> {
    let input = games::file_of(input);
    let same = match (input.canonicalize(), output.canonicalize()) {
        (Ok(input), Ok(output)) => input == output,
        _ => input == output,
    };
    if same {
        bail!("{}: is both input and output; give the output another name", text::name(output));
    }
    Ok(())
}
