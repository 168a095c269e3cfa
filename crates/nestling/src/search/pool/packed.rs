//! The games of a pool in a compact format.
//!
//! Games of a pool have long runs of moves in common. So a move is one bit if it is the move that followed the same move last time, and
//! otherwise its number in a list of all moves.

use rustc_hash::FxHashMap;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::entries::Entry;
use crate::problem::Move;

#[derive(Serialize, Deserialize)]
struct Packed<M> {
    /// Every move that a game has, once.
    moves: Vec<M>,
    /// One for each game.
    lengths: Vec<u32>,
    scores: Vec<f64>,
    keys: Vec<u64>,
    visits: Vec<u32>,
    searched: Vec<bool>,
    /// One bit for each move of all games: whether it follows as last time. And the numbers of the moves that do not.
    as_before: Vec<u8>,
    others: Vec<u32>,
}

/// For each move, the number of the move that followed it last; index 0 is for the beginning of a game.
struct Successors(Vec<Option<u32>>);

impl Successors {
    fn after(&mut self, previous: Option<u32>) -> &mut Option<u32> {
        let place = previous.map_or(0, |number| number as usize + 1);
        if place >= self.0.len() {
            self.0.resize(place + 1, None);
        }
        &mut self.0[place]
    }
}

pub(super) fn serialize<M: Move, S: Serializer>(list: &[Entry<M>], serializer: S) -> Result<S::Ok, S::Error> {
    let mut numbers = FxHashMap::default();
    let (mut moves, mut as_before, mut others, mut count) = (Vec::new(), Vec::new(), Vec::new(), 0_usize);
    let mut successors = Successors(Vec::new());
    for entry in list {
        let mut previous = None;
        for &played in &entry.moves {
            let number = *numbers.entry(played).or_insert_with(|| {
                moves.push(played);
                moves.len() as u32 - 1
            });
            let expected = successors.after(previous).replace(number) == Some(number);
            if count.is_multiple_of(8) {
                as_before.push(0);
            }
            as_before[count / 8] |= u8::from(expected) << (count % 8);
            if !expected {
                others.push(number);
            }
            count += 1;
            previous = Some(number);
        }
    }
    let packed = Packed {
        moves,
        lengths: list.iter().map(|entry| entry.moves.len() as u32).collect(),
        scores: list.iter().map(|entry| entry.score).collect(),
        keys: list.iter().map(|entry| entry.key).collect(),
        visits: list.iter().map(|entry| entry.visits).collect(),
        searched: list.iter().map(|entry| entry.searched).collect(),
        as_before,
        others,
    };
    packed.serialize(serializer)
}

pub(super) fn deserialize<'de, M: Move, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Entry<M>>, D::Error> {
    let packed = Packed::<M>::deserialize(deserializer)?;
    unpack(&packed).ok_or_else(|| D::Error::custom("the games of a pool do not fit together"))
}

fn unpack<M: Move>(packed: &Packed<M>) -> Option<Vec<Entry<M>>> {
    let (mut count, mut others, mut successors) = (0, packed.others.iter(), Successors(Vec::new()));
    let mut list = Vec::new();
    for (index, &length) in packed.lengths.iter().enumerate() {
        let (mut moves, mut previous) = (Vec::new(), None);
        for _ in 0..length {
            let expected = packed.as_before.get(count / 8)? >> (count % 8) & 1 == 1;
            let number = if expected { (*successors.after(previous))? } else { *others.next()? };
            *successors.after(previous) = Some(number);
            moves.push(*packed.moves.get(number as usize)?);
            count += 1;
            previous = Some(number);
        }
        list.push(Entry {
            moves,
            score: *packed.scores.get(index)?,
            key: *packed.keys.get(index)?,
            visits: *packed.visits.get(index)?,
            searched: *packed.searched.get(index)?,
        });
    }
    Some(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Stream;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Kept(#[serde(with = "super")] Vec<Entry<u16>>);

    fn kept() -> Kept {
        let mut rng = Stream::new(5).rng();
        let entries = (0..300).map(|key| {
            let length = rng.below(120);
            let moves = (0..length as u16).map(|place| if rng.below(10) == 0 { 500 - place } else { place }).collect();
            Entry { moves, score: rng.unit(), key, visits: rng.below(9) as u32, searched: rng.below(2) == 0 }
        });
        Kept(entries.collect())
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let kept = kept();
        let bytes = postcard::to_stdvec(&kept).unwrap();
        assert_eq!(postcard::from_bytes::<Kept>(&bytes).unwrap(), kept);
        let moves: usize = kept.0.iter().map(|entry| entry.moves.len()).sum();
        assert!(bytes.len() < moves, "{} bytes for {moves} moves", bytes.len());
    }

    #[test]
    fn damage_is_an_error() {
        let bytes = postcard::to_stdvec(&kept()).unwrap();
        for end in (0..bytes.len()).step_by(7) {
            assert!(postcard::from_bytes::<Kept>(&bytes[..end]).is_err());
        }
        // A changed byte may give any result, but must not cause a panic.
        for place in (0..bytes.len()).step_by(3) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x55;
            let _ = postcard::from_bytes::<Kept>(&damaged);
        }
    }
}
