//! The lines and squares that win, and what the pieces on each of them have in common.
//!
//! A line is a byte: the traits that all its pieces share, one bit each; all eight while it is empty. When a piece is
//! placed, the lines through its cell lose the traits it lacks. A line without traits is dead, and a full line with one
//! is won.

use serde::{Deserialize, Serialize};

/// The variant: which lines win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// The four rows, four columns and two diagonals.
    Lines,
    /// These and the nine squares of two by two neighbouring cells.
    Squares,
}

/// The cells of the ten lines, then of the nine squares.
pub(crate) const LINES: [u16; 19] = {
    let mut lines = [0; 19];
    let mut index = 0;
    while index < 4 {
        lines[index] = 0x000F << (4 * index);
        lines[4 + index] = 0x1111 << index;
        index += 1;
    }
    lines[8] = 0x8421;
    lines[9] = 0x1248;
    index = 0;
    while index < 9 {
        lines[10 + index] = 0x0033 << (4 * (index / 3) + index % 3);
        index += 1;
    }
    lines
};

impl Variant {
    /// Both variants.
    pub const ALL: [Variant; 2] = [Variant::Lines, Variant::Squares];

    /// How many of [`LINES`] count.
    pub(crate) const fn line_count(self) -> usize {
        match self {
            Variant::Lines => 10,
            Variant::Squares => 19,
        }
    }

    /// `lines` or `squares`.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Lines => "lines",
            Variant::Squares => "squares",
        }
    }
}

/// A byte per line, eight to a word.
type Words = [u64; 3];

/// A 1 in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// A 1 in the byte of every line through a cell.
const THROUGH: [Words; 16] = {
    let mut through = [[0; 3]; 16];
    let mut line = 0;
    while line < LINES.len() {
        let mut cell = 0;
        while cell < 16 {
            through[cell][line / 8] |= ((LINES[line] >> cell & 1) as u64) << (8 * (line % 8));
            cell += 1;
        }
        line += 1;
    }
    through
};

/// The pieces that have one of some traits.
pub(crate) const HAVING: [u16; 256] = {
    let mut having = [0; 256];
    let mut traits = 0;
    while traits < 256 {
        let mut piece = 0;
        while piece < 16 {
            let code = piece | (!piece & 15) << 4;
            having[traits] |= ((code & traits != 0) as u16) << piece;
            piece += 1;
        }
        traits += 1;
    }
    having
};

/// The state of the first 8·`WORDS` lines: two words hold those of the variant without squares, three hold all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lines<const WORDS: usize> {
    /// The traits that the pieces of each line share.
    shared: [u64; WORDS],
    /// How many pieces each line has.
    filled: [u64; WORDS],
}

impl Lines<3> {
    /// The empty lines of a variant. The squares of the variant without them are born dead.
    pub const fn new(variant: Variant) -> Self {
        let mut shared = [0; 3];
        let mut line = 0;
        while line < variant.line_count() {
            shared[line / 8] |= 0xFF << (8 * (line % 8));
            line += 1;
        }
        Lines { shared, filled: [0; 3] }
    }

    /// The lines of the first words.
    pub fn first<const WORDS: usize>(&self) -> Lines<WORDS> {
        Lines {
            shared: std::array::from_fn(|word| self.shared[word]),
            filled: std::array::from_fn(|word| self.filled[word]),
        }
    }
}

impl<const WORDS: usize> Lines<WORDS> {
    /// Puts a piece with these traits on a cell.
    #[inline(always)]
    pub fn place(&mut self, cell: usize, code: u8) {
        // The traits that the piece lacks are the two halves of its code exchanged.
        let lacking = u64::from(code.rotate_left(4));
        for ((shared, filled), through) in self.shared.iter_mut().zip(&mut self.filled).zip(THROUGH[cell]) {
            *shared &= !(through * lacking);
            *filled += through;
        }
    }

    /// Whether a full line has a trait.
    #[inline(always)]
    pub fn won(&self) -> bool {
        (0..WORDS).any(|word| self.shared[word] & ((self.filled[word] >> 2 & ONES) * 0xFF) != 0)
    }

    /// The shared traits of the lines that lack one piece, a byte each.
    #[inline(always)]
    fn open(&self) -> [u64; WORDS] {
        let three = |count: u64| count & count >> 1 & ONES;
        std::array::from_fn(|word| self.shared[word] & (three(self.filled[word]) * 0xFF))
    }

    /// The traits of which a piece would win at once somewhere.
    #[inline(always)]
    pub fn hot(&self) -> u8 {
        union(self.open())
    }

    /// The traits that a line can still be won with.
    #[inline(always)]
    pub fn live(&self) -> u8 {
        union(self.shared)
    }

    /// The empty cells of the lines that lack one piece and share one of these traits.
    #[inline]
    pub fn winning(&self, occupied: u16, code: u8) -> u16 {
        let wanted = ONES * u64::from(code);
        let mut cells = 0;
        for (word, open) in self.open().into_iter().enumerate() {
            let mut open = open & wanted;
            while open != 0 {
                let byte = open.trailing_zeros() / 8;
                cells |= LINES[8 * word + byte as usize] & !occupied;
                open &= !(0xFF << (8 * byte));
            }
        }
        cells
    }

    /// The traits that the pieces of a line share.
    pub fn shared(&self, line: usize) -> u8 {
        (self.shared[line / 8] >> (8 * (line % 8))) as u8
    }

    /// Whether no line can be won any more.
    #[inline(always)]
    pub fn dead(&self) -> bool {
        self.shared == [0; WORDS]
    }
}

/// The traits that any byte has.
#[inline(always)]
fn union<const WORDS: usize>(words: [u64; WORDS]) -> u8 {
    let mut all = words.into_iter().fold(0, |all, word| all | word);
    all |= all >> 32;
    all |= all >> 16;
    (all | all >> 8) as u8
}
