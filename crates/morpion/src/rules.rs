//! The plain rules, on an infinite lattice, to be read like the rule book. Every game is certified by them.
//!
//! The fast engine, [`Board`](crate::Board), shares no code with this file, so that each can be tested against the other.

use std::sync::LazyLock;

use nestling::{Certificate, Illegal, Problem};
use rustc_hash::FxHashSet;

use crate::geometry::{Cell, Direction, Line, Move};
use crate::notation::Reference;
use crate::variant::Variant;

/// A position as the rules see it: the dots, the lines in the order of drawing, and the legal moves in their order.
///
/// ```
/// use nestling::Problem;
/// use nestling_morpion::{Rules, Variant};
/// let mut moves = Vec::new();
/// Rules::new(Variant::FiveT).legal_moves(&mut moves);
/// assert_eq!(moves.len(), 28);
/// ```
#[derive(Clone, Debug)]
pub struct Rules {
    variant: Variant,
    dots: FxHashSet<Cell>,
    played: Vec<Move>,
    legal: Vec<Move>,
}

/// The rule that a move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The new dot is not a cell of the line.
    OffLine,
    /// The cell of the new dot has a dot already.
    Occupied(Cell),
    /// Another cell of the line has no dot.
    NoDot(Cell),
    /// A line of the same direction shares too many dots with this one: its number, from 0, and its move.
    Overlaps(usize, Move),
}

impl Fault {
    /// A message, beginning with the move, in the coordinates of a Pentasol text.
    pub(crate) fn describe(self, variant: Variant, broken: Move, reference: Reference) -> String {
        let text = reference.move_text(variant, broken);
        match self {
            Fault::OffLine => format!("{text} puts its dot outside of its line of {}", variant.line_length()),
            Fault::Occupied(cell) => {
                format!("{text} needs a free cell: there is already a dot at {}", reference.cell_text(variant, cell))
            }
            Fault::NoDot(cell) => {
                format!("{text} needs more dots: cell {} of the line has no dot", reference.cell_text(variant, cell))
            }
            Fault::Overlaps(index, other) => {
                format!("{text} overlaps line {} {}", index + 1, reference.move_text(variant, other))
            }
        }
    }
}

impl Rules {
    /// The start of a game.
    pub fn new(variant: Variant) -> Self {
        // Finding the first moves by trying takes as long as judging a short game, so it is done once.
        static STARTS: LazyLock<[Rules; 4]> = LazyLock::new(|| Variant::ALL.map(Rules::start));
        let start = STARTS.iter().find(|start| start.variant == variant);
        start.expect("all variants are there").clone()
    }

    fn start(variant: Variant) -> Self {
        let dots = variant.cross().into_iter().collect();
        let mut rules = Rules { variant, dots, played: Vec::new(), legal: Vec::new() };
        rules.legal = rules.all_legal().into_iter().collect();
        rules.legal.sort_by_key(|m| (m.line.start.y, m.line.start.x, m.line.direction, m.hole));
        rules
    }

    /// The variant that is played.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The moves that led here.
    pub fn moves_played(&self) -> &[Move] {
        &self.played
    }

    /// The rule that a move would break here; `None` when it is legal.
    pub fn fault(&self, tried: Move) -> Option<Fault> {
        let length = self.variant.line_length();
        if usize::from(tried.hole) >= length {
            return Some(Fault::OffLine);
        }
        if self.dots.contains(&tried.dot()) {
            return Some(Fault::Occupied(tried.dot()));
        }
        if let Some(cell) = tried.line.cells(length).find(|cell| *cell != tried.dot() && !self.dots.contains(cell)) {
            return Some(Fault::NoDot(cell));
        }
        let overlapping = self.played.iter().position(|other| self.overlap(tried.line, other.line));
        overlapping.map(|index| Fault::Overlaps(index, self.played[index]))
    }

    /// Two lines of one direction may share an end dot when they may touch, and no dot when they may not.
    fn overlap(&self, one: Line, other: Line) -> bool {
        let length = self.variant.line_length();
        let shared = || one.cells(length).filter(|cell| other.cells(length).any(|dot| dot == *cell)).count();
        one.direction == other.direction && shared() > usize::from(self.variant.touching())
    }

    /// Every legal move, found by trying: a legal line begins with a dot, or with the new dot and then a dot.
    fn all_legal(&self) -> FxHashSet<Move> {
        let mut legal = FxHashSet::default();
        for dot in &self.dots {
            for direction in Direction::ALL {
                let from_new_dot = Move { line: Line { start: dot.along(direction, -1), direction }, hole: 0 };
                let from_dot = self.completed(Line { start: *dot, direction });
                legal.extend(from_dot.into_iter().chain([from_new_dot]).filter(|tried| self.fault(*tried).is_none()));
            }
        }
        legal
    }

    /// The move that would complete a line from which just one dot is missing.
    fn completed(&self, line: Line) -> Option<Move> {
        let cells = line.cells(self.variant.line_length()).zip(0..);
        let mut missing = cells.filter(|(cell, _)| !self.dots.contains(cell));
        let (_, hole) = missing.next()?;
        missing.next().is_none().then_some(Move { line, hole })
    }

    /// Puts the dot and draws the line of a legal move; the list of legal moves is left to the caller.
    fn draw(&mut self, played: Move) {
        self.dots.insert(played.dot());
        self.played.push(played);
    }

    /// Plays the moves of a game, and says where and why it is illegal. Leaves the list of legal moves as it was: going
    /// through a game does not need it.
    pub(crate) fn replay(&mut self, moves: &[Move], reference: Reference) -> Result<(), Illegal> {
        for (index, &played) in moves.iter().enumerate() {
            if let Some(fault) = self.fault(played) {
                return Err(Illegal { index, reason: fault.describe(self.variant, played, reference) });
            }
            self.draw(played);
        }
        Ok(())
    }
}

impl Problem for Rules {
    type Move = Move;

    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clone_from(&self.legal);
    }

    /// # Panics
    ///
    /// When the move is illegal.
    fn play(&mut self, played: Move) {
        if let Some(fault) = self.fault(played) {
            panic!("{}", fault.describe(self.variant, played, Reference::STANDARD));
        }
        self.draw(played);
        let now = self.all_legal();
        self.legal.retain(|survivor| now.contains(survivor));
        let mut new: Vec<Move> = now.into_iter().filter(|m| !self.legal.contains(m)).collect();
        // All new lines go through the new dot, so that within a direction this is the order along it.
        new.sort_by_key(|m| (m.line.direction, m.line.start));
        self.legal.extend(new);
    }

    fn score(&self) -> f64 {
        self.played.len() as f64
    }

    fn code(&self, played: Move) -> u64 {
        played.line.code()
    }

    fn dense_codes(&self) -> usize {
        Line::DENSE_CODES
    }

    fn bound(&self) -> Option<f64> {
        Some(self.variant.bound().moves.into())
    }

    fn move_text(&self, played: Move) -> String {
        Reference::STANDARD.move_text(self.variant, played)
    }

    fn certify(&self, moves: &[Move]) -> Result<Certificate, Illegal> {
        let mut rules = self.clone();
        rules.replay(moves, Reference::STANDARD)?;
        Ok(Certificate { score: rules.score(), terminal: rules.all_legal().is_empty() })
    }
}
