//! Why runs stop: targets, bounds, time, people, and problems that misbehave.

use crate::common;

use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use crate::common::{
    Counted, EXPRESSIONS, LeftMove, LeftmostPath, Maze, Order, assert_repeatable, assert_same, best_score, in_time, run,
};
use nestling::{Answer, Cancel, Certificate, Certified, Event, Goal, Problem, RunError, Stop, Stream};
use nestling_testing::{Need, skip};

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
            let found = expected.best_seen.as_ref().or(expected.game()).expect("a game reaches it");
            for threads in [1, 2, 3, 8] {
                let aimed = || run(problem, search, seed).target(target).threads(threads);
                let outcome = aimed().playouts(whole.counts.playouts).start().expect("valid");
                assert_eq!(outcome.stop, Stop::Target, "{what}, {threads} threads");
                assert_eq!(outcome.counts, expected.counts, "{what}, {threads} threads");
                assert_eq!(outcome.game(), Some(found), "{what}, {threads} threads");
                let at_once = aimed().start().expect("valid");
                assert_eq!(at_once.stop, Stop::Target, "{what}, {threads} threads, at once");
                assert_repeatable(problem, search, seed, &at_once);
                if threads == 1 {
                    assert_eq!(
                        (at_once.game(), &at_once.recipe),
                        (Some(found), &None),
                        "{what}, one thread has one order"
                    );
                }
            }
        }
    }
}

/// One move: after 1 the game is over, with one point; after 0 it never ends.
#[derive(Clone, Debug)]
enum Swamp {
    Start {
        bound: Option<f64>,
    },
    /// After so many moves.
    Stuck(u32),
    Over,
}

impl Problem for Swamp {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        match self {
            Swamp::Start { .. } => moves.extend([0, 1]),
            Swamp::Stuck(_) => moves.push(0),
            Swamp::Over => {}
        }
    }

    fn play(&mut self, played: u8) {
        *self = match self {
            Swamp::Start { .. } if played == 1 => Swamp::Over,
            Swamp::Stuck(moves) => Swamp::Stuck(*moves + 1),
            _ => Swamp::Stuck(1),
        };
        assert!(!matches!(self, Swamp::Stuck(200_000_000..)), "nobody has given the game up");
    }

    fn score(&self) -> f64 {
        if matches!(self, Swamp::Over) { 1.0 } else { 0.0 }
    }

    fn bound(&self) -> Option<f64> {
        if let Swamp::Start { bound } = self { *bound } else { None }
    }
}

/// A search of which every task plays one game.
const ONE_GAME_A_TASK: &str = "repeat(step(playout))";

/// A seed with which the first task of that search gets stuck, and the second does not.
fn stuck_at_first() -> u64 {
    let first_move = |seed, task| Stream::new(seed).child(task).child(0).rng().below(2);
    (0..).find(|&seed| first_move(seed, 0) == 0 && first_move(seed, 1) == 1).expect("a quarter of all seeds do")
}

/// A target, or the problem's bound, that a later task reaches ends the run at once, though an earlier one would never end; a recipe
/// finds the game again.
#[test]
fn a_target_ends_the_run_whoever_reaches_it() {
    let seed = stuck_at_first();
    for (bound, target, stop) in [(None, Some(1.0), Stop::Target), (Some(1.0), None, Stop::Bound)] {
        let start = Swamp::Start { bound };
        let swamp = start.clone();
        let outcome = in_time("a target beside a game without an end", move || {
            let aimed = run(&swamp, ONE_GAME_A_TASK, seed).threads(2).time(common::NEVER);
            let aimed = target.into_iter().fold(aimed, |aimed, target| aimed.target(target));
            aimed.start().expect("the run is valid")
        });
        assert_eq!((outcome.stop, outcome.proven), (stop, bound.is_some()));
        assert_eq!((outcome.score(), outcome.moves()), (Some(1.0), &[1][..]));
        assert!(outcome.recipe.is_some(), "the first task found nothing");
        assert_repeatable(&start, ONE_GAME_A_TASK, seed, &outcome);
    }
}

/// What a later task has found when a person stops the run is its result, with a recipe.
#[test]
fn a_cut_run_has_a_recipe_for_what_later_tasks_found() {
    let (seed, start) = (stuck_at_first(), Swamp::Start { bound: None });
    let swamp = start.clone();
    let outcome = in_time("a person beside a game without an end", move || {
        let cancel = Cancel::new();
        let finger = cancel.clone();
        let watched = run(&swamp, ONE_GAME_A_TASK, seed).threads(2).cancel(cancel).time(common::NEVER);
        let watched = watched.on_event(|event| {
            if let Event::Improvement(_) = event {
                finger.cancel();
            }
        });
        watched.start().expect("the run is valid")
    });
    assert_eq!((outcome.stop, outcome.score()), (Stop::Cancelled, Some(1.0)));
    assert!(outcome.recipe.is_some(), "the first task found nothing");
    assert_repeatable(&start, ONE_GAME_A_TASK, seed, &outcome);
}

/// A target beside a budget in playouts stops a run at the first game, in order, that reaches it, at any number of threads.
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

/// With a budget in playouts a task that has reached the target ahead of its turn waits for it; nothing runs it on.
#[test]
fn a_target_reached_ahead_of_its_turn_waits() {
    let maze = Maze::new(84, 12, Goal::Max);
    for search in ["repeat(300, uct(30))", "repeat(300, nrpa(1, iterations=30))", "repeat(20000, playout)"] {
        for seed in 0..15 {
            let whole = run(&maze, search, seed).start().expect("the run is valid");
            let target = best_score(&whole).expect("games were played");
            let aimed = || run(&maze, search, seed).playouts(whole.counts.playouts).target(target);
            let one = aimed().start().expect("the run is valid");
            for threads in [2, 4, 8] {
                let other = aimed().threads(threads).start().expect("valid");
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
        assert_eq!((outcome.stop, outcome.proven, outcome.score()), (Stop::Bound, true, Some(8.0)), "{search}");
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
        "repeat(pool(500, cycle=12800))",
        "pool(patience=0, cycle=12800)",
    ];
    for search in searches {
        for threads in 1..=4 {
            for (seed, milliseconds) in [(1, 0), (2, 1), (3, 3), (4, 6)] {
                let what = format!("{search}, {threads} threads, {milliseconds} ms");
                let limited = run(&maze, search, seed).threads(threads).time(Duration::from_millis(milliseconds));
                let outcome = limited.start().expect("the run is valid");
                assert_eq!(outcome.stop, Stop::Time, "{what}");
                assert_repeatable(&maze, search, seed, &outcome);
            }
        }
    }
}

/// Somebody's `cancel` stops a run after a few more moves, whatever it is doing.
#[test]
fn cancelling_is_prompt() {
    // As many as a thread plays between two looks, and as replaying the result by the rules takes.
    const MORE: u64 = 200;
    let searches = [
        "repeat(playout)",
        "nested(9)",
        "repeat(nrpa(4))",
        "repeat(uct(100000))",
        "beam(100000, samples=1)",
        "repeat(pool)",
        "pool",
        "dfs",
        "repeat(mean(1000, playout))",
        "reflexive(1000, 1000)",
    ];
    for search in searches {
        for (threads, pressed_at) in [(1, 20_000), (1, 3_001), (3, 20_000), (3, 777)] {
            let (moves, cancel) = (AtomicU64::new(0), Cancel::new());
            let problem =
                Counted { maze: Maze::new(86, 12, Goal::Max), moves: &moves, pressed_at, cancel: cancel.clone() };
            let outcome = run(&problem, search, 1).threads(threads).cancel(cancel).time(common::NEVER).start();
            assert_eq!(outcome.expect("the run is valid").stop, Stop::Cancelled, "{search}");
            let late = moves.into_inner() - pressed_at;
            assert!(late <= MORE * threads as u64, "{search} on {threads} threads played {late} moves more");
        }
    }
}

/// A game without an end is given up when the run is told to stop.
#[test]
fn an_endless_game_is_given_up() {
    for search in
        ["playout", "repeat(playout)", "nrpa(2)", "dfs", "lookahead(playout)", "uct(1000)", "repeat(nested(2))"]
    {
        for threads in [1, 2] {
            let outcome = in_time(search, move || {
                let stuck = run(&Swamp::Stuck(0), search, 1).threads(threads).time(Duration::from_millis(20));
                stuck.start().expect("the run is valid")
            });
            assert_eq!((outcome.stop, outcome.answer), (Stop::Time, Answer::Nothing), "{search}");
        }
    }
}

/// A `Cancel` that was not set can be used for many runs, also when their time ran out.
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

/// A clock that started earlier ends the run earlier; the reported time is the run's own.
#[test]
fn the_clock_may_have_started_before_the_run() {
    let maze = Maze::new(89, 12, Goal::Max);
    // Where that has no effect, nobody would wait for the end of this run.
    let hour = Duration::from_secs(3_600);
    let Some(began) = Instant::now().checked_sub(hour) else {
        return skip(Need::System, "the clock of this machine began less than an hour ago");
    };
    let outcome = in_time("a run whose time is over", move || {
        run(&maze, "repeat(playout)", 1).time(hour).began(began).start().expect("the run is valid")
    });
    assert_eq!(outcome.stop, Stop::Time);
    assert!(outcome.elapsed < hour, "{:?}", outcome.elapsed);
}

/// A run that is cut before anything was finished has nothing; of estimates it has the best so far.
#[test]
fn a_cut_run_has_nothing_or_its_best_estimate() {
    for (goal, threads) in [(Goal::Min, 1), (Goal::Max, 3)] {
        let maze = Maze::new(90, 12, goal);
        let cut = |search: &str, playouts| {
            run(&maze, search, 3).threads(threads).playouts(playouts).start().expect("the run is valid")
        };
        let is_nothing = |search: &str, playouts| cut(search, playouts).answer == Answer::Nothing;
        assert!(is_nothing("mean(100, playout)", 99) && is_nothing("repeat(mean(10, playout))", 9));
        assert!(!is_nothing("mean(100, playout)", 100) && !is_nothing("playout", 1));
        for child in ["mean(10, playout)", "lookahead(mean(5, playout))"] {
            let one = cut(child, 1_000).counts.playouts;
            let whole = cut(&format!("repeat(4, {child})"), 4 * one);
            let endless = cut(&format!("repeat({child})"), 5 * one - 1);
            assert_eq!(endless.answer, whole.answer, "{child}");
            assert_ne!(endless.answer, Answer::Nothing, "{child}");
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
                    scores.push(improvement.score());
                    let moves: Vec<u8> =
                        improvement.texts().iter().map(|text| text.parse().expect("a number")).collect();
                    let expected = Certificate { score: improvement.score(), terminal: true };
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

/// What was announced is not lost when a run on many threads is cut: the result is the last improvement, and its
/// recipe, if it has one, finds it again.
#[test]
fn a_cut_loses_nothing() {
    let maze = Maze::new(90, 12, Goal::Max);
    let searches = [
        "repeat(20, nested(2))",
        "repeat(20, nrpa(2))",
        "repeat(9999, playout)",
        "uct(9999, trees=4)",
        "beam(100)",
        "pool(99999)",
        "nested(3)",
    ];
    for (search, trial) in searches.iter().flat_map(|search| (0..12).map(move |trial| (search, trial))) {
        let (cancel, mut announced) = (Cancel::new(), Vec::new());
        let finger = cancel.clone();
        let listened = run(&maze, search, trial).threads(4).cancel(cancel).on_event(|event| {
            if let Event::Improvement(improvement) = event {
                announced.push(improvement.score());
                if announced.len() as u64 > trial % 4 {
                    finger.cancel();
                }
            }
        });
        let outcome = listened.time(common::NEVER).start().expect("the run is valid");
        assert_eq!(best_score(&outcome), announced.last().copied(), "{search}, trial {trial}");
        assert!(outcome.game().is_some_and(Certified::is_over), "{search}, trial {trial}: something was announced");
        assert_repeatable(&maze, search, trial, &outcome);
    }
}
