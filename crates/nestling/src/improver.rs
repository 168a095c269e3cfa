//! Improvers: small changes of whole games, for problems whose games can be changed anywhere. `improve` searches with them.

use crate::stream::Rng;

/// Changes a game of a problem into a better one: **the problem's own local search.**
///
/// [`Problem::improver`](crate::Problem::improver) makes one for a state, and it is used for many games from there. The conformance suite
/// checks its laws.
pub trait Improver<M>: Send {
    /// Changes a complete game from the state: first by `strength` random changes, then by small changes, one after another, as long as one
    /// makes it better. Returns the new score, which must be that of [`certify`](crate::Problem::certify).
    ///
    /// * With strength 0 no random number is drawn, and the result is at least as good as the game before.
    /// * The result depends only on the game, the strength and the random numbers; it is the same on every machine.
    /// * It calls `give_up` about every millisecond. If that returns true, it returns nothing, and the contents of the game are undefined.
    fn improve(&mut self, game: &mut Vec<M>, strength: u32, rng: &mut Rng, give_up: &dyn Fn() -> bool) -> Option<f64>;
}
