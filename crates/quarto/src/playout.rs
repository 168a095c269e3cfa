//! Playouts at full speed.
//!
//! A playout needs neither the boards nor the cells of the lines: whether a piece wins somewhere follows from what it has in
//! common with the lines that lack one piece, and a policy that wins where it can need not know where.

use nestling::{Ending, Player, Rng};

use crate::game::QuartoPolicy;
use crate::lines::{HAVING, Lines, Variant};
use crate::piece::{Cell, Cells, Piece, Pieces};
use crate::position::Position;

/// Plays a position to its end by a policy.
pub(crate) fn play_out(position: &Position, policy: QuartoPolicy, rng: &mut Rng) -> Ending {
    if let Some(ending) = position.ending() {
        return ending;
    }
    match position.variant() {
        Variant::Lines => PlayoutState::<2>::new(position).play_out(policy, rng),
        Variant::Squares => PlayoutState::<3>::new(position).play_out(policy, rng),
    }
}

/// The state of a playout.
struct PlayoutState<const WORDS: usize> {
    lines: Lines<WORDS>,
    empty: u16,
    left: u16,
    hand: Option<Piece>,
    /// The player who has to choose next.
    turn: Player,
}

/// Random numbers for one turn: a cell and a piece.
struct Dice(u64);

impl Dice {
    /// A member of a set; the probabilities of the members differ by at most one in a hundred million.
    #[inline(always)]
    fn cell(&self, cells: u16) -> Cell {
        let below = ((self.0 & 0xFFFF_FFFF) * u64::from(cells.count_ones())) >> 32;
        Cells::from_bits(cells).pick(below as usize)
    }

    #[inline(always)]
    fn piece(&self, pieces: u16) -> Piece {
        let below = ((self.0 >> 32) * u64::from(pieces.count_ones())) >> 32;
        Pieces::from_bits(pieces).pick(below as usize)
    }
}

impl<const WORDS: usize> PlayoutState<WORDS> {
    fn new(position: &Position) -> Self {
        PlayoutState {
            lines: position.lines().first(),
            empty: position.empty().bits(),
            left: position.left().bits(),
            hand: position.hand(),
            turn: position.turn(),
        }
    }

    fn play_out(mut self, policy: QuartoPolicy, rng: &mut Rng) -> Ending {
        // With a constant the compiler makes a loop for each policy.
        match policy {
            QuartoPolicy::Random => self.run(QuartoPolicy::Random, rng),
            QuartoPolicy::First => self.run(QuartoPolicy::First, rng),
            QuartoPolicy::Playout => self.run(QuartoPolicy::Playout, rng),
            QuartoPolicy::Second => self.run(QuartoPolicy::Second, rng),
        }
    }

    #[inline(always)]
    fn run(&mut self, policy: QuartoPolicy, rng: &mut Rng) -> Ending {
        loop {
            let dice = Dice(rng.bits());
            if let Some(piece) = self.hand.take() {
                if policy != QuartoPolicy::Random && self.lines.hot() & piece.code() != 0 {
                    return Ending::Win(self.turn);
                }
                let cell = match policy {
                    QuartoPolicy::Second => self.careful_cell(piece, rng),
                    _ => dice.cell(self.empty),
                };
                self.empty ^= 1 << cell.index();
                self.lines.place(cell.index(), piece.code());
                if policy == QuartoPolicy::Random && self.lines.won() {
                    return Ending::Win(self.turn);
                }
                if self.empty == 0 {
                    return Ending::Draw;
                }
            }
            let mut gifts = self.left;
            if matches!(policy, QuartoPolicy::Playout | QuartoPolicy::Second) {
                gifts &= !HAVING[usize::from(self.lines.hot())];
                if gifts == 0 {
                    return Ending::Win(self.turn.other());
                }
            }
            let piece = dice.piece(gifts);
            self.left ^= 1 << piece.index();
            self.hand = Some(piece);
            self.turn = self.turn.other();
        }
    }

    /// Any of the cells that leave a piece to give that does not win at once, if there are such cells.
    fn careful_cell(&self, piece: Piece, rng: &mut Rng) -> Cell {
        let mut untried = self.empty;
        loop {
            let cell = Dice(rng.bits()).cell(untried);
            let mut lines = self.lines;
            lines.place(cell.index(), piece.code());
            if self.left & !HAVING[usize::from(lines.hot())] != 0 {
                return cell;
            }
            untried ^= 1 << cell.index();
            if untried == 0 {
                return Dice(rng.bits()).cell(self.empty);
            }
        }
    }
}
