//! The kernel with AVX2: the list of moves is filtered eight at a time, the four words of a dot are looked at as one.

#![allow(unsafe_code, reason = "intrinsics take pointers, and are only safe where the processor has them")]

use std::arch::x86_64::*;

use super::x86::{self, compiled_for};
use super::{Kernel, LIST, Lines, List, NEVER};

struct Avx2;

/// For every set of eight numbers of 32 bits, the permutation that brings its members to the front, in their order.
static EIGHT: [u64; 256] = to_front(1);

/// The same for every set of four numbers of 64 bits, each taken as its two halves.
static FOUR: [u64; 16] = to_front(2);

/// From place 4 - n on: n zeros, then ones.
static OTHERS: [i64; 8] = [0, 0, 0, 0, -1, -1, -1, -1];

const fn to_front<const SETS: usize>(parts: usize) -> [u64; SETS] {
    let mut orders = [0; SETS];
    let mut set = 0;
    while set < SETS {
        let (mut lane, mut place) = (0, 0);
        while lane < 8 {
            if set >> (lane / parts) & 1 == 1 {
                orders[set] |= (lane as u64) << (8 * place);
                place += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    orders
}

compiled_for!(Avx2, "avx2", "bmi1", "bmi2", "popcnt");

// The methods are only reached through what `compiled_for` makes, so the processor has the features; `inline(always)`
// makes them part of it.
impl Kernel for Avx2 {
    #[inline(always)]
    fn strike(list: &mut List, time: Option<f64>, lowest: u32, span: u32, dot: u32) -> (usize, u64) {
        let len = list.len.min(LIST);
        let (mut kept, mut index) = (0, 0);
        // SAFETY: `index` and `kept` stay at most LIST - 8 when a vector of eight is read or written there, and the arrays
        // are longer than LIST by MARGIN. Writing is never ahead of reading.
        unsafe {
            let (origin, reach) = (_mm256_set1_epi32((lowest | dot << 16) as i32), _mm256_set1_epi32(span as i32));
            let (entries, clocks) = (list.entries.as_mut_ptr(), list.clocks.as_mut_ptr());
            let (times, mut least) =
                (_mm256_set1_epi64x(!(LIST as i64 - 1)), _mm256_castsi256_pd(_mm256_set1_epi64x(NEVER as i64)));
            // The keys of the first `count` of four clocks, the others being no numbers, which a minimum passes over.
            let keys = |clocks: __m256, kept: usize, count: usize| {
                let indices = _mm256_add_epi64(_mm256_set1_epi64x(kept as i64), _mm256_setr_epi64x(0, 1, 2, 3));
                let others = _mm256_loadu_si256(OTHERS.as_ptr().add(4 - count).cast());
                let clocks = _mm256_and_si256(_mm256_castps_si256(clocks), times);
                _mm256_castsi256_pd(_mm256_or_si256(_mm256_or_si256(clocks, indices), others))
            };
            while index < len {
                let moves = _mm256_loadu_si256(entries.add(index).cast());
                // In each half of a word: is line - lowest at most span, is dot - dot at most 0?
                let distance = _mm256_sub_epi16(moves, origin);
                let struck = _mm256_cmpeq_epi16(_mm256_min_epu16(distance, reach), distance);
                let free = _mm256_cmpeq_epi32(struck, _mm256_setzero_si256());
                let valid = 0xff_u32 >> (8 - (len - index).min(8));
                let keep = _mm256_movemask_ps(_mm256_castsi256_ps(free)) as u32 & valid;
                let order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(EIGHT[keep as usize % 256] as i64));
                if let Some(time) = time {
                    let time = _mm256_set1_pd(time);
                    let (low, high) = (keep as usize % 16, keep as usize / 16 % 16);
                    let left = |index: usize| _mm256_sub_pd(_mm256_loadu_pd(clocks.add(index)), time);
                    let order = |kept: usize| _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(FOUR[kept] as i64));
                    let first = _mm256_permutevar8x32_ps(_mm256_castpd_ps(left(index)), order(low));
                    let second = _mm256_permutevar8x32_ps(_mm256_castpd_ps(left(index + 4)), order(high));
                    let (count, rest) = (low.count_ones() as usize, high.count_ones() as usize);
                    _mm256_storeu_ps(clocks.add(kept).cast(), first);
                    _mm256_storeu_ps(clocks.add(kept + count).cast(), second);
                    least = _mm256_min_pd(keys(first, kept, count), least);
                    least = _mm256_min_pd(keys(second, kept + count, rest), least);
                }
                _mm256_storeu_si256(entries.add(kept).cast(), _mm256_permutevar8x32_epi32(moves, order));
                kept += keep.count_ones() as usize;
                index += 8;
            }
            let half = _mm_min_pd(_mm256_castpd256_pd128(least), _mm256_extractf128_pd::<1>(least));
            let least = _mm_min_sd(half, _mm_unpackhi_pd(half, half));
            (kept, _mm_cvtsi128_si64(_mm_castpd_si128(least)) as u64)
        }
    }

    #[inline(always)]
    fn put(lines: &mut Lines, at: [u16; 4], dot: u64) -> u32 {
        // SAFETY: the processor has AVX2.
        unsafe {
            let holes = x86::put(lines, at, dot);
            let zero = _mm256_setzero_si256();
            let without_lowest = _mm256_and_si256(holes, _mm256_add_epi8(holes, _mm256_set1_epi8(-1)));
            let at_most_one = _mm256_cmpeq_epi8(without_lowest, zero);
            let none = _mm256_cmpeq_epi8(holes, zero);
            _mm256_movemask_epi8(_mm256_andnot_si256(none, at_most_one)) as u32
        }
    }

    #[inline(always)]
    fn block(lines: &mut Lines, line: usize, blocked: u128) {
        x86::block(lines, line, blocked);
    }
}
