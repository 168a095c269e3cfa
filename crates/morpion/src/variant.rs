//! The four variants of the game, and what is known about each.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::geometry::Cell;

/// A variant of Morpion Solitaire: how long a line is, and whether two lines of one direction may touch.
///
/// ```
/// use nestling_morpion::Variant;
/// let variant: Variant = "5D".parse().unwrap();
/// assert_eq!(variant.line_length(), 5);
/// assert_eq!(variant.conflict_distance(), 4);
/// assert_eq!(variant.record().moves, 82);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Variant {
    /// 5T: lines of five dots, which may share an end dot.
    FiveT,
    /// 5D: lines of five dots, which may share no dot.
    FiveD,
    /// 4T: lines of four dots, which may share an end dot.
    FourT,
    /// 4D: lines of four dots, which may share no dot.
    FourD,
}

/// A number of moves with the people who found or proved it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownLength {
    /// The number of moves.
    pub moves: u32,
    /// The author and the date.
    pub source: &'static str,
}

impl Variant {
    /// All variants.
    pub const ALL: [Variant; 4] = [Variant::FiveT, Variant::FiveD, Variant::FourT, Variant::FourD];

    /// The short name: `5T`, `5D`, `4T` or `4D`.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::FiveT => "5T",
            Variant::FiveD => "5D",
            Variant::FourT => "4T",
            Variant::FourD => "4D",
        }
    }

    /// The number of dots of a line.
    pub const fn line_length(self) -> usize {
        match self {
            Variant::FiveT | Variant::FiveD => 5,
            Variant::FourT | Variant::FourD => 4,
        }
    }

    /// May two lines of the same direction share an end dot?
    pub const fn touching(self) -> bool {
        matches!(self, Variant::FiveT | Variant::FourT)
    }

    /// Two lines on one track exclude each other when their starts are at most this far apart.
    pub const fn conflict_distance(self) -> usize {
        if self.touching() { self.line_length() - 2 } else { self.line_length() - 1 }
    }

    /// The side of the square box that holds the starting cross: 10, or 7 for lines of four.
    pub const fn box_side(self) -> usize {
        3 * self.line_length() - 5
    }

    /// The dots of the start, row by row: the outline of a Greek cross whose top-left box corner is (0,0).
    ///
    /// ```
    /// use nestling_morpion::Variant;
    /// assert_eq!(Variant::FiveT.cross().len(), 36);
    /// assert_eq!(Variant::FourD.cross().len(), 24);
    /// ```
    pub fn cross(self) -> Vec<Cell> {
        const FIVE: [&str; 10] = [
            "...####...",
            "...#..#...",
            "...#..#...",
            "####..####",
            "#........#",
            "#........#",
            "####..####",
            "...#..#...",
            "...#..#...",
            "...####...",
        ];
        const FOUR: [&str; 7] = ["..###..", "..#.#..", "###.###", "#.....#", "###.###", "..#.#..", "..###.."];
        let picture: &[&str] = if self.line_length() == 5 { &FIVE } else { &FOUR };
        let rows = picture.iter().zip(0..);
        rows.flat_map(|(row, y)| {
            row.bytes().zip(0..).filter(|(mark, _)| *mark == b'#').map(move |(_, x)| Cell { x, y })
        })
        .collect()
    }

    /// The longest game known.
    pub const fn record(self) -> KnownLength {
        match self {
            Variant::FiveT => KnownLength { moves: 178, source: "Christopher D. Rosin, August 2011" },
            Variant::FiveD => KnownLength { moves: 82, source: "Christopher D. Rosin, August 2010" },
            Variant::FourT => KnownLength { moves: 62, source: "Heikki Hyyrö and Timo Poranen, October 2007" },
            Variant::FourD => KnownLength { moves: 35, source: "Heikki Hyyrö and Timo Poranen, October 2007" },
        }
    }

    /// A proven bound: no game is longer. For the lines of four it equals the record.
    pub const fn bound(self) -> KnownLength {
        match self {
            Variant::FiveT => KnownLength { moves: 485, source: "Michalewski, Nagórko and Pawlewicz 2015" },
            Variant::FiveD => KnownLength { moves: 84, source: "Michalewski, Nagórko and Pawlewicz 2016" },
            Variant::FourT => KnownLength { moves: 62, source: "Michael Quist 2008, by enumeration" },
            Variant::FourD => KnownLength { moves: 35, source: "Michael Quist 2008, by enumeration" },
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A text that names no variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such variant; the variants are 5T, 5D, 4T and 4D")]
pub struct UnknownVariant;

impl FromStr for Variant {
    type Err = UnknownVariant;

    /// Reads a name, in capitals or not.
    fn from_str(text: &str) -> Result<Self, UnknownVariant> {
        Variant::ALL.into_iter().find(|variant| variant.name().eq_ignore_ascii_case(text)).ok_or(UnknownVariant)
    }
}
