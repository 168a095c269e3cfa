//! The kernel with AVX-512: sixteen moves at a time, filtered by compressing, and lines tested by counting their bits.

#![allow(unsafe_code, reason = "intrinsics take pointers, and are only safe where the processor has them")]

use std::arch::x86_64::*;

use super::x86::{self, compiled_for};
use super::{Kernel, LIST, Lines, List, NEVER};

struct Avx512;

compiled_for!(Avx512, "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512bitalg", "avx2", "bmi1", "bmi2", "popcnt");

// The methods are only reached through what `compiled_for` makes, so the processor has the features; `inline(always)`
// makes them part of it.
impl Kernel for Avx512 {
    #[inline(always)]
    fn strike(list: &mut List, time: Option<f64>, lowest: u32, span: u32, dot: u32) -> (usize, u64) {
        let len = list.len.min(LIST);
        let (mut kept, mut index) = (0, 0);
        // SAFETY: `index` and `kept` stay at most LIST - 16 when a vector of sixteen is read or written there, and the
        // arrays are longer than LIST by MARGIN, at least sixteen. Writing is never ahead of reading.
        unsafe {
            let (lowest, span) = (_mm512_set1_epi32(lowest as i32), _mm512_set1_epi32(span as i32));
            let (dot, low_half) = (_mm512_set1_epi32(dot as i32), _mm512_set1_epi32(0xffff));
            let (entries, clocks) = (list.entries.as_mut_ptr(), list.clocks.as_mut_ptr());
            while index < len {
                let moves = _mm512_loadu_si512(entries.add(index).cast());
                let valid = (0xffff_u32 >> (16 - (len - index).min(16))) as __mmask16;
                let distance = _mm512_sub_epi32(_mm512_and_si512(moves, low_half), lowest);
                let apart = _mm512_mask_cmpgt_epu32_mask(valid, distance, span);
                let keep = _mm512_mask_cmpneq_epu32_mask(apart, _mm512_srli_epi32::<16>(moves), dot);
                if let Some(time) = time {
                    let time = _mm512_set1_pd(time);
                    let left = |index: usize| _mm512_sub_pd(_mm512_loadu_pd(clocks.add(index)), time);
                    let (low, high) = (keep as __mmask8, (keep >> 8) as __mmask8);
                    let first = _mm512_maskz_compress_pd(low, left(index));
                    let second = _mm512_maskz_compress_pd(high, left(index + 8));
                    // To a register and from there to memory: compressing into memory is slow on some processors.
                    _mm512_storeu_pd(clocks.add(kept), first);
                    _mm512_storeu_pd(clocks.add(kept + low.count_ones() as usize), second);
                }
                _mm512_storeu_si512(entries.add(kept).cast(), _mm512_maskz_compress_epi32(keep, moves));
                kept += keep.count_ones() as usize;
                index += 16;
            }
        }
        (kept, if time.is_some() { first_to_ring(list, kept.min(LIST)) } else { NEVER })
    }

    #[inline(always)]
    fn put(lines: &mut Lines, at: [u16; 4], dot: u64) -> u32 {
        // SAFETY: the processor has AVX2, and the parts of AVX-512 that count bits.
        unsafe { _mm256_cmpeq_epi8_mask(_mm256_popcnt_epi8(x86::put(lines, at, dot)), _mm256_set1_epi8(1)) }
    }

    #[inline(always)]
    fn block(lines: &mut Lines, line: usize, blocked: u128) {
        x86::block(lines, line, blocked);
    }
}

/// The key of the clock that will ring first among the first `len`.
#[inline(always)]
fn first_to_ring(list: &List, len: usize) -> u64 {
    // SAFETY: vectors of eight begin below `len`, at most LIST, and the array is longer than LIST by MARGIN.
    unsafe {
        let bits = _mm512_set1_epi64(!(LIST as i64 - 1));
        let mut indices = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
        let mut least = _mm512_set1_pd(f64::MAX);
        let mut index = 0;
        while index < len {
            let clocks = _mm512_castpd_si512(_mm512_loadu_pd(list.clocks.as_ptr().add(index)));
            let keys = _mm512_castsi512_pd(_mm512_or_si512(_mm512_and_si512(clocks, bits), indices));
            // Behind the last clock there may be anything.
            let listed = (0xff_u32 >> (8 - (len - index).min(8))) as __mmask8;
            least = _mm512_mask_min_pd(least, listed, least, keys);
            indices = _mm512_add_epi64(indices, _mm512_set1_epi64(8));
            index += 8;
        }
        let quarter = _mm256_min_pd(_mm512_castpd512_pd256(least), _mm512_extractf64x4_pd::<1>(least));
        let half = _mm_min_pd(_mm256_castpd256_pd128(quarter), _mm256_extractf128_pd::<1>(quarter));
        let least = _mm_min_sd(half, _mm_unpackhi_pd(half, half));
        _mm_cvtsi128_si64(_mm_castpd_si128(least)) as u64
    }
}
