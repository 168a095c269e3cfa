//! Law: a run that is driven a few playouts at a time has the result of a run in one go, without threads and without a clock.

use std::time::Duration;

use crate::common::{EXPRESSIONS, LeftMove, Maze, assert_same, run};
use nestling::{Goal, Outcome, Problem, Run, RunError, Stop};

/// Steps of so many playouts, to the end.
fn stepped<P: Problem>(run: Run<'_, P>, playouts: u64) -> (Outcome<P::Move>, Vec<f64>) {
    let (mut stepper, mut scores) = (run.stepper().expect("the run is valid"), Vec::new());
    while !stepper.is_over() {
        let improvements = stepper.step(playouts).expect("the search is sound");
        scores.extend(improvements.iter().map(nestling::Improvement::score));
    }
    assert!(stepper.step(1).unwrap().is_empty(), "what is over is over");
    (stepper.outcome().expect("the search is sound"), scores)
}

#[test]
fn steps_make_no_difference() {
    let maze = Maze::new(31, 8, Goal::Max);
    for search in EXPRESSIONS {
        let (mut told, whole) = (Vec::new(), run(&maze, search, 4).start().expect("the run is valid"));
        let listened = run(&maze, search, 4).on_event(|event| {
            if let nestling::Event::Improvement(improvement) = event {
                told.push(improvement.score());
            }
        });
        listened.start().expect("the run is valid");
        for playouts in [1, 7, 1_000] {
            let (outcome, scores) = stepped(run(&maze, search, 4), playouts);
            assert_same(&whole, &outcome, &format!("{search} in steps of {playouts}"));
            assert_eq!(scores.last(), told.last(), "{search}: the last improvement");
            assert!(scores.is_sorted(), "{search}: every improvement is better than the one before");
        }
    }
}

#[test]
fn budgets_and_targets_end_it() {
    let maze = Maze::new(32, 9, Goal::Max);
    for search in ["repeat(nested(1))", "repeat(nrpa(1, iterations=20))", "repeat(pool(100, cycle=1280))", "uct(500)"] {
        let budget = |problem| run(problem, search, 5).playouts(333);
        let whole = budget(&maze).start().unwrap();
        assert_same(&whole, &stepped(budget(&maze), 50).0, search);
        let target = whole.score().unwrap();
        let wanted = |problem| run(problem, search, 5).target(target).playouts(333);
        let (reached, _) = stepped(wanted(&maze), 10);
        assert_same(&wanted(&maze).start().unwrap(), &reached, search);
        assert_eq!(reached.stop, Stop::Target, "{search}");
    }
}

/// A run changes from a stepper to another, and to the driver and back.
#[test]
fn checkpoints_are_those_of_the_driver() {
    let maze = Maze::new(33, 9, Goal::Min);
    for search in ["repeat(20, nrpa(1, iterations=30))", "nested(2)", "pool(2000, cycle=2560)", "mean(9, nested(1))"] {
        let whole = run(&maze, search, 6).start().unwrap();
        let mut stepper = run(&maze, search, 6).stepper().unwrap();
        assert_eq!(stepper.checkpoint().unwrap(), None);
        stepper.step(101).unwrap();
        let (bytes, spent) = stepper.checkpoint().unwrap().expect("it is not over");
        assert_eq!(spent.work, stepper.work());
        let resumed = |problem| run(problem, search, 6).resume(bytes.clone()).spent(spent);
        assert_same(&whole, &stepped(resumed(&maze), 77).0, search);
        assert_same(&whole, &resumed(&maze).threads(2).start().unwrap(), search);
    }
}

#[test]
fn what_needs_a_clock_or_a_machine_is_refused() {
    let problem = LeftMove::new(5);
    let timed = run(&problem, "repeat(playout)", 1).time(Duration::from_secs(1)).stepper();
    assert!(matches!(timed.err(), Some(RunError::NoSteps(_))));
    let mut endless = run(&problem, "repeat(playout)", 1).stepper().unwrap();
    endless.step(3).unwrap();
    assert!(!endless.is_over(), "its caller says when it is enough");
    assert_eq!(endless.outcome().unwrap().counts.playouts, 3);
    assert!(matches!(run(&problem, "nrpa(1, warm=x)", 1).stepper().err(), Some(RunError::Plan(_))));
    let nothing = run(&problem, "nested(1)", 1).stepper().unwrap().outcome().unwrap();
    assert_eq!((nothing.score(), nothing.counts.playouts), (None, 0));
}

/// Tasks of a ledger that are driven a few playouts at a time, and now and then given up for another worker, lead to the outcome of the run.
#[test]
fn tasks_in_steps_make_no_difference() {
    let maze = Maze::new(34, 8, Goal::Max);
    for search in EXPRESSIONS {
        let whole = run(&maze, search, 4).start().expect("the run is valid");
        for playouts in [1, 7, 1_000] {
            let mut ledger = run(&maze, search, 4).ledger().expect("the run is valid");
            while let Some(task) = ledger.next_task().expect("the search is sound") {
                let mut stepper = run(&maze, search, 4).task_stepper(&task.bytes).expect("the task is of this run");
                let mut steps = 0;
                while !stepper.is_over() {
                    stepper.step(playouts).expect("the search is sound");
                    steps += 1;
                    if steps % 40 == 13 {
                        let interim = stepper.report("one worker", Duration::ZERO).expect("it can be written");
                        ledger.take(task.index, &interim).expect("it is true");
                        stepper = run(&maze, search, 4).resume(interim).task_stepper(&task.bytes).expect("it goes on");
                    }
                }
                let report = stepper.report("another worker", Duration::ZERO).expect("it can be written");
                ledger.take(task.index, &report).expect("it is true");
            }
            assert_same(&whole, &ledger.outcome().unwrap(), &format!("{search} in steps of {playouts}"));
        }
    }
}

/// The budget in playouts cuts the run at the same place, whichever worker makes its tasks.
#[test]
fn tasks_in_steps_keep_budgets() {
    let maze = Maze::new(35, 9, Goal::Max);
    for search in ["repeat(nested(1))", "repeat(nrpa(1, iterations=20))", "uct(500)", "nested(2)"] {
        let budget = || run(&maze, search, 5).playouts(333);
        let mut ledger = budget().ledger().unwrap();
        while let Some(task) = ledger.next_task().unwrap() {
            let mut stepper = budget().task_stepper(&task.bytes).unwrap();
            while !stepper.is_over() {
                stepper.step(10).unwrap();
            }
            ledger.take(task.index, &stepper.report("a worker", Duration::ZERO).unwrap()).unwrap();
        }
        assert_same(&budget().start().unwrap(), &ledger.outcome().unwrap(), search);
    }
}
