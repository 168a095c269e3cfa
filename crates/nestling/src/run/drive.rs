//! The loop around a search: threads, clock, news, checkpoints, certificates.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::threads::Threads;
use super::work::{Checkpoint, Message, Meter, RunPart, Work};
use super::{Event, Run, RunError};
use crate::certified::Certified;
use crate::checkpoint::{self, Identity};
use crate::journal::{Find, Improvement, Spent};
use crate::outcome::{Answer, Outcome, Recipe, Stop};
use crate::problem::{Problem, is_over, state_after};
use crate::search::accelerated::{Accelerated, TAG};
use crate::search::found::joined;
use crate::search::task::{News, Shared};
use crate::search::{Found, Frame, PlanError, Planned, Planner, Reason, ScoredMoves, SearchReport};
use crate::stream::Stream;
use crate::watch::Signal;

/// How often progress is reported.
const TICK: Duration = Duration::from_millis(100);

/// How many games to be kept may wait to be announced, or be part of a report.
pub(super) const FINDS: usize = 500;

/// The search continues this many times as long as the last checkpoint took before it makes the next.
const SHARE: u32 = 100;

impl<'a, P: Problem> Run<'a, P> {
    /// Runs the search until it is complete or its budget is spent.
    ///
    /// # Errors
    ///
    /// When it cannot be started, or its result cannot be trusted.
    pub fn start(mut self) -> Result<Outcome<P::Move>, RunError> {
        let began = Instant::now();
        let plan = self.planned()?;
        let bounded = self.time.is_some() || self.playouts.is_some() || self.target.is_some();
        if !bounded && self.search.is_endless() {
            return Err(RunError::Endless(self.search.to_string()));
        }
        let identity = (self.journal.is_some() || self.resume.is_some()).then(|| self.identity());
        let state = state_after(self.problem, &self.from);
        // At the end of a game a device has nothing to search.
        self.accelerator = self.accelerator.take().filter(|_| !is_over(&state));
        let tag = self.accelerator.is_none().then(|| plan.tag());
        let resumed = match (self.resume.take(), &identity) {
            (Some(bytes), Some(identity)) => Some(checkpoint::decode(&bytes, identity, tag)?),
            _ => None,
        };
        let (frame, best) = resumed.unzip();
        let write = |report: &SearchReport<P::Move>, best, _| match (&report.cut, &identity) {
            (Some((_, frame)), Some(identity)) => checkpoint::encode(identity, best, frame).map(Some),
            _ => Ok(None),
        };
        let (limit, eager) = (self.playouts.unwrap_or(u64::MAX), self.playouts.is_none());
        let piece = RunPart { index: None, frame, best: best.flatten(), limit, eager, write: &write };
        let (spent, report) = self.carry_out(&plan, &state, piece, began)?;
        self.conclude(spent, report)
    }

    /// Runs the search, or one of its tasks, until it is complete or its budget is spent.
    pub(super) fn carry_out(
        &mut self,
        plan: &Planned<'a, P>,
        state: &P,
        mut piece: RunPart<'_, P::Move>,
        began: Instant,
    ) -> Result<(Spent, SearchReport<P::Move>), RunError> {
        let mut accelerator = self.accelerator.take();
        if let (Some(machine), Some(saved)) = (&mut accelerator, piece.frame.take_if(|frame| frame.tag() == TAG)) {
            let saved: Accelerated<P::Move> = saved.into_state(TAG, 1)?;
            machine.restore(&saved.state).map_err(RunError::Accelerator)?;
            piece.frame = Some(Frame::new(TAG, 1, saved));
        }
        let signal = Signal::new(self.cancel.clone());
        let is_playout = plan.as_playout().is_some() && accelerator.is_none() && self.time.is_none();
        let threads = Threads::new(if accelerator.is_some() { 1 } else { self.threads }, began, is_playout)?;
        let (sender, receiver) = mpsc::channel();
        let (news, improvements) = mpsc::channel();
        let (goal, target) = (self.problem.goal(), self.stopping_score());
        let shared = Shared::new(goal, target, self.threads, piece.eager, piece.best, news);
        let shared = shared.watched(self.scores.take()).keeping(self.keep);
        let meter = Meter { began, spent: self.spent, played: &shared.played };
        let (stream, journal) = (Stream::new(self.seed), self.journal.is_some().then_some(meter));
        let mut work = Work { plan, accelerator, shared: &shared, state, stream, piece, signal: &signal, journal };
        // The searching thread owns the sender, so that the listener notices its panic: the channel closes.
        let mut search = move || {
            let report = work.run(&sender);
            // The listener may have returned with an error; then it only waits for this thread.
            let _ = sender.send(Message::Done(Box::new(report)));
        };
        let around = self.around;
        let search = move || match around {
            Some(around) => around(&mut search),
            None => search(),
        };
        let report = threads.run(search, || self.listen(meter, &receiver, &improvements, &signal))?;
        let report = report.expect("a search that does not panic reports");
        match shared.failure() {
            Some(error) => Err(error),
            None => Ok((meter.read(), report)),
        }
    }

    /// Plans the search, and checks the run.
    pub(super) fn planned(&self) -> Result<Planned<'a, P>, RunError> {
        self.search.check().map_err(PlanError::from)?;
        let plan = Planner::new(self.problem, self.files.clone(), self.plan).plan(&self.search)?;
        self.check()?;
        Ok(plan)
    }

    /// Refuses what can be refused before any work is done.
    fn check(&self) -> Result<(), RunError> {
        // The problem's own start needs no verification.
        if !self.from.is_empty() {
            self.problem.certify(&self.from).map_err(RunError::From)?;
        }
        for (name, games) in &self.files.games {
            if games.is_empty() {
                return Err(RunError::NoGames(name.clone()));
            }
            for (game, number) in games.iter().zip(1..) {
                let illegal = |error| RunError::Games { name: name.clone(), number, error };
                self.problem.certify(game).map_err(illegal)?;
            }
        }
        if let (Some(target), Some(bound)) = (self.target, self.problem.bound())
            && self.problem.goal().better(target, bound)
        {
            return Err(RunError::Unreachable { target, bound });
        }
        Ok(())
    }

    /// The identity in a checkpoint of this run.
    pub(super) fn identity(&self) -> Identity {
        Identity {
            search: self.search.to_string(),
            seed: self.seed,
            from: self.problem.texts(&self.from),
            weights: checkpoint::fingerprint(self.problem, &self.files),
            problem: checkpoint::first_moves(self.problem),
        }
    }

    pub(super) fn stopping_score(&self) -> Option<f64> {
        let goal = self.problem.goal();
        match (self.target, self.problem.bound()) {
            (Some(target), Some(bound)) if goal.better(target, bound) => Some(bound),
            (target, bound) => target.or(bound),
        }
    }

    /// Watches the clock and passes news on until the search is done; no report if it panicked.
    fn listen(
        &mut self,
        meter: Meter<'_>,
        messages: &Receiver<Message<P::Move>>,
        improvements: &Receiver<News<P::Move>>,
        signal: &Signal,
    ) -> Result<Option<SearchReport<P::Move>>, RunError> {
        let clock = self.began.unwrap_or(meter.began);
        let deadline = self.time.and_then(|time| clock.checked_add(time.saturating_sub(self.spent.time)));
        let mut checkpoint_due = self.journal.as_ref().map(|(_, interval)| Instant::now() + *interval);
        let mut best = None;
        loop {
            let now = Instant::now();
            if deadline.is_some_and(|deadline| now >= deadline) {
                signal.time_is_over();
            }
            if checkpoint_due.is_some_and(|due| now >= due) {
                checkpoint_due = None;
                signal.pause();
            }
            let wake = [deadline, checkpoint_due].into_iter().flatten().filter(|&at| at > now).min();
            let wait = wake.map_or(TICK, |at| TICK.min(at - now));
            let message = messages.recv_timeout(wait);
            if let Some(news) = self.pass_on(meter, improvements)? {
                best = Some(news);
            }
            match message {
                Ok(Message::Done(report)) => {
                    self.announce_finds(meter, Vec::new(), Instant::now())?;
                    return Ok(Some(*report));
                }
                Ok(Message::Checkpoint(checkpoint)) => checkpoint_due = self.store(checkpoint),
                Ok(Message::Failed(reason)) => self.tell(&Event::Failed(reason)),
                Err(RecvTimeoutError::Timeout) => {
                    let spent = meter.read();
                    let kept = self.journal.as_mut().map_or(Ok(()), |(journal, _)| journal.progress(spent));
                    self.report_failure(kept);
                    self.tell(&Event::Progress { elapsed: spent.time, playouts: spent.work.playouts, best });
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    /// Announces the games that have arrived, and returns the score of the last improvement. If announcing takes longer than finding them,
    /// or the run was told to stop, only the last improvement is announced: the others are not better.
    fn pass_on(&mut self, meter: Meter<'_>, improvements: &Receiver<News<P::Move>>) -> Result<Option<f64>, RunError> {
        let began = Instant::now();
        let mut better = None;
        let (finds, waiting): (Vec<_>, Vec<_>) = improvements.try_iter().partition(|news| news.kept.is_some());
        for (index, news) in waiting.iter().enumerate() {
            let is_last = index + 1 == waiting.len();
            if is_last || (began.elapsed() <= TICK && !self.cancel.is_cancelled()) {
                better = Some(news.found.score);
                self.announce(meter, news)?;
            }
        }
        self.announce_finds(meter, finds, began)?;
        Ok(better)
    }

    /// Announces games that are to be kept, the best first, as many as there is time for; the others wait. If too many wait, the worst are
    /// dropped.
    fn announce_finds(&mut self, meter: Meter<'_>, new: Vec<News<P::Move>>, began: Instant) -> Result<(), RunError> {
        let goal = self.problem.goal();
        if let Some(gathered) = &self.gathered {
            gathered.add(goal, new);
            return Ok(());
        }
        self.finds.extend(new);
        let value = |news: &News<P::Move>| goal.value(news.found.score);
        self.finds.make_contiguous().sort_by(|one, other| value(other).total_cmp(&value(one)));
        while began.elapsed() <= TICK
            && let Some(find) = self.finds.pop_front()
        {
            self.announce(meter, &find)?;
        }
        self.finds.truncate(FINDS);
        Ok(())
    }

    /// Hands a checkpoint to the journal, and returns when the next is due.
    fn store(&mut self, checkpoint: Checkpoint) -> Option<Instant> {
        let (journal, interval) = self.journal.as_mut()?;
        let asked = Instant::now();
        let kept = checkpoint.bytes.and_then(|bytes| journal.checkpoint(&bytes, checkpoint.spent));
        let cost = checkpoint.cost + asked.elapsed();
        let due = Instant::now() + cost.saturating_mul(SHARE).max(*interval);
        self.report_failure(kept);
        Some(due)
    }

    fn announce(&mut self, meter: Meter<'_>, news: &News<P::Move>) -> Result<(), RunError> {
        if self.on_event.is_none() && self.journal.is_none() {
            return Ok(());
        }
        let game = self.certify(&news.found).inspect_err(|_| self.cancel.cancel())?.erase();
        let playouts = self.spent.work.playouts + news.playouts;
        let elapsed = self.spent.time + news.at.map_or(Duration::ZERO, |at| at.saturating_duration_since(meter.began));
        let found = Improvement { game, playouts, elapsed };
        let event = match news.kept {
            None => Event::Improvement(found),
            Some(search) => Event::Find(Find { found, search }),
        };
        let kept = self.journal.as_mut().map_or(Ok(()), |(journal, _)| match &event {
            Event::Find(find) => journal.find(find),
            Event::Improvement(improvement) => journal.improvement(improvement),
            _ => Ok(()),
        });
        self.report_failure(kept);
        self.tell(&event);
        Ok(())
    }

    fn tell(&mut self, event: &Event) {
        if let Some(listener) = &mut self.on_event {
            listener(event);
        }
    }

    fn report_failure(&mut self, kept: Result<(), String>) {
        if let Err(reason) = kept {
            self.tell(&Event::JournalFailed(reason));
        }
    }

    /// Verifies a game that the search has found after the run's start by replaying it with the plain rules, unless it is the game that was
    /// verified last.
    pub(super) fn certify(&mut self, found: &ScoredMoves<P::Move>) -> Result<Certified<P::Move>, RunError> {
        let whole = joined(&self.from, &found.moves);
        let known = self.certified.take().filter(|known| known.score() == found.score && known.moves() == whole);
        let why = match known.map_or_else(|| Certified::new(self.problem, whole), Ok) {
            Ok(game) if game.score() != found.score => format!("its moves score {}", game.score()),
            Ok(game) if !game.is_over() => "it is not over".to_owned(),
            Ok(game) => {
                self.certified = Some(game.clone());
                return Ok(game);
            }
            Err(illegal) => illegal.to_string(),
        };
        Err(RunError::Uncertified { score: found.score, why })
    }

    /// The verified improvements among the news of a run without a clock; so many playouts and so much time were spent before.
    pub(super) fn improvements(
        &mut self,
        news: &Receiver<News<P::Move>>,
        playouts: u64,
        elapsed: Duration,
    ) -> Result<Vec<Improvement>, RunError> {
        let certify = |news: News<P::Move>| {
            let game = self.certify(&news.found)?.erase();
            Ok(Improvement { game, playouts: playouts + news.playouts, elapsed })
        };
        news.try_iter().filter(|news| news.kept.is_none()).map(certify).collect()
    }

    /// The result of the search, every game verified.
    fn answer(&mut self, found: Option<Found<P::Move>>) -> Result<Answer<P::Move>, RunError> {
        Ok(match found {
            Some(Found::Game(line)) => Answer::Game(self.certify(&line)?),
            Some(Found::Estimate(ScoredMoves { score, moves })) => {
                let after = Certified::new(self.problem, joined(&self.from, &moves));
                let why = |illegal: crate::problem::Illegal| RunError::Uncertified { score, why: illegal.to_string() };
                Answer::Estimate { score: score + 0.0, after: after.map_err(why)? }
            }
            None => Answer::Nothing,
        })
    }

    /// Turns the report of the whole run into its outcome, every game in it verified.
    pub(super) fn conclude(
        &mut self,
        spent: Spent,
        report: SearchReport<P::Move>,
    ) -> Result<Outcome<P::Move>, RunError> {
        let goal = self.problem.goal();
        let (seen, mut recipe) = (report.tally.seen, None);
        let mut found = report.result.or_else(|| seen.clone().map(Found::Game));
        if let Some(speculative) = report.tally.speculative
            && (seen.is_none()
                || found.as_ref().is_none_or(|found| goal.better(speculative.found.score(), found.score())))
        {
            let (from, playouts) = (speculative.from + self.from.len(), Some(speculative.playouts));
            recipe = Some(Recipe { search: speculative.search, seed: speculative.seed, from, playouts });
            found = Some(speculative.found);
        }
        let answer = self.answer(found)?;
        let is_worse =
            |seen: &ScoredMoves<P::Move>| answer.game().is_none_or(|game| goal.better(seen.score, game.score()));
        let best_seen = seen.filter(is_worse).map(|seen| self.certify(&seen)).transpose()?;
        let reaches = |score: Option<f64>| {
            score.is_some_and(|score| answer.game().is_some_and(|game| goal.reaches(game.score(), score)))
        };
        let (at_bound, at_target) = (reaches(self.problem.bound()), reaches(self.stopping_score()));
        let stop = match report.cut.map(|(reason, _)| reason) {
            None => Stop::Finished,
            Some(Reason::Playouts) => Stop::Playouts,
            // If the target was reached and the time is over too, the target counts.
            Some(Reason::Target | Reason::Found | Reason::Time) if at_bound => Stop::Bound,
            Some(Reason::Time) if !at_target => Stop::Time,
            Some(Reason::Target | Reason::Found | Reason::Time) => Stop::Target,
            Some(Reason::Failed) => Stop::Failed,
            Some(Reason::Cancel | Reason::Pause | Reason::Dropped) => Stop::Cancelled,
        };
        Ok(Outcome {
            answer,
            best_seen,
            stop,
            proven: at_bound || report.exhaustive,
            counts: report.tally.counts,
            work: spent.work,
            recipe,
            learned: report.learned,
            elapsed: spent.time,
        })
    }
}
