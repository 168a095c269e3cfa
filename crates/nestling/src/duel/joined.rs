//! A game in which one move is a whole turn.

use serde::{Deserialize, Serialize};

use crate::game::{Ending, Game, Player, Proof, Solver};
use crate::stream::Rng;
use crate::watch::Cancel;

/// The same game, with two moves in a row of the same player joined into one.
///
/// In Quarto a turn is to place a piece and to give the next: the tree of a search then has a child for every cell *and* piece, as in the
/// paper. A third move in a row begins another turn of the same player. Playouts still go move by move, so that only the tree differs.
///
/// ```
/// # use nestling::{Ending, Game, Player};
/// use nestling::duel::{Joined, WholeTurn};
/// # #[derive(Clone)] struct Pick(Vec<u8>);
/// # impl Game for Pick {
/// #     type Move = u8;
/// #     fn legal_moves(&self, moves: &mut Vec<u8>) { moves.clear(); if self.0.len() < 4 { moves.extend([0, 1]) } }
/// #     fn play(&mut self, played: u8) { self.0.push(played) }
/// #     fn turn(&self) -> Player { Player::BOTH[self.0.len() / 2 % 2] }
/// #     fn ending(&self) -> Option<Ending> { (self.0.len() == 4).then_some(Ending::Draw) }
/// # }
/// // A game in which each player picks one of two numbers twice.
/// let mut moves = Vec::new();
/// Joined::new(Pick(vec![])).legal_moves(&mut moves);
/// assert_eq!(moves.len(), 4);
/// assert_eq!(moves[1], WholeTurn { first: 0, second: Some(1) });
/// ```
#[derive(Debug)]
pub struct Joined<G: Game> {
    state: G,
    /// A buffer for playouts.
    moves: Vec<G::Move>,
}

impl<G: Game> Clone for Joined<G> {
    fn clone(&self) -> Self {
        Joined::new(self.state.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.state.clone_from(&source.state);
    }
}

/// One or two moves of the same player, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WholeTurn<M> {
    /// The first of them.
    pub first: M,
    /// The other one, unless the first has ended the turn or the game.
    pub second: Option<M>,
}

impl<G: Game> Joined<G> {
    /// The game from this state on, which may be in the middle of a turn.
    pub fn new(state: G) -> Self {
        Joined { state, moves: Vec::new() }
    }

    /// The state in the game itself.
    pub fn state(&self) -> &G {
        &self.state
    }

    /// Replaces the contents of `turns` by the turns that consist of the moves listed by `list`.
    fn turns(&self, turns: &mut Vec<WholeTurn<G::Move>>, list: impl Fn(&G, &mut Vec<G::Move>)) {
        turns.clear();
        let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
        list(&self.state, &mut firsts);
        for first in firsts {
            let mut after = self.state.clone();
            after.play(first);
            if ends_turn(&after, self.state.turn()) {
                turns.push(WholeTurn { first, second: None });
            } else {
                list(&after, &mut seconds);
                turns.extend(seconds.iter().map(|&second| WholeTurn { first, second: Some(second) }));
            }
        }
    }
}

/// The moves of a game as whole turns; an unfinished turn at the end is left out.
pub(super) fn in_turns<G: Game>(start: &G, moves: &[G::Move]) -> Vec<WholeTurn<G::Move>> {
    let (mut state, mut begun, mut turns) = (start.clone(), None, Vec::new());
    for &played in moves {
        let player = state.turn();
        state.play(played);
        match begun.take() {
            Some(first) => turns.push(WholeTurn { first, second: Some(played) }),
            None if ends_turn(&state, player) => turns.push(WholeTurn { first: played, second: None }),
            None => begun = Some(played),
        }
    }
    turns
}

/// Whether the turn of a player who has just made a first move is over.
pub(super) fn ends_turn<G: Game>(after: &G, player: Player) -> bool {
    after.ending().is_some() || after.turn() != player
}

impl<G: Game> Game for Joined<G> {
    type Move = WholeTurn<G::Move>;

    fn legal_moves(&self, moves: &mut Vec<Self::Move>) {
        self.turns(moves, G::legal_moves);
    }

    fn play(&mut self, played: Self::Move) {
        self.state.play(played.first);
        if let Some(second) = played.second {
            self.state.play(second);
        }
    }

    fn turn(&self) -> Player {
        self.state.turn()
    }

    fn ending(&self) -> Option<Ending> {
        self.state.ending()
    }

    fn policies(&self) -> &'static [&'static str] {
        self.state.policies()
    }

    fn default_policy(&self) -> &'static str {
        self.state.default_policy()
    }

    fn consider(&self, policy: usize, moves: &mut Vec<Self::Move>) {
        self.turns(moves, |state, moves| {
            state.legal_moves(moves);
            state.consider(policy, moves);
        });
    }

    fn playout(&mut self, policy: Option<usize>, rng: &mut Rng, _moves: &mut Vec<Self::Move>) -> Ending {
        self.state.playout(policy, rng, &mut self.moves)
    }

    fn key(&self) -> Option<u128> {
        self.state.key()
    }

    fn canonical(&self) -> Self {
        Joined::new(self.state.canonical())
    }

    fn stage(&self) -> u32 {
        self.state.stage()
    }

    fn solver(&self, cancel: &Cancel) -> Option<Box<dyn Solver<Self>>> {
        self.state.solver(cancel).map(|solver| Box::new(JoinedSolver(solver)) as Box<dyn Solver<Self>>)
    }

    fn move_text(&self, played: Self::Move) -> String {
        let first = self.state.move_text(played.first);
        let Some(second) = played.second else { return first };
        let mut after = self.state.clone();
        after.play(played.first);
        format!("{first} {}", after.move_text(second))
    }
}

/// Counts single moves, like the game's own solver.
struct JoinedSolver<G>(Box<dyn Solver<G>>);

impl<G: Game> Solver<Joined<G>> for JoinedSolver<G> {
    fn solve(&mut self, state: &Joined<G>, nodes: u64) -> Option<Proof> {
        self.0.solve(&state.state, nodes)
    }

    fn ending(&mut self, state: &Joined<G>, nodes: u64) -> Option<Ending> {
        self.0.ending(&state.state, nodes)
    }
}
