//! The state of nested searches between two launches, for checkpoints.

use serde::{Deserialize, Serialize};

use crate::morpion::buffers::RunTally;
use crate::morpion::layout::{LONGEST, SLOTS, Start};

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NestedRunState {
    pub tally: RunTally,
    /// The longest game that a search of it ended with.
    pub result: Vec<u32>,
    /// Its levels, the lowest first; nothing for one that has not begun.
    pub levels: Vec<Option<NestedLevelState>>,
}

/// The state of a level: the moves it has tried and played, and its best game, which begins with the moves played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NestedLevelState {
    pub at: u32,
    pub tied: u32,
    pub played: u32,
    pub length: u32,
    pub best: Vec<u32>,
}

impl NestedRunState {
    /// Whether the kernel can continue from here: all games fit, and if a level has begun, so have all after it in `levels`.
    pub fn is_sound(&self) -> bool {
        let begun = self.levels.iter().flatten();
        let games = begun.clone().map(|level| &level.best).chain([&self.tally.record, &self.result]);
        // Every level below may add a move before a playout looks whether there is room for its own.
        let room = LONGEST - 1 - self.levels.len();
        let is_game = |game: &Vec<u32>| game.len() < room && game.iter().all(|&played| Start::is_move(played));
        let first = self.levels.iter().position(Option::is_some).unwrap_or(self.levels.len());
        games.into_iter().all(is_game)
            && begun.clone().all(NestedLevelState::is_sound)
            && begun.count() == self.levels.len() - first
    }
}

impl NestedLevelState {
    fn is_sound(&self) -> bool {
        self.at <= SLOTS as u32 && self.best.len() == self.length.max(self.played) as usize
    }
}

#[cfg(test)]
mod tests {
    use nestling_morpion::{Board, Variant};

    use super::*;

    #[test]
    fn what_is_no_state_is_refused() {
        let legal = Start::new(&Board::new(Variant::FiveD)).unwrap().moves;
        let level = NestedLevelState { at: 3, tied: 1, played: 1, length: 2, best: legal[..2].to_vec() };
        let levels = vec![None, Some(level.clone()), Some(level.clone())];
        let tally = |record: &[u32]| RunTally { done: 1, playout: 9, record: record.to_vec() };
        let sound = NestedRunState { tally: tally(&legal[..3]), result: legal[..2].to_vec(), levels };
        assert!(sound.is_sound());
        let with = |changed: NestedLevelState| NestedRunState {
            levels: vec![None, Some(changed), Some(level.clone())],
            ..sound.clone()
        };
        let damaged = [
            with(NestedLevelState { at: 65, ..level.clone() }),
            with(NestedLevelState { length: 3, ..level.clone() }),
            with(NestedLevelState { played: 300, best: vec![legal[0]; 300], ..level.clone() }),
            with(NestedLevelState { best: vec![legal[0], u32::MAX], ..level.clone() }),
            NestedRunState { tally: tally(&[u32::MAX]), ..sound.clone() },
            NestedRunState { levels: vec![Some(level.clone()), None, Some(level.clone())], ..sound.clone() },
        ];
        assert!(damaged.iter().all(|run| !run.is_sound()));
    }
}
