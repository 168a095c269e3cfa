//! Small games for two, and their values by plain minimax.
#![allow(dead_code, reason = "every test file uses its own part of this")]

use nestling::engine::Solver;
use nestling::{Cancel, Ending, Game, Illegal, Player, Proof, Rng};

/// Noughts and crosses: two sets of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TicTacToe {
    pub cells: [u16; 2],
    /// Whether it knows its symmetries, keys and solver.
    pub plain: bool,
}

const ROWS: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl TicTacToe {
    pub fn new() -> Self {
        TicTacToe { cells: [0, 0], plain: false }
    }

    fn placed(&self) -> u32 {
        (self.cells[0] | self.cells[1]).count_ones()
    }

    fn wins(&self, cell: u8) -> bool {
        let mut after = self.clone();
        after.play(cell);
        matches!(after.ending(), Some(Ending::Win(_)))
    }

    /// The image under symmetry number `which`: transposed or not, then turned.
    fn image(&self, which: u32) -> Self {
        let turned = |cell: usize| {
            let (mut row, mut column) = (cell / 3, cell % 3);
            if which >= 4 {
                (row, column) = (column, row);
            }
            for _ in 0..which % 4 {
                (row, column) = (column, 2 - row);
            }
            3 * row + column
        };
        let map = |cells: u16| (0..9).filter(|&cell| cells >> cell & 1 == 1).map(|cell| 1 << turned(cell)).sum();
        TicTacToe { cells: self.cells.map(map), plain: self.plain }
    }
}

impl Game for TicTacToe {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        if self.ending().is_none() {
            moves.extend((0..9).filter(|&cell| (self.cells[0] | self.cells[1]) >> cell & 1 == 0));
        }
    }

    fn play(&mut self, cell: u8) {
        self.cells[self.placed() as usize % 2] |= 1 << cell;
    }

    fn turn(&self) -> Player {
        Player::BOTH[self.placed() as usize % 2]
    }

    fn ending(&self) -> Option<Ending> {
        for player in Player::BOTH {
            if ROWS.iter().any(|row| self.cells[player as usize] & row == *row) {
                return Some(Ending::Win(player));
            }
        }
        (self.placed() == 9).then_some(Ending::Draw)
    }

    fn policies(&self) -> &'static [&'static str] {
        &["winning"]
    }

    fn prefer(&self, _policy: usize, moves: &mut Vec<u8>) {
        if moves.iter().any(|&cell| self.wins(cell)) {
            moves.retain(|&cell| self.wins(cell));
        }
    }

    fn key(&self) -> Option<u128> {
        (!self.plain).then_some(u128::from(self.cells[0]) << 16 | u128::from(self.cells[1]))
    }

    fn canonical(&self) -> Self {
        (0..8).map(|which| self.image(which)).min_by_key(|image| image.cells).expect("there are eight")
    }

    fn stage(&self) -> u32 {
        self.placed()
    }

    fn solver(&self, _cancel: &Cancel) -> Option<Box<dyn Solver<Self>>> {
        (!self.plain).then(|| Box::new(Minimax) as Box<dyn Solver<Self>>)
    }
}

/// Cells in a row. First marks one, then both mark two at a time; three neighbours win.
#[derive(Clone, Debug)]
pub struct Doubles {
    cells: Vec<Option<Player>>,
}

impl Doubles {
    pub fn new(cells: usize) -> Self {
        Doubles { cells: vec![None; cells] }
    }
}

impl Game for Doubles {
    type Move = usize;

    fn legal_moves(&self, moves: &mut Vec<usize>) {
        moves.clear();
        if self.ending().is_none() {
            moves.extend((0..self.cells.len()).filter(|&cell| self.cells[cell].is_none()));
        }
    }

    fn play(&mut self, cell: usize) {
        self.cells[cell] = Some(self.turn());
    }

    fn turn(&self) -> Player {
        Player::BOTH[(self.stage() as usize).div_ceil(2) % 2]
    }

    fn ending(&self) -> Option<Ending> {
        let row = |three: &&[Option<Player>]| three[0].is_some() && three.iter().all(|cell| *cell == three[0]);
        match self.cells.windows(3).find(row) {
            Some(three) => three[0].map(Ending::Win),
            None => self.cells.iter().all(Option::is_some).then_some(Ending::Draw),
        }
    }

    fn key(&self) -> Option<u128> {
        let digit = |cell: &Option<Player>| cell.map_or(0, |player| player as u128 + 1);
        Some(self.cells.iter().fold(0, |key, cell| 3 * key + digit(cell)))
    }

    fn canonical(&self) -> Self {
        let mut mirrored = self.clone();
        mirrored.cells.reverse();
        if mirrored.key() < self.key() { mirrored } else { self.clone() }
    }

    fn stage(&self) -> u32 {
        self.cells.iter().flatten().count() as u32
    }
}

/// The value of a state, by exhaustive search.
pub fn minimax<G: Game>(state: &G) -> Proof {
    if let Some(ending) = state.ending() {
        return Proof { ending, moves: 0 };
    }
    let mut moves = Vec::new();
    state.legal_moves(&mut moves);
    let after = |&played: &G::Move| {
        let mut after = state.clone();
        after.play(played);
        let Proof { ending, moves } = minimax(&after);
        Proof { ending, moves: moves + 1 }
    };
    moves.iter().map(after).max_by_key(|solved| solved.rank(state.turn())).expect("the game goes on")
}

struct Minimax;

impl<G: Game> Solver<G> for Minimax {
    fn solve(&mut self, state: &G, nodes: u64) -> Option<Proof> {
        // From earlier states it takes too many nodes, unless the caller insists.
        (nodes == u64::MAX || state.stage() >= 3).then(|| minimax(state))
    }
}

/// Noughts and crosses with a mistake.
#[derive(Clone)]
pub struct Flawed(pub TicTacToe, pub Flaw);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    None,
    Key,
    Canonical,
    Playout,
    Certificate,
    Solver,
    Text,
}

impl Game for Flawed {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        self.0.legal_moves(moves);
    }

    fn play(&mut self, cell: u8) {
        self.0.play(cell);
    }

    fn turn(&self) -> Player {
        self.0.turn()
    }

    fn ending(&self) -> Option<Ending> {
        self.0.ending()
    }

    fn playout(&mut self, policy: Option<usize>, rng: &mut Rng, moves: &mut Vec<u8>) -> Ending {
        let ending = self.0.playout(policy, rng, moves);
        if self.1 == Flaw::Playout && rng.below(4) == 0 { Ending::Draw } else { ending }
    }

    fn key(&self) -> Option<u128> {
        let forgets = if self.1 == Flaw::Key { !1 } else { !0 };
        self.0.key().map(|key| key & forgets)
    }

    fn canonical(&self) -> Self {
        let canonical = if self.1 == Flaw::Canonical { self.0.image(1) } else { self.0.canonical() };
        Flawed(canonical, self.1)
    }

    fn certify(&self, moves: &[u8]) -> Result<Option<Ending>, Illegal> {
        let ending = self.0.certify(moves)?;
        Ok(ending.map(|ending| if self.1 == Flaw::Certificate { Ending::Draw } else { ending }))
    }

    fn move_text(&self, played: u8) -> String {
        if self.1 == Flaw::Text { (played / 2).to_string() } else { played.to_string() }
    }

    fn solver(&self, _cancel: &Cancel) -> Option<Box<dyn Solver<Self>>> {
        Some(Box::new(FlawedSolver))
    }
}

struct FlawedSolver;

impl Solver<Flawed> for FlawedSolver {
    fn solve(&mut self, state: &Flawed, nodes: u64) -> Option<Proof> {
        let solved = Minimax.solve(&state.0, nodes)?;
        let wrong = state.1 == Flaw::Solver && state.0.stage() == 6;
        Some(if wrong { Proof { ending: Ending::Draw, ..solved } } else { solved })
    }
}
