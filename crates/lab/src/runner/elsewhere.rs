//! Runs on a cluster.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use nestling::Outcome;
use nestling_registry::{Assorted, AssortedRun, Ready, Workers, start_assorted_on};

use super::schedule::Ticket;
use super::wanted::Wanted;
use super::{Desk, LabEffort, News, locked};
use crate::instrument::{Instrument, SearchInstrument, Trouble, unless_broken};

/// The searches of rows by job, size and name of the problem, as far as they have been opened. The driver refers to them.
pub(super) type Problems = HashMap<(usize, usize), BTreeMap<String, OnceLock<Ready>>>;

/// Room for all that rows may open.
pub(super) fn problems(wanted: &[Wanted<'_>]) -> Problems {
    let mut problems = Problems::new();
    for (job, row) in wanted.iter().enumerate() {
        for size in 0..row.instruments.len() {
            let names = search(row, size).problems(row.row.runs);
            problems.insert((job, size), names.into_iter().map(|name| (name, OnceLock::new())).collect());
        }
    }
    problems
}

/// Only searches are sent to a cluster.
fn search<'r>(row: &'r Wanted<'_>, size: usize) -> &'r SearchInstrument<'r> {
    match &row.instruments[size] {
        Instrument::Search(search) => search,
        _ => unreachable!("what is no search stays here"),
    }
}

/// Lets workers make runs until there are none left, and says why they cannot.
pub(super) fn drive(workers: &mut dyn Workers, desk: Desk<'_>, problems: &Problems) -> Result<(), String> {
    let (out, number) = Default::default();
    let mut errands = Errands { desk, problems, out, number, is_exhausted: false };
    start_assorted_on(workers, &mut errands).map_err(|error| error.to_string())
}

/// The instructions for the driver.
struct Errands<'a> {
    desk: Desk<'a>,
    problems: &'a Problems,
    /// The runs that are out, by their numbers.
    out: BTreeMap<u64, Ticket>,
    number: u64,
    /// Whether no run was left when the driver asked last, and none was out.
    is_exhausted: bool,
}

impl<'a> Errands<'a> {
    /// The search of a run.
    fn ready(&self, ticket: &Ticket) -> Result<&'a Ready, Trouble> {
        let &Ticket { job, size, number, .. } = ticket;
        let search = search(&self.desk.wanted[job], size);
        let place = &self.problems[&(job, size)][&search.problem(number)];
        if let Some(ready) = place.get() {
            return Ok(ready);
        }
        let ready = unless_broken(number, || search.run(number).map_err(Trouble::Failed))?;
        Ok(place.get_or_init(|| ready))
    }
}

impl<'a> Assorted<'a> for Errands<'a> {
    fn next(&mut self) -> Option<AssortedRun<'a>> {
        loop {
            let next = locked(self.desk.schedule).next(Instant::now());
            self.is_exhausted = next.is_none() && self.out.is_empty();
            let ticket = next?;
            match self.ready(&ticket) {
                Err(trouble) => self.desk.finished(ticket, Err(trouble), Duration::ZERO),
                Ok(ready) => {
                    let (number, seed) = (self.number, self.desk.seed(&ticket));
                    let kind = ((ticket.job as u64) << 32) + ticket.size as u64;
                    self.number += 1;
                    self.out.insert(number, ticket);
                    return Some(AssortedRun { number, kind, ready, seed });
                }
            }
        }
    }

    fn has_more(&self) -> bool {
        !self.is_exhausted
    }

    fn is_unwanted(&self, run: u64) -> bool {
        self.out.get(&run).is_some_and(|ticket| ticket.cancel.is_cancelled())
    }

    fn trouble(&mut self, reason: &str) {
        let _ = self.desk.sender.send(News::Trouble(reason.to_owned()));
    }

    fn done(&mut self, run: u64, outcome: Result<Outcome, String>) {
        let Some(ticket) = self.out.remove(&run) else { return };
        let spent = outcome.as_ref().map_or(Duration::ZERO, |outcome| outcome.elapsed);
        let taken = outcome.map_err(Trouble::Failed).and_then(|outcome| {
            let ready = self.ready(&ticket)?;
            search(&self.desk.wanted[ticket.job], ticket.size).taken(ticket.number, ready.problem(), &outcome)
        });
        self.desk.finished(ticket, taken, spent);
    }

    /// A run that waits looks as if it took long.
    fn may_wait(&self) -> bool {
        locked(self.desk.schedule).effort == LabEffort::Full
    }

    fn is_cancelled(&self) -> bool {
        locked(self.desk.schedule).is_over(Instant::now())
    }
}
