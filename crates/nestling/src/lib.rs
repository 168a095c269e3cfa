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
//! assert_eq!(outcome.score(), Some(100.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accelerator;
mod bounded;
mod certified;
mod checkpoint;
mod choice;
mod clauses;
mod codes;
pub mod conformance;
pub mod duel;
pub mod engine;
mod estimate;
mod exponential;
mod expression;
mod game;
mod improver;
mod journal;
mod learner;
mod math;
mod network;
mod outcome;
mod playout;
mod priority;
mod problem;
mod provenance;
mod run;
mod scores;
mod sealed;
pub mod search;
mod stream;
mod suggestion;
mod watch;
mod weights;

pub use certified::{Certified, Erased};
pub use checkpoint::CheckpointError;
pub use estimate::Estimate;
pub use expression::{InvalidSearch, ParseError, PlayoutOptions, Search};
pub use game::{Ending, Game, Player, PlayerResult, Proof};
pub use journal::{Find, Improvement, Journal, Spent};
pub use network::{Evaluation, Examples, Fit, Network, Training, TrainingSettings};
pub use outcome::{Answer, Counts, Outcome, Recipe, Stop};
pub use problem::{Certificate, Goal, Illegal, Move, Problem, digest, key_of_codes, state_after};
pub use provenance::Provenance;
pub use run::{Around, Event, Ledger, ReportHeader, Run, RunError, Stepper, TaskError, TaskSpec, TaskStepper};
pub use scores::Scores;
pub use search::{PlanError, Ties};
pub use stream::{Rng, Stream};
pub use suggestion::{Allowance, Suggestion};
pub use watch::Cancel;
pub use weights::{MoveName, Weights, WeightsError, WeightsLine};
