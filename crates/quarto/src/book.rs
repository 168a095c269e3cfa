//! An opening book: the exact values of all positions with few pieces on the board.
//!
//! Up to symmetry these are few. The text of a book has one character for each class of positions with a certain number of
//! pieces on the board and one in hand that does not win at once, in the order of their keys: `=` for a draw, otherwise the
//! number of placements to the end as a letter, `a` for 1. Odd numbers are wins of the player who places, even ones losses.
//! All values before that follow from these by minimax, so the book is small enough to read and to ship.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use nestling::{Game, PlayerResult, Proof};

use crate::lines::Variant;
use crate::position::{Move, Position};
use crate::solver::{Limit, QuartoSolver};

/// The size of the table of each thread that builds a book.
const TABLE_BITS: u32 = 22;

/// Placements after which a value has one of the letters.
const LETTERS: &[u8; 16] = b"abcdefghijklmnop";

/// The exact values of all positions with up to a certain number of pieces on the board.
///
/// ```
/// use nestling::Ending;
/// use nestling_quarto::{Book, Position, Variant};
/// for variant in Variant::ALL {
///     let solved = Book::standard(variant).solve(&Position::new(variant)).unwrap();
///     assert_eq!(solved.ending, Ending::Draw);
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Book {
    variant: Variant,
    placed: usize,
    values: HashMap<u128, Proof>,
}

static LINES: LazyLock<Book> = LazyLock::new(|| shipped(include_str!("../books/lines.txt")));
static SQUARES: LazyLock<Book> = LazyLock::new(|| shipped(include_str!("../books/squares.txt")));

fn shipped(text: &str) -> Book {
    let draft: Draft = text.parse().expect("the books that are shipped can be read");
    draft.finish().expect("and are finished")
}

impl Book {
    /// The book that comes with Nestling: of up to three pieces, with squares of up to two.
    pub fn standard(variant: Variant) -> &'static Book {
        match variant {
            Variant::Lines => &LINES,
            Variant::Squares => &SQUARES,
        }
    }

    /// The number of pieces on the board up to which it knows all positions.
    pub const fn placed(&self) -> usize {
        self.placed
    }

    /// The value of a position; `None` if it is not in the book.
    pub fn solve(&self, position: &Position) -> Option<Proof> {
        let is_in = position.variant() == self.variant && position.placed() <= self.placed;
        is_in.then(|| self.values.get(&key(&position.canonical())).copied()).flatten()
    }

    /// Adds the value of a position and of all that can come after it.
    fn learn(&mut self, position: &Position) -> Proof {
        let position = position.canonical();
        if let Some(ending) = position.ending() {
            return Proof { ending, moves: 0 };
        }
        if let Some(solved) = self.values.get(&key(&position)) {
            return *solved;
        }
        let solved = match position.winning_cells().is_empty() {
            false => Proof { ending: PlayerResult::Win.to(position.turn()), moves: 1 },
            true => self.best(&position),
        };
        self.values.insert(key(&position), solved);
        solved
    }

    /// The value of the best move.
    fn best(&mut self, position: &Position) -> Proof {
        let mut value = |played: Move| {
            let solved = self.learn(&after(position, played));
            Proof { moves: solved.moves + 1, ..solved }
        };
        let values: Vec<Proof> = position.moves().map(&mut value).collect();
        values.into_iter().max_by_key(|solved| solved.rank(position.turn())).expect("the game is not over")
    }
}

/// An unfinished book: it can be written at any time, and read to continue.
///
/// ```no_run
/// use nestling_quarto::{Draft, Variant};
/// let mut draft = Draft::new(Variant::Lines, 3);
/// draft.fill(2, |draft| {
///     println!("{} of {}", draft.solved(), draft.len());
///     std::fs::write("lines.txt", draft.to_string()).is_ok()
/// });
/// let book = draft.finish();
/// ```
#[derive(Clone, Debug)]
pub struct Draft {
    variant: Variant,
    placed: usize,
    classes: Vec<Position>,
    /// A character for each class, `?` where it is not known yet.
    values: Vec<u8>,
}

/// Why a text is not a book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// It does not begin as it should.
    #[error("the first line should be like: quarto book lines 3")]
    Header,
    /// There is not one character for every class.
    #[error("expected {expected} values, found {found}")]
    Length {
        /// The number of classes.
        expected: usize,
        /// The number of characters.
        found: usize,
    },
    /// A character that stands for no value.
    #[error(
        "{0:?} is not a value; write = for a draw, ? for a missing value, and a letter for the number of placements to the end"
    )]
    Value(char),
    /// Values are missing.
    #[error("the book is not finished: {solved} of {all} positions are solved")]
    Unfinished {
        /// How many are there.
        solved: usize,
        /// How many there should be.
        all: usize,
    },
}

impl Draft {
    /// A book of which nothing is known yet.
    pub fn new(variant: Variant, placed: usize) -> Draft {
        let classes = classes(variant, placed);
        Draft { variant, placed, values: vec![b'?'; classes.len()], classes }
    }

    /// How many positions it needs.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether it needs none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// How many of them are solved.
    pub fn solved(&self) -> usize {
        self.values.iter().filter(|value| **value != b'?').count()
    }

    /// Solves the missing positions, on so many threads, and calls `show` with the draft after each; continues while `show` returns true.
    /// The result is the same in any order.
    pub fn fill(&mut self, threads: usize, mut show: impl FnMut(&Draft) -> bool) {
        let missing: Vec<usize> = (0..self.len()).filter(|&index| self.values[index] == b'?').collect();
        let classes = self.classes.clone();
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = |sender: mpsc::Sender<(usize, u8)>| {
            let mut solver = QuartoSolver::new(TABLE_BITS);
            let is_over = || stop.load(Ordering::Relaxed);
            while let Some(&index) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                let Some(solved) = solver.solve(&classes[index], Limit::until(&is_over)) else { return };
                // Nobody listens any more once the draft has been shown for the last time.
                let _ = sender.send((index, character(&classes[index], solved)));
            }
        };
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for sender in vec![sender; threads.max(1)] {
                scope.spawn(|| work(sender));
            }
            for (index, value) in receiver {
                self.values[index] = value;
                if !show(self) {
                    stop.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
    }

    /// The book.
    ///
    /// # Errors
    ///
    /// If it is not finished.
    pub fn finish(&self) -> Result<Book, BookError> {
        if self.solved() < self.len() {
            return Err(BookError::Unfinished { solved: self.solved(), all: self.len() });
        }
        let known = self.classes.iter().zip(&self.values).map(|(position, &value)| {
            let last = if value == b'=' { 16 } else { self.placed + 1 + usize::from(value - b'a') };
            let verdict = match (last - self.placed) % 2 {
                _ if value == b'=' => PlayerResult::Draw,
                1 => PlayerResult::Win,
                _ => PlayerResult::Loss,
            };
            let moves = 2 * (last - self.placed) - 1;
            (key(position), Proof { ending: verdict.to(position.turn()), moves: moves as u32 })
        });
        let mut book = Book { variant: self.variant, placed: self.placed, values: known.collect() };
        book.learn(&Position::new(self.variant));
        Ok(book)
    }
}

/// The character for the value of a position.
fn character(position: &Position, solved: Proof) -> u8 {
    match solved.ending.seen_by(position.turn()) {
        PlayerResult::Draw => b'=',
        _ => LETTERS[solved.moves as usize / 2],
    }
}

impl fmt::Display for Draft {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "quarto book {} {}", self.variant, self.placed)?;
        for line in self.values.chunks(100) {
            writeln!(formatter, "{}", String::from_utf8_lossy(line))?;
        }
        Ok(())
    }
}

impl FromStr for Draft {
    type Err = BookError;

    fn from_str(text: &str) -> Result<Draft, BookError> {
        let (header, values) = text.split_once('\n').ok_or(BookError::Header)?;
        let header: Vec<&str> = header.split_whitespace().collect();
        let ["quarto", "book", variant, placed] = header[..] else { return Err(BookError::Header) };
        let placed = placed.parse().ok().filter(|placed| *placed <= 4).ok_or(BookError::Header)?;
        let mut draft = Draft::new(variant.parse().map_err(|_| BookError::Header)?, placed);
        let values: Vec<char> = values.chars().filter(|value| !value.is_whitespace()).collect();
        if values.len() != draft.len() {
            return Err(BookError::Length { expected: draft.len(), found: values.len() });
        }
        for (value, place) in values.into_iter().zip(&mut draft.values) {
            *place =
                u8::try_from(value).ok().filter(|value| is_value(*value, placed)).ok_or(BookError::Value(value))?;
        }
        Ok(draft)
    }
}

/// Whether a character stands for a value of a position with so many pieces on the board.
fn is_value(value: u8, placed: usize) -> bool {
    matches!(value, b'=' | b'?') || LETTERS[..16 - placed].contains(&value)
}

/// The representatives with so many pieces on the board and one in hand that does not win at once, in the order of keys.
fn classes(variant: Variant, placed: usize) -> Vec<Position> {
    let mut level = BTreeMap::from([(0, Position::new(variant))]);
    for _ in 0..placed {
        level = next_classes(&next_classes(&level));
    }
    next_classes(&level).into_values().filter(|position| position.winning_cells().is_empty()).collect()
}

/// The classes one move later.
fn next_classes(level: &BTreeMap<u128, Position>) -> BTreeMap<u128, Position> {
    let moved = level.values().flat_map(|position| position.moves().map(|played| after(position, played).canonical()));
    moved.map(|position| (key(&position), position)).collect()
}

fn after(position: &Position, played: Move) -> Position {
    let mut next = *position;
    next.play(played);
    next
}

fn key(position: &Position) -> u128 {
    position.key().expect("positions have keys")
}
