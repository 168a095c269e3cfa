//! Pieces, cells, their attributes, and small sets of them.

use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

/// One of the sixteen pieces: four attributes with two values each, as the four bits of a number.
///
/// ```
/// use nestling_quarto::Piece;
/// let piece = Piece::new(0b0110).unwrap();
/// assert_eq!(piece.to_string(), "LTQH");
/// assert_eq!(piece.traits().iter().map(|t| t.name()).collect::<Vec<_>>(), ["light", "tall", "square", "hollow"]);
/// assert_eq!(Piece::new(16), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Piece(u8);

/// A cell of the board: 4·row + column, both from 0. People call the cells of the first row `a1` to `d1`.
///
/// ```
/// use nestling_quarto::Cell;
/// let cell = Cell::new(6).unwrap();
/// assert_eq!((cell.row(), cell.column()), (1, 2));
/// assert_eq!(cell.to_string(), "c2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Cell(u8);

/// A value of one of the four attributes, such as *tall*: what the pieces of a winning line share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Trait(u8);

impl Piece {
    /// The pieces as a [`Pieces`] set has them: all sixteen.
    pub const ALL: Pieces = Pieces::from_bits(0xFFFF);

    /// The piece with this number, below 16.
    pub const fn new(number: usize) -> Option<Piece> {
        if number < 16 { Some(Piece(number as u8)) } else { None }
    }

    /// Its number, below 16. Bit 3 says dark, 2 tall, 1 square, 0 flat.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it is dark, tall, square and flat.
    ///
    /// ```
    /// let piece: nestling_quarto::Piece = "DSQH".parse().unwrap();
    /// assert_eq!(piece.attributes(), [true, false, true, false]);
    /// ```
    pub fn attributes(self) -> [bool; 4] {
        [3, 2, 1, 0].map(|bit| self.0 >> bit & 1 == 1)
    }

    /// The values of its four attributes: colour, height, shape, top.
    pub fn traits(self) -> [Trait; 4] {
        [3, 2, 1, 0].map(|bit| Trait(bit + if self.0 >> bit & 1 == 1 { 0 } else { 4 }))
    }

    /// The traits as bits, see [`Trait::index`]: a set of four.
    pub(crate) const fn code(self) -> u8 {
        self.0 | (!self.0 & 15) << 4
    }
}

impl Cell {
    /// The cells as a [`Cells`] set has them: all sixteen.
    pub const ALL: Cells = Cells::from_bits(0xFFFF);

    /// The cell with this number, below 16.
    pub const fn new(number: usize) -> Option<Cell> {
        if number < 16 { Some(Cell(number as u8)) } else { None }
    }

    /// Its number, below 16.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row, from 0 at the top.
    pub const fn row(self) -> usize {
        self.index() / 4
    }

    /// The column, from 0 at the left.
    pub const fn column(self) -> usize {
        self.index() % 4
    }
}

impl Trait {
    const NAMES: [(&str, char); 8] = [
        ("flat", 'F'),
        ("square", 'Q'),
        ("tall", 'T'),
        ("dark", 'D'),
        ("hollow", 'H'),
        ("round", 'R'),
        ("short", 'S'),
        ("light", 'L'),
    ];

    /// The eight traits: four that a bit of a piece stands for, then their opposites.
    pub fn all() -> impl Iterator<Item = Trait> {
        (0..8).map(Trait)
    }

    /// Its number: that of its bit, plus 4 if the bit is 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// As people say it: `dark` or `light`, `tall` or `short`, `square` or `round`, `flat` or `hollow`.
    pub const fn name(self) -> &'static str {
        Trait::NAMES[self.index()].0
    }

    /// The letter for it in the name of a piece; no two traits have the same.
    pub const fn letter(self) -> char {
        Trait::NAMES[self.index()].1
    }
}

impl fmt::Display for Piece {
    /// Four letters, as `DTQF`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.traits().map(Trait::letter).iter().collect::<String>())
    }
}

impl fmt::Display for Cell {
    /// Column and row, as `a1`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&format!("{}{}", char::from(b'a' + self.column() as u8), self.row() + 1))
    }
}

impl fmt::Display for Trait {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A number of 16 or more where a piece or a cell was wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not the number of a piece or a cell; these are 0 to 15")]
pub struct OutOfRange(u8);

/// The members of sets: sixteen numbered values.
pub trait Member: Copy {
    /// The value with this number; numbers are below 16.
    fn numbered(number: u8) -> Self;

    /// Its number.
    fn number(self) -> u8;
}

macro_rules! member {
    ($type:ident) => {
        impl Member for $type {
            #[inline]
            fn numbered(number: u8) -> Self {
                debug_assert!(number < 16);
                $type(number)
            }

            #[inline]
            fn number(self) -> u8 {
                self.0
            }
        }

        impl From<$type> for u8 {
            fn from(value: $type) -> u8 {
                value.0
            }
        }

        impl TryFrom<u8> for $type {
            type Error = OutOfRange;

            fn try_from(number: u8) -> Result<Self, OutOfRange> {
                $type::new(number.into()).ok_or(OutOfRange(number))
            }
        }
    };
}

member!(Piece);
member!(Cell);

/// A set of [pieces](Pieces) or [cells](Cells), in sixteen bits.
///
/// ```
/// use nestling_quarto::{Piece, Pieces};
/// let light: Pieces = Piece::ALL.iter().filter(|piece| piece.index() < 8).collect();
/// assert_eq!(light.len(), 8);
/// assert_eq!(light.pick(3), Piece::new(3).unwrap());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Set<T> {
    bits: u16,
    of: PhantomData<T>,
}

/// A set of pieces.
pub type Pieces = Set<Piece>;

/// A set of cells.
pub type Cells = Set<Cell>;

impl<T> Set<T> {
    /// The set whose members are the numbers of the bits.
    #[inline]
    pub const fn from_bits(bits: u16) -> Self {
        Set { bits, of: PhantomData }
    }

    /// Its members as bits.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.bits
    }

    /// How many there are.
    #[inline]
    pub fn len(self) -> usize {
        let [low, high] = self.bits.to_le_bytes().map(usize::from);
        usize::from(SIZE[low] + SIZE[high])
    }

    /// This set, or another if it is empty.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        if self.bits == 0 { other } else { self }
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }
}

impl<T: Member> Set<T> {
    /// Whether this is one of them.
    #[inline]
    pub fn contains(self, member: T) -> bool {
        self.bits >> member.number() & 1 == 1
    }

    /// Member number `index`, in their order. There must be more than `index`.
    #[inline]
    pub fn pick(self, index: usize) -> T {
        let [low, high] = self.bits.to_le_bytes().map(usize::from);
        let below = usize::from(SIZE[low]);
        let number = if index < below { SELECT[low][index] } else { 8 + SELECT[high][index - below] };
        T::numbered(number)
    }

    /// The members, in their order.
    #[inline]
    pub fn iter(self) -> Members<T> {
        Members(self)
    }
}

/// How many bits a byte has.
static SIZE: [u8; 256] = {
    let mut size = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        size[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    size
};

/// Where the bits of a byte are.
static SELECT: [[u8; 8]; 256] = {
    let mut select = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bits, mut index) = (byte, 0);
        while bits != 0 {
            select[byte][index] = bits.trailing_zeros() as u8;
            bits &= bits - 1;
            index += 1;
        }
        byte += 1;
    }
    select
};

/// The members of a [`Set`], in their order.
#[derive(Clone, Debug)]
pub struct Members<T>(Set<T>);

impl<T: Member> Iterator for Members<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let bits = self.0.bits;
        (bits != 0).then(|| {
            self.0.bits &= bits - 1;
            T::numbered(bits.trailing_zeros() as u8)
        })
    }
}

impl<T: Member> IntoIterator for Set<T> {
    type Item = T;
    type IntoIter = Members<T>;

    #[inline]
    fn into_iter(self) -> Members<T> {
        self.iter()
    }
}

impl<T: Member> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        Set::from_bits(members.into_iter().fold(0, |bits, member| bits | 1 << member.number()))
    }
}
