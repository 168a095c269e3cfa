//! Matches of games for two.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use nestling::duel::{Played, Side};
use nestling_registry::{MatchOrder, all_threads, drawn_seed, json};
use pyo3::prelude::*;

use crate::job::Cancel;
use crate::opened::Opened;
use crate::{REGISTRY, detached, refused};

/// Plays a match, and returns its result as JSON. `listener(first, winner, moves)` is called for every game: who began and who won, as
/// 0 or 1, or None for a draw.
#[pyfunction]
#[pyo3(signature = (game, players, games, listener, cancel, seed = None, threads = None, opening = 0))]
#[expect(clippy::too_many_arguments, reason = "Python gives them names")]
pub fn play_match(
    py: Python<'_>,
    game: &Opened,
    players: [String; 2],
    games: u64,
    listener: Py<PyAny>,
    cancel: &Cancel,
    seed: Option<u64>,
    threads: Option<usize>,
    opening: usize,
) -> PyResult<String> {
    let name = game.problem.name();
    let table = game.problem.table();
    let table = table.ok_or_else(|| refused(format!("{name} is not a two-player game; use nestling.solve")))?;
    let player =
        |text: &String| REGISTRY.players().parse(text).map_err(|error| refused(format!("player {text:?}: {error}")));
    let [one, other] = players.each_ref().map(player);
    let strategies = [one?, other?];
    for strategy in &strategies {
        table
            .check(strategy, &HashMap::new())
            .map_err(|error| refused(format!("player {:?}: {error}", strategy.to_string())))?;
    }
    let order = MatchOrder {
        strategies,
        games,
        seed: seed.unwrap_or_else(drawn_seed),
        threads: threads.unwrap_or_else(all_threads),
        opening,
        cancel: cancel.0.clone(),
        moves: Arc::default(),
        memories: HashMap::new(),
    };
    let (began, mut failed) = (Instant::now(), None);
    let mut hear = |played: &Played<String>| {
        let side = |side: Side| u8::from(side == Side::B);
        let winner = match played.verdict(Side::A) {
            nestling::PlayerResult::Win => Some(0),
            nestling::PlayerResult::Draw => None,
            nestling::PlayerResult::Loss => Some(1),
        };
        let told = Python::attach(|py| {
            py.check_signals()?;
            listener.call1(py, (side(played.first), winner, played.moves.clone())).map(drop)
        });
        if let Err(error) = told {
            order.cancel.cancel();
            failed.get_or_insert(error);
        }
    };
    let standing = detached(py, || table.contest(&order, &mut hear))?.map_err(refused)?;
    if let Some(error) = failed {
        return Err(error);
    }
    Ok(json::standing(name, &order, &standing, began.elapsed()).to_string())
}
