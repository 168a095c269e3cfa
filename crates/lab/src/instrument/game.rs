//! Games of one player against another.

use std::sync::Arc;
use std::time::Instant;

use nestling::duel::{Side, Strategy};
use nestling::{Cancel, PlayerResult};
use nestling_registry::{Instance, MatchOrder, Registry, Remembered};

use super::{Taken, Trouble};
use crate::reading::Reading;

pub(crate) struct Pairing {
    game: Box<dyn Instance>,
    player: Strategy,
    opponent: Strategy,
}

impl Pairing {
    pub fn prepare(game: &str, players: [&String; 2], registry: &Registry) -> Result<Self, String> {
        let game = registry.open(game).map_err(|error| error.to_string())?;
        let [player, opponent] = players.map(|text| registry.players().parse(text).map_err(|error| error.to_string()));
        let pairing = Pairing { game, player: player?, opponent: opponent? };
        let table = pairing.game.table().ok_or_else(|| format!("{} is not a two-player game", pairing.game.name()))?;
        for strategy in [&pairing.player, &pairing.opponent] {
            table.check(strategy, &Remembered::new()).map_err(|error| error.to_string())?;
        }
        Ok(pairing)
    }

    /// One game; the player has the first move if its number is even.
    pub fn take(&self, number: u64, seed: u64, cancel: &Cancel) -> Result<Taken, Trouble> {
        let table = self.game.table().expect("it was there when it was prepared");
        // A match of one game begins with the side that is named first.
        let (strategies, side) = match number.is_multiple_of(2) {
            true => ([self.player.clone(), self.opponent.clone()], Side::A),
            false => ([self.opponent.clone(), self.player.clone()], Side::B),
        };
        let memories = Remembered::new();
        let (cancel, moves) = (cancel.clone(), Arc::default());
        let order = MatchOrder { strategies, games: 1, seed, threads: 1, opening: 0, cancel, moves, memories };
        let (began, mut played) = (Instant::now(), None);
        let contest = table.contest(&order, &mut |game| played = Some((game.verdict(side), game.moves.len())));
        let seconds = Some(began.elapsed().as_secs_f64());
        contest.map_err(|error| Trouble::Failed(error.to_string()))?;
        let (verdict, moves) = played.ok_or(Trouble::Cancelled)?;
        let score = match verdict {
            PlayerResult::Win => 1.0,
            PlayerResult::Draw => 0.5,
            PlayerResult::Loss => 0.0,
        };
        let reading = Reading { score, seconds, moves: moves as u64, ..Reading::default() };
        Ok(Taken { reading, game: None, distribution: None })
    }
}
