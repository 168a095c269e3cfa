//! The exact solver: the value of a position when both play their best.

mod node;
mod search;
mod table;

use nestling::{PlayerResult, Proof};

use crate::book::Book;
use crate::lines::Variant;
use crate::position::{Move, Position};

use node::Node;
use search::SolverSearch;
use table::{SolverGoal, SolverTable};

/// How long a question may take.
///
/// ```
/// use std::time::{Duration, Instant};
/// use nestling_quarto::{Limit, Position, QuartoSolver, Variant};
/// let (mut solver, start) = (QuartoSolver::new(16), Position::new(Variant::Lines));
/// assert_eq!(solver.verdict(&start, Limit::nodes(10_000)), None);
/// let end = Instant::now() + Duration::from_millis(10);
/// assert_eq!(solver.verdict(&start, Limit::until(&|| Instant::now() >= end)), None);
/// ```
#[derive(Clone, Copy)]
pub struct Limit<'a> {
    nodes: u64,
    stop: Option<&'a dyn Fn() -> bool>,
}

/// A search was told to stop.
pub(crate) struct Interrupted;

impl<'a> Limit<'a> {
    /// As long as it takes.
    pub const NONE: Limit<'static> = Limit { nodes: u64::MAX, stop: None };

    /// So many nodes of search and no more: the same question has the same answer on any machine.
    pub const fn nodes(nodes: u64) -> Limit<'static> {
        Limit { nodes, stop: None }
    }

    /// Until `stop` returns true. It is called every few thousand nodes, which take less than a millisecond.
    pub const fn until(stop: &'a dyn Fn() -> bool) -> Limit<'a> {
        Limit::NONE.or_until(stop)
    }

    /// The same, or until `stop` returns true, whichever is first.
    #[must_use]
    pub const fn or_until(self, stop: &'a dyn Fn() -> bool) -> Limit<'a> {
        Limit { stop: Some(stop), ..self }
    }

    /// The same for a solver that has visited some nodes already.
    fn after(self, nodes: u64) -> Limit<'a> {
        Limit { nodes: self.nodes.saturating_add(nodes), ..self }
    }

    fn check(&self, nodes: u64) -> Result<(), Interrupted> {
        if nodes > self.nodes || self.stop.is_some_and(|stop| stop()) { Err(Interrupted) } else { Ok(()) }
    }
}

/// Solves positions exactly, with a table that it keeps between questions.
///
/// Answers do not depend on what was asked before, only the time they take does.
///
/// ```
/// use nestling::Ending;
/// use nestling_quarto::{Limit, QuartoSolver, Transcript};
/// let game: Transcript = "0 0 2 1 4 2 1 4 3 5 5 6".parse()?;
/// let position = game.position();
/// let mut solver = QuartoSolver::new(20);
/// let solved = solver.solve(&position, Limit::NONE).expect("there is no limit");
/// assert_eq!(solved.ending, Ending::Win(position.turn().other()));
/// # Ok::<(), nestling_quarto::ReadError>(())
/// ```
pub struct QuartoSolver {
    table: SolverTable,
    book: Option<&'static Book>,
    nodes: u64,
}

impl QuartoSolver {
    /// A solver with a table of 2^`table_bits` positions, eight bytes each.
    pub fn new(table_bits: u32) -> QuartoSolver {
        QuartoSolver { table: SolverTable::new(table_bits), book: None, nodes: 0 }
    }

    /// The same, but positions that are in a book are looked up there.
    #[must_use]
    pub fn with_book(self, book: &'static Book) -> QuartoSolver {
        QuartoSolver { book: Some(book), ..self }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// How many nodes all searches have visited: positions with a piece in hand.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of the position for the player whose [turn](Position::turn) it is; `None` if the limit is reached.
    pub fn verdict(&mut self, position: &Position, limit: Limit<'_>) -> Option<PlayerResult> {
        self.judge(position, limit.after(self.nodes)).ok()
    }

    /// The value of the position and the number of moves until the end; `None` if the limit is reached.
    pub fn solve(&mut self, position: &Position, limit: Limit<'_>) -> Option<Proof> {
        self.measure(position, limit.after(self.nodes)).ok()
    }

    /// Every legal move with its value; `None` if the limit is reached.
    pub fn moves(&mut self, position: &Position, limit: Limit<'_>) -> Option<Vec<(Move, Proof)>> {
        let limit = limit.after(self.nodes);
        let mut value = |played| {
            let mut next = *position;
            next.play(played);
            let solved = self.measure(&next, limit).ok()?;
            Some((played, Proof { moves: solved.moves + 1, ..solved }))
        };
        position.moves().map(&mut value).collect()
    }

    fn in_book(&self, position: &Position) -> Option<Proof> {
        self.book.and_then(|book| book.solve(position))
    }

    fn judge(&mut self, position: &Position, limit: Limit<'_>) -> Result<PlayerResult, Interrupted> {
        if let Some(solved) = self.in_book(position) {
            return Ok(solved.ending.seen_by(position.turn()));
        }
        if let Some(ending) = position.ending() {
            return Ok(ending.seen_by(position.turn()));
        }
        if !position.winning_cells().is_empty() {
            return Ok(PlayerResult::Win);
        }
        if !self.reaches(position, SolverGoal::Survive, 0, limit)? {
            return Ok(PlayerResult::Loss);
        }
        let wins = self.reaches(position, SolverGoal::Win, 0, limit)?;
        Ok(if wins { PlayerResult::Win } else { PlayerResult::Draw })
    }

    fn measure(&mut self, position: &Position, limit: Limit<'_>) -> Result<Proof, Interrupted> {
        if let Some(solved) = self.in_book(position) {
            return Ok(solved);
        }
        let verdict = self.judge(position, limit)?;
        let last = match verdict {
            _ if position.ending().is_some() => position.placed(),
            PlayerResult::Draw => 16,
            PlayerResult::Win => self.last_placement(position, SolverGoal::Win, limit)?,
            PlayerResult::Loss => self.last_placement(position, SolverGoal::Survive, limit)?,
        };
        let done = 2 * position.placed() + usize::from(position.hand().is_some());
        Ok(Proof { ending: verdict.to(position.turn()), moves: (2 * last - done) as u32 })
    }

    /// The number of the placement that decides a position that is known to be decided: the winner hurries, the loser
    /// delays. The goal is reached, if that is `Win`, or missed.
    fn last_placement(
        &mut self,
        position: &Position,
        goal: SolverGoal,
        limit: Limit<'_>,
    ) -> Result<usize, Interrupted> {
        if !position.winning_cells().is_empty() {
            return Ok(position.placed() + 1);
        }
        let winner_places_next = position.hand().is_some() == (goal == SolverGoal::Win);
        let mut last = position.placed() + if winner_places_next { 1 } else { 2 };
        while last + 2 <= 16 && self.reaches(position, goal, 16 - last as u32, limit)? != (goal == SolverGoal::Win) {
            last += 2;
        }
        Ok(last)
    }

    /// Whether the player whose turn it is reaches the goal if placements do not count once only `floor` cells are empty.
    fn reaches(
        &mut self,
        position: &Position,
        goal: SolverGoal,
        floor: u32,
        limit: Limit<'_>,
    ) -> Result<bool, Interrupted> {
        let mut search = SolverSearch { table: &mut self.table, nodes: self.nodes, limit, floor };
        let answer = match position.variant() {
            Variant::Lines => search.choose(&Node::<2>::new(position), position, goal),
            Variant::Squares => search.choose(&Node::<3>::new(position), position, goal),
        };
        self.nodes = search.nodes;
        answer
    }
}
