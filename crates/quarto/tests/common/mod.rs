//! What the tests share.

use nestling::Stream;
use nestling_quarto::{Position, Variant};

/// The random position of a seed.
pub fn random_position(variant: Variant, placed: usize, with_hand: bool, seed: u64) -> Position {
    Position::random(variant, placed, with_hand, &mut Stream::new(seed).rng())
}
