//! Games as files: one trait, one file per notation.

use nestling::{Illegal, Provenance};

use crate::geometry::Move;
use crate::variant::Variant;

mod compact;
mod import;
mod msr;
pub mod pentasol;
mod reference;
mod scan;

pub use compact::Compact;
pub use import::Import;
pub use msr::Msr;
pub use pentasol::Pentasol;
pub(crate) use reference::Reference;
pub use scan::cut_at_lines;

/// A game: the variant and the moves from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MorpionGame {
    /// The variant that is played.
    pub variant: Variant,
    /// The moves, the first one first.
    pub moves: Vec<Move>,
}

/// The content of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileContent {
    /// A legal game.
    pub game: MorpionGame,
    /// The origin of the game, as the file gives it.
    pub provenance: Provenance,
    /// Notes on how the file was understood.
    pub note: Option<String>,
}

/// A way to write games down.
///
/// ```
/// use nestling::Provenance;
/// use nestling_morpion::notation::{self, Notation, Pentasol};
/// let reading = notation::read(b"# variant: 5D\n(28,28)\n(28,24) | +2\n").unwrap();
/// for notation in notation::ALL {
///     let bytes = notation.write(&reading.game, &Provenance::default());
///     assert_eq!(notation::read(&bytes).unwrap(), reading);
/// }
/// ```
pub trait Notation: Sync {
    /// The name people call it by.
    fn name(&self) -> &'static str;

    /// How the names of its files end, the usual ending first.
    fn extensions(&self) -> &'static [&'static str];

    /// Whether a file looks like it. Files that are damaged should, as far as they can be told.
    fn recognises(&self, bytes: &[u8]) -> bool;

    /// Splits a file with several games into one text per game; by default a file has one game.
    fn split<'a>(&self, bytes: &'a [u8]) -> Vec<&'a [u8]> {
        vec![bytes]
    }

    /// Reads a legal game; `variant` settles what the file leaves open, and must not contradict it.
    ///
    /// # Errors
    ///
    /// When the bytes are no such file, or the game is illegal. Any bytes may be given; none make it panic.
    fn read(&self, bytes: &[u8], variant: Option<Variant>) -> Result<FileContent, ReadError>;

    /// Writes a legal game.
    fn write(&self, game: &MorpionGame, provenance: &Provenance) -> Vec<u8>;
}

/// All notations, each before those that would claim its files too.
pub const ALL: [&dyn Notation; 3] = [&Compact, &Msr, &Pentasol];

/// Reads a game in whichever notation it is, or as another program wrote it.
///
/// # Errors
///
/// As [`Notation::read`], of the notation that the file looks most like.
pub fn read(bytes: &[u8]) -> Result<FileContent, ReadError> {
    if let Some(import) = Import::ALL.into_iter().find(|import| import.recognises(bytes)) {
        return import.read(bytes, None);
    }
    let recognised = ALL.into_iter().find(|notation| notation.recognises(bytes));
    recognised.unwrap_or(&Pentasol).read(bytes, None)
}

/// Why a file is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// There is nothing but comments and empty lines.
    #[error("the text has no reference point: the first line should be like (28,28)")]
    Empty,
    /// A line is not of the form it should have.
    #[error("line {line}, byte {byte}: expected {expected}, found {found}")]
    Syntax {
        /// The number of the line, from 1.
        line: usize,
        /// The number of the byte in the line, from 1.
        byte: usize,
        /// The expected text.
        expected: &'static str,
        /// The text that was found, shortened and made printable.
        found: String,
    },
    /// The dot of a move is where no game can reach.
    #[error("line {line}: ({column},{row}) is out of reach of any game that starts at the reference point")]
    OutOfReach {
        /// The number of the line, from 1.
        line: usize,
        /// The column as written.
        column: i32,
        /// The row as written.
        row: i32,
    },
    /// The k of a move does not lead to a centre whose line contains the dot.
    #[error("line {line}: k is {k}, but must be from -2 to {largest} in {variant}")]
    Offset {
        /// The number of the line, from 1.
        line: usize,
        /// The k as written.
        k: i32,
        /// The largest possible k.
        largest: i32,
        /// The variant that decides about it.
        variant: Variant,
    },
    /// The text is well-formed, but the game breaks the rules.
    #[error("{illegal}")]
    Illegal {
        /// The number of the line of the text that holds the move, from 1; 0 where the format has no lines.
        line: usize,
        /// The move and the rule it breaks.
        illegal: Illegal,
    },
    /// The bytes are not a game in the format that they look like.
    #[error("{0}")]
    Record(String),
    /// The file is of another variant than the one asked for.
    #[error("a game of {found}, not of {wanted}")]
    Variant {
        /// The variant of the file.
        found: Variant,
        /// The variant asked for.
        wanted: Variant,
    },
}
