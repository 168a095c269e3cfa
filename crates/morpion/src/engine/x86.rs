//! What the kernels for x86-64 share, and the engine's loops compiled for instructions that not every processor has.

#![allow(unsafe_code, reason = "intrinsics take pointers, and are only safe where the processor has them")]

use std::arch::x86_64::*;

use super::Lines;
use super::tables::LINES;
use crate::board::masks::WORD;

/// Puts a dot where four lines start: the four words of eight lines, one for each direction, without its holes.
///
/// # Safety
///
/// The processor must have AVX2.
#[inline(always)]
pub(super) unsafe fn put(lines: &mut Lines, at: [u16; 4], dot: u64) -> __m256i {
    let begin = at.map(|address| (usize::from(address) + 1 - WORD) % LINES);
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
        holes
    }
}

/// Excludes the lines that conflict with a new one. Every x86-64 processor can do this.
#[inline(always)]
pub(super) fn block(lines: &mut Lines, line: usize, blocked: u128) {
    let begin = (line - WORD) % LINES;
    // SAFETY: the sixteen bytes begin below LINES, and the array is longer by more than that.
    unsafe {
        let around = lines.as_mut_ptr().add(begin).cast::<__m128i>();
        let blocked = std::mem::transmute::<u128, __m128i>(blocked);
        _mm_storeu_si128(around, _mm_or_si128(_mm_loadu_si128(around), blocked));
    }
}

/// Makes `is_available`, and the three entrances to the engine's loops, compiled with a kernel for these features. The whole
/// loop has to be, so that the kernel's methods become part of it.
macro_rules! compiled_for {
    ($kernel:ident, $($feature:tt),+) => {
        pub(super) fn is_available() -> bool {
            $(is_x86_feature_detected!($feature))&&+
        }

        /// Plays a batch.
        pub(super) fn play_batch(
            board: &crate::board::Board,
            start: &super::Start<'_>,
            batch: &mut nestling::playout::Batch<'_, crate::geometry::Move>,
        ) {
            $(#[target_feature(enable = $feature)])+
            fn compiled(
                board: &crate::board::Board,
                start: &super::Start<'_>,
                batch: &mut nestling::playout::Batch<'_, crate::geometry::Move>,
            ) {
                super::play_batch::<$kernel>(board, start, batch);
            }
            assert!(is_available(), "instructions were asked for that this processor does not have");
            // SAFETY: the processor has the features.
            unsafe { compiled(board, start, batch) }
        }

        /// Plays a game of NRPA's.
        pub(super) fn learn(
            player: &mut super::learner::Player<'_>,
            policy: &super::Policy,
            rng: &mut nestling::Rng,
        ) -> bool {
            $(#[target_feature(enable = $feature)])+
            fn compiled(
                player: &mut super::learner::Player<'_>,
                policy: &super::Policy,
                rng: &mut nestling::Rng,
            ) -> bool {
                player.play_by::<$kernel>(policy, rng)
            }
            assert!(is_available(), "instructions were asked for that this processor does not have");
            // SAFETY: the processor has the features.
            unsafe { compiled(player, policy, rng) }
        }

        /// Adapts a policy.
        pub(super) fn adapt(
            adapting: &mut nestling::Adapting,
            policy: &mut [f64],
            game: &nestling::Trace<crate::geometry::Move>,
            alpha: f64,
        ) {
            $(#[target_feature(enable = $feature)])+
            fn compiled(
                adapting: &mut nestling::Adapting,
                policy: &mut [f64],
                game: &nestling::Trace<crate::geometry::Move>,
                alpha: f64,
            ) {
                adapting.adapt(policy, game, alpha);
            }
            assert!(is_available(), "instructions were asked for that this processor does not have");
            // SAFETY: the processor has the features.
            unsafe { compiled(adapting, policy, game, alpha) }
        }
    };
}

pub(super) use compiled_for;
