//! `cdcl`: conflict-driven clause learning, for problems that are solved or not and that describe their solutions by a formula.
//!
//! Marques-Silva and Sakallah, *GRASP: A Search Algorithm for Propositional Satisfiability*, 1999. The problem defines the formula:
//! [`Problem::formula`].

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{
    Algorithm, Form, FrameCheck, Plan, PlanError, Planned, Planner, ScoredMoves, SearchProgress, SearchReport, Task,
    require,
};
use crate::clauses::{ClauseSolver, ClauseVerdict, Formula};
use crate::expression::Search;
use crate::problem::{Move, Problem, is_over};
use crate::stream::Stream;

/// `cdcl`: learns a clause from every conflict, until the problem is solved or proven to have no solution.
pub struct Cdcl;

/// The conflicts between two games.
const CONFLICTS: u64 = 100;

/// More games than a frame can have: their conflicts can be counted.
const MOST_GAMES: u64 = 1 << 50;

impl Algorithm for Cdcl {
    const FORM: Form = Form {
        name: "cdcl",
        example: "cdcl",
        about: "conflict-driven clause learning: derives all forced moves, and learns from each conflict which moves exclude each other; for Sudoku, Kakuro, and problems that define a formula. 100 conflicts count as one playout",
        ..Form::EMPTY
    };

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        if planner.problem().formula().is_none() {
            return Err(PlanError::NoFormula);
        }
        planner.ready(search, Learning)
    }
}

/// Conflict-driven clause learning.
///
/// ```
/// use nestling::Search;
/// assert_eq!(Search::cdcl().to_string(), "cdcl");
/// ```
impl Search {
    /// Learns a clause from every conflict, until the problem is solved or proven to have no solution.
    pub fn cdcl() -> Search {
        Search::of::<Cdcl>()
    }
}

struct Learning;

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Learnt<M> {
    tally: SearchProgress<M>,
    solver: Option<ClauseSolver>,
}

impl<P: Problem> Plan<P> for Learning {
    type Frame = Learnt<P::Move>;

    /// After every [`CONFLICTS`] conflicts it plays a game as the solver guesses. If there is no solution, its result is the best of these
    /// games, which may not be the best of all: it is not proven.
    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let mut this = frame.unwrap_or_else(|| Learnt { tally: SearchProgress::default(), solver: None });
        if is_over(state) {
            return this.tally.clone().ended(task, ScoredMoves::new(state.score(), Vec::new()), |_| this);
        }
        let formula = state.formula().expect("the start has a formula, so every state has one");
        let variables: Variables<P> = formula.moves().iter().copied().zip(0..).collect();
        let solver = this.solver.get_or_insert_with(|| ClauseSolver::new(&formula, stream.seed()));
        let give_up = || task.watch.reason().is_some();
        loop {
            if let Some(reason) = task.stop(&this.tally) {
                return this.tally.clone().cut(reason, this);
            }
            let verdict = solver.search((this.tally.counts.playouts + 1) * CONFLICTS, &give_up);
            if verdict.is_none()
                && let Some(reason) = task.watch.reason()
            {
                return this.tally.clone().cut(reason, this);
            }
            let game = guessed(state, solver, &variables);
            task.shared.show(game.score);
            this.tally.count(task, 1, game.moves.len() as u64, Some((game.score, &game.moves)));
            match verdict {
                None => {}
                Some(ClauseVerdict::Solved) => return this.tally.clone().solved(task, game, this),
                Some(ClauseVerdict::Refuted) => {
                    let best = this.tally.seen.clone().expect("a game was just played");
                    return this.tally.finished(super::Found::Game(best));
                }
            }
        }
    }

    fn check_frame(&self, state: &P, frame: &Self::Frame) -> FrameCheck {
        require(frame.tally.counts.playouts < MOST_GAMES, "it has too many games")?;
        let fits = match (&frame.solver, state.formula()) {
            (Some(solver), Some(formula)) => solver.is_of(&formula),
            _ => true,
        };
        require(fits, "its solver does not fit the formula")
    }

    fn plays(&self, state: &P) -> bool {
        !is_over(state)
    }
}

type Variables<P> = FxHashMap<<P as Problem>::Move, u32>;

impl<M: Move> SearchProgress<M> {
    /// The report of a search whose last game solves the problem, and has been counted.
    fn solved(self, task: &Task<'_, M>, game: ScoredMoves<M>, frame: Learnt<M>) -> SearchReport<M, Learnt<M>> {
        match task.stop(&self) {
            Some(reason @ super::Reason::Target) => self.cut(reason, frame),
            _ => self.finished(super::Found::Game(game)),
        }
    }
}

/// A game in the problem's own order: of the legal moves the first that the solver takes for true; if it takes none, the first.
pub(crate) fn guessed<P: Problem>(start: &P, solver: &ClauseSolver, variables: &Variables<P>) -> ScoredMoves<P::Move> {
    let (mut state, mut moves, mut legal) = (start.clone(), Vec::new(), Vec::new());
    loop {
        state.legal_moves(&mut legal);
        let is_true = |played: &&P::Move| variables.get(played).is_some_and(|&variable| solver.is_true(variable));
        let Some(&played) = legal.iter().find(is_true).or(legal.first()) else { break };
        state.play(played);
        moves.push(played);
    }
    ScoredMoves::new(state.score(), moves)
}

/// A game of a [solved](ClauseVerdict::Solved) formula.
pub(crate) fn solution<P: Problem>(
    start: &P,
    formula: &Formula<P::Move>,
    solver: &ClauseSolver,
) -> ScoredMoves<P::Move> {
    guessed(start, solver, &formula.moves().iter().copied().zip(0..).collect())
}
