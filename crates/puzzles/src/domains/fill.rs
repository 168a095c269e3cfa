//! Random solutions, which generated puzzles are made from.

use nestling::{Problem, Stream};

use super::Assignment;

/// A random solution of a puzzle that has many: depth first, the variable with the fewest values first, its values in random
/// order; started again with other orders when it gets stuck, later every time.
pub(crate) fn fill<P: Problem<Move = Assignment>>(start: &P, seed: u64) -> P {
    let mut patience = 200;
    for attempt in 0.. {
        if let Some(filled) = attempt_to_fill(start, Stream::new(seed).child(attempt), patience) {
            return filled;
        }
        patience += patience / 8;
    }
    unreachable!("there are attempts without end")
}

fn attempt_to_fill<P: Problem<Move = Assignment>>(start: &P, stream: Stream, patience: usize) -> Option<P> {
    let mut rng = stream.rng();
    let mut ends = 0;
    let mut path = vec![(start.clone(), Vec::new(), false)];
    while let Some((state, moves, known)) = path.last_mut() {
        if !*known {
            *known = true;
            state.legal_moves(moves);
            if moves.is_empty() {
                if state.score() == 0.0 {
                    return Some(state.clone());
                }
                ends += 1;
                if ends == patience {
                    return None;
                }
            }
        }
        if moves.is_empty() {
            path.pop();
            continue;
        }
        let played = moves.swap_remove(rng.below(moves.len()));
        let mut next = state.clone();
        next.play(played);
        path.push((next, Vec::new(), false));
    }
    None
}

/// Puts a list in random order.
pub(crate) fn shuffle<T>(list: &mut [T], stream: Stream) {
    let mut rng = stream.rng();
    for last in (1..list.len()).rev() {
        list.swap(last, rng.below(last + 1));
    }
}
