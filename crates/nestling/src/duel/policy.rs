//! Players that look only at the next move: `random`, and the policies of a game.

use super::seat::refused;
use super::{Agent, Decision, PlayerKind, Seat, Strategy, StrategyError};
use crate::expression::error::{alternatives, nearest, quoted};
use crate::expression::form::Form;
use crate::expression::scan::hint;
use crate::game::Game;
use crate::stream::Stream;

/// `random`: any legal move. Any name that no other player has: one of the moves that this policy of the game prefers.
pub struct PolicyPlayer;

impl PlayerKind for PolicyPlayer {
    const FORM: Form = Form {
        name: "random",
        example: "random",
        about: "plays a random legal move. The name of a policy of the game is a player too: it plays a random move among those that the policy prefers",
        ..Form::EMPTY
    };

    const TAKES_ANY_NAME: bool = true;

    fn agent<G: Game>(strategy: &Strategy, seat: &Seat<'_, G>) -> Result<Box<dyn Agent<G>>, StrategyError> {
        match seat.find_policy(strategy.name()) {
            Some(policy) => Ok(Box::new(PolicyAgent { state: seat.start.clone(), policy })),
            None => {
                let players = seat.players();
                let others: Vec<&Form> = players.others().collect();
                refused(no_such("player", strategy.name(), seat.start.policies(), &others))
            }
        }
    }
}

impl Strategy {
    /// `random`, or a policy of the game.
    pub fn policy(name: &str) -> Self {
        Strategy::of::<PolicyPlayer>().called(name)
    }
}

/// The message for a name that is neither `random` nor one of the game's policies nor another player.
pub(super) fn no_such(what: &str, name: &str, policies: &[&str], players: &[&Form]) -> String {
    let names = || ["random"].into_iter().chain(policies.iter().copied());
    let hint = hint(nearest(name, names().chain(players.iter().map(|form| form.name))), "");
    let known: Vec<String> = names().map(str::to_owned).chain(players.iter().map(|form| form.usage())).collect();
    format!("there is no {what} {}; there are {}{hint}", quoted(name), alternatives(&known).replace(" or ", " and "))
}

/// Plays any of the moves that a policy prefers; `None` allows all.
pub(super) struct PolicyAgent<G> {
    pub state: G,
    pub policy: Option<usize>,
}

impl<G: Game> Agent<G> for PolicyAgent<G> {
    fn observe(&mut self, played: G::Move) {
        self.state.play(played);
    }

    fn choose(&mut self, stream: Stream) -> Decision<G::Move> {
        let mut moves = Vec::new();
        self.state.legal_moves(&mut moves);
        if let Some(policy) = self.policy {
            self.state.prefer(policy, &mut moves);
        }
        Decision::plain(moves[stream.rng().below(moves.len())])
    }
}
