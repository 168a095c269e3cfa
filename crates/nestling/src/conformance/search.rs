//! The laws every search must keep, so that the driver's guarantees hold for it.

use std::cell::RefCell;
use std::time::Duration;

use super::{Violation, holds};
use crate::expression::{Catalogue, Search};
use crate::journal::{Improvement, Journal, Spent};
use crate::outcome::{Outcome, Stop};
use crate::problem::Problem;
use crate::run::{Event, Run, RunError};
use crate::search::Searches;
use crate::watch::Cancel;

/// Checks every law of a search on a problem, with budgets of up to so many playouts.
///
/// The laws: its text parses back to the same search; the same seed gives the same outcome on 1, 2 and 5 threads; a budget in playouts is
/// exact; interrupted anywhere, by a budget or by a pause, it continues to the same outcome; it stops at a target; the rules confirm its
/// games and scores; it stops when it is cancelled. A problem with a few dozen moves and a budget of some hundred playouts take about a
/// second.
///
/// ```
/// # use nestling::Problem;
/// use nestling::{conformance, search::Standard};
/// # #[derive(Clone)] struct LeftMove { depth: u32, lefts: u32 }
/// # impl Problem for LeftMove {
/// #     type Move = bool;
/// #     fn legal_moves(&self, moves: &mut Vec<bool>) { moves.clear(); if self.depth > 0 { moves.extend([true, false]) } }
/// #     fn play(&mut self, left: bool) { self.depth -= 1; self.lefts += u32::from(left); }
/// #     fn score(&self) -> f64 { self.lefts.into() }
/// # }
/// let problem = LeftMove { depth: 10, lefts: 0 };
/// conformance::search::<Standard, _>(&problem, &"beam(4)".parse().unwrap(), 200).unwrap();
/// ```
///
/// # Errors
///
/// The first law that it breaks, and how.
pub fn search<S: Searches, P: Problem>(problem: &P, search: &Search, playouts: u64) -> Result<(), Violation> {
    text::<S>(search)?;
    form::<S>(search)?;
    for seed in 0..3 {
        let subject =
            SearchUnderTest { problem, search, seed, playouts, run: |problem, search| Run::of::<S>(problem, search) };
        let whole = subject.outcome(|run| run)?;
        subject.threads(&whole)?;
        subject.budgets(&whole)?;
        subject.interruptions(&whole)?;
        subject.pauses(&whole)?;
        subject.target(&whole)?;
        subject.cancelled()?;
    }
    Ok(())
}

fn text<S: Searches>(search: &Search) -> Result<(), Violation> {
    let (text, catalogue) = (search.to_string(), Catalogue::of::<S>());
    let law = "the text of a search reads back as itself";
    match catalogue.parse(&text) {
        Ok(read) => holds(law, read == *search && read.to_string() == text, || format!("{text} becomes {read}")),
        Err(error) => holds(law, false, || format!("{text}: {error}")),
    }
}

/// The examples and the menu of its form parse as searches.
fn form<S: Searches>(search: &Search) -> Result<(), Violation> {
    let (form, catalogue) = (search.form(), Catalogue::of::<S>());
    let law = "the examples and the menu of a form are searches";
    let choices =
        form.menu.iter().flat_map(|menu| menu.choices.iter().map(|choice| format!("{}({choice})", form.name)));
    for text in std::iter::once(form.example.to_owned()).chain(choices) {
        let read = catalogue.parse(&text);
        holds(law, read.as_ref().is_ok_and(|read| read.form().name == form.name), || format!("{text}: {read:?}"))?;
    }
    let is_usual = form.menu.is_none_or(|menu| menu.choices.contains(&menu.usual));
    holds("the usual choice of a menu is one of its choices", is_usual, || form.name.to_owned())
}

struct SearchUnderTest<'a, P: Problem> {
    problem: &'a P,
    search: &'a Search,
    seed: u64,
    playouts: u64,
    /// Makes a run with the searches of the set.
    run: for<'r> fn(&'r P, Search) -> Run<'r, P>,
}

impl<P: Problem> SearchUnderTest<'_, P> {
    fn place(&self, what: &str) -> String {
        format!("{}, seed {}: {what}", self.search, self.seed)
    }

    /// The outcome of a run with the whole budget, after `change`.
    fn outcome(&self, change: impl for<'r> FnOnce(Run<'r, P>) -> Run<'r, P>) -> Result<Outcome<P::Move>, Violation> {
        Ok(self.heard(change)?.0)
    }

    /// The same, with everything that was announced during the run.
    fn heard(
        &self,
        change: impl for<'r> FnOnce(Run<'r, P>) -> Run<'r, P>,
    ) -> Result<(Outcome<P::Move>, Vec<f64>), Violation> {
        let announced = RefCell::new(Vec::new());
        let outcome = {
            let run = (self.run)(self.problem, self.search.clone()).seed(self.seed).playouts(self.playouts);
            let run = change(run).on_event(|event| {
                if let Event::Improvement(improvement) = event {
                    announced.borrow_mut().push(improvement.score());
                }
            });
            run.start().map_err(|error| self.refused(&error))?
        };
        Ok((outcome, announced.into_inner()))
    }

    /// A run with so many playouts that records its checkpoints.
    fn kept(
        &self,
        kept: &mut Kept,
        interval: Duration,
        playouts: u64,
        threads: usize,
    ) -> Result<Outcome<P::Move>, Violation> {
        let run = (self.run)(self.problem, self.search.clone()).seed(self.seed).playouts(playouts).threads(threads);
        run.journal(kept, interval).start().map_err(|error| self.refused(&error))
    }

    /// The violation behind an error of the driver, which refuses illegal games and searches that break the rules of their trait.
    fn refused(&self, error: &RunError) -> Violation {
        let law = match error {
            RunError::Uncertified { .. } => "a search claims only what the rules replay",
            RunError::Faulty { .. } => "a search that ends has a result, and a game its moves",
            _ => "a search runs on the problem",
        };
        Violation { law, detail: self.place(&error.to_string()) }
    }

    /// Checks that two outcomes agree in everything that may not differ.
    fn same(
        &self,
        law: &'static str,
        what: &str,
        one: &Outcome<P::Move>,
        other: &Outcome<P::Move>,
    ) -> Result<(), Violation> {
        let steady = |outcome: &Outcome<P::Move>| {
            let Outcome { answer, best_seen, stop, proven, counts, recipe, learned, .. } = outcome.clone();
            (answer, best_seen, stop, proven, counts, recipe, learned)
        };
        holds(law, steady(one) == steady(other), || self.place(&format!("{what}: {other:?} rather than {one:?}")))
    }

    fn threads(&self, whole: &Outcome<P::Move>) -> Result<(), Violation> {
        let law = "the same seed gives the same outcome on any number of threads";
        for threads in [2, 5] {
            self.same(law, &format!("{threads} threads"), whole, &self.outcome(|run| run.threads(threads))?)?;
        }
        Ok(())
    }

    fn budgets(&self, whole: &Outcome<P::Move>) -> Result<(), Violation> {
        let law = "a budget in playouts is kept to the playout";
        let all = whole.counts.playouts;
        for budget in [0, 1, 2, 3, all / 3, all / 2, all.saturating_sub(1)] {
            let outcome = self.outcome(|run| run.playouts(budget))?;
            let played = outcome.counts.playouts;
            let kept = match outcome.stop {
                Stop::Playouts => played == budget,
                _ => played <= budget,
            };
            holds(law, kept && (budget >= all || outcome.stop != Stop::Finished), || {
                self.place(&format!("of {budget} playouts it plays {played}, and stops with {:?}", outcome.stop))
            })?;
            let known = outcome.score().is_some() || played == 0 || self.search.is_estimate();
            holds("what was played is not forgotten", known, || {
                self.place(&format!("after {played} playouts nothing"))
            })?;
        }
        Ok(())
    }

    /// Cut at some budget, and continued from the checkpoint written there.
    fn interruptions(&self, whole: &Outcome<P::Move>) -> Result<(), Violation> {
        let law = "an interrupted search continues to the same outcome";
        let all = whole.counts.playouts;
        for cut in [1, 2, all / 4, all / 2, all.saturating_sub(1)] {
            for threads in [1, 2] {
                let mut kept = Kept::default();
                self.kept(&mut kept, Duration::from_secs(3600), cut, threads)?;
                let Some(checkpoint) = kept.last else { continue };
                let rest = self.outcome(|run| run.threads(3 - threads).resume(checkpoint))?;
                self.same(law, &format!("cut after {cut} playouts"), whole, &rest)?;
            }
        }
        Ok(())
    }

    /// Paused for a checkpoint as often as possible, and started again from one of the checkpoints.
    fn pauses(&self, whole: &Outcome<P::Move>) -> Result<(), Violation> {
        let law = "a paused search continues as if it had not been paused";
        let mut kept = Kept::default();
        let paused = self.kept(&mut kept, Duration::ZERO, self.playouts, 1)?;
        self.same(law, "paused", whole, &paused)?;
        if let Some(checkpoint) = kept.middle {
            self.same(law, "begun again", whole, &self.outcome(|run| run.resume(checkpoint))?)?;
        }
        Ok(())
    }

    fn target(&self, whole: &Outcome<P::Move>) -> Result<(), Violation> {
        let Some(best) = whole.best_seen.as_ref().or(whole.game()) else { return Ok(()) };
        let (law, target) = ("a search stops at a game that reaches the target", best.score());
        for threads in [1, 2] {
            let outcome = self.outcome(|run| run.target(target).threads(threads))?;
            let reached = outcome
                .best_seen
                .as_ref()
                .or(outcome.game())
                .is_some_and(|game| self.problem.goal().reaches(game.score(), target));
            let stopped = matches!(outcome.stop, Stop::Target | Stop::Bound) && reached;
            holds(law, stopped, || self.place(&format!("with target {target} it stops with {:?}", outcome.stop)))?;
            let sooner = outcome.counts.playouts <= whole.counts.playouts;
            holds(law, sooner, || self.place(&format!("after {} playouts", outcome.counts.playouts)))?;
        }
        let (_, announced) = self.heard(|run| run)?;
        let best_announced = announced.last().copied();
        let law = "the best game that was seen has been announced";
        holds(law, best_announced == Some(target), || self.place(&format!("{best_announced:?} rather than {target}")))
    }

    fn cancelled(&self) -> Result<(), Violation> {
        let cancel = Cancel::new();
        cancel.cancel();
        let outcome = self.outcome(|run| run.cancel(cancel))?;
        let stopped = outcome.stop == Stop::Cancelled && outcome.counts.playouts <= 1;
        holds("a search that is told to stop before it begins plays nothing", stopped, || {
            self.place(&format!("it stops with {:?} after {} playouts", outcome.stop, outcome.counts.playouts))
        })
    }
}

/// Keeps the last checkpoint, and one from the middle.
#[derive(Default)]
struct Kept {
    last: Option<Vec<u8>>,
    middle: Option<Vec<u8>>,
    count: usize,
}

impl Journal for Kept {
    fn improvement(&mut self, _: &Improvement) -> Result<(), String> {
        Ok(())
    }

    fn checkpoint(&mut self, bytes: &[u8], _: Spent) -> Result<(), String> {
        self.count += 1;
        // A power of two, so that the checkpoint lies somewhere in the middle of the run.
        if self.count.is_power_of_two() {
            self.middle = Some(bytes.to_vec());
        }
        self.last = Some(bytes.to_vec());
        Ok(())
    }
}
