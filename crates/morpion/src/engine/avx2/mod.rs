//! The engine with AVX2: uniform games (`slots`), and the kernel for weighted ones, which filters the list of moves eight
//! at a time and looks at the four words of a dot as one.

#![allow(unsafe_code, reason = "intrinsics take pointers, and are only safe where the processor has them")]

mod blocks;
mod slots;

use std::arch::x86_64::*;

use nestling::engine::Batch;
use nestling::engine::{Adapting, Priorities, Recording, Trace};
use nestling::{Rng, Weights};

use super::lanes;
use super::learner::LearnerGames;
use super::priority::Follower;
use super::slots::StartingMoves;
use super::tables::LINES;
use super::{InstructionSet, LIST, Lines, List, NEVER, Policy, Start, weighted};
use crate::board::Board;
use crate::board::masks::WORD;
use crate::geometry::Move;
use slots::{Avx2Slots, HAS_FAST_DEPOSIT};

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

/// Whether this processor has AVX2 and what comes with it.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
}

const UNAVAILABLE: &str = "AVX2 was asked for, and this processor does not have it";

// Each of the entrances compiles the engine's whole loop for these features, so that the kernel's methods become part of it.

/// Plays a batch of uniform games; false if its start has too many moves.
pub(super) fn play_batch(board: &Board, start: &Start<'_>, batch: &mut Batch<'_, Move>) -> bool {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn compiled(board: &Board, start: &Start<'_>, moves: &StartingMoves, batch: &mut Batch<'_, Move>) {
        if *HAS_FAST_DEPOSIT {
            lanes::play_batch::<Avx2Slots<true>>(board, start, moves, batch);
        } else {
            lanes::play_batch::<Avx2Slots<false>>(board, start, moves, batch);
        }
    }
    assert!(is_available(), "{UNAVAILABLE}");
    let Some(moves) = StartingMoves::of(start) else { return false };
    // SAFETY: the processor has the features.
    unsafe { compiled(board, start, &moves, batch) }
    true
}

/// Plays a batch of games by weights.
pub(super) fn weigh(board: &Board, start: &Start<'_>, batch: &mut Batch<'_, Move>, weights: &Weights) {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn compiled(board: &Board, start: &Start<'_>, batch: &mut Batch<'_, Move>, weights: &Weights) {
        weighted::play_all::<Avx2>(board, start, batch, weights);
    }
    assert!(is_available(), "{UNAVAILABLE}");
    // SAFETY: the processor has the features.
    unsafe { compiled(board, start, batch, weights) }
}

/// Plays a game of NRPA's.
pub(super) fn learn(player: &mut LearnerGames<'_>, policy: &Policy, rng: &mut Rng) -> bool {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn compiled(player: &mut LearnerGames<'_>, policy: &Policy, rng: &mut Rng) -> bool {
        player.play_by::<Avx2>(policy, rng)
    }
    assert!(is_available(), "{UNAVAILABLE}");
    // SAFETY: the processor has the features.
    unsafe { compiled(player, policy, rng) }
}

/// Plays a game by priorities.
pub(super) fn follow(follower: &mut Follower<'_>, priorities: &Priorities<'_, Move>) -> bool {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn compiled(follower: &mut Follower<'_>, priorities: &Priorities<'_, Move>) -> bool {
        follower.play_by::<Avx2>(priorities)
    }
    assert!(is_available(), "{UNAVAILABLE}");
    // SAFETY: the processor has the features.
    unsafe { compiled(follower, priorities) }
}

/// Writes down the last game of NRPA's.
pub(super) fn record(player: &mut LearnerGames<'_>, game: Recording<'_, Move>) {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn compiled(player: &mut LearnerGames<'_>, game: Recording<'_, Move>) {
        player.record_blocks(game, blocks::write);
    }
    assert!(is_available(), "{UNAVAILABLE}");
    // SAFETY: the processor has the features.
    unsafe { compiled(player, game) }
}

/// Adapts a policy.
pub(super) fn adapt(adapting: &mut Adapting, policy: &mut [f64], game: &Trace<Move>, alpha: f64) {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn compiled(adapting: &mut Adapting, policy: &mut [f64], game: &Trace<Move>, alpha: f64) {
        adapting.adapt(policy, game, alpha);
    }
    assert!(is_available(), "{UNAVAILABLE}");
    // SAFETY: the processor has the features.
    unsafe { compiled(adapting, policy, game, alpha) }
}

// The methods are only reached through these entrances, so the processor has the features; `inline(always)` makes them part
// of the loop.
impl InstructionSet for Avx2 {
    #[inline(always)]
    fn remove_conflicting(list: &mut List, time: Option<f64>, lowest: u32, span: u32, dot: u32) -> (usize, u64) {
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
    fn put(lines: &mut Lines, words: [u16; 4], dot: u64) -> u32 {
        let begin = words.map(|begin| usize::from(begin) % LINES);
        // SAFETY: each word begins below LINES, and the array is longer by more than a word.
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
            slots::lone_bytes(holes)
        }
    }

    #[inline(always)]
    fn block(lines: &mut Lines, line: usize, blocked: u128) {
        let begin = (line - WORD) % LINES;
        // SAFETY: the sixteen bytes begin below LINES, and the array is longer by more than that.
        unsafe {
            let around = lines.as_mut_ptr().add(begin).cast::<__m128i>();
            let blocked = std::mem::transmute::<u128, __m128i>(blocked);
            _mm_storeu_si128(around, _mm_or_si128(_mm_loadu_si128(around), blocked));
        }
    }
}
