//! `nestling solve --runs N`: many runs of one search, spread over the threads, and what they come to together.
//!
//! Run k has the seed that task k of `repeat(N, search)` would have. Its result does not depend on the threads; results
//! are printed in the order of the runs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Instant;

use anyhow::Result;
use nestling::{Event, Improvement, RunError, Stream};
use nestling_registry::{Device, Order, Solved};

use crate::distribution::Distribution;
use crate::failure::Exit;
use crate::progress::{Progress, Whole};
use crate::solve::{Job, keep, verdict};
use crate::{json, report, stored, text};

enum News {
    Improvement(u64, Improvement),
    Done(u64, Box<Result<Solved, RunError>>),
    JournalFailed(String),
}

pub(crate) fn solve(job: &Job<'_>) -> Result<Exit> {
    let next = AtomicU64::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..workers(job) {
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

/// How many runs go on at once; one run fills a GPU.
fn workers(job: &Job<'_>) -> usize {
    if job.order.device == Device::Cuda {
        return 1;
    }
    job.order.threads.min(usize::try_from(job.args.runs).unwrap_or(usize::MAX))
}

/// The order of one run of the batch. Where there are more threads than runs, each gets its share.
fn order(job: &Job<'_>, run: u64) -> Order {
    let threads = job.order.threads / workers(job);
    Order { seed: Stream::new(job.order.seed).child(run).seed(), threads, ..job.order.clone() }
}

fn work(job: &Job<'_>, next: &AtomicU64, sender: &mpsc::Sender<News>) {
    loop {
        let run = next.fetch_add(1, Ordering::Relaxed);
        if run >= job.args.runs || job.order.cancel.is_cancelled() {
            return;
        }
        if let Some(before) = job.stored.as_ref().and_then(|stored| stored.outcome(run)) {
            let _ = sender.send(News::Done(run, Box::new(Ok(before.clone()))));
            continue;
        }
        let time = job.order.time.map(|(time, _)| (time, Instant::now()));
        let order = Order { time, ..order(job, run) };
        // The collector leaves early only when the whole batch has failed.
        let mut listener = |event: &Event| match event {
            Event::Improvement(improvement) => drop(sender.send(News::Improvement(run, improvement.clone()))),
            Event::JournalFailed(reason) | Event::Failed(reason) => {
                drop(sender.send(News::JournalFailed(reason.clone())))
            }
            Event::Progress { .. } => {}
        };
        let solved = job.solve(run, &order, &mut listener);
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
                News::JournalFailed(reason) => self.progress.say(&reason),
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
        let done = self.done == self.job.args.runs && !self.job.order.cancel.is_cancelled();
        stored::finish(&self.job.stored, self.job.args.json, done);
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
        let before = self.job.stored.as_ref().is_some_and(|stored| stored.outcome(run).is_some());
        if self.job.args.json && !before {
            json::print(&json::result(Some(run), self.job.problem.name(), &order(self.job, run), &solved))?;
        }
        // A run that was broken off is no sample of the search.
        if !solved.stop.is_interruption() {
            self.scores.extend(solved.scored());
        }
        let known = self.best.as_ref().and_then(|(_, best)| best.scored());
        let is_better = |score| known.is_none_or(|best| goal.better(score, best));
        if self.best.is_none() || solved.scored().is_some_and(is_better) {
            self.best = Some((run, solved));
        }
        stored::announce(&self.job.stored, self.job.args.json);
        let best = self.best.as_ref().and_then(|(_, best)| best.scored()).unwrap_or(f64::NAN);
        let spread = Distribution::new(&self.scores).map_or(String::new(), |scores| format!(", {}", scores.short()));
        self.progress.run_done(format!("best {best}{spread}"));
        Ok(())
    }

    fn conclude(self) -> Result<Exit> {
        let Some((run, best)) = &self.best else { return Ok(Exit::Interrupted) };
        if self.written.is_none_or(|written| self.job.problem.goal().better(best.score, written)) {
            keep(self.job, &order(self.job, *run), best)?;
        }
        let summary = Distribution::new(&self.scores);
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
