//! The constants of a variant that the engine's words are combined with, and the arithmetic on them.
//!
//! A word holds the bytes of [`WORD`] lines one after the other on a track, the last of which starts at the new dot. So
//! in the line at place p of the word the dot is cell WORD − 1 − p; only the last four or five lines reach the dot.

use crate::variant::Variant;

/// The number of lines in a word.
pub(crate) const WORD: usize = 8;

/// The bits of an excluded line. There are two, so that the byte can never have exactly one bit set. The highest bit
/// of a byte stays free for the arithmetic of [`lone_bits`].
pub(crate) const BLOCKED: u8 = 0x60;

const HIGH: u64 = 0x8080_8080_8080_8080;
const LOW: u64 = 0x0101_0101_0101_0101;

/// The masks of a variant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Masks {
    /// The byte of a line without any dot.
    pub(crate) all_holes: u8,
    /// What a new dot leaves of a word.
    pub(crate) dot: u64,
    /// The lines of a word that reach the dot: the high bit of each byte.
    pub(crate) touched: u64,
    /// What a new line adds to the 16 bytes from [`WORD`] places before its own. So much contains the word of its dot,
    /// which is then read before the processor has written these bytes back.
    pub(crate) blocked: u128,
    /// [`Variant::conflict_distance`].
    pub(crate) conflict_distance: u32,
}

static FIVE_T: Masks = Masks::new(Variant::FiveT);
static FIVE_D: Masks = Masks::new(Variant::FiveD);
static FOUR_T: Masks = Masks::new(Variant::FourT);
static FOUR_D: Masks = Masks::new(Variant::FourD);

impl Masks {
    pub(crate) fn of(variant: Variant) -> &'static Masks {
        match variant {
            Variant::FiveT => &FIVE_T,
            Variant::FiveD => &FIVE_D,
            Variant::FourT => &FOUR_T,
            Variant::FourD => &FOUR_D,
        }
    }

    const fn new(variant: Variant) -> Masks {
        let length = variant.line_length();
        let distance = variant.conflict_distance();
        let mut masks = Masks {
            all_holes: (1 << length) - 1,
            dot: u64::MAX,
            touched: 0,
            blocked: 0,
            conflict_distance: distance as u32,
        };
        let mut cell = 0;
        while cell < length {
            let place = 8 * (WORD - 1 - cell);
            masks.dot &= !(1 << cell << place);
            masks.touched |= 0x80 << place;
            cell += 1;
        }
        let mut place = WORD - distance;
        while place <= WORD + distance {
            masks.blocked |= (BLOCKED as u128) << (8 * place);
            place += 1;
        }
        masks
    }
}

/// The high bit of every byte that has exactly one bit set; the high bits of the bytes themselves must be clear.
#[inline]
pub(crate) fn lone_bits(bytes: u64) -> u64 {
    let without_lowest = ((bytes | HIGH) - LOW) & bytes;
    (bytes + !HIGH) & !(without_lowest + !HIGH) & HIGH
}

/// Gathers the high bits of the bytes: bit p is that of byte p.
#[inline]
pub(crate) fn packed(high_bits: u64) -> u32 {
    // Byte p meets the factor's bit 56 - 7p and lands at 56 + p; all other sums of places are different from each other,
    // so that nothing carries.
    ((high_bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}
