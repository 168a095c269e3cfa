//! The list of possible moves with SSE2 instructions: III.C and algorithm 3.

use super::list::{MoveList, PlainList};

/// Codes to a vector.
const LANES: usize = 8;

/// A list that removes an interval from eight codes at a time. A removed code becomes 0, which is the code of no move
/// that fits on the board; [`pack`](MoveList::pack) drops the zeros, in plain code as in the paper.
#[derive(Clone)]
#[repr(align(16))]
pub struct VectorList(PlainList);

impl MoveList for VectorList {
    fn new() -> Self {
        VectorList(PlainList::new())
    }

    #[inline(always)]
    fn remove(&mut self, least: u16, greatest: u16) {
        let PlainList { codes, count } = &mut self.0;
        let (blocks, _) = codes.as_chunks_mut::<LANES>().0.split_at_mut(count.div_ceil(LANES));
        for block in blocks {
            blank(block, least, greatest);
        }
    }

    #[inline(always)]
    fn pack(&mut self) {
        self.0.retain(|code| code != 0);
    }

    #[inline(always)]
    fn push(&mut self, code: u16, valid: u8) {
        self.0.push(code, valid);
    }

    #[inline(always)]
    fn codes(&self) -> &[u16] {
        self.0.codes()
    }
}

/// Replaces the codes of the interval by 0. Codes have 15 bits, so comparing them as signed numbers is right.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn blank(block: &mut [u16; LANES], least: u16, greatest: u16) {
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_andnot_si128, _mm_cmpgt_epi16, _mm_loadu_si128, _mm_set1_epi16, _mm_storeu_si128,
    };
    let address = block.as_mut_ptr().cast::<__m128i>();
    // SAFETY: every x86-64 has SSE2; the block is 16 bytes that this function alone may read and write, and the
    // unaligned load and store ask for no more.
    unsafe {
        let below = _mm_set1_epi16(least as i16 - 1);
        let above = _mm_set1_epi16(greatest as i16 + 1);
        let codes = _mm_loadu_si128(address);
        let inside = _mm_and_si128(_mm_cmpgt_epi16(codes, below), _mm_cmpgt_epi16(above, codes));
        _mm_storeu_si128(address, _mm_andnot_si128(inside, codes));
    }
}

/// The same if there is no SSE2.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn blank(block: &mut [u16; LANES], least: u16, greatest: u16) {
    for code in block {
        *code = if (least..=greatest).contains(code) { 0 } else { *code };
    }
}
