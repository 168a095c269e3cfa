//! Games that were verified by replaying them with the plain rules.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

use crate::problem::{Illegal, Problem};

/// Stands in for the type of the moves where that type was erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Erased {}

/// A game that was verified once by replaying it with the plain rules: its score, its moves, and their texts. It is cheap to clone, and
/// need not be replayed again.
///
/// `Certified<M>` has moves of type `M`. In plain `Certified` that type is erased; [`moves_of`](Certified::moves_of) recovers it.
///
/// ```
/// use nestling::{Certified, Problem};
/// # #[derive(Clone)] struct LeftMove { depth: u32, lefts: u32 }
/// # impl Problem for LeftMove {
/// #     type Move = bool;
/// #     fn legal_moves(&self, moves: &mut Vec<bool>) { moves.clear(); if self.depth > 0 { moves.extend([true, false]) } }
/// #     fn play(&mut self, left: bool) { self.depth -= 1; self.lefts += u32::from(left); }
/// #     fn score(&self) -> f64 { self.lefts.into() }
/// # }
/// let problem = LeftMove { depth: 2, lefts: 0 };
/// let game = Certified::new(&problem, vec![true, false])?;
/// assert_eq!((game.score(), game.is_over(), game.moves()), (1.0, true, &[true, false][..]));
/// assert_eq!(game.texts(), ["true", "false"]);
/// let game: Certified = game.erase();
/// assert_eq!(game.moves_of::<bool>(), Some(&[true, false][..]));
/// # Ok::<(), nestling::Illegal>(())
/// ```
pub struct Certified<M = Erased> {
    game: Arc<CertifiedGame>,
    moves: PhantomData<fn() -> M>,
}

struct CertifiedGame {
    score: f64,
    is_over: bool,
    texts: Vec<String>,
    /// A vector of moves; none where only the texts are known.
    moves: Option<Box<dyn Any + Send + Sync>>,
    is_bare: bool,
    identity: OnceLock<Vec<u8>>,
}

impl<M> Certified<M> {
    fn of(game: CertifiedGame) -> Self {
        Certified { game: Arc::new(game), moves: PhantomData }
    }

    /// The score of the last state. It is never −0.
    pub fn score(&self) -> f64 {
        self.game.score
    }

    /// Whether no legal move is left.
    pub fn is_over(&self) -> bool {
        self.game.is_over
    }

    /// The moves as people write them.
    pub fn texts(&self) -> &[String] {
        &self.game.texts
    }

    /// Bytes that are equal for two games that count as the same; computed by `find` when they are first asked for.
    pub fn identity(&self, find: impl FnOnce() -> Vec<u8>) -> &[u8] {
        self.game.identity.get_or_init(find)
    }

    /// The same game with the type of its moves erased.
    pub fn erase(self) -> Certified {
        Certified { game: self.game, moves: PhantomData }
    }
}

impl<M: Clone + Send + Sync + 'static> Certified<M> {
    /// Replays a game by the problem's plain rules.
    ///
    /// # Errors
    ///
    /// When it breaks them.
    pub fn new<P: Problem<Move = M>>(problem: &P, moves: Vec<M>) -> Result<Self, Illegal> {
        let certificate = problem.certify(&moves)?;
        // Scores are shown to people: -0 becomes 0.
        let (score, is_over, texts) = (certificate.score + 0.0, certificate.terminal, problem.texts(&moves));
        let identity = OnceLock::new();
        Ok(Certified::of(CertifiedGame {
            score,
            is_over,
            texts,
            moves: Some(Box::new(moves)),
            is_bare: false,
            identity,
        }))
    }

    /// The moves.
    pub fn moves(&self) -> &[M] {
        self.game.moves_of().expect("moves of another type are not let in")
    }
}

impl CertifiedGame {
    fn moves_of<M: 'static>(&self) -> Option<&[M]> {
        self.moves.as_ref()?.downcast_ref::<Vec<M>>().map(Vec::as_slice)
    }
}

impl Certified {
    /// The moves, if they are known and of this type. A game that was stored as texts has no moves, only texts.
    pub fn moves_of<M: 'static>(&self) -> Option<&[M]> {
        self.game.moves_of()
    }

    /// Whether this process has replayed it: its moves are known, not only their texts.
    pub fn is_replayed(&self) -> bool {
        self.game.moves.is_some()
    }

    /// A game that was certified earlier and stored as texts. It is not checked here; the caller replays it before passing it on.
    pub fn kept(score: f64, is_over: bool, texts: Vec<String>) -> Self {
        let identity = OnceLock::new();
        Certified::of(CertifiedGame { score, is_over, texts, moves: None, is_bare: false, identity })
    }

    /// The same game without its moves, to save memory; only the score is left.
    #[must_use]
    pub fn bare(&self) -> Self {
        let (score, is_over, identity) = (self.score(), self.is_over(), OnceLock::new());
        Certified::of(CertifiedGame { score, is_over, texts: Vec::new(), moves: None, is_bare: true, identity })
    }

    /// Whether only the score is known.
    pub fn is_bare(&self) -> bool {
        self.game.is_bare
    }
}

impl<M> Clone for Certified<M> {
    fn clone(&self) -> Self {
        Certified { game: Arc::clone(&self.game), moves: PhantomData }
    }
}

/// Two games are equal if they have the same moves.
impl<M> PartialEq for Certified<M> {
    fn eq(&self, other: &Self) -> bool {
        self.score() == other.score() && self.is_over() == other.is_over() && self.texts() == other.texts()
    }
}

impl<M> fmt::Debug for Certified<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", self.score(), self.texts().join(" "))
    }
}
