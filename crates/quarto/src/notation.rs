//! Games as text.
//!
//! A game is the pieces and cells of its moves in turn, with white space or commas between: a piece as four letters
//! (`DTQF`, in any order and in capitals or not) or a number from 0 to 15, a cell as `a1` to `d4` or a number from 0
//! to 15. It may begin with `quarto`, or `quarto squares` for the variant; from `#` to the end of a line is a comment.

use std::fmt;
use std::str::FromStr;

use nestling::Ending;

use crate::lines::Variant;
use crate::piece::{Cell, Piece, Trait};
use crate::position::{Move, Position};
use crate::rules::{Fault, Rules};

/// A legal game from the empty board, finished or not.
///
/// ```
/// use nestling_quarto::{ReadError, Transcript};
/// let game: Transcript = "quarto squares  2 15, DTQH d2, LTRF".parse()?;
/// assert_eq!(game.to_string(), "quarto squares\nLSQH d4\nDTQH d2\nLTRF\n");
/// let error = "LSQH d4 LSQH".parse::<Transcript>().unwrap_err();
/// assert_eq!(error.to_string(), "line 1, move 3: piece LSQH is on d4 already");
/// # Ok::<(), ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    variant: Variant,
    moves: Vec<Move>,
}

/// Why a text is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A word that means nothing.
    #[error("line {line}: {reason}")]
    Nonsense {
        /// The number of the line, from 1.
        line: usize,
        /// The word and what was wanted.
        reason: String,
    },
    /// A move that the rules do not allow.
    #[error("line {line}, move {number}: {fault}")]
    Illegal {
        /// The number of the line, from 1.
        line: usize,
        /// The number of the move, from 1.
        number: usize,
        /// The rule it breaks.
        fault: Fault,
    },
}

impl Transcript {
    /// The game of these moves.
    ///
    /// # Errors
    ///
    /// With the index of the first move that breaks the rules, and the rule.
    pub fn new(variant: Variant, moves: Vec<Move>) -> Result<Transcript, (usize, Fault)> {
        let mut rules = Rules::new(variant);
        moves.iter().enumerate().try_for_each(|(index, &played)| rules.play(played).map_err(|fault| (index, fault)))?;
        Ok(Transcript { variant, moves })
    }

    /// The variant: which lines win.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position after all moves.
    pub fn position(&self) -> Position {
        let mut position = Position::new(self.variant);
        self.moves.iter().for_each(|&played| position.play(played));
        position
    }

    /// How the game has ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.position().ending()
    }
}

impl FromStr for Transcript {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Transcript, ReadError> {
        let lines = text.lines().zip(1..).map(|(line, number)| (line.split('#').next().unwrap_or_default(), number));
        let is_gap = |character: char| character.is_whitespace() || character == ',';
        let words = lines.flat_map(|(line, number)| line.split(is_gap).map(move |word| (word, number)));
        let mut words = words.filter(|(word, _)| !word.is_empty()).peekable();
        let mut variant = Variant::Lines;
        if words.next_if(|(word, _)| word.eq_ignore_ascii_case("quarto")).is_some() {
            let named = words.next_if(|(word, _)| word.parse::<Variant>().is_ok());
            variant = named.map_or(variant, |(word, _)| word.parse().expect("it was parsed before"));
        }
        let (mut rules, mut moves) = (Rules::new(variant), Vec::new());
        for (word, line) in words {
            let played = read_move(word, moves.len() % 2 == 1);
            let played = played.map_err(|reason| ReadError::Nonsense { line, reason })?;
            rules.play(played).map_err(|fault| ReadError::Illegal { line, number: moves.len() + 1, fault })?;
            moves.push(played);
        }
        Ok(Transcript { variant, moves })
    }
}

impl fmt::Display for Transcript {
    /// The variant, then a line for each piece and its cell.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "quarto {}", self.variant)?;
        for turn in self.moves.chunks(2) {
            let words: Vec<String> = turn.iter().map(Move::to_string).collect();
            writeln!(formatter, "{}", words.join(" "))?;
        }
        Ok(())
    }
}

/// The move that a word means, where a number means a cell if a piece is in hand. A word that can only be the other kind of
/// move is one: the rules have more to say about it.
pub(crate) fn read_move(word: &str, has_hand: bool) -> Result<Move, String> {
    let (cell, piece) = (word.parse().map(Move::Place), word.parse().map(Move::Give));
    if has_hand {
        cell.or_else(|unknown: UnknownWord| piece.map_err(|_: UnknownWord| unknown.to_string()))
    } else {
        piece.or_else(|unknown| cell.map_err(|_| unknown.to_string()))
    }
}

/// A word that names nothing of the kind that was wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is not a {wanted}")]
pub struct UnknownWord {
    word: String,
    wanted: &'static str,
}

impl UnknownWord {
    fn new(word: &str, wanted: &'static str) -> UnknownWord {
        let mut shown: String = word.chars().take(20).collect();
        if shown.len() < word.len() {
            shown.push('…');
        }
        UnknownWord { word: shown, wanted }
    }
}

impl FromStr for Piece {
    type Err = UnknownWord;

    /// Reads four letters in any order, or a number.
    fn from_str(word: &str) -> Result<Piece, UnknownWord> {
        let by_letters = || {
            let is_meant = |piece: &Piece| {
                let mut letters: Vec<char> = piece.traits().map(Trait::letter).into();
                word.chars().all(|letter| {
                    let place = letters.iter().position(|other| letter.eq_ignore_ascii_case(other));
                    place.map(|place| letters.swap_remove(place)).is_some()
                }) && letters.is_empty()
            };
            Piece::ALL.iter().find(is_meant)
        };
        let wanted =
            "piece: write one letter each of D and L, T and S, Q and R, F and H, as in DTQF, or a number from 0 to 15";
        number(word).and_then(Piece::new).or_else(by_letters).ok_or_else(|| UnknownWord::new(word, wanted))
    }
}

impl FromStr for Cell {
    type Err = UnknownWord;

    /// Reads a column from `a` to `d` and a row from 1 to 4, or a number.
    fn from_str(word: &str) -> Result<Cell, UnknownWord> {
        let by_name = || Cell::ALL.iter().find(|cell| cell.to_string().eq_ignore_ascii_case(word));
        let wanted = "cell: write a1 to d4, or a number from 0 to 15";
        number(word).and_then(Cell::new).or_else(by_name).ok_or_else(|| UnknownWord::new(word, wanted))
    }
}

impl FromStr for Variant {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Variant, UnknownWord> {
        let found = Variant::ALL.into_iter().find(|variant| variant.name().eq_ignore_ascii_case(word));
        found.ok_or_else(|| UnknownWord::new(word, "variant: there are lines and squares"))
    }
}

/// A number in digits alone: no sign.
fn number(word: &str) -> Option<usize> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok()).flatten()
}

impl fmt::Display for Move {
    /// The piece as `DTQF`, the cell as `a1`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Give(piece) => piece.fmt(formatter),
            Move::Place(cell) => cell.fmt(formatter),
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
