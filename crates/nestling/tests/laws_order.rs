//! The result is defined by the order of tasks: it is the same at any number of threads and for any budget in playouts.

use crate::common;

use crate::common::{EXPRESSIONS, LeftMove, LeftmostPath, Maze, Order, Weather, assert_same, best_score, mix, run};
use nestling::{Goal, Outcome, Problem, Stop, Stream};
use proptest::prelude::*;

/// Budgets worth a look: none, a few, the edges of batches, the edges of the whole, and some in between.
fn budgets(total: u64, salt: u64) -> Vec<u64> {
    let anywhere = (0..6).map(|k| mix(salt, k) % (total + 1));
    let mut budgets: Vec<u64> =
        [0, 1, 2, 3, 5, 63, 64, 65, 128, 129, total.saturating_sub(1), total, total + 1, u64::MAX]
            .into_iter()
            .chain(anywhere)
            .collect();
    budgets.sort_unstable();
    budgets.dedup();
    budgets
}

fn same_at_any_number_of_threads<P: Problem>(problem: &P, salt: u64) {
    for (index, search) in EXPRESSIONS.iter().enumerate() {
        let seed = mix(salt, index as u64);
        let whole = run(problem, search, seed).start().expect("the run is valid");
        let total = whole.counts.playouts;
        assert_eq!(total, whole.work.playouts, "one thread plays nothing in vain; {search}");
        for threads in [2, 3, 8] {
            let other = run(problem, search, seed).threads(threads).start().expect("the run is valid");
            assert_same(&whole, &other, &format!("{search}, seed {seed}, {threads} threads"));
        }
        for playouts in budgets(total, seed) {
            let one = run(problem, search, seed).playouts(playouts).start().expect("the run is valid");
            assert_eq!(one.counts.playouts, playouts.min(total), "{search}, {playouts} playouts of {total}");
            let expected = if playouts < total { Stop::Playouts } else { Stop::Finished };
            assert_eq!(one.stop, expected, "{search}, {playouts} playouts of {total}");
            let threads = [2, 3, 8][(mix(seed, playouts) % 3) as usize];
            let other = run(problem, search, seed).playouts(playouts).threads(threads).start().expect("valid");
            assert_same(&one, &other, &format!("{search}, seed {seed}, {playouts} playouts, {threads} threads"));
        }
    }
}

/// Every expression gives the same outcome with 1, 2, 3 and 8 threads, whole and cut at any number of playouts; a budget of
/// N playouts plays min(N, all) of them.
#[test]
fn same_outcome_at_any_number_of_threads_on_a_maze() {
    same_at_any_number_of_threads(&Maze::new(31, 8, Goal::Max), 1);
}

/// The same where the score is minimised and games end early.
#[test]
fn same_outcome_at_any_number_of_threads_on_a_maze_to_minimise() {
    same_at_any_number_of_threads(&Maze::new(33, 7, Goal::Min), 2);
}

/// The same where hidden randomness makes some games imaginary.
#[test]
fn same_outcome_at_any_number_of_threads_with_hidden_randomness() {
    same_at_any_number_of_threads(&Weather::new(5, 5), 3);
}

/// The same where all games are equally long and many are equally good.
#[test]
fn same_outcome_at_any_number_of_threads_on_left_move() {
    same_at_any_number_of_threads(&LeftMove::new(6), 4);
}

/// The same for every number of playouts whatever, around every edge of a task.
#[test]
fn same_outcome_at_every_budget() {
    let maze = Maze::new(40, 5, Goal::Max);
    let searches = [
        "repeat(6, nested(1, ties=last))",
        "repeat(4, nrpa(1, iterations=30))",
        "lookahead(repeat(70, playout))",
        "step(lookahead(nested(1)))",
        "uct(40, trees=3)",
        "beam(3, samples=3)",
        "pool(180, cycle=2560, starts=7, size=32)",
        "repeat(2, pool(90, cycle=1280, first=nested(1), starts=2))",
    ];
    for search in searches {
        let total = run(&maze, search, 9).start().expect("the run is valid").counts.playouts;
        for playouts in (0..=total + 1).filter(|playouts| total < 150 || playouts % 3 == 0) {
            let one = run(&maze, search, 9).playouts(playouts).start().expect("the run is valid");
            let other = run(&maze, search, 9).playouts(playouts).threads(3).start().expect("the run is valid");
            assert_same(&one, &other, &format!("{search}, {playouts} playouts"));
        }
    }
}

/// A pool gives up after a generation, not within one because its playouts are spent there.
#[test]
fn a_pool_does_not_give_up_at_the_end_of_a_budget() {
    let (maze, search) = (Maze::new(33, 7, Goal::Min), "pool(cycle=256, patience=1, starts=4)");
    for seed in 0..20 {
        let total = run(&maze, search, seed).start().expect("the run is valid").counts.playouts;
        let shorter = run(&maze, search, seed).playouts(total - 1).start().expect("the run is valid");
        assert_eq!((shorter.stop, shorter.counts.playouts), (Stop::Playouts, total - 1), "seed {seed}");
    }
}

/// More playouts never give a worse best game, and never lose one.
#[test]
fn best_is_monotone_in_the_budget() {
    fn check<P: Problem>(problem: &P) {
        for search in EXPRESSIONS {
            let mut before: Option<f64> = None;
            for playouts in (0..60).chain((60..3000).step_by(37)).chain([u64::MAX]) {
                let outcome = run(problem, search, 17).playouts(playouts).start().expect("the run is valid");
                let best = best_score(&outcome);
                if let (Some(before), Some(best)) = (before, best) {
                    assert!(problem.goal().reaches(best, before), "{search}: {best} after {before} at {playouts}");
                }
                assert!(before.is_none() || best.is_some(), "{search} lost its game at {playouts}");
                before = best;
                if outcome.stop == Stop::Finished {
                    break;
                }
            }
        }
    }
    check(&Maze::new(50, 7, Goal::Max));
    check(&Maze::new(51, 7, Goal::Min));
    check(&Weather::new(8, 4));
}

/// Search i of a portfolio is that search run alone with the seed of child i; the first of the best is the result, and one that has
/// looked at every game ends it.
#[test]
fn a_portfolio_is_its_searches_alone() {
    let maze = Maze::new(61, 8, Goal::Max);
    let searches = ["nested(2)", "repeat(3000, playout)", "nrpa(2, iterations=30)"];
    for seed in 0..10 {
        let whole = run(&maze, &format!("portfolio({})", searches.join(", ")), seed).start().expect("the run is valid");
        let alone = searches.iter().zip(0..).map(|(search, index)| {
            run(&maze, search, Stream::new(seed).child(index).seed()).start().expect("the run is valid")
        });
        let alone: Vec<_> = alone.collect();
        let best = alone.iter().map(|one| &one.answer).reduce(|a, b| if b.score() > a.score() { b } else { a });
        assert_eq!(Some(&whole.answer), best, "seed {seed}");
        assert_eq!(whole.counts.playouts, alone.iter().map(|one| one.counts.playouts).sum::<u64>(), "seed {seed}");
    }
    let secret = LeftmostPath::new(11, false);
    let exact = run(&secret, "portfolio(repeat(playout), dfs)", 1).time(common::NEVER).start().expect("valid");
    // 2048 games for the one that looks at all of them, in its third turn, beside three turns of the other.
    assert_eq!((exact.stop, exact.proven, exact.counts.playouts), (Stop::Finished, true, 4_000 + 2_048));
}

/// Task i of `repeat(n, s)` is `s` run alone with the seed of child i; the first of the best is the result.
#[test]
fn repeat_is_its_tasks_alone() {
    let maze = Maze::new(60, 10, Goal::Max);
    for search in ["playout", "nested(1, memory=off)", "reflexive(4)", "nrpa(1, iterations=20)", "uct(30)", "beam(2)"] {
        let whole = run(&maze, &format!("repeat(9, {search})"), 23).threads(2).start().expect("the run is valid");
        let alone: Vec<_> = (0..9)
            .map(|index| run(&maze, search, Stream::new(23).child(index).seed()).start().expect("the run is valid"))
            .collect();
        let score = |outcome: &Outcome<u8>| outcome.score().expect("a game");
        let best = alone
            .iter()
            .fold(&alone[0], |best, other| if maze.goal().better(score(other), score(best)) { other } else { best });
        assert_eq!(whole.answer, best.answer, "{search}");
        assert_eq!(whole.counts.playouts, alone.iter().map(|outcome| outcome.counts.playouts).sum::<u64>(), "{search}");
        assert_eq!(whole.counts.moves, alone.iter().map(|outcome| outcome.counts.moves).sum::<u64>(), "{search}");
    }
}

/// Step i of `step(s)`, and move i of `lookahead(s)`, is `s` run from there with the seed of child i.
#[test]
fn steps_and_lookaheads_are_their_tasks_alone() {
    let maze = Maze::new(61, 9, Goal::Max);
    for search in ["playout", "nested(1)", "repeat(3, nested(1))", "nrpa(1, iterations=9)"] {
        let step = run(&maze, &format!("step({search}, memory=off)"), 29).start().expect("the run is valid");
        for (index, played) in step.moves().iter().enumerate() {
            let seed = Stream::new(29).child(index as u64).seed();
            let alone = run(&maze, search, seed).from(&step.moves()[..index]).start().expect("the run is valid");
            assert_eq!(alone.moves()[index], *played, "{search}, step {index}");
        }
        let lookahead = run(&maze, &format!("lookahead({search})"), 29).start().expect("the run is valid");
        let mut legal = Vec::new();
        maze.legal_moves(&mut legal);
        let index = legal.iter().position(|&played| played == lookahead.moves()[0]).expect("legal");
        let seed = Stream::new(29).child(index as u64).seed();
        let alone = run(&maze, search, seed).from(&lookahead.moves()[..1]).start().expect("the run is valid");
        assert_eq!(alone.answer, lookahead.answer, "{search}");
    }
}

/// `nested` and `reflexive` are what they are said to stand for.
#[test]
fn sugar_is_what_it_stands_for() {
    let problem = Order::new();
    for search in ["nested(3, ties=random)", "nested(2, memory=off, playout=both)", "reflexive(3, 2, 4, playout=heavy)"]
    {
        let expanded = common::parse(search).expand().to_string();
        let one = run(&problem, search, 4).start().expect("the run is valid");
        let other = run(&problem, &expanded, 4).start().expect("the run is valid");
        assert_same(&one, &other, search);
    }
}

/// A playout budget and a bound together: whatever comes first, at any number of threads.
#[test]
fn a_bound_is_found_at_the_same_place() {
    let problem = LeftmostPath::new(9, true);
    for search in ["repeat(nested(1))", "repeat(playout)", "repeat(uct(100))", "repeat(nrpa(1))", "dfs"] {
        for playouts in [0, 1, 4, 9, 10, 50, 100_000] {
            let one = run(&problem, search, 2).playouts(playouts).start().expect("the run is valid");
            for threads in [2, 3, 8] {
                let other = run(&problem, search, 2).playouts(playouts).threads(threads).start().expect("valid");
                assert_same(&one, &other, &format!("{search}, {playouts} playouts, {threads} threads"));
            }
        }
    }
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("playout".to_owned()),
        Just("playout(mobility)".to_owned()),
        (1..12_u64).prop_map(|n| format!("nrpa(1, iterations={n})")),
        (1..12_u64, 1..4_u64).prop_map(|(n, trees)| format!("uct({n}, trees={trees})")),
        (1..3_u64).prop_map(|n| format!("beam({n}, samples=2)")),
        (1..40_u64).prop_map(|n| format!("pool({n}, starts=3, cycle=640)")),
    ];
    leaf.prop_recursive(3, 4, 1, |inner| {
        prop_oneof![
            (1..5_u64, inner.clone()).prop_map(|(n, s)| format!("repeat({n}, {s})")),
            (1..4_u64, inner.clone()).prop_map(|(n, s)| format!("lookahead(mean({n}, {s}))")),
            (inner.clone(), any::<bool>())
                .prop_map(|(s, memory)| format!("step(lookahead({s}), memory={})", if memory { "on" } else { "off" })),
            (inner, prop_oneof!["first", "random", "last"])
                .prop_map(|(s, ties)| format!("lookahead({s}, ties={ties})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any expression whatever, any seed and any budget: three threads find what one finds.
    #[test]
    fn any_expression_at_any_budget(search in expression(), seed: u64, playouts in 0..600_u64, goal: bool) {
        let maze = Maze::new(seed, 5, if goal { Goal::Max } else { Goal::Min });
        let one = run(&maze, &search, seed).playouts(playouts).start().expect("the run is valid");
        let other = run(&maze, &search, seed).playouts(playouts).threads(3).start().expect("the run is valid");
        assert_same(&one, &other, &search);
    }
}
