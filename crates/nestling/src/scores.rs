//! The scores of the latest games, for displays.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many games are kept: when they are taken ten times a second, all games of a slow problem and a sample of a fast one's.
const KEPT: usize = 4096;

/// The scores of the playouts during a run: clone it, give one to [`Run::scores`](crate::Run::scores), keep the other. Without
/// it no scores are kept, which costs no time.
///
/// It is made for displays. Which games it contains depends on the threads, and no result depends on it.
///
/// ```
/// use nestling::{Problem, Run, Scores};
/// # #[derive(Clone)] struct LeftMove { depth: u32, lefts: u32 }
/// # impl Problem for LeftMove {
/// #     type Move = bool;
/// #     fn legal_moves(&self, moves: &mut Vec<bool>) { moves.clear(); if self.depth > 0 { moves.extend([true, false]) } }
/// #     fn play(&mut self, left: bool) { self.depth -= 1; self.lefts += u32::from(left); }
/// #     fn score(&self) -> f64 { self.lefts.into() }
/// # }
/// let (problem, scores) = (LeftMove { depth: 10, lefts: 0 }, Scores::default());
/// Run::new(&problem, "repeat(1000, playout)".parse()?).scores(scores.clone()).start()?;
/// assert_eq!(scores.take().len(), 1000);
/// assert!(scores.take().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scores(Arc<Ring>);

#[derive(Debug)]
struct Ring {
    /// The scores as bits; NaN in unused entries.
    places: Box<[AtomicU64]>,
    /// How many were added, and how many of them were taken or overwritten.
    added: AtomicU64,
    taken: AtomicU64,
}

impl Default for Scores {
    fn default() -> Self {
        let places = (0..KEPT).map(|_| AtomicU64::new(f64::NAN.to_bits())).collect();
        Scores(Arc::new(Ring { places, added: AtomicU64::new(0), taken: AtomicU64::new(0) }))
    }
}

impl Scores {
    pub(crate) fn add(&self, score: f64) {
        let index = self.0.added.fetch_add(1, Ordering::Relaxed);
        self.0.places[place(index)].store(score.to_bits(), Ordering::Relaxed);
    }

    /// The scores since they were last taken, of the last 4096 games at most.
    pub fn take(&self) -> Vec<f64> {
        let end = self.0.added.load(Ordering::Relaxed);
        let begin = self.0.taken.swap(end, Ordering::Relaxed).max(end.saturating_sub(KEPT as u64));
        let scores = (begin..end).map(|index| f64::from_bits(self.0.places[place(index)].load(Ordering::Relaxed)));
        // An entry that is reserved but not filled yet has an older score, or none.
        scores.filter(|score| !score.is_nan()).collect()
    }
}

fn place(index: u64) -> usize {
    (index % KEPT as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_are_kept() {
        let scores = Scores::default();
        (0..10_000).for_each(|score| scores.add(score.into()));
        let taken = scores.take();
        assert_eq!((taken.len(), taken[0], taken[KEPT - 1]), (KEPT, 5904.0, 9999.0));
        scores.add(7.0);
        assert_eq!(scores.take(), [7.0]);
    }
}
