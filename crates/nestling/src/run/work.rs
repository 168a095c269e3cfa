//! The searching side of a run: it searches, pauses to save its state, and continues.

use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::TaskError;
use crate::accelerator::Accelerator;
use crate::journal::Spent;
use crate::outcome::Counts;
use crate::problem::Problem;
use crate::search::accelerated::{Accelerated, TAG, accelerated};
use crate::search::played::PlayedCounts;
use crate::search::remote::{RemoteTask, TaskRole};
use crate::search::task::Shared;
use crate::search::{Frame, Planned, Reason, SearchReport, Task};
use crate::stream::Stream;
use crate::watch::{Signal, Watch};

pub(super) enum Message<M> {
    Done(Box<SearchReport<M>>),
    Checkpoint(Checkpoint),
    Failed(String),
}

pub(super) struct Checkpoint {
    pub bytes: Result<Vec<u8>, String>,
    pub spent: Spent,
    /// How long the search was paused for it.
    pub cost: Duration,
}

/// The time and work that the run has spent, its earlier parts included.
#[derive(Clone, Copy)]
pub(super) struct Meter<'a> {
    pub began: Instant,
    pub spent: Spent,
    pub played: &'a PlayedCounts,
}

impl Meter<'_> {
    pub fn read(&self) -> Spent {
        let played = self.played.total();
        let playouts = self.spent.work.playouts.saturating_add(played.playouts);
        let moves = self.spent.work.moves.saturating_add(played.moves);
        Spent { time: self.spent.time.saturating_add(self.began.elapsed()), work: Counts { playouts, moves } }
    }
}

/// The part of a run to be made: the whole run, or one of its tasks.
pub(super) struct RunPart<'a, M> {
    /// The task.
    pub index: Option<u64>,
    /// The state at which it was interrupted.
    pub frame: Option<Frame<M>>,
    /// The best score that was announced before.
    pub best: Option<f64>,
    /// How many playouts it may play.
    pub limit: u64,
    /// Whether the run may stop at the first game that reaches the target, whichever task finds it.
    pub eager: bool,
    /// Serializes the state, with the best score that was announced and what was spent.
    pub write: &'a Write<'a, M>,
}

type Write<'a, M> = dyn Fn(&SearchReport<M>, Option<f64>, Spent) -> Result<Option<Vec<u8>>, String> + Sync + 'a;

/// All that the searching side of a run needs.
pub(super) struct Work<'a, P: Problem> {
    pub plan: &'a Planned<'a, P>,
    /// The device that runs the search instead of the processor.
    pub accelerator: Option<Box<dyn Accelerator<P::Move> + 'a>>,
    pub shared: &'a Shared<P::Move>,
    pub state: &'a P,
    pub stream: Stream,
    pub piece: RunPart<'a, P::Move>,
    pub signal: &'a Signal,
    /// Set if checkpoints are stored: measures what was spent.
    pub journal: Option<Meter<'a>>,
}

impl<P: Problem> Work<'_, P> {
    /// Searches to the end. A pause is an interruption like any other: the frames are saved, and the search continues from them. The frames
    /// of a run that was cut are saved too, so that it can be continued later.
    pub fn run(&mut self, sender: &Sender<Message<P::Move>>) -> SearchReport<P::Move> {
        let mut frame = self.piece.frame.take();
        loop {
            let (report, failure) = self.search(frame.take());
            if let Some(reason) = failure {
                let _ = sender.send(Message::Failed(reason));
                return report;
            }
            // A checkpoint that was refused stays as it is; a new one would contain less.
            if self.shared.failure().is_some() {
                return report;
            }
            if let Some(meter) = &self.journal {
                let (spent, began) = (meter.read(), Instant::now());
                let written = (self.piece.write)(&report, self.shared.best(), spent);
                if let Some(bytes) = written.transpose() {
                    let _ = sender.send(Message::Checkpoint(Checkpoint { bytes, spent, cost: began.elapsed() }));
                }
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

    /// Searches until it is interrupted; with the reason if the device that runs the search has failed.
    pub fn search(&mut self, frame: Option<Frame<P::Move>>) -> (SearchReport<P::Move>, Option<String>) {
        let watch = Watch::new(self.signal);
        let task = |role| Task::root(self.shared, &watch, self.piece.limit, role);
        if let Some(machine) = &mut self.accelerator {
            return match Frame::open::<Accelerated<_>>(frame, TAG, 1, &task(TaskRole::Root), |_| Ok(())) {
                Ok(frame) => {
                    let tally = frame.map(|frame| frame.tally).unwrap_or_default();
                    accelerated(machine.as_mut(), &task(TaskRole::Root), tally, self.journal.is_some())
                }
                Err(failed) => (*failed, None),
            };
        }
        let Some(index) = self.piece.index else {
            return (self.plan.run(&task(TaskRole::Root), self.state, self.stream, frame), None);
        };
        let part = RemoteTask::new(index, frame);
        self.plan.run(&task(TaskRole::Part(&part)), self.state, self.stream, None);
        let report = part.report();
        (report.unwrap_or_else(|| task(TaskRole::Root).fail(TaskError::NoSuchTask(index).into())), None)
    }
}
