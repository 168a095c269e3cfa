//! The engine: a position that knows its groups.

use std::sync::Arc;

use nestling::playout::Batch;
use nestling::{Certificate, Illegal, Problem, Stream};

use super::column::{Column, Group, fold, relink, take};
use super::playouts;
use super::{Board, CLEARED, Cell, MAX_COLOURS, MAX_SIDE, Rules, SELECTIVE_MOVES, square};

/// A game of SameGame, and at the same time one state of it.
///
/// The legal moves are the first cells of the groups, column by column from the left, each from below.
///
/// ```
/// use nestling::{Problem, Run};
/// use nestling_puzzles::samegame::{Board, SameGame};
///
/// let game = SameGame::new(Board::seeded(8, 8, 3, 1)?, false);
/// let outcome = Run::new(&game, "nested(1, playout=tabu)".parse()?).seed(1).start()?;
/// assert!(outcome.result.score > 1000.0, "cleared");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SameGame {
    setup: Arc<Setup>,
    pub(super) columns: Vec<Column>,
    /// How many cells of every colour are left.
    left: [u16; MAX_COLOURS],
    points: i64,
    pub(super) played: u32,
}

/// What stays the same throughout a game.
#[derive(Debug)]
struct Setup {
    board: Board,
    penalty: bool,
    tabu: u8,
    /// By colour: a random number for every cell, column by column.
    zobrist: Vec<Vec<u64>>,
}

/// The problem's own playout policies, in the order of their numbers.
pub(super) const POLICIES: [&str; 2] = ["tabu", "selective"];

impl SameGame {
    /// The start of a game; `penalty` subtracts (c − 2)² for every colour with c > 2 cells left over.
    pub fn new(board: Board, penalty: bool) -> SameGame {
        let mut columns: Vec<Column> = (0..board.columns()).map(|column| Column::new(board.column(column))).collect();
        let all = columns.len();
        relink(&mut columns, 0, all, &mut Group::new());
        let cells = (board.columns() * board.rows()) as u64;
        let number = |cell, colour| Stream::new(0x5a3e_9a3e).child(cell).child(colour).seed();
        let numbers = |colour| (0..cells).map(|cell| number(cell, colour)).collect();
        let zobrist = (0..MAX_COLOURS as u64).map(numbers).collect();
        let (left, tabu) = (board.counts(), board.commonest());
        SameGame { setup: Arc::new(Setup { board, penalty, tabu, zobrist }), columns, left, points: 0, played: 0 }
    }

    /// The board the game started from.
    pub fn board(&self) -> &Board {
        &self.setup.board
    }

    /// This position by the plain rules.
    pub fn rules(&self) -> Rules {
        let colours = |column: &Column| (0..column.height as u8).map(|row| column.colour(row)).collect();
        Rules::after(self.columns.iter().map(colours).collect(), self.setup.penalty, self.points)
    }

    fn colour(&self, cell: Cell) -> u8 {
        self.columns[usize::from(cell.column)].colour(cell.row)
    }

    fn find(&self, cell: Cell, group: &mut Group) {
        group.find(&self.columns, usize::from(cell.column), 1 << cell.row);
    }

    /// Plays a move with a buffer that is clear, and leaves it so.
    #[inline]
    pub(super) fn take(&mut self, played: Cell, group: &mut Group) {
        self.find(played, group);
        let size = group.len();
        self.left[usize::from(self.colour(played))] -= size as u16;
        self.points += square(size);
        self.played += 1;
        take(&mut self.columns, group);
    }

    fn size(&self, cell: Cell) -> usize {
        let first = (usize::from(cell.column), 1 << cell.row);
        fold(&self.columns, first, 0, |size, _, cells| size + cells.count_ones() as usize)
    }

    /// The colour that is tabu.
    pub(super) fn tabu(&self) -> u8 {
        self.setup.tabu
    }

    /// Whether all that is left of the tabu colour is one group.
    pub(super) fn is_gathered(&self, cell: Cell) -> bool {
        self.size(cell) == usize::from(self.left[usize::from(self.setup.tabu)])
    }

    /// Leaves out the tabu colour, unless there is nothing else; its last group is no longer tabu.
    fn avoid_tabu(&self, moves: &mut Vec<Cell>) {
        let mut tabu = [0; MAX_SIDE];
        for (tabu, column) in tabu.iter_mut().zip(&self.columns) {
            *tabu = column.of_colour(self.setup.tabu);
        }
        let is_tabu = |cell: &Cell| tabu[usize::from(cell.column)] >> cell.row & 1 == 1;
        let mut of_tabu = moves.iter().filter(|cell| is_tabu(cell));
        let Some(&first) = of_tabu.next() else { return };
        let several = of_tabu.next().is_some();
        if moves.iter().all(is_tabu) || !several && self.is_gathered(first) {
            return;
        }
        moves.retain(|cell| !is_tabu(cell));
    }

    /// Leaves out groups of two, unless there is nothing else.
    fn avoid_pairs(&self, moves: &mut Vec<Cell>) {
        let larger = |cell: &Cell| self.size(*cell) > 2;
        if moves.iter().any(larger) {
            moves.retain(larger);
        }
    }
}

impl Clone for SameGame {
    fn clone(&self) -> Self {
        let &SameGame { ref setup, ref columns, left, points, played } = self;
        SameGame { setup: setup.clone(), columns: columns.clone(), left, points, played }
    }

    /// Copies into the columns that are there; threads do not meet at the setup's counter.
    fn clone_from(&mut self, source: &Self) {
        if !Arc::ptr_eq(&self.setup, &source.setup) {
            self.setup = source.setup.clone();
        }
        self.columns.clone_from(&source.columns);
        (self.left, self.points, self.played) = (source.left, source.points, source.played);
    }
}

impl Problem for SameGame {
    type Move = Cell;

    fn legal_moves(&self, moves: &mut Vec<Cell>) {
        moves.clear();
        for (column, cells) in self.columns.iter().enumerate() {
            let mut firsts = cells.firsts;
            while firsts != 0 {
                moves.push(Cell { column: column as u8, row: firsts.trailing_zeros() as u8 });
                firsts &= firsts - 1;
            }
        }
    }

    fn play(&mut self, played: Cell) {
        self.take(played, &mut Group::new());
    }

    fn score(&self) -> f64 {
        let left = self.left.iter().map(|&left| square(left.into()));
        let penalty: i64 = if self.setup.penalty { left.sum() } else { 0 };
        let cleared = if self.columns.is_empty() { CLEARED } else { 0 };
        (self.points + cleared - penalty) as f64
    }

    /// The XOR of a random number for every cell of the group: the same group has the same code wherever it comes from.
    fn code(&self, played: Cell) -> u64 {
        let zobrist = &self.setup.zobrist[usize::from(self.colour(played))];
        let rows = self.setup.board.rows();
        fold(&self.columns, (usize::from(played.column), 1 << played.row), 0, |mut code, column, mut cells| {
            let numbers = &zobrist[column * rows..];
            while cells != 0 {
                code ^= numbers[cells.trailing_zeros() as usize];
                cells &= cells - 1;
            }
            code
        })
    }

    fn policies(&self) -> &'static [&'static str] {
        &POLICIES
    }

    /// `tabu` (TabuColorRandom, Cazenave 2009): the colour most frequent at the start is taken only when nothing else can be, or
    /// when all that is left of it is one group. `selective` (Cazenave 2016): and no group of two in the first ten moves.
    fn prefer(&self, policy: usize, moves: &mut Vec<Cell>, _: &mut Vec<f64>) {
        self.avoid_tabu(moves);
        if POLICIES[policy] == "selective" && self.played < SELECTIVE_MOVES {
            self.avoid_pairs(moves);
        }
    }

    /// Every colour in one group, and the board empty.
    fn bound(&self) -> Option<f64> {
        let groups: i64 = self.left.iter().map(|&left| square(left.into())).sum();
        let clearable = self.left.iter().all(|&left| left != 1);
        Some((self.points + groups + if clearable { CLEARED } else { 0 }) as f64)
    }

    fn move_text(&self, played: Cell) -> String {
        played.to_string()
    }

    fn playouts(&self, batch: &mut Batch<'_, Cell>) {
        playouts::play(self, batch);
    }

    fn certify(&self, moves: &[Cell]) -> Result<Certificate, Illegal> {
        self.rules().certify(moves)
    }
}
