//! The kernel in plain code, eight lines to a word.

use super::tables::LINES;
use super::{InstructionSet, LIST, Lines, List, NEVER, key};
use crate::board::masks::{WORD, lone_bits, packed};

pub(super) struct Portable;

impl InstructionSet for Portable {
    #[inline(always)]
    fn remove_conflicting(list: &mut List, time: Option<f64>, lowest: u32, span: u32, dot: u32) -> (usize, u64) {
        let (mut kept, mut first) = (0, NEVER);
        for index in 0..list.len.min(LIST) {
            let entry = list.entries[index];
            list.entries[kept] = entry;
            let struck = ((entry & 0xffff).wrapping_sub(lowest) <= span) | (entry >> 16 == dot);
            if let Some(time) = time {
                let clock = list.clocks[index] - time;
                list.clocks[kept] = clock;
                first = first.min(if struck { NEVER } else { key(clock, kept) });
            }
            kept += usize::from(!struck);
        }
        (kept, first)
    }

    #[inline(always)]
    fn put(lines: &mut Lines, words: [u16; 4], dot: u64) -> u32 {
        let mut playable = 0;
        for (direction, begin) in words.into_iter().enumerate() {
            let begin = usize::from(begin) % LINES;
            let word: &mut [u8; WORD] = (&mut lines[begin..begin + WORD]).try_into().expect("the length of a word");
            let holes = u64::from_le_bytes(*word) & dot;
            *word = holes.to_le_bytes();
            playable |= packed(lone_bits(holes)) << (8 * direction);
        }
        playable
    }

    #[inline(always)]
    fn block(lines: &mut Lines, line: usize, blocked: u128) {
        let begin = (line - WORD) % LINES;
        let around: &mut [u8; 16] = (&mut lines[begin..begin + 16]).try_into().expect("the length of a word");
        *around = (u128::from_le_bytes(*around) | blocked).to_le_bytes();
    }
}
