//! Matches: two strategies play many games and take turns in moving first.
//!
//! Each game and each move in it has its own stream, so that the result does not depend on the threads. Games 2k and 2k + 1 are a pair: the
//! same opening with the seats exchanged.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

use super::seat::StrategyError;
use super::{Agent, Memories, Players, Setting, StandardPlayers, Strategy};
use crate::game::{Ending, Game, Player, PlayerResult};
use crate::problem::Illegal;
use crate::run::setters;
use crate::stream::Stream;
use crate::watch::Cancel;

/// One of the two strategies of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The strategy that was named first.
    A,
    /// The other one.
    B,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }
}

/// A game of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Played<M> {
    /// Its number, from 0.
    pub number: u64,
    /// The side that had the first move.
    pub first: Side,
    /// How many of the moves are the random opening of the pair.
    pub opening: usize,
    /// All moves.
    pub moves: Vec<M>,
    /// Its ending, by the plain rules.
    pub ending: Ending,
}

impl<M> Played<M> {
    /// Which player a side was.
    pub fn seat(&self, side: Side) -> Player {
        if side == self.first { Player::First } else { Player::Second }
    }

    /// The result of the game for a side.
    pub fn verdict(&self, side: Side) -> PlayerResult {
        self.ending.seen_by(self.seat(side))
    }
}

/// Games won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchCounts {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl MatchCounts {
    /// Counts one more.
    pub fn add(&mut self, verdict: PlayerResult) {
        match verdict {
            PlayerResult::Win => self.wins += 1,
            PlayerResult::Draw => self.draws += 1,
            PlayerResult::Loss => self.losses += 1,
        }
    }

    /// How many games.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

/// The result of a match for side A; A's wins are B's losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// A's games with the first move.
    pub as_first: MatchCounts,
    /// A's games without it.
    pub as_second: MatchCounts,
}

impl Standing {
    /// Counts one more game.
    pub fn add<M>(&mut self, played: &Played<M>) {
        let seat = if played.first == Side::A { &mut self.as_first } else { &mut self.as_second };
        seat.add(played.verdict(Side::A));
    }

    /// Both seats together.
    pub fn total(self) -> MatchCounts {
        let Standing { as_first: one, as_second: two } = self;
        MatchCounts { wins: one.wins + two.wins, draws: one.draws + two.draws, losses: one.losses + two.losses }
    }

    /// A's points per game, a draw being half a point; ½ before the first game.
    pub fn score(self) -> f64 {
        let MatchCounts { wins, draws, .. } = self.total();
        if self.total().games() == 0 { 0.5 } else { (wins as f64 + draws as f64 / 2.0) / self.total().games() as f64 }
    }

    /// The 95 % confidence interval of the score (Wilson 1927). With draws the exact interval is a little narrower.
    ///
    /// ```
    /// use nestling::duel::{MatchCounts, Standing};
    /// let standing = Standing { as_first: MatchCounts { wins: 50, draws: 0, losses: 0 }, ..Standing::default() };
    /// let (low, high) = standing.interval();
    /// assert!((low - 0.9287).abs() < 0.0001 && (high - 1.0).abs() < 1e-9);
    /// ```
    pub fn interval(self) -> (f64, f64) {
        wilson(self.score(), self.total().games())
    }
}

/// Wilson's 95 % confidence interval of a share observed in `count` trials.
fn wilson(share: f64, count: u64) -> (f64, f64) {
    if count == 0 {
        return (0.0, 1.0);
    }
    let (count, z) = (count as f64, 1.959_964);
    let scale = 1.0 + z * z / count;
    let middle = (share + z * z / (2.0 * count)) / scale;
    let half = z / scale * (share * (1.0 - share) / count + z * z / (4.0 * count * count)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// Why a match could not be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContestError {
    /// A strategy cannot play this game.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The plain rules refuse a game that was played: an error in the game's engine.
    #[error("game {}: the rules refuse it: {illegal}", number + 1)]
    Illegal {
        /// The game's number, from 0.
        number: u64,
        /// The move that was refused.
        illegal: Illegal,
    },
}

type MakeAgent<G> = fn(&Strategy, &G, &Setting<<G as Game>::Move>) -> Result<Box<dyn Agent<G>>, StrategyError>;

/// A match to be played.
#[derive(Debug)]
pub struct Contest<'a, G: Game> {
    game: &'a G,
    strategies: [Strategy; 2],
    agent: MakeAgent<G>,
    games: u64,
    seed: u64,
    threads: usize,
    opening: usize,
    cancel: Cancel,
    moves: Arc<AtomicU64>,
    memories: Arc<Memories<G::Move>>,
}

/// How often a random opening is drawn again because it ends the game.
const DRAWS: u64 = 1000;

impl<'a, G: Game> Contest<'a, G> {
    /// Side A against side B: a pair of games with seed 0, on one thread, from the start of the game.
    pub fn new(game: &'a G, strategies: [Strategy; 2]) -> Self {
        Contest {
            game,
            strategies,
            agent: Strategy::agent_among::<StandardPlayers, G>,
            games: 2,
            seed: 0,
            threads: 1,
            opening: 0,
            cancel: Cancel::new(),
            moves: Arc::default(),
            memories: Arc::default(),
        }
    }

    setters! {
        /// How many games.
        games: u64 = games;
        /// The seed. The same seed gives the same games, unless a strategy goes by the clock.
        seed: u64 = seed;
        /// On how many threads. The result does not depend on it, unless a strategy goes by the clock.
        threads: usize = threads.max(1);
        /// The number of random moves that both games of a pair begin with.
        opening: usize = opening;
        /// Ends the match when it is cancelled; unfinished games are dropped.
        cancel: Cancel = cancel;
        /// Counts the moves that the players have made in all games, for progress displays.
        moves: Arc<AtomicU64> = moves;
        /// The games that the strategies mention.
        memories: Arc<Memories<G::Move>> = memories;
    }

    /// Replaces [Nestling's own](StandardPlayers) players by this set.
    #[must_use]
    pub fn players<S: Players>(mut self) -> Self {
        self.agent = Strategy::agent_among::<S, G>;
        self
    }

    fn setting(&self, threads: usize) -> Setting<G::Move> {
        Setting { threads, cancel: self.cancel.clone(), memories: Arc::clone(&self.memories) }
    }

    /// Plays the games and hands them to `listener` in their order.
    ///
    /// # Errors
    ///
    /// When a strategy cannot play this game.
    pub fn play(&self, mut listener: impl FnMut(&Played<G::Move>)) -> Result<Standing, ContestError> {
        for strategy in &self.strategies {
            (self.agent)(strategy, self.game, &self.setting(1))?;
        }
        let (workers, inner) = self.share_of_threads();
        if workers == 1 {
            return self.play_in_order(inner, listener);
        }
        let next = AtomicU64::new(0);
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.games {
                            return;
                        }
                        let Some(played) = self.play_one(number, inner).transpose() else { return };
                        if sender.send((number, played)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let (mut standing, mut done) = (Standing::default(), 0);
            let mut waiting = BTreeMap::new();
            for (number, played) in receiver {
                waiting.insert(number, played);
                while let Some(played) = waiting.remove(&done) {
                    let played = played?;
                    standing.add(&played);
                    listener(&played);
                    done += 1;
                }
            }
            Ok(standing)
        })
    }

    /// Plays one game after the other on this thread: WebAssembly has no other.
    fn play_in_order(
        &self,
        threads: usize,
        mut listener: impl FnMut(&Played<G::Move>),
    ) -> Result<Standing, ContestError> {
        let mut standing = Standing::default();
        for number in 0..self.games {
            let Some(played) = self.play_one(number, threads)? else { break };
            standing.add(&played);
            listener(&played);
        }
        Ok(standing)
    }

    /// How many games are played at once, and how many threads each may use. Trees with a time budget need a thread each.
    fn share_of_threads(&self) -> (usize, usize) {
        let games = usize::try_from(self.games).unwrap_or(usize::MAX).max(1);
        let timed = self.strategies.iter().any(Strategy::is_timed);
        let width = self.strategies.iter().map(Strategy::width).max().unwrap_or(1);
        let inner = if timed { width.min(self.threads) } else { 1 };
        let workers = (self.threads / inner).min(games).max(1);
        (workers, self.threads / workers)
    }

    /// One game; `None` if it was cancelled.
    fn play_one(&self, number: u64, threads: usize) -> Result<Option<Played<G::Move>>, ContestError> {
        let stream = Stream::new(self.seed).child(number);
        let first = if number.is_multiple_of(2) { Side::A } else { Side::B };
        let strategies = if first == Side::A { [0, 1] } else { [1, 0] };
        let mut agents: Vec<Box<dyn Agent<G>>> = Vec::new();
        for index in strategies {
            agents.push((self.agent)(&self.strategies[index], self.game, &self.setting(threads))?);
        }
        let mut moves = self.opening_of(number / 2);
        let opening = moves.len();
        let mut state = self.game.clone();
        for &played in &moves {
            state.play(played);
            agents.iter_mut().for_each(|agent| agent.observe(played));
        }
        while state.ending().is_none() {
            if self.cancel.is_cancelled() {
                return Ok(None);
            }
            let agent = &mut agents[if state.turn() == Player::First { 0 } else { 1 }];
            let played = agent.choose(stream.child(moves.len() as u64)).played;
            if self.cancel.is_cancelled() {
                return Ok(None);
            }
            state.play(played);
            moves.push(played);
            self.moves.fetch_add(1, Ordering::Relaxed);
            agents.iter_mut().for_each(|agent| agent.observe(played));
        }
        match self.game.certify(&moves) {
            Ok(Some(ending)) => Ok(Some(Played { number, first, opening, moves, ending })),
            Ok(None) => {
                let reason = "the game is not over after its last move".to_owned();
                Err(ContestError::Illegal { number, illegal: Illegal { index: moves.len(), reason } })
            }
            Err(illegal) => Err(ContestError::Illegal { number, illegal }),
        }
    }

    /// The random opening of a pair. If it ends the game it is drawn again; after too many draws it is shortened.
    fn opening_of(&self, pair: u64) -> Vec<G::Move> {
        let stream = Stream::new(self.seed).own().child(pair);
        let (mut legal, mut moves) = (Vec::new(), Vec::new());
        for draw in 0..DRAWS {
            let mut rng = stream.child(draw).rng();
            let mut state = self.game.clone();
            moves.clear();
            while moves.len() < self.opening && state.ending().is_none() {
                state.legal_moves(&mut legal);
                let played = legal[rng.below(legal.len())];
                state.play(played);
                moves.push(played);
            }
            if state.ending().is_none() {
                return moves;
            }
        }
        moves.pop();
        moves
    }
}
