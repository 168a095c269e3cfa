//! Why runs stop: targets, bounds, time, people, and problems that misbehave.

use crate::common;

use std::time::{Duration, Instant};

use crate::common::{EXPRESSIONS, LeftMove, LeftmostPath, Maze, Order, assert_same, best_score, run};
use nestling::{Cancel, Certificate, Event, Goal, Problem, Recipe, RunError, Stop};

/// The fewest playouts with which the run has seen a game as good as `target`.
fn first_to_reach<P: Problem>(problem: &P, search: &str, seed: u64, target: f64, total: u64) -> u64 {
    let (mut low, mut high) = (0, total);
    while low < high {
        let middle = (low + high) / 2;
        let outcome = run(problem, search, seed).playouts(middle).start().expect("the run is valid");
        let reached = best_score(&outcome).is_some_and(|best| problem.goal().reaches(best, target));
        if reached { high = middle } else { low = middle + 1 }
    }
    low
}

fn target_law<P: Problem>(problem: &P, seed: u64) {
    for search in EXPRESSIONS {
        let whole = run(problem, search, seed).start().expect("the run is valid");
        let Some(best) = best_score(&whole) else { continue };
        for worse in 0..4 {
            let target = best - problem.goal().value(f64::from(worse));
            let first = first_to_reach(problem, search, seed, target, whole.counts.playouts);
            let expected = run(problem, search, seed).playouts(first).start().expect("the run is valid");
            let what = format!("{search}, seed {seed}, target {target}");
            for threads in [1, 2, 3, 8] {
                let outcome = run(problem, search, seed).target(target).threads(threads).start().expect("valid");
                assert_eq!(outcome.stop, Stop::Target, "{what}, {threads} threads");
                assert_eq!(outcome.counts, expected.counts, "{what}, {threads} threads");
                let found = expected.best_seen.as_ref().unwrap_or(&expected.result);
                assert_eq!(&outcome.result, found, "{what}, {threads} threads");
            }
        }
    }
}

/// A target stops a run at the first game, in order, that reaches it, at any number of threads.
#[test]
fn a_target_stops_at_the_first_game_that_reaches_it() {
    target_law(&Order::new(), 1);
    target_law(&LeftMove::new(6), 2);
}

/// The same where games end early: also a game that ends with the move of a lookahead reaches a target.
#[test]
fn a_target_is_reached_by_any_game() {
    target_law(&Maze::new(82, 7, Goal::Max), 3);
    target_law(&Maze::new(83, 7, Goal::Min), 4);
}

/// A task that has reached the target ahead of its turn waits for it; nothing runs it on.
#[test]
fn a_target_reached_ahead_of_its_turn_waits() {
    let maze = Maze::new(84, 12, Goal::Max);
    for search in ["repeat(300, uct(30))", "repeat(300, nrpa(1, iterations=30))", "repeat(20000, playout)"] {
        for seed in 0..15 {
            let whole = run(&maze, search, seed).start().expect("the run is valid");
            let target = best_score(&whole).expect("games were played");
            let one = run(&maze, search, seed).target(target).start().expect("the run is valid");
            for threads in [2, 4, 8] {
                let other = run(&maze, search, seed).target(target).threads(threads).start().expect("valid");
                assert_same(&one, &other, &format!("{search}, seed {seed}, {threads} threads"));
            }
        }
    }
}

/// A run that reaches the bound stops there and is proven; an exhaustive `dfs` is proven without a bound.
#[test]
fn bounds_and_proofs() {
    let known = LeftmostPath::new(8, true);
    for search in ["nested(1)", "nrpa(2)", "repeat(playout)", "uct(10000)", "dfs", "repeat(reflexive(5))"] {
        let outcome = run(&known, search, 1).playouts(100_000).start().expect("the run is valid");
        assert_eq!((outcome.stop, outcome.proven, outcome.result.score), (Stop::Bound, true, 8.0), "{search}");
    }
    let secret = LeftmostPath::new(8, false);
    let exhausted = run(&secret, "dfs", 1).start().expect("the run is valid");
    assert_eq!((exhausted.stop, exhausted.proven, exhausted.counts.playouts), (Stop::Finished, true, 256));
    let cut = run(&secret, "dfs", 1).playouts(255).start().expect("the run is valid");
    assert_eq!((cut.stop, cut.proven), (Stop::Playouts, false));
    let nested = run(&secret, "nested(2)", 1).start().expect("the run is valid");
    assert!(!nested.proven);
    let easy = run(&known, "repeat(playout)", 1).target(3.0).start().expect("the run is valid");
    assert_eq!((easy.stop, easy.proven), (Stop::Target, false));
    let beyond = run(&known, "repeat(playout)", 1).target(50.0).start();
    assert!(matches!(beyond, Err(RunError::Unreachable { target: 50.0, bound: 8.0 })), "{beyond:?}");
}

/// A run cut by time is repeated by its playouts; a game from beyond the cut is found again by its recipe.
#[test]
fn a_run_cut_by_time_can_be_repeated() {
    let maze = Maze::new(85, 12, Goal::Max);
    let searches = [
        "repeat(nested(2, ties=last))",
        "repeat(playout)",
        "repeat(nrpa(2, iterations=30))",
        "repeat(uct(500, trees=2))",
        "repeat(step(lookahead(repeat(40, playout)), memory=off))",
        "step(repeat(10000, nested(1)))",
        "nested(5)",
        "repeat(beam(9))",
    ];
    let mut recipes = 0;
    for search in searches {
        for threads in 1..=4 {
            for (seed, milliseconds) in [(1, 0), (2, 1), (3, 3), (4, 6)] {
                let what = format!("{search}, {threads} threads, {milliseconds} ms");
                let limited = run(&maze, search, seed).threads(threads).time(Duration::from_millis(milliseconds));
                let outcome = limited.start().expect("the run is valid");
                assert_eq!(outcome.stop, Stop::Time, "{what}");
                let Some(recipe) = outcome.recipe else {
                    let again = run(&maze, search, seed).playouts(outcome.counts.playouts).start().expect("valid");
                    assert_eq!((again.result, again.counts), (outcome.result, outcome.counts), "{what}");
                    continue;
                };
                recipes += 1;
                let from = &outcome.result.moves[..recipe.from];
                let again = run(&maze, &recipe.search, recipe.seed).from(from).playouts(recipe.playouts);
                let again = again.start().expect("the recipe is valid");
                assert_eq!(best_score(&again), Some(outcome.result.score), "{what}, {recipe:?}");
            }
        }
    }
    println!("{recipes} recipes");
}

/// Somebody else's `cancel` stops a run promptly, whatever it is doing.
#[test]
fn cancelling_is_prompt() {
    let maze = Maze::new(86, 12, Goal::Max);
    for search in
        ["repeat(playout)", "nested(9)", "repeat(nrpa(4))", "repeat(uct(100000))", "beam(100000, samples=1000)"]
    {
        for threads in [1, 3] {
            let cancel = Cancel::new();
            let finger = cancel.clone();
            let pressed = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(30));
                finger.cancel();
                Instant::now()
            });
            let outcome = run(&maze, search, 1).threads(threads).cancel(cancel).time(common::NEVER).start();
            let late = pressed.join().expect("it only sleeps").elapsed();
            assert_eq!(outcome.expect("the run is valid").stop, Stop::Cancelled, "{search}");
            assert!(late < Duration::from_millis(300), "{search} on {threads} threads stopped {late:?} late");
        }
    }
}

/// A `Cancel` that nobody pressed can be used for many runs, also when their time ran out.
#[test]
fn a_switch_that_nobody_pressed_serves_the_next_run() {
    let maze = Maze::new(87, 12, Goal::Max);
    let cancel = Cancel::new();
    let timed = run(&maze, "repeat(playout)", 1).cancel(cancel.clone()).time(Duration::from_millis(5)).start();
    assert_eq!(timed.expect("the run is valid").stop, Stop::Time);
    assert!(!cancel.is_cancelled());
    let next = run(&maze, "repeat(100, playout)", 1).cancel(cancel).start().expect("the run is valid");
    assert_eq!((next.stop, next.counts.playouts), (Stop::Finished, 100));
}

/// A clock that started earlier ends the run earlier; the time that is told of is the run's own.
#[test]
fn the_clock_may_have_started_before_the_run() {
    let (maze, began) = (Maze::new(89, 12, Goal::Max), Instant::now());
    std::thread::sleep(Duration::from_secs(1));
    let limited = run(&maze, "repeat(playout)", 1).time(Duration::from_millis(1_050)).began(began);
    let outcome = limited.start().expect("the run is valid");
    assert_eq!(outcome.stop, Stop::Time);
    assert!(outcome.elapsed < Duration::from_millis(900), "{:?}", outcome.elapsed);
}

/// A run that is cut before anything was finished has nothing; of estimates it has the best so far.
#[test]
fn a_cut_run_has_nothing_or_its_best_estimate() {
    for (goal, threads) in [(Goal::Min, 1), (Goal::Max, 3)] {
        let maze = Maze::new(90, 12, goal);
        let cut = |search: &str, playouts| {
            run(&maze, search, 3).threads(threads).playouts(playouts).start().expect("the run is valid")
        };
        assert!(cut("mean(100, playout)", 99).nothing && cut("repeat(mean(10, playout))", 9).nothing);
        assert!(!cut("mean(100, playout)", 100).nothing && !cut("playout", 1).nothing);
        for child in ["mean(10, playout)", "lookahead(mean(5, playout))"] {
            let one = cut(child, 1_000).counts.playouts;
            let whole = cut(&format!("repeat(4, {child})"), 4 * one);
            let endless = cut(&format!("repeat({child})"), 5 * one - 1);
            assert_eq!((endless.result, endless.nothing), (whole.result, false), "{child}");
        }
    }
}

/// Improvements come strictly better and better, each a whole certified game, and the last is the best playout of the run.
#[test]
fn improvements_improve() {
    for goal in [Goal::Max, Goal::Min] {
        let maze = Maze::new(88, 12, goal);
        for (search, threads) in EXPRESSIONS.iter().flat_map(|search| [(search, 1), (search, 4)]) {
            let mut scores = Vec::new();
            let listened = run(&maze, search, 1).threads(threads).on_event(|event| {
                if let Event::Improvement(improvement) = event {
                    scores.push(improvement.score);
                    let moves: Vec<u8> = improvement.moves.iter().map(|text| text.parse().expect("a number")).collect();
                    let expected = Certificate { score: improvement.score, terminal: true };
                    assert_eq!(maze.certify(&moves), Ok(expected), "{search}");
                }
            });
            let outcome = listened.playouts(2000).start().expect("the run is valid");
            assert!(scores.windows(2).all(|pair| goal.better(pair[1], pair[0])), "{search}: {scores:?}");
            if let Some(best) = best_score(&outcome).filter(|_| !search.contains("mean")) {
                assert_eq!(scores.last(), Some(&best), "{search}: the best game was announced");
            }
        }
    }
}

/// What was announced is not lost when time cuts a run on many threads: the result is the last improvement, and its
/// recipe, if it has one, finds it again.
#[test]
fn time_loses_nothing() {
    let maze = Maze::new(90, 12, Goal::Max);
    let searches =
        ["repeat(nested(2))", "repeat(nrpa(2))", "repeat(playout)", "uct(100000, trees=4)", "beam(1000)", "nested(4)"];
    for (search, trial) in searches.iter().flat_map(|search| (0..12).map(move |trial| (search, trial))) {
        let mut last = None;
        let listened = run(&maze, search, trial).threads(4).on_event(|event| {
            if let Event::Improvement(improvement) = event {
                last = Some(improvement.score);
            }
        });
        let outcome = listened.time(Duration::from_micros(500 + 150 * trial)).start().expect("the run is valid");
        let Some(last) = last else { continue };
        assert_eq!(best_score(&outcome), Some(last), "{search}, trial {trial}");
        if let Some(Recipe { search, seed, from, playouts }) = &outcome.recipe {
            let start = &outcome.result.moves[..*from];
            let again = run(&maze, search, *seed).from(start).playouts(*playouts).start().expect("the recipe is valid");
            assert_eq!(best_score(&again), Some(last), "{search}, seed {seed}");
        }
    }
}
