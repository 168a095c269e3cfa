//! Tasks and their reports as bytes, and `run_task`, which turns a task into a report.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::drive::FINDS;
use super::work::Piece;
use super::{Run, RunError};
use crate::checkpoint::{self, Identity};
use crate::journal::Spent;
use crate::problem::{Goal, Move, Problem, is_over, state_after};
use crate::sealed::{Kind, Unread};
use crate::search::task::News;
use crate::search::{Frame, Reason, ScoredMoves, SearchReport};
use crate::weights::Weights;

const TASK: Kind = Kind { magic: *b"nestl-tk", noun: "task", formats: &[1] };
const REPORT: Kind = Kind { magic: *b"nestl-rp", noun: "report", formats: &[1] };
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A task or a report that is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// It is something else, or damaged.
    #[error("the {what} is damaged: {reason}")]
    Damaged {
        /// A task or a report.
        what: &'static str,
        /// What is wrong.
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
    /// It is of another run.
    #[error("the {what} is of another run: {difference}")]
    OtherRun {
        /// A task or a report.
        what: &'static str,
        /// What differs.
        difference: String,
    },
    /// The report is of another task.
    #[error("the report is of task {found}, not of task {wanted}")]
    OtherTask {
        /// The task that it is of.
        found: u64,
        /// The task that it was given for.
        wanted: u64,
    },
    /// The search has fewer tasks.
    #[error("the search has no task {0}")]
    NoSuchTask(u64),
    /// The report claims what cannot be.
    #[error("the report of task {index}, made by {by}, is refused: {why}")]
    Refused {
        /// The task.
        index: u64,
        /// Who made it.
        by: String,
        /// What is wrong.
        why: String,
    },
}

impl Kind {
    /// The contents, if this version has written them.
    fn contents<'b>(&self, bytes: &'b [u8]) -> Result<&'b [u8], TaskError> {
        let what = self.noun;
        let (_, body) = self.open(bytes).map_err(|unread| match unread {
            Unread::Damaged(reason) => TaskError::Damaged { what, reason },
            Unread::Format(found) => TaskError::Format { what, found },
        })?;
        let (found, rest) = postcard::take_from_bytes::<String>(body).map_err(|_| self.senseless())?;
        if found == VERSION { Ok(rest) } else { Err(TaskError::Version { what, found }) }
    }

    fn senseless(&self) -> TaskError {
        TaskError::Damaged { what: self.noun, reason: "its contents cannot be decoded".to_owned() }
    }
}

/// A task of a [ledger](crate::Ledger): [`Run::run_task`] makes it, anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSpec {
    /// Its number among the tasks of the run.
    pub index: u64,
    /// All that a worker has to know, beside the run itself: which part of it, how far, from where, and a checksum of the rest.
    pub bytes: Vec<u8>,
}

impl TaskSpec {
    /// Reads a task back from its bytes, as far as everybody can.
    ///
    /// # Errors
    ///
    /// When it is damaged, or another version has written it.
    pub fn read(bytes: Vec<u8>) -> Result<Self, TaskError> {
        TaskHeader::alone(&bytes).map(|header| TaskSpec { index: header.index, bytes })
    }

    /// The words that the driver has [added](crate::Ledger::described) to all tasks of the run.
    ///
    /// # Errors
    ///
    /// When the task is damaged, or another version has written it.
    pub fn description(task: &[u8]) -> Result<String, TaskError> {
        TaskHeader::alone(task).map(|header| header.description)
    }
}

/// What a task is, apart from where it begins.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TaskHeader {
    pub description: String,
    pub run: Identity,
    pub index: u64,
    /// Whether it is that task of the run's search; otherwise it is the whole run.
    pub is_part: bool,
    pub limit: u64,
    pub eager: bool,
    pub time: Option<Duration>,
    pub target: Option<f64>,
    pub keep: Option<f64>,
    /// What was spent on it before.
    pub spent: Spent,
}

/// Where a task begins that somebody has begun.
#[derive(Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) enum Beginning<M> {
    Fresh,
    /// That of one task.
    Frame(Frame<M>),
    /// That of the whole run.
    Checkpoint(Vec<u8>),
}

impl TaskHeader {
    pub fn seal<M: Move>(&self, beginning: &Beginning<M>) -> Result<Vec<u8>, String> {
        TASK.seal(&(VERSION, self, beginning))
    }

    /// The header of a task, whatever its moves are.
    fn alone(bytes: &[u8]) -> Result<Self, TaskError> {
        let read = postcard::take_from_bytes(TASK.contents(bytes)?).map_err(|_| TASK.senseless())?;
        let (header, _): (Self, _) = read;
        Ok(header)
    }

    fn read<M: Move>(bytes: &[u8]) -> Result<(Self, Beginning<M>), TaskError> {
        postcard::from_bytes(TASK.contents(bytes)?).map_err(|_| TASK.senseless())
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
            by: by.to_owned(),
            spent,
            is_finished: match report.cut.as_ref().map(|(reason, _)| *reason) {
                None | Some(Reason::Playouts | Reason::Target | Reason::Found) => true,
                Some(Reason::Time) => !self.is_part,
                Some(_) => false,
            },
        };
        let learned = report.learned.as_ref().map(Weights::to_string);
        // Where a task stands that was cut depends on who made it, so that is no part of what is compared.
        let (frame, without) = (report.cut.as_ref().map(|(_, frame)| frame), report.without_frame());
        let body = postcard::to_stdvec(&(without, learned)).map_err(|error| error.to_string())?;
        REPORT.seal(&(VERSION, header, body, frame, &*finds.0.lock().expect("nobody panics with them")))
    }
}

/// The games of a task that are to be kept beside the best, with the number of the search that found each.
pub(super) struct Finds<M>(pub Mutex<Vec<(u64, ScoredMoves<M>)>>);

impl<M: Move> Finds<M> {
    /// Adds games; of too many the worst are forgotten. Nobody keeps a game twice.
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

/// What a report says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportHeader {
    /// A checksum of what identifies the run.
    pub(super) run: u64,
    /// The task's number among those of the run.
    pub index: u64,
    /// How many playouts it was allowed.
    pub limit: u64,
    /// Who made it.
    pub by: String,
    /// What was spent on it, by all who worked on it.
    pub spent: Spent,
    /// Whether nothing is left to do; otherwise it is an interim report, to go on from.
    pub is_finished: bool,
}

impl ReportHeader {
    /// Whether bytes are a report, be it a damaged one or another version's.
    pub fn is_report(bytes: &[u8]) -> bool {
        bytes.starts_with(&REPORT.magic)
    }

    /// Reads it. What the task came to is read by the [ledger](crate::Ledger::take), which knows its problem.
    ///
    /// # Errors
    ///
    /// When it is damaged, or another version has written it.
    pub fn read(report: &[u8]) -> Result<Self, TaskError> {
        Self::split(report).map(|(header, _)| header)
    }

    /// The header, and the bytes of what the task came to: these are the same for every worker, unless time or a target without a budget
    /// in playouts stopped it. (Games that are to be kept although they are not the best are not among them: how many there are depends
    /// on the time.)
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

    /// The refusal of a report with a game that the rules refuse.
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
    /// Makes a task of a [ledger](crate::Ledger) of the same run, and returns its report; `by` says who made it. Budget and target are
    /// those of the task.
    ///
    /// The [journal](Run::journal) gets interim reports as its checkpoints; with [`resume`](Run::resume) the task goes on from one. A
    /// [cancelled](Run::cancel) task returns an interim report.
    ///
    /// # Errors
    ///
    /// When the task is of another run or another version, or as for [`start`](Run::start).
    pub fn run_task(mut self, task: &[u8], by: &str) -> Result<Vec<u8>, RunError> {
        let began = Instant::now();
        let (header, beginning) = TaskHeader::read::<P::Move>(task)?;
        let identity = self.identity();
        if let Some((what, found, here)) = header.run.difference(&identity) {
            let difference = format!("its {what} is {found}, here it is {here}");
            return Err(TaskError::OtherRun { what: TASK.noun, difference }.into());
        }
        (self.time, self.target, self.keep, self.spent) = (header.time, header.target, header.keep, header.spent);
        let (plan, state) = (self.planned()?, state_after(self.problem, &self.from));
        self.accelerator = self.accelerator.take().filter(|_| !header.is_part && !is_over(&state));
        let (mut frame, mut best) = match beginning {
            Beginning::Fresh => (None, None),
            Beginning::Frame(frame) => (Some(frame), None),
            Beginning::Checkpoint(bytes) => {
                let tag = self.accelerator.is_none().then(|| plan.tag());
                let (frame, best) = checkpoint::decode(&bytes, &identity, tag)?;
                (Some(frame), best)
            }
        };
        let finds = Arc::new(Finds(Mutex::default()));
        if let Some(interim) = self.resume.take() {
            let known = ReportHeader::whole::<P::Move>(&interim)?;
            known.header.check(identity.checksum(), header.index)?;
            if known.header.is_finished {
                return Ok(interim);
            }
            best = known.report.tally.seen.as_ref().map(|seen| seen.score).or(best);
            (frame, self.spent) = (known.report.cut.map(|(_, frame)| frame), known.header.spent);
            *finds.0.lock().expect("nobody panics with them") = known.finds;
        }
        self.gathered = Some(Arc::clone(&finds));
        // What is finished is returned.
        let write = |report: &SearchReport<P::Move>, _, spent| match report.cut {
            Some((Reason::Pause, _)) => header.report(by, spent, report, &finds).map(Some),
            _ => Ok(None),
        };
        let TaskHeader { limit, eager, .. } = header;
        let index = header.is_part.then_some(header.index);
        let piece = Piece { index, frame, best, limit, eager, write: &write };
        let (spent, report) = self.carry_out(&plan, &state, piece, began)?;
        if matches!(report.cut, Some((Reason::Failed, _))) {
            return Err(RunError::Accelerator("the machine that searches has failed".to_owned()));
        }
        let unwritten = |reason| TaskError::Unwritten { what: REPORT.noun, reason };
        Ok(header.report(by, spent, &report, &finds).map_err(unwritten)?)
    }
}
