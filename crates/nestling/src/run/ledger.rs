//! The tasks of a run, made by others: threads of another process, a cluster, a job array.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::time::Duration;

use super::task::{Beginning, ReportHeader, TaskError, TaskHeader, TaskSpec, WholeReport};
use super::{Run, RunError};
use crate::checkpoint::{self, Identity};
use crate::journal::{Find, Improvement, Spent};
use crate::outcome::{Counts, Outcome};
use crate::problem::{Problem, state_after};
use crate::search::away::{Back, Desk, Place};
use crate::search::plan::{Parts, Planned};
use crate::search::task::Shared;
use crate::search::{Found, Frame, Reason, ScoredMoves, SearchProgress, SearchReport, Task};
use crate::stream::Stream;
use crate::watch::{Cancel, Signal, Watch};

/// The tasks of a run: which are to be made, which are done, and their combined result.
///
/// The outermost `repeat`, `mean` or `uct` is taken apart; any other search is one task. Tasks may be made in any order, by anyone, lost
/// and made again: the outcome is that of [`start`](Run::start). Reports are not believed: every game in them is replayed by the plain
/// rules. (That a search found nothing better, or what a mean is, can only be checked by making the task again.)
///
/// ```
/// use nestling::{Problem, Run};
/// # #[derive(Clone)] struct LeftMove { depth: u32, lefts: u32 }
/// # impl Problem for LeftMove {
/// #     type Move = bool;
/// #     fn legal_moves(&self, moves: &mut Vec<bool>) { moves.clear(); if self.depth > 0 { moves.extend([true, false]) } }
/// #     fn play(&mut self, left: bool) { self.depth -= 1; self.lefts += u32::from(left); }
/// #     fn score(&self) -> f64 { self.lefts.into() }
/// # }
/// let problem = LeftMove { depth: 10, lefts: 0 };
/// let run = || Run::new(&problem, "repeat(5, nested(1))".parse().unwrap()).seed(7);
/// let mut ledger = run().ledger()?;
/// while let Some(task) = ledger.next_task()? {
///     // These bytes may go to another machine, and the report comes back as bytes.
///     let report = run().run_task(&task.bytes, "this machine")?;
///     ledger.take(task.index, &report)?;
/// }
/// assert_eq!(ledger.outcome()?.answer, run().start()?.answer);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Ledger<'a, P: Problem> {
    run: Run<'a, P>,
    plan: Planned<'a, P>,
    state: P,
    description: String,
    identity: Identity,
    /// Its checksum.
    run_sum: u64,
    signal: Signal,
    work: Tasks<P>,
    /// What the search has come to so far.
    last: Option<SearchReport<P::Move>>,
    /// The best score that was announced.
    best: Option<f64>,
    /// Improvements that nobody has been told of.
    improvements: Vec<Improvement>,
    /// Games that are to be kept, and that nobody has been told of.
    finds: Vec<Find>,
    spent: Spent,
    /// What of it was spent on tasks that are not finished.
    unfinished: BTreeMap<u64, Spent>,
}

/// How the run is taken apart.
enum Tasks<P: Problem> {
    /// The whole run is one task, which stands at this checkpoint and has reported this on the way.
    One { number: u64, is_out: bool, checkpoint: Option<Vec<u8>>, interim: Option<SearchReport<P::Move>> },
    /// Those of its search, which stands here.
    Many { desk: Desk<P::Move>, frame: Option<Frame<P::Move>>, is_real: bool },
}

impl<'a, P: Problem> Run<'a, P> {
    /// The run as tasks for others to make. Its [threads](Run::threads) say how many workers there are: not many more tasks are handed
    /// out ahead of the first that is not done. It needs no budget; a budget in time is not watched, see [`Ledger::time_is_over`].
    /// [`resume`](Run::resume) goes on from a checkpoint, also of a run that was [started](Run::start). Listeners and journals are
    /// ignored.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn ledger(self) -> Result<Ledger<'a, P>, RunError> {
        let plan = self.planned()?;
        let is_real = match plan.parts() {
            _ if self.accelerator.is_some() => return self.ledger_of_one(0),
            Parts::Dependent => return self.ledger_of_one(0),
            Parts::Games => true,
            Parts::Numbers => false,
        };
        let (identity, workers) = (self.identity(), self.threads);
        let resumed = self.resume.as_ref().map(|bytes| checkpoint::decode(bytes, &identity, Some(plan.tag())));
        let (frame, best) = resumed.transpose()?.unzip();
        let work = Tasks::Many { desk: Desk::new(workers, is_real), frame, is_real };
        let mut ledger = Ledger::new(self, plan, identity, work, best.flatten());
        // Then it is known how many tasks there are, and which are done.
        ledger.look_in(false)?;
        Ok(ledger)
    }

    /// The run as a single task with this number, as for one run of a batch.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn ledger_of_one(mut self, number: u64) -> Result<Ledger<'a, P>, RunError> {
        let (plan, identity, resume) = (self.planned()?, self.identity(), self.resume.take());
        // Whose frame it is depends on who makes the task.
        let resumed = resume.as_ref().map(|bytes| checkpoint::decode_any::<P::Move>(bytes, &identity));
        let best = resumed.transpose()?.and_then(|(_, best)| best);
        let work = Tasks::One { number, is_out: false, checkpoint: resume, interim: None };
        Ok(Ledger::new(self, plan, identity, work, best))
    }
}

impl<'a, P: Problem> Ledger<'a, P> {
    fn new(run: Run<'a, P>, plan: Planned<'a, P>, identity: Identity, work: Tasks<P>, best: Option<f64>) -> Self {
        let (state, run_sum) = (state_after(run.problem, &run.from), identity.checksum());
        let (signal, spent) = (Signal::new(run.cancel.clone()), run.spent);
        let (last, improvements, finds, unfinished, description) = Default::default();
        Ledger {
            run,
            plan,
            state,
            description,
            identity,
            run_sum,
            signal,
            work,
            last,
            best,
            improvements,
            finds,
            spent,
            unfinished,
        }
    }

    /// Adds words to all tasks, from which a worker who knows nothing else can tell what to run; see [`TaskSpec::description`].
    #[must_use]
    pub fn described(mut self, description: String) -> Self {
        self.description = description;
        self
    }

    /// The next task to be made; none if all are out, or no more are wanted for now, or the run is over.
    ///
    /// # Errors
    ///
    /// When the search is faulty, or a task cannot be written down.
    pub fn next_task(&mut self) -> Result<Option<TaskSpec>, RunError> {
        let limit = self.run.playouts.unwrap_or(u64::MAX);
        if self.is_over() {
            return Ok(None);
        }
        if let Tasks::One { number, is_out, checkpoint, .. } = &mut self.work {
            let number = *number;
            if std::mem::replace(is_out, true) {
                return Ok(None);
            }
            let beginning = checkpoint.clone().map_or(Beginning::Fresh, Beginning::Checkpoint);
            return self.spec(number, limit, &beginning, self.spent).map(Some);
        }
        self.look_in(true)?;
        let Tasks::Many { desk, .. } = &self.work else { unreachable!("it has many tasks") };
        let Some(turn) = desk.turn() else { return Ok(None) };
        let Some(mut paused) = turn.paused else {
            return self.spec(turn.index, turn.limit, &Beginning::Fresh, Spent::default()).map(Some);
        };
        let Some((reason, frame)) = paused.cut.take() else { unreachable!("what is finished is not handed out") };
        let beginning = Beginning::Frame(frame);
        let spent = self.spent_on(turn.index, paused.tally.counts);
        let spec = self.spec(turn.index, turn.limit, &beginning, spent);
        // Should the task be lost, somebody else goes on from there.
        if let (Beginning::Frame(frame), Tasks::Many { desk, .. }) = (beginning, &self.work) {
            paused.cut = Some((reason, frame));
            desk.bring(Back { index: turn.index, report: paused, limit: None });
        }
        spec.map(Some)
    }

    fn spec(&self, index: u64, limit: u64, beginning: &Beginning<P::Move>, spent: Spent) -> Result<TaskSpec, RunError> {
        let Run { playouts, time, target, keep, .. } = self.run;
        let is_part = matches!(self.work, Tasks::Many { .. });
        let header = TaskHeader {
            description: self.description.clone(),
            run: self.identity.clone(),
            index,
            is_part,
            limit,
            eager: playouts.is_none(),
            time: time.filter(|_| !is_part),
            target,
            keep,
            spent,
        };
        let bytes = header.seal(beginning).map_err(|reason| TaskError::Unwritten { what: "task", reason })?;
        Ok(TaskSpec { index, bytes })
    }

    /// Takes a report, and returns the improvements that it makes sure of. A late or doubled one changes nothing. An interim report is
    /// kept, to go on from should the task be [lost](Ledger::lost).
    ///
    /// # Errors
    ///
    /// When it is damaged, of another run, task or version, or lies. Then nothing has changed: the task is still to be made.
    pub fn take(&mut self, index: u64, report: &[u8]) -> Result<Vec<Improvement>, RunError> {
        let WholeReport { header, report, finds } = ReportHeader::whole(report)?;
        header.check(self.run_sum, index)?;
        if let Tasks::Many { desk, .. } = &self.work {
            match desk.knows(index) {
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
            Tasks::Many { desk, .. } => {
                desk.bring(Back { index, report, limit: Some(header.limit) });
                self.look_in(false)?;
                if let Tasks::Many { desk, .. } = &self.work
                    && let Some(known) = desk.known_before()
                {
                    self.count(&header, known);
                    self.finds.extend(finds);
                }
            }
            Tasks::One { .. } => {
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

    /// The games that reach the score of [`Run::keep`] in the reports that were taken since somebody asked last.
    pub fn finds(&mut self) -> Vec<Find> {
        std::mem::take(&mut self.finds)
    }

    /// The report of the only task.
    fn take_whole(&mut self, header: &ReportHeader, report: SearchReport<P::Move>) -> Result<(), RunError> {
        // A late report says nothing new.
        let Tasks::One { interim, .. } = &self.work else { unreachable!("it is one task") };
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
        let Tasks::One { checkpoint, is_out, interim, .. } = &mut self.work else { unreachable!("it is one task") };
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

    /// The rules replay every game, and nobody plays more than they are allowed.
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
        if matches!(self.work, Tasks::Many { is_real: false, .. }) {
            return Ok(());
        }
        let result = report.result.as_ref().filter(|found| found.is_game()).map(Found::line);
        let is_game = !self.run.search.is_estimate();
        if is_game && report.cut.is_none() && (result.is_none() || report.tally.seen.is_none()) {
            return Err(refused("it ended without a game".to_owned()).into());
        }
        let beyond = report.tally.beyond.as_ref().map(|beyond| beyond.found.line());
        if let (Some((Reason::Target | Reason::Found, _)), Some(target)) = (&report.cut, self.run.stopping_score()) {
            let goal = self.run.problem.goal();
            let mut games = report.tally.seen.iter().chain(beyond);
            if !games.any(|game| goal.reaches(game.score, target)) {
                return Err(refused("no game in it reaches the target".to_owned()).into());
            }
        }
        for game in [report.tally.seen.as_ref(), result, beyond].into_iter().flatten() {
            self.run.certify(game).map_err(|error| header.refused(&error))?;
        }
        Ok(())
    }

    /// Adds what was spent on a task of which so much was `known`.
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

    /// What was spent on a task that is not finished. After the driver has been started again only what was played in it is known.
    fn spent_on(&self, index: u64, played: Counts) -> Spent {
        self.unfinished.get(&index).copied().unwrap_or(Spent { work: played, ..Spent::default() })
    }

    /// Lets the search see what has come back, and hand out a task if one is `asked` for.
    fn look_in(&mut self, asked: bool) -> Result<(), RunError> {
        let Tasks::Many { desk, frame, .. } = &mut self.work else { return Ok(()) };
        let frame = match self.last.take() {
            Some(last) => last.cut.map(|(_, frame)| frame),
            None => frame.take(),
        };
        if asked {
            desk.ask();
        }
        let (news, improvements) = mpsc::channel();
        let (goal, target) = (self.run.problem.goal(), self.run.stopping_score());
        let (eager, limit) = (self.run.playouts.is_none(), self.run.playouts.unwrap_or(u64::MAX));
        let shared = Shared::new(goal, target, self.run.threads, eager, self.best, news).untimed();
        let watch = Watch::new(&self.signal);
        let task = Task::root(&shared, &watch, limit, Place::Desk(desk));
        self.last = Some(self.plan.run(&task, &self.state, Stream::new(self.run.seed), frame));
        if let Some(error) = shared.failure() {
            return Err(error);
        }
        self.best = shared.best();
        let Spent { time, work } = self.spent;
        self.improvements.extend(self.run.improvements(&improvements, work.playouts, time)?);
        Ok(())
    }

    /// Nobody makes this task any more: it is to be handed out again, from its last interim report if there is one.
    pub fn lost(&mut self, index: u64) {
        match &mut self.work {
            Tasks::One { is_out, .. } => *is_out = false,
            Tasks::Many { desk, .. } => desk.turns(|turns| turns.give_up(index)),
        }
    }

    /// The tasks that are out.
    pub fn out(&self) -> Vec<u64> {
        match &self.work {
            Tasks::One { number, is_out, .. } => is_out.then_some(*number).into_iter().collect(),
            Tasks::Many { desk, .. } => desk.turns(|turns| turns.running().iter().copied().collect()),
        }
    }

    /// The tasks that are out, although their results will not count: whoever makes them may stop.
    pub fn no_longer_wanted(&self) -> Vec<u64> {
        match &self.work {
            _ if self.is_over() => self.out(),
            Tasks::One { .. } => Vec::new(),
            Tasks::Many { desk, .. } => desk.turns(|turns| turns.vain().collect()),
        }
    }

    /// Whether the run is taken apart; otherwise it is one task.
    pub fn is_divided(&self) -> bool {
        matches!(self.work, Tasks::Many { .. })
    }

    /// How many tasks are done, and how many there are; where only a budget ends them, nobody knows.
    pub fn done(&self) -> (u64, Option<u64>) {
        match &self.work {
            Tasks::One { .. } => (u64::from(self.is_over()), Some(1)),
            Tasks::Many { desk, .. } => desk.done(),
        }
    }

    /// The time of the run is over: what is known now is all that counts.
    ///
    /// # Errors
    ///
    /// When the rules refuse a game.
    pub fn time_is_over(&mut self) -> Result<Vec<Improvement>, RunError> {
        if self.is_over() {
            return Ok(Vec::new());
        }
        self.signal.time_is_over();
        self.look_in(false)?;
        if let Tasks::One { interim, .. } = &mut self.work {
            self.last = Some(cut_as(interim.take(), Reason::Time));
        }
        Ok(std::mem::take(&mut self.improvements))
    }

    /// Whether there is nothing left to do: the search has ended, or its budget or target is reached.
    pub fn is_over(&self) -> bool {
        self.last.as_ref().is_some_and(|last| !matches!(last.cut, Some((Reason::Pause, _))))
    }

    /// What was spent on the tasks, in all.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// Where the run stands, for [`Run::resume`]: a ledger goes on from there, and so does [`Run::start`]. Nothing if it has come to its
    /// end, or is one task that has not begun.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn checkpoint(&mut self) -> Result<Option<Vec<u8>>, RunError> {
        let unwritten = |reason| TaskError::Unwritten { what: "checkpoint", reason }.into();
        if matches!(&self.work, Tasks::Many { desk, .. } if desk.has_post()) && !self.is_over() {
            self.look_in(false)?;
        }
        match (&self.work, &self.last) {
            (Tasks::One { checkpoint, .. }, _) => Ok(checkpoint.clone()),
            (Tasks::Many { .. }, Some(SearchReport { cut: Some((_, frame)), .. })) => {
                checkpoint::encode(&self.identity, self.best, frame).map(Some).map_err(unwritten)
            }
            _ => Ok(None),
        }
    }

    /// What the tasks have come to. If the run is not over it counts as interrupted.
    ///
    /// # Errors
    ///
    /// When the rules refuse the game that it reports.
    pub fn outcome(mut self) -> Result<Outcome<P::Move>, RunError> {
        if !self.is_over() {
            // What tasks have found ahead of their turn counts then, as when a person stops a run.
            let stopped = Cancel::new();
            stopped.cancel();
            self.signal = Signal::new(stopped);
            self.look_in(false)?;
        }
        let interim = if let Tasks::One { interim, .. } = &mut self.work { interim.take() } else { None };
        let report = self.last.take().unwrap_or_else(|| cut_as(interim, Reason::Cancel));
        self.run.conclude(self.spent, report)
    }
}

/// No task plays more games or moves.
const MOST: u64 = 1 << 60;

/// No task takes longer.
const AGES: Duration = Duration::from_secs(1 << 40);

/// What a task that is one whole run has come to, where it is cut for this reason.
fn cut_as<M: Copy>(interim: Option<SearchReport<M>>, reason: Reason) -> SearchReport<M> {
    match interim {
        Some(SearchReport { cut: Some((_, frame)), tally, result, exhaustive, learned }) => {
            SearchReport { cut: Some((reason, frame)), tally, result, exhaustive, learned }
        }
        _ => SearchProgress::default().cut(reason, Frame::new("nothing", 1, ())),
    }
}
