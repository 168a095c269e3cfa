//! Law: a run whose tasks workers make has the outcome that it has on threads, however badly those workers behave; or it ends with an
//! error that names the culprit.

use super::*;

pub(super) fn searches() -> Vec<Ready> {
    let asked = |depth: u32, search: &str| RunSpec::new(format!("left-move:{depth}")).search(search);
    let specs = [
        asked(12, "repeat(20, nrpa(1))"),
        asked(12, "repeat(200, playout)"),
        asked(9, "mean(8, nested(1))"),
        asked(9, "nrpa(2, iterations=40)"),
        asked(12, "repeat(6, pool(200))"),
        asked(12, "uct(60, trees=7)"),
        // Budgets that end within a task.
        RunSpec { playouts: Some(750), ..asked(12, "repeat(20, nrpa(1))") },
        RunSpec { playouts: Some(130), ..asked(12, "repeat(playout)") },
        RunSpec { playouts: Some(333), ..asked(9, "repeat(nested(1))") },
        RunSpec { playouts: Some(1000), ..asked(9, "nrpa(2, iterations=40)") },
        // Targets that are reached within a budget, and one that is not.
        RunSpec { playouts: Some(150), target: Some(10.0), ..asked(12, "repeat(200, playout)") },
        RunSpec { playouts: Some(2000), target: Some(15.0), ..asked(16, "repeat(20, nrpa(1))") },
        RunSpec { playouts: Some(100), target: Some(30.0), ..asked(30, "repeat(nested(1))") },
    ];
    specs.into_iter().zip(1..).map(|(spec, seed)| decided(RunSpec { seed: Some(seed), ..spec })).collect()
}

fn named(ready: &Ready, schedule: u64) -> String {
    let RunSpec { playouts, target, .. } = ready.spec();
    format!("{}, playouts {playouts:?}, target {target:?}, schedule {schedule}", ready.search())
}

#[test]
fn unruly_workers_make_no_difference() {
    let mut refused = 0;
    for ready in searches() {
        let expected = ready.start(Controls::default()).unwrap();
        for schedule in 0..12 {
            let mut workers = Unruly::workers(schedule, &ready);
            let (outcome, heard) = start_on(&ready, &mut workers);
            assert_alike(&expected, &outcome.unwrap(), &named(&ready, schedule));
            workers.assert_settled();
            refused += troubles(&heard).len();
        }
    }
    assert!(refused > 50, "only {refused} reports were refused");
}

#[test]
fn improvements_are_certified_and_the_last_is_the_outcome() {
    for ready in searches().into_iter().filter(|ready| !ready.search().is_estimate()) {
        let ready = decided(RunSpec { keep: Some(8.0), ..ready.spec().clone() });
        for schedule in 20..24 {
            let mut workers = Unruly::workers(schedule, &ready);
            let (outcome, heard) = start_on(&ready, &mut workers);
            let (outcome, what) = (outcome.unwrap(), named(&ready, schedule));
            let (mut better, mut found) = (Vec::new(), Vec::new());
            for event in heard {
                match event {
                    Event::Improvement(improvement) => better.push(improvement),
                    Event::Find(find) => found.push(find.found),
                    _ => {}
                }
            }
            assert!(better.windows(2).all(|pair| pair[1].score() > pair[0].score()), "{what}");
            assert!(found.iter().all(|find| find.score() >= 8.0), "{what}");
            for improvement in better.iter().chain(&found) {
                assert_eq!(ready.problem().certify(improvement.texts()).unwrap(), improvement.game, "{what}");
            }
            // Tasks after a cut were reported, and do not count.
            let last = better.last().map(Improvement::score);
            if outcome.stop == Stop::Finished {
                assert_eq!(last, outcome.score(), "{what}");
            } else {
                assert!(last >= outcome.score(), "{what}");
            }
        }
    }
}

fn twenty() -> Ready {
    decided(RunSpec { seed: Some(3), ..RunSpec::new("left-move:12").search("repeat(20, nrpa(1))") })
}

/// Makes a report of a task that is to be refused.
type Spoil = fn(&[u8]) -> Vec<u8>;

#[test]
fn a_refused_report_is_told_and_its_task_made_again() {
    let ready = twenty();
    let expected = ready.start(Controls::default()).unwrap();
    let spoilt: [(&str, Spoil); 5] = [
        ("the report of task 0, made by the liar, is refused: a game in it", |task| LIAR.make(task)),
        ("the report belongs to another run: its search, seed, problem, start or files differ", of_another_run),
        ("the report is damaged: its checksum does not match", |task| flipped(HONEST.make(task))),
        ("the report is damaged: its checksum does not match", |task| halved(HONEST.make(task))),
        ("the report is damaged: it does not begin like a report", <[u8]>::to_vec),
    ];
    for (reason, spoil) in spoilt {
        let mut is_first = true;
        let mut workers = InProcess::new([2], |waiting| {
            let bundle = waiting.remove(0);
            let mut said = whole(&bundle);
            if std::mem::take(&mut is_first) {
                said[0].1 = Delivery::Report(spoil(&bundle.tasks[0]));
            }
            Ok(said)
        });
        let (outcome, heard) = start_on(&ready, &mut workers);
        assert_alike(&expected, &outcome.unwrap(), reason);
        let [told] = troubles(&heard)[..] else { panic!("{heard:?}") };
        assert!(told.starts_with(reason) && told.ends_with("; the task is made again"), "{told}");
    }
}

fn flipped(mut report: Vec<u8>) -> Vec<u8> {
    *report.last_mut().expect("it is not empty") ^= 1;
    report
}

fn halved(report: Vec<u8>) -> Vec<u8> {
    report[..report.len() / 2].to_vec()
}

#[test]
fn who_always_lies_is_named() {
    let (ready, mut seen) = (twenty(), HashMap::<u64, u32>::new());
    let mut workers = InProcess::new([3], |waiting| {
        let Bundle { number, tasks, .. } = waiting.remove(0);
        tasks.iter().for_each(|task| *seen.entry(index(task)).or_default() += 1);
        let lies = tasks.iter().map(|task| Delivery::Report(LIAR.make(task)));
        Ok(lies.chain([Delivery::Done]).map(|delivery| (number, delivery)).collect())
    });
    let (refused, heard) = start_on(&ready, &mut workers);
    workers.assert_settled();
    let refused = refused.unwrap_err().to_string();
    let lie = "the report of task 0, made by the liar, is refused: a game in it";
    assert!(refused.starts_with(&format!("task 0 went wrong 3 times: {lie}")), "{refused}");
    assert!(troubles(&heard)[0].starts_with(lie));
    assert!(!heard.iter().any(|event| matches!(event, Event::Improvement(_))), "no lie is believed");
    assert_eq!(seen[&0], 3);
}

#[test]
fn who_cannot_make_a_task_is_quoted() {
    let (ready, mut sent) = (twenty(), 0);
    let mut workers = InProcess::new([1], |waiting| {
        let bundle = waiting.remove(0);
        if !bundle.tasks.iter().any(|task| index(task) == 0) {
            return Ok(whole(&bundle));
        }
        sent += 1;
        Ok(vec![(bundle.number, Delivery::Failed(format!("old version, said for the {sent}. time")))])
    });
    let (refused, _) = start_on(&ready, &mut workers);
    workers.assert_settled();
    assert_eq!(refused.unwrap_err().to_string(), "task 0 went wrong 3 times: old version, said for the 3. time");
}

#[test]
fn a_cluster_that_breaks_down_is_quoted() {
    let ready = twenty();
    let start = |workers: &mut dyn Workers| start_on(&ready, workers).0.unwrap_err().to_string();
    assert_eq!(start(&mut InProcess::new([], |_| Ok(Vec::new()))), "there are no workers");
    let mut workers = InProcess::new([2], |_| Err("the head node is gone".to_owned()));
    assert_eq!(start(&mut workers), "the head node is gone");
    workers.assert_settled();
    let mut workers = InProcess::new([2], |waiting| {
        let lost = |bundle: Bundle| (bundle.number, Delivery::Lost("out of memory".to_owned()));
        Ok(waiting.drain(..).map(lost).collect())
    });
    assert_eq!(start(&mut workers), "200 bundles of tasks in a row were lost: out of memory");
    workers.assert_settled();
}

#[test]
fn the_next_worker_goes_on_from_an_interim_report() {
    let ready = decided(RunSpec { seed: Some(5), ..RunSpec::new("left-move:9").search("nrpa(2, iterations=40)") });
    let expected = ready.start(Controls::default()).unwrap();
    let mut played = Vec::new();
    let mut workers = InProcess::new([1], |waiting| {
        let Some(Bundle { number, tasks, .. }) = waiting.pop() else { return Ok(Vec::new()) };
        let is_first = played.len() < 3;
        let worker = HONEST.interrupted_at(if is_first { 2000 } else { u64::MAX });
        let (report, moves) = worker.go_on(&tasks[0], None);
        assert_eq!(ReportHeader::read(&report).unwrap().is_finished, !is_first);
        played.push(moves);
        let end = if is_first { Delivery::Lost("the node is wanted back".to_owned()) } else { Delivery::Done };
        Ok(vec![(number, Delivery::Report(report)), (number, end)])
    });
    let outcome = start_on(&ready, &mut workers).0.unwrap();
    assert_alike(&expected, &outcome, "three workers were lost");
    assert_eq!(outcome.work, expected.work, "nothing was played twice");
    assert_eq!(played.len(), 4);
    assert!(played.iter().sum::<u64>() < expected.counts.moves + 200, "{played:?}");
}

#[test]
fn workers_come_and_go() {
    let ready = decided(RunSpec { seed: Some(3), ..RunSpec::new("left-move:12").search("repeat(300, playout)") });
    let expected = ready.start(Controls::default()).unwrap();
    let mut most = 0;
    // The driver asks twice at the beginning, and ten times a second from then on.
    let mut workers = InProcess::new([0, 0, 3, 0, 1, 5], |waiting| {
        most = most.max(waiting.len());
        thread::sleep(Duration::from_millis(70));
        Ok(if waiting.is_empty() { Vec::new() } else { whole(&waiting.remove(0)) })
    });
    let outcome = start_on(&ready, &mut workers).0.unwrap();
    workers.assert_settled();
    assert_alike(&expected, &outcome, "the number of workers changes");
    assert!((2..=10).contains(&most), "{most} bundles for five workers");
}

/// Keeps the last checkpoint in memory, and the scores of all improvements.
#[derive(Default)]
struct Newest {
    checkpoint: Option<Resume>,
    scores: Vec<f64>,
}

impl Journal for Newest {
    fn improvement(&mut self, improvement: &Improvement) -> Result<(), String> {
        self.scores.push(improvement.score());
        Ok(())
    }

    fn checkpoint(&mut self, bytes: &[u8], spent: Spent) -> Result<(), String> {
        self.checkpoint = Some((bytes.to_vec(), spent));
        Ok(())
    }
}

/// An interrupted run is resumed from the last checkpoint, on threads or workers.
#[test]
fn interrupted_runs_go_on_anywhere() {
    let mut interrupted = 0;
    for ready in searches() {
        let expected = ready.start(Controls::default()).unwrap();
        for schedule in 40..44 {
            let what = named(&ready, schedule);
            let (mut kept, mut troubled) = (Newest::default(), Unruly::new(schedule, &ready));
            let (mut steps, cancel) = (3 * (schedule - 39), Cancel::new());
            let pressed = cancel.clone();
            let mut workers = InProcess::new([3], |waiting| {
                steps -= 1;
                if steps == 0 {
                    pressed.cancel();
                }
                Ok(troubled.act(waiting))
            });
            let journal: Option<&mut dyn Journal> = Some(&mut kept);
            let outcome = ready.start(Controls { cancel, workers: Some(&mut workers), journal, ..Controls::default() });
            workers.assert_settled();
            let outcome = outcome.unwrap();
            if outcome.stop != Stop::Cancelled {
                assert_alike(&expected, &outcome, &what);
                continue;
            }
            interrupted += 1;
            let resume = kept.checkpoint.take();
            let on_threads = Controls { resume: resume.clone(), ..Controls::default() };
            assert_alike(&expected, &ready.with(ready.seed(), 2).start(on_threads).unwrap(), &what);
            let (mut workers, journal) = (Unruly::workers(schedule + 1, &ready), Some(&mut kept as &mut dyn Journal));
            let on_workers = Controls { resume, journal, workers: Some(&mut workers), ..Controls::default() };
            assert_alike(&expected, &ready.start(on_workers).unwrap(), &what);
            assert!(kept.scores.windows(2).all(|pair| pair[1] > pair[0]), "{what}: {:?}", kept.scores);
        }
    }
    assert!(interrupted > 20, "only {interrupted} runs were interrupted");
}

/// A batch of some runs, some of which are over.
#[derive(Default)]
struct Kept {
    runs: u64,
    next: u64,
    /// How often it was asked for a run.
    asked: u64,
    cancelled_after: Option<usize>,
    checkpoints: BTreeMap<u64, Resume>,
    scores: BTreeMap<u64, Vec<f64>>,
    outcomes: BTreeMap<u64, Outcome>,
    troubles: u32,
}

impl RunBatch for Kept {
    fn next(&mut self) -> Option<(u64, Option<Resume>)> {
        self.asked += 1;
        // Sometimes other users occupy all workers.
        if self.asked.is_multiple_of(5) {
            return None;
        }
        let run = (self.next..self.runs).find(|run| !self.outcomes.contains_key(run))?;
        self.next = run + 1;
        Some((run, self.checkpoints.remove(&run)))
    }

    fn has_more(&self) -> bool {
        (self.next..self.runs).any(|run| !self.outcomes.contains_key(&run))
    }

    fn improvement(&mut self, run: u64, improvement: &Improvement) {
        self.scores.entry(run).or_default().push(improvement.score());
    }

    fn trouble(&mut self, _: &str) {
        self.troubles += 1;
    }

    fn checkpoint(&mut self, run: u64, bytes: &[u8], spent: Spent) {
        self.checkpoints.insert(run, (bytes.to_vec(), spent));
    }

    fn done(&mut self, run: u64, outcome: Outcome) {
        if outcome.stop != Stop::Cancelled {
            assert_eq!(self.outcomes.insert(run, outcome), None, "run {run} is done once");
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled_after.is_some_and(|count| self.outcomes.len() >= count)
    }
}

#[test]
fn batches_are_the_same_run_by_run() {
    let (mut troubles, mut resumed) = (0, 0);
    for (search, playouts) in [("nrpa(1)", None), ("repeat(4, nested(1))", Some(99)), ("mean(3, playout)", None)] {
        let asked = RunSpec { seed: Some(9), runs: 30, playouts, ..RunSpec::new("left-move:12").search(search) };
        let ready = decided(asked);
        let expected: Vec<_> = (0..30).map(|run| ready.number(run, 1).start(Controls::default()).unwrap()).collect();
        for schedule in 0..8 {
            let mut batch = Kept { runs: 30, cancelled_after: Some(10), ..Kept::default() };
            let mut workers = Unruly::workers(schedule, &ready);
            ready.start_batch_on(&mut workers, &mut batch).unwrap();
            workers.assert_settled();
            assert!(batch.outcomes.len() < 30, "it was interrupted");
            resumed += batch.checkpoints.len();
            (batch.next, batch.cancelled_after) = (0, None);
            let mut workers = Unruly::workers(schedule + 1, &ready);
            ready.start_batch_on(&mut workers, &mut batch).unwrap();
            workers.assert_settled();
            assert_eq!(batch.outcomes.len(), 30);
            for (run, outcome) in &batch.outcomes {
                let what = format!("{search}, run {run}, schedule {schedule}");
                assert_alike(&expected[*run as usize], outcome, &what);
                let scores = batch.scores.get(run).map_or(&[][..], |scores| scores);
                assert!(scores.windows(2).all(|pair| pair[1] > pair[0]), "{what}: {scores:?}");
                assert_eq!(scores.last().copied(), outcome.game().map(|game| game.score()), "{what}");
            }
            troubles += batch.troubles;
        }
    }
    assert!(troubles > 20 && resumed > 5, "{troubles} troubles, {resumed} runs went on");
}

/// The result of a run that was stopped where it was is found again.
#[track_caller]
fn assert_repeatable(ready: &Ready, outcome: &Outcome) {
    let recipe = ready.spec().again(outcome).expect("something was found");
    let from = outcome.texts()[..recipe.from].to_vec();
    let spec = RunSpec::new(ready.spec().problem.clone()).search(&recipe.search);
    let again = decided(RunSpec { seed: Some(recipe.seed), from, playouts: recipe.playouts, ..spec });
    assert_eq!(again.start(Controls::default()).unwrap().score(), outcome.score(), "{recipe:?}");
}

#[test]
fn a_target_without_a_budget_stops_all_workers() {
    for (search, target) in [("repeat(nested(1))", 15.0), ("repeat(playout)", 12.0), ("repeat(nrpa(1))", 16.0)] {
        let asked = RunSpec { seed: Some(4), target: Some(target), ..RunSpec::new("left-move:16").search(search) };
        let ready = decided(asked);
        for schedule in 0..10 {
            let mut workers = Unruly::workers(schedule, &ready);
            let outcome = start_on(&ready, &mut workers).0.unwrap();
            workers.assert_settled();
            assert_eq!(outcome.stop, Stop::Target, "{}", named(&ready, schedule));
            assert!(outcome.score() >= Some(target), "{}", named(&ready, schedule));
            assert_repeatable(&ready, &outcome);
        }
    }
}

/// Within a budget the first task that reaches the target counts: those behind it are withdrawn, those before it are not.
#[test]
fn bundles_behind_the_target_are_withdrawn() {
    let asked = RunSpec::new("left-move:9").search("repeat(40, nested(1))");
    let ready = decided(RunSpec { seed: Some(6), playouts: Some(100_000), target: Some(1.0), ..asked });
    let expected = ready.start(Controls::default()).unwrap();
    let mut order = Vec::new();
    let mut workers = InProcess::new([4], |waiting| {
        // The second before the first; then neither waits for the other.
        let bundle = waiting.remove(1.min(waiting.len() - 1));
        order.push((index(&bundle.tasks[0]), waiting.len()));
        Ok(whole(&bundle))
    });
    let outcome = start_on(&ready, &mut workers).0.unwrap();
    assert_alike(&expected, &outcome, "a target within a budget");
    assert_eq!(workers.withdrawn, [2, 3, 4, 5, 6, 7]);
    workers.assert_settled();
    assert_eq!(order, [(1, 7), (0, 0)]);
}

#[test]
fn time_stops_all_workers() {
    const TIME: Duration = Duration::from_millis(300);
    // Many short tasks, and a few that would take years.
    for search in ["repeat(nested(1))", "repeat(3, nrpa(5))"] {
        let asked = RunSpec::new("left-move:40").search(search);
        let ready = decided(RunSpec { seed: Some(8), time: Some(TIME), ..asked });
        let mut workers = InProcess::new([2], |waiting| {
            if waiting.is_empty() {
                return Ok(Vec::new());
            }
            let Bundle { number, tasks, stop_after, .. } = waiting.remove(0);
            assert!(stop_after.is_some_and(|time| time <= TIME), "{stop_after:?}");
            let worker = Worker { stop_after, ..HONEST };
            let reports = tasks.iter().map(|task| Delivery::Report(worker.make(task)));
            Ok(reports.chain([Delivery::Done]).map(|delivery| (number, delivery)).collect())
        });
        let outcome = start_on(&ready, &mut workers).0.unwrap();
        workers.assert_settled();
        assert_eq!(outcome.stop, Stop::Time, "{search}");
        assert!(outcome.elapsed >= TIME, "{search}");
        assert_repeatable(&ready, &outcome);
    }
}

/// There is an outcome even if no task was handed out.
#[test]
fn runs_that_are_stopped_before_they_begin_have_an_outcome() {
    let asked = RunSpec { seed: Some(3), ..RunSpec::new("left-move:9").search("repeat(5, nested(1))") };
    let ready = decided(asked.clone());
    let (cancel, mut workers) = (Cancel::new(), Unruly::workers(1, &ready));
    cancel.cancel();
    let outcome = ready.start(Controls { cancel, workers: Some(&mut workers), ..Controls::default() }).unwrap();
    assert_eq!((outcome.stop, outcome.score()), (Stop::Cancelled, None));
    let ready = decided(RunSpec { time: Some(Duration::from_nanos(1)), ..asked });
    let mut workers = Unruly::workers(1, &ready);
    let outcome = ready.start(Controls { workers: Some(&mut workers), ..Controls::default() }).unwrap();
    assert_eq!(outcome.stop, Stop::Time);
}
