//! The tasks of a run, made here one after the other.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use nestling::Scores;
use nestling_registry::{Ready, Registry, SteppedTask, json};
use serde::Deserialize;
use serde_json::json;

use crate::calls::text;
use crate::driver::duration;
use crate::host::Pace;
use crate::message::Message;
use crate::parcel::{self, Parcel, Parcels};

/// The longest step, in seconds.
const LONGEST: f64 = 10.0;

/// How many scores a reply has, about: to write them all would take longer than short playouts.
const SCORES: usize = 1_000;

#[derive(Default)]
pub(crate) struct Maker {
    run: Option<KnownRun>,
    pace: Pace,
    scores: Scores,
    /// The tasks to be made after the present one.
    waiting: VecDeque<(u64, Vec<u8>)>,
    /// Whether the present task is neither over nor dropped.
    is_busy: bool,
    /// How long the present task has taken.
    taken: Duration,
    /// The reports that were not handed over yet.
    reports: Vec<(u64, Vec<u8>)>,
    /// Playouts since the tasks came here.
    playouts: u64,
}

/// The run whose tasks are made here.
struct KnownRun {
    /// The present task, or the last one, and its number.
    task: Box<dyn SteppedTask>,
    index: u64,
}

/// Tasks to be made.
#[derive(Deserialize)]
pub(crate) struct Given {
    tasks: Vec<Parcel>,
    #[serde(flatten)]
    step: MakerStep,
}

/// A step, and by whom.
#[derive(Deserialize)]
pub(crate) struct MakerStep {
    seconds: f64,
    by: String,
}

impl Maker {
    /// Takes tasks up, instead of those that there are, and makes a step.
    pub fn tasks(&mut self, registry: &Registry, body: &[u8], given: &Given) -> Result<Message, String> {
        let tasks = parcel::unpacked(&given.tasks, body)?;
        self.waiting = tasks.into_iter().map(|(index, bytes)| (index, bytes.to_vec())).collect();
        (self.is_busy, self.playouts) = (false, 0);
        self.reports.clear();
        self.step(registry, &given.step)
    }

    /// Goes on for about so many seconds. If all tasks are over then, their reports are handed over.
    pub fn step(&mut self, registry: &Registry, step: &MakerStep) -> Result<Message, String> {
        let (began, time) = (Instant::now(), duration(step.seconds.min(LONGEST)));
        loop {
            if !self.is_busy && !self.take_up(registry)? {
                break;
            }
            let KnownRun { task, index, .. } = self.run.as_mut().ok_or(NO_TASK)?;
            let before = task.work().playouts;
            self.taken += self.pace.steps(task.as_mut(), time.saturating_sub(began.elapsed())).map_err(text)?;
            self.playouts += task.work().playouts - before;
            if task.is_over() {
                self.reports.push((*index, task.report(&step.by, self.taken).map_err(text)?));
                self.is_busy = false;
            }
            if began.elapsed() >= time {
                break;
            }
        }
        let over = !self.is_busy && self.waiting.is_empty();
        let best = self.run.as_ref().and_then(|run| run.task.best()).map(json::score);
        let scores = self.scores.take();
        let scores: Vec<f64> = scores.iter().copied().step_by(scores.len() / SCORES + 1).collect();
        let header = json!({ "over": over, "playouts": self.playouts, "best": best, "scores": scores });
        Ok(if over { self.handed_over().message(header) } else { Message::of(header) })
    }

    /// The next task becomes the present one; false if there is none.
    fn take_up(&mut self, registry: &Registry) -> Result<bool, String> {
        let Some((number, bytes)) = self.waiting.pop_front() else { return Ok(false) };
        (self.is_busy, self.taken) = (true, Duration::ZERO);
        if let Some(run) = &mut self.run
            && run.task.go_on_with(&bytes).is_ok()
        {
            run.index = number;
            return Ok(true);
        }
        let spec = Ready::described_by(&bytes).map_err(text)?;
        let problem = registry.open(&spec.problem).map_err(text)?;
        // It lives as long as the worker, which makes the tasks of one run.
        let ready: &'static Ready = Box::leak(Box::new(registry.decide(problem.into(), spec).map_err(text)?));
        let task = ready.task_stepper(&bytes, Some(self.scores.clone())).map_err(text)?;
        self.run = Some(KnownRun { task, index: number });
        Ok(true)
    }

    /// All reports, and an interim one of the present task.
    pub fn report(&mut self, step: &MakerStep) -> Result<Message, String> {
        let mut parcels = self.handed_over();
        if self.is_busy {
            let run = self.run.as_mut().ok_or(NO_TASK)?;
            parcels.add(run.index, &run.task.report(&step.by, self.taken).map_err(text)?);
        }
        Ok(parcels.message(json!({ "playouts": self.playouts })))
    }

    fn handed_over(&mut self) -> Parcels {
        let mut parcels = Parcels::default();
        for (index, report) in self.reports.drain(..) {
            parcels.add(index, &report);
        }
        parcels
    }
}

const NO_TASK: &str = "no task was taken up here";
