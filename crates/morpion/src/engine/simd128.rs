//! The engine with the vectors of WebAssembly: slots (`lanes`), sixteen bytes at a time. There is no instruction that deposits bits, so
//! the slot of a move is found by counting.

#![allow(unsafe_code, reason = "loads and stores of vectors take pointers")]

use std::arch::wasm32::*;

use nestling::engine::Batch;

use super::slots::{BEFORE, Change, Position, SLOTS, SlotInstructions, StartingMoves, TO_FRONT};
use super::tables::{CELLS, Tables};
use super::{Start, lanes};
use crate::board::Board;
use crate::board::masks::WORD;
use crate::geometry::Move;

/// Plays a batch of uniform games; false if its start has too many moves.
pub(super) fn play_batch(board: &Board, start: &Start<'_>, batch: &mut Batch<'_, Move>) -> bool {
    let Some(moves) = StartingMoves::of(start) else { return false };
    lanes::play_batch::<Simd128>(board, start, &moves, batch);
    true
}

struct Simd128;

impl SlotInstructions for Simd128 {
    /// Those of two directions, and of the other two.
    type Holes = [v128; 2];

    #[inline(always)]
    fn draw(position: &mut Position, tables: &Tables, line: u16, dot: u16) -> Change<[v128; 2]> {
        let begin = tables.rows[usize::from(dot) % CELLS].words.map(usize::from);
        // SAFETY: `line` is below LINES + 8 and every word begins below LINES (see `Row`); with BEFORE bytes before the first line and
        // 64 behind the last, the sixteen bytes around the line and the words lie within the array.
        unsafe {
            let base = position.lines.as_mut_ptr().add(BEFORE);
            let around = base.add(usize::from(line)).sub(WORD).cast::<v128>();
            let blocked = v128_load((&raw const tables.masks.blocked).cast());
            v128_store(around, v128_or(v128_load(around), blocked));
            let kept = u64x2_splat(tables.masks.dot);
            let word = |along: usize| base.add(begin[along]).cast::<u64>();
            let pair = |first: usize| {
                let both = v128_load64_lane::<1>(v128_load64_zero(word(first)), word(first + 1));
                v128_and(both, kept)
            };
            let holes = [pair(0), pair(2)];
            v128_store64_lane::<0>(holes[0], word(0));
            v128_store64_lane::<1>(holes[0], word(1));
            v128_store64_lane::<0>(holes[1], word(2));
            v128_store64_lane::<1>(holes[1], word(3));
            let playable = lone_bytes(holes[0]) | lone_bytes(holes[1]) << 16;
            Change { playable: playable & tables.touched, holes }
        }
    }

    #[inline(always)]
    fn conflicts(position: &Position, tables: &Tables, line: u16, dot: u16) -> u64 {
        let (this, here) = (u16x8_splat(line), u16x8_splat(dot));
        let far = i16x8_splat(tables.far[0]);
        // All ones for each of eight slots that conflicts.
        let near = |from: usize| {
            // SAFETY: `from` is below SLOTS - 7, and the arrays are longer than SLOTS.
            let (lines, dots) = unsafe {
                (v128_load(position.line.as_ptr().add(from).cast()), v128_load(position.dot.as_ptr().add(from).cast()))
            };
            v128_or(i16x8_gt(far, i16x8_abs(i16x8_sub(lines, this))), i16x8_eq(dots, here))
        };
        let sixteen = |from: usize| u64::from(i8x16_bitmask(i8x16_narrow_i16x8(near(from), near(from + 8)))) << from;
        sixteen(0) | sixteen(16) | sixteen(32) | sixteen(48)
    }

    #[inline(always)]
    fn write(position: &mut Position, tables: &Tables, next: usize, change: &Change<[v128; 2]>, dot: u16) {
        let row = &tables.rows[usize::from(dot) % CELLS];
        let playable = change.playable;
        let past = |along: u32| next + (playable & ((1 << (8 * along)) - 1)).count_ones() as usize;
        // Where each line's hole is, less four: for a byte with one bit its number, which for 16 is looked up as 0, beyond the table.
        let hole_of = i8x16(0, -4, -3, 0, -2, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0);
        // From the dot to the hole, in steps along the direction: the line at place p begins 7 - p steps before the dot.
        let further = i8x16(-3, -2, -1, 0, 1, 2, 3, 4, -3, -2, -1, 0, 1, 2, 3, 4);
        let places = i16x8(0, 1, 2, 3, 4, 5, 6, 7);
        let here = u16x8_splat(dot);
        for pair in 0..2 {
            let steps = i8x16_add(i8x16_swizzle(hole_of, change.holes[pair]), further);
            for (half, steps) in [i16x8_extend_low_i8x16(steps), i16x8_extend_high_i8x16(steps)].into_iter().enumerate()
            {
                let along = 2 * pair + half;
                let stride = i16x8_splat(tables.strides_by_place[pair][WORD * half]);
                let dots = i16x8_add(i16x8_mul(steps, stride), here);
                let lines = i16x8_add(u16x8_splat(row.words[along]), places);
                let to_front = &TO_FRONT[(playable >> (8 * along)) as usize / 8 % 32];
                // SAFETY: there is room for all, so that the slot is at most SLOTS, and from there for eight.
                unsafe {
                    let slot = past(along as u32);
                    let to_front = v128_load(to_front.0.as_ptr().cast());
                    v128_store(position.line.as_mut_ptr().add(slot).cast(), i8x16_swizzle(lines, to_front));
                    v128_store(position.dot.as_mut_ptr().add(slot).cast(), i8x16_swizzle(dots, to_front));
                }
            }
        }
    }

    /// First the byte in which the number of bits passes `index`, then the bit in it.
    #[inline(always)]
    fn slot_number(alive: u64, index: usize) -> usize {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const HIGH: u64 = 0x80 * ONES;
        let pairs = alive - (alive >> 1 & 0x55 * ONES);
        let fours = (pairs & 0x33 * ONES) + (pairs >> 2 & 0x33 * ONES);
        // In each byte, how many bits are set up to its end.
        let up_to = (fours + (fours >> 4) & 0x0f * ONES).wrapping_mul(ONES);
        let passed = ((index as u64 % SLOTS as u64).wrapping_mul(ONES) | HIGH).wrapping_sub(up_to) & HIGH;
        let byte = passed.count_ones() * 8 % 64;
        let rest = index as u64 - ((up_to << 8) >> byte & 0xff);
        byte as usize + usize::from(BIT[(alive >> byte) as usize % 256][rest as usize % WORD])
    }
}

/// Which of sixteen bytes have exactly one bit set; the highest bits must be clear. These are the x with x ^ (x - 1) > x - 1: for 0 both
/// sides are -1, and with several bits the right side has the highest of them.
#[inline(always)]
fn lone_bytes(bytes: v128) -> u32 {
    let less = i8x16_sub(bytes, i8x16_splat(1));
    u32::from(i8x16_bitmask(i8x16_gt(v128_xor(bytes, less), less)))
}

/// For every byte, the numbers of its bits that are set.
static BIT: [[u8; 8]; 256] = {
    let mut numbers = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut place) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                numbers[byte][place] = bit;
                place += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    numbers
};
