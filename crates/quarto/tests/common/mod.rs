//! What the tests share.

#![allow(dead_code, reason = "every test file uses a part of it")]

use nestling::{Rng, Stream};
use nestling_quarto::{Position, Variant};

/// A position without a win that random moves lead to, with so many pieces placed and, if wanted, one in hand.
pub fn random_position(variant: Variant, placed: usize, with_hand: bool, seed: u64) -> Position {
    let mut rng = Stream::new(seed).rng();
    loop {
        let mut position = Position::new(variant);
        while position.placed() < placed && !position.is_won() {
            give_any(&mut position, &mut rng);
            let empty = position.empty();
            position.place(empty.pick(rng.below(empty.len())));
        }
        if !position.is_won() {
            if with_hand {
                give_any(&mut position, &mut rng);
            }
            return position;
        }
    }
}

fn give_any(position: &mut Position, rng: &mut Rng) {
    let left = position.left();
    position.give(left.pick(rng.below(left.len())));
}
