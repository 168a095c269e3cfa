//! `nestling prove --each-move`: games near a game: without one move and all moves that depend on it.

use anyhow::{Result, anyhow};
use nestling_morpion::{MorpionGame, ProofStep, Prover};
use serde_json::json;

use super::{End, Limits, longer_game};
use crate::text;

/// How many positions are searched for a move at first.
const FIRST_TRY: u64 = 1 << 10;

/// The result for every move of a game.
pub(super) struct EachMove {
    game: MorpionGame,
    moves: Vec<OneMove>,
    positions: u64,
    limits: Limits,
}

/// The game without a move and all that depend on it.
struct OneMove {
    prover: Prover,
    removed: usize,
}

impl OneMove {
    fn is_proven(&self) -> bool {
        self.prover.proven() >= self.removed
    }
}

/// Proves what it can: for every move a few positions, and again and again twice as many.
pub(super) fn run(game: &MorpionGame, limits: Limits) -> Result<(EachMove, End)> {
    let whole = Prover::new(game).map_err(|illegal| anyhow!("{illegal}"))?;
    let one = |place| {
        let (prover, removed) = whole.without(place);
        OneMove { prover, removed }
    };
    let moves: Vec<OneMove> = (0..game.moves.len()).map(one).collect();
    let mut each = EachMove { game: game.clone(), moves, positions: 0, limits };
    let end = each.run();
    each.limits.progress.finish();
    Ok((each, end))
}

impl EachMove {
    fn run(&mut self) -> End {
        let mut most = FIRST_TRY;
        loop {
            let mut left: Vec<usize> = (0..self.moves.len()).filter(|&place| !self.moves[place].is_proven()).collect();
            if left.is_empty() {
                return End::Whole;
            }
            left.sort_by_key(|&place| self.moves[place].removed);
            for place in left {
                if let Some(end) = self.attempt(place, most) {
                    return end;
                }
            }
            most *= 2;
        }
    }

    /// Searches so many positions without one of the moves; why it must end, if it must.
    fn attempt(&mut self, place: usize, most: u64) -> Option<End> {
        let (proven, all) = (self.proven().len(), self.moves.len());
        let EachMove { moves, positions, limits, .. } = self;
        let one = &mut moves[place];
        let (before, began) = (*positions, one.prover.positions());
        let mut end = None;
        while !one.is_proven() && end.is_none() {
            let step = one.prover.step(&mut |count| {
                let all_positions = before + (count - began);
                let say = || format!("{proven} of {all} moves proven, {} positions", text::count(all_positions));
                end = limits.reached(all_positions, say);
                end.is_none() && count - began <= most
            });
            match step {
                ProofStep::Proven => {}
                ProofStep::Longer(moves) => end = Some(End::Longer(moves)),
                ProofStep::Whole | ProofStep::Stopped => break,
            }
        }
        *positions = before + (one.prover.positions() - began);
        end
    }

    /// The numbers of the moves, from 1, without which no longer game is left.
    fn proven(&self) -> Vec<usize> {
        (1..).zip(&self.moves).filter(|(_, one)| one.is_proven()).map(|(number, _)| number).collect()
    }
}

pub(super) struct EachMoveReport<'a> {
    pub name: &'a str,
    pub problem: &'a str,
    pub each: &'a EachMove,
    pub end: &'a End,
}

impl EachMoveReport<'_> {
    pub fn words(&self) -> String {
        let EachMoveReport { name, problem, each, end } = self;
        let (proven, all) = (each.proven().len(), each.moves.len());
        let result = match end {
            End::Longer(moves) => {
                format!(
                    "not best: a game of {} moves has all but one of its moves and those that depend on it",
                    moves.len()
                )
            }
            _ => format!(
                "no longer game has all moves but one and those that depend on it: proven for {proven} of {all} moves"
            ),
        };
        let cost = text::plural(each.positions, "position");
        format!("{name}: {result} ({problem}, {cost}, {})\n", text::measured(each.limits.began.elapsed()))
    }

    pub fn json(&self) -> serde_json::Value {
        let EachMoveReport { name, problem, each, end } = self;
        json!({
            "game": name,
            "problem": problem,
            "moves": each.moves.len(),
            "proven_moves": each.proven(),
            "positions": each.positions,
            "seconds": each.limits.began.elapsed().as_secs_f64(),
            "stop": end.word(),
            "longer": longer_game(end, each.game.variant, 0),
        })
    }
}
