//! The games of a pool in little space.
//!
//! Games of a pool have long runs of moves in common. So a move is one bit where it is the one that followed the same move last time, two bits
//! where it is the one that followed before that, and else 18 bits.

use serde::{Deserialize, Serialize};

/// The games of a pool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct PackedGames {
    lengths: Vec<u16>,
    /// Bits, the first of a word being its lowest.
    bits: Vec<u64>,
}

/// Before the first move of a game; no player writes it.
const NOTHING: u16 = u16::MAX;

/// The last two different moves that followed each move, the later first.
struct Successors(Vec<[u16; 2]>);

impl Successors {
    fn new() -> Successors {
        Successors(vec![[NOTHING; 2]; 1 << 16])
    }

    /// Which of the two a move is; it becomes the later one.
    fn find(&mut self, previous: u16, next: u16) -> Option<usize> {
        let known = &mut self.0[usize::from(previous)];
        let place = known.iter().position(|&move_| move_ == next);
        if place != Some(0) {
            *known = [next, known[0]];
        }
        place
    }
}

impl PackedGames {
    pub fn pack<'a>(games: impl Iterator<Item = &'a [u16]>) -> PackedGames {
        let (mut lengths, mut bits, mut successors) = (Vec::new(), BitWriter::default(), Successors::new());
        for game in games {
            lengths.push(game.len() as u16);
            let mut previous = NOTHING;
            for &next in game {
                match successors.find(previous, next) {
                    Some(0) => bits.write(1, 1),
                    Some(_) => bits.write(2, 2),
                    None => bits.write(u64::from(next) << 2, 18),
                }
                previous = next;
            }
        }
        PackedGames { lengths, bits: bits.words }
    }

    /// Bytes that they take.
    pub fn size(&self) -> usize {
        2 * self.lengths.len() + 8 * self.bits.len()
    }

    /// The games, none longer than this; nothing if they are damaged.
    pub fn unpack(&self, longest: usize) -> Option<Vec<Vec<u16>>> {
        let (mut bits, mut successors) = (BitReader { words: &self.bits, at: 0 }, Successors::new());
        let mut games = Vec::with_capacity(self.lengths.len());
        for &length in &self.lengths {
            if usize::from(length) > longest {
                return None;
            }
            let (mut game, mut previous) = (Vec::with_capacity(length.into()), NOTHING);
            for _ in 0..length {
                let next = match (bits.read(1)?, &successors.0[usize::from(previous)]) {
                    (1, known) => known[0],
                    (_, known) => match bits.read(1)? {
                        1 => known[1],
                        _ => bits.read(16)? as u16,
                    },
                };
                successors.find(previous, next);
                game.push(next);
                previous = next;
            }
            games.push(game);
        }
        Some(games)
    }
}

#[derive(Default)]
struct BitWriter {
    words: Vec<u64>,
    /// Bits of the last word that are free.
    free: u32,
}

impl BitWriter {
    /// Writes the lowest bits of a number that has no others.
    fn write(&mut self, value: u64, count: u32) {
        if self.free == 0 {
            self.words.push(0);
            self.free = 64;
        }
        let last = self.words.last_mut().expect("there is one");
        *last |= value << (64 - self.free);
        if count > self.free {
            self.words.push(value >> self.free);
            self.free += 64;
        }
        self.free -= count;
    }
}

struct BitReader<'a> {
    words: &'a [u64],
    at: usize,
}

impl BitReader<'_> {
    fn read(&mut self, count: usize) -> Option<u64> {
        let (word, shift) = (self.at / 64, self.at % 64);
        let mut value = self.words.get(word)? >> shift;
        if shift + count > 64 {
            value |= self.words.get(word + 1)? << (64 - shift);
        }
        self.at += count;
        Some(value & ((1 << count) - 1))
    }
}

#[cfg(test)]
mod tests {
    use nestling::Stream;

    use super::*;

    fn games() -> Vec<Vec<u16>> {
        let mut rng = Stream::new(3).rng();
        let game = |_| {
            let length = rng.below(200) as u16;
            (0..length).map(|place| if rng.below(10) == 0 { 9_000 - place } else { place * 7 }).collect()
        };
        (0..500).map(game).collect()
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let games = games();
        let packed = PackedGames::pack(games.iter().map(Vec::as_slice));
        assert_eq!(packed.unpack(200).unwrap(), games);
        let moves: usize = games.iter().map(Vec::len).sum();
        assert!(packed.bits.len() * 8 < moves, "{} words for {moves} moves", packed.bits.len());
        assert_eq!(packed.unpack(100), None);
    }

    #[test]
    fn damage_is_no_panic() {
        let games = games();
        let packed = PackedGames::pack(games.iter().map(Vec::as_slice));
        for end in 0..packed.bits.len() {
            let cut = PackedGames { bits: packed.bits[..end].to_vec(), ..packed.clone() };
            assert_eq!(cut.unpack(200), None);
        }
        for place in (0..packed.bits.len()).step_by(3) {
            let mut damaged = packed.clone();
            damaged.bits[place] ^= 0x5555;
            let _ = damaged.unpack(200);
        }
    }
}
