//! The data that pages show of a running search.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use nestling::{Improvement, Scores};
use nestling_presentation::chart::Histogram;
use nestling_registry::Instance;
use nestling_registry::json::score;
use nestling_store::{Store, json};
use serde_json::{Value, json};

use crate::refusal::Answer;

/// How many playouts the histogram is of: enough for a smooth one, few enough to follow the search.
const SAMPLE: usize = 20_000;

/// How often pages are told how far a search is.
const PAUSE: Duration = Duration::from_millis(250);

/// How long the rate is measured.
const SPAN: Duration = Duration::from_secs(2);

pub(super) struct Live {
    id: i64,
    /// The run as stored when it was started or resumed.
    run: Value,
    /// Seconds, playouts and score of every improvement.
    steps: Vec<(f64, u64, f64)>,
    moves: Vec<String>,
    elapsed: Duration,
    playouts: u64,
    pub scores: Scores,
    sample: VecDeque<f64>,
    /// Numbers of playouts at several times in the last seconds.
    pace: VecDeque<(Instant, u64)>,
    told: Option<Instant>,
}

impl Live {
    pub fn new(store: &Store, run: i64) -> Answer<Self> {
        let info = store.run(run)?;
        let mut before = store.improvements(run)?;
        let steps = before.iter().map(|step| (step.time.as_secs_f64(), step.playouts, step.score)).collect();
        Ok(Live {
            id: run,
            run: json::run(&info),
            steps,
            moves: before.pop().map(|step| step.moves).unwrap_or_default(),
            elapsed: info.reached.time,
            playouts: info.reached.work.playouts,
            scores: Scores::default(),
            sample: VecDeque::new(),
            pace: VecDeque::new(),
            told: None,
        })
    }

    /// The whole, as a page wants it that has just come: the run, what it has found, how far it is.
    pub fn json(&self) -> Value {
        let mut object = self.run.clone();
        object["event"] = json!("run");
        object["here"] = json!(true);
        object["improvements"] = self
            .steps
            .iter()
            .map(|&(seconds, playouts, best)| json!({ "seconds": seconds, "playouts": playouts, "score": score(best) }))
            .collect();
        object["moves"] = json!(self.moves);
        for (key, value) in self.standing() {
            object[key] = value;
        }
        object
    }

    /// A better game; nothing if it was found again on the way back from a checkpoint.
    pub fn improve(&mut self, improvement: &Improvement, problem: &dyn Instance) -> Option<Value> {
        let best = improvement.score();
        if self.steps.last().is_some_and(|&(_, _, before)| !problem.goal().better(best, before)) {
            return None;
        }
        self.steps.push((improvement.elapsed.as_secs_f64(), improvement.playouts, best));
        self.moves = improvement.texts().to_vec();
        let mut object = nestling_registry::json::improvement(None, problem, improvement);
        object["id"] = json!(self.id);
        Some(object)
    }

    /// A sign of life; an event if the last is a while ago.
    pub fn progress(&mut self, elapsed: Duration, playouts: u64) -> Option<Value> {
        let now = Instant::now();
        (self.elapsed, self.playouts) = (elapsed, playouts);
        self.sample.extend(self.scores.take());
        self.sample.drain(..self.sample.len().saturating_sub(SAMPLE));
        self.pace.push_back((now, playouts));
        while self.pace.front().is_some_and(|&(then, _)| now - then > SPAN) {
            self.pace.pop_front();
        }
        if self.told.is_some_and(|told| now - told < PAUSE) {
            return None;
        }
        self.told = Some(now);
        let mut object = json!({ "event": "progress", "id": self.id });
        for (key, value) in self.standing() {
            object[key] = value;
        }
        Some(object)
    }

    fn standing(&self) -> [(&'static str, Value); 5] {
        let sample: Vec<f64> = self.sample.iter().copied().collect();
        [
            ("seconds", json!(self.elapsed.as_secs_f64())),
            ("playouts", json!(self.playouts)),
            ("best", json!(self.steps.last().map(|&(_, _, best)| score(best)))),
            ("rate", json!(self.rate().round())),
            ("histogram", Histogram::new("", "", &sample).bars().into_iter().map(|(at, n)| json!([at, n])).collect()),
        ]
    }

    /// Playouts a second, lately.
    fn rate(&self) -> f64 {
        match (self.pace.front(), self.pace.back()) {
            (Some(&(then, before)), Some(&(now, after))) if now > then => {
                after.saturating_sub(before) as f64 / (now - then).as_secs_f64()
            }
            _ => 0.0,
        }
    }
}
