//! From a strategy to somebody who plays it.

use super::agent::{PolicyAgent, Staged};
use super::alpha_beta::AlphaBetaAgent;
use super::exact::ExactAgent;
use super::joined::in_turns;
use super::strategy::{Kind, Strategy, Turns, Uct};
use super::turnwise::Turnwise;
use super::uct::UctAgent;
use super::{Agent, Joined, Past, Setting};
use crate::expression::error::{alternatives, nearest, quoted};
use crate::expression::scan::hint;
use crate::game::Game;

/// Why a strategy cannot be played in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct StrategyError {
    /// One line that names the culprit and the remedy.
    pub message: String,
}

fn refused<T>(message: String) -> Result<T, StrategyError> {
    Err(StrategyError { message })
}

impl Strategy {
    /// Somebody who plays this strategy in one game from `start` on.
    ///
    /// # Errors
    ///
    /// When the game has no such policy, or lacks what the strategy needs of it, or the setting has not the games it mentions.
    pub fn agent<G: Game>(&self, start: &G, setting: &Setting<G::Move>) -> Result<Box<dyn Agent<G>>, StrategyError> {
        let state = start.clone();
        let then: Box<dyn Agent<G>> = match &self.kind {
            Kind::Policy(name) => Box::new(PolicyAgent { policy: policy_of(start, name, true)?, state }),
            Kind::AlphaBeta { depth } => {
                Box::new(AlphaBetaAgent { state, depth: *depth, cancel: setting.cancel.clone() })
            }
            Kind::Exact => match start.solver() {
                Some(solver) => Box::new(ExactAgent { state, solver }),
                None => return refused("exact: this game has no exact solver; use uct(1000)".to_owned()),
            },
            Kind::Uct(uct) => searcher(uct, start, setting)?,
        };
        if self.from == 0 {
            return Ok(then);
        }
        let usual = || Strategy::policy(start.policies().last().copied().unwrap_or("random"));
        let before = self.before.as_deref().cloned().unwrap_or_else(usual).agent(start, setting)?;
        Ok(Box::new(Staged { state: start.clone(), from: self.from, before, then }))
    }
}

fn searcher<G: Game>(uct: &Uct, start: &G, setting: &Setting<G::Move>) -> Result<Box<dyn Agent<G>>, StrategyError> {
    needs_met(uct, start)?;
    let policy = policy_of(start, uct.policy.as_deref().unwrap_or(start.default_policy()), false)?;
    let past: &[Past<G::Move>] = match &uct.games {
        None => &[],
        Some(name) => match setting.memories.get(name) {
            Some(games) => games,
            None => return refused(format!("games={}: nobody has read these games", quoted(name))),
        },
    };
    Ok(match uct.turn {
        Turns::Split => {
            let mut agent = UctAgent::new(uct, policy, start, setting);
            agent.remember(past, uct.weight);
            Box::new(agent)
        }
        Turns::Joined => {
            let joined = Joined::new(start.clone());
            let in_turns = |past: &Past<G::Move>| Past { moves: in_turns(start, &past.moves), ending: past.ending };
            let mut agent = UctAgent::new(uct, policy, &joined, setting);
            agent.remember(&past.iter().map(in_turns).collect::<Vec<_>>(), uct.weight);
            Box::new(Turnwise::new(start.clone(), agent))
        }
    })
}

fn needs_met<G: Game>(uct: &Uct, start: &G) -> Result<(), StrategyError> {
    if (uct.transpositions || uct.symmetry) && start.key().is_none() {
        let option = if uct.transpositions { "transpositions" } else { "symmetry" };
        return refused(format!("{option}=on: this game has no keys for its positions; leave it out"));
    }
    if uct.exact.is_some() && start.solver().is_none() {
        return refused("exact=: this game has no exact solver; leave it out".to_owned());
    }
    Ok(())
}

/// The number of a policy; `None` is `random`.
fn policy_of<G: Game>(game: &G, name: &str, player: bool) -> Result<Option<usize>, StrategyError> {
    if name == "random" {
        return Ok(None);
    }
    let own = game.policies();
    if let Some(index) = own.iter().position(|policy| *policy == name) {
        return Ok(Some(index));
    }
    let searches: &[&str] = if player { &["uct(n)", "alphabeta(d)", "exact"] } else { &[] };
    let known: Vec<String> = ["random"].iter().chain(own).chain(searches).map(|name| name.to_string()).collect();
    let words = ["random"].into_iter().chain(own.iter().copied());
    let words = words.chain(["uct", "alphabeta", "exact"].into_iter().filter(|_| player));
    let (what, name, hint) = (if player { "player" } else { "policy" }, quoted(name), hint(nearest(name, words), ""));
    refused(format!("there is no {what} {name}, but {}{hint}", alternatives(&known).replace(" or ", " and ")))
}
