//! The proven tail of a game as a file: how many moves of which game are proven, and in which order of its moves.
//!
//! The checksum covers the game and the numbers. It detects damage and the file of another game; it does not protect from
//! deliberate changes of the numbers.

use nestling::Illegal;
use serde_json::{Value, json};

use super::Prover;
use crate::geometry::Move;
use crate::notation::MorpionGame;

/// The proven part of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvenTail {
    /// The number of proven moves.
    pub moves: usize,
    /// The number of positions that were searched.
    pub positions: u64,
    /// The places in the game of its moves, in the order in which the last ones are proven.
    pub order: Vec<usize>,
}

impl ProvenTail {
    /// The state before anything is proven.
    pub fn nothing(game: &MorpionGame) -> Self {
        ProvenTail { moves: 0, positions: 0, order: (0..game.moves.len()).collect() }
    }

    /// The part of the game that a prover has proven.
    pub fn by(prover: &Prover, game: &MorpionGame) -> Self {
        let place = |played: &Move| game.moves.iter().position(|other| other == played);
        let order = prover.moves().iter().filter_map(place).collect();
        ProvenTail { moves: prover.proven(), positions: prover.positions(), order }
    }

    /// The prover that continues from here.
    ///
    /// # Errors
    ///
    /// When the moves are not legal in this order.
    ///
    /// # Panics
    ///
    /// When a place in the order is not one of the game.
    pub fn prover(&self, game: &MorpionGame) -> Result<Prover, Illegal> {
        let moves = self.order.iter().map(|&place| game.moves[place]).collect();
        let mut prover = Prover::new(&MorpionGame { variant: game.variant, moves })?;
        prover.resume(self.moves, self.positions);
        Ok(prover)
    }

    /// The file of it.
    pub fn write(&self, game: &MorpionGame) -> String {
        format!("{:#}\n", self.object(game))
    }

    /// Reads such a file; nothing if it is damaged, or of another game.
    pub fn read(bytes: &[u8], game: &MorpionGame) -> Option<Self> {
        let value: Value = serde_json::from_slice(bytes).ok()?;
        let moves = usize::try_from(value["proven"].as_u64()?).ok()?;
        let places = value["order"].as_array()?.iter().map(|place| usize::try_from(place.as_u64()?).ok());
        let tail = ProvenTail { moves, positions: value["positions"].as_u64()?, order: places.collect::<Option<_>>()? };
        let mut places = tail.order.clone();
        places.sort_unstable();
        let is_whole = places.into_iter().eq(0..game.moves.len());
        (is_whole && moves <= game.moves.len() && value == tail.object(game)).then_some(tail)
    }

    fn object(&self, game: &MorpionGame) -> Value {
        json!({
            "nestling": "proof",
            "variant": game.variant.name(),
            "game": game.moves.len(),
            "proven": self.moves,
            "positions": self.positions,
            "order": self.order,
            "checksum": format!("{:016x}", self.checksum(game)),
        })
    }

    /// FNV-1a, 64 bits.
    fn checksum(&self, game: &MorpionGame) -> u64 {
        let ProvenTail { moves, positions, order } = self;
        // The name is part of the text, and of the files that there are.
        let numbers = format!("Proven {{ moves: {moves}, positions: {positions}, order: {order:?} }}");
        let text = format!("{} {:?} {numbers}", game.variant, game.moves);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_game_and_the_same_numbers_are_accepted() {
        let game = crate::published().swap_remove(0).reading.game;
        let tail = ProvenTail { moves: 17, positions: 1234, ..ProvenTail::nothing(&game) };
        let written = tail.write(&game);
        assert_eq!(ProvenTail::read(written.as_bytes(), &game), Some(tail.clone()));
        assert_eq!(ProvenTail::read(written.replace("17,", "18,").as_bytes(), &game), None);
        let mut doubled = tail.clone();
        doubled.order[3] = 4;
        assert_eq!(ProvenTail::read(doubled.write(&game).as_bytes(), &game), None);
        assert_eq!(ProvenTail::read(b"{}", &game), None);
        assert_eq!(ProvenTail::read(b"\xff", &game), None);
        let mut other = game.clone();
        other.moves.swap(0, 1);
        assert_eq!(ProvenTail::read(written.as_bytes(), &other), None);
    }
}
