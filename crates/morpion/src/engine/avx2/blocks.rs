//! The spans of a game in blocks of four steps, eight spans at a time.

use std::arch::x86_64::*;

use super::super::{LIST, MARGIN};
use super::EIGHT;

/// Steps of a block.
const BLOCK: u32 = 4;

/// Room for the spans that meet a block: those of the list before it and of its new moves.
const PRESENT: usize = 2 * LIST;

/// Writes which spans meet each block, and their sets of steps there, in the form of [`Spans`](nestling::engine::Spans).
///
/// `packed` has all spans in their order, as number << 16 | place of the first step in its block << 12 | the step after the last,
/// and at least eight unused words behind them; `known` has the number of spans that begin in each step or before it.
#[inline(always)]
pub(super) fn write(packed: &[u32], known: &[u32], considered: &mut Vec<u32>, ends: &mut Vec<u32>) {
    let mut present = [0; PRESENT + MARGIN];
    let (mut len, mut next) = (0, 0);
    for (block, known) in known.chunks(BLOCK as usize).enumerate() {
        let born = known[known.len() - 1] as usize;
        assert!(len + (born - next) <= PRESENT && born + 8 <= packed.len(), "the lists of legal moves are short");
        for index in (next..born).step_by(8) {
            // SAFETY: eight words from `index`, which is below `born`, are in `packed`; `len + index - next` is below PRESENT, and
            // `present` is longer by MARGIN.
            unsafe {
                let new = _mm256_loadu_si256(packed.as_ptr().add(index).cast());
                _mm256_storeu_si256(present.as_mut_ptr().add(len + index - next).cast(), new);
            }
        }
        (len, next) = (len + born - next, born);
        // SAFETY: the processor has AVX2, and `len` is at most PRESENT.
        len = unsafe { write_block(&mut present, len, block as u32 * BLOCK, considered) };
        ends.push(considered.len() as u32);
    }
}

/// Writes the block of steps from `begin` on. Spans that end in it are removed from `present`; the answer is how many are left.
///
/// # Safety
///
/// The processor has AVX2, and `len` is at most PRESENT.
#[inline(always)]
unsafe fn write_block(
    present: &mut [u32; PRESENT + MARGIN],
    len: usize,
    begin: u32,
    considered: &mut Vec<u32>,
) -> usize {
    let (mut kept, mut index) = (0, 0);
    let whole = considered.len() + len;
    // SAFETY: `index` and `kept` are below PRESENT when a vector of eight is read or written there, and the array is longer by MARGIN.
    unsafe {
        let present = present.as_mut_ptr();
        let one = _mm256_set1_epi32(1);
        let places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        while index < len {
            let spans = _mm256_loadu_si256(present.add(index).cast());
            let left =
                _mm256_sub_epi32(_mm256_and_si256(spans, _mm256_set1_epi32(0xfff)), _mm256_set1_epi32(begin as i32));
            let behind = _mm256_min_epu32(left, _mm256_set1_epi32(BLOCK as i32));
            let first = _mm256_and_si256(_mm256_srli_epi32::<12>(spans), _mm256_set1_epi32(BLOCK as i32 - 1));
            let set = _mm256_sub_epi32(_mm256_sllv_epi32(one, behind), _mm256_sllv_epi32(one, first));
            let numbers = _mm256_and_si256(_mm256_srli_epi32::<12>(spans), _mm256_set1_epi32(!0xf));
            let valid = _mm256_cmpgt_epi32(_mm256_set1_epi32((len - index) as i32), places);
            let entries = _mm256_and_si256(_mm256_or_si256(numbers, set), valid);
            considered.extend_from_slice(&std::mem::transmute::<__m256i, [u32; 8]>(entries));
            let stays = _mm256_and_si256(_mm256_cmpgt_epi32(left, _mm256_set1_epi32(BLOCK as i32)), valid);
            let stays = _mm256_movemask_ps(_mm256_castsi256_ps(stays)) as u32;
            let order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(EIGHT[stays as usize % 256] as i64));
            // What is left begins before the next block.
            let older = _mm256_and_si256(spans, _mm256_set1_epi32(!0xf000));
            _mm256_storeu_si256(present.add(kept).cast(), _mm256_permutevar8x32_epi32(older, order));
            kept += stays.count_ones() as usize;
            index += 8;
        }
    }
    considered.truncate(whole.next_multiple_of(4));
    kept
}
