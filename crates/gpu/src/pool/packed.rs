//! The games of a pool in little space.
//!
//! Most games of a pool follow another one, whose moves they have in nearly the same order. So a game is written by means of an earlier one
//! that is like it, its *reference*: a move is one bit where it is the next move of the reference that has not been played, a few bits where
//! it is one of the others, and a number in the list of all moves where the reference does not have it. This takes half of a byte a move.

use serde::{Deserialize, Serialize};

/// Games with as many moves in a row are similar.
const RUN: usize = 8;

/// How many games are known for a run of moves.
const KNOWN: usize = 4;

/// The games of a pool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct PackedGames {
    /// Every move that a game has, once.
    moves: Vec<u16>,
    lengths: Vec<u16>,
    /// Bits, the first of a word being its lowest.
    bits: Vec<u64>,
}

impl PackedGames {
    /// Packs games of at most 256 moves.
    pub fn pack(games: &[&[u16]]) -> PackedGames {
        let mut is_played = vec![false; 1 << 16];
        games.iter().flat_map(|game| *game).for_each(|&played| is_played[usize::from(played)] = true);
        let moves: Vec<u16> = (0..=u16::MAX).filter(|&played| is_played[usize::from(played)]).collect();
        let mut numbers = vec![0; 1 << 16];
        moves.iter().zip(0..).for_each(|(&played, number)| numbers[usize::from(played)] = number);
        let (mut bits, mut similar, mut places) = (BitWriter::default(), SimilarGames::new(), Places::new());
        for (number, game) in games.iter().enumerate() {
            let reference = similar.find(game);
            bits.write(u64::from(reference.is_some()), 1);
            if let Some(reference) = reference {
                bits.write(reference as u64, width(number));
            }
            let mut reference = Reference::new(reference.map_or(&[], |reference| games[reference]));
            places.set(reference.moves);
            for &played in *game {
                match places.of(played).filter(|&place| reference.has(place)).map(|place| reference.play(place)) {
                    Some(0) => bits.write(1, 1),
                    Some(rank) => {
                        bits.write(2, 2);
                        bits.write_rank(rank);
                    }
                    None => {
                        bits.write(0, 2);
                        bits.write(numbers[usize::from(played)], width(moves.len()));
                    }
                }
            }
            places.clear(reference.moves);
            similar.add(number, game);
        }
        PackedGames { moves, lengths: games.iter().map(|game| game.len() as u16).collect(), bits: bits.words }
    }

    /// Bytes that they take.
    pub fn size(&self) -> usize {
        2 * (self.moves.len() + self.lengths.len()) + 8 * self.bits.len()
    }

    /// The games, none longer than this; nothing if they are damaged.
    pub fn unpack(&self, longest: usize) -> Option<Vec<Vec<u16>>> {
        let mut bits = BitReader { words: &self.bits, at: 0 };
        let mut games: Vec<Vec<u16>> = Vec::with_capacity(self.lengths.len());
        for (number, &length) in self.lengths.iter().enumerate() {
            if usize::from(length) > longest.min(256) {
                return None;
            }
            let mut game = Vec::with_capacity(length.into());
            let mut reference = Reference::new(match bits.read(1)? {
                1 => games.get(bits.read(width(number))? as usize)?,
                _ => &[],
            });
            for _ in 0..length {
                let rank = if bits.read(1)? == 1 {
                    Some(0)
                } else if bits.read(1)? == 1 {
                    Some(bits.read_rank()?)
                } else {
                    None
                };
                game.push(match rank {
                    Some(rank) => {
                        let place = reference.place(rank)?;
                        reference.play(place);
                        reference.moves[place]
                    }
                    None => *self.moves.get(bits.read(width(self.moves.len()))? as usize)?,
                });
            }
            games.push(game);
        }
        Some(games)
    }
}

/// Bits for the numbers below this one.
fn width(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

/// An earlier game, and which of its moves have been played.
struct Reference<'a> {
    moves: &'a [u16],
    left: [u64; 4],
    /// The place after the move that was played last.
    at: usize,
}

impl<'a> Reference<'a> {
    fn new(moves: &'a [u16]) -> Self {
        Reference { moves, left: [u64::MAX; 4], at: 0 }
    }

    /// Whether the move in a place is left.
    fn has(&self, place: usize) -> bool {
        self.left[place / 64] >> (place % 64) & 1 == 1
    }

    /// How many moves are left before a place.
    fn left_before(&self, place: usize) -> u32 {
        let whole: u32 = self.left[..place / 64].iter().map(|word| word.count_ones()).sum();
        let rest = if place.is_multiple_of(64) { 0 } else { self.left[place / 64] & ((1 << (place % 64)) - 1) };
        whole + rest.count_ones()
    }

    /// Plays a move that is left; how many of those left lie between the last one and it, going round.
    fn play(&mut self, place: usize) -> u32 {
        let (begin, here) = (self.left_before(self.at), self.left_before(place));
        let rank = if place >= self.at { here - begin } else { here + self.left_before(self.moves.len()) - begin };
        self.left[place / 64] &= !(1 << (place % 64));
        self.at = place + 1;
        rank
    }

    /// The place of the move with this rank, if it is left.
    fn place(&self, rank: u32) -> Option<usize> {
        let around = (self.at..self.moves.len()).chain(0..self.at.min(self.moves.len()));
        around.filter(|&place| self.has(place)).nth(rank as usize)
    }
}

/// Where a game has each move.
struct Places(Vec<u16>);

impl Places {
    fn new() -> Places {
        Places(vec![0; 1 << 16])
    }

    fn of(&self, played: u16) -> Option<usize> {
        self.0[usize::from(played)].checked_sub(1).map(usize::from)
    }

    fn set(&mut self, game: &[u16]) {
        game.iter().zip(1..).for_each(|(&played, place)| self.0[usize::from(played)] = place);
    }

    fn clear(&mut self, game: &[u16]) {
        game.iter().for_each(|&played| self.0[usize::from(played)] = 0);
    }
}

/// The last games that have certain runs of moves.
struct SimilarGames {
    /// For each of the runs, by their hashes, the numbers of the last games that have it, plus one.
    last: Vec<[u32; KNOWN]>,
    candidates: Vec<u32>,
}

impl SimilarGames {
    fn new() -> SimilarGames {
        SimilarGames { last: vec![[0; KNOWN]; 1 << 15], candidates: Vec::new() }
    }

    /// The hashes of a half of the runs of a game.
    fn hashes(game: &[u16]) -> impl Iterator<Item = usize> {
        let hash = |run: &[u16]| {
            let mix = |hash: u64, &played: &u16| {
                (hash ^ u64::from(played)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
            };
            run.iter().fold(0, mix) >> 48
        };
        game.windows(RUN).map(hash).filter(|hash| hash % 2 == 0).map(|hash| hash as usize / 2)
    }

    /// The game with the most runs in common; of several the last.
    fn find(&mut self, game: &[u16]) -> Option<usize> {
        let SimilarGames { last, candidates } = self;
        candidates.clear();
        candidates.extend(SimilarGames::hashes(game).flat_map(|hash| last[hash]).filter(|&candidate| candidate > 0));
        candidates.sort_unstable();
        let best = candidates.chunk_by(|a, b| a == b).max_by_key(|same| same.len())?;
        Some(best[0] as usize - 1)
    }

    fn add(&mut self, number: usize, game: &[u16]) {
        for hash in SimilarGames::hashes(game) {
            let known = &mut self.last[hash];
            if known[0] != number as u32 + 1 {
                known.rotate_right(1);
                known[0] = number as u32 + 1;
            }
        }
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
        if count == 0 {
            return;
        }
        if self.free == 0 {
            self.words.push(0);
            self.free = 64;
        }
        *self.words.last_mut().expect("there is one") |= value << (64 - self.free);
        if count > self.free {
            self.words.push(value >> self.free);
            self.free += 64;
        }
        self.free -= count;
    }

    /// Writes a number from 1 to 255: how many bits follow its highest, a one after as many zeros, and these bits.
    fn write_rank(&mut self, rank: u32) {
        let length = rank.ilog2();
        self.write(1 << length, length + 1);
        self.write(u64::from(rank) & ((1 << length) - 1), length);
    }
}

struct BitReader<'a> {
    words: &'a [u64],
    at: usize,
}

impl BitReader<'_> {
    fn read(&mut self, count: u32) -> Option<u64> {
        if count == 0 {
            return Some(0);
        }
        let (word, shift) = (self.at / 64, (self.at % 64) as u32);
        let mut value = self.words.get(word)? >> shift;
        if shift + count > 64 {
            value |= self.words.get(word + 1)? << (64 - shift);
        }
        self.at += count as usize;
        Some(value & (u64::MAX >> (64 - count)))
    }

    fn read_rank(&mut self) -> Option<u32> {
        let mut length = 0;
        while self.read(1)? == 0 {
            length += 1;
        }
        (length < 8).then_some(())?;
        Some(1 << length | self.read(length)? as u32)
    }
}

#[cfg(test)]
mod tests {
    use nestling::Stream;

    use super::*;

    /// Games each of which has the moves of an earlier one, except for some at the end and some new ones.
    fn games() -> Vec<Vec<u16>> {
        let (mut rng, mut games) = (Stream::new(3).rng(), vec![(0..150).map(|place| place * 7).collect::<Vec<u16>>()]);
        for _ in 0..2_000 {
            let mut game = games[rng.below(games.len())].clone();
            for _ in 0..rng.below(8) {
                let moved = game.remove(rng.below(game.len()));
                if rng.below(2) == 0 { game.push(moved) } else { game.push(2_000 + moved) }
            }
            game.truncate(130 + rng.below(20));
            games.push(game);
        }
        games.push(Vec::new());
        games
    }

    fn packed(games: &[Vec<u16>]) -> PackedGames {
        PackedGames::pack(&games.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let games = games();
        let packed = packed(&games);
        assert_eq!(packed.unpack(200).unwrap(), games);
        let moves: usize = games.iter().map(Vec::len).sum();
        assert!(packed.size() * 2 < moves, "{} bytes for {moves} moves", packed.size());
        assert_eq!(packed.unpack(100), None);
        assert_eq!(PackedGames::default().unpack(100), Some(Vec::new()));
    }

    #[test]
    fn damage_is_no_panic() {
        let packed = packed(&games()[..60]);
        for end in 0..packed.bits.len() {
            let cut = PackedGames { bits: packed.bits[..end].to_vec(), ..packed.clone() };
            assert_eq!(cut.unpack(200), None);
        }
        for place in 0..packed.bits.len() {
            let mut damaged = packed.clone();
            damaged.bits[place] ^= 0x5555 << (place % 48);
            let _ = damaged.unpack(200);
        }
    }
}
