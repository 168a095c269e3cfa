//! Sets that grow point by point, as large as possible: cap sets, Sidon sets, points of which no three are in line.
//!
//! The problems have one thing in common: a point that may not join a set may not join it later either. So a state is the set and the
//! points that are still free, one bit each, and the moves of a game can be played in any order.

mod bits;
mod cap;
mod engine;
mod no_three;
mod presentation;
mod sidon;

use std::fmt::Debug;
use std::sync::Arc;

use nestling::engine::{Batch, PriorityPlayer};
use nestling::{Allowance, Certificate, Illegal, Problem, Search, Suggestion};
use nestling_presentation::Record;

pub use bits::Bits;
pub use cap::{CapRules, CapSet, MOST_CAP_DIMENSIONS};
pub use no_three::{LARGEST_GRID, NoThreeInLine, NoThreeRules};
pub use sidon::{LARGEST_SIDON, SidonRules, SidonSet};

pub(crate) use sidon::exclude_sums;

/// Which sets are allowed: what the problems of this module differ in.
pub trait SetRules: Debug + Send + Sync {
    /// How many points there are; they are numbered from 0.
    fn points(&self) -> usize;

    /// Removes the points from `free` that may not join the set `members` with `added` because of `added`.
    fn exclude(&self, members: &[u16], added: u16, free: &mut Bits);

    /// The reason why a point may not join a set that is allowed: the definition of the problem, read from the set alone. It shares no
    /// code with [`exclude`](SetRules::exclude), because it certifies games.
    fn conflict(&self, members: &[u16], point: u16) -> Option<String>;

    /// Of every point, whether it may not join a set that is allowed: what [`conflict`](SetRules::conflict) says of each, for all at once. Like
    /// it, it shares no code with [`exclude`](SetRules::exclude).
    fn conflicts(&self, members: &[u16]) -> Vec<bool>;

    /// A point as people write it.
    fn text(&self, point: u16) -> String;

    /// The point of a text in that notation.
    fn read(&self, text: &str) -> Option<u16>;

    /// The largest size of a set, if it is proven.
    fn bound(&self) -> Option<f64>;

    /// The best size known.
    fn record(&self) -> Option<Record>;

    /// What the set is, for the title of its picture.
    fn title(&self) -> String;

    /// The columns and rows of a picture of all points.
    fn grid(&self) -> (usize, usize);

    /// Where a point is in the picture: its column and row.
    fn place(&self, point: u16) -> (usize, usize);

    /// What the points of a set are called.
    fn unit(&self) -> &'static str;

    /// The default search and the reason for it; NRPA if there is none.
    fn default_search(&self) -> Option<Suggestion> {
        None
    }
}

/// A set that grows point by point; the score is its size.
#[derive(Debug)]
pub struct GrownSet<R> {
    rules: Arc<R>,
    members: Vec<u16>,
    free: Bits,
}

impl<R> Clone for GrownSet<R> {
    fn clone(&self) -> Self {
        GrownSet { rules: self.rules.clone(), members: self.members.clone(), free: self.free.clone() }
    }

    /// Leaves alone what both share already, so that threads do not meet at its counter.
    fn clone_from(&mut self, source: &Self) {
        if !Arc::ptr_eq(&self.rules, &source.rules) {
            self.rules = source.rules.clone();
        }
        self.members.clone_from(&source.members);
        self.free.clone_from(&source.free);
    }
}

impl<R: SetRules> GrownSet<R> {
    fn empty(rules: R) -> Self {
        GrownSet { free: Bits::all_below(rules.points()), rules: Arc::new(rules), members: Vec::new() }
    }

    /// The points of the set, in the order in which they joined it.
    pub fn members(&self) -> &[u16] {
        &self.members
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        &self.rules
    }
}

impl<R: SetRules> Problem for GrownSet<R> {
    type Move = u16;

    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<u16>) {
        moves.clear();
        moves.extend(self.free.iter().map(|point| point as u16));
    }

    fn play(&mut self, point: u16) {
        self.free.remove(usize::from(point));
        self.rules.exclude(&self.members, point, &mut self.free);
        self.members.push(point);
    }

    fn score(&self) -> f64 {
        self.members.len() as f64
    }

    fn code(&self, point: u16) -> u64 {
        point.into()
    }

    fn dense_codes(&self) -> usize {
        self.rules.points()
    }

    fn bound(&self) -> Option<f64> {
        self.rules.bound()
    }

    fn default_search(&self, allowance: Allowance) -> Suggestion {
        let restarted_nrpa = || Suggestion::restarted_nrpa(self, allowance, Search::nrpa(1));
        self.rules.default_search().unwrap_or_else(restarted_nrpa)
    }

    fn move_text(&self, point: u16) -> String {
        self.rules.text(point)
    }

    /// Every point is compared with the whole set by the definition of the problem.
    fn certify(&self, moves: &[u16]) -> Result<Certificate, Illegal> {
        let mut members = self.members.clone();
        for (index, &point) in moves.iter().enumerate() {
            let illegal = |reason: String| Illegal { index, reason };
            if usize::from(point) >= self.rules.points() {
                return Err(illegal(format!("there is no point number {point}")));
            }
            if members.contains(&point) {
                return Err(illegal(format!("{} is in the set already", self.rules.text(point))));
            }
            if let Some(reason) = self.rules.conflict(&members, point) {
                return Err(illegal(format!("{} {reason}", self.rules.text(point))));
            }
            members.push(point);
        }
        let mut taken = self.rules.conflicts(&members);
        members.iter().for_each(|&member| taken[usize::from(member)] = true);
        Ok(Certificate { score: members.len() as f64, terminal: taken.into_iter().all(|taken| taken) })
    }

    fn playouts(&self, batch: &mut Batch<'_, u16>) {
        engine::playouts(self, batch);
    }

    fn priority_player(&self) -> Option<Box<dyn PriorityPlayer<u16> + '_>> {
        Some(Box::new(engine::SetPlayer::new(self)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of all points at once is what is said of each, along games; and every point is read as it is written.
    fn points_agree<R: SetRules>(empty: &GrownSet<R>) {
        let mut state = empty.clone();
        let mut rng = nestling::Stream::new(7).rng();
        loop {
            let conflicts = state.rules.conflicts(&state.members);
            for point in 0..state.rules.points() as u16 {
                assert_eq!(state.rules.read(&state.rules.text(point)), Some(point));
                let is_member = state.members.contains(&point);
                let conflict = state.rules.conflict(&state.members, point);
                assert!(is_member || conflicts[usize::from(point)] == conflict.is_some(), "{point} {conflict:?}");
            }
            let free: Vec<usize> = state.free.iter().collect();
            let Some(index) = (!free.is_empty()).then(|| rng.below(free.len())) else { return };
            state.play(free[index] as u16);
        }
    }

    #[test]
    fn rules_for_one_point_and_for_all_agree() {
        points_agree(&CapSet::in_dimension(3));
        points_agree(&SidonSet::up_to(60));
        points_agree(&NoThreeInLine::on_grid(7));
    }

    #[test]
    fn other_texts_are_no_points() {
        for text in ["", "01", "0103", "٠٠٠", "00é"] {
            assert_eq!(CapSet::in_dimension(3).rules().read(text), None, "{text}");
        }
        for text in ["0", "61", "07", "+7", "-1"] {
            assert_eq!(SidonSet::up_to(60).rules().read(text), None, "{text}");
        }
        for text in ["1", "0,1", "8,1", "1,8", "01,1", "1,1,1"] {
            assert_eq!(NoThreeInLine::on_grid(7).rules().read(text), None, "{text}");
        }
    }
}
