//! Alpha-beta search of limited depth: an opponent that looks at every move, but not far ahead.
//!
//! Knuth and Moore, *An Analysis of Alpha-Beta Pruning*, 1975.

use super::{Agent, Decision, PlayerKind, Seat, Strategy, StrategyError};
use crate::expression::form::{Argument, Form};
use crate::game::{Game, Player, PlayerResult};
use crate::stream::Stream;
use crate::watch::Cancel;

/// `alphabeta(d)`: all moves d deep; a state at that depth counts as a draw.
pub struct AlphaBetaPlayer;

impl PlayerKind for AlphaBetaPlayer {
    const FORM: Form = Form {
        name: "alphabeta",
        example: "alphabeta(3)",
        about: "searches all moves to depth d, and counts an unfinished game at that depth as a draw",
        arguments: &[Argument::integer("depth", 1, 1000).symbol("d").about("how many moves to look ahead")],
        ..Form::EMPTY
    };

    fn agent<G: Game>(strategy: &Strategy, seat: &Seat<'_, G>) -> Result<Box<dyn Agent<G>>, StrategyError> {
        let (depth, cancel) = (strategy.integer("depth") as u32, seat.setting.cancel.clone());
        Ok(Box::new(AlphaBetaAgent { state: seat.start.clone(), depth, cancel }))
    }
}

impl Strategy {
    /// `alphabeta(d)`: all moves `depth` deep.
    pub fn alpha_beta(depth: u32) -> Self {
        Strategy::of::<AlphaBetaPlayer>().with("depth", depth)
    }
}

/// Plays any of the moves that are best within its depth; a state at that depth counts as a draw.
struct AlphaBetaAgent<G> {
    state: G,
    depth: u32,
    /// When this is cancelled, it searches no further.
    cancel: Cancel,
}

impl<G: Game> Agent<G> for AlphaBetaAgent<G> {
    fn observe(&mut self, played: G::Move) {
        self.state.play(played);
    }

    fn choose(&mut self, stream: Stream) -> Decision<G::Move> {
        let mut moves = Vec::new();
        self.state.legal_moves(&mut moves);
        let player = self.state.turn();
        let mut best: Option<Worth> = None;
        let mut equal = Vec::new();
        for played in moves {
            let mut after = self.state.clone();
            after.play(played);
            // One step below the best so far, so that equal moves can be told from worse ones.
            let floor = best.map_or(Worth::WORST, |Worth(worth)| Worth(worth - 1));
            let worth = self.worth(&after, player, self.depth - 1, 1, floor, Worth::BEST);
            if best.is_none_or(|best| worth > best) {
                best = Some(worth);
                equal.clear();
            }
            if best == Some(worth) {
                equal.push(played);
            }
        }
        Decision::plain(equal[stream.rng().below(equal.len())])
    }
}

/// The value of a state to the player who chooses at the root: wins the sooner the better, losses the later the better, draws 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Worth(i32);

impl Worth {
    const BEST: Worth = Worth(1 << 20);
    const WORST: Worth = Worth(-(1 << 20));

    fn new(verdict: PlayerResult, distance: i32) -> Self {
        match verdict {
            PlayerResult::Win => Worth(Worth::BEST.0 - distance),
            PlayerResult::Draw => Worth(0),
            PlayerResult::Loss => Worth(Worth::WORST.0 + distance),
        }
    }
}

impl<G: Game> AlphaBetaAgent<G> {
    /// The value of a state if it lies between `low` and `high`; otherwise a bound outside that range, on the same side.
    fn worth(&self, state: &G, player: Player, depth: u32, distance: i32, low: Worth, high: Worth) -> Worth {
        if let Some(ending) = state.ending() {
            return Worth::new(ending.seen_by(player), distance);
        }
        if depth == 0 || self.cancel.is_cancelled() {
            return Worth::new(PlayerResult::Draw, distance);
        }
        let mut moves = Vec::new();
        state.legal_moves(&mut moves);
        let chooses = state.turn() == player;
        let (mut low, mut high) = (low, high);
        let mut best = if chooses { Worth::WORST } else { Worth::BEST };
        for played in moves {
            let mut after = state.clone();
            after.play(played);
            let worth = self.worth(&after, player, depth - 1, distance + 1, low, high);
            if chooses {
                best = best.max(worth);
                low = low.max(worth);
            } else {
                best = best.min(worth);
                high = high.min(worth);
            }
            if low >= high {
                break;
            }
        }
        best
    }
}
