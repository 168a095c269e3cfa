//! `beam(w, by=outlook)`: a beam whose states are judged by the problem itself, without playouts. So it can be very wide.

use serde::{Deserialize, Serialize};

use crate::playout::PlayoutPolicy;
use crate::problem::{Move, Problem, is_over, state_after};
use crate::search::found::joined;
use crate::search::{Plan, Profile, Reason, SearchProgress, SearchReport, Task};
use crate::stream::Stream;
use crate::{Estimate, Search};

/// About the bytes that a state takes that is kept, with those that come after it.
pub(super) const STATE_BYTES: u64 = 2 << 10;

impl Search {
    /// `by=outlook`, of `beam`: the [outlook](Problem::outlook) of a state decides, not playouts.
    ///
    /// # Panics
    ///
    /// Like all options, when the search has none of this name.
    #[must_use]
    pub fn by_outlook(self) -> Search {
        self.with("by", "outlook")
    }
}

pub(super) struct BestOutlooks {
    pub width: usize,
    pub policy: PlayoutPolicy,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Widening<M> {
    tally: SearchProgress<M>,
    depth: u64,
    /// The states kept, as the moves that lead to them, the best first.
    kept: Vec<Vec<M>>,
    /// The games of this depth that have been counted: first the playout from the best state, then those that end after one more move.
    counted: u64,
}

/// A state that may be kept.
struct Candidate<M> {
    outlook: f64,
    /// A random number, which decides between equal outlooks.
    lot: u64,
    parent: u32,
    played: M,
}

/// All that comes one move after some of the states kept, in their order.
struct Expansion<M> {
    candidates: Vec<Candidate<M>>,
    /// The games that are over: the state before the last move, that move, and the score.
    ends: Vec<(u32, M, f64)>,
}

impl<P: Problem> Plan<P> for BestOutlooks {
    type Frame = Widening<P::Move>;

    const FRAME_VERSION: u32 = 2;

    /// From every state kept tries every move and keeps the `width` states with the best outlook, equal ones by lot, until all games are
    /// over. Before that it plays one game from the best state of every depth. Returns the best of these games and of all that are over.
    fn run(
        &self,
        task: &Task<'_, P::Move>,
        start: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let new = || Widening { tally: SearchProgress::default(), depth: 0, kept: vec![Vec::new()], counted: 0 };
        let mut this = frame.unwrap_or_else(new);
        let mut states: Vec<P> = this.kept.iter().map(|path| state_after(start, path)).collect();
        loop {
            let here = stream.child(this.depth);
            let expansion = match self.depth(task, start, &states, here, &mut this) {
                Ok(expansion) => expansion,
                Err(reason) => return this.tally.clone().cut(reason, this),
            };
            if expansion.candidates.is_empty() {
                let best = this.tally.seen.clone().expect("at least one game was played");
                return this.tally.clone().ended(task, best, |_| this);
            }
            let best = best_of(expansion.candidates, self.width);
            this.kept = best.iter().map(|one| joined(&this.kept[one.parent as usize], &[one.played])).collect();
            states = best.iter().map(|one| after(&states[one.parent as usize], one.played)).collect();
            this.depth += 1;
            this.counted = 0;
        }
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        let one = profile.playouts(1.0, profile.seconds_per_move(&self.policy));
        let (mut sum, mut kept) = (Estimate::NOTHING, 1.0_f64);
        // A state costs about as much as a move of a playout.
        let length = profile.widths().len().max(1) as f64;
        for (cost, branches) in one.iter().zip(profile.widths()) {
            let candidates = kept * branches;
            sum = sum.plus(Estimate { playouts: 1.0, seconds: cost.seconds * candidates / length });
            kept = candidates.min(self.width as f64);
        }
        vec![sum; one.len()]
    }

    fn plays(&self, state: &P) -> bool {
        !is_over(state)
    }

    fn goes_along(&self) -> bool {
        true
    }
}

impl BestOutlooks {
    /// Plays the game of this depth, finds what comes after the states kept, and counts the games that are over.
    fn depth<P: Problem>(
        &self,
        task: &Task<'_, P::Move>,
        start: &P,
        states: &[P],
        stream: Stream,
        this: &mut Widening<P::Move>,
    ) -> Result<Expansion<P::Move>, Reason> {
        if this.counted == 0 {
            task.stop(&this.tally).map_or(Ok(()), Err)?;
            let game = task.playout(&self.policy, start, &this.kept[0], stream.child(0))?;
            task.shared.show(game.score);
            this.tally.count(task, 1, game.moves.len() as u64, Some((game.score, &game.moves)));
            this.counted = 1;
        }
        let expansion = expand(task, states, stream)?;
        for &(parent, played, score) in &expansion.ends[this.counted as usize - 1..] {
            task.stop(&this.tally).map_or(Ok(()), Err)?;
            task.shared.show(score);
            let game = || joined(&this.kept[parent as usize], &[played]);
            let game = this.tally.is_news(task.goal(), score).then(game);
            this.tally.count(task, 1, this.depth + 1, game.as_ref().map(|game| (score, &game[..])));
            this.counted += 1;
        }
        task.stop(&this.tally).map_or(Ok(expansion), Err)
    }
}

/// The best of the candidates, in their order.
fn best_of<M>(mut candidates: Vec<Candidate<M>>, width: usize) -> Vec<Candidate<M>> {
    let by_outlook = |one: &Candidate<M>, other: &Candidate<M>| {
        other.outlook.total_cmp(&one.outlook).then(one.lot.cmp(&other.lot)).then(one.parent.cmp(&other.parent))
    };
    if candidates.len() > width {
        candidates.select_nth_unstable_by(width, by_outlook);
        candidates.truncate(width);
    }
    candidates.sort_by(by_outlook);
    candidates
}

fn after<P: Problem>(state: &P, played: P::Move) -> P {
    let mut next = state.clone();
    next.play(played);
    next
}

/// All that comes one move after some states; on all threads, unless other searches run beside this one.
fn expand<P: Problem>(task: &Task<'_, P::Move>, states: &[P], stream: Stream) -> Result<Expansion<P::Move>, Reason> {
    let threads = if task.is_root() { task.shared.threads } else { 1 };
    let share = states.len().div_ceil(threads).max(1);
    let mut parts: Vec<_> = states.chunks(share).map(|part| (part, None)).collect();
    let work = |number: usize, part: &[P]| expand_part(task, part, number * share, stream);
    match &mut parts[..] {
        [(part, result)] => *result = Some(work(0, part)),
        several => rayon::scope(|scope| {
            for (number, (part, result)) in several.iter_mut().enumerate() {
                let work = &work;
                scope.spawn(move |_| *result = Some(work(number, part)));
            }
        }),
    }
    let mut whole = Expansion { candidates: Vec::new(), ends: Vec::new() };
    for (_, result) in parts {
        let part = result.expect("the scope has waited for every part")?;
        whole.candidates.extend(part.candidates);
        whole.ends.extend(part.ends);
    }
    Ok(whole)
}

/// All that comes one move after some states, of which the first has this number.
fn expand_part<P: Problem>(
    task: &Task<'_, P::Move>,
    states: &[P],
    first: usize,
    stream: Stream,
) -> Result<Expansion<P::Move>, Reason> {
    let mut part = Expansion { candidates: Vec::new(), ends: Vec::new() };
    let (mut legal, mut further) = (Vec::new(), Vec::new());
    let Some(mut next) = states.first().cloned() else { return Ok(part) };
    for (state, parent) in states.iter().zip(first as u32..) {
        task.watch.reason().map_or(Ok(()), Err)?;
        state.legal_moves(&mut legal);
        let lots = stream.child(u64::from(parent) + 1);
        for (&played, number) in legal.iter().zip(0..) {
            next.clone_from(state);
            next.play(played);
            next.legal_moves(&mut further);
            if further.is_empty() {
                part.ends.push((parent, played, next.score()));
            } else {
                let outlook = next.outlook().expect("the start has an outlook, so every state has one");
                part.candidates.push(Candidate { outlook, lot: lots.child(number).seed(), parent, played });
            }
        }
    }
    Ok(part)
}
