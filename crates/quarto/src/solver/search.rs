//! The search: can the player to place force a win, or at least survive?
//!
//! Both are questions with two answers about the same tree, so a search is a proof, with no values to back up. To place
//! and then to give is one step. Only *safe* pieces are given, which win nowhere at once, so a piece in hand never wins
//! immediately, and who has no safe piece to give has lost.

use crate::piece::{Cell, Cells, Piece, Pieces};
use crate::position::Position;

use super::node::Node;
use super::table::{SolverGoal, SolverTable};
use super::{Interrupted, Limit};

/// With more empty cells than this the search tries the cells first that leave the fewest safe pieces.
const LAST: u32 = 3;

/// How often a search asks whether to stop, in nodes.
const STRIDE: u64 = 1 << 12;

pub(super) struct SolverSearch<'a> {
    pub table: &'a mut SolverTable,
    pub nodes: u64,
    pub limit: Limit<'a>,
    /// How many cells are empty after the last placement that counts: wins must come before. 0 is the whole game.
    pub floor: u32,
}

type GoalReached = Result<bool, Interrupted>;

impl SolverSearch<'_> {
    /// Whether the player whose turn it is reaches the goal; a piece in hand wins nowhere at once.
    pub fn choose<const WORDS: usize>(
        &mut self,
        node: &Node<WORDS>,
        position: &Position,
        goal: SolverGoal,
    ) -> GoalReached {
        let empty = position.empty().len() as u32;
        match position.hand() {
            Some(hand) => self.place(node, hand, empty, goal),
            None => self.give(node, empty, goal),
        }
    }

    /// Whether the player who has to place `hand`, which wins nowhere at once, reaches the goal.
    fn place<const WORDS: usize>(
        &mut self,
        node: &Node<WORDS>,
        hand: Piece,
        empty: u32,
        goal: SolverGoal,
    ) -> GoalReached {
        self.nodes += 1;
        if self.nodes.is_multiple_of(STRIDE) || self.nodes > self.limit.nodes {
            self.limit.check(self.nodes)?;
        }
        // The next placement that can win is the opponent's, the one after the player's own. They may be too late.
        let needed = if goal == SolverGoal::Win { 3 } else { 2 };
        if node.lines.dead() || empty < self.floor + needed {
            return Ok(goal == SolverGoal::Survive);
        }
        if goal == SolverGoal::Survive && empty == self.floor + 2 {
            // The opponent has only one more chance, so that any safe piece will do.
            return Ok(Cells::from_bits(!node.occupied).iter().any(|cell| node.place(hand, cell.index()).safe() != 0));
        }
        if empty <= LAST {
            return self.try_in_order(node, hand, empty, goal);
        }
        if empty <= Node::<WORDS>::DEEP {
            return self.try_narrow_first(node, hand, empty, goal);
        }
        let key = node.key(hand, self.floor);
        if let Some(known) = self.table.get(key, goal) {
            return Ok(known);
        }
        let reached = self.try_few_replies_first(node, hand, empty, goal)?;
        self.table.set(key, goal, reached);
        Ok(reached)
    }

    /// Tries the cells in their order.
    fn try_in_order<const WORDS: usize>(
        &mut self,
        node: &Node<WORDS>,
        hand: Piece,
        empty: u32,
        goal: SolverGoal,
    ) -> GoalReached {
        for cell in Cells::from_bits(!node.occupied) {
            let child = node.place(hand, cell.index());
            if self.give_any(&child, child.safe(), empty - 1, goal)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether giving one of these pieces reaches the goal.
    #[inline(always)]
    fn give_any<const WORDS: usize>(
        &mut self,
        node: &Node<WORDS>,
        safe: u16,
        empty: u32,
        goal: SolverGoal,
    ) -> GoalReached {
        let relevant = node.relevant();
        let mut tried = 0_u16;
        for piece in Pieces::from_bits(safe) {
            let kind = 1 << (piece.index() & relevant);
            if tried & kind == 0 && !self.place(&node.give(piece), piece, empty, goal.other())? {
                return Ok(true);
            }
            tried |= kind;
        }
        Ok(false)
    }

    /// Whether the player who has to give a piece reaches the goal.
    fn give<const WORDS: usize>(&mut self, node: &Node<WORDS>, empty: u32, goal: SolverGoal) -> GoalReached {
        let mut gifts: Vec<(u32, Piece)> = Vec::new();
        gifts.extend(Pieces::from_bits(node.safe()).iter().map(|piece| (node.give(piece).replies(piece), piece)));
        gifts.sort_unstable();
        for (_, piece) in gifts {
            if !self.place(&node.give(piece), piece, empty, goal.other())? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tries first the cells that leave the fewest safe pieces.
    fn try_narrow_first<const WORDS: usize>(
        &mut self,
        node: &Node<WORDS>,
        hand: Piece,
        empty: u32,
        goal: SolverGoal,
    ) -> GoalReached {
        let mut safe = [0; 16];
        let mut cells_with = [0_u16; 17];
        let mut counts = 0_u32;
        for cell in Cells::from_bits(!node.occupied) {
            let pieces = Pieces::from_bits(node.place(hand, cell.index()).safe());
            safe[cell.index()] = pieces.bits();
            cells_with[pieces.len()] |= 1 << cell.index();
            counts |= 1 << pieces.len();
        }
        counts &= !1;
        while counts != 0 {
            for cell in Cells::from_bits(cells_with[counts.trailing_zeros() as usize]) {
                let child = node.place(hand, cell.index());
                if self.give_any(&child, safe[cell.index()], empty - 1, goal)? {
                    return Ok(true);
                }
            }
            counts &= counts - 1;
        }
        Ok(false)
    }

    /// Tries first the moves that leave the opponent the fewest replies.
    fn try_few_replies_first<const WORDS: usize>(
        &mut self,
        node: &Node<WORDS>,
        hand: Piece,
        empty: u32,
        goal: SolverGoal,
    ) -> GoalReached {
        let mut moves: Vec<(u32, u8, Piece)> = Vec::with_capacity(256);
        for cell in Cells::from_bits(!node.occupied) {
            let child = node.place(hand, cell.index());
            for piece in Pieces::from_bits(child.safe()) {
                let child = child.give(piece);
                // A reply that is known to fail makes all others needless.
                if empty > Node::<WORDS>::DEEP + 1 {
                    match self.table.get(child.key(piece, self.floor), goal.other()) {
                        Some(false) => return Ok(true),
                        Some(true) => continue,
                        None => {}
                    }
                }
                moves.push((child.replies(piece), cell.index() as u8, piece));
            }
        }
        moves.sort_unstable();
        for (_, cell, piece) in moves {
            let child = node.place(hand, cell.into()).give(piece);
            if !self.place(&child, piece, empty - 1, goal.other())? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl<const WORDS: usize> Node<WORDS> {
    /// With more empty cells than this the search keeps a table, takes symmetry into account, and sorts moves by what they
    /// leave to the opponent. Further down all of these take more time than they save, with squares sooner, since these
    /// leave fewer pieces safe.
    const DEEP: u32 = if WORDS == 2 { 7 } else { 9 };

    /// How many safe moves, a cell and a piece, there are with this piece in hand.
    fn replies(&self, hand: Piece) -> u32 {
        let replies = |cell: Cell| self.place(hand, cell.index()).safe().count_ones();
        Cells::from_bits(!self.occupied).iter().map(replies).sum()
    }
}
