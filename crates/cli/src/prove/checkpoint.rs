//! The file of `--checkpoint`: how many moves of which game are proven, and in which order of its moves.
//!
//! The checksum covers the game and the numbers. It detects damage and the file of another game; it does not protect from
//! somebody who changes the numbers on purpose.

use std::path::Path;

use anyhow::{Result, anyhow};
use nestling::Illegal;
use nestling_morpion::{MorpionGame, Move, Prover};
use serde_json::{Value, json};

use crate::output::Output;
use crate::text;

/// What is proven of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proven {
    pub moves: usize,
    pub positions: u64,
    /// The places in the game of its moves, in the order in which the last ones are proven.
    pub order: Vec<usize>,
}

impl Proven {
    /// What is proven before anything is.
    pub fn nothing(game: &MorpionGame) -> Self {
        Proven { moves: 0, positions: 0, order: (0..game.moves.len()).collect() }
    }

    /// What a prover has proven of the game.
    pub fn by(prover: &Prover, game: &MorpionGame) -> Self {
        let place = |played: &Move| game.moves.iter().position(|other| other == played);
        let order = prover.moves().iter().filter_map(place).collect();
        Proven { moves: prover.proven(), positions: prover.positions(), order }
    }

    /// The prover that goes on from here.
    pub fn prover(&self, game: &MorpionGame) -> Result<Prover, Illegal> {
        let moves = self.order.iter().map(|&place| game.moves[place]).collect();
        let mut prover = Prover::new(&MorpionGame { variant: game.variant, moves })?;
        prover.resume(self.moves, self.positions);
        Ok(prover)
    }
}

pub(super) struct Checkpoint {
    output: Output,
}

impl Checkpoint {
    /// Opens the file, and reads what it says of the game; nothing if there is no such file.
    pub fn open(path: &Path, game: &MorpionGame) -> Result<(Self, Proven)> {
        let output = Output::over(path)?;
        let proven = match output.contents()? {
            None => Proven::nothing(game),
            Some(bytes) => read(&bytes, game).ok_or_else(|| {
                anyhow!(
                    "{}: is not an intact checkpoint of this game; name another file, or delete it",
                    text::name(path)
                )
            })?,
        };
        Ok((Checkpoint { output }, proven))
    }

    pub fn write(&self, game: &MorpionGame, proven: &Proven) -> Result<()> {
        self.output.write(format!("{:#}\n", object(game, proven)))
    }
}

fn object(game: &MorpionGame, proven: &Proven) -> Value {
    let Proven { moves, positions, order } = proven;
    json!({
        "nestling": "proof",
        "variant": game.variant.name(),
        "game": game.moves.len(),
        "proven": moves,
        "positions": positions,
        "order": order,
        "checksum": format!("{:016x}", checksum(game, proven)),
    })
}

fn read(bytes: &[u8], game: &MorpionGame) -> Option<Proven> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    let moves = usize::try_from(value["proven"].as_u64()?).ok()?;
    let places = value["order"].as_array()?.iter().map(|place| usize::try_from(place.as_u64()?).ok());
    let proven = Proven { moves, positions: value["positions"].as_u64()?, order: places.collect::<Option<_>>()? };
    let mut places = proven.order.clone();
    places.sort_unstable();
    let is_whole = places.into_iter().eq(0..game.moves.len());
    (is_whole && moves <= game.moves.len() && value == object(game, &proven)).then_some(proven)
}

/// FNV-1a, 64 bits.
fn checksum(game: &MorpionGame, proven: &Proven) -> u64 {
    let text = format!("{} {:?} {proven:?}", game.variant, game.moves);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_game_and_the_same_numbers_are_accepted() {
        let game = nestling_morpion::published().swap_remove(0).reading.game;
        let proven = Proven { moves: 17, positions: 1234, ..Proven::nothing(&game) };
        let written = object(&game, &proven).to_string();
        assert_eq!(read(written.as_bytes(), &game), Some(proven.clone()));
        assert_eq!(read(written.replace("17,", "18,").as_bytes(), &game), None);
        let mut doubled = proven.clone();
        doubled.order[3] = 4;
        assert_eq!(read(object(&game, &doubled).to_string().as_bytes(), &game), None);
        assert_eq!(read(b"{}", &game), None);
        assert_eq!(read(b"\xff", &game), None);
        let mut other = game.clone();
        other.moves.swap(0, 1);
        assert_eq!(read(written.as_bytes(), &other), None);
    }
}
