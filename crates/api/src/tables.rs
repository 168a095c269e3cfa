//! Games for two: who can be played against, what they reply, what every move is worth.

use nestling::Cancel;
use nestling::duel::StrategyError;
use nestling_registry::json::{level, opinion};
use nestling_registry::{Instance, Remembered, Session, Table};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::problems::Named;
use crate::{Host, Refusal, Reply, Request, RequestResult, limits};

/// The levels of a game.
pub(crate) fn levels(host: &dyn Host, request: &Request<'_>) -> RequestResult<Reply> {
    let Named { problem } = request.asked()?;
    let problem = host.registry().open(&problem)?;
    let table = table(problem.as_ref())?;
    let levels: Vec<Value> = table.levels().iter().map(level).collect();
    Ok(json!({ "problem": problem.name(), "levels": levels, "advisor": table.advisor().to_string() }).into())
}

fn table(problem: &dyn Instance) -> RequestResult<&dyn Table> {
    let none = || Refusal::impossible(format!("{} is not a two-player game", problem.name()));
    problem.table().ok_or_else(none)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Turn {
    problem: String,
    moves: Vec<String>,
    /// The name of a level; without it, whoever gives hints.
    level: Option<String>,
    seed: Option<u64>,
}

/// A game after some moves that is not over.
fn session(table: &dyn Table, moves: &[String], cancel: Cancel) -> RequestResult<Box<dyn Session>> {
    let mut session = table.start_session(&Remembered::new()).map_err(refused)?;
    session.heed(cancel);
    for (index, text) in moves.iter().enumerate() {
        let illegal = |reason| Refusal::impossible(format!("move {}: {reason}", index + 1));
        session.play(text).map_err(illegal)?;
    }
    match session.ending() {
        Some(_) => Err(Refusal::impossible("the game is over; there is no move left")),
        None => Ok(session),
    }
}

fn refused(error: StrategyError) -> Refusal {
    Refusal::impossible(error.to_string())
}

/// What a level plays, or whoever gives hints.
pub(crate) fn reply(host: &dyn Host, request: &Request<'_>) -> RequestResult<Reply> {
    let turn: Turn = request.json()?;
    let problem = host.registry().open(&turn.problem)?;
    let table = table(problem.as_ref())?;
    let strategy = match &turn.level {
        None => table.advisor(),
        Some(name) => {
            let levels = table.levels();
            let found = levels.iter().find(|level| level.name == *name).map(|level| level.strategy.clone());
            let names: Vec<&str> = levels.iter().map(|level| level.name.as_str()).collect();
            found.ok_or_else(|| {
                let name: String = name.chars().take(40).collect();
                Refusal::impossible(format!("level {name:?}: the levels are {}", names.join(", ")))
            })?
        }
    };
    let mut session = session(table, &turn.moves, host.cancel())?;
    let (player, seed) = (session.turn(), turn.seed.unwrap_or_else(nestling_registry::drawn_seed));
    let thought = session.think(&strategy, seed, host.threads()).map_err(refused)?;
    let reply = json!({
        "move": thought.played,
        "deed": thought.deed,
        "opinions": thought.opinions.iter().map(|one| opinion(one, player)).collect::<Vec<_>>(),
        "strategy": strategy.to_string(),
        "seed": seed,
    });
    Ok(reply.into())
}

/// What every move is worth to the player who has to move.
pub(crate) fn analysis(host: &dyn Host, request: &Request<'_>) -> RequestResult<Reply> {
    let turn: Turn = request.json()?;
    let problem = host.registry().open(&turn.problem)?;
    let table = table(problem.as_ref())?;
    let mut session = session(table, &turn.moves, host.cancel())?;
    let (player, seed) = (session.turn(), turn.seed.unwrap_or(0));
    let opinions = session.weigh(&table.advisor(), limits::ANALYSIS, seed, host.threads()).map_err(refused)?;
    let analysis = json!({
        "turn": player.to_string(),
        "opinions": opinions.iter().map(|one| opinion(one, player)).collect::<Vec<_>>(),
    });
    Ok(analysis.into())
}
