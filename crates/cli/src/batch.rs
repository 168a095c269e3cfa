//! `nestling solve --runs N`: many runs of one search, spread over the threads, and their combined result.
//!
//! Run k has the seed that task k of `repeat(N, search)` would have. Its result does not depend on the threads; results
//! are printed in the order of the runs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::Result;
use nestling::{Event, Improvement, Outcome, RunError};
use nestling_registry::{BatchListener, Device, KeptBatch};

use crate::distribution::{Distribution, Running};
use crate::failure::Exit;
use crate::progress::{Progress, Total};
use crate::solve::{Job, keep, verdict};
use crate::stored::Stored;
use crate::{json, report, stored, text};

/// How many results may wait for the collector. Where it is the slower one, the workers wait for it, rather than fill the memory.
const WAITING: usize = 1_000;

/// How many runs may be ahead of the first that is not finished. Their results wait for it.
const AHEAD: u64 = 1_000;

/// How often what the progress bar says changes.
const TICK: Duration = Duration::from_millis(100);

/// How long a worker that is too far ahead waits: shorter than a tick, so that the others do not become idle.
const PAUSE: Duration = Duration::from_millis(1);

enum News {
    Improvement(u64, Improvement),
    Done(u64, Box<Result<Outcome, RunError>>),
    JournalFailed(String),
}

pub(crate) fn solve(job: &Job<'_>) -> Result<Exit> {
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let (sender, receiver) = mpsc::sync_channel(WAITING);
    std::thread::scope(|scope| {
        let (next, done) = (&next, &done);
        for _ in 0..if job.workers.is_some() { 0 } else { workers(job) } {
            let sender = sender.clone();
            scope.spawn(move || work(job, next, done, &sender));
        }
        if job.workers.is_some() {
            let sender = sender.clone();
            scope.spawn(move || elsewhere(job, done, &sender));
        }
        drop(sender);
        let result = Collector::new(job).collect(&receiver, done);
        if result.is_err() {
            job.cancel.cancel();
        }
        // Nobody takes what the workers still have; they must not wait for it.
        drop(receiver);
        result
    })
}

/// How many runs are made at once; one run fills a GPU.
fn workers(job: &Job<'_>) -> usize {
    if job.spec().device == Device::Cuda {
        return 1;
    }
    job.ready.threads().min(usize::try_from(job.spec().runs).unwrap_or(usize::MAX))
}

/// How many threads a run has: where there are more than runs, each gets its share.
fn share(job: &Job<'_>) -> usize {
    job.ready.threads() / workers(job)
}

fn work(job: &Job<'_>, next: &AtomicU64, done: &AtomicU64, sender: &mpsc::SyncSender<News>) {
    // Asking the system how many processors there are takes longer than a short run.
    let threads = share(job);
    loop {
        let run = next.fetch_add(1, Ordering::Relaxed);
        while run > done.load(Ordering::Relaxed) + AHEAD && !job.cancel.is_cancelled() {
            std::thread::sleep(PAUSE);
        }
        if run >= job.spec().runs || job.cancel.is_cancelled() {
            return;
        }
        if let Some(before) = job.stored.as_ref().and_then(|stored| stored.outcome(run)) {
            let _ = sender.send(News::Done(run, Box::new(Ok(before.clone()))));
            continue;
        }
        let (ready, began) = (job.ready.number(run, threads), Instant::now());
        // The collector leaves early only when the whole batch has failed.
        let mut listener = |event: &Event| match event {
            Event::Improvement(improvement) if job.shown.json || job.output.is_some() => {
                let _ = sender.send(News::Improvement(run, improvement.clone()));
            }
            Event::JournalFailed(reason) | Event::Failed(reason) | Event::Trouble(reason) => {
                drop(sender.send(News::JournalFailed(reason.clone())))
            }
            _ => {}
        };
        let outcome = job.start(run, &ready, began, &mut listener);
        let _ = sender.send(News::Done(run, Box::new(outcome)));
    }
}

/// All runs of the batch, made by the workers of a cluster.
fn elsewhere(job: &Job<'_>, done: &AtomicU64, sender: &mpsc::SyncSender<News>) {
    let Some(mut workers) = job.workers() else { return };
    let mut remote = RemoteRuns { job, done, sender };
    let keeper = job.stored.as_ref().map(Stored::keeper);
    let mut batch = KeptBatch::new(&job.ready, keeper, &mut remote);
    if let Err(error) = job.ready.start_batch_on(&mut **workers, &mut batch) {
        let _ = sender.send(News::Done(job.spec().runs, Box::new(Err(error))));
    }
}

/// Receives the events of runs that are made elsewhere.
struct RemoteRuns<'a> {
    job: &'a Job<'a>,
    done: &'a AtomicU64,
    sender: &'a mpsc::SyncSender<News>,
}

impl BatchListener for RemoteRuns<'_> {
    fn may_begin(&self, run: u64) -> bool {
        run <= self.done.load(Ordering::Relaxed) + AHEAD
    }

    fn improvement(&mut self, run: u64, improvement: &Improvement) {
        if self.job.shown.json || self.job.output.is_some() {
            let _ = self.sender.send(News::Improvement(run, improvement.clone()));
        }
    }

    fn trouble(&mut self, reason: &str) {
        let _ = self.sender.send(News::JournalFailed(reason.to_owned()));
    }

    fn done(&mut self, run: u64, outcome: Outcome) {
        let _ = self.sender.send(News::Done(run, Box::new(Ok(outcome))));
    }

    fn is_cancelled(&self) -> bool {
        self.job.cancel.is_cancelled()
    }
}

struct Collector<'a> {
    job: &'a Job<'a>,
    /// The threads of each run.
    threads: usize,
    progress: Progress,
    search: String,
    /// Results that wait for an earlier run.
    waiting: BTreeMap<u64, Outcome>,
    scores: Vec<f64>,
    running: Running,
    /// When the progress bar was last updated.
    told: Instant,
    /// The first of the best runs, those that Ctrl-C cut included.
    best: Option<(u64, Outcome)>,
    done: u64,
}

impl<'a> Collector<'a> {
    fn new(job: &'a Job<'a>) -> Self {
        let progress = Progress::new(Total::Runs(job.spec().runs)).quiet(job.shown.quiet);
        let search = job.ready.search().to_string();
        Collector {
            job,
            threads: share(job),
            progress,
            search,
            waiting: BTreeMap::new(),
            scores: Vec::new(),
            running: Running::default(),
            told: Instant::now(),
            best: None,
            done: 0,
        }
    }

    fn collect(mut self, news: &mpsc::Receiver<News>, done: &AtomicU64) -> Result<Exit> {
        for news in news {
            match news {
                News::Improvement(run, improvement) => self.improvement(run, &improvement)?,
                News::JournalFailed(reason) => self.progress.say(&reason),
                News::Done(run, outcome) => {
                    self.waiting.insert(run, (*outcome)?);
                    while let Some(outcome) = self.waiting.remove(&self.done) {
                        self.result(self.done, outcome)?;
                        self.done += 1;
                        done.store(self.done, Ordering::Relaxed);
                    }
                }
            }
        }
        self.progress.finish();
        let done = self.done == self.job.spec().runs && !self.job.cancel.is_cancelled();
        stored::finish(&self.job.stored, self.job.shown.json, done);
        self.conclude()
    }

    fn improvement(&self, run: u64, improvement: &Improvement) -> Result<()> {
        if let Some(output) = &self.job.output {
            output.improvement(self.job.ready.number(run, self.threads).spec(), improvement, &self.progress);
        }
        if self.job.shown.json && !self.job.shown.quiet {
            json::print(&json::improvement(Some(run), self.job.problem(), improvement))?;
        }
        Ok(())
    }

    fn result(&mut self, run: u64, outcome: Outcome) -> Result<()> {
        let goal = self.job.problem().goal();
        let before = self.job.stored.as_ref().is_some_and(|stored| stored.outcome(run).is_some());
        if self.job.shown.json && !before {
            let spec = self.job.ready.number(run, self.threads).spec().clone();
            json::print(&json::result(Some(run), self.job.problem(), &spec, &outcome))?;
        }
        // An interrupted run is not a sample of the search.
        if !outcome.stop.is_interruption() {
            self.scores.extend(outcome.score());
            outcome.score().into_iter().for_each(|score| self.running.add(score));
        }
        // The store keeps the games of the best only; where the very best was lost, the next may have none.
        let is_whole = |outcome: &Outcome| outcome.game().is_none_or(|game| !game.is_bare());
        let known = self.best.as_ref().filter(|(_, best)| is_whole(best)).and_then(|(_, best)| best.score());
        let is_better = |score| known.is_none_or(|best| goal.better(score, best));
        if self.best.is_none() || is_whole(&outcome) && outcome.score().is_some_and(is_better) {
            self.best = Some((run, outcome));
        }
        stored::announce(&self.job.stored, self.job.shown.json);
        if self.told.elapsed() >= TICK || self.done + 1 == self.job.spec().runs {
            self.told = Instant::now();
            let best = self.best.as_ref().and_then(|(_, best)| best.score());
            let best = best.map_or(String::new(), |best| format!("best {}", text::figure(self.job.problem(), best)));
            self.progress.runs_done(self.done + 1, format!("{best}{}", self.running.short()));
        }
        Ok(())
    }

    fn conclude(mut self) -> Result<Exit> {
        let summary = Distribution::new(std::mem::take(&mut self.scores));
        let meaning = &|score: f64| self.job.problem().meaning(score, false);
        let Some((run, best)) = &self.best else { return Ok(Exit::Interrupted) };
        let spec = self.job.ready.number(*run, self.threads).spec().clone();
        keep(self.job, &spec, best)?;
        if self.job.shown.json {
            if let Some(summary) = summary {
                json::print(&summary.json(self.job.problem().name(), &self.search, self.job.ready.seed(), meaning))?;
            }
        } else {
            report::print(self.job, &spec, best)?;
            if let Some(summary) = summary {
                text::print(&summary.text(self.job.spec().runs, self.job.ready.seed(), meaning))?;
            }
        }
        Ok(verdict(self.job, best))
    }
}
