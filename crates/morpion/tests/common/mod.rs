//! What several tests need.
#![allow(dead_code)] // every test file uses its own part

use nestling::{Problem, Rng, Stream};
use nestling_morpion::{Board, MorpionGame, Move, Variant};
use proptest::prelude::*;

/// The legal moves of a position.
pub fn legal(problem: &impl Problem<Move = Move>) -> Vec<Move> {
    let mut moves = Vec::new();
    problem.legal_moves(&mut moves);
    moves
}

/// The moves of a uniformly random game.
pub fn random_game(variant: Variant, stream: Stream) -> Vec<Move> {
    random_rest(Board::new(variant), &mut stream.rng())
}

/// All moves of a game that continues at random from here.
pub fn random_rest(mut board: Board, rng: &mut Rng) -> Vec<Move> {
    let mut moves = Vec::new();
    loop {
        board.legal_moves(&mut moves);
        if moves.is_empty() {
            return board.moves_played().to_vec();
        }
        board.play(moves[rng.below(moves.len())]);
    }
}

/// A file of the benchmark data; `None`, and a word on stderr, where there is none.
pub fn data(path: &str) -> Option<Vec<u8>> {
    let path = nestling_testing::data()?.join(path);
    Some(std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Any game that random moves lead to, of any variant.
pub fn any_game() -> impl Strategy<Value = MorpionGame> {
    (0..4usize, any::<u64>()).prop_map(|(index, seed)| {
        let variant = Variant::ALL[index];
        MorpionGame { variant, moves: random_game(variant, Stream::new(seed)) }
    })
}

/// Copies of some bytes, each damaged at one to three places.
pub fn damaged(bytes: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let damage = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 1..4);
    (Just(bytes), damage).prop_map(|(mut bytes, damage)| {
        for (place, byte, kind) in damage {
            let place = place.index(bytes.len());
            match kind {
                0 => bytes[place] = byte,
                1 => bytes.insert(place, byte),
                _ => bytes.truncate(place + 1),
            }
        }
        bytes
    })
}
