//! Turns a strategy into an agent.

use super::agent::Staged;
use super::kind::{Players, StandardPlayers};
use super::policy::{PolicyAgent, no_such};
use super::strategy::{PlayerCatalogue, Strategy};
use super::{Agent, Setting};
use crate::expression::error::quoted;
use crate::game::Game;

/// Why a strategy cannot be played in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct StrategyError {
    /// One line that names the cause and the remedy.
    pub message: String,
}

pub(super) fn refused<T>(message: impl Into<String>) -> Result<T, StrategyError> {
    Err(StrategyError { message: message.into() })
}

type AgentOfSet<G> = for<'a> fn(&Strategy, &Seat<'a, G>) -> Option<Result<Box<dyn Agent<G>>, StrategyError>>;

/// A seat in a game: all that a [kind of player](super::PlayerKind) needs to make an agent.
pub struct Seat<'a, G: Game> {
    /// The state that the game starts from.
    pub start: &'a G,
    /// Resources and settings of the agent.
    pub setting: &'a Setting<G::Move>,
    agent: AgentOfSet<G>,
    players: fn() -> PlayerCatalogue,
}

impl<'a, G: Game> Seat<'a, G> {
    fn new<S: Players>(start: &'a G, setting: &'a Setting<G::Move>) -> Self {
        Seat { start, setting, agent: S::agent::<G>, players: PlayerCatalogue::of::<S> }
    }

    /// The number of a policy of the game; `None` is `random`.
    ///
    /// # Errors
    ///
    /// When the game has no policy of this name.
    pub fn policy(&self, name: &str) -> Result<Option<usize>, StrategyError> {
        match self.find_policy(name) {
            Some(found) => Ok(found),
            None => refused(no_such("policy", name, self.start.policies(), &[])),
        }
    }

    /// The number of a policy: `Some(None)` is `random`; `None` means that the game has no policy of this name.
    pub(super) fn find_policy(&self, name: &str) -> Option<Option<usize>> {
        if name == "random" {
            return Some(None);
        }
        self.start.policies().iter().position(|policy| *policy == name).map(Some)
    }

    /// The set of players that this one belongs to.
    pub(super) fn players(&self) -> PlayerCatalogue {
        (self.players)()
    }

    /// An agent that plays another strategy of the same set in this seat, for players that are made of others.
    ///
    /// # Errors
    ///
    /// When that strategy cannot be played in this game.
    pub fn agent(&self, strategy: &Strategy) -> Result<Box<dyn Agent<G>>, StrategyError> {
        strategy.check()?;
        self.checked_agent(strategy)
    }

    fn checked_agent(&self, strategy: &Strategy) -> Result<Box<dyn Agent<G>>, StrategyError> {
        let Some(then) = (self.agent)(strategy, self) else {
            let names: Vec<String> = self.players().forms().map(|form| form.name.to_owned()).collect();
            let (name, names) = (quoted(strategy.name()), names.join(", "));
            return refused(format!("the player {name} is not in this set of players, which has {names}"));
        };
        let then = then?;
        if strategy.from == 0 {
            return Ok(then);
        }
        let before = match &strategy.before {
            Some(before) => self.checked_agent(before)?,
            None => {
                Box::new(PolicyAgent { state: self.start.clone(), policy: self.start.policies().len().checked_sub(1) })
            }
        };
        Ok(Box::new(Staged { state: self.start.clone(), from: strategy.from, before, then }))
    }
}

impl Strategy {
    /// An agent that plays this strategy, one of [Nestling's own](StandardPlayers), in one game from `start` on.
    ///
    /// # Errors
    ///
    /// When the game has no such policy, or lacks something that the strategy needs; when a file of games that it mentions is missing from
    /// the setting; when it does not pass [`check`](Strategy::check).
    pub fn agent<G: Game>(&self, start: &G, setting: &Setting<G::Move>) -> Result<Box<dyn Agent<G>>, StrategyError> {
        self.agent_among::<StandardPlayers, G>(start, setting)
    }

    /// The same for a strategy of another set of players.
    ///
    /// # Errors
    ///
    /// Like [`agent`](Strategy::agent), and when the set has no such kind.
    pub fn agent_among<S: Players, G: Game>(
        &self,
        start: &G,
        setting: &Setting<G::Move>,
    ) -> Result<Box<dyn Agent<G>>, StrategyError> {
        Seat::new::<S>(start, setting).agent(self)
    }
}
