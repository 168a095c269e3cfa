//! `cdcl` on a problem with a formula: the laws, the number of solutions, and flaws that the conformance suite finds.

use nestling::engine::{ClauseSolver, ClauseVerdict, Formula, Literal};
use nestling::search::Standard;
use nestling::{Goal, Problem, Run, Stop, conformance};

use crate::common::Maze;
use crate::laws_forged::{Strict, resists};
use nestling::PlanError;

/// What is wrong with a formula.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Flaw {
    None,
    /// Knows nothing about diagonals.
    Loose,
    /// Forbids a solution.
    Strict,
}

/// Put a queen into every row of a board so that none attacks another; the score counts the rows without one.
#[derive(Clone, Debug)]
struct Queens {
    side: usize,
    columns: Vec<usize>,
    flaw: Flaw,
}

fn queens(side: usize, flaw: Flaw) -> Queens {
    Queens { side, columns: Vec::new(), flaw }
}

fn attack((row, column): (usize, usize), (other, column2): (usize, usize)) -> bool {
    column == column2 || row.abs_diff(other) == column.abs_diff(column2)
}

impl Problem for Queens {
    /// Row and column, so that a move means the same in every state.
    type Move = (usize, usize);

    fn legal_moves(&self, moves: &mut Vec<(usize, usize)>) {
        moves.clear();
        let row = self.columns.len();
        let is_free = |&column: &usize| {
            self.columns.iter().enumerate().all(|(other, &there)| !attack((row, column), (other, there)))
        };
        if row < self.side {
            moves.extend((0..self.side).filter(is_free).map(|column| (row, column)));
        }
    }

    fn play(&mut self, (_, column): (usize, usize)) {
        self.columns.push(column);
    }

    fn score(&self) -> f64 {
        (self.side - self.columns.len()) as f64
    }

    fn goal(&self) -> Goal {
        Goal::Min
    }

    fn bound(&self) -> Option<f64> {
        Some(0.0)
    }

    fn formula(&self) -> Option<Formula<(usize, usize)>> {
        let rows = self.columns.len()..self.side;
        let fits = |&(row, column): &(usize, usize)| {
            self.columns.iter().enumerate().all(|(other, &there)| !attack((row, column), (other, there)))
        };
        let places: Vec<_> =
            rows.clone().flat_map(|row| (0..self.side).map(move |column| (row, column))).filter(fits).collect();
        let mut formula = Formula::new(places.clone());
        let of_row = |row: usize| (0..places.len() as u32).filter(|&place| places[place as usize].0 == row).collect();
        rows.for_each(|row| formula.exactly_one(&Vec::<u32>::clone(&of_row(row))));
        for (one, &place) in (0..).zip(&places) {
            for (other, &place2) in (0..).zip(&places).filter(|&(other, place2)| other > one && place2.0 != place.0) {
                if attack(place, place2) && (self.flaw != Flaw::Loose || place.1 == place2.1) {
                    formula.at_most_one(&[one, other]);
                }
            }
        }
        // After the first queen, no other stands on the lowest row that is left.
        if self.flaw == Flaw::Strict && !self.columns.is_empty() {
            let below = (0..).zip(&places).filter(|(_, place)| place.0 + 1 == self.side).map(|(place, _)| place);
            below.for_each(|place| formula.add(&[Literal::not(place)]));
        }
        Some(formula)
    }
}

#[test]
fn cdcl_keeps_the_laws() {
    for (side, text) in [
        (6, "cdcl"),
        (12, "cdcl"),
        (6, "repeat(9, cdcl)"),
        (5, "step(cdcl)"),
        (8, "portfolio(dfs, cdcl)"),
        (7, "step(lookahead(cdcl), memory=off)"),
    ] {
        conformance::check(&queens(side, Flaw::None), 20).unwrap();
        conformance::search::<Standard, _>(&queens(side, Flaw::None), &text.parse().unwrap(), 300)
            .unwrap_or_else(|broken| panic!("{broken}"));
    }
}

/// Published numbers of solutions (OEIS A000170).
#[test]
fn solutions_are_counted() {
    for (side, count) in [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40), (8, 92), (9, 352)] {
        for seed in 0..3 {
            let mut solver = ClauseSolver::new(&queens(side, Flaw::None).formula().unwrap(), seed);
            let mut found = 0;
            while solver.search(u64::MAX, &|| false) == Some(ClauseVerdict::Solved) {
                found += 1;
                solver.exclude_solution();
            }
            assert_eq!(found, count, "{side} queens, seed {seed}");
        }
    }
}

/// A solver that is stopped at every opportunity, and goes through bytes each time, does the same as one that is not.
#[test]
fn a_solver_goes_on_where_it_was() {
    let formula = queens(18, Flaw::None).formula().unwrap();
    let mut whole = ClauseSolver::new(&formula, 5);
    let mut parts = whole.clone();
    let verdict = whole.search(u64::MAX, &|| false);
    let mut stops = 0;
    let again = loop {
        match parts.search(u64::MAX, &|| true) {
            None => parts = postcard::from_bytes(&postcard::to_allocvec(&parts).unwrap()).unwrap(),
            verdict => break verdict,
        }
        stops += 1;
    };
    assert_eq!((verdict, again), (Some(ClauseVerdict::Solved), Some(ClauseVerdict::Solved)));
    assert!(stops > 3 && parts.conflicts() == whole.conflicts(), "{stops} stops");
    assert!((0..formula.moves().len() as u32).all(|place| parts.is_true(place) == whole.is_true(place)));
}

#[test]
fn what_is_found_is_proven_and_what_is_refuted_is_not() {
    let run = |side| Run::new(&queens(side, Flaw::None), "cdcl".parse().unwrap()).seed(1).start().unwrap();
    let solved = run(30);
    assert!(solved.score() == Some(0.0) && solved.proven && solved.stop == Stop::Bound);
    // The best game of all has one row without a queen; that is not what the search has proven.
    let refuted = run(3);
    assert!(refuted.score() >= Some(1.0) && !refuted.proven && refuted.stop == Stop::Finished, "{refuted:?}");
    let maze = Maze::new(5, 5, Goal::Min);
    assert!(matches!(
        Run::new(&maze, "cdcl".parse().unwrap()).playouts(9).start().unwrap_err(),
        nestling::RunError::Plan(PlanError::NoFormula)
    ));
}

#[test]
fn the_laws_find_flaws_of_formulas() {
    let found = |flaw| conformance::check(&queens(6, flaw), 5).map_err(|violation| violation.law);
    assert_eq!(found(Flaw::None), Ok(()));
    assert_eq!(found(Flaw::Loose), Err("a solution of the formula leads to a game that reaches the bound"));
    assert_eq!(found(Flaw::Strict), Err("the formula of a state allows every game from there that reaches the bound"));
}

#[test]
fn forged_checkpoints_cause_no_panic() {
    for side in [4, 12] {
        resists(&Strict(queens(side, Flaw::None)), "repeat(cdcl)", 300);
    }
}
