//! Islands in a checkpoint.

use serde::{Deserialize, Serialize};

use super::islands::{Island, RawIsland};
use super::packed::PackedGames;

/// An island between two launches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IslandState {
    island: Island,
    record: Vec<u16>,
    scores: Vec<u16>,
    visits: Vec<u32>,
    order: Vec<u32>,
    /// Eight bytes for each entry; as numbers they would take ten.
    keys: Vec<[u8; 8]>,
    searched: Vec<bool>,
    games: PackedGames,
}

impl IslandState {
    /// About the bytes that it takes in a checkpoint.
    pub fn size(&self) -> usize {
        2 * self.scores.len() + 2 * self.visits.len() + 3 * self.order.len() + 9 * self.keys.len() + self.games.size()
    }
}

/// An island as a checkpoint has it. A game that outgrew the player's memory in the last launch has been finished by the processor, and is
/// forgotten.
pub(super) fn pack(raw: &RawIsland) -> IslandState {
    IslandState {
        island: Island { outgrown_length: 0, ..raw.island },
        record: raw.record.clone(),
        scores: raw.values.iter().map(|value| (value >> 16) as u16).collect(),
        visits: raw.visits.clone(),
        order: raw.order.clone(),
        keys: raw.keys.iter().map(|key| key.to_le_bytes()).collect(),
        searched: raw.searched.iter().map(|&searched| searched != 0).collect(),
        games: PackedGames::pack(&raw.games().collect::<Vec<_>>()),
    }
}

/// The island that a checkpoint has; nothing if the kernel could not continue from it. A pool has so many entries, and a row so many moves.
pub(super) fn unpack(
    state: &IslandState,
    (most, longest): (u32, usize),
    is_move: impl Fn(u16) -> bool,
) -> Option<RawIsland> {
    let island = Island { outgrown_length: 0, ..state.island };
    let size = island.size as usize;
    let counts = [state.scores.len(), state.visits.len(), state.keys.len(), state.searched.len()];
    let is_entry = |&entry: &u32| entry < island.size;
    let targets = island.targets.get(..island.target_count as usize)?;
    let is_sound = island.size <= most
        && counts == [size; 4]
        && state.order.len() == island.active as usize
        && island.active <= island.size
        && state.order.iter().chain(targets).all(is_entry)
        && state.record.len() == island.record_length as usize
        && state.record.len() < longest
        && state.record.iter().all(|&written| is_move(written));
    let games = state.games.unpack(longest - 1)?;
    if !is_sound || games.len() != size || !games.iter().flatten().all(|&written| is_move(written)) {
        return None;
    }
    let value = |(&score, game): (&u16, &Vec<u16>)| {
        (score > 0 && !game.is_empty()).then_some(u32::from(score) << 16 | game.len() as u32)
    };
    let mut moves = vec![0; size * longest];
    moves.chunks_mut(longest).zip(&games).for_each(|(row, game)| row[..game.len()].copy_from_slice(game));
    Some(RawIsland {
        island,
        record: state.record.clone(),
        values: state.scores.iter().zip(&games).map(value).collect::<Option<_>>()?,
        visits: state.visits.clone(),
        order: state.order.clone(),
        keys: state.keys.iter().map(|&key| u64::from_le_bytes(key)).collect(),
        searched: state.searched.iter().map(|&searched| searched.into()).collect(),
        rows: (0..island.size).collect(),
        moves,
        longest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn island() -> RawIsland {
        let games: [&[u16]; 3] = [&[1, 2, 3, 4], &[1, 2, 4, 3, 5], &[2, 1]];
        let longest = 8;
        let mut moves = vec![0; games.len() * longest];
        moves.chunks_mut(longest).zip(games).for_each(|(row, game)| row[..game.len()].copy_from_slice(game));
        let value = |game: &[u16]| (game.len() as u32) << 16 | game.len() as u32;
        RawIsland {
            island: Island {
                size: 3,
                active: 2,
                record_length: 5,
                record_score: 5,
                outgrown_length: 7,
                ..Island::default()
            },
            record: games[1].to_vec(),
            values: games.map(value).to_vec(),
            visits: vec![4, 0, 9],
            order: vec![1, 0],
            keys: vec![11, 12, 13],
            searched: vec![1, 0, 0],
            rows: vec![0, 1, 2],
            moves,
            longest,
        }
    }

    /// A checkpoint has all of an island but the game that outgrew the player's memory: its moves are not there, and it has been finished.
    #[test]
    fn an_island_comes_back() {
        let raw = island();
        let state = pack(&raw);
        let back = unpack(&state, (16, raw.longest), |written| written < 10).unwrap();
        assert_eq!(back.island, Island { outgrown_length: 0, ..raw.island });
        assert_eq!(back.games().collect::<Vec<_>>(), raw.games().collect::<Vec<_>>());
        assert_eq!((back.values, back.visits, back.order), (raw.values, raw.visits, raw.order));
        let before = IslandState { island: raw.island, ..state };
        let back = unpack(&before, (16, raw.longest), |written| written < 10).unwrap();
        assert_eq!(back.island.outgrown_length, 0, "earlier checkpoints had it");
        assert!(unpack(&before, (16, raw.longest), |written| written < 5).is_none(), "there is no move 5");
    }
}
