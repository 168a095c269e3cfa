//! Table III: which activity takes which share of the time to play a move, as a sampling profiler finds it.
//!
//! The player writes the activity that it begins into one byte, and a second thread reads this byte again and again. A share of the samples is a
//! share of the time.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

use nestling::Stream;
use nestling_morpion::Variant;

use super::{BaselineError, MoveList, RangeQuery, TrackedPosition, VectorList};

/// What playing a move consists of (table III). The paper does not say which of them reading nine squares of the board belongs to; here it is
/// the board, and computing codes around a dot belongs to the phase that needs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Activity {
    /// Drawing a move at random.
    Selection,
    /// From a code to squares: the line's start, the new dot.
    Coordinates,
    /// Writing the dot and the line to the board, and reading groups of nine squares.
    Board,
    /// Phase I of Range Query: removing moves.
    Removals,
    /// Phase II: detecting moves.
    Detection,
}

impl Activity {
    /// All of them, in the order of the table.
    pub const ALL: [Activity; 5] =
        [Activity::Selection, Activity::Coordinates, Activity::Board, Activity::Removals, Activity::Detection];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Activity::Selection => "random selection",
            Activity::Coordinates => "coordinates",
            Activity::Board => "board",
            Activity::Removals => "removals",
            Activity::Detection => "detecting moves",
        }
    }
}

/// Hears which activity begins.
pub(crate) trait Marks {
    fn begin(&self, activity: Activity);
}

/// Hears nothing, and costs nothing.
pub(crate) struct Unmarked;

impl Marks for Unmarked {
    #[inline(always)]
    fn begin(&self, _: Activity) {}
}

/// Nothing is being done.
const IDLE: u8 = u8::MAX;

/// The byte that the second thread reads, alone in its lines of the cache.
#[repr(align(128))]
struct Current(AtomicU8);

impl Marks for &Current {
    #[inline(always)]
    fn begin(&self, activity: Activity) {
        self.0.store(activity as u8, Ordering::Relaxed);
    }
}

/// Between two samples.
const PAUSE: Duration = Duration::from_micros(20);

/// Plays uniformly random games by Range Query with SSE2 lists. Returns the number of moves, and of samples for each activity.
///
/// # Errors
///
/// As [`uniform`](super::uniform).
pub fn profile(variant: Variant, games: u64, seed: u64) -> Result<(u64, [u64; 5]), BaselineError> {
    match variant {
        Variant::FiveD => profiled::<32, false>(games, seed),
        Variant::FiveT => profiled::<64, true>(games, seed),
        other => Err(BaselineError::Variant(other)),
    }
}

fn profiled<const SIDE: usize, const TOUCHING: bool>(games: u64, seed: u64) -> Result<(u64, [u64; 5]), BaselineError> {
    let (current, is_over) = (Current(AtomicU8::new(IDLE)), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let sampler = scope.spawn(|| {
            let mut samples = [0; 5];
            while !is_over.load(Ordering::Relaxed) {
                std::thread::sleep(PAUSE);
                if let Some(count) = samples.get_mut(usize::from(current.0.load(Ordering::Relaxed))) {
                    *count += 1;
                }
            }
            samples
        });
        let moves = games_of::<VectorList, SIDE, TOUCHING>(games, seed, &current);
        is_over.store(true, Ordering::Relaxed);
        let samples = sampler.join().expect("the sampler does not panic");
        Ok((moves?, samples))
    })
}

#[inline(never)]
fn games_of<List: MoveList, const SIDE: usize, const TOUCHING: bool>(
    games: u64,
    seed: u64,
    current: &Current,
) -> Result<u64, BaselineError> {
    let start = RangeQuery::<List, SIDE, TOUCHING>::new();
    let (mut position, mut rng, mut moves) = (start.clone(), Stream::new(seed).rng(), 0);
    for _ in 0..games {
        current.0.store(IDLE, Ordering::Relaxed);
        position.clone_from(&start);
        (&current).begin(Activity::Selection);
        while !position.legal().is_empty() {
            let legal = position.legal();
            let code = legal[rng.below(legal.len())];
            position.play_marked(code, &current)?;
            moves += 1;
            (&current).begin(Activity::Selection);
        }
    }
    current.0.store(IDLE, Ordering::Relaxed);
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::{Technique, uniform};

    #[test]
    fn profiled_games_are_the_usual_ones() {
        let (moves, samples) = profile(Variant::FiveD, 2_000, 7).unwrap();
        assert_eq!(moves, uniform(Variant::FiveD, Technique::RangeQuery, 2_000, 7).unwrap());
        // The sampler may not have had its turn yet.
        let is_sampled = |samples: [u64; 5]| samples.iter().sum::<u64>() > 0;
        assert!(is_sampled(samples) || (8..).any(|seed| is_sampled(profile(Variant::FiveD, 2_000, seed).unwrap().1)));
        assert!(profile(Variant::FourD, 1, 7).is_err());
    }
}
