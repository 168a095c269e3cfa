//! Nested Monte-Carlo search with memory, on playouts of the paper's techniques (IV.B).
//!
//! Cazenave, *Nested Monte-Carlo Search*, 2009: try every move with a search of the level below, remember the best game
//! found, play its next move. The first of equal games stays. Every level keeps a state of its own and copies it.

use nestling::{Rng, Stream};

use super::playout;
use super::{BaselineError, TrackedPosition};

/// Longer than any game: 485 moves is a proven bound for 5T, 84 for 5D.
pub(crate) const LONGEST: usize = 512;

/// A game found by a search: its moves, and how many moves the playouts had that found it.
pub(crate) struct Searched {
    pub(crate) game: Vec<u16>,
    pub(crate) played: u64,
}

/// The state of one level.
struct LevelState<P> {
    position: P,
    /// The best game from here, from the very first move; the moves up to here are the upper levels' business.
    best: [u16; LONGEST],
    length: usize,
}

struct NestedSearch {
    rng: Rng,
    played: u64,
}

/// Runs one search of a level from the start of the game.
pub(crate) fn nested<P: TrackedPosition>(level: usize, seed: u64) -> Result<Searched, BaselineError> {
    let frame = || LevelState { position: P::new(), best: [0; LONGEST], length: 0 };
    let mut frames: Vec<LevelState<P>> = (0..=level).map(|_| frame()).collect();
    let mut search = NestedSearch { rng: Stream::new(seed).rng(), played: 0 };
    search.level(&mut frames, 0)?;
    let best = &frames[level];
    Ok(Searched { game: best.best[..best.length].to_vec(), played: search.played })
}

impl NestedSearch {
    /// Searches with as many levels as there are frames below the last, which holds the state after `depth` moves, and
    /// leaves the best game there.
    fn level<P: TrackedPosition>(
        &mut self,
        frames: &mut [LevelState<P>],
        mut depth: usize,
    ) -> Result<(), BaselineError> {
        let Some((this, below)) = frames.split_last_mut() else { return Ok(()) };
        let Some(last) = below.len().checked_sub(1) else { return self.playout(this, depth) };
        this.length = depth;
        while !this.position.legal().is_empty() {
            for &tried in this.position.legal() {
                let child = &mut below[last];
                child.position.clone_from(&this.position);
                child.position.play(tried)?;
                self.level(below, depth + 1)?;
                let child = &below[last];
                if child.length > this.length {
                    this.length = child.length;
                    this.best[depth] = tried;
                    this.best[depth + 1..child.length].copy_from_slice(&child.best[depth + 1..child.length]);
                }
            }
            this.position.play(this.best[depth])?;
            depth += 1;
        }
        Ok(())
    }

    fn playout<P: TrackedPosition>(&mut self, frame: &mut LevelState<P>, depth: usize) -> Result<(), BaselineError> {
        frame.length = depth;
        playout::uniform(&mut frame.position, &mut self.rng, |code| {
            frame.best[frame.length] = code;
            frame.length += 1;
        })?;
        self.played += (frame.length - depth) as u64;
        Ok(())
    }
}
