//! Tasks that carry all they need: the problem's file, weights, games.

use std::time::{Duration, Instant};

use nestling::{Outcome, ReportHeader};
use nestling_registry::{Controls, Ready, Registry, RunSpec};

/// Makes all tasks by workers who know nothing but the task, in the opposite order.
fn by_workers(registry: &Registry, ready: &Ready) -> (Outcome, Vec<Vec<u8>>) {
    let (mut tasks, mut reports, mut sent) = (ready.tasks(None).unwrap(), Vec::new(), Vec::new());
    while let Some(task) = tasks.next_task().unwrap() {
        let worker = registry.ready(Ready::described_by(&task.bytes).unwrap()).unwrap();
        let report = worker.make_task(&task.bytes, "a worker", Controls::default()).unwrap();
        reports.push((task.index, report));
        sent.push(task.bytes);
    }
    for (index, report) in reports.iter().rev() {
        tasks.take(*index, report).unwrap();
    }
    assert!(tasks.is_over());
    (tasks.outcome().unwrap(), sent)
}

fn assert_alike(one: &Outcome, other: &Outcome) {
    assert_eq!((&one.answer, one.counts, one.stop), (&other.answer, other.counts, other.stop));
}

/// The files may be gone when a worker makes its task.
#[test]
fn files_go_with_the_tasks() {
    let registry = Registry::standard();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    std::fs::write(&file, "0011\n1100\n0101\n\n0101\n0011\n1100\n").unwrap();
    let weights = ("mine".to_owned(), "1 2.5\n2 0.5\n".to_owned());
    let game = vec!["left".to_owned(); 12];
    let cases = [
        RunSpec::new(format!("samegame:{}#2,penalty=on", file.display())).search("repeat(4, nrpa(1))"),
        RunSpec { weights: vec![weights], ..RunSpec::new("left-move:9") }.search("repeat(5, nrpa(1, warm=mine))"),
        RunSpec { games: vec![("known".to_owned(), vec![game])], ..RunSpec::new("left-move:12") }
            .search("repeat(3, pool(200, first=replay(known), starts=2))"),
        RunSpec { from: vec!["left".to_owned()], ..RunSpec::new("left-move:9") }.search("repeat(5, nested(1))"),
        RunSpec::new("left-move:9").search("mean(8, nested(1))"),
        RunSpec::new("left-move:9").search("nrpa(2)"),
    ];
    let ready = cases.map(|spec| registry.ready(RunSpec { seed: Some(3), ..spec }).unwrap());
    let expected = ready.each_ref().map(|ready| ready.start(Controls::default()).unwrap());
    let sent = ready.each_ref().map(|ready| by_workers(&registry, ready));
    for ((expected, (found, _)), ready) in expected.iter().zip(&sent).zip(&ready) {
        println!("{}", ready.search());
        assert_alike(expected, found);
    }
    // Without the file.
    std::fs::remove_file(&file).unwrap();
    let asked = Ready::described_by(&sent[0].1[0]).unwrap();
    assert!(
        asked.problem.starts_with("samegame:text=") && asked.problem.ends_with("#2,penalty=on"),
        "{}",
        asked.problem
    );
    registry.ready(asked).unwrap().make_task(&sent[0].1[0], "", Controls::default()).unwrap();
}

/// How much one driver can commit. `cargo test --release -p nestling-registry tasks:: -- --ignored --nocapture` prints the figures.
#[test]
#[ignore = "prints figures"]
fn what_a_driver_commits() {
    let registry = Registry::standard();
    for (problem, search, real) in [
        ("morpion-5d", "repeat(2000, nrpa(1, iterations=20))", "nrpa(2)"),
        ("morpion-5t", "repeat(2000, nrpa(1, iterations=20))", "nrpa(2)"),
        ("bus:seed=7,stops=20,buses=5", "mean(2000, nested(1))", "nested(1)"),
        ("samegame", "repeat(500, nrpa(1, iterations=20))", "nrpa(2)"),
    ] {
        let ready =
            registry.ready(RunSpec { seed: Some(1), threads: Some(100), ..RunSpec::new(problem).search(search) });
        let ready = ready.unwrap();
        let worker = ready.with(1, 1);
        let (mut tasks, mut made, mut handing) = (ready.tasks(None).unwrap(), Vec::new(), Duration::ZERO);
        loop {
            let began = Instant::now();
            let task = tasks.next_task().unwrap();
            handing += began.elapsed();
            let Some(task) = task else { break };
            made.push((
                task.index,
                task.bytes.len(),
                worker.make_task(&task.bytes, "host, process 1", Controls::default()).unwrap(),
            ));
        }
        let began = Instant::now();
        for (index, _, report) in &made {
            tasks.take(*index, report).unwrap();
        }
        let (taking, count) = (began.elapsed(), made.len() as f64);
        assert!(tasks.is_over());
        let each = |time: Duration| time.as_secs_f64() * 1e6 / count;
        let bytes = made.iter().map(|(_, _, report)| report.len()).sum::<usize>() as f64 / count;
        println!(
            "{problem}, {search} (as large as those of {real}): {} tasks, {} bytes a task, {bytes:.0} a report; {:.1} us to hand one out, {:.1} us to take one: {:.0} a second",
            made.len(),
            made[0].1,
            each(handing),
            each(taking),
            1e6 / (each(handing) + each(taking)),
        );
        assert!(ReportHeader::read(&made[0].2).unwrap().is_finished);
    }
}
