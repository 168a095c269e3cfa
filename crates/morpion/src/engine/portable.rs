//! The kernel in plain code, eight lines to a word.

use super::tables::LINES;
use super::{Kernel, LIST};
use crate::board::masks::{WORD, lone_bits, packed};

pub(super) struct Portable;

impl Kernel for Portable {
    #[inline(always)]
    fn strike(entries: &mut [u32; LIST + 8], len: usize, lowest: u32, span: u32, dot: u32) -> usize {
        let mut kept = 0;
        for index in 0..len.min(LIST) {
            let entry = entries[index];
            entries[kept] = entry;
            let struck = ((entry & 0xffff).wrapping_sub(lowest) <= span) | (entry >> 16 == dot);
            kept += usize::from(!struck);
        }
        kept
    }

    #[inline(always)]
    fn put(lines: &mut [u8; LINES + 32], at: [u16; 4], dot: u64) -> u32 {
        let mut playable = 0;
        for (direction, address) in at.into_iter().enumerate() {
            let begin = (usize::from(address) + 1 - WORD) % LINES;
            let word: &mut [u8; WORD] = (&mut lines[begin..begin + WORD]).try_into().expect("the length of a word");
            let holes = u64::from_le_bytes(*word) & dot;
            *word = holes.to_le_bytes();
            playable |= packed(lone_bits(holes)) << (8 * direction);
        }
        playable
    }

    #[inline(always)]
    fn block(lines: &mut [u8; LINES + 32], line: usize, blocked: u128) {
        let begin = (line - 4) % LINES;
        let around: &mut [u8; 16] = (&mut lines[begin..begin + 16]).try_into().expect("the length of a word");
        *around = (u128::from_le_bytes(*around) | blocked).to_le_bytes();
    }
}
