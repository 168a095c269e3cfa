//! Runs whose tasks workers make: workers who misbehave in every way that can be thought of, and the laws that hold all the same.

mod assorted;
mod laws;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use nestling::{
    Cancel, Event, Improvement, Journal, Outcome, Problem, ReportHeader, Rng, RunError, Spent, Stop, Stream, TaskSpec,
};
use nestling_puzzles::LeftMove;
use nestling_puzzles::left_move::Branch;
use nestling_registry::{
    Assorted, AssortedRun, Bundle, Controls, Delivery, Instance, Presentation, Ready, Registry, Resume, RunBatch,
    RunSpec, Workers, start_assorted_on,
};

/// Left move as a worker has it: its moves are counted, one of them interrupts the worker, and its scores may be too high.
#[derive(Clone)]
struct Observed {
    game: LeftMove,
    moves: Arc<AtomicU64>,
    worker: Worker,
    cancel: Cancel,
}

impl Problem for Observed {
    type Move = Branch;

    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<Branch>) {
        self.game.legal_moves(moves);
    }

    fn play(&mut self, side: Branch) {
        self.game.play(side);
        if self.moves.fetch_add(1, Ordering::Relaxed) + 1 == self.worker.interrupted_at {
            self.cancel.cancel();
        }
    }

    fn score(&self) -> f64 {
        self.game.score() + self.worker.bonus
    }

    fn code(&self, side: Branch) -> u64 {
        self.game.code(side)
    }

    fn dense_codes(&self) -> usize {
        self.game.dense_codes()
    }

    fn move_text(&self, side: Branch) -> String {
        self.game.move_text(side)
    }
}

impl Presentation for Observed {}

/// Makes tasks, and knows only their contents.
#[derive(Clone, Copy)]
struct Worker {
    name: &'static str,
    /// Added to the score of every game.
    bonus: f64,
    interrupted_at: u64,
    stop_after: Option<Duration>,
}

const HONEST: Worker = Worker { name: "an honest worker", bonus: 0.0, interrupted_at: u64::MAX, stop_after: None };
const LIAR: Worker = Worker { name: "the liar", bonus: 1.0, ..HONEST };

impl Worker {
    fn interrupted_at(self, moves: u64) -> Self {
        Worker { interrupted_at: moves, ..self }
    }

    fn make(self, task: &[u8]) -> Vec<u8> {
        self.go_on(task, None).0
    }

    /// The report of a task that is resumed from an interim one, and how many moves were played for it.
    fn go_on(self, task: &[u8], interim: Option<Vec<u8>>) -> (Vec<u8>, u64) {
        let (moves, cancel) = (Arc::new(AtomicU64::new(0)), Cancel::new());
        let (counted, pressed) = (Arc::clone(&moves), cancel.clone());
        let registry = <Registry>::default().with("left-move", "", move |depth| {
            let (moves, cancel) = (Arc::clone(&counted), pressed.clone());
            let depth = depth.parse().map_err(|_| "a depth is a number".to_owned())?;
            Ok(Observed { game: LeftMove::new(depth), moves, worker: self, cancel })
        });
        let asked = Ready::described_by(task).expect("the task is whole");
        let problem = registry.open(&asked.problem).expect("it is left move");
        let ready = registry.decide(problem.into(), asked).expect("the run was decided on");
        if let Some(time) = self.stop_after {
            let cancel = cancel.clone();
            thread::spawn(move || {
                thread::sleep(time);
                cancel.cancel();
            });
        }
        let resume = interim.map(|interim| (interim, Spent::default()));
        let controls = Controls { cancel, resume, ..Controls::default() };
        let report = ready.with(ready.seed(), 1).make_task(task, self.name, controls).expect("the task is valid");
        (report, moves.load(Ordering::Relaxed))
    }
}

/// What comes back, by the number of its bundle.
type Post = Vec<(u64, Delivery)>;

/// Workers in this process: what becomes of the bundles that are handed out is for a function to say whenever the driver waits.
struct InProcess<F> {
    /// How many there are, each time that the driver asks.
    places: VecDeque<usize>,
    waiting: Vec<Bundle>,
    /// Bundles that the driver must be told about, or must withdraw.
    open: BTreeSet<u64>,
    withdrawn: Vec<u64>,
    act: F,
}

impl<F: FnMut(&mut Vec<Bundle>) -> Result<Post, String> + Send> InProcess<F> {
    fn new(places: impl IntoIterator<Item = usize>, act: F) -> Self {
        let (waiting, open, withdrawn) = Default::default();
        InProcess { places: places.into_iter().collect(), waiting, open, withdrawn, act }
    }

    /// Whether the driver has settled every bundle.
    #[track_caller]
    fn assert_settled(&self) {
        assert!(self.open.is_empty(), "somebody still works on {:?}", self.open);
    }
}

impl<F: FnMut(&mut Vec<Bundle>) -> Result<Post, String> + Send> Workers for InProcess<F> {
    fn places(&mut self) -> Result<usize, String> {
        let Some(&places) = self.places.front() else { return Err("there are no workers".to_owned()) };
        self.places.rotate_left(1);
        Ok(places)
    }

    fn hand_out(&mut self, bundle: Bundle) -> Result<(), String> {
        assert!(!bundle.tasks.is_empty(), "nobody is sent nothing");
        self.open.insert(bundle.number);
        self.waiting.push(bundle);
        Ok(())
    }

    fn wait(&mut self, longest: Duration) -> Result<Post, String> {
        let post = (self.act)(&mut self.waiting)?;
        if post.is_empty() {
            thread::sleep(longest.min(Duration::from_micros(200)));
        }
        for (number, delivery) in &post {
            if !matches!(delivery, Delivery::Report(_)) {
                self.open.remove(number);
            }
        }
        Ok(post)
    }

    fn withdraw(&mut self, bundle: u64) {
        self.open.remove(&bundle);
        self.waiting.retain(|waiting| waiting.number != bundle);
        self.withdrawn.push(bundle);
    }
}

/// The reports of tasks that an honest worker makes.
fn made(tasks: &[Vec<u8>]) -> impl Iterator<Item = Delivery> {
    tasks.iter().map(|task| Delivery::Report(HONEST.make(task)))
}

/// Everything that a bundle's worker says, where nothing goes wrong.
fn whole(bundle: &Bundle) -> Post {
    made(&bundle.tasks).chain([Delivery::Done]).map(|delivery| (bundle.number, delivery)).collect()
}

/// A cluster that shuffles, delays, loses, repeats, damages and falsifies, as determined by a seed.
struct Unruly {
    rng: Rng,
    post: Vec<(u64, VecDeque<Delivery>)>,
    /// How often a task has gone wrong: the third time would be the last.
    wrong: HashMap<u64, u32>,
    /// Whether the rules can detect a false report: a mean can only be checked by computing it.
    is_checkable: bool,
}

impl Unruly {
    fn new(schedule: u64, ready: &Ready) -> Self {
        let (rng, post, wrong) = (Stream::new(schedule).child(7).rng(), Vec::new(), HashMap::new());
        Unruly { rng, post, wrong, is_checkable: !ready.search().is_estimate() }
    }

    fn workers(schedule: u64, ready: &Ready) -> InProcess<impl FnMut(&mut Vec<Bundle>) -> Result<Post, String> + Send> {
        let mut unruly = Unruly::new(schedule, ready);
        InProcess::new([1 + unruly.rng.below(4)], move |waiting| Ok(unruly.act(waiting)))
    }

    fn act(&mut self, waiting: &mut Vec<Bundle>) -> Post {
        if !waiting.is_empty() && (self.post.is_empty() || self.rng.below(2) == 0) {
            let bundle = waiting.swap_remove(self.rng.below(waiting.len()));
            let said = self.work(&bundle);
            self.post.push((bundle.number, said.into()));
        }
        let mut come = Vec::new();
        for _ in 0..self.rng.below(8) {
            self.post.retain(|(_, said)| !said.is_empty());
            if !self.post.is_empty() {
                let at = self.rng.below(self.post.len());
                let (number, said) = &mut self.post[at];
                come.extend(said.pop_front().map(|delivery| (*number, delivery)));
            }
        }
        come
    }

    fn work(&mut self, bundle: &Bundle) -> Vec<Delivery> {
        let tasks = &bundle.tasks;
        match self.rng.below(8) {
            // The worker is lost, having made some of its tasks and begun another; or it is only slow.
            0 | 1 => {
                let count = self.rng.below(tasks.len() + 1);
                let mut said: Vec<_> = made(&tasks[..count]).collect();
                said.extend(tasks.get(count).map(|task| self.interim(task)).map(Delivery::Report));
                said.push(Delivery::Lost("the worker is gone".to_owned()));
                if self.rng.below(2) == 0 {
                    said.extend(made(&tasks[count..]).chain([Delivery::Done]));
                }
                said
            }
            // It reports its progress, and continues.
            2 => {
                let mut said = Vec::new();
                for task in tasks {
                    let interim = self.interim(task);
                    let (report, _) = HONEST.go_on(task, Some(interim.clone()));
                    said.extend([interim, report].map(Delivery::Report));
                }
                said.push(Delivery::Done);
                said
            }
            // It says everything twice, then once more.
            3 => {
                let once: Vec<_> = made(tasks).collect();
                let twice = once.iter().flat_map(|delivery| [delivery.clone(), delivery.clone()]);
                twice.chain([Delivery::Done]).chain(once.clone()).chain([Delivery::Done]).collect()
            }
            4 | 5 if self.may_go_wrong(tasks) => self.wrong(tasks),
            _ => made(tasks).chain([Delivery::Done]).collect(),
        }
    }

    /// Of a task of few moves it is the report.
    fn interim(&mut self, task: &[u8]) -> Vec<u8> {
        HONEST.interrupted_at([1, 20, 300, 4000][self.rng.below(4)]).make(task)
    }

    fn may_go_wrong(&mut self, tasks: &[Vec<u8>]) -> bool {
        let indices: Vec<u64> = tasks.iter().map(|task| index(task)).collect();
        let may = indices.iter().all(|index| self.wrong.get(index).is_none_or(|&times| times < 2));
        if may {
            indices.into_iter().for_each(|index| *self.wrong.entry(index).or_default() += 1);
        }
        may
    }

    /// The worker makes its tasks, but one report is damaged, a lie, or of another run; or it makes none.
    fn wrong(&mut self, tasks: &[Vec<u8>]) -> Vec<Delivery> {
        let chosen = self.rng.below(tasks.len());
        let mut said: Vec<_> = made(tasks).collect();
        let mut report = HONEST.make(&tasks[chosen]);
        let at = self.rng.below(report.len());
        match self.rng.below(5) {
            0 => return vec![Delivery::Failed("old version".to_owned())],
            1 => report.truncate(at),
            2 => report[at] ^= 1 << self.rng.below(8),
            3 if self.is_checkable => report = LIAR.make(&tasks[chosen]),
            _ => report = of_another_run(&tasks[chosen]),
        }
        said[chosen] = Delivery::Report(report);
        said.push(Delivery::Done);
        said
    }
}

fn index(task: &[u8]) -> u64 {
    TaskSpec::read(task.to_vec()).expect("the task is whole").index
}

/// The report of the task with this one's number, or of the last, in a run with another seed.
fn of_another_run(task: &[u8]) -> Vec<u8> {
    let asked = Ready::described_by(task).unwrap();
    let other = decided(RunSpec { seed: asked.seed.map(|seed| seed + 1), threads: Some(100), ..asked });
    let mut tasks = other.tasks(None).unwrap();
    let others = std::iter::from_fn(|| tasks.next_task().unwrap());
    let same = others.take(index(task) as usize + 1).last().expect("there is one");
    HONEST.make(&same.bytes)
}

fn decided(asked: RunSpec) -> Ready {
    let registry = Registry::standard();
    let problem: Arc<dyn Instance> = registry.open(&asked.problem).unwrap().into();
    registry.decide(problem, asked).unwrap()
}

/// Every field that must not depend on who makes the tasks.
#[track_caller]
fn assert_alike(one: &Outcome, other: &Outcome, what: &str) {
    let common = |outcome: &Outcome| Outcome { work: one.work, elapsed: one.elapsed, ..outcome.clone() };
    assert_eq!(common(one), common(other), "{what}");
}

/// Makes a run on workers; its outcome, and all that its listener heard.
fn start_on(ready: &Ready, workers: &mut dyn Workers) -> (Result<Outcome, RunError>, Vec<Event>) {
    let mut heard = Vec::new();
    let mut listener = |event: &Event| heard.push(event.clone());
    let controls = Controls { workers: Some(workers), listener: Some(&mut listener), ..Controls::default() };
    (ready.start(controls), heard)
}

fn troubles(heard: &[Event]) -> Vec<&str> {
    heard.iter().filter_map(|event| if let Event::Trouble(reason) = event { Some(&**reason) } else { None }).collect()
}
