//! Games of growing sets without lists of moves.

use nestling::Problem;
use nestling::engine::{Batch, Priorities, PriorityPlayer, play_batch};

use super::{GrownSet, SetRules};

/// Uniform playouts draw the bit of a free point; all other policies use the problem's own methods.
pub(super) fn playouts<R: SetRules>(start: &GrownSet<R>, batch: &mut Batch<'_, u16>) {
    if !batch.policy().is_uniform() {
        return play_batch(start, batch);
    }
    let mut state = start.clone();
    while !batch.is_over() {
        let index = batch.played();
        state.clone_from(start);
        if let Some(first) = batch.first_move(index) {
            state.play(first);
        }
        let mut rng = batch.stream(index).rng();
        loop {
            let count = state.free.count();
            if count == 0 {
                break;
            }
            let point = state.free.nth(rng.below(count));
            state.play(point as u16);
        }
        let game = &state.members[start.members.len()..];
        batch.record(state.score(), game.len(), |moves| moves.extend_from_slice(game));
    }
}

/// Plays games by priorities. A point that is not free never becomes free again, so every move is looked at once.
pub(super) struct SetPlayer<'a, R> {
    start: &'a GrownSet<R>,
    state: GrownSet<R>,
    /// The free points that are not the parent's, and their random priorities.
    others: Vec<(u64, u16)>,
}

impl<'a, R: SetRules> SetPlayer<'a, R> {
    pub fn new(start: &'a GrownSet<R>) -> Self {
        SetPlayer { start, state: start.clone(), others: Vec::new() }
    }

    fn play_if_free(&mut self, point: u16) {
        if self.state.free.contains(usize::from(point)) {
            self.state.play(point);
        }
    }
}

impl<R: SetRules> PriorityPlayer<u16> for SetPlayer<'_, R> {
    fn play(&mut self, priorities: &Priorities<'_, u16>) -> Option<(f64, usize)> {
        self.state.clone_from(self.start);
        for (rank, &point) in priorities.parent.iter().enumerate() {
            if !priorities.demoted.contains(&rank) {
                self.play_if_free(point);
            }
        }
        let mut others = std::mem::take(&mut self.others);
        others.clear();
        others.extend(self.state.free.iter().map(|point| (priorities.other(point as u64), point as u16)));
        others.sort_unstable_by_key(|&(priority, point)| (std::cmp::Reverse(priority), point));
        others.iter().for_each(|&(_, point)| self.play_if_free(point));
        self.others = others;
        Some((self.state.score(), self.state.members.len() - self.start.members.len()))
    }

    fn moves(&self, into: &mut Vec<u16>) {
        into.extend_from_slice(&self.state.members[self.start.members.len()..]);
    }
}
