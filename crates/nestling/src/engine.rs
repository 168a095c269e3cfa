//! Traits and types for engine writers: the seams where a problem's own code takes over from the general code.
//!
//! | seam | for |
//! |---|---|
//! | [`Problem::playouts`](crate::Problem::playouts) | whole [batches](Batch) of playouts, by a [policy](PlayoutPolicy) |
//! | [`Problem::learner`](crate::Problem::learner) | NRPA's playouts and adapts: a [`Learner`] |
//! | [`Problem::priority_player`](crate::Problem::priority_player) | the games of `pool`: a [`PriorityPlayer`] |
//! | [`Problem::improver`](crate::Problem::improver) | small changes of whole games, for `improve`: an [`Improver`] |
//! | [`Problem::formula`](crate::Problem::formula) | the solutions as clauses, for `cdcl`: a [`Formula`] |
//! | [`Run::accelerator`](crate::Run::accelerator) | whole searches on another machine, such as a GPU: an [`Accelerator`] |
//! | [`Game::playout`](crate::Game::playout) | playouts of a game for two |
//! | [`Game::solver`](crate::Game::solver) | exact answers for a game for two: a [`Solver`] |
//!
//! An engine plays the same games as the problem's plain methods, draw by draw; [`conformance::check_engines`](crate::conformance::check_engines)
//! compares. What feeds a choice is computed by [`math`], which gives the same bits on every machine.

pub mod math {
    //! Exponential and logarithm that give the same bits on every machine.

    pub use crate::math::{exp, ln};
}

pub use crate::accelerator::{Accelerator, KeptGame, Round};
pub use crate::clauses::{ClauseSolver, ClauseVerdict, Formula, Literal};
pub use crate::codes::Codes;
pub use crate::exponential::{Exponential, INDEX_BITS};
pub use crate::game::{Solver, plain_playout};
pub use crate::improver::Improver;
pub use crate::learner::{Adapting, Learner, Recording, Span, Spans, Trace, bias_factor};
pub use crate::playout::{Batch, PlayoutPolicy, Rule, play_batch};
pub use crate::priority::{Priorities, PriorityPlayer};
