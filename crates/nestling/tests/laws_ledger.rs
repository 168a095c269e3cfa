//! Law: tasks that others make have the result of one thread, however badly those others behave; or the culprit is named.

use std::sync::atomic::AtomicU64;

use crate::common::{Counted, EXPRESSIONS, Maze, Weather, assert_repeatable, assert_same, interrupt, mix, run};
use nestling::{
    Cancel, Goal, Ledger, Outcome, Problem, ReportHeader, Run, RunError, Stop, Stream, TaskError, TaskSpec,
};

/// A maze in which every game is worth more than it is.
#[derive(Clone)]
struct Liar(Maze);

impl Problem for Liar {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        self.0.legal_moves(moves);
    }

    fn play(&mut self, played: u8) {
        self.0.play(played);
    }

    fn score(&self) -> f64 {
        self.0.score() + 1.0
    }
}

/// What the workers are asked to make.
#[derive(Clone, Copy)]
struct Asked<'a> {
    search: &'a str,
    seed: u64,
    playouts: Option<u64>,
    target: Option<f64>,
}

impl Asked<'_> {
    fn run<'p, P: Problem>(&self, problem: &'p P) -> Run<'p, P> {
        let mut run = run(problem, self.search, self.seed);
        if let Some(playouts) = self.playouts {
            run = run.playouts(playouts);
        }
        match self.target {
            Some(target) => run.target(target),
            None => run,
        }
    }

    /// A worker makes a task, from an interim report if there is one; it is cancelled at one of its moves.
    fn make(&self, maze: &Maze, task: &TaskSpec, from: Option<Vec<u8>>, cancelled_at: u64) -> Vec<u8> {
        let (moves, cancel) = (AtomicU64::new(0), Cancel::new());
        let problem = Counted { maze: maze.clone(), moves: &moves, pressed_at: cancelled_at, cancel: cancel.clone() };
        // What else a worker knows of the run is of no use to it.
        let mut worker = run(&problem, self.search, self.seed).cancel(cancel).threads(1 + task.index as usize % 2);
        if let Some(from) = from {
            worker = worker.resume(from);
        }
        worker.run_task(&task.bytes, "a worker").expect("the task is valid")
    }
}

/// A cluster that shuffles, delays, loses, repeats, truncates and falsifies.
struct Cluster<'a> {
    maze: &'a Maze,
    asked: Asked<'a>,
    rng: nestling::Rng,
    out: Vec<TaskSpec>,
    /// Tasks that are given up for lost, and whose workers are alive.
    ghosts: Vec<TaskSpec>,
    post: Vec<(u64, Vec<u8>)>,
    refused: u64,
}

impl<'a> Cluster<'a> {
    fn new(maze: &'a Maze, asked: Asked<'a>, schedule: u64) -> Self {
        let rng = Stream::new(mix(schedule, 991)).rng();
        Cluster { maze, asked, rng, out: Vec::new(), ghosts: Vec::new(), post: Vec::new(), refused: 0 }
    }

    fn ledger(&self, checkpoint: Option<Vec<u8>>) -> Ledger<'a, Maze> {
        let mut run = self.asked.run(self.maze).threads(1 + self.asked.seed as usize % 3);
        if let Some(bytes) = checkpoint {
            run = run.resume(bytes);
        }
        run.ledger().expect("the run is valid")
    }

    /// Makes the whole run, in `trouble` for so many steps; `stop` says when its time is over.
    fn make(&mut self, trouble: u64, stop: Option<u64>) -> Outcome<u8> {
        let mut ledger = self.ledger(None);
        for step in 0.. {
            assert!(step < 100_000, "{} does not end", self.asked.search);
            if stop == Some(step) {
                ledger.time_is_over().expect("the search is sound");
            }
            if ledger.is_over() {
                break;
            }
            if step < trouble { self.misbehave(&mut ledger) } else { self.behave(&mut ledger) }
        }
        assert_eq!(ledger.next_task().unwrap(), None, "what is over is over");
        for (index, report) in self.post.drain(..) {
            assert_eq!(ledger.take(index, &report).expect("a late report does no harm"), []);
        }
        ledger.outcome().expect("the search is sound")
    }

    fn hand_out(&mut self, ledger: &mut Ledger<'a, Maze>) {
        let task = ledger.next_task().expect("the search is sound");
        assert_eq!(task.is_none(), ledger.out().len() == self.out.len(), "{}", self.asked.search);
        self.out.extend(task);
    }

    /// Delivers all there is, and makes every task to its end.
    fn behave(&mut self, ledger: &mut Ledger<'a, Maze>) {
        self.hand_out(ledger);
        for task in self.out.drain(..) {
            self.post.push((task.index, self.asked.make(self.maze, &task, None, u64::MAX)));
        }
        for (index, report) in std::mem::take(&mut self.post) {
            ledger.take(index, &report).expect("the report is true");
        }
        for index in ledger.out() {
            ledger.lost(index);
        }
    }

    fn pick<T>(rng: &mut nestling::Rng, things: &mut Vec<T>) -> Option<T> {
        (!things.is_empty()).then(|| things.swap_remove(rng.below(things.len())))
    }

    fn misbehave(&mut self, ledger: &mut Ledger<'a, Maze>) {
        match self.rng.below(12) {
            0..=2 if self.out.len() < 6 => self.hand_out(ledger),
            // A worker makes a task, perhaps only a part of it, and perhaps continues.
            3..=5 => {
                let Some(task) = Self::pick(&mut self.rng, &mut self.out) else { return };
                let cancelled_at = [1, 20, 300, u64::MAX, u64::MAX][self.rng.below(5)];
                let mut report = self.asked.make(self.maze, &task, None, cancelled_at);
                if self.rng.below(2) == 0 {
                    self.post.push((task.index, report.clone()));
                    report = self.asked.make(self.maze, &task, Some(report), [50, u64::MAX][self.rng.below(2)]);
                }
                self.post.push((task.index, report));
                self.out.push(task);
            }
            // A task is given up for lost; its worker may be alive.
            6 => {
                let Some(task) = Self::pick(&mut self.rng, &mut self.out) else { return };
                ledger.lost(task.index);
                self.ghosts.push(task);
            }
            7 => {
                let Some(task) = Self::pick(&mut self.rng, &mut self.ghosts) else { return };
                self.post.push((task.index, self.asked.make(self.maze, &task, None, u64::MAX)));
            }
            // The driver dies; what is out is lost, what is in the post is not.
            8 => {
                let checkpoint = ledger.checkpoint().expect("it can be written");
                *ledger = self.ledger(checkpoint);
                self.ghosts.append(&mut self.out);
            }
            9 => self.falsify(ledger),
            _ => {
                let Some((index, report)) = Self::pick(&mut self.rng, &mut self.post) else { return };
                for _ in 0..=self.rng.below(2) {
                    ledger.take(index, &report).expect("the report is true");
                }
                if ReportHeader::read(&report).unwrap().is_finished {
                    self.out.retain(|task| task.index != index);
                    ledger.lost(index);
                }
            }
        }
        self.settle(ledger);
    }

    /// A report that is damaged, of another task, or a lie.
    fn falsify(&mut self, ledger: &mut Ledger<'a, Maze>) {
        let Some((index, report)) = Self::pick(&mut self.rng, &mut self.post) else { return };
        let mut bad = report.clone();
        let at = self.rng.below(bad.len());
        match self.rng.below(3) {
            0 => bad.truncate(at),
            1 => bad[at] ^= 1 << self.rng.below(8),
            _ => {
                assert!(matches!(ledger.take(index + 1, &bad), Err(RunError::Task(TaskError::OtherTask { .. }))));
                bad.clear();
            }
        }
        let refused = ledger.take(index, &bad);
        assert!(matches!(refused, Err(RunError::Task(TaskError::Damaged { .. } | TaskError::Format { .. }))));
        self.refused += 1;
        self.post.push((index, report));
    }

    /// Tasks that the ledger has withdrawn are not made.
    fn settle(&mut self, ledger: &mut Ledger<'a, Maze>) {
        let out = ledger.out();
        self.out.retain(|task| out.contains(&task.index));
        // A task that is finished twice over is out for the ledger until its report comes.
        for index in out.into_iter().filter(|index| self.out.iter().all(|task| task.index != *index)) {
            ledger.lost(index);
        }
    }
}

/// All searches, a thousand schedules: the outcome is that of one thread.
#[test]
fn bad_clusters_make_no_difference() {
    let maze = Maze::new(61, 8, Goal::Max);
    let mut refused = 0;
    for search in EXPRESSIONS {
        let asked = Asked { search, seed: 4, playouts: None, target: None };
        let whole = asked.run(&maze).start().expect("the run is valid");
        for schedule in 0..20 {
            let mut cluster = Cluster::new(&maze, asked, schedule);
            let outcome = cluster.make(30 * schedule, None);
            assert_same(&whole, &outcome, &format!("{search}, schedule {schedule}"));
            refused += cluster.refused;
        }
    }
    assert!(refused > 100, "only {refused} false reports");
}

const LISTS: &[&str] = &[
    "repeat(200, playout)",
    "repeat(nested(1))",
    "repeat(30, nrpa(1, iterations=20))",
    "repeat(nrpa(1, iterations=20))",
    "repeat(12, nrpa(2, iterations=5))",
    "repeat(pool(60, cycle=1280, starts=5))",
    "repeat(9, uct(40, trees=2))",
    "uct(60, trees=7)",
    "repeat(4, repeat(5, nested(1)))",
    "nested(2)",
];

#[test]
fn budgets_and_targets_cut_in_order() {
    let maze = Maze::new(62, 9, Goal::Max);
    for search in LISTS {
        for (budget, schedule) in [0, 1, 63, 64, 65, 200, 333, 700].into_iter().zip(1..) {
            let asked = Asked { search, seed: 5, playouts: Some(budget), target: None };
            let whole = asked.run(&maze).start().unwrap();
            let outcome = Cluster::new(&maze, asked, schedule).make(200, None);
            assert_same(&whole, &outcome, &format!("{search}, {budget} playouts"));
            let asked = Asked { target: whole.score(), playouts: Some(700), ..asked };
            let reached = asked.run(&maze).start().unwrap();
            let outcome = Cluster::new(&maze, asked, schedule).make(200, None);
            assert_same(&reached, &outcome, &format!("{search}, target {:?}", whole.score()));
        }
    }
}

/// A target without a budget, and time, stop all tasks where they are: what they found is found again.
#[test]
fn what_stops_at_once_is_found_again() {
    let maze = Maze::new(63, 9, Goal::Max);
    for search in LISTS {
        let best = Asked { search, seed: 6, playouts: Some(700), target: None }.run(&maze).start().unwrap();
        for schedule in 0..20 {
            let asked = Asked { search, seed: 6, playouts: None, target: best.score() };
            let outcome = Cluster::new(&maze, asked, schedule).make(300, None);
            assert_eq!((outcome.stop, outcome.score()), (Stop::Target, best.score()), "{search}");
            assert_repeatable(&maze, search, 6, &outcome);
            let asked = Asked { target: None, ..asked };
            let outcome = Cluster::new(&maze, asked, schedule).make(u64::MAX, Some(10 + 9 * schedule));
            if outcome.stop != Stop::Finished && outcome.score().is_some() {
                assert_eq!(outcome.stop, Stop::Time, "{search}");
                assert_repeatable(&maze, search, 6, &outcome);
            }
        }
    }
}

/// A mean of numbers, whose games are not the problem's.
#[test]
fn means_are_the_same() {
    let weather = Weather::new(3, 6);
    for search in ["mean(50, nested(1))", "mean(7, repeat(20, playout))", "repeat(5, mean(3, nested(1)))"] {
        let made = || run(&weather, search, 8);
        let whole = made().start().unwrap();
        let (mut ledger, mut reports) = (made().threads(4).ledger().unwrap(), Vec::new());
        while let Some(task) = ledger.next_task().unwrap() {
            reports.push((task.index, made().run_task(&task.bytes, "").unwrap()));
        }
        for (index, report) in reports.iter().rev() {
            ledger.take(*index, report).unwrap();
        }
        assert_same(&whole, &ledger.outcome().unwrap(), search);
    }
}

/// A run goes from threads to a ledger and back, by its checkpoints.
#[test]
fn checkpoints_are_those_of_the_driver() {
    let maze = Maze::new(64, 9, Goal::Max);
    for search in ["repeat(40, nrpa(1, iterations=30))", "uct(100, trees=9)", "mean(30, nested(1))", "nested(2)"] {
        let made = || run(&maze, search, 7);
        let whole = made().start().unwrap();
        let (_, checkpoint) = interrupt(&maze, search, 7, None, |run| run.playouts(150));
        let mut ledger = made().resume(checkpoint.expect("it was cut")).ledger().unwrap();
        for _ in 0..3 {
            let Some(task) = ledger.next_task().unwrap() else { break };
            ledger.take(task.index, &made().run_task(&task.bytes, "").unwrap()).unwrap();
        }
        if ledger.is_over() {
            assert_same(&whole, &ledger.outcome().unwrap(), search);
            continue;
        }
        let checkpoint = ledger.checkpoint().unwrap().expect("it is not over");
        assert_same(&whole, &made().resume(checkpoint).threads(2).start().unwrap(), search);
    }
}

#[test]
fn lies_name_their_author() {
    let (maze, search) = (Maze::new(65, 9, Goal::Max), "repeat(5, nested(1))");
    let mut ledger = run(&maze, search, 1).ledger().unwrap();
    let task = ledger.next_task().unwrap().unwrap();
    let liar = Liar(maze.clone());
    let lie = run(&liar, search, 1).run_task(&task.bytes, "the liar").unwrap();
    let refused = ledger.take(task.index, &lie).unwrap_err().to_string();
    assert!(refused.starts_with("the report of task 0, made by the liar, is refused"), "{refused}");
    let truth = run(&maze, search, 1).run_task(&task.bytes, "").unwrap();
    assert!(!ledger.take(task.index, &truth).unwrap().is_empty(), "the task was still to be made");
    for (other, what) in [(run(&maze, search, 2), "seed"), (run(&maze, "repeat(6, nested(1))", 1), "search")] {
        let refused = other.run_task(&task.bytes, "").unwrap_err().to_string();
        assert!(refused.contains(&format!("belongs to another run: its {what} is")), "{refused}");
    }
    let mut other = run(&maze, search, 2).ledger().unwrap();
    assert!(other.take(task.index, &truth).unwrap_err().to_string().contains("another run"));
}

/// A task is made from its interim reports, written by any worker.
#[test]
fn interim_reports_are_handed_on() {
    let maze = Maze::new(66, 9, Goal::Max);
    let asked = Asked { search: "repeat(3, nrpa(2, iterations=20))", seed: 2, playouts: None, target: None };
    let mut ledger = asked.run(&maze).ledger().unwrap();
    let task = ledger.next_task().unwrap().unwrap();
    let interim = asked.make(&maze, &task, None, 500);
    assert!(!ReportHeader::read(&interim).unwrap().is_finished);
    ledger.take(0, &interim).unwrap();
    assert_eq!(ledger.out(), [0], "its worker goes on");
    ledger.lost(0);
    let again = ledger.next_task().unwrap().unwrap();
    assert_eq!(again.index, 0);
    assert!(again.bytes.len() > task.bytes.len() + 100, "it begins where it was left");
    let fresh = asked.make(&maze, &task, None, u64::MAX);
    let resumed = asked.make(&maze, &again, None, u64::MAX);
    let body = |report: &[u8]| ReportHeader::split(report).unwrap().1.to_vec();
    assert_eq!(body(&fresh), body(&resumed), "bit for bit");
    assert_eq!(body(&fresh), body(&asked.make(&maze, &task, Some(interim), u64::MAX)), "bit for bit");
}

/// A task that reaches the target makes later ones superfluous, and the ledger lists them.
#[test]
fn tasks_behind_the_target_are_not_wanted() {
    let (maze, search) = (Maze::new(67, 9, Goal::Max), "repeat(8, nested(1))");
    let best = run(&maze, search, 3).start().unwrap().score().unwrap();
    let made = || run(&maze, search, 3).target(best).playouts(100_000).threads(4);
    let (mut ledger, mut tasks) = (made().ledger().unwrap(), Vec::new());
    while let Some(task) = ledger.next_task().unwrap() {
        tasks.push(task);
    }
    assert_eq!((tasks.len(), ledger.no_longer_wanted()), (8, vec![]));
    let reports: Vec<_> = tasks.iter().map(|task| made().run_task(&task.bytes, "").unwrap()).collect();
    let expected = made().start().unwrap();
    // The first task that reaches it, and none of those before it.
    let mut reaching = None;
    for (task, report) in tasks.iter().zip(&reports) {
        let mut alone = made().ledger().unwrap();
        while alone.next_task().unwrap().is_some() {}
        alone.take(task.index, report).unwrap();
        if !alone.no_longer_wanted().is_empty() && reaching.is_none() {
            reaching = Some(task.index);
        }
    }
    let reaching = reaching.expect("one of them reaches it");
    ledger.take(reaching, &reports[reaching as usize]).unwrap();
    assert_eq!(ledger.no_longer_wanted(), (reaching + 1..8).collect::<Vec<_>>());
    for index in 0..reaching {
        ledger.take(index, &reports[index as usize]).unwrap();
    }
    assert!(ledger.is_over() && ledger.next_task().unwrap().is_none());
    assert_same(&expected, &ledger.outcome().unwrap(), search);
}

/// What tasks have found ahead of their turn is in the outcome of a run that is given up, with what finds it again.
#[test]
fn what_was_announced_is_in_the_outcome() {
    let (maze, search) = (Maze::new(68, 9, Goal::Max), "repeat(8, nested(1))");
    let mut ledger = run(&maze, search, 3).threads(4).ledger().unwrap();
    let tasks: Vec<_> = std::iter::from_fn(|| ledger.next_task().unwrap()).collect();
    let report = run(&maze, search, 3).run_task(&tasks[5].bytes, "").unwrap();
    let told = ledger.take(5, &report).unwrap();
    assert!(ledger.take(9, &report).is_err());
    let outcome = ledger.outcome().unwrap();
    assert_eq!((outcome.stop, outcome.score()), (Stop::Cancelled, told.last().map(nestling::Improvement::score)));
    assert_repeatable(&maze, search, 3, &outcome);
}
