//! The file of `--checkpoint`: how many moves of which game are proven.
//!
//! The checksum covers the game and the numbers. It detects damage and the file of another game; it does not protect from
//! somebody who changes the numbers on purpose.

use std::path::Path;

use anyhow::{Result, anyhow};
use nestling_morpion::Game;
use serde_json::{Value, json};

use crate::output::Output;
use crate::text;

/// What is proven of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Proven {
    pub moves: usize,
    pub positions: u64,
}

pub(super) struct Checkpoint {
    output: Output,
}

impl Checkpoint {
    /// Opens the file, and reads what it says of the game; nothing if there is no such file.
    pub fn open(path: &Path, game: &Game) -> Result<(Self, Proven)> {
        let output = Output::over(path)?;
        let proven = match output.contents()? {
            None => Proven::default(),
            Some(bytes) => read(&bytes, game).ok_or_else(|| {
                anyhow!(
                    "{}: is not an intact checkpoint of this game; name another file, or delete it",
                    text::name(path)
                )
            })?,
        };
        Ok((Checkpoint { output }, proven))
    }

    pub fn write(&self, game: &Game, proven: Proven) -> Result<()> {
        self.output.write(format!("{:#}\n", object(game, proven)))
    }
}

fn object(game: &Game, proven: Proven) -> Value {
    let Proven { moves, positions } = proven;
    json!({
        "nestling": "proof",
        "variant": game.variant.name(),
        "game": game.moves.len(),
        "proven": moves,
        "positions": positions,
        "checksum": format!("{:016x}", checksum(game, proven)),
    })
}

fn read(bytes: &[u8], game: &Game) -> Option<Proven> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    let moves = usize::try_from(value["proven"].as_u64()?).ok()?;
    let proven = Proven { moves, positions: value["positions"].as_u64()? };
    (moves <= game.moves.len() && value == object(game, proven)).then_some(proven)
}

/// FNV-1a, 64 bits.
fn checksum(game: &Game, proven: Proven) -> u64 {
    let text = format!("{} {:?} {} {}", game.variant, game.moves, proven.moves, proven.positions);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_game_and_the_same_numbers_are_accepted() {
        let game = nestling_morpion::published().swap_remove(0).reading.game;
        let proven = Proven { moves: 17, positions: 1234 };
        let written = object(&game, proven).to_string();
        assert_eq!(read(written.as_bytes(), &game), Some(proven));
        assert_eq!(read(written.replace("17,", "18,").as_bytes(), &game), None);
        assert_eq!(read(b"{}", &game), None);
        assert_eq!(read(b"\xff", &game), None);
        let mut other = game.clone();
        other.moves.swap(0, 1);
        assert_eq!(read(written.as_bytes(), &other), None);
    }
}
