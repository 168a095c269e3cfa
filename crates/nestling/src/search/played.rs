//! How much a run has played, counted by all its threads.

use std::sync::atomic::{AtomicU64, Ordering};

use super::task::Counts;

/// Separate counts for every thread: threads that all add to one number wait for each other's cache line.
#[derive(Debug)]
pub(crate) struct PlayedCounts(Box<[OfThread]>);

/// Alone in its cache lines; processors fetch two at a time.
#[derive(Debug, Default)]
#[repr(align(128))]
struct OfThread {
    playouts: AtomicU64,
    moves: AtomicU64,
}

impl PlayedCounts {
    pub fn new(threads: usize) -> Self {
        PlayedCounts((0..threads.max(1)).map(|_| OfThread::default()).collect())
    }

    #[inline]
    pub fn add(&self, playouts: u64, moves: u64) {
        let thread = if self.0.len() == 1 { 0 } else { rayon::current_thread_index().unwrap_or(0) % self.0.len() };
        self.0[thread].playouts.fetch_add(playouts, Ordering::Relaxed);
        self.0[thread].moves.fetch_add(moves, Ordering::Relaxed);
    }

    /// The counts of all threads so far.
    pub fn total(&self) -> Counts {
        let sum = |count: fn(&OfThread) -> &AtomicU64| {
            self.0.iter().map(|thread| count(thread).load(Ordering::Relaxed)).fold(0, u64::saturating_add)
        };
        Counts { playouts: sum(|thread| &thread.playouts), moves: sum(|thread| &thread.moves) }
    }
}
