//! A position whose steps have no branches that cannot be predicted.
//!
//! A move that becomes possible gets the next *slot* and keeps it; `alive` has one bit for every slot whose move is still
//! possible. So legal move number k is the slot of bit number k, in the order that all engines share, and a move that
//! becomes impossible only loses its bit. When all slots are taken, the moves that are alive go to the first ones.

use std::arch::x86_64::*;

use crate::board::masks::WORD;
use crate::engine::Start;
use crate::engine::tables::{CELLS, LINES, Tables};

/// One bit of a word for each.
pub(super) const SLOTS: usize = 64;
/// How many slots are written at once.
const WRITTEN: usize = 8;
/// Unused bytes before the first line, so that the bytes around a line never begin before the array.
const BEFORE: usize = 64;

/// The moves that games start with, in their slots.
pub(super) struct StartingMoves {
    line: [u16; SLOTS],
    dot: [u16; SLOTS],
    pub slots: Slots,
}

impl StartingMoves {
    /// Nothing if there are more moves than slots.
    pub fn of(start: &Start<'_>) -> Option<StartingMoves> {
        let (mut line, mut dot) = ([0; SLOTS], [0; SLOTS]);
        for (slot, &entry) in start.entries().iter().enumerate() {
            *line.get_mut(slot)? = entry as u16 % LINES as u16;
            *dot.get_mut(slot)? = (entry >> 16) as u16;
        }
        Some(StartingMoves { line, dot, slots: Slots { alive: first_slots(start.len), next: start.len } })
    }
}

/// The bits of the first `count` slots.
#[inline(always)]
fn first_slots(count: usize) -> u64 {
    if count == 0 { 0 } else { u64::MAX >> (SLOTS - count) }
}

/// Which slots are taken: those below `next`. The moves of those in `alive` are possible.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots {
    pub alive: u64,
    next: usize,
}

/// A position.
#[repr(C, align(64))]
pub(super) struct Position {
    /// The bytes of all lines, after [`BEFORE`] unused ones.
    lines: [u8; BEFORE + LINES + 64],
    /// By slot: the address of the move's line, below LINES + 8, and the number of its dot's cell.
    line: [u16; SLOTS + 2 * WRITTEN],
    dot: [u16; SLOTS + 2 * WRITTEN],
}

/// What a new dot changes.
struct Change {
    /// The lines that have become playable: bit 8·direction + place in the word that ends at the dot.
    playable: u32,
    /// The bytes of the four words.
    holes: __m256i,
}

/// Only reached through the entrances, so the processor has the features; `inline(always)` makes the methods part of the loops.
impl Position {
    pub const fn new() -> Position {
        let slots = [0; SLOTS + 2 * WRITTEN];
        Position { lines: [0; BEFORE + LINES + 64], line: slots, dot: slots }
    }

    /// Goes to the start.
    #[inline(always)]
    pub fn begin(&mut self, start: &Start<'_>, moves: &StartingMoves) -> Slots {
        self.lines[BEFORE..BEFORE + LINES].copy_from_slice(start.lines);
        self.line[..SLOTS].copy_from_slice(&moves.line);
        self.dot[..SLOTS].copy_from_slice(&moves.dot);
        moves.slots
    }

    /// The line and the dot of a slot's move.
    #[inline(always)]
    pub fn move_in(&self, slot: usize) -> (u16, u16) {
        (self.line[slot % SLOTS], self.dot[slot % SLOTS])
    }

    /// Plays a move; false if the game has outgrown its place.
    #[inline(always)]
    pub fn play(&mut self, tables: &Tables, slots: &mut Slots, line: u16, dot: u16) -> bool {
        let change = self.draw(tables, line, dot);
        slots.alive &= !self.conflicts(tables, line, dot);
        let new = change.playable.count_ones() as usize;
        if slots.next + new > SLOTS {
            *slots = self.compact(slots.alive);
            if slots.next + new > SLOTS {
                return false;
            }
        }
        self.append(tables, slots, &change, dot);
        tables.rows[usize::from(dot) % CELLS].has_room
    }

    /// Draws a line and puts its dot. The line comes first, so that the lines which it excludes cannot become playable.
    #[inline(always)]
    fn draw(&mut self, tables: &Tables, line: u16, dot: u16) -> Change {
        let begin = tables.rows[usize::from(dot) % CELLS].words.map(usize::from);
        // SAFETY: `line` is below LINES + 8 and every word begins below LINES (see `Row`); with BEFORE bytes before the first line and
        // 64 behind the last, the sixteen bytes around the line and the words lie within the array.
        unsafe {
            let base = self.lines.as_mut_ptr().add(BEFORE);
            let around = base.add(usize::from(line)).sub(WORD).cast::<__m128i>();
            let blocked = std::mem::transmute::<u128, __m128i>(tables.masks.blocked);
            _mm_storeu_si128(around, _mm_or_si128(_mm_loadu_si128(around), blocked));
            let word = |along: usize| base.add(begin[along]).cast::<f64>();
            let low = _mm_loadh_pd(_mm_load_sd(word(0)), word(1));
            let high = _mm_loadh_pd(_mm_load_sd(word(2)), word(3));
            let words = _mm256_set_m128i(_mm_castpd_si128(high), _mm_castpd_si128(low));
            let holes = _mm256_and_si256(words, _mm256_set1_epi64x(tables.masks.dot as i64));
            let low = _mm_castsi128_pd(_mm256_castsi256_si128(holes));
            let high = _mm_castsi128_pd(_mm256_extracti128_si256(holes, 1));
            _mm_storel_pd(word(0), low);
            _mm_storeh_pd(word(1), low);
            _mm_storel_pd(word(2), high);
            _mm_storeh_pd(word(3), high);
            Change { playable: lone_bytes(holes) & tables.touched, holes }
        }
    }

    /// The slots whose moves a move makes impossible: those with the same dot, and those whose line is too near on its track.
    /// Slots that are not alive may be among them.
    #[inline(always)]
    fn conflicts(&self, tables: &Tables, line: u16, dot: u16) -> u64 {
        // SAFETY: the slots looked at are below SLOTS, in arrays that are longer and aligned to 32 bytes.
        unsafe {
            let (this, here) = (_mm256_set1_epi16(line as i16), _mm256_set1_epi16(dot as i16));
            let far = _mm256_loadu_si256(tables.far.as_ptr().cast());
            self.conflicts_among(0, this, here, far) | self.conflicts_among(SLOTS / 2, this, here, far) << (SLOTS / 2)
        }
    }

    /// The same for 32 slots, the first of them number `from`.
    ///
    /// # Safety
    ///
    /// `from` is 0 or 32.
    #[inline(always)]
    unsafe fn conflicts_among(&self, from: usize, this: __m256i, here: __m256i, far: __m256i) -> u64 {
        // SAFETY: see above.
        unsafe {
            let (first, second) = (self.near(from, this, here, far), self.near(from + 16, this, here, far));
            // Packing takes the halves of both by turns; the permutation puts them in order.
            let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(first, second));
            u64::from(_mm256_movemask_epi8(packed) as u32)
        }
    }

    /// The same for sixteen slots, all ones for each that conflicts.
    ///
    /// # Safety
    ///
    /// `from` is a multiple of 16 and below SLOTS.
    #[inline(always)]
    unsafe fn near(&self, from: usize, this: __m256i, here: __m256i, far: __m256i) -> __m256i {
        // SAFETY: see above.
        unsafe {
            let lines = _mm256_load_si256(self.line.as_ptr().add(from).cast());
            let dots = _mm256_load_si256(self.dot.as_ptr().add(from).cast());
            let distance = _mm256_abs_epi16(_mm256_sub_epi16(lines, this));
            _mm256_or_si256(_mm256_cmpgt_epi16(far, distance), _mm256_cmpeq_epi16(dots, here))
        }
    }

    /// Gives slots to the moves of the lines that have become playable, by direction and then along it. There must be room.
    #[inline(always)]
    fn append(&mut self, tables: &Tables, slots: &mut Slots, change: &Change, dot: u16) {
        let row = &tables.rows[usize::from(dot) % CELLS];
        let playable = change.playable;
        let past = |along: u32| slots.next + (playable & ((1 << (8 * along)) - 1)).count_ones() as usize;
        // SAFETY: every lane of a shuffle is within its vector; the places written are at most SLOTS, since there is room for all.
        unsafe {
            // Where each line's hole is: for a byte with one bit its number, which for 16 is looked up as 0.
            let hole_of = _mm256_broadcastsi128_si256(_mm_setr_epi8(4, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0));
            let holes = _mm256_shuffle_epi8(hole_of, change.holes);
            // From the dot to the hole, in steps along the direction: the line at place p begins 7 - p steps before the dot.
            let steps = _mm256_sub_epi8(holes, _mm256_set1_epi64x(0x0001_0203_0405_0607));
            let here = _mm256_set1_epi16(dot as i16);
            let cells = |steps: __m128i, strides: &[i16; 16]| {
                let strides = _mm256_loadu_si256(strides.as_ptr().cast());
                _mm256_add_epi16(_mm256_mullo_epi16(_mm256_cvtepi8_epi16(steps), strides), here)
            };
            let dots = [
                cells(_mm256_castsi256_si128(steps), &tables.strides_by_place[0]),
                cells(_mm256_extracti128_si256(steps, 1), &tables.strides_by_place[1]),
            ];
            let words = _mm256_set1_epi64x(row.words.as_ptr().cast::<i64>().read_unaligned());
            let places = _mm256_broadcastsi128_si256(_mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7));
            let spread = _mm256_setr_epi64x(
                0x0100_0100_0100_0100,
                0x0100_0100_0100_0100,
                0x0302_0302_0302_0302,
                0x0302_0302_0302_0302,
            );
            let further = _mm256_add_epi8(spread, _mm256_set1_epi8(4));
            let lines = [spread, further].map(|spread| _mm256_add_epi16(_mm256_shuffle_epi8(words, spread), places));
            self.write(past(0), _mm256_castsi256_si128(lines[0]), _mm256_castsi256_si128(dots[0]), playable);
            self.write(
                past(1),
                _mm256_extracti128_si256(lines[0], 1),
                _mm256_extracti128_si256(dots[0], 1),
                playable >> 8,
            );
            self.write(past(2), _mm256_castsi256_si128(lines[1]), _mm256_castsi256_si128(dots[1]), playable >> 16);
            self.write(
                past(3),
                _mm256_extracti128_si256(lines[1], 1),
                _mm256_extracti128_si256(dots[1], 1),
                playable >> 24,
            );
        }
        let new = playable.count_ones() as usize;
        slots.alive |= ((1 << new) - 1) << (slots.next % SLOTS);
        slots.next += new;
    }

    /// Writes those of eight moves whose bits are set, in their order. What stands behind them is of no meaning.
    ///
    /// # Safety
    ///
    /// `slot` is at most SLOTS.
    #[inline(always)]
    unsafe fn write(&mut self, slot: usize, lines: __m128i, dots: __m128i, playable: u32) {
        let to_front = &TO_FRONT[playable as usize / 8 % 32];
        // SAFETY: from a slot that is at most SLOTS there is room for eight.
        unsafe {
            let to_front = _mm_load_si128(to_front.0.as_ptr().cast());
            _mm_storeu_si128(self.line.as_mut_ptr().add(slot).cast(), _mm_shuffle_epi8(lines, to_front));
            _mm_storeu_si128(self.dot.as_mut_ptr().add(slot).cast(), _mm_shuffle_epi8(dots, to_front));
        }
    }

    /// Moves the living to the first slots, in their order.
    #[cold]
    #[inline(never)]
    fn compact(&mut self, alive: u64) -> Slots {
        for (next, slot) in bits(alive).enumerate() {
            (self.line[next], self.dot[next]) = self.move_in(slot);
        }
        let next = alive.count_ones() as usize;
        Slots { alive: first_slots(next), next }
    }
}

/// Which of 32 bytes have exactly one bit set; the highest bits must be clear. These are the x with x ^ (x - 1) > x - 1: for 0 both
/// sides are -1, and with several bits the right side has the highest of them.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn lone_bytes(bytes: __m256i) -> u32 {
    // SAFETY: see above.
    unsafe {
        let less = _mm256_add_epi8(bytes, _mm256_set1_epi8(-1));
        _mm256_movemask_epi8(_mm256_cmpgt_epi8(_mm256_xor_si256(bytes, less), less)) as u32
    }
}

/// The numbers of the bits that are set.
#[inline(always)]
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < SLOTS).then_some(bit)
    })
}

/// For every set of the last five of eight numbers of 16 bits, the shuffle that brings its members to the front.
static TO_FRONT: [Shuffle; 32] = {
    let mut shuffles = [Shuffle([0x80; 16]); 32];
    let mut set = 0;
    while set < 32 {
        let (mut lane, mut place) = (3, 0);
        while lane < 8 {
            if set >> (lane - 3) & 1 == 1 {
                shuffles[set].0[place] = 2 * lane as u8;
                shuffles[set].0[place + 1] = 2 * lane as u8 + 1;
                place += 2;
            }
            lane += 1;
        }
        set += 1;
    }
    shuffles
};

#[derive(Clone, Copy)]
#[repr(align(16))]
struct Shuffle([u8; 16]);
