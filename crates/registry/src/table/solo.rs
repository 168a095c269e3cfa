//! A game for two as a problem for one, who makes the moves of both.

use std::sync::Arc;

use nestling::duel::{Contest, ContestError, Memories, Past, Played, Setting, Standing, Strategy, StrategyError};
use nestling::{Certificate, Ending, Game, Illegal, Player, Problem};
use serde_json::Value;

use super::session::Seated;
use super::{Level, MatchOrder, Remembered, Session, Table, Tabletop};
use crate::exhibit::{Canvas, Exhibit, Picture};

/// A game for two as a problem: the score is the first player's points, 1 for a win and ½ for a draw, or while the game goes
/// on. Nobody should search it for the best score; it is there so that games can be read, written, drawn and verified.
#[derive(Clone, Debug)]
pub struct Solo<G>(pub G);

fn points(ending: Option<Ending>) -> f64 {
    match ending {
        Some(Ending::Win(Player::First)) => 1.0,
        Some(Ending::Win(Player::Second)) => 0.0,
        Some(Ending::Draw) | None => 0.5,
    }
}

/// A game as people write it.
pub(super) fn texts<G: Game>(start: &G, moves: &[G::Move]) -> Vec<String> {
    let mut state = start.clone();
    let mut text = |&played: &G::Move| {
        let text = state.move_text(played);
        state.play(played);
        text
    };
    moves.iter().map(&mut text).collect()
}

impl<G: Game> Problem for Solo<G> {
    type Move = G::Move;

    fn legal_moves(&self, moves: &mut Vec<G::Move>) {
        self.0.legal_moves(moves);
    }

    fn play(&mut self, played: G::Move) {
        self.0.play(played);
    }

    fn score(&self) -> f64 {
        points(self.0.ending())
    }

    fn move_text(&self, played: G::Move) -> String {
        self.0.move_text(played)
    }

    fn certify(&self, moves: &[G::Move]) -> Result<Certificate, Illegal> {
        let ending = self.0.certify(moves)?;
        Ok(Certificate { score: points(ending), terminal: ending.is_some() })
    }
}

impl<G: Tabletop> Exhibit for Solo<G> {
    fn draw(&self, moves: &[G::Move], canvas: Canvas) -> String {
        self.0.draw(moves, canvas)
    }

    fn picture(&self, moves: &[G::Move], picture: &Picture) -> Option<String> {
        self.0.picture(moves, picture)
    }

    fn view(&self, moves: &[G::Move]) -> Option<Value> {
        let mut state = self.0.clone();
        moves.iter().for_each(|&played| state.play(played));
        state.view()
    }

    fn worth(&self, score: f64, complete: bool) -> String {
        let winner = if score == 0.5 { None } else { Some(if score == 1.0 { Player::First } else { Player::Second }) };
        match winner {
            Some(winner) => format!("the {winner} player wins"),
            None if complete => "a draw".to_owned(),
            None => "nobody has won yet".to_owned(),
        }
    }

    fn parse(&self, texts: &[&str]) -> Result<Vec<G::Move>, Illegal> {
        self.0.parse(texts)
    }

    fn table(&self) -> Option<&dyn Table> {
        Some(self)
    }
}

impl<G: Tabletop> Table for Solo<G> {
    fn check(&self, strategy: &Strategy, memories: &Remembered) -> Result<(), StrategyError> {
        strategy.agent(&self.0, &setting(&self.0, memories)?).map(drop)
    }

    fn contest(&self, order: &MatchOrder, listener: &mut dyn FnMut(&Played<String>)) -> Result<Standing, ContestError> {
        let MatchOrder { strategies, games, seed, threads, opening, cancel, memories } = order.clone();
        let memories = setting(&self.0, &memories)?.memories;
        let contest = Contest::new(&self.0, strategies).games(games).seed(seed).threads(threads).opening(opening);
        let contest = contest.memories(memories);
        contest.cancel(cancel).play(|played| {
            let Played { number, first, opening, ref moves, ending } = *played;
            listener(&Played { number, first, opening, moves: texts(&self.0, moves), ending });
        })
    }

    fn levels(&self) -> Vec<Level> {
        self.0.levels()
    }

    fn advisor(&self) -> Strategy {
        self.0.advisor()
    }

    fn sit_down(&self, memories: &Remembered) -> Result<Box<dyn Session>, StrategyError> {
        Ok(Box::new(Seated::new(self.0.clone(), setting(&self.0, memories)?)))
    }
}

/// One thread, and the games that strategies mention; those that are not over say nothing.
fn setting<G: Tabletop>(game: &G, memories: &Remembered) -> Result<Setting<G::Move>, StrategyError> {
    let read = |texts: &Vec<String>| -> Result<Option<Past<G::Move>>, Illegal> {
        let moves = game.parse(&texts.iter().map(String::as_str).collect::<Vec<_>>())?;
        Ok(game.certify(&moves)?.map(|ending| Past { moves, ending }))
    };
    let mut known = Memories::new();
    for (name, games) in memories {
        let past: Result<Vec<_>, Illegal> = games.iter().filter_map(|texts| read(texts).transpose()).collect();
        let past = past.map_err(|illegal| StrategyError { message: format!("games={name:?}: {illegal}") })?;
        known.insert(name.clone(), past);
    }
    Ok(Setting { memories: Arc::new(known), ..Setting::default() })
}
