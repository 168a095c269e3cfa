//! A game for two as a problem for one, who makes the moves of both.

use std::marker::PhantomData;
use std::sync::Arc;

use nestling::duel::{Contest, ContestError, Memories, Past, Played, Players, Setting, StandardPlayers, Standing};
use nestling::duel::{Strategy, StrategyError};
use nestling::{Certificate, Ending, Game, Illegal, Player, Problem};
use nestling_presentation::{Canvas, GamePresentation, OpponentLevel, Picture, Presentation, texts};
use serde_json::Value;

use super::session::GameSession;
use super::{MatchOrder, Remembered, Session, Table};

/// A game for two as a problem: the score is the first player's points, 1 for a win and ½ for a draw, or while the game goes
/// on. Nobody should search it for the best score; it is there so that games can be read, written, drawn and verified.
///
/// `W` is the set of players that can be asked for at its table.
pub struct Solo<G, W = StandardPlayers> {
    game: G,
    players: PhantomData<fn() -> W>,
}

impl<G, W> Solo<G, W> {
    /// A game as a problem.
    pub fn new(game: G) -> Self {
        Solo { game, players: PhantomData }
    }
}

impl<G: Clone, W> Clone for Solo<G, W> {
    fn clone(&self) -> Self {
        Solo::new(self.game.clone())
    }
}

fn points(ending: Option<Ending>) -> f64 {
    match ending {
        Some(Ending::Win(Player::First)) => 1.0,
        Some(Ending::Win(Player::Second)) => 0.0,
        Some(Ending::Draw) | None => 0.5,
    }
}

impl<G: Game, W> Problem for Solo<G, W> {
    type Move = G::Move;

    fn legal_moves(&self, moves: &mut Vec<G::Move>) {
        self.game.legal_moves(moves);
    }

    fn play(&mut self, played: G::Move) {
        self.game.play(played);
    }

    fn score(&self) -> f64 {
        points(self.game.ending())
    }

    fn move_text(&self, played: G::Move) -> String {
        self.game.move_text(played)
    }

    fn certify(&self, moves: &[G::Move]) -> Result<Certificate, Illegal> {
        let ending = self.game.certify(moves)?;
        Ok(Certificate { score: points(ending), terminal: ending.is_some() })
    }
}

impl<G: GamePresentation, W: Players> Presentation for Solo<G, W> {
    fn draw(&self, moves: &[G::Move], canvas: Canvas) -> String {
        self.game.draw(moves, canvas)
    }

    fn picture(&self, moves: &[G::Move], picture: &Picture) -> Option<String> {
        self.game.picture(moves, picture)
    }

    fn view(&self, moves: &[G::Move]) -> Option<Value> {
        let mut state = self.game.clone();
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
        self.game.parse(texts)
    }
}

impl<G: GamePresentation, W: Players> Table for Solo<G, W> {
    fn check(&self, strategy: &Strategy, memories: &Remembered) -> Result<(), StrategyError> {
        strategy.agent_among::<W, G>(&self.game, &setting(&self.game, memories)?).map(drop)
    }

    fn contest(&self, order: &MatchOrder, listener: &mut dyn FnMut(&Played<String>)) -> Result<Standing, ContestError> {
        let MatchOrder { strategies, games, seed, threads, opening, cancel, moves, memories } = order.clone();
        let memories = setting(&self.game, &memories)?.memories;
        let contest = Contest::new(&self.game, strategies)
            .players::<W>()
            .games(games)
            .seed(seed)
            .threads(threads)
            .opening(opening);
        let contest = contest.memories(memories);
        contest.cancel(cancel).moves(moves).play(|played| {
            let Played { number, first, opening, ref moves, ending } = *played;
            listener(&Played { number, first, opening, moves: texts(&self.game, moves), ending });
        })
    }

    fn levels(&self) -> Vec<OpponentLevel> {
        self.game.levels()
    }

    fn advisor(&self) -> Strategy {
        self.game.advisor()
    }

    fn start_session(&self, memories: &Remembered) -> Result<Box<dyn Session>, StrategyError> {
        Ok(Box::new(GameSession::new::<W>(self.game.clone(), setting(&self.game, memories)?)))
    }
}

/// One thread, and the games that strategies mention; those that are not over say nothing.
fn setting<G: GamePresentation>(game: &G, memories: &Remembered) -> Result<Setting<G::Move>, StrategyError> {
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
