//! `nestling solve --runs N`: many runs of one search, spread over the threads, and what they come to together.
//!
//! Run k has the seed that task k of `repeat(N, search)` would have. Its result does not depend on the threads; results
//! are printed in the order of the runs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Instant;

use anyhow::Result;
use nestling::{Event, Improvement, RunError, Stop, Stream};
use nestling_registry::{Order, Solved};
use serde_json::json;

use crate::failure::Exit;
use crate::progress::{Progress, Whole};
use crate::solve::{Job, keep, verdict};
use crate::{json, report, text};

enum News {
    Improvement(u64, Improvement),
    Done(u64, Box<Result<Solved, RunError>>),
}

pub(crate) fn solve(job: &Job<'_>) -> Result<Exit> {
    let next = AtomicU64::new(0);
    let (sender, receiver) = mpsc::channel();
    let workers = job.order.threads.min(usize::try_from(job.args.runs).unwrap_or(usize::MAX));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || work(job, next, &sender));
        }
        drop(sender);
        let result = Collector::new(job).collect(&receiver);
        if result.is_err() {
            job.order.cancel.cancel();
        }
        result
    })
}

/// The order of one run of the batch.
fn order(job: &Job<'_>, run: u64) -> Order {
    Order { seed: Stream::new(job.order.seed).child(run).seed(), threads: 1, ..job.order.clone() }
}

fn work(job: &Job<'_>, next: &AtomicU64, sender: &mpsc::Sender<News>) {
    loop {
        let run = next.fetch_add(1, Ordering::Relaxed);
        if run >= job.args.runs || job.order.cancel.is_cancelled() {
            return;
        }
        let time = job.order.time.map(|(time, _)| (time, Instant::now()));
        let order = Order { time, ..order(job, run) };
        let mut listener = |event: &Event| {
            if let Event::Improvement(improvement) = event {
                // The collector leaves early only when the whole batch has failed.
                let _ = sender.send(News::Improvement(run, improvement.clone()));
            }
        };
        let solved = job.problem.solve(&order, &mut listener, None);
        let _ = sender.send(News::Done(run, Box::new(solved)));
    }
}

struct Collector<'a> {
    job: &'a Job<'a>,
    progress: Progress,
    search: String,
    /// Results that wait for an earlier run.
    waiting: BTreeMap<u64, Solved>,
    scores: Vec<f64>,
    /// The first of the best runs, those that Ctrl-C cut included.
    best: Option<(u64, Solved)>,
    done: u64,
    /// The best score written to the output file.
    written: Option<f64>,
}

impl<'a> Collector<'a> {
    fn new(job: &'a Job<'a>) -> Self {
        let progress = Progress::new(Whole::Runs(job.args.runs));
        let search = job.order.search.to_string();
        Collector {
            job,
            progress,
            search,
            waiting: BTreeMap::new(),
            scores: Vec::new(),
            best: None,
            done: 0,
            written: None,
        }
    }

    fn collect(mut self, news: &mpsc::Receiver<News>) -> Result<Exit> {
        for news in news {
            match news {
                News::Improvement(run, improvement) => self.improvement(run, &improvement)?,
                News::Done(run, solved) => {
                    self.waiting.insert(run, (*solved)?);
                    while let Some(solved) = self.waiting.remove(&self.done) {
                        self.result(self.done, solved)?;
                        self.done += 1;
                    }
                }
            }
        }
        self.progress.finish();
        self.conclude()
    }

    fn improvement(&mut self, run: u64, improvement: &Improvement) -> Result<()> {
        let goal = self.job.problem.goal();
        if let Some(output) = &self.job.output
            && self.written.is_none_or(|written| goal.better(improvement.score, written))
        {
            output.improvement(&order(self.job, run), improvement)?;
            self.written = Some(improvement.score);
        }
        if self.job.args.json {
            json::print(&json::improvement(Some(run), improvement))?;
        }
        Ok(())
    }

    fn result(&mut self, run: u64, solved: Solved) -> Result<()> {
        let goal = self.job.problem.goal();
        if self.job.args.json {
            json::print(&json::result(Some(run), self.job.problem.name(), &order(self.job, run), &solved))?;
        }
        // A run that Ctrl-C cut is no sample of the search.
        if solved.stop != Stop::Cancelled {
            self.scores.push(solved.score);
        }
        if self.best.as_ref().is_none_or(|(_, best)| goal.better(solved.score, best.score)) {
            self.best = Some((run, solved));
        }
        self.progress.run_done(self.best.as_ref().map_or(f64::NAN, |(_, best)| best.score));
        Ok(())
    }

    fn conclude(self) -> Result<Exit> {
        let Some((run, best)) = &self.best else { return Ok(Exit::Interrupted) };
        if self.written.is_none_or(|written| self.job.problem.goal().better(best.score, written)) {
            keep(self.job, &order(self.job, *run), best)?;
        }
        let summary = (!self.scores.is_empty()).then(|| Summary::new(&self.scores));
        if self.job.args.json {
            if let Some(summary) = summary {
                json::print(&summary.json(self.job.problem.name(), &self.search, self.job.order.seed))?;
            }
        } else {
            report::print(self.job, &order(self.job, *run), best)?;
            if let Some(summary) = summary {
                text::print(&summary.text(self.job.args.runs, self.job.order.seed))?;
            }
        }
        Ok(verdict(self.job, best))
    }
}

/// The distribution of the scores of a batch.
struct Summary {
    sorted: Vec<f64>,
    mean: f64,
    deviation: f64,
}

impl Summary {
    fn new(scores: &[f64]) -> Self {
        let mut sorted = scores.to_vec();
        sorted.sort_by(f64::total_cmp);
        let count = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / count;
        let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
        let deviation = if scores.len() > 1 { (squares / (count - 1.0)).sqrt() } else { 0.0 };
        Summary { sorted, mean, deviation }
    }

    /// The smallest score that at least this share of the runs does not exceed.
    fn quantile(&self, share: f64) -> f64 {
        let rank = (share * self.sorted.len() as f64).ceil() as usize;
        self.sorted[rank.clamp(1, self.sorted.len()) - 1]
    }

    fn json(&self, problem: &str, search: &str, seed: u64) -> serde_json::Value {
        let quantile = |share| json::score(self.quantile(share));
        json!({
            "event": "summary",
            "problem": problem,
            "search": search,
            "seed": seed,
            "runs": self.sorted.len(),
            "mean": self.mean,
            "sd": self.deviation,
            "min": quantile(0.0),
            "q25": quantile(0.25),
            "median": quantile(0.5),
            "q75": quantile(0.75),
            "max": quantile(1.0),
        })
    }

    fn text(&self, wanted: u64, seed: u64) -> String {
        let Summary { sorted, mean, deviation } = self;
        let error = deviation / (sorted.len() as f64).sqrt();
        let of = if sorted.len() as u64 == wanted { String::new() } else { format!(" of {wanted}") };
        let quantiles = [0.0, 0.25, 0.5, 0.75, 1.0]
            .map(|share| format!("{:.6}", self.quantile(share)).trim_end_matches('0').trim_end_matches('.').to_owned())
            .join(" / ");
        format!(
            "\n{}{of} runs, seed {seed}: mean {mean:.2} ± {error:.2}, standard deviation {deviation:.2}\n\
             least / quartiles / greatest: {quantiles}\n",
            sorted.len(),
        )
    }
}
