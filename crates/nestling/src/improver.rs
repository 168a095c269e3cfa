//! Improvers: small changes of whole games, for problems whose games can be changed anywhere. `improve` searches with them.

use crate::stream::Rng;

/// Changes a game of a problem into a better one: **the seam where a problem's own local search takes over.**
///
/// One is made for a state, by [`Problem::improver`](crate::Problem::improver), and used for many games from there. The conformance
/// suite checks the laws.
pub trait Improver<M>: Send {
    /// Changes a game, which leads from the state to an end: first by `strength` random changes, then by one small change after
    /// another, as long as one makes it better. Its new score, which is that of [`certify`](crate::Problem::certify).
    ///
    /// * With strength 0 nothing is drawn, and the result is at least as good as the game before.
    /// * The result depends on nothing but the game, the strength and what is drawn; it is the same on every machine.
    /// * While it works it asks `give_up` every millisecond or so. If that says yes it returns nothing, and the game may be any.
    fn improve(&mut self, game: &mut Vec<M>, strength: u32, rng: &mut Rng, give_up: &dyn Fn() -> bool) -> Option<f64>;
}
