//! A game that is played move by move, by people and programs.

use nestling::duel::{Agent, Decision, Players, Setting, Strategy, StrategyError};
use nestling::{Cancel, Ending, Player, PlayerResult, Proof, Stream};

use nestling_presentation::{Canvas, GamePresentation, texts};

/// A game in progress, its type forgotten.
pub trait Session {
    /// The player who makes the next move.
    fn turn(&self) -> Player;

    /// How the game has ended, if it has, and why.
    fn ending(&self) -> Option<(Ending, Option<String>)>;

    /// The task of the player to move.
    fn task(&self) -> String;

    /// A picture of the state.
    fn draw(&self, canvas: Canvas) -> String;

    /// The legal moves as people write them.
    fn choices(&self) -> Vec<String>;

    /// The moves so far.
    fn moves(&self) -> Vec<String>;

    /// Plays a move and returns it as the game writes it.
    ///
    /// # Errors
    ///
    /// The error in the text, in one line; the game is unchanged.
    fn play(&mut self, text: &str) -> Result<String, String>;

    /// Takes the last move back and says whether there was one.
    fn undo(&mut self) -> bool;

    /// The move that a strategy would play now. It keeps its tree from move to move, as long as no move is taken back.
    ///
    /// # Errors
    ///
    /// When the strategy does not fit the game.
    fn think(&mut self, strategy: &Strategy, seed: u64, threads: usize) -> Result<Thought, StrategyError>;

    /// From now on, thinking ends with what seems best so far when this is pressed.
    fn heed(&mut self, cancel: Cancel);

    /// The value of every legal move, in the game's order: exact if the game's solver finds it within about so many nodes,
    /// elsewhere as the strategy estimates. A move of which a strategy says nothing, being like another, has no visits.
    ///
    /// # Errors
    ///
    /// When the strategy does not fit the game.
    fn weigh(
        &mut self,
        strategy: &Strategy,
        nodes: u64,
        seed: u64,
        threads: usize,
    ) -> Result<Vec<Opinion>, StrategyError>;
}

/// A move that a strategy would play, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// The move, as people write it.
    pub played: String,
    /// The move in words, as in "gives DTQF".
    pub deed: String,
    /// Its assessments of the moves, the most visited first.
    pub opinions: Vec<Opinion>,
}

/// A strategy's assessment of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    /// The move, as people write it.
    pub played: String,
    /// How many simulations went this way.
    pub visits: u64,
    /// The value of the move to the player to move, from 0 to 1.
    pub value: f64,
    /// Its proven result, if there is one; the number of moves counts from the position after it.
    pub proof: Option<Proof>,
}

impl Opinion {
    /// The assessment of a move without simulations.
    fn proven(played: String, proof: Option<Proof>, player: Player) -> Self {
        let value = match proof.map(|solved| solved.ending.seen_by(player)) {
            Some(PlayerResult::Win) => 1.0,
            Some(PlayerResult::Loss) => 0.0,
            Some(PlayerResult::Draw) | None => 0.5,
        };
        Opinion { played, visits: 0, value, proof }
    }
}

/// The one implementation of [`Session`].
pub(super) struct GameSession<G: GamePresentation> {
    start: G,
    state: G,
    moves: Vec<G::Move>,
    setting: Setting<G::Move>,
    /// The agents that were asked so far; each has been told all moves.
    thinkers: Vec<(Strategy, Box<dyn Agent<G>>)>,
    /// Makes an agent of a strategy of the table's set.
    agent: MakeAgent<G>,
}

type MakeAgent<G> =
    fn(&Strategy, &G, &Setting<<G as nestling::Game>::Move>) -> Result<Box<dyn Agent<G>>, StrategyError>;

impl<G: GamePresentation> GameSession<G> {
    pub fn new<W: Players>(start: G, setting: Setting<G::Move>) -> Self {
        let (state, agent) = (start.clone(), Strategy::agent_among::<W, G> as MakeAgent<G>);
        GameSession { state, start, moves: Vec::new(), setting, thinkers: Vec::new(), agent }
    }
}

impl<G: GamePresentation> Session for GameSession<G> {
    fn turn(&self) -> Player {
        self.state.turn()
    }

    fn ending(&self) -> Option<(Ending, Option<String>)> {
        self.state.ending().map(|ending| (ending, self.state.reason()))
    }

    fn task(&self) -> String {
        self.state.task()
    }

    fn draw(&self, canvas: Canvas) -> String {
        self.start.draw(&self.moves, canvas)
    }

    fn choices(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.state.legal_moves(&mut moves);
        moves.into_iter().map(|played| self.state.move_text(played)).collect()
    }

    fn moves(&self) -> Vec<String> {
        texts(&self.start, &self.moves)
    }

    fn play(&mut self, text: &str) -> Result<String, String> {
        let played = self.state.read_move(text)?;
        let text = self.state.move_text(played);
        self.state.play(played);
        self.moves.push(played);
        self.thinkers.iter_mut().for_each(|(_, agent)| agent.observe(played));
        Ok(text)
    }

    fn undo(&mut self) -> bool {
        let undone = self.moves.pop().is_some();
        self.state = self.start.clone();
        self.moves.iter().for_each(|&played| self.state.play(played));
        self.thinkers.clear();
        undone
    }

    fn think(&mut self, strategy: &Strategy, seed: u64, threads: usize) -> Result<Thought, StrategyError> {
        let index = match self.thinkers.iter().position(|(known, _)| known == strategy) {
            Some(index) => index,
            None => {
                let mut agent = (self.agent)(strategy, &self.start, &Setting { threads, ..self.setting.clone() })?;
                self.moves.iter().for_each(|&played| agent.observe(played));
                self.thinkers.push((strategy.clone(), agent));
                self.thinkers.len() - 1
            }
        };
        let stream = Stream::new(seed).child(self.moves.len() as u64);
        let Decision { played, assessments } = self.thinkers[index].1.choose(stream);
        let player = self.state.turn();
        let mut opinions: Vec<_> = assessments
            .iter()
            .map(|assessment| Opinion {
                played: self.state.move_text(assessment.played),
                visits: assessment.visits,
                value: assessment.value(player, 0.5),
                proof: assessment.proof,
            })
            .collect();
        opinions.sort_by_key(|opinion| std::cmp::Reverse(opinion.visits));
        Ok(Thought { played: self.state.move_text(played), deed: self.state.deed(played), opinions })
    }

    fn heed(&mut self, cancel: Cancel) {
        self.setting.cancel = cancel;
        self.thinkers.clear();
    }

    fn weigh(
        &mut self,
        strategy: &Strategy,
        nodes: u64,
        seed: u64,
        threads: usize,
    ) -> Result<Vec<Opinion>, StrategyError> {
        let (mut solver, mut moves) = (self.state.solver(&self.setting.cancel), Vec::new());
        self.state.legal_moves(&mut moves);
        let mut proven = |played: G::Move| {
            let mut after = self.state.clone();
            after.play(played);
            let over = after.ending().map(|ending| Proof { ending, moves: 0 });
            let proof = over.or_else(|| solver.as_mut().and_then(|solver| solver.solve(&after, nodes)));
            Opinion::proven(self.state.move_text(played), proof, self.state.turn())
        };
        let mut opinions: Vec<Opinion> = moves.into_iter().map(&mut proven).collect();
        if opinions.iter().any(|opinion| opinion.proof.is_none()) {
            let estimates = self.think(strategy, seed, threads)?.opinions;
            for opinion in opinions.iter_mut().filter(|opinion| opinion.proof.is_none()) {
                let estimate = estimates.iter().find(|estimate| estimate.played == opinion.played);
                estimate.into_iter().for_each(|estimate| opinion.clone_from(estimate));
            }
        }
        Ok(opinions)
    }
}
