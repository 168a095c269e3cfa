//! Tasks and their reports as bytes, and `run_task`, which turns a task into a report.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::drive::FINDS;
use super::work::RunPart;
use super::{Run, RunError};
use crate::checkpoint::{self, Identity};
use crate::journal::Spent;
use crate::problem::{Goal, Move, Problem, is_over, state_after};
use crate::sealed::{SealedKind, Unread};
use crate::search::report::printable;
use crate::search::task::News;
use crate::search::{Frame, Planned, Reason, ScoredMoves, SearchReport};
use crate::weights::Weights;

const TASK: SealedKind = SealedKind { magic: *b"nestl-tk", noun: "task", formats: &[1] };
const REPORT: SealedKind = SealedKind { magic: *b"nestl-rp", noun: "report", formats: &[1] };
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A task or a report that is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// It is damaged, or something else.
    #[error("the {what} is damaged: {reason}")]
    Damaged {
        /// A task or a report.
        what: &'static str,
        /// The error.
        reason: String,
    },
    /// It cannot be written.
    #[error("the {what} cannot be written: {reason}")]
    Unwritten {
        /// A task, a report or a checkpoint.
        what: &'static str,
        /// Why.
        reason: String,
    },
    /// Another version of the program has written it.
    #[error(
        "the {what} was written by version {found} of the program, and this is version {VERSION}; use the same version everywhere"
    )]
    Version {
        /// A task or a report.
        what: &'static str,
        /// The version that has written it.
        found: String,
    },
    /// It has a format that this version does not read.
    #[error(
        "the {what} has format {found}, which this version ({VERSION}) does not read; use the same version everywhere"
    )]
    Format {
        /// A task or a report.
        what: &'static str,
        /// The format.
        found: u32,
    },
    /// It belongs to another run.
    #[error("the {what} belongs to another run: {difference}")]
    OtherRun {
        /// A task or a report.
        what: &'static str,
        /// The difference.
        difference: String,
    },
    /// The report belongs to another task.
    #[error("the report belongs to task {found}, not to task {wanted}")]
    OtherTask {
        /// The task in the report.
        found: u64,
        /// The task it was handed in for.
        wanted: u64,
    },
    /// The search has fewer tasks.
    #[error("the search has no task {0}")]
    NoSuchTask(u64),
    /// The report is impossible.
    #[error("the report of task {index}, made by {by}, is refused: {why}")]
    Refused {
        /// The task.
        index: u64,
        /// The worker that made it.
        by: String,
        /// The error.
        why: String,
    },
}

impl SealedKind {
    /// The contents, if this version has written them.
    fn contents<'b>(&self, bytes: &'b [u8]) -> Result<&'b [u8], TaskError> {
        let what = self.noun;
        let (_, body) = self.open(bytes).map_err(|unread| match unread {
            Unread::Damaged(reason) => TaskError::Damaged { what, reason },
            Unread::Format(found) => TaskError::Format { what, found },
        })?;
        let (found, rest) = postcard::take_from_bytes::<String>(body).map_err(|_| self.senseless())?;
        if found == VERSION {
            return Ok(rest);
        }
        // Anything may stand there, and people read it.
        let found =
            found.chars().take(40).map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect();
        Err(TaskError::Version { what, found })
    }

    fn senseless(&self) -> TaskError {
        TaskError::Damaged { what: self.noun, reason: "its contents cannot be decoded".to_owned() }
    }
}

/// A task of a [ledger](crate::Ledger), which can be made anywhere with [`Run::run_task`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSpec {
    /// Its number among the tasks of the run.
    pub index: u64,
    /// All that a worker needs in addition to the run itself: which part of it, its limit, its start, and a checksum of the rest.
    pub bytes: Vec<u8>,
}

impl TaskSpec {
    /// Reads a task back from its bytes, as far as that is possible without the problem.
    ///
    /// # Errors
    ///
    /// When it is damaged, or another version has written it.
    pub fn read(bytes: Vec<u8>) -> Result<Self, TaskError> {
        TaskHeader::alone(&bytes).map(|header| TaskSpec { index: header.index, bytes })
    }

    /// The text that the driver has [added](crate::Ledger::described) to all tasks of the run.
    ///
    /// # Errors
    ///
    /// When the task is damaged, or another version has written it.
    pub fn description(task: &[u8]) -> Result<String, TaskError> {
        TaskHeader::alone(task).map(|header| header.description)
    }
}

/// A task without its start.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TaskHeader {
    pub description: String,
    pub run: Identity,
    pub index: u64,
    /// Whether it is one task of the run's search; otherwise it is the whole run.
    pub is_part: bool,
    pub limit: u64,
    pub eager: bool,
    pub time: Option<Duration>,
    pub target: Option<f64>,
    pub keep: Option<f64>,
    /// The time and work spent on it before.
    pub spent: Spent,
}

/// The start of a task that was begun before.
#[derive(Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) enum Beginning<M> {
    Fresh,
    /// The frame of one task.
    Frame(Frame<M>),
    /// A checkpoint of the whole run.
    Checkpoint(Vec<u8>),
}

impl TaskHeader {
    pub fn seal<M: Move>(&self, beginning: &Beginning<M>) -> Result<Vec<u8>, String> {
        TASK.seal(&(VERSION, self, beginning))
    }

    /// The header of a task, which does not depend on the type of moves.
    fn alone(bytes: &[u8]) -> Result<Self, TaskError> {
        let read = postcard::take_from_bytes(TASK.contents(bytes)?).map_err(|_| TASK.senseless())?;
        let (header, _): (Self, _) = read;
        Ok(header)
    }

    fn read<M: Move>(bytes: &[u8]) -> Result<(Self, Beginning<M>), TaskError> {
        postcard::from_bytes(TASK.contents(bytes)?).map_err(|_| TASK.senseless())
    }

    /// The report of a task that has ended, or of one that pauses.
    pub fn finished_report<M: Move>(
        &self,
        by: &str,
        spent: Spent,
        report: &SearchReport<M>,
        finds: &Finds<M>,
    ) -> Result<Vec<u8>, RunError> {
        let unwritten = |reason| TaskError::Unwritten { what: REPORT.noun, reason };
        Ok(self.report(by, spent, report, finds).map_err(unwritten)?)
    }

    fn report<M: Move>(
        &self,
        by: &str,
        spent: Spent,
        report: &SearchReport<M>,
        finds: &Finds<M>,
    ) -> Result<Vec<u8>, String> {
        let header = ReportHeader {
            run: self.run.checksum(),
            index: self.index,
            limit: self.limit,
            by: by.replace(char::is_control, "\u{fffd}"),
            spent,
            is_finished: match report.cut.as_ref().map(|(reason, _)| *reason) {
                None | Some(Reason::Playouts | Reason::Target | Reason::Found) => true,
                Some(Reason::Time) => !self.is_part,
                Some(_) => false,
            },
        };
        let learned = report.learned.as_ref().map(Weights::to_string);
        // The frame of a task that was cut depends on who made it, so it is not compared.
        let (frame, without) = (report.cut.as_ref().map(|(_, frame)| frame), report.without_frame());
        let body = postcard::to_stdvec(&(without, learned)).map_err(|error| error.to_string())?;
        REPORT.seal(&(VERSION, header, body, frame, &*finds.0.lock().expect("nobody panics with them")))
    }
}

/// The games of a task that are to be kept besides the best, with the number of the search that found each.
pub(super) struct Finds<M>(pub Mutex<Vec<(u64, ScoredMoves<M>)>>);

impl<M: Move> Finds<M> {
    /// Adds games; if there are too many, the worst are dropped. No game is kept twice.
    pub fn add(&self, goal: Goal, new: Vec<News<M>>) {
        let mut finds = self.0.lock().expect("nobody panics with them");
        for News { found, kept, .. } in new {
            let Some(search) = kept else { continue };
            // The worst comes last.
            let at = finds.partition_point(|(_, known)| !goal.better(found.score, known.score));
            if at < FINDS && finds.iter().all(|(_, known)| *known != found) {
                finds.insert(at, (search, found));
                finds.truncate(FINDS);
            }
        }
    }
}

/// The header of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportHeader {
    /// A checksum of what identifies the run.
    pub(super) run: u64,
    /// The task's number among those of the run.
    pub index: u64,
    /// How many playouts it was allowed.
    pub limit: u64,
    /// The worker that made it.
    #[serde(deserialize_with = "printable")]
    pub by: String,
    /// The time and work that all workers spent on it.
    pub spent: Spent,
    /// Whether the task is finished; otherwise this is an interim report, to continue from.
    pub is_finished: bool,
}

impl ReportHeader {
    /// Whether bytes are a report, possibly damaged or of another version.
    pub fn is_report(bytes: &[u8]) -> bool {
        bytes.starts_with(&REPORT.magic)
    }

    /// Reads the header. The result of the task is read by the [ledger](crate::Ledger::take), which knows its problem.
    ///
    /// # Errors
    ///
    /// When it is damaged, or another version has written it.
    pub fn read(report: &[u8]) -> Result<Self, TaskError> {
        Self::split(report).map(|(header, _)| header)
    }

    /// The header, and the bytes of the task's result: these are the same for every worker, unless time or a target without a budget in
    /// playouts stopped it. (Games that are to be kept although they are not the best are left out: how many there are depends on the
    /// time.)
    ///
    /// # Errors
    ///
    /// When it is damaged, or another version has written it.
    pub fn split(report: &[u8]) -> Result<(Self, &[u8]), TaskError> {
        let read = postcard::take_from_bytes(REPORT.contents(report)?).map_err(|_| REPORT.senseless())?;
        let ((header, body), _): ((Self, &[u8]), _) = read;
        Ok((header, body))
    }

    /// All of a report.
    pub(super) fn whole<M: Move>(report: &[u8]) -> Result<WholeReport<M>, TaskError> {
        let read = postcard::from_bytes(REPORT.contents(report)?).map_err(|_| REPORT.senseless())?;
        let (header, body, frame, finds): (Self, &[u8], Option<Frame<M>>, _) = read;
        let (report, learned): (SearchReport<M, ()>, Option<String>) =
            postcard::from_bytes(body).map_err(|_| REPORT.senseless())?;
        if report.cut.is_some() != frame.is_some() {
            return Err(REPORT.senseless());
        }
        let report = report.map_frame(|()| frame.expect("what was cut has a frame"));
        let learned = learned.map(|text| text.parse::<Weights>()).transpose().map_err(|_| REPORT.senseless())?;
        Ok(WholeReport { header, report: SearchReport { learned, ..report }, finds })
    }

    /// The error for a report that contains an illegal game.
    pub(super) fn refused(&self, error: &RunError) -> TaskError {
        let why = match error {
            RunError::Uncertified { score, why } => format!("a game in it is given the score {score}, but {why}"),
            error => error.to_string(),
        };
        TaskError::Refused { index: self.index, by: self.by.clone(), why }
    }

    /// Refuses a report of another run or task.
    pub(super) fn check(&self, run: u64, index: u64) -> Result<(), TaskError> {
        if self.run != run {
            let difference = "its search, seed, problem, start or files differ from this run's".to_owned();
            return Err(TaskError::OtherRun { what: REPORT.noun, difference });
        }
        if self.index != index {
            return Err(TaskError::OtherTask { found: self.index, wanted: index });
        }
        Ok(())
    }
}

/// A report, taken apart.
pub(super) struct WholeReport<M> {
    pub header: ReportHeader,
    pub report: SearchReport<M>,
    pub finds: Vec<(u64, ScoredMoves<M>)>,
}

impl<'a, P: Problem> Run<'a, P> {
    /// Makes a task of a [ledger](crate::Ledger) of the same run, and returns its report; `by` names the worker. Budget and target are
    /// those of the task.
    ///
    /// The [journal](Run::journal) gets interim reports as its checkpoints; with [`resume`](Run::resume) the task continues from one. A
    /// [cancelled](Run::cancel) task returns an interim report.
    ///
    /// # Errors
    ///
    /// When the task belongs to another run or another version, or as for [`start`](Run::start).
    pub fn run_task(mut self, task: &[u8], by: &str) -> Result<Vec<u8>, RunError> {
        let began = Instant::now();
        let (plan, state) = (self.planned()?, state_after(self.problem, &self.from));
        let identity = self.identity();
        let TakenUp { header, frame, best, finds, finished } = self.take_up(task, &identity, &plan, &state)?;
        if let Some(report) = finished {
            return Ok(report);
        }
        self.time = header.time;
        self.gathered = Some(Arc::clone(&finds));
        // A finished report is returned, not stored.
        let write = |report: &SearchReport<P::Move>, _, spent| match report.cut {
            Some((Reason::Pause, _)) => header.report(by, spent, report, &finds).map(Some),
            _ => Ok(None),
        };
        let TaskHeader { limit, eager, .. } = header;
        let index = header.is_part.then_some(header.index);
        let piece = RunPart { index, frame, best, limit, eager, write: &write };
        let (spent, report) = self.carry_out(&plan, &state, piece, began)?;
        if matches!(report.cut, Some((Reason::Failed, _))) {
            return Err(RunError::Accelerator("the machine that searches has failed".to_owned()));
        }
        header.finished_report(by, spent, &report, &finds)
    }

    /// Reads a task of this run: what is to be made, and from where. Target, games to keep and what was spent become those of the task.
    pub(super) fn take_up(
        &mut self,
        task: &[u8],
        identity: &Identity,
        plan: &Planned<'a, P>,
        state: &P,
    ) -> Result<TakenUp<P::Move>, RunError> {
        let (header, beginning) = TaskHeader::read::<P::Move>(task)?;
        if let Some((what, found, here)) = header.run.difference(identity) {
            let difference = format!("its {what} is {found}, here it is {here}");
            return Err(TaskError::OtherRun { what: TASK.noun, difference }.into());
        }
        (self.target, self.keep, self.spent) = (header.target, header.keep, header.spent);
        self.accelerator = self.accelerator.take().filter(|_| !header.is_part && !is_over(state));
        let (frame, best) = match beginning {
            Beginning::Fresh => (None, None),
            Beginning::Frame(frame) => (Some(frame), None),
            Beginning::Checkpoint(bytes) => {
                let tag = self.accelerator.is_none().then(|| plan.tag());
                let (frame, best) = checkpoint::decode(&bytes, identity, tag)?;
                (Some(frame), best)
            }
        };
        let mut taken = TakenUp { header, frame, best, finds: Arc::new(Finds(Mutex::default())), finished: None };
        if let Some(interim) = self.resume.take() {
            let known = ReportHeader::whole::<P::Move>(&interim)?;
            known.header.check(identity.checksum(), taken.header.index)?;
            if known.header.is_finished {
                taken.finished = Some(interim);
                return Ok(taken);
            }
            taken.best = known.report.tally.seen.as_ref().map(|seen| seen.score).or(taken.best);
            (taken.frame, self.spent) = (known.report.cut.map(|(_, frame)| frame), known.header.spent);
            *taken.finds.0.lock().expect("nobody panics with them") = known.finds;
        }
        Ok(taken)
    }
}

/// A task that was read: what is to be made, and where it stands.
pub(super) struct TakenUp<M> {
    pub header: TaskHeader,
    pub frame: Option<Frame<M>>,
    /// The best score that was announced before.
    pub best: Option<f64>,
    pub finds: Arc<Finds<M>>,
    /// The report, if the task had been made already.
    pub finished: Option<Vec<u8>>,
}
