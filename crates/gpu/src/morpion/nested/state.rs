//! Where nested searches stand between two launches, to be taken up again.

use serde::{Deserialize, Serialize};

use crate::morpion::buffers::RunTally;
use crate::morpion::layout::{LONGEST, SLOTS, Start};

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunState {
    pub tally: RunTally,
    /// The longest game that a search of it ended with.
    pub result: Vec<u32>,
    /// Its levels, the lowest first; nothing for one that has not begun.
    pub levels: Vec<Option<LevelState>>,
}

/// Where a level stands: what it has looked at and played, and its best game, which begins with what it has played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelState {
    pub at: u32,
    pub tied: u32,
    pub played: u32,
    pub length: u32,
    pub best: Vec<u32>,
}

impl RunState {
    /// Whether the kernel can go on from here: everything is where it looks for it, and a level that has begun has not begun alone.
    pub fn is_sound(&self) -> bool {
        let begun = self.levels.iter().flatten();
        let games = begun.clone().map(|level| &level.best).chain([&self.tally.record, &self.result]);
        // Every level below may add a move before a playout looks whether there is room for its own.
        let room = LONGEST - 1 - self.levels.len();
        let is_game = |game: &Vec<u32>| game.len() < room && game.iter().all(|&played| Start::is_move(played));
        let first = self.levels.iter().position(Option::is_some).unwrap_or(self.levels.len());
        games.into_iter().all(is_game)
            && begun.clone().all(LevelState::is_sound)
            && begun.count() == self.levels.len() - first
    }
}

impl LevelState {
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
        let level = LevelState { at: 3, tied: 1, played: 1, length: 2, best: legal[..2].to_vec() };
        let levels = vec![None, Some(level.clone()), Some(level.clone())];
        let tally = |record: &[u32]| RunTally { done: 1, playout: 9, record: record.to_vec() };
        let sound = RunState { tally: tally(&legal[..3]), result: legal[..2].to_vec(), levels };
        assert!(sound.is_sound());
        let with =
            |changed: LevelState| RunState { levels: vec![None, Some(changed), Some(level.clone())], ..sound.clone() };
        let damaged = [
            with(LevelState { at: 65, ..level.clone() }),
            with(LevelState { length: 3, ..level.clone() }),
            with(LevelState { played: 300, best: vec![legal[0]; 300], ..level.clone() }),
            with(LevelState { best: vec![legal[0], u32::MAX], ..level.clone() }),
            RunState { tally: tally(&[u32::MAX]), ..sound.clone() },
            RunState { levels: vec![Some(level.clone()), None, Some(level.clone())], ..sound.clone() },
        ];
        assert!(damaged.iter().all(|run| !run.is_sound()));
    }
}
