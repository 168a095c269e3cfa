//! The games of a pool.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::packed;
use crate::problem::{Goal, Move};
use crate::search::{FrameCheck, ILLEGAL, require};

/// How many games have their endings searched between two renewals of the order.
const TARGETS: usize = 4;

/// A game of the pool.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry<M> {
    pub moves: Vec<M>,
    pub score: f64,
    pub key: u64,
    /// How many games have followed it since one of them was new.
    pub visits: u32,
    /// Whether its ending has been searched.
    pub searched: bool,
}

/// The games of a pool, the oldest first, each with its own key.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Entries<M> {
    #[serde(with = "packed")]
    list: Vec<Entry<M>>,
    /// The indices of the games by their keys.
    #[serde(skip)]
    places: FxHashMap<u64, u32>,
}

impl<M> Default for Entries<M> {
    fn default() -> Self {
        Entries { list: Vec::new(), places: FxHashMap::default() }
    }
}

impl<M: Move> Entries<M> {
    /// Rebuilds the indices after the pool was read.
    pub fn index(&mut self) {
        if self.places.len() != self.list.len() {
            self.places = (0..).zip(&self.list).map(|(place, entry)| (entry.key, place)).collect();
        }
    }

    /// Whether these can be the games of a pool.
    pub fn check(&self, is_game: impl Fn(&[M]) -> bool) -> FrameCheck {
        let keys: FxHashSet<u64> = self.list.iter().map(|entry| entry.key).collect();
        require(keys.len() == self.list.len(), "two games of the pool have the same key")?;
        require(self.list.iter().all(|entry| !entry.score.is_nan()), "a score of the pool is not a number")?;
        require(self.list.iter().all(|entry| is_game(&entry.moves)), ILLEGAL)
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn moves(&self, place: u32) -> &[M] {
        &self.list[place as usize].moves
    }

    /// The best score, on a scale where larger is better.
    pub fn best(&self, goal: Goal) -> f64 {
        self.list.iter().map(|entry| goal.value(entry.score)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Enters a game and returns whether its key is new. If not, the game replaces the one with the same key, unless it is worse.
    pub fn enter(&mut self, goal: Goal, key: u64, score: f64, moves: &[M]) -> bool {
        if let Some(&place) = self.places.get(&key) {
            let entry = &mut self.list[place as usize];
            if goal.reaches(score, entry.score) {
                entry.score = score;
                entry.moves.clear();
                entry.moves.extend_from_slice(moves);
            }
            return false;
        }
        self.places.insert(key, self.list.len() as u32);
        self.list.push(Entry { moves: moves.to_vec(), score, key, visits: 0, searched: false });
        true
    }

    /// Counts a game that has followed this one.
    pub fn visit(&mut self, place: u32) {
        let visits = &mut self.list[place as usize].visits;
        *visits = visits.saturating_add(1);
    }

    /// Resets the visits, because a game that followed this one was new.
    pub fn renew(&mut self, place: u32) {
        self.list[place as usize].visits = 0;
    }

    /// The entries that are not worse than `worst`: those with the fewest visits first, of these the best, and of equals the newest.
    pub fn least_used(&self, goal: Goal, worst: f64) -> Vec<u32> {
        let entry = |place: u32| &self.list[place as usize];
        let value = |place: u32| goal.value(entry(place).score);
        let mut order: Vec<u32> = (0..self.list.len() as u32).filter(|&place| value(place) >= worst).collect();
        order.sort_unstable_by(|&a, &b| {
            let by_visits = entry(a).visits.cmp(&entry(b).visits);
            by_visits.then(value(b).total_cmp(&value(a))).then(b.cmp(&a))
        });
        order
    }

    /// The best entries whose endings have not been searched yet, of equals the oldest; marks them as searched.
    pub fn next_targets(&mut self, goal: Goal) -> Vec<u32> {
        let mut best: Vec<(f64, u32)> = Vec::with_capacity(TARGETS + 1);
        for (place, entry) in (0..).zip(&self.list).filter(|(_, entry)| !entry.searched) {
            let value = goal.value(entry.score);
            let rank = best.iter().take_while(|(other, _)| *other >= value).count();
            if rank < TARGETS {
                best.insert(rank, (value, place));
                best.truncate(TARGETS);
            }
        }
        for &(_, place) in &best {
            self.list[place as usize].searched = true;
        }
        best.into_iter().map(|(_, place)| place).collect()
    }

    /// Removes the worst entries, of equals the oldest, until so many are left; returns the new indices by the old ones.
    pub fn shrink(&mut self, goal: Goal, left: usize) -> Vec<Option<u32>> {
        let mut places: Vec<u32> = (0..self.list.len() as u32).collect();
        let value = |place: u32| goal.value(self.list[place as usize].score);
        // The sort is stable: of equal scores the oldest comes first.
        places.sort_by(|&a, &b| value(a).total_cmp(&value(b)));
        let mut is_left = vec![true; places.len()];
        places[..places.len().saturating_sub(left)].iter().for_each(|&place| is_left[place as usize] = false);
        let mut next = 0;
        let moved = is_left.iter().map(|&stays| stays.then(|| (next, next += 1).0)).collect();
        let mut stays = is_left.into_iter();
        self.list.retain(|_| stays.next() == Some(true));
        self.places.clear();
        self.index();
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(scores: &[f64]) -> Entries<u8> {
        let mut entries = Entries::default();
        for (key, &score) in (0..).zip(scores) {
            assert!(entries.enter(Goal::Max, key, score, &[key as u8]));
        }
        entries
    }

    #[test]
    fn a_known_key_takes_the_newer_game_unless_that_is_worse() {
        let mut entries = pool(&[3.0, 5.0]);
        assert!(!entries.enter(Goal::Max, 1, 5.0, &[9]));
        assert!(!entries.enter(Goal::Max, 0, 2.0, &[8]));
        assert_eq!((entries.moves(0), entries.moves(1)), (&[0][..], &[9][..]));
    }

    #[test]
    fn parents_are_those_within_the_window_with_the_fewest_visits() {
        let mut entries = pool(&[3.0, 5.0, 4.0, 1.0]);
        entries.visit(1);
        assert_eq!(entries.least_used(Goal::Max, 3.0), [2, 0, 1]);
        entries.renew(1);
        assert_eq!(entries.least_used(Goal::Max, 3.0), [1, 2, 0]);
        assert_eq!(entries.least_used(Goal::Min, -3.0), [3, 0]);
    }

    #[test]
    fn every_entry_is_a_target_once() {
        let mut entries = pool(&[3.0, 5.0, 5.0, 1.0, 2.0]);
        assert_eq!(entries.next_targets(Goal::Max), [1, 2, 0, 4]);
        assert_eq!(entries.next_targets(Goal::Max), [3]);
        assert_eq!(entries.next_targets(Goal::Max), []);
    }

    #[test]
    fn the_worst_and_oldest_go_when_the_pool_is_full() {
        let mut entries = pool(&[3.0, 5.0, 3.0, 1.0]);
        assert_eq!(entries.shrink(Goal::Max, 2), [None, Some(0), Some(1), None]);
        assert!(!entries.enter(Goal::Max, 2, 3.0, &[7]));
        assert_eq!((entries.len(), entries.moves(1)), (2, &[7][..]));
    }
}
