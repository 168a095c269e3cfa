//! Rows on a cluster: their readings are those that this machine takes, without times, even if the workers are unreliable.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::common::{experiment, seconds, store};
use nestling::{Cancel, Problem, Rng, Stream, TaskSpec};
use nestling_lab::{
    Cluster, Done, Experiment, ExperimentResults, LabEffort, Progress, Report, Runner, RunnerError, Sample, judge,
    samples,
};
use nestling_puzzles::LeftMove;
use nestling_puzzles::left_move::Branch;
use nestling_registry::{Bundle, Controls, Delivery, Device, Presentation, Ready, Registry, Workers};
use nestling_store::Store;

/// Left move with scores that are too high.
#[derive(Clone)]
struct Boasting(LeftMove);

impl Problem for Boasting {
    type Move = Branch;
    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<Branch>) {
        self.0.legal_moves(moves);
    }

    fn play(&mut self, side: Branch) {
        self.0.play(side);
    }

    fn score(&self) -> f64 {
        self.0.score() + 1.0
    }

    fn code(&self, side: Branch) -> u64 {
        self.0.code(side)
    }

    fn dense_codes(&self) -> usize {
        self.0.dense_codes()
    }

    fn move_text(&self, side: Branch) -> String {
        self.0.move_text(side)
    }
}

impl Presentation for Boasting {}

fn make(registry: &Registry, task: &[u8]) -> Vec<u8> {
    let ready = registry.ready(Ready::described_by(task).unwrap()).unwrap();
    ready.with(ready.seed(), 1).make_task(task, "a worker", Controls::default()).unwrap()
}

/// Workers in this process. They lose, damage and repeat reports, deliver them in any order, and lie, as a seed has it.
struct Unruly {
    rng: Rng,
    honest: Registry,
    liars: Registry,
    waiting: Vec<Bundle>,
    wrong: HashMap<u64, u32>,
    made: usize,
    /// The cluster breaks down after so many bundles.
    last: usize,
}

impl Unruly {
    fn new(seed: u64) -> Self {
        let liars = <Registry>::default().with("left-move", "", |depth| {
            Ok(Boasting(LeftMove::new(depth.parse().map_err(|_| "a depth is a number".to_owned())?)))
        });
        let (honest, waiting, wrong) = (Registry::standard(), Vec::new(), HashMap::new());
        Unruly { rng: Stream::new(seed).rng(), honest, liars, waiting, wrong, made: 0, last: usize::MAX }
    }

    /// What the worker of a bundle says. No task goes wrong more than twice: the third time would be the last.
    fn said(&mut self, tasks: &[Vec<u8>]) -> Vec<Delivery> {
        let mut reports: Vec<Vec<u8>> = tasks.iter().map(|task| make(&self.honest, task)).collect();
        let indices: Vec<u64> = tasks.iter().map(|task| TaskSpec::read(task.clone()).unwrap().index).collect();
        let may_go_wrong = indices.iter().all(|index| self.wrong.get(index).is_none_or(|&times| times < 2));
        match self.rng.below(8) {
            0 | 1 if may_go_wrong => {
                indices.iter().for_each(|&index| *self.wrong.entry(index).or_default() += 1);
                let chosen = self.rng.below(tasks.len());
                let asked = Ready::described_by(&tasks[chosen]).unwrap();
                // Nobody can tell that a mean is wrong.
                if asked.problem.starts_with("left-move") && !asked.expression().starts_with("mean") {
                    reports[chosen] = make(&self.liars, &tasks[chosen]);
                } else {
                    *reports[chosen].last_mut().unwrap() ^= 1;
                }
            }
            2 => reports.extend(reports.clone()),
            3 => reports.truncate(self.rng.below(tasks.len())),
            _ => {}
        }
        let is_lost = self.rng.below(6) == 0;
        let end = if is_lost { Delivery::Lost("out of memory".to_owned()) } else { Delivery::Done };
        reports.into_iter().map(Delivery::Report).chain([end]).collect()
    }
}

impl Workers for Unruly {
    fn places(&mut self) -> Result<usize, String> {
        Ok(3)
    }

    fn hand_out(&mut self, bundle: Bundle) -> Result<(), String> {
        self.waiting.push(bundle);
        Ok(())
    }

    fn wait(&mut self, _: Duration) -> Result<Vec<(u64, Delivery)>, String> {
        self.made += 1;
        if self.made > self.last {
            return Err("the head node is gone".to_owned());
        }
        if self.waiting.is_empty() {
            return Ok(Vec::new());
        }
        let at = self.rng.below(self.waiting.len());
        let Bundle { number, tasks, .. } = self.waiting.swap_remove(at);
        Ok(self.said(&tasks).into_iter().map(|delivery| (number, delivery)).collect())
    }

    fn withdraw(&mut self, bundle: u64) {
        self.waiting.retain(|waiting| waiting.number != bundle);
    }
}

/// Rows for a cluster, then those that this machine makes.
const ROWS: &str = r#"
[[series]]
name = "levels"
problem = "left-move:12"
search = "nested({level})"
runs = 30
over = { level = [0, 1] }

[[series]]
name = "divided"
problem = "left-move:16"
search = "repeat(20, nrpa(1))"
playouts = 300
runs = 8

[[series]]
name = "boards"
problem = "samegame:seed={run},size=5x5"
search = "nested(1)"
runs = 6

[[series]]
name = "sudokus"
problem = "sudoku:seed={part},order=3,empty=40"
search = "nested(1)"
parts = 2
runs = 6

[[series]]
name = "mean"
problem = "left-move:12"
search = "mean(5, playout)"
runs = 5

[[series]]
name = "timed"
problem = "left-move:13"
search = "nested(1)"
runs = 5

[[series]]
name = "limited"
problem = "left-move:12"
search = "repeat(playout)"
time = "50ms"
runs = 2

[[series]]
name = "tracked"
problem = "left-move:14"
search = "nested(1)"
track = true
runs = 5

[[series]]
name = "technique"
problem = "morpion-5d"
search = "playout"
technique = "range query"
runs = 2

[[series]]
name = "exact"
problem = "left-move:12"
exact = "nested(1)"
runs = 1

[[series]]
name = "games"
problem = "quarto"
player = "random"
opponent = "random"
runs = 4

[[claim]]
of = "timed"
kind = "time"
published = [1]
"#;

/// Rows that take a second or so.
const LONG: &str = r#"
[[series]]
name = "levels"
problem = "left-move:26"
search = "nested({level})"
runs = 100
over = { level = [1, 3] }
"#;

/// The rows that a cluster makes.
const SENT: [(usize, usize); 6] = [(0, 0), (0, 1), (1, 0), (2, 0), (3, 0), (4, 0)];

fn run(
    store: &mut Store,
    experiment: &Experiment,
    workers: Option<&mut dyn Workers>,
    (effort, cancel): (LabEffort, Cancel),
    listener: &mut dyn FnMut(&Progress),
) -> Result<Vec<Done>, RunnerError> {
    let registry = Registry::standard();
    let cluster = workers.map(|workers| Cluster { name: "ray".to_owned(), workers });
    let (seed, device) = (1, Device::Cpu);
    let mut runner = Runner { registry: &registry, store, seed, workers: 2, device, cluster, effort, cancel };
    runner.run(&[experiment], listener)
}

/// Runs everything.
fn run_all(store: &mut Store, experiment: &Experiment, workers: Option<&mut dyn Workers>) -> Vec<Done> {
    run(store, experiment, workers, (LabEffort::Full, Cancel::new()), &mut |_| {}).unwrap()
}

fn sample(store: &Store, experiment: &Experiment, (series, row): (usize, usize)) -> Sample {
    let key = experiment.row(series, row).sizes[0].definition.key();
    samples(store, &key).unwrap().0.pop().unwrap()
}

/// Every reading without its time, the best game and the goal: what has to be the same everywhere.
#[track_caller]
fn assert_alike(one: &Sample, other: &Sample) {
    let common = |sample: &Sample| {
        let mut readings = sample.readings.clone();
        readings.values_mut().for_each(|reading| reading.seconds = None);
        (readings, sample.best.clone(), sample.goal, sample.seed)
    };
    assert_eq!(common(one), common(other));
}

#[test]
fn readings_are_the_same_on_unruly_workers() {
    let experiment = experiment(ROWS);
    let (_folder, mut here) = store();
    let expected = run_all(&mut here, &experiment, None);
    assert!(expected.iter().all(|row| row.runs.0 == row.runs.1 && row.cluster.is_none() && row.stayed.is_none()));
    let mut troubles = 0;
    for seed in 0..6 {
        let (_folder, mut store) = store();
        let (mut workers, effort) = (Unruly::new(seed), (LabEffort::Full, Cancel::new()));
        let done = run(&mut store, &experiment, Some(&mut workers), effort, &mut |news| {
            troubles += usize::from(news.trouble.is_some());
        });
        let done = done.unwrap();
        let labels = |done: &[Done]| done.iter().map(|row| (row.row.clone(), row.runs)).collect::<Vec<_>>();
        assert_eq!(labels(&done), labels(&expected));
        for (index, row) in SENT.into_iter().enumerate() {
            assert_eq!((done[index].cluster.as_deref(), done[index].stayed), (Some("ray"), None));
            let made = sample(&store, &experiment, row);
            assert_alike(&made, &sample(&here, &experiment, row));
            assert_eq!((&*made.machine, made.elsewhere()), ("ray", made.count()), "no time, and no machine");
        }
        let stayed: Vec<_> =
            done[SENT.len()..].iter().map(|row| (row.cluster.as_deref(), row.stayed.unwrap())).collect();
        let reasons = [
            "its times count",
            "its runs have a time limit",
            "its improvements are kept",
            "its times count",
            "it is computed, not sampled",
            "games for two are not divided into tasks",
        ];
        assert_eq!(stayed, reasons.map(|reason| (None, reason)));
        for series in 5..11 {
            let made = sample(&store, &experiment, (series, 0));
            assert_eq!((made.machine, made.cluster), (Store::machine(), None));
            assert!(made.readings.values().all(|reading| reading.seconds.is_some()));
        }
    }
    assert!(troubles > 20, "only {troubles} reports were refused");
}

/// What was interrupted continues where it was, with the cluster or without.
#[test]
fn interrupted_experiments_go_on_anywhere() {
    let experiment = experiment(LONG);
    let (_folder, mut here) = store();
    run_all(&mut here, &experiment, None);
    for (begins, goes_on) in [(true, false), (false, true), (true, true)] {
        let (_folder, mut store) = store();
        let (cancel, mut workers) = (Cancel::new(), Unruly::new(7));
        let pressed = cancel.clone();
        let workers: Option<&mut dyn Workers> = if begins { Some(&mut workers) } else { None };
        run(&mut store, &experiment, workers, (LabEffort::Full, cancel), &mut |news| {
            if news.readings > 0 {
                pressed.cancel();
            }
        })
        .unwrap();
        let before = [(0, 0), (0, 1)].map(|row| (row, samples(&store, &key(&experiment, row)).unwrap().0.pop()));
        let kept: usize = before.iter().filter_map(|(_, sample)| Some(sample.as_ref()?.readings.len())).sum();
        assert!((1..200).contains(&kept), "{kept} readings were there");
        let mut workers = Unruly::new(8);
        let done = run_all(&mut store, &experiment, if goes_on { Some(&mut workers) } else { None });
        assert!(done.iter().all(|row| row.runs.0 == row.runs.1), "{done:?}");
        for (row, before) in before {
            let made = sample(&store, &experiment, row);
            assert_alike(&made, &sample(&here, &experiment, row));
            let kept = before.map_or(Default::default(), |before| before.readings);
            assert!(kept.iter().all(|(number, reading)| made.readings[number] == *reading), "nothing is made twice");
            let bundles = store.readings(&key(&experiment, row)).unwrap();
            assert_eq!(bundles.iter().map(|bundle| bundle.count).sum::<u64>(), made.count());
        }
        let results = ExperimentResults::load(&store, &experiment).unwrap();
        assert_eq!(results.measured(0, 0).unwrap().sample.count(), 100, "both count");
    }
}

fn key(experiment: &Experiment, (series, row): (usize, usize)) -> String {
    experiment.row(series, row).sizes[0].definition.key()
}

#[test]
fn a_cluster_that_breaks_down_is_quoted_and_its_readings_are_kept() {
    let experiment = experiment(ROWS);
    let (_folder, mut store) = store();
    let mut workers = Unruly { last: 12, ..Unruly::new(3) };
    let done = run(&mut store, &experiment, Some(&mut workers), (LabEffort::Full, Cancel::new()), &mut |_| {});
    let reason = "ray: the head node is gone; the same command continues, with or without the cluster";
    assert_eq!(done.unwrap_err().to_string(), reason);
    assert!(sample(&store, &experiment, (0, 0)).count() > 0);
}

/// Workers that never answer.
#[derive(Default)]
struct Silent(Vec<u64>);

impl Workers for Silent {
    fn places(&mut self) -> Result<usize, String> {
        Ok(2)
    }

    fn hand_out(&mut self, bundle: Bundle) -> Result<(), String> {
        self.0.push(bundle.number);
        assert!(self.0.len() <= 2, "nothing waits for a worker where there is a clock");
        Ok(())
    }

    fn wait(&mut self, longest: Duration) -> Result<Vec<(u64, Delivery)>, String> {
        std::thread::sleep(longest);
        Ok(Vec::new())
    }

    fn withdraw(&mut self, bundle: u64) {
        self.0.retain(|&number| number != bundle);
    }
}

/// The cluster has its share of a budget, and the rest is left for what is made here.
#[test]
fn budgets_are_kept() {
    let experiment = experiment(ROWS);
    let (_folder, mut store) = store();
    let (began, mut workers) = (Instant::now(), Silent::default());
    let done = run(&mut store, &experiment, Some(&mut workers), (seconds(4), Cancel::new()), &mut |_| {}).unwrap();
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    assert!(workers.0.is_empty(), "somebody still works on {:?}", workers.0);
    assert!(done[..SENT.len()].iter().all(|row| row.runs.0 == 0 && row.remark.is_some()), "{done:?}");
    assert!(done[SENT.len()..].iter().all(|row| row.runs.0 == row.runs.1), "{done:?}");
}

/// Readings without times do not stand for a time, and are not lost for rows that only want scores.
#[test]
fn times_are_judged_only_where_they_were_measured() {
    let scores = ROWS.rsplit_once("[[claim]]").unwrap().0;
    let (scores, times) = (experiment(scores), experiment(ROWS));
    let (_folder, mut store) = store();
    run_all(&mut store, &scores, Some(&mut Unruly::new(1)));
    let loaded = |store: &Store, experiment: &Experiment| ExperimentResults::load(store, experiment).unwrap();
    assert_eq!(loaded(&store, &scores).measured(5, 0).unwrap().sample.machine, "ray");
    assert_eq!(loaded(&store, &times).measured(5, 0), None, "nobody has measured its time");
    let done = run_all(&mut store, &times, Some(&mut Unruly::new(2)));
    assert_eq!((done[6].runs, done[6].stayed), ((5, 5), Some("its times count")));
    let report = Report::new(&store, &Registry::standard(), std::slice::from_ref(&times)).unwrap();
    assert!(report.files()[0].contents.contains("30 runs on ray, without times"));
    let results = loaded(&store, &times);
    let measured = results.measured(5, 0).unwrap();
    assert_eq!((&measured.sample.machine, measured.sample.elsewhere()), (&Store::machine(), 0));
    assert!(judge(&times, &times.claims[0], &results)[0].value.is_some());
}

/// What only a worker's program cannot do costs its row.
#[test]
fn a_row_that_workers_cannot_make_is_told() {
    struct Old(Unruly);
    impl Workers for Old {
        fn places(&mut self) -> Result<usize, String> {
            self.0.places()
        }
        fn hand_out(&mut self, bundle: Bundle) -> Result<(), String> {
            self.0.hand_out(bundle)
        }
        fn wait(&mut self, longest: Duration) -> Result<Vec<(u64, Delivery)>, String> {
            let is_new =
                |bundle: &Bundle| Ready::described_by(&bundle.tasks[0]).unwrap().problem.starts_with("samegame");
            match self.0.waiting.iter().position(is_new) {
                Some(at) => {
                    let number = self.0.waiting.remove(at).number;
                    Ok(vec![(number, Delivery::Failed("old version".to_owned()))])
                }
                None => self.0.wait(longest),
            }
        }
        fn withdraw(&mut self, bundle: u64) {
            self.0.withdraw(bundle);
        }
    }
    let experiment = experiment(ROWS);
    let (_folder, mut store) = store();
    let done = run_all(&mut store, &experiment, Some(&mut Old(Unruly::new(4))));
    assert!(done[3].remark.as_ref().is_some_and(|remark| remark.ends_with("3 times: old version")), "{:?}", done[3]);
    assert_eq!(done[3].runs, (0, 6));
    let others = done.iter().enumerate().filter(|(index, _)| *index != 3);
    assert!(others.into_iter().all(|(_, row)| row.runs.0 == row.runs.1 && row.remark.is_none()), "{done:?}");
}
