//! Kinds of players, and sets of them.

use std::any::TypeId;
use std::marker::PhantomData;

use super::strategy::PlayerCatalogue;
use super::{Agent, Seat, Strategy, StrategyError};
use super::{AlphaBetaPlayer, ExactPlayer, PolicyPlayer, UctPlayer};
use crate::expression::form::Form;
use crate::game::Game;
use crate::search::And;

/// A kind of player, such as `uct`: how its strategies are written, and how to make an [`Agent`] that plays one of them.
///
/// ([`Player`](crate::Player) is something else: who has the first move and who the second.)
///
/// One file contains all of it. The form is enough to read, print, check and list strategies of this kind; [`agent`](PlayerKind::agent)
/// turns one of them into an agent for a game. Put the kind into a [set](Players): then a [`PlayerCatalogue`] of the set reads its
/// strategies and a [`Contest`](super::Contest) plays them.
///
/// ```
/// use nestling::duel::{Agent, And, Contest, Decision, PlayerCatalogue, PlayerKind, Seat, StandardPlayers, Strategy, StrategyError};
/// use nestling::search::{Argument, Form};
/// use nestling::{Game, Stream};
/// # use nestling::{Ending, Player};
/// # #[derive(Clone)] struct Matches { left: u32, turn: Player }
/// # impl Game for Matches {
/// #     type Move = u32;
/// #     fn legal_moves(&self, moves: &mut Vec<u32>) { moves.clear(); moves.extend(1..=self.left.min(2)); }
/// #     fn play(&mut self, taken: u32) { self.left -= taken; self.turn = self.turn.other(); }
/// #     fn turn(&self) -> Player { self.turn }
/// #     fn ending(&self) -> Option<Ending> { (self.left == 0).then_some(Ending::Win(self.turn.other())) }
/// # }
/// /// `nth(n)`: always the n-th legal move, or the last.
/// struct Nth;
///
/// impl PlayerKind for Nth {
///     const FORM: Form = Form {
///         name: "nth",
///         example: "nth(2)",
///         about: "plays the n-th legal move",
///         arguments: &[Argument::integer("place", 1, 1000).symbol("n")],
///         ..Form::EMPTY
///     };
///
///     fn agent<G: Game>(strategy: &Strategy, seat: &Seat<'_, G>) -> Result<Box<dyn Agent<G>>, StrategyError> {
///         Ok(Box::new(NthAgent { state: seat.start.clone(), place: strategy.integer("place") as usize }))
///     }
/// }
///
/// struct NthAgent<G> { state: G, place: usize }
///
/// impl<G: Game> Agent<G> for NthAgent<G> {
///     fn observe(&mut self, played: G::Move) {
///         self.state.play(played);
///     }
///
///     fn choose(&mut self, _stream: Stream) -> Decision<G::Move> {
///         let mut moves = Vec::new();
///         self.state.legal_moves(&mut moves);
///         Decision::plain(moves[self.place.min(moves.len()) - 1])
///     }
/// }
///
/// type Ours = And<(Nth,), StandardPlayers>;
/// let players = PlayerCatalogue::of::<Ours>();
/// let sides = [players.parse("uct(200)")?, players.parse("nth(2)")?];
/// // Take one or two matches; who takes the last one wins.
/// let game = Matches { left: 10, turn: Player::First };
/// let standing = Contest::new(&game, sides).players::<Ours>().games(20).play(|_| {})?;
/// assert!(standing.score() > 0.8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PlayerKind: 'static {
    /// How its strategies are written.
    const FORM: Form;

    /// Whether a name that no other kind of the set has is a strategy of this kind; [`Strategy::name`] is that name. True for the policies
    /// of a game, whose names only the game knows.
    const TAKES_ANY_NAME: bool = false;

    /// An agent that plays a strategy of this kind in one game. Its arguments have been checked; [`Strategy::agent`] handles `from=` and
    /// `before=`.
    ///
    /// # Errors
    ///
    /// When the game lacks something that the strategy needs.
    fn agent<G: Game>(strategy: &Strategy, seat: &Seat<'_, G>) -> Result<Box<dyn Agent<G>>, StrategyError>;

    /// Whether its budget is a time, so that its games cannot be repeated.
    fn is_timed(_strategy: &Strategy) -> bool {
        false
    }

    /// How many threads it can use at once.
    fn width(_strategy: &Strategy) -> usize {
        1
    }
}

/// The properties of a kind of player that need no game; made from a [`PlayerKind`].
pub(super) struct PlayerNature {
    /// Tells kinds apart.
    pub id: fn() -> TypeId,
    pub form: &'static Form,
    pub takes_any_name: bool,
    pub is_timed: fn(&Strategy) -> bool,
    pub width: fn(&Strategy) -> usize,
}

struct NatureOf<K>(PhantomData<K>);

impl<K: PlayerKind> NatureOf<K> {
    const NATURE: &'static PlayerNature = &PlayerNature {
        id: TypeId::of::<K>,
        form: &K::FORM,
        takes_any_name: K::TAKES_ANY_NAME,
        is_timed: K::is_timed,
        width: K::width,
    };
}

pub(super) fn nature_of<K: PlayerKind>() -> &'static PlayerNature {
    NatureOf::<K>::NATURE
}

/// Nestling's own players, in the order that lists show.
pub type StandardPlayers = (PolicyPlayer, UctPlayer, AlphaBetaPlayer, ExactPlayer);

/// A set of kinds of players, as a type: a tuple of them, [`StandardPlayers`], or [`And`] of two sets. If two kinds have the same name, the
/// earlier one gets it.
pub trait Players: 'static {
    /// Adds the kinds of this set to a catalogue.
    fn list(catalogue: &mut PlayerCatalogue);

    /// An agent that plays a strategy of this set; `None` if the strategy is of none of these kinds.
    fn agent<G: Game>(strategy: &Strategy, seat: &Seat<'_, G>) -> Option<Result<Box<dyn Agent<G>>, StrategyError>>;
}

impl<A: Players, B: Players> Players for And<A, B> {
    fn list(catalogue: &mut PlayerCatalogue) {
        A::list(catalogue);
        B::list(catalogue);
    }

    fn agent<G: Game>(strategy: &Strategy, seat: &Seat<'_, G>) -> Option<Result<Box<dyn Agent<G>>, StrategyError>> {
        A::agent(strategy, seat).or_else(|| B::agent(strategy, seat))
    }
}

macro_rules! sets {
    ($first:ident $($rest:ident)*) => {
        impl<$first: PlayerKind, $($rest: PlayerKind),*> Players for ($first, $($rest,)*) {
            fn list(catalogue: &mut PlayerCatalogue) {
                catalogue.add(nature_of::<$first>());
                $(catalogue.add(nature_of::<$rest>());)*
            }

            fn agent<Board: Game>(
                strategy: &Strategy,
                seat: &Seat<'_, Board>,
            ) -> Option<Result<Box<dyn Agent<Board>>, StrategyError>> {
                if strategy.is_of::<$first>() {
                    return Some($first::agent(strategy, seat));
                }
                $(if strategy.is_of::<$rest>() {
                    return Some($rest::agent(strategy, seat));
                })*
                None
            }
        }
        sets!($($rest)*);
    };
    () => {};
}

sets!(A B C D E F G H I J K L);
