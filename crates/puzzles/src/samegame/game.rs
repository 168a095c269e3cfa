//! The engine: a position that knows its groups.

use std::sync::Arc;

use nestling::engine::Learner;
use nestling::engine::{Batch, Rule};
use nestling::{Allowance, Certificate, Illegal, Problem, Search, Stream, Suggestion, digest};

use super::column::{Column, Group, fold, relink, take};
use super::{CLEARED, Cell, MAX_COLOURS, MAX_SIDE, OPENING, Rules, SameGameBoard, square};
use super::{features, learner, playouts};

/// A game of SameGame, and at the same time one state of it.
///
/// The legal moves are the first cells of the groups, column by column from the left, each from below.
///
/// ```
/// use nestling::{Problem, Run};
/// use nestling_puzzles::samegame::{SameGameBoard, SameGame};
///
/// let game = SameGame::new(SameGameBoard::seeded(8, 8, 3, 1)?, false);
/// let outcome = Run::new(&game, "nested(1, playout=tabu)".parse()?).seed(1).start()?;
/// assert!(outcome.score().unwrap() > 1000.0, "cleared");
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

/// The data that stay the same throughout a game.
#[derive(Debug)]
struct Setup {
    board: SameGameBoard,
    penalty: bool,
    tabu: u8,
    /// By colour: a random number for every cell, column by column.
    zobrist: Vec<Vec<u64>>,
}

/// Larger groups have the same bias.
pub(super) const LARGE: usize = 10;

/// Where a group lies: its last column and its highest row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    high: u8,
    top: u8,
}

/// The largest change by a move: cells from a row upwards in some columns, and their neighbours' links.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub low: usize,
    pub high: usize,
    floor: u32,
}

impl Change {
    pub const ALL: Change = Change { low: 0, high: usize::MAX, floor: 0 };

    /// Whether a group that starts left of the last column that changed is what it was.
    pub fn spares(self, extent: Extent) -> bool {
        usize::from(extent.high) < self.low || u32::from(extent.top) + 1 < self.floor
    }
}

/// The problem's own playout policies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OwnPolicy {
    Tabu,
    Selective,
    Lenient,
}

impl OwnPolicy {
    /// In the order of their numbers.
    pub const ALL: [OwnPolicy; 3] = [OwnPolicy::Tabu, OwnPolicy::Selective, OwnPolicy::Lenient];
    const NAMES: [&str; 3] = ["tabu", "selective", "lenient"];

    /// Whether groups of two are left out after so many moves.
    pub fn avoids_pairs(self, played: u32) -> bool {
        self == OwnPolicy::Selective && played < OPENING
    }

    /// Whether groups of two of the tabu colour are taken after so many moves.
    pub fn takes_tabu_pairs(self, played: u32) -> bool {
        self == OwnPolicy::Lenient && played >= OPENING
    }
}

impl SameGame {
    /// The start of a game; `penalty` subtracts (c − 2)² for every colour with c > 2 cells left over.
    pub fn new(board: SameGameBoard, penalty: bool) -> SameGame {
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
    pub fn board(&self) -> &SameGameBoard {
        &self.setup.board
    }

    /// This position by the plain rules.
    pub fn rules(&self) -> Rules {
        let colours = |column: &Column| (0..column.height as u8).map(|row| column.colour(row)).collect();
        Rules::after(self.columns.iter().map(colours).collect(), self.setup.penalty, self.points)
    }

    pub(super) fn colour(&self, cell: Cell) -> u8 {
        self.columns[usize::from(cell.column)].colour(cell.row)
    }

    fn find(&self, cell: Cell, group: &mut Group) {
        group.find(&self.columns, usize::from(cell.column), 1 << cell.row);
    }

    /// Plays a move with a buffer that is clear, and leaves it so.
    #[inline]
    pub(super) fn take(&mut self, played: Cell, group: &mut Group) -> Change {
        self.find(played, group);
        let removed = &group.cells[group.low..=group.high];
        let floor = removed.iter().map(|cells| cells.trailing_zeros()).min().unwrap_or(0);
        let (low, high, columns) = (group.low.saturating_sub(1), group.high + 1, self.columns.len());
        let size = group.len();
        self.left[usize::from(self.colour(played))] -= size as u16;
        self.points += square(size);
        self.played += 1;
        take(&mut self.columns, group);
        Change { low, high: if self.columns.len() < columns { usize::MAX } else { high }, floor }
    }

    /// The code of a group, its size and where it lies.
    #[inline]
    pub(super) fn describe(&self, first: Cell) -> (u64, u16, Extent) {
        let zobrist = &self.setup.zobrist[usize::from(self.colour(first))];
        let rows = self.setup.board.rows();
        let start = (usize::from(first.column), 1 << first.row);
        fold(&self.columns, start, (0, 0, Extent { high: 0, top: 0 }), |(mut code, size, extent), column, cells| {
            let numbers = &zobrist[column * rows..];
            let mut rest = cells;
            while rest != 0 {
                code ^= numbers[rest.trailing_zeros() as usize];
                rest &= rest - 1;
            }
            let top = extent.top.max(63 - cells.leading_zeros() as u8);
            (code, size + cells.count_ones() as u16, Extent { high: column as u8, top })
        })
    }

    fn size(&self, cell: Cell) -> usize {
        let first = (usize::from(cell.column), 1 << cell.row);
        fold(&self.columns, first, 0, |size, _, cells| size + cells.count_ones() as usize)
    }

    /// How many cells of a colour are left.
    pub(super) fn left(&self, colour: u8) -> u16 {
        self.left[usize::from(colour)]
    }

    /// The colour that is tabu.
    pub(super) fn tabu(&self) -> u8 {
        self.setup.tabu
    }

    /// Whether all that is left of the tabu colour is one group.
    pub(super) fn is_gathered(&self, cell: Cell) -> bool {
        self.size(cell) == usize::from(self.left[usize::from(self.setup.tabu)])
    }

    /// Leaves out the tabu colour (but for its groups of two, if asked), unless there is nothing else; its last group is no
    /// longer tabu.
    fn avoid_tabu(&self, moves: &mut Vec<Cell>, but_pairs: bool) {
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
        moves.retain(|cell| !is_tabu(cell) || but_pairs && self.size(*cell) == 2);
    }

    /// Leaves out groups of two, unless there is nothing else.
    fn avoid_pairs(&self, moves: &mut Vec<Cell>) {
        let larger = |cell: &Cell| self.size(*cell) > 2;
        if moves.iter().any(larger) {
            moves.retain(larger);
        }
    }
}

/// A bias of a group, by number.
pub(super) fn group_bias(bias: usize, is_tabu: bool, size: usize) -> f64 {
    match bias {
        0 => -f64::from(u8::from(is_tabu)),
        _ => (size - 2).min(LARGE - 2) as f64,
    }
}

clone_state!(SameGame: shared [setup], owned [columns], plain [left, points, played]);

impl Problem for SameGame {
    type Move = Cell;

    const PLAIN_TEXTS: bool = true;

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
        self.describe(played).0
    }

    fn biases(&self) -> &'static [&'static str] {
        &["colour", "size"]
    }

    /// `colour`: −1 for the colour most frequent at the start, 0 for the others. `size`: the cells of the group beyond two, at most eight.
    fn named_bias(&self, bias: usize, played: Cell) -> f64 {
        group_bias(bias, self.colour(played) == self.setup.tabu, self.size(played))
    }

    fn feature_count(&self) -> usize {
        features::COUNT
    }

    fn features(&self, played: Cell, features: &mut Vec<u32>) {
        self.list_features(played, features);
    }

    fn policies(&self) -> &'static [&'static str] {
        &OwnPolicy::NAMES
    }

    /// `tabu` (TabuColorRandom, Cazenave 2009): the colour most frequent at the start is taken only when nothing else can be, or
    /// when all that is left of it is one group. `selective`: and no group of two in the first ten moves. `lenient`:
    /// after ten moves its groups of two can be, too. Both are readings of Cazenave 2016.
    fn prefer(&self, policy: usize, moves: &mut Vec<Cell>, _: &mut Vec<f64>) {
        let policy = OwnPolicy::ALL[policy];
        self.avoid_tabu(moves, policy.takes_tabu_pairs(self.played));
        if policy.avoids_pairs(self.played) {
            self.avoid_pairs(moves);
        }
    }

    fn default_search(&self, allowance: Allowance) -> Suggestion {
        let lenient = Search::nrpa(1).policy("lenient");
        Suggestion::restarted_nrpa(self, allowance, lenient)
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

    fn learner(&self, rule: Rule) -> Option<Box<dyn Learner<Cell> + '_>> {
        let player = learner::LearnerGames::new(self, rule)?;
        Some(Box::new(player))
    }

    /// The board and the points.
    fn position(&self) -> Option<u128> {
        Some(digest(self.columns.iter().flat_map(Column::words).chain([self.points as u64])))
    }

    fn certify(&self, moves: &[Cell]) -> Result<Certificate, Illegal> {
        self.rules().certify(moves)
    }
}
