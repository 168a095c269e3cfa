//! Reports of tasks: verified, counted and taken.

use std::time::Duration;

use super::{Division, Ledger};
use crate::checkpoint;
use crate::journal::{Find, Improvement, Spent};
use crate::problem::Problem;
use crate::run::RunError;
use crate::run::task::{ReportHeader, TaskError, WholeReport};
use crate::search::remote::ArrivedReport;
use crate::search::task::Counts;
use crate::search::{Found, Reason, ScoredMoves, SearchReport};

/// The largest credible number of games or moves of a task.
const MOST: u64 = 1 << 60;

/// The longest credible time of a task.
const AGES: Duration = Duration::from_secs(1 << 40);

impl<P: Problem> Ledger<'_, P> {
    /// Takes a report, and returns the improvements that are now certain. A late or repeated report changes nothing. An interim report is
    /// kept, to continue from it if the task is [lost](Ledger::lost).
    ///
    /// # Errors
    ///
    /// When the report is damaged, belongs to another run, task or version, or is false. Then nothing has changed: the task is still to be
    /// made.
    pub fn take(&mut self, index: u64, report: &[u8]) -> Result<Vec<Improvement>, RunError> {
        let WholeReport { header, report, finds } = ReportHeader::whole(report)?;
        header.check(self.run_sum, index)?;
        if let Division::Many { dispatcher, .. } = &self.work {
            match dispatcher.knows(index) {
                (false, _) => return Err(TaskError::NoSuchTask(index).into()),
                (true, true) => return Ok(Vec::new()),
                (true, false) => {}
            }
        }
        self.refuse_lies(&header, &report)?;
        let finds = self.certified(&header, finds)?;
        if self.is_over() {
            return Ok(Vec::new());
        }
        match &mut self.work {
            Division::Many { dispatcher, .. } => {
                dispatcher.bring(ArrivedReport { index, report, limit: Some(header.limit) });
                self.look_in(false)?;
                if let Division::Many { dispatcher, .. } = &self.work
                    && let Some(known) = dispatcher.known_before()
                {
                    self.count(&header, known);
                    self.finds.extend(finds);
                }
            }
            Division::One { .. } => {
                self.take_whole(&header, report)?;
                self.finds.extend(finds);
            }
        }
        Ok(std::mem::take(&mut self.improvements))
    }

    /// Certifies games that are to be kept although they are not the best.
    fn certified(
        &mut self,
        header: &ReportHeader,
        finds: Vec<(u64, ScoredMoves<P::Move>)>,
    ) -> Result<Vec<Find>, RunError> {
        let Spent { time: elapsed, work: Counts { playouts, .. } } = header.spent;
        let certify = |(search, game): (u64, ScoredMoves<P::Move>)| {
            let game = self.run.certify(&game).map_err(|error| header.refused(&error))?.erase();
            Ok(Find { found: Improvement { game, playouts, elapsed }, search })
        };
        finds.into_iter().map(certify).collect()
    }

    /// The games that reach the score of [`Run::keep`](crate::Run::keep) in the reports that were taken since the last call.
    pub fn finds(&mut self) -> Vec<Find> {
        std::mem::take(&mut self.finds)
    }

    /// The report of the only task.
    fn take_whole(&mut self, header: &ReportHeader, report: SearchReport<P::Move>) -> Result<(), RunError> {
        // A late report has no news.
        let Division::One { interim, .. } = &self.work else { unreachable!("it is one task") };
        let known = interim.as_ref().map_or(0, |interim| interim.tally.counts.playouts);
        if report.tally.counts.playouts < known {
            return Ok(());
        }
        self.spent = header.spent;
        if let Some(seen) = &report.tally.seen
            && self.best.is_none_or(|best| self.run.problem.goal().better(seen.score, best))
        {
            self.best = Some(seen.score);
            let game = self.run.certify(seen)?.erase();
            let Spent { time, work } = self.spent;
            self.improvements.push(Improvement { game, playouts: work.playouts, elapsed: time });
        }
        let Division::One { checkpoint, is_out, interim, .. } = &mut self.work else { unreachable!("it is one task") };
        if let Some((_, frame)) = &report.cut {
            let encoded = checkpoint::encode(&self.identity, self.best, frame);
            *checkpoint = Some(encoded.map_err(|reason| TaskError::Unwritten { what: "checkpoint", reason })?);
        }
        let has_more = matches!(report.cut, Some((Reason::Playouts, _))) && Some(header.limit) < self.run.playouts;
        if header.is_finished && !has_more {
            self.last = Some(report);
        } else {
            *is_out &= !has_more;
            *interim = Some(report);
        }
        Ok(())
    }

    /// Refuses a report with an illegal game, or with more playouts than allowed.
    fn refuse_lies(&mut self, header: &ReportHeader, report: &SearchReport<P::Move>) -> Result<(), RunError> {
        let refused = |why: String| TaskError::Refused { index: header.index, by: header.by.clone(), why };
        let Counts { playouts, moves } = report.tally.counts;
        let limit = header.limit.min(self.run.playouts.unwrap_or(MOST));
        if playouts > limit || moves > MOST {
            return Err(refused(format!("it has {playouts} playouts, and {limit} were allowed")).into());
        }
        let Spent { time, work } = header.spent;
        if time > AGES || work.playouts > MOST || work.moves > MOST {
            return Err(refused("it claims more time or playouts than any task can have used".to_owned()).into());
        }
        if report.result.is_none() && report.cut.is_none() {
            return Err(refused("it ended without a result".to_owned()).into());
        }
        if matches!(self.work, Division::Many { is_real: false, .. }) {
            return Ok(());
        }
        let result = report.result.as_ref().filter(|found| found.is_game()).map(Found::line);
        let is_game = !self.run.search.is_estimate();
        if is_game && report.cut.is_none() && (result.is_none() || report.tally.seen.is_none()) {
            return Err(refused("it ended without a game".to_owned()).into());
        }
        let speculative = report.tally.speculative.as_ref().map(|speculative| speculative.found.line());
        if let (Some((Reason::Target | Reason::Found, _)), Some(target)) = (&report.cut, self.run.stopping_score()) {
            let goal = self.run.problem.goal();
            let mut games = report.tally.seen.iter().chain(speculative);
            if !games.any(|game| goal.reaches(game.score, target)) {
                return Err(refused("no game in it reaches the target".to_owned()).into());
            }
        }
        if self.is_trusting {
            return Ok(());
        }
        let seen = report.tally.seen.as_ref();
        for game in [seen, result.filter(|result| Some(*result) != seen), speculative].into_iter().flatten() {
            self.run.certify(game).map_err(|error| header.refused(&error))?;
        }
        Ok(())
    }

    /// Adds what was spent on a task, of which `known` was counted before.
    fn count(&mut self, header: &ReportHeader, known: Counts) {
        let before = self.spent_on(header.index, known);
        let Spent { time, work } = &mut self.spent;
        *time = time.saturating_add(header.spent.time.saturating_sub(before.time));
        let more = |now: u64, before: u64| now.saturating_sub(before);
        work.playouts = work.playouts.saturating_add(more(header.spent.work.playouts, before.work.playouts));
        work.moves = work.moves.saturating_add(more(header.spent.work.moves, before.work.moves));
        if header.is_finished {
            self.unfinished.remove(&header.index);
        } else {
            self.unfinished.insert(header.index, header.spent);
        }
    }

    /// The time and work spent on an unfinished task. After the driver was restarted only the number of its playouts is known.
    pub(super) fn spent_on(&self, index: u64, played: Counts) -> Spent {
        self.unfinished.get(&index).copied().unwrap_or(Spent { work: played, ..Spent::default() })
    }
}
