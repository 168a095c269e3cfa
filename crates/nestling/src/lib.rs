//! Monte-Carlo search for puzzles, games and optimisation.
//!
//! Implement [`Problem`] (three methods), write a search as an expression such as `nrpa(3)` or `repeat(100, nested(2))`,
//! and hand both to a [`Run`].
//!
//! ```
//! use nestling::{Problem, Run};
//!
//! /// Pick numbers without exceeding 100; the closer, the better.
//! #[derive(Clone)]
//! struct Knapsack { left: Vec<u32>, sum: u32 }
//!
//! impl Problem for Knapsack {
//!     type Move = u32;
//!     fn legal_moves(&self, moves: &mut Vec<u32>) {
//!         moves.clear();
//!         moves.extend(self.left.iter().filter(|&&weight| self.sum + weight <= 100));
//!     }
//!     fn play(&mut self, weight: u32) {
//!         self.left.retain(|&other| other != weight);
//!         self.sum += weight;
//!     }
//!     fn score(&self) -> f64 { self.sum.into() }
//! }
//!
//! let problem = Knapsack { left: vec![61, 47, 31, 23, 17, 13, 5], sum: 0 };
//! let outcome = Run::new(&problem, "nested(2)".parse()?).seed(1).start()?;
//! assert_eq!(outcome.result.score, 100.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accelerator;
mod checkpoint;
mod choice;
mod codes;
pub mod conformance;
pub mod duel;
mod estimate;
mod exponential;
mod expression;
mod game;
mod journal;
mod learner;
mod math;
mod outcome;
mod plan;
pub mod playout;
mod problem;
mod provenance;
mod run;
mod scores;
mod search;
mod stream;
mod watch;
mod weights;

pub use accelerator::{Accelerator, Round};
pub use checkpoint::CheckpointError;
pub use codes::Codes;
pub use estimate::{Estimate, sensible_search};
pub use exponential::{Exponential, INDEX_BITS};
pub use expression::{Games, InvalidSearch, Kind, ParseError, Search, Ties};
pub use game::{Ending, Game, Player, Solved, Solver, Verdict, plain_playout};
pub use journal::{Improvement, Journal, Spent};
pub use learner::{Adapting, Learner, Recording, Trace};
pub use outcome::{Counts, Outcome, Recipe, Stop};
pub use plan::PlanError;
pub use problem::{Certificate, Goal, Illegal, Move, Problem, texts};
pub use provenance::Provenance;
pub use run::{Event, Run, RunError};
pub use scores::Scores;
pub use search::Found;
pub use stream::{Rng, Stream};
pub use watch::Cancel;
pub use weights::{Weights, WeightsError};
