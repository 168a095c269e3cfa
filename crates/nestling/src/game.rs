//! The traits and types of games for two players; `problem.rs` has those of problems for one.
//!
//! A [`Game`] value is a *state*: the start is a state, and playing a move turns it into the next one. Four methods are required; every
//! other method has a default, and its documentation says who should replace it and why.
//!
//! **The point of view of a result is part of its type.** An [`Ending`] names the winner and has no point of view; a [`PlayerResult`] is
//! one player's view of an ending and is only made by naming that player ([`Ending::seen_by`]). No number is implicitly "for the side to
//! move".

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::problem::{Illegal, Move, code_of};
use crate::stream::Rng;
use crate::watch::Cancel;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Player {
    /// The player who makes the first move of the game.
    First,
    /// The other one.
    Second,
}

impl Player {
    /// Both, in the order in which they begin.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// The opponent.
    ///
    /// ```
    /// use nestling::Player;
    /// assert_eq!(Player::First.other(), Player::Second);
    /// ```
    #[inline]
    #[must_use]
    pub const fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Player::First => "first",
            Player::Second => "second",
        })
    }
}

/// How a game ended, independent of a point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ending {
    /// This player has won.
    Win(Player),
    /// Nobody has.
    Draw,
}

impl Ending {
    /// The result of the ending for one of the players.
    ///
    /// ```
    /// use nestling::{Ending, Player, PlayerResult};
    /// let ending = Ending::Win(Player::Second);
    /// assert_eq!(ending.seen_by(Player::First), PlayerResult::Loss);
    /// assert_eq!(ending.seen_by(Player::Second).to(Player::Second), ending);
    /// ```
    #[inline]
    pub const fn seen_by(self, player: Player) -> PlayerResult {
        match (self, player) {
            (Ending::Draw, _) => PlayerResult::Draw,
            (Ending::Win(Player::First), Player::First) | (Ending::Win(Player::Second), Player::Second) => {
                PlayerResult::Win
            }
            (Ending::Win(_), _) => PlayerResult::Loss,
        }
    }
}

/// How a game ended for one player. Larger is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PlayerResult {
    /// The opponent has won.
    Loss,
    /// Nobody has.
    Draw,
    /// The player has won.
    Win,
}

impl PlayerResult {
    /// The ending that has this result for `player`; the inverse of [`Ending::seen_by`].
    #[inline]
    pub const fn to(self, player: Player) -> Ending {
        match self {
            PlayerResult::Loss => Ending::Win(player.other()),
            PlayerResult::Draw => Ending::Draw,
            PlayerResult::Win => Ending::Win(player),
        }
    }
}

/// The result of a state when both play their best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Proof {
    /// How the game ends.
    pub ending: Ending,
    /// The number of moves until then, if the winner plays the fastest win and the loser the longest defence. For a draw it is the length
    /// of any best game.
    pub moves: u32,
}

impl Proof {
    /// How good it is for a player, larger being better: wins the sooner the better, losses the later the better.
    ///
    /// ```
    /// use nestling::{Ending, Player, Proof};
    /// let (soon, late) = (Proof { ending: Ending::Win(Player::First), moves: 1 }, Proof { ending: Ending::Win(Player::First), moves: 5 });
    /// assert!(soon.rank(Player::First) > late.rank(Player::First));
    /// assert!(soon.rank(Player::Second) < late.rank(Player::Second));
    /// ```
    pub fn rank(self, player: Player) -> (PlayerResult, i64) {
        let moves = i64::from(self.moves);
        match self.ending.seen_by(player) {
            PlayerResult::Win => (PlayerResult::Win, -moves),
            PlayerResult::Draw => (PlayerResult::Draw, 0),
            PlayerResult::Loss => (PlayerResult::Loss, moves),
        }
    }
}

/// Finds the results of states. One solver is asked many times, so it may keep a table.
pub trait Solver<G>: Send {
    /// The result of `state`, or `None` if that would take more than about `nodes` nodes of search, or if the solver was
    /// [cancelled](Game::solver).
    ///
    /// The result does not depend on earlier questions; whether there is one may, because a table saves nodes.
    fn solve(&mut self, state: &G, nodes: u64) -> Option<Proof>;

    /// The same without the distance, for solvers that find it faster.
    fn ending(&mut self, state: &G, nodes: u64) -> Option<Ending> {
        self.solve(state, nodes).map(|solved| solved.ending)
    }
}

/// A game for two players without hidden information and without chance; a value is one state of it.
///
/// The same player may move several times in a row (in Quarto: place a piece, then give one).
/// **The order of the legal moves is part of the contract.** The same moves from the start must always give the same list in the same
/// order, because random choices, and so all results, depend on it.
///
/// ```
/// use nestling::{Ending, Game, Player};
///
/// /// Take one or two matches; who takes the last one wins.
/// #[derive(Clone)]
/// struct Matches { left: u32, turn: Player }
///
/// impl Game for Matches {
///     type Move = u32;
///     fn legal_moves(&self, moves: &mut Vec<u32>) {
///         moves.clear();
///         moves.extend(1..=self.left.min(2));
///     }
///     fn play(&mut self, taken: u32) {
///         self.left -= taken;
///         self.turn = self.turn.other();
///     }
///     fn turn(&self) -> Player { self.turn }
///     fn ending(&self) -> Option<Ending> {
///         (self.left == 0).then_some(Ending::Win(self.turn.other()))
///     }
/// }
/// ```
pub trait Game: Clone + Send + Sync + 'static {
    /// A move; see [`Move`] for what the type needs.
    type Move: Move;

    /// Replaces the contents of `moves` by the legal moves of this state, in the game's order; none exactly when the game
    /// has [ended](Game::ending).
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a legal move. May panic on an illegal one; [`certify`](Game::certify) must not.
    fn play(&mut self, played: Self::Move);

    /// The player who makes the next move. Not called once the game has ended.
    fn turn(&self) -> Player;

    /// How the game has ended, or `None` while it goes on.
    fn ending(&self) -> Option<Ending>;

    /// The names of the game's own policies; every game also has `random`. A policy chooses moves with little or no lookahead: it plays the
    /// playouts of a search, and can play against people as well.
    fn policies(&self) -> &'static [&'static str] {
        &[]
    }

    /// The policy of playouts if a search names none: `random` or one of the game's own.
    fn default_policy(&self) -> &'static str {
        "random"
    }

    /// The moves of policy number `policy` of [`policies`](Game::policies): removes moves from the legal `moves`, never all of them,
    /// keeping their order. The policy plays each of the remaining moves with the same probability.
    fn prefer(&self, _policy: usize, _moves: &mut Vec<Self::Move>) {}

    /// The moves that a search with [`children=policy`](crate::duel::UctPlayer) considers: removes from the legal `moves` those that the
    /// policy does not [prefer](Game::prefer), never all of them, keeping their order.
    ///
    /// Replace it if the policy stops looking once every move loses: any one of the losing moves is enough.
    fn consider(&self, policy: usize, moves: &mut Vec<Self::Move>) {
        self.prefer(policy, moves);
    }

    /// The code under which [playouts that learn](crate::duel::UctPlayer) store the weight of a move, for each player.
    ///
    /// The default hashes the move. Replace it if the meaning of a move depends on the state.
    fn code(&self, played: Self::Move) -> u64 {
        code_of(played)
    }

    /// Plays a game to its end by a policy (`None` is `random`) and returns its ending: **replace this to use a fast engine.** `moves` is a
    /// buffer. The state afterwards is undefined.
    ///
    /// An engine need not play the moves that [`plain_playout`] draws, but its endings must have the same probabilities (the conformance
    /// suite compares).
    fn playout(&mut self, policy: Option<usize>, rng: &mut Rng, moves: &mut Vec<Self::Move>) -> Ending {
        plain_playout(self, policy, rng, moves)
    }

    /// A number that two states share only if they have the same future: the same player to move, the same legal moves and the same keys
    /// after each. Two states along one game must have different keys. A search recognises transpositions by it; with `None`, the default,
    /// it finds none.
    fn key(&self) -> Option<u128> {
        None
    }

    /// The representative of all states that are symmetric to this one: it has the same player to move and the same endings after
    /// corresponding moves. All states of a class must have the same representative, as recognised by its [`key`](Game::key). The default
    /// knows no symmetry.
    ///
    /// A search that uses symmetry continues from representatives and recognises them by key, so that no moves need to be mapped between a
    /// state and its representative.
    #[must_use]
    fn canonical(&self) -> Self {
        self.clone()
    }

    /// How far the game has progressed, in the unit of `from=` and `exact=` in strategies (in Quarto: pieces on the board). It never
    /// decreases.
    fn stage(&self) -> u32 {
        0
    }

    /// A new solver for this game, if there is one. It stops within milliseconds when `cancel` is cancelled.
    fn solver(&self, _cancel: &Cancel) -> Option<Box<dyn Solver<Self>>> {
        None
    }

    /// The move as people write it, in this state: one line, different from the texts of the state's other moves.
    fn move_text(&self, played: Self::Move) -> String {
        format!("{played:?}")
    }

    /// The legal move that a text means in this state, or one line that says what is wrong with the text. The default knows the texts of
    /// [`move_text`](Game::move_text); replace it for better messages, or to understand more texts.
    fn read_move(&self, text: &str) -> Result<Self::Move, String> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let wanted = text.trim();
        let found = moves.iter().find(|&&legal| self.move_text(legal) == wanted);
        found.copied().ok_or_else(|| format!("{wanted:?} is not one of the {} legal moves", moves.len()))
    }

    /// Replays a game from this state by the simplest possible rules, and returns its ending, if it has ended.
    ///
    /// Every game passes this check before it is shown, stored or exported. The default looks every move up among the legal ones; a game
    /// with an optimised `play` replaces it by rules that share no code with it.
    fn certify(&self, moves: &[Self::Move]) -> Result<Option<Ending>, Illegal> {
        let mut state = self.clone();
        let mut legal = Vec::new();
        for (index, &played) in moves.iter().enumerate() {
            state.legal_moves(&mut legal);
            if !legal.contains(&played) {
                let text = state.move_text(played);
                return Err(Illegal { index, reason: format!("{text} is not one of the {} legal moves", legal.len()) });
            }
            state.play(played);
        }
        Ok(state.ending())
    }
}

/// Plays a game to its end, each move drawn from those that the policy prefers: the default of [`Game::playout`].
pub fn plain_playout<G: Game>(state: &mut G, policy: Option<usize>, rng: &mut Rng, moves: &mut Vec<G::Move>) -> Ending {
    loop {
        if let Some(ending) = state.ending() {
            return ending;
        }
        state.legal_moves(moves);
        if let Some(policy) = policy {
            state.prefer(policy, moves);
        }
        state.play(moves[rng.below(moves.len())]);
    }
}
