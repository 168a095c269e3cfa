//! The file of `--checkpoint`.

use std::path::Path;

use anyhow::{Result, anyhow};
use nestling_morpion::{MorpionGame, ProvenTail};

use crate::output::Output;
use crate::text;

pub(super) struct Checkpoint {
    output: Output,
}

impl Checkpoint {
    /// Opens the file, and reads what it says of the game; nothing is proven if there is no such file.
    pub fn open(path: &Path, game: &MorpionGame) -> Result<(Self, ProvenTail)> {
        let output = Output::over(path)?;
        let proven = match output.contents()? {
            None => ProvenTail::nothing(game),
            Some(bytes) => ProvenTail::read(&bytes, game).ok_or_else(|| {
                anyhow!(
                    "{}: is not an intact checkpoint of this game; name another file, or delete it",
                    text::name(path)
                )
            })?,
        };
        Ok((Checkpoint { output }, proven))
    }

    pub fn write(&self, game: &MorpionGame, proven: &ProvenTail) -> Result<()> {
        self.output.write(proven.write(game))
    }
}
