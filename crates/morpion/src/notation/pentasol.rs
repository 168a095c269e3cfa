//! Pentasol text, the format of morpionsolitaire.com.
//!
//! The first line, `(28,28)`, is the reference point: the column and row that stand for the inner corner of the cross at
//! the top left, cell (3,3) of the box. Then comes one move a line, `(28,24) | +2`: the new dot, the direction (`-`, `|`,
//! `\` or `/`) and k, with **centre of the line = dot + k steps in the direction**. Lines that begin with `#` are
//! comments.
//!
//! The format knows only lines of five. Nestling writes lines of four in the same way: the reference point stands for
//! *their* cross's inner corner, cell (2,2), and the second cell of a line counts as its centre, so that k runs from −2
//! to 1. A comment `# variant: 4T` tells such a file from the others.
//!
//! A Pentasol text does not say whether its lines may touch. [`read`] calls a game 5D when it is legal as such, and 5T
//! otherwise. [`write()`] therefore adds the comment to a 5T game in which no lines happen to touch. [`read_as`] is told.

use nestling::{Illegal, Problem};

use super::Game;
use super::scan::{Scanner, Surprise};
use crate::geometry::{Cell, Direction, Line, Move};
use crate::rules::Rules;
use crate::variant::Variant;

const SYMBOLS: [u8; 4] = *b"-|\\/";

/// Why a text is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
        /// What should have been there.
        expected: &'static str,
        /// What is there, shortened and made printable.
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
        /// The number of the line of the text that holds the move, from 1.
        line: usize,
        /// The move and the rule it breaks.
        illegal: Illegal,
    },
}

/// Reads a game, and finds out its variant: the one that a comment names, else 5D if the game is legal as that, else 5T.
///
/// ```
/// use nestling_morpion::{Variant, notation::pentasol};
/// let game = pentasol::read("(28,28)\n(28,24) | +2\n(29,28) - -2\n").unwrap();
/// assert_eq!((game.variant, game.moves.len()), (Variant::FiveD, 2));
///
/// let error = pentasol::read("(28,28)\n(28,24) | +2\n(28,29) | -2\n").unwrap_err();
/// assert_eq!(error.to_string(), "move 2: (28,29) | -2 overlaps line 1 (28,24) | +2");
/// ```
///
/// # Errors
///
/// When the text is not Pentasol, or the game is illegal. Any bytes may be given; none make it panic.
pub fn read(text: impl AsRef<[u8]>) -> Result<Game, ReadError> {
    let parsed = parse(text.as_ref())?;
    match parsed.variant {
        Some(variant) => parsed.replay(variant),
        None => parsed.replay(Variant::FiveD).or_else(|_| parsed.replay(Variant::FiveT)),
    }
}

/// Reads a game that is known to be of a variant, whatever the text says.
///
/// # Errors
///
/// As [`read`].
pub fn read_as(text: impl AsRef<[u8]>, variant: Variant) -> Result<Game, ReadError> {
    parse(text.as_ref())?.replay(variant)
}

/// Writes a game, with (28,28) as the reference point.
///
/// ```
/// use nestling_morpion::notation::pentasol;
/// let text = "(28,28)\n(28,24) | +2\n(29,28) - -2\n";
/// assert_eq!(pentasol::write(&pentasol::read(text).unwrap()), text);
/// ```
pub fn write(game: &Game) -> String {
    let mut text = String::new();
    // Without a word of it the game would be read as another variant.
    let is_ambiguous = || game.variant == Variant::FiveT && Rules::new(Variant::FiveD).certify(&game.moves).is_ok();
    if game.variant.line_length() != 5 || is_ambiguous() {
        text += &format!("# variant: {}\n", game.variant);
    }
    text += &format!("({},{})\n", Reference::STANDARD.column, Reference::STANDARD.row);
    for &played in &game.moves {
        text += &Reference::STANDARD.move_text(game.variant, played);
        text.push('\n');
    }
    text
}

/// The column and row that stand for the inner corner of the cross at the top left.
#[derive(Clone, Copy)]
pub(crate) struct Reference {
    column: i32,
    row: i32,
}

impl Reference {
    /// What everybody uses.
    pub(crate) const STANDARD: Reference = Reference { column: 28, row: 28 };

    fn column_and_row(self, variant: Variant, cell: Cell) -> (i32, i32) {
        let corner = inner_corner(variant);
        (self.column + i32::from(cell.x) - corner, self.row + i32::from(cell.y) - corner)
    }

    /// A cell as Pentasol numbers it: `(28,24)`.
    pub(crate) fn cell_text(self, variant: Variant, cell: Cell) -> String {
        let (column, row) = self.column_and_row(variant, cell);
        format!("({column},{row})")
    }

    /// A move as Pentasol writes it: `(28,24) | +2`.
    pub(crate) fn move_text(self, variant: Variant, played: Move) -> String {
        let dot = self.cell_text(variant, played.dot());
        let symbol = played.line.direction.symbol();
        match centre(variant) - i32::from(played.hole) {
            0 => format!("{dot} {symbol} 0"),
            k => format!("{dot} {symbol} {k:+}"),
        }
    }
}

/// Both coordinates of the cell that the reference point stands for.
fn inner_corner(variant: Variant) -> i32 {
    variant.line_length() as i32 - 2
}

/// The index of the cell of a line that counts as its centre: the third of five, the second of four.
fn centre(variant: Variant) -> i32 {
    (variant.line_length() as i32 - 1) / 2
}

/// A well-formed text, before anyone knows by which rules to judge it.
struct Parsed {
    variant: Option<Variant>,
    reference: Reference,
    moves: Vec<Written>,
}

/// A move as it is written in some line of the text.
struct Written {
    line: usize,
    column: i32,
    row: i32,
    direction: Direction,
    k: i32,
}

fn parse(text: &[u8]) -> Result<Parsed, ReadError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let (mut variant, mut reference, mut moves) = (None, None, Vec::new());
    for (content, line) in text.split(|byte| *byte == b'\n').zip(1..) {
        let trimmed = content.trim_ascii();
        let syntax = |(byte, expected, found): Surprise| ReadError::Syntax { line, byte, expected, found };
        if let Some(comment) = trimmed.strip_prefix(b"#") {
            variant = variant.or_else(|| named_variant(comment));
        } else if trimmed.is_empty() {
            continue;
        } else if reference.is_none() {
            reference = Some(parse_reference(content).map_err(syntax)?);
        } else {
            let (dot, direction, k) = parse_move(content).map_err(syntax)?;
            moves.push(Written { line, column: dot.column, row: dot.row, direction, k });
        }
    }
    Ok(Parsed { variant, reference: reference.ok_or(ReadError::Empty)?, moves })
}

/// The variant in a comment `variant: 4T`. Any other comment is somebody else's, and none of our business.
fn named_variant(comment: &[u8]) -> Option<Variant> {
    let name = comment.trim_ascii().strip_prefix(b"variant:")?;
    std::str::from_utf8(name.trim_ascii()).ok()?.parse().ok()
}

fn parse_reference(content: &[u8]) -> Result<Reference, Surprise> {
    let mut scanner = Scanner::new(content);
    scanner.one_of(b"(", "the reference point, like (28,28)")?;
    let reference = parse_pair(&mut scanner)?;
    scanner.end()?;
    Ok(reference)
}

fn parse_move(content: &[u8]) -> Result<(Reference, Direction, i32), Surprise> {
    let mut scanner = Scanner::new(content);
    scanner.one_of(b"(", "a move \"(col,row) dir k\"")?;
    let dot = parse_pair(&mut scanner)?;
    let direction = Direction::ALL[scanner.one_of(&SYMBOLS, "a direction - | \\ / in \"(col,row) dir k\"")?];
    let k = scanner.number("the number k in \"(col,row) dir k\"")?;
    scanner.end()?;
    Ok((dot, direction, k))
}

/// The rest of a column and a row in brackets.
fn parse_pair(scanner: &mut Scanner<'_>) -> Result<Reference, Surprise> {
    let column = scanner.number("a column number of at most 9 digits")?;
    scanner.one_of(b",", "\",\" and a row number")?;
    let row = scanner.number("a row number of at most 9 digits")?;
    scanner.one_of(b")", "\")\"")?;
    Ok(Reference { column, row })
}

impl Parsed {
    fn replay(&self, variant: Variant) -> Result<Game, ReadError> {
        let moves: Vec<Move> =
            self.moves.iter().map(|written| self.located(written, variant)).collect::<Result<_, _>>()?;
        let replayed = Rules::new(variant).replay(&moves, self.reference);
        replayed.map_err(|illegal| ReadError::Illegal { line: self.moves[illegal.index].line, illegal })?;
        Ok(Game { variant, moves })
    }

    /// The move on the lattice. Whether it is legal is for the rules to say.
    fn located(&self, written: &Written, variant: Variant) -> Result<Move, ReadError> {
        let &Written { line, column, row, direction, k } = written;
        let hole = u8::try_from(centre(variant) - k).ok().filter(|hole| usize::from(*hole) < variant.line_length());
        let hole = hole.ok_or(ReadError::Offset { line, k, largest: centre(variant), variant })?;
        let lattice = |written: i32, reference: i32| {
            // Far more than the 2,830 cells that a game can reach, and far from where `i16` ends.
            let coordinate = i16::try_from(written - reference + inner_corner(variant)).ok()?;
            (coordinate.unsigned_abs() < 16_000).then_some(coordinate)
        };
        let dot = lattice(column, self.reference.column).zip(lattice(row, self.reference.row));
        let (x, y) = dot.ok_or(ReadError::OutOfReach { line, column, row })?;
        Ok(Move { line: Line { start: Cell { x, y }.along(direction, -i16::from(hole)), direction }, hole })
    }
}
