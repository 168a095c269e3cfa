//! Slots with AVX2.

use std::arch::x86_64::*;
use std::sync::LazyLock;

use crate::board::masks::WORD;
use crate::engine::slots::{BEFORE, Change, Position, SLOTS, SlotInstructions, TO_FRONT};
use crate::engine::tables::{CELLS, Tables};

/// AVX2, and whether the processor deposits bits in a few cycles.
pub(super) struct Avx2Slots<const FAST_DEPOSIT: bool>;

/// Only reached through the entrances, so the processor has the features.
impl<const FAST_DEPOSIT: bool> SlotInstructions for Avx2Slots<FAST_DEPOSIT> {
    type Holes = __m256i;

    #[inline(always)]
    fn draw(position: &mut Position, tables: &Tables, line: u16, dot: u16) -> Change<__m256i> {
        let begin = tables.rows[usize::from(dot) % CELLS].words.map(usize::from);
        // SAFETY: `line` is below LINES + 8 and every word begins below LINES (see `Row`); with BEFORE bytes before the first line and
        // 64 behind the last, the sixteen bytes around the line and the words lie within the array.
        unsafe {
            let base = position.lines.as_mut_ptr().add(BEFORE);
            let around = base.add(usize::from(line)).sub(WORD).cast::<__m128i>();
            let blocked = std::mem::transmute::<u128, __m128i>(tables.masks.blocked);
            _mm_storeu_si128(around, _mm_or_si128(_mm_loadu_si128(around), blocked));
            let word = |along: usize| base.add(begin[along]).cast::<f64>();
            let low = _mm_loadh_pd(_mm_load_sd(word(0)), word(1));
            let high = _mm_loadh_pd(_mm_load_sd(word(2)), word(3));
            let words = _mm256_set_m128i(_mm_castpd_si128(high), _mm_castpd_si128(low));
            let holes = _mm256_and_si256(words, _mm256_set1_epi64x(tables.masks.dot as i64));
            let low = _mm_castsi128_pd(_mm256_castsi256_si128(holes));
            let high = _mm_castsi128_pd(_mm256_extracti128_si256(holes, 1));
            _mm_storel_pd(word(0), low);
            _mm_storeh_pd(word(1), low);
            _mm_storel_pd(word(2), high);
            _mm_storeh_pd(word(3), high);
            Change { playable: lone_bytes(holes) & tables.touched, holes }
        }
    }

    #[inline(always)]
    fn conflicts(position: &Position, tables: &Tables, line: u16, dot: u16) -> u64 {
        // SAFETY: the slots looked at are below SLOTS, in arrays that are longer and aligned to 32 bytes.
        unsafe {
            let (this, here) = (_mm256_set1_epi16(line as i16), _mm256_set1_epi16(dot as i16));
            let far = _mm256_loadu_si256(tables.far.as_ptr().cast());
            let upper = position.conflicts_among(SLOTS / 2, this, here, far);
            position.conflicts_among(0, this, here, far) | upper << (SLOTS / 2)
        }
    }

    #[inline(always)]
    fn write(position: &mut Position, tables: &Tables, next: usize, change: &Change<__m256i>, dot: u16) {
        let row = &tables.rows[usize::from(dot) % CELLS];
        let playable = change.playable;
        let past = |along: u32| next + (playable & ((1 << (8 * along)) - 1)).count_ones() as usize;
        // SAFETY: every lane of a shuffle is within its vector; the places written are at most SLOTS, since there is room for all.
        unsafe {
            // Where each line's hole is: for a byte with one bit its number, which for 16 is looked up as 0.
            let hole_of = _mm256_broadcastsi128_si256(_mm_setr_epi8(4, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0));
            let holes = _mm256_shuffle_epi8(hole_of, change.holes);
            // From the dot to the hole, in steps along the direction: the line at place p begins 7 - p steps before the dot.
            let steps = _mm256_sub_epi8(holes, _mm256_set1_epi64x(0x0001_0203_0405_0607));
            let here = _mm256_set1_epi16(dot as i16);
            let cells = |steps: __m128i, strides: &[i16; 16]| {
                let strides = _mm256_loadu_si256(strides.as_ptr().cast());
                _mm256_add_epi16(_mm256_mullo_epi16(_mm256_cvtepi8_epi16(steps), strides), here)
            };
            let dots = [
                cells(_mm256_castsi256_si128(steps), &tables.strides_by_place[0]),
                cells(_mm256_extracti128_si256(steps, 1), &tables.strides_by_place[1]),
            ];
            let words = _mm256_set1_epi64x(row.words.as_ptr().cast::<i64>().read_unaligned());
            let places = _mm256_broadcastsi128_si256(_mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7));
            let spread = _mm256_setr_epi64x(
                0x0100_0100_0100_0100,
                0x0100_0100_0100_0100,
                0x0302_0302_0302_0302,
                0x0302_0302_0302_0302,
            );
            let further = _mm256_add_epi8(spread, _mm256_set1_epi8(4));
            let lines = [spread, further].map(|spread| _mm256_add_epi16(_mm256_shuffle_epi8(words, spread), places));
            position.write(past(0), _mm256_castsi256_si128(lines[0]), _mm256_castsi256_si128(dots[0]), playable);
            position.write(
                past(1),
                _mm256_extracti128_si256(lines[0], 1),
                _mm256_extracti128_si256(dots[0], 1),
                playable >> 8,
            );
            position.write(past(2), _mm256_castsi256_si128(lines[1]), _mm256_castsi256_si128(dots[1]), playable >> 16);
            position.write(
                past(3),
                _mm256_extracti128_si256(lines[1], 1),
                _mm256_extracti128_si256(dots[1], 1),
                playable >> 24,
            );
        }
    }

    #[inline(always)]
    fn slot_number(alive: u64, index: usize) -> usize {
        let bit = if FAST_DEPOSIT {
            // SAFETY: only reached through the entrances of this engine, so the processor has BMI2.
            unsafe { _pdep_u64(1 << (index % SLOTS), alive) }
        } else {
            (0..index).fold(alive, |left, _| left & left.wrapping_sub(1))
        };
        bit.trailing_zeros() as usize
    }
}

impl Position {
    /// The same for 32 slots, the first of them number `from`.
    ///
    /// # Safety
    ///
    /// `from` is 0 or 32.
    #[inline(always)]
    unsafe fn conflicts_among(&self, from: usize, this: __m256i, here: __m256i, far: __m256i) -> u64 {
        // SAFETY: see above.
        unsafe {
            let (first, second) = (self.near(from, this, here, far), self.near(from + 16, this, here, far));
            // Packing takes the halves of both by turns; the permutation puts them in order.
            let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(first, second));
            u64::from(_mm256_movemask_epi8(packed) as u32)
        }
    }

    /// The same for sixteen slots, all ones for each that conflicts.
    ///
    /// # Safety
    ///
    /// `from` is a multiple of 16 and below SLOTS.
    #[inline(always)]
    unsafe fn near(&self, from: usize, this: __m256i, here: __m256i, far: __m256i) -> __m256i {
        // SAFETY: see above.
        unsafe {
            let lines = _mm256_load_si256(self.line.as_ptr().add(from).cast());
            let dots = _mm256_load_si256(self.dot.as_ptr().add(from).cast());
            let distance = _mm256_abs_epi16(_mm256_sub_epi16(lines, this));
            _mm256_or_si256(_mm256_cmpgt_epi16(far, distance), _mm256_cmpeq_epi16(dots, here))
        }
    }

    /// Writes those of eight moves whose bits are set, in their order. What stands behind them is of no meaning.
    ///
    /// # Safety
    ///
    /// `slot` is at most SLOTS.
    #[inline(always)]
    unsafe fn write(&mut self, slot: usize, lines: __m128i, dots: __m128i, playable: u32) {
        let to_front = &TO_FRONT[playable as usize / 8 % 32];
        // SAFETY: from a slot that is at most SLOTS there is room for eight.
        unsafe {
            let to_front = _mm_load_si128(to_front.0.as_ptr().cast());
            _mm_storeu_si128(self.line.as_mut_ptr().add(slot).cast(), _mm_shuffle_epi8(lines, to_front));
            _mm_storeu_si128(self.dot.as_mut_ptr().add(slot).cast(), _mm_shuffle_epi8(dots, to_front));
        }
    }
}

/// Which of 32 bytes have exactly one bit set; the highest bits must be clear. These are the x with x ^ (x - 1) > x - 1: for 0 both
/// sides are -1, and with several bits the right side has the highest of them.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn lone_bytes(bytes: __m256i) -> u32 {
    // SAFETY: see above.
    unsafe {
        let less = _mm256_add_epi8(bytes, _mm256_set1_epi8(-1));
        _mm256_movemask_epi8(_mm256_cmpgt_epi8(_mm256_xor_si256(bytes, less), less)) as u32
    }
}

/// Whether the processor deposits bits in a few cycles: AMD's took hundreds before Zen 3 (family 19h). Asked once, because a virtual
/// machine takes a long time to answer.
pub(super) static HAS_FAST_DEPOSIT: LazyLock<bool> = LazyLock::new(|| {
    let maker = __cpuid(0);
    let is_amd = [maker.ebx, maker.edx, maker.ecx].map(u32::to_le_bytes).concat() == b"AuthenticAMD";
    let version = __cpuid(1).eax;
    !is_amd || (version >> 8 & 0xf) + (version >> 20 & 0xff) >= 0x19
});

#[cfg(test)]
mod tests {
    use super::*;
    use nestling::Stream;

    /// Both ways to find a slot agree, on sets of every density.
    #[test]
    fn slots_are_found_with_and_without_fast_deposits() {
        if !super::super::is_available() {
            return nestling_testing::skip(nestling_testing::Need::System, "this processor has no AVX2");
        }
        let mut rng = Stream::new(1).rng();
        for round in 0..1_000 {
            let (dense, sparse) = (rng.bits() | rng.bits(), rng.bits() & rng.bits() & rng.bits());
            for alive in [if round == 0 { u64::MAX } else { dense }, sparse] {
                for index in 0..alive.count_ones() as usize {
                    let slot = Avx2Slots::<true>::slot_number(alive, index);
                    assert_eq!(slot, Avx2Slots::<false>::slot_number(alive, index));
                    assert_eq!((alive & ((1 << slot) - 1)).count_ones() as usize, index);
                }
            }
        }
    }
}
