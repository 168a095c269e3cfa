//! The run that is driven here. It lives as long as the worker that this module is in: one run, one worker.

use std::time::Duration;

use nestling::{Counts, Improvement, Outcome, Spent};
use nestling_api::Refusal;
use nestling_registry::{Ready, Registry, RunSpec, Tasks, json};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::calls::{done, identity, text};
use crate::message::Message;
use crate::parcel::{self, Parcel, Parcels};

/// How many threads a worker counts as where tasks are handed out ahead of the first unfinished one: only a bundle of many short tasks is
/// worth a message.
const BUNDLES: usize = 8;

pub(crate) struct Driver {
    ready: &'static Ready,
    tasks: Box<dyn Tasks>,
}

/// Specifications are texts: a page would round the seed.
#[derive(Deserialize)]
pub(crate) struct Begun {
    spec: String,
    #[serde(default)]
    workers: usize,
}

#[derive(Deserialize)]
pub(crate) struct Resumed {
    spec: String,
    spent: SpentSoFar,
    #[serde(default)]
    workers: usize,
    seconds: Option<f64>,
    playouts: Option<u64>,
}

/// What a run has spent, as pages keep it.
#[derive(Clone, Copy, Deserialize)]
pub(crate) struct SpentSoFar {
    seconds: f64,
    playouts: u64,
    moves: u64,
}

#[derive(Deserialize)]
pub(crate) struct Taken {
    #[serde(default)]
    taken: Vec<Parcel>,
    /// How many tasks are wanted.
    #[serde(default)]
    wants: usize,
}

#[derive(Deserialize)]
pub(crate) struct Lost {
    indices: Vec<u64>,
}

#[derive(Deserialize)]
pub(crate) struct Ended {
    seconds: f64,
}

impl Driver {
    pub fn begin(registry: &Registry, asked: &Begun) -> Result<(Self, Message), String> {
        let spec = nestling_api::read_json(asked.spec.as_bytes()).map_err(reason)?;
        let ready = nestling_api::checked(registry, spec).map_err(reason)?;
        Driver::drive(ready, asked.workers, None)
    }

    pub fn resume(registry: &Registry, asked: Resumed, checkpoint: &[u8]) -> Result<(Self, Message), String> {
        let kept: RunSpec = serde_json::from_str(&asked.spec).map_err(text)?;
        let (time, playouts) = (asked.seconds.map(RunSpec::seconds).or(kept.time), asked.playouts.or(kept.playouts));
        let ready = single(registry, RunSpec { time, playouts, ..kept })?;
        // Without a checkpoint, the run had only begun.
        let left = (!checkpoint.is_empty()).then(|| (checkpoint.to_vec(), asked.spent.spent()));
        Driver::drive(ready, asked.workers, left)
    }

    fn drive(ready: Ready, workers: usize, left: Option<(Vec<u8>, Spent)>) -> Result<(Self, Message), String> {
        let mut header = described(&ready)?;
        let ready: &'static Ready = Box::leak(Box::new(ready.with(ready.seed(), BUNDLES * workers.max(1))));
        let tasks = ready.own_tasks(left).map_err(text)?;
        header["divided"] = json!(tasks.is_divided());
        Ok((Driver { ready, tasks }, Message::of(header)))
    }

    /// Takes reports of tasks, and hands out the next.
    pub fn next(&mut self, asked: &Taken, reports: &[u8]) -> Result<Message, String> {
        let (mut improvements, mut parcels) = (Vec::new(), Parcels::default());
        for (index, report) in parcel::unpacked(&asked.taken, reports)? {
            improvements.extend(self.tasks.take(index, report).map_err(text)?);
        }
        for _ in 0..asked.wants {
            let Some(task) = self.tasks.next_task().map_err(text)? else { break };
            parcels.add(task.index, &task.bytes);
        }
        let header = self.standing(&improvements)?;
        Ok(parcels.message(header))
    }

    pub fn lost(&mut self, lost: &Lost) -> Result<Message, String> {
        for &index in &lost.indices {
            self.tasks.lost(index);
        }
        Ok(done())
    }

    pub fn stop(&mut self) -> Result<Message, String> {
        let improvements = self.tasks.time_is_over().map_err(text)?;
        Ok(Message::of(self.standing(&improvements)?))
    }

    pub fn checkpoint(&mut self) -> Result<Message, String> {
        let body = self.tasks.checkpoint().map_err(text)?.unwrap_or_default();
        let Counts { playouts, moves } = self.tasks.spent().work;
        Ok(Message { header: json!({ "playouts": playouts, "moves": moves }), body })
    }

    /// The time of the run is that of the clock on the wall, not that of all workers together.
    pub fn outcome(self, ended: &Ended) -> Result<Message, String> {
        let Driver { ready, tasks } = self;
        let outcome = Outcome { elapsed: duration(ended.seconds), ..tasks.outcome().map_err(text)? };
        let mut header = json::result(None, ready.problem(), ready.spec(), &outcome);
        header["kept"] = json!(serde_json::to_string(&outcome).map_err(text)?);
        Ok(Message::of(header))
    }

    fn standing(&self, improvements: &[Improvement]) -> Result<Value, String> {
        let problem = self.ready.problem();
        let explained = |found: &Improvement| {
            let mut object = json::improvement(None, problem, found);
            object["identity"] = json!(identity(problem, &found.game)?);
            Ok(object)
        };
        let ((done, all), spent) = (self.tasks.done(), self.tasks.spent());
        Ok(json!({
            "improvements": improvements.iter().map(explained).collect::<Result<Vec<_>, String>>()?,
            "over": self.tasks.is_over(),
            "done": done,
            "tasks": all,
            "spent": spent.work.playouts,
            "unwanted": self.tasks.no_longer_wanted(),
        }))
    }
}

/// A run that was made elsewhere: its specification, and its result, if there is one, as a store has them.
#[derive(Deserialize)]
pub(crate) struct Elsewhere {
    spec: String,
    outcome: Option<String>,
}

impl Elsewhere {
    /// What a page keeps of it. The result is not believed: its game is replayed.
    pub fn describe(&self, registry: &Registry) -> Result<Message, String> {
        let spec: RunSpec = serde_json::from_str(&self.spec).map_err(text)?;
        let ready = single(registry, RunSpec { output: None, learned: None, ..spec })?;
        let mut header = described(&ready)?;
        if let Some(outcome) = &self.outcome {
            let outcome: Outcome = serde_json::from_str(outcome).map_err(text)?;
            if let Some(game) = outcome.game() {
                let replayed =
                    ready.problem().certify(game.texts()).map_err(|illegal| format!("illegal, {illegal}"))?;
                if replayed.score() != game.score() {
                    return Err(format!("the result claims {}, and its game has {}", game.score(), replayed.score()));
                }
            }
            header["result"] = json::result(None, ready.problem(), ready.spec(), &outcome);
        }
        Ok(Message::of(header))
    }
}

/// A run that can be made here, decided on before.
fn single(registry: &Registry, spec: RunSpec) -> Result<Ready, String> {
    if spec.runs > 1 {
        return Err("a batch of runs can only be resumed on the command line: `nestling runs resume`".to_owned());
    }
    nestling_api::check_search(spec.expression(), registry).map_err(reason)?;
    let problem = registry.open(&spec.problem).map_err(text)?;
    registry.decide(problem.into(), spec).map_err(text)
}

/// What a page has to know of a run.
fn described(ready: &Ready) -> Result<Value, String> {
    let asked = ready.spec();
    Ok(json!({
        "spec": serde_json::to_string(asked).map_err(text)?,
        "problem": asked.problem,
        "search": asked.search,
        "seed": ready.seed().to_string(),
        "from": asked.from,
        "minimise": asked.minimise,
        "budget": {
            "seconds": asked.time.map(|time| time.as_secs_f64()),
            "playouts": asked.playouts,
            "target": asked.target.map(json::score),
        },
        "memory": ready.search().parts().map(|part| part.memory_needed()).max(),
    }))
}

impl SpentSoFar {
    fn spent(self) -> Spent {
        let SpentSoFar { seconds, playouts, moves } = self;
        Spent { time: duration(seconds), work: Counts { playouts, moves } }
    }
}

fn reason(refusal: Refusal) -> String {
    refusal.reason
}

/// A time that a page tells, which may be nonsense.
pub(crate) fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, 1e9))
}
