//! The kernel with AVX2: the list of moves is filtered eight at a time, the four words of a dot are looked at as one.

#![allow(unsafe_code, reason = "intrinsics take pointers, and are only safe where the processor has them")]

use std::arch::x86_64::*;
use std::sync::LazyLock;

use nestling::playout::Batch;
use nestling::{Rng, Trace};

use super::learner::Player;
use super::tables::LINES;
use super::{Kernel, LIST, Position};
use crate::board::Board;
use crate::geometry::Move;

pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("popcnt")
}

struct Avx2;

/// For every set of eight moves to keep, which of them come first: the indices for a permutation, as bytes.
static COMPRESS: LazyLock<[[u8; 8]; 256]> = LazyLock::new(|| {
    let mut table = [[0; 8]; 256];
    for (kept, order) in table.iter_mut().enumerate() {
        let lanes = (0..8u8).filter(|lane| kept >> lane & 1 == 1);
        order.iter_mut().zip(lanes).for_each(|(place, lane)| *place = lane);
    }
    table
});

/// Plays a batch; the whole loop is compiled for AVX2 so that the kernel is part of it.
pub(super) fn play_batch(board: &Board, start: &Position, batch: &mut Batch<'_, Move>) {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn with_avx2(board: &Board, start: &Position, batch: &mut Batch<'_, Move>) {
        super::play_batch::<Avx2>(board, start, batch);
    }
    assert!(is_available(), "AVX2 was asked for on a processor without it");
    // SAFETY: the processor has the features.
    unsafe { with_avx2(board, start, batch) }
}

/// Plays a game of NRPA's, compiled for AVX2 likewise.
pub(super) fn learn(player: &mut Player<'_>, policy: &[f64; LINES], rng: &mut Rng, trace: &mut Trace<Move>) -> bool {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn with_avx2(player: &mut Player<'_>, policy: &[f64; LINES], rng: &mut Rng, trace: &mut Trace<Move>) -> bool {
        player.play_by::<Avx2>(policy, rng, trace)
    }
    assert!(is_available(), "AVX2 was asked for on a processor without it");
    // SAFETY: the processor has the features.
    unsafe { with_avx2(player, policy, rng, trace) }
}

// The methods are only reached through a `with_avx2`, so the processor has the features; `inline(always)` makes them part
// of it.
impl Kernel for Avx2 {
    #[inline(always)]
    fn strike(entries: &mut [u32; LIST + 8], len: usize, lowest: u32, span: u32, dot: u32) -> usize {
        let table: &[[u8; 8]; 256] = &COMPRESS;
        let mut kept = 0;
        let mut index = 0;
        // SAFETY: `index` and `kept` stay at most LIST - 1 when a vector of eight is read or written there, and the array
        // is LIST + 8 long. Writing is never ahead of reading.
        unsafe {
            let origin = _mm256_set1_epi32((lowest | dot << 16) as i32);
            let reach = _mm256_set1_epi32(span as i32);
            let base = entries.as_mut_ptr();
            while index < len.min(LIST) {
                let moves = _mm256_loadu_si256(base.add(index).cast());
                // In each half of a word: is line - lowest at most span, is dot - dot at most 0?
                let distance = _mm256_sub_epi16(moves, origin);
                let struck = _mm256_cmpeq_epi16(_mm256_min_epu16(distance, reach), distance);
                let free = _mm256_cmpeq_epi32(struck, _mm256_setzero_si256());
                let valid = 0xff_u32 >> (8 - (len - index).min(8));
                let keep = _mm256_movemask_ps(_mm256_castsi256_ps(free)) as u32 & valid;
                let order = _mm256_cvtepu8_epi32(_mm_loadl_epi64(table[keep as usize % 256].as_ptr().cast()));
                _mm256_storeu_si256(base.add(kept).cast(), _mm256_permutevar8x32_epi32(moves, order));
                kept += keep.count_ones() as usize;
                index += 8;
            }
        }
        kept
    }

    #[inline(always)]
    fn put(lines: &mut [u8; LINES + 32], at: [u16; 4], dot: u64) -> u32 {
        let begin = at.map(|address| (usize::from(address) + 1 - 8) % LINES);
        // SAFETY: each word of eight begins below LINES, and the array is LINES + 32 long.
        unsafe {
            let base = lines.as_mut_ptr();
            let word = |along: usize| base.add(begin[along]).cast::<i64>().read_unaligned();
            let words = _mm256_set_epi64x(word(3), word(2), word(1), word(0));
            let holes = _mm256_and_si256(words, _mm256_set1_epi64x(dot as i64));
            let (low, high) = (_mm256_castsi256_si128(holes), _mm256_extracti128_si256(holes, 1));
            base.add(begin[0]).cast::<i64>().write_unaligned(_mm_cvtsi128_si64(low));
            base.add(begin[1]).cast::<i64>().write_unaligned(_mm_extract_epi64(low, 1));
            base.add(begin[2]).cast::<i64>().write_unaligned(_mm_cvtsi128_si64(high));
            base.add(begin[3]).cast::<i64>().write_unaligned(_mm_extract_epi64(high, 1));
            let zero = _mm256_setzero_si256();
            let without_lowest = _mm256_and_si256(holes, _mm256_add_epi8(holes, _mm256_set1_epi8(-1)));
            let at_most_one = _mm256_cmpeq_epi8(without_lowest, zero);
            let none = _mm256_cmpeq_epi8(holes, zero);
            _mm256_movemask_epi8(_mm256_andnot_si256(none, at_most_one)) as u32
        }
    }

    #[inline(always)]
    fn block(lines: &mut [u8; LINES + 32], line: usize, blocked: u128) {
        let begin = (line - 4) % LINES;
        // SAFETY: the sixteen bytes begin below LINES, and the array is LINES + 32 long.
        unsafe {
            let around = lines.as_mut_ptr().add(begin).cast::<__m128i>();
            let blocked = std::mem::transmute::<u128, __m128i>(blocked);
            _mm_storeu_si128(around, _mm_or_si128(_mm_loadu_si128(around), blocked));
        }
    }
}
