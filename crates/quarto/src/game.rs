//! Quarto as a game that Nestling can play, and the paper's players.
//!
//! *Playing Quarto with Monte Carlo Tree Search* has three that hardly look ahead. In the order of [`QuartoPolicy::ALL`]:
//! `first`, the policy its playouts used first; `playout`, the one they use now; and `second`, the program it was tested
//! against. All win at once where they can. Beside that `playout` gives no piece that wins at once, and `second` also places
//! so that there is such a piece to give.

use nestling::{Cancel, Ending, Game, Illegal, Player, Proof, Rng};

use crate::book::Book;
use crate::notation;
use crate::piece::{Cells, Pieces};
use crate::playout;
use crate::position::{Move, Position};
use crate::rules::Rules;
use crate::solver::{Limit, QuartoSolver};

/// The size of the table of the solver that a search asks for: 2^16 positions in half a MiB.
const TABLE_BITS: u32 = 16;

/// A way to play that hardly looks ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuartoPolicy {
    /// Any move.
    Random,
    /// Wins at once if possible; otherwise any move.
    First,
    /// Wins at once if possible; otherwise places anywhere and gives a piece that does not win at once, if there is one.
    Playout,
    /// The same, but it places so that there is such a piece, if it can.
    Second,
}

impl QuartoPolicy {
    /// The policies with their own names, as [`Game::policies`] numbers them.
    pub const ALL: [QuartoPolicy; 3] = [QuartoPolicy::First, QuartoPolicy::Playout, QuartoPolicy::Second];
    const NAMES: [&str; 3] = ["first", "playout", "second"];

    /// The policy with this number; `None` is the random one.
    pub fn numbered(number: Option<usize>) -> QuartoPolicy {
        number.map_or(QuartoPolicy::Random, |number| QuartoPolicy::ALL[number])
    }

    /// The cells it would place the piece in hand on, each with the same probability.
    pub fn cells(self, position: &Position) -> Cells {
        let winning = position.winning_cells();
        if self != QuartoPolicy::Random && !winning.is_empty() {
            return winning;
        }
        let leaves_a_gift = |cell: &_| {
            let mut after = *position;
            after.place(*cell);
            !after.safe_pieces().is_empty()
        };
        match self {
            QuartoPolicy::Second => {
                position.empty().iter().filter(leaves_a_gift).collect::<Cells>().or(position.empty())
            }
            _ => position.empty(),
        }
    }

    /// The pieces it would give, each with the same probability.
    pub fn pieces(self, position: &Position) -> Pieces {
        match self {
            QuartoPolicy::Random | QuartoPolicy::First => position.left(),
            QuartoPolicy::Playout | QuartoPolicy::Second => position.safe_pieces().or(position.left()),
        }
    }
}

impl Game for Position {
    type Move = Move;

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        moves.extend(self.moves());
    }

    #[inline]
    fn play(&mut self, played: Move) {
        self.play(played);
    }

    #[inline]
    fn turn(&self) -> Player {
        self.turn()
    }

    #[inline]
    fn ending(&self) -> Option<Ending> {
        self.ending()
    }

    fn policies(&self) -> &'static [&'static str] {
        &QuartoPolicy::NAMES
    }

    fn default_policy(&self) -> &'static str {
        "playout"
    }

    fn prefer(&self, policy: usize, moves: &mut Vec<Move>) {
        if moves.is_empty() {
            return;
        }
        let policy = QuartoPolicy::ALL[policy];
        match self.hand() {
            Some(_) => {
                let cells = policy.cells(self);
                moves.retain(|played| matches!(*played, Move::Place(cell) if cells.contains(cell)));
            }
            None => {
                let pieces = policy.pieces(self);
                moves.retain(|played| matches!(*played, Move::Give(piece) if pieces.contains(piece)));
            }
        }
    }

    /// Where every piece wins at once the paper's policy records a loss, whichever it gives.
    fn consider(&self, policy: usize, moves: &mut Vec<Move>) {
        self.prefer(policy, moves);
        let is_careful = matches!(QuartoPolicy::ALL[policy], QuartoPolicy::Playout | QuartoPolicy::Second);
        if self.hand().is_none() && is_careful && self.safe_pieces().is_empty() {
            moves.truncate(1);
        }
    }

    fn playout(&mut self, policy: Option<usize>, rng: &mut Rng, _moves: &mut Vec<Move>) -> Ending {
        playout::play_out(self, QuartoPolicy::numbered(policy), rng)
    }

    fn key(&self) -> Option<u128> {
        let hand = self.hand().map_or(16, |piece| piece.index() as u128);
        let variant = self.variant() as u128;
        Some(variant << 88 | hand << 80 | u128::from(self.empty().bits()) << 64 | u128::from(self.boards()))
    }

    fn canonical(&self) -> Self {
        self.canonical()
    }

    fn stage(&self) -> u32 {
        self.placed() as u32
    }

    fn solver(&self, cancel: &Cancel) -> Option<Box<dyn nestling::engine::Solver<Self>>> {
        let solver = QuartoSolver::new(TABLE_BITS).with_book(Book::standard(self.variant()));
        Some(Box::new(CancellableSolver { solver, cancel: cancel.clone() }))
    }

    fn move_text(&self, played: Move) -> String {
        played.to_string()
    }

    fn read_move(&self, text: &str) -> Result<Move, String> {
        let played = notation::read_move(text.trim(), self.hand().is_some())?;
        Rules::from(self).play(played).map(|()| played).map_err(|fault| fault.to_string())
    }

    fn certify(&self, moves: &[Move]) -> Result<Option<Ending>, Illegal> {
        let mut rules = Rules::from(self);
        for (index, &played) in moves.iter().enumerate() {
            rules.play(played).map_err(|fault| Illegal { index, reason: fault.to_string() })?;
        }
        Ok(rules.ending())
    }
}

/// The solver that searches ask.
struct CancellableSolver {
    solver: QuartoSolver,
    cancel: Cancel,
}

impl nestling::engine::Solver<Position> for CancellableSolver {
    fn solve(&mut self, state: &Position, nodes: u64) -> Option<Proof> {
        let is_cancelled = || self.cancel.is_cancelled();
        self.solver.solve(state, Limit::nodes(nodes).or_until(&is_cancelled))
    }

    fn ending(&mut self, state: &Position, nodes: u64) -> Option<Ending> {
        let is_cancelled = || self.cancel.is_cancelled();
        let verdict = self.solver.verdict(state, Limit::nodes(nodes).or_until(&is_cancelled));
        verdict.map(|verdict| verdict.to(state.turn()))
    }
}
