//! The loop around a search: threads, clock, news, checkpoints, certificates.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::{Event, Run, RunError};
use crate::accelerator::Accelerator;
use crate::checkpoint::{self, Identity};
use crate::journal::{Improvement, Spent};
use crate::outcome::{Counts, Outcome, Recipe, Stop};
use crate::plan::Plan;
use crate::problem::{Problem, is_over, state_after, texts};
use crate::search::accelerated::accelerated;
use crate::search::task::{News, Shared};
use crate::search::{Found, Frame, Report, Task, search};
use crate::stream::Stream;
use crate::watch::{Reason, Signal, Watch};

/// How often progress is reported.
const TICK: Duration = Duration::from_millis(100);

/// How many times as long as it took the last checkpoint to be made the search goes on before the next.
const SHARE: u32 = 100;

impl<P: Problem> Run<'_, P> {
    /// Runs the search to its end or its budget's.
    pub fn start(mut self) -> Result<Outcome<P::Move>, RunError> {
        let began = Instant::now();
        let plan = Plan::new(&self.search, self.problem, &self.files)?;
        self.problem.certify(&self.from).map_err(RunError::From)?;
        if let (Some(target), Some(bound)) = (self.target, self.problem.bound())
            && self.problem.goal().better(target, bound)
        {
            return Err(RunError::Unreachable { target, bound });
        }
        let bounded = self.time.is_some() || self.playouts.is_some() || self.target.is_some();
        if !bounded && self.search.is_endless() {
            return Err(RunError::Endless(self.search.to_string()));
        }
        let identity = Identity {
            search: self.search.to_string(),
            seed: self.seed,
            from: texts(self.problem, &self.from),
            weights: checkpoint::fingerprint(&self.files),
            problem: checkpoint::first_moves(self.problem),
        };
        let state = state_after(self.problem, &self.from);
        // At the end of a game there is nothing for a machine to do.
        let mut accelerator = self.accelerator.take().filter(|_| !is_over(&state));
        let searched = accelerator.is_none().then_some(&plan);
        let resumed = self.resume.take().map(|bytes| checkpoint::decode(&bytes, &identity, searched)).transpose()?;
        let (frame, best) = resumed.unzip();
        if let (Some(machine), Some(Frame::Accelerated(frame))) = (&mut accelerator, &frame) {
            machine.restore(&frame.state).map_err(RunError::Accelerator)?;
        }
        let signal = Signal::new(self.cancel.clone());
        let pool = if accelerator.is_some() { None } else { self.thread_pool()? };
        let (sender, receiver) = mpsc::channel();
        let (news, improvements) = mpsc::channel();
        let (goal, target) = (self.problem.goal(), self.stopping_score());
        let eager = self.playouts.is_none() && self.target.is_none();
        let shared = Shared::new(goal, target, self.threads, eager, best.flatten(), news).watched(self.scores.take());
        let meter = Meter { began, spent: self.spent, playouts: &shared.playouts, moves: &shared.moves };
        let mut work = Work {
            plan: &plan,
            accelerator,
            shared: &shared,
            state: &state,
            stream: Stream::new(self.seed),
            limit: self.playouts.unwrap_or(u64::MAX),
            signal: &signal,
            identity: &identity,
            journal: self.journal.is_some().then_some(meter),
        };
        let report = std::thread::scope(|scope| {
            // The searching thread owns the sender, so that its panic is heard as a silence.
            let searching = scope.spawn(move || {
                let report = match &pool {
                    Some(pool) => pool.install(|| work.run(frame, &sender)),
                    None => work.run(frame, &sender),
                };
                // The listener may have left with an error; the scope then only waits for this thread.
                let _ = sender.send(Message::Done(Box::new(report)));
            });
            let heard = self.listen(meter, &receiver, &improvements, &signal);
            match searching.join() {
                Ok(()) => heard,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })?;
        let report = report.expect("a search that does not panic reports");
        self.conclude(meter, report)
    }

    fn stopping_score(&self) -> Option<f64> {
        let goal = self.problem.goal();
        match (self.target, self.problem.bound()) {
            (Some(target), Some(bound)) if goal.better(target, bound) => Some(bound),
            (target, bound) => target.or(bound),
        }
    }

    fn thread_pool(&self) -> Result<Option<rayon::ThreadPool>, RunError> {
        if self.threads == 1 {
            return Ok(None);
        }
        // Waiting threads take other tasks onto their stacks; a deep expression needs room for that.
        let built = rayon::ThreadPoolBuilder::new().num_threads(self.threads).stack_size(32 << 20).build();
        let error =
            |error: rayon::ThreadPoolBuildError| RunError::Threads { threads: self.threads, reason: error.to_string() };
        built.map(Some).map_err(error)
    }

    /// Watches the clock and passes news on until the search is done; no report if it panicked.
    fn listen(
        &mut self,
        meter: Meter<'_>,
        messages: &Receiver<Message<P::Move>>,
        improvements: &Receiver<News<P::Move>>,
        signal: &Signal,
    ) -> Result<Option<Report<P::Move>>, RunError> {
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
            while let Ok(news) = improvements.try_recv() {
                best = Some(news.found.score);
                self.announce(meter, &news)?;
            }
            match message {
                Ok(Message::Done(report)) => return Ok(Some(*report)),
                Ok(Message::Checkpoint(checkpoint)) => checkpoint_due = self.keep(checkpoint),
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

    /// Hands a checkpoint to the journal, and says when the next is due.
    fn keep(&mut self, checkpoint: Checkpoint) -> Option<Instant> {
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
        let score = news.found.score;
        let game = [self.from.as_slice(), &news.found.moves].concat();
        self.certify(score, &game).inspect_err(|_| self.cancel.cancel())?;
        let (moves, playouts) = (texts(self.problem, &game), self.spent.work.playouts + news.playouts);
        let elapsed = self.spent.time + news.at.saturating_duration_since(meter.began);
        let improvement = Improvement { score, moves, playouts, elapsed };
        if let Some((journal, _)) = &mut self.journal {
            let kept = journal.improvement(&improvement);
            self.report_failure(kept);
        }
        self.tell(&Event::Improvement(improvement));
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

    fn certify(&self, score: f64, game: &[P::Move]) -> Result<(), RunError> {
        let why = match self.problem.certify(game) {
            Ok(certificate) if certificate.score != score => format!("they count {}", certificate.score),
            Ok(certificate) if !certificate.terminal => "it is not over".to_owned(),
            Ok(_) => return Ok(()),
            Err(illegal) => illegal.to_string(),
        };
        Err(RunError::Uncertified { score, why })
    }

    /// Turns the report of the whole run into its outcome, every game in it certified.
    fn conclude(&self, meter: Meter<'_>, report: Report<P::Move>) -> Result<Outcome<P::Move>, RunError> {
        let goal = self.problem.goal();
        let whole = |found: Found<P::Move>| Found { moves: [self.from.as_slice(), &found.moves].concat(), ..found };
        let seen = report.tally.seen.map(whole);
        let (mut recipe, mut nothing) = (None, false);
        let mut result = match (report.result.map(whole), &seen) {
            (Some(result), _) => result,
            (None, Some(seen)) => seen.clone(),
            // Not one playout was allowed: the game as it stands.
            (None, None) => {
                nothing = true;
                let score = state_after(self.problem, &self.from).score();
                Found { score, moves: self.from.clone(), complete: false }
            }
        };
        if let Some(beyond) = report.tally.beyond
            && (seen.is_none() || goal.better(beyond.found.score, result.score))
        {
            let from = beyond.from + self.from.len();
            recipe = Some(Recipe { search: beyond.search, seed: beyond.seed, from, playouts: beyond.playouts });
            (result, nothing) = (whole(beyond.found), false);
        }
        let best_seen = seen.filter(|seen| goal.better(seen.score, result.score) || !result.complete);
        for found in [Some(&result), best_seen.as_ref()].into_iter().flatten().filter(|found| found.complete) {
            self.certify(found.score, &found.moves)?;
        }
        let at_bound = self.problem.bound().is_some_and(|bound| result.complete && goal.reaches(result.score, bound));
        let stop = match report.cut.map(|(reason, _)| reason) {
            None => Stop::Finished,
            Some(Reason::Playouts) => Stop::Playouts,
            Some(Reason::Target) if at_bound => Stop::Bound,
            Some(Reason::Target) => Stop::Target,
            Some(Reason::Time) => Stop::Time,
            Some(Reason::Failed) => Stop::Failed,
            Some(Reason::Cancel | Reason::Pause | Reason::Dropped) => Stop::Cancelled,
        };
        let spent = meter.read();
        Ok(Outcome {
            result,
            best_seen,
            nothing,
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

enum Message<M> {
    Done(Box<Report<M>>),
    Checkpoint(Checkpoint),
    Failed(String),
}

struct Checkpoint {
    bytes: Result<Vec<u8>, String>,
    spent: Spent,
    /// How long the search stood still for it.
    cost: Duration,
}

/// What the run has used, those of its legs that are over included.
#[derive(Clone, Copy)]
struct Meter<'a> {
    began: Instant,
    spent: Spent,
    playouts: &'a AtomicU64,
    moves: &'a AtomicU64,
}

impl Meter<'_> {
    fn read(&self) -> Spent {
        let playouts = self.spent.work.playouts + self.playouts.load(Ordering::Relaxed);
        let moves = self.spent.work.moves + self.moves.load(Ordering::Relaxed);
        Spent { time: self.spent.time + self.began.elapsed(), work: Counts { playouts, moves } }
    }
}

/// What the searching side of a run needs.
struct Work<'a, P: Problem> {
    plan: &'a Plan,
    /// What makes the search instead of the processor.
    accelerator: Option<Box<dyn Accelerator<P::Move> + 'a>>,
    shared: &'a Shared<P::Move>,
    state: &'a P,
    stream: Stream,
    limit: u64,
    signal: &'a Signal,
    identity: &'a Identity,
    /// Set where somebody keeps checkpoints.
    journal: Option<Meter<'a>>,
}

impl<P: Problem> Work<'_, P> {
    /// Searches to the end. A pause is an interruption like any other: the frames are written, and taken up again. So are
    /// those of a run cut for good, which somebody may want to go on with later.
    fn run(&mut self, mut frame: Option<Frame<P::Move>>, sender: &Sender<Message<P::Move>>) -> Report<P::Move> {
        let watch = Watch::new(self.signal);
        let task = Task::root(self.shared, &watch, self.limit);
        loop {
            let (report, failure) = match &mut self.accelerator {
                Some(machine) => accelerated(machine.as_mut(), &task, frame.take()),
                None => (search(self.plan, &task, self.state, self.stream, frame.take()), None),
            };
            if let Some(reason) = failure {
                let _ = sender.send(Message::Failed(reason));
                return report;
            }
            if let (Some(meter), Some((_, frame))) = (&self.journal, &report.cut) {
                let (spent, began) = (meter.read(), Instant::now());
                let bytes = checkpoint::encode(self.identity, self.shared.best(), frame);
                let _ = sender.send(Message::Checkpoint(Checkpoint { bytes, spent, cost: began.elapsed() }));
            }
            match report.cut {
                Some((Reason::Pause, paused)) => {
                    frame = Some(paused);
                    self.signal.go_on();
                }
                _ => return report,
            }
        }
    }
}
