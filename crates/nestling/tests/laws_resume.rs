//! A run that was interrupted, however often, has the outcome of the run that was not.

use crate::common;

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use crate::common::{
    Checkpoints, Counted, EXPRESSIONS, LeftMove, Maze, Order, Weather, assert_same, in_time, interrupt, mix, resumed,
    run,
};
use nestling::{Cancel, CheckpointError, Counts, Event, Goal, Problem, RunError, Spent, Stop};

fn one_interruption<P: Problem>(problem: &P, salt: u64) {
    for (index, search) in EXPRESSIONS.iter().enumerate() {
        let seed = mix(salt, index as u64);
        let total = run(problem, search, seed).start().expect("the run is valid").counts.playouts;
        for trial in 0..12 {
            let end = [total + 1, mix(seed, trial) % (total + 1)][(trial % 2) as usize];
            let whole = run(problem, search, seed).playouts(end).start().expect("the run is valid");
            let cut = mix(seed, trial + 100) % (end + 1);
            let what = format!("{search}, seed {seed}, cut at {cut} of {end}");
            let threads = [1, 3][(trial / 2 % 2) as usize];
            let (_, checkpoint) = interrupt(problem, search, seed, None, |run| run.playouts(cut).threads(threads));
            let Some(checkpoint) = checkpoint else { continue };
            let other = run(problem, search, seed).playouts(end).resume(checkpoint).start().expect("the run is valid");
            assert_same(&whole, &other, &what);
            if threads == 1 {
                assert!(other.work.playouts <= whole.counts.playouts - cut, "{what}: replayed finished work");
            }
        }
    }
}

/// Cut at any playout and resumed, every expression has the same outcome, and plays only what was left.
#[test]
fn one_interruption_on_a_maze() {
    one_interruption(&Maze::new(31, 8, Goal::Max), 1);
    one_interruption(&Maze::new(33, 7, Goal::Min), 2);
}

/// The same with hidden randomness.
#[test]
fn one_interruption_with_hidden_randomness() {
    one_interruption(&Weather::new(5, 5), 3);
}

/// The same where many games are equally good, so that every tie shows.
#[test]
fn one_interruption_on_left_move() {
    one_interruption(&LeftMove::new(6), 4);
}

/// With ties to the last move, the best game seen does not depend on where a lookahead was interrupted.
#[test]
fn the_best_seen_does_not_remember_an_interruption() {
    let problem = LeftMove::new(4);
    for search in ["nested(1, ties=last)", "nested(1, ties=random, memory=off)"] {
        for seed in 0..40 {
            for end in [3, 4, 5, 8] {
                let whole = run(&problem, search, seed).playouts(end).start().expect("the run is valid");
                for cut in 0..end {
                    let (_, checkpoint) = interrupt(&problem, search, seed, None, |run| run.playouts(cut));
                    let resumed = resumed(&problem, search, seed, checkpoint).playouts(end);
                    let other = resumed.start().expect("the run is valid");
                    assert_same(&whole, &other, &format!("{search}, seed {seed}, cut at {cut} of {end}"));
                }
            }
        }
    }
}

/// A chain of interruptions, each leg on another number of threads, ends where the uninterrupted run ends.
#[test]
fn chains_of_interruptions() {
    let maze = Maze::new(71, 8, Goal::Max);
    for (index, search) in EXPRESSIONS.iter().enumerate() {
        let seed = mix(9, index as u64);
        let whole = run(&maze, search, seed).start().expect("the run is valid");
        let mut checkpoint = None;
        let mut playouts = 0;
        let last = loop {
            playouts += 1 + mix(seed, playouts) % (whole.counts.playouts / 6 + 2);
            let threads = [1, 2, 3, 8][(mix(seed, playouts) % 4) as usize];
            let (outcome, next) =
                interrupt(&maze, search, seed, checkpoint, |run| run.playouts(playouts).threads(threads));
            checkpoint = next;
            if checkpoint.is_none() {
                break outcome;
            }
        };
        assert_same(&whole, &last, search);
    }
}

/// A tree that has grown to its bound, and dropped what was visited least, is the same after interruptions and on any number of threads.
#[test]
fn a_tree_that_was_pruned_goes_on_as_it_was() {
    let maze = Maze::new(73, 30, Goal::Max);
    let search = "uct(70000, c=1e-5, trees=2, memory=1)";
    let whole = run(&maze, search, 5).start().expect("the run is valid");
    let roomy = run(&maze, "uct(70000, c=1e-5, trees=2)", 5).start().expect("the run is valid");
    assert_ne!(whole.counts, roomy.counts, "this maze needs more than a megabyte");
    assert_same(&whole, &run(&maze, search, 5).threads(2).start().expect("the run is valid"), search);
    for cut in [29_000, 45_000, 101_000] {
        let (_, checkpoint) = interrupt(&maze, search, 5, None, |run| run.playouts(cut).threads(2));
        let other = run(&maze, search, 5).resume(checkpoint.expect("it was cut")).start().expect("the run is valid");
        assert_same(&whole, &other, &format!("{search}, cut at {cut}"));
    }
}

/// A checkpoint of `uct(6)` after four playouts, as it was written before trees had a bound in memory.
const OLD_TREE: &str = "6e6573746c696e67020000002deef9fcb9598655067563742836290100a5c688a1c89ca7f9cb01eeab87eaa2d0db951d0100\
    0000000000004006000000000001000100040c010000000000000040030001010100010007040c0100000000000000400300\
    01010100040502000002040000000000001c4004000101020000000000000840030100010200000000000010400000010001\
    00000000000000400000000001000000000000f03f00";

/// Checkpoints of trees that were written long ago are still read, and written as those of today are.
#[test]
fn old_checkpoints_of_trees_are_read() {
    let problem = LeftMove::new(3);
    let bytes: Vec<u8> =
        (0..OLD_TREE.len()).step_by(2).map(|at| u8::from_str_radix(&OLD_TREE[at..at + 2], 16).unwrap()).collect();
    let whole = run(&problem, "uct(6)", 1).start().expect("the run is valid");
    let resumed = run(&problem, "uct(6)", 1).resume(bytes.clone()).start().expect("the checkpoint is read");
    assert_same(&whole, &resumed, "uct(6) from an old checkpoint");
    let (_, today) = interrupt(&problem, "uct(6)", 1, None, |run| run.playouts(4));
    let (_, rewritten) = interrupt(&problem, "uct(6)", 1, Some(bytes), |run| run.playouts(4));
    assert!(today.is_some() && today == rewritten, "{today:?}, {rewritten:?}");
}

/// A run that is stopped in the middle of a game, which is given up, continues as if it had not been stopped.
#[test]
fn a_game_that_was_given_up_is_played_again() {
    let searches = [
        "repeat(playout)",
        "repeat(uct(300))",
        "repeat(nrpa(2, iterations=12))",
        "repeat(nested(1))",
        "repeat(beam(4))",
        "repeat(pool(500, cycle=6400))",
        "pool(9000, cycle=640000, first=nrpa(1, iterations=30), size=100)",
        "repeat(step(playout))",
        "portfolio(repeat(uct(300)), repeat(nrpa(1)))",
    ];
    let maze = Maze::new(78, 12, Goal::Max);
    for search in searches {
        let whole = run(&maze, search, 3).playouts(3_000).start().expect("the run is valid");
        for pressed_at in (100..2_000).step_by(61) {
            let (moves, cancel) = (AtomicU64::new(0), Cancel::new());
            let counted = Counted { maze: maze.clone(), moves: &moves, pressed_at, cancel: cancel.clone() };
            let (cut, checkpoint) = interrupt(&counted, search, 3, None, |run| run.playouts(3_000).cancel(cancel));
            assert_eq!(cut.stop, Stop::Cancelled, "{search}");
            let other = resumed(&maze, search, 3, checkpoint).playouts(3_000).start().expect("the run is valid");
            assert_same(&whole, &other, &format!("{search}, given up at move {pressed_at}"));
        }
    }
}

/// All checkpoints written during a search, on one thread or three, lead to the same end.
#[test]
fn every_checkpoint_on_the_way_leads_to_the_end() {
    let maze = Maze::new(72, 12, Goal::Max);
    let searches = [
        "repeat(60, nested(2, ties=random))",
        "repeat(8000, playout)",
        "step(repeat(10, nested(1)))",
        "nrpa(3, iterations=25)",
        "repeat(20, uct(600, trees=2))",
        "beam(40, samples=60)",
        "pool(20000, cycle=64000, size=500)",
        "repeat(4, pool(5000, cycle=64000, first=nested(1), starts=20))",
        "step(lookahead(mean(20, nested(1))))",
    ];
    for search in searches {
        let whole = run(&maze, search, 3).start().expect("the run is valid");
        for threads in [1, 3] {
            let mut kept = Checkpoints::default();
            let paused = run(&maze, search, 3).threads(threads).journal(&mut kept, Duration::from_millis(1));
            assert_same(&whole, &paused.start().expect("the run is valid"), &format!("{search}, paused"));
            let stride = kept.0.len() / 8 + 1;
            for (index, checkpoint) in kept.0.into_iter().enumerate().step_by(stride) {
                let threads = 1 + index % 3;
                let resumed = run(&maze, search, 3).threads(threads).resume(checkpoint).start();
                assert_same(&whole, &resumed.expect("the run is valid"), &format!("{search}, checkpoint {index}"));
            }
        }
    }
}

/// A run cut by time on many threads and resumed without a limit runs to its end: an old reason to stop is forgotten.
#[test]
fn an_old_cut_does_not_stop_a_new_run() {
    let maze = Maze::new(79, 6, Goal::Max);
    let search = "repeat(400, nested(1))";
    let whole = run(&maze, search, 5).start().expect("the run is valid");
    for trial in 0..60 {
        let time = Duration::from_micros(300 + 20 * trial);
        let (_, checkpoint) = interrupt(&maze, search, 5, None, |run| run.threads(8).time(time));
        let threads = 2 + trial as usize % 2;
        let other = resumed(&maze, search, 5, checkpoint).threads(threads).start().expect("the run is valid");
        assert_same(&whole, &other, &format!("cut after {time:?}, resumed on {threads} threads"));
    }
}

/// A run stopped by its target and resumed with the same target is still stopped by it: the same outcome again.
#[test]
fn a_target_stays_reached_after_a_resumption() {
    let maze = Maze::new(73, 9, Goal::Max);
    let searches = [
        "repeat(playout)",
        "repeat(nested(1))",
        "repeat(nrpa(1, iterations=40))",
        "nrpa(2, iterations=60)",
        "repeat(uct(80, trees=2))",
        "uct(3000)",
        "beam(4, samples=30)",
        "pool(3000, cycle=6400, starts=10)",
        "dfs",
    ];
    for search in searches {
        let best = run(&maze, search, 6).playouts(1500).start().expect("the run is valid");
        let target = common::best_score(&best).expect("a game was played");
        let (stopped, checkpoint) = interrupt(&maze, search, 6, None, |run| run.target(target).playouts(2000));
        assert_eq!(stopped.stop, Stop::Target, "{search}");
        let resumed = resumed(&maze, search, 6, checkpoint).target(target).playouts(2000);
        assert_same(&stopped, &resumed.start().expect("the run is valid"), search);
    }
}

/// A run stopped by its target and resumed without one has the outcome of the run that never had one.
#[test]
fn a_target_can_be_lifted() {
    let maze = Maze::new(74, 9, Goal::Max);
    for search in EXPRESSIONS {
        let whole = run(&maze, search, 6).start().expect("the run is valid");
        let Some(target) = common::best_score(&whole) else { continue };
        for target in [target, target - 2.0] {
            let (_, checkpoint) = interrupt(&maze, search, 6, None, |run| run.target(target));
            let other = resumed(&maze, search, 6, checkpoint).start().expect("the run is valid");
            assert_same(&whole, &other, &format!("{search}, target {target}"));
        }
    }
}

/// A budget smaller than what the checkpoint has already played is not an error, and is not exceeded any further.
#[test]
fn a_budget_that_is_already_spent() {
    for search in [
        "repeat(50, nested(1))",
        "repeat(playout)",
        "nrpa(2, iterations=20)",
        "uct(500)",
        "beam(9)",
        "pool(500)",
        "dfs",
    ] {
        let outcome = in_time(search, move || {
            let maze = Maze::new(75, 8, Goal::Max);
            let (_, checkpoint) = interrupt(&maze, search, 6, None, |run| run.playouts(100));
            resumed(&maze, search, 6, checkpoint).playouts(40).start().expect("the run is valid")
        });
        assert_eq!(outcome.stop, Stop::Playouts, "{search}");
        assert!(outcome.work.playouts <= 40, "{search} played {} more", outcome.work.playouts);
    }
}

/// A resumed run announces only what is better than all before the interruption: a journal must not go backwards.
#[test]
fn improvements_go_on_improving_after_a_resumption() {
    let maze = Maze::new(78, 12, Goal::Max);
    for search in ["repeat(400, playout)", "repeat(30, nested(1))", "nrpa(2, iterations=20)", "uct(400)"] {
        let (before, checkpoint) = interrupt(&maze, search, 6, None, |run| run.playouts(200));
        let mut scores = vec![common::best_score(&before).expect("a game was played")];
        let listened = resumed(&maze, search, 6, checkpoint).on_event(|event| {
            if let Event::Improvement(improvement) = event {
                scores.push(improvement.score());
            }
        });
        listened.start().expect("the run is valid");
        assert!(scores.windows(2).all(|pair| pair[1] > pair[0]), "{search}: {scores:?}");
    }
}

/// What earlier legs have spent counts on: in improvements, in the outcome, and off the budget in time.
#[test]
fn what_was_spent_counts_on() {
    let maze = Maze::new(80, 12, Goal::Max);
    // Were it not taken off the budget, nobody would wait for the end of this run.
    let day = Duration::from_secs(86_400);
    let spent = Spent { time: day - Duration::from_millis(50), work: Counts { playouts: 1000, moves: 5000 } };
    let (outcome, improvements) = in_time("a run with 50 ms left", move || {
        let mut improvements = Vec::new();
        let run = run(&maze, "repeat(playout)", 6).time(day).spent(spent).on_event(|event| {
            if let Event::Improvement(improvement) = event {
                improvements.push((improvement.elapsed, improvement.playouts));
            }
        });
        (run.start().expect("the run is valid"), improvements)
    });
    assert!(outcome.elapsed >= day && outcome.stop == Stop::Time, "{:?}", outcome.elapsed);
    assert_eq!(outcome.work.playouts, 1000 + outcome.counts.playouts);
    assert_eq!(outcome.work.moves, 5000 + outcome.counts.moves);
    assert!(
        improvements.iter().all(|&(elapsed, playouts)| elapsed >= spent.time && playouts > 1000),
        "{improvements:?}"
    );
}

/// Runs that start in the middle of a game are interrupted and resumed like any other.
#[test]
fn from_the_middle_of_a_game() {
    let problem = Order::new();
    let from = [3, 0, 6];
    let whole = run(&problem, "nested(2, playout=both)", 4).from(&from).start().expect("the run is valid");
    assert_eq!(whole.moves()[..3], from);
    let (_, checkpoint) = interrupt(&problem, "nested(2, playout=both)", 4, None, |run| run.from(&from).playouts(20));
    let resumed = resumed(&problem, "nested(2, playout=both)", 4, checkpoint).from(&from);
    assert_same(&whole, &resumed.start().expect("the run is valid"), "from the middle");
}

/// A damaged checkpoint is refused: every truncation, every changed byte, bytes appended.
#[test]
fn damaged_checkpoints_are_refused() {
    let maze = Maze::new(76, 6, Goal::Max);
    for search in ["repeat(9, nested(1))", "nrpa(2, iterations=5)", "uct(50)"] {
        let (_, checkpoint) = interrupt(&maze, search, 6, None, |run| run.playouts(11).threads(3));
        let checkpoint = checkpoint.expect("the run was cut");
        let refused = |bytes: Vec<u8>, what: String| {
            let error = run(&maze, search, 6).resume(bytes).start().expect_err(&what);
            assert!(matches!(error, RunError::Checkpoint(_)), "{what}: {error}");
        };
        for length in 0..checkpoint.len() {
            refused(checkpoint[..length].to_vec(), format!("{search}: the first {length} bytes"));
        }
        for index in 0..checkpoint.len() {
            for flip in [1, 0x80, 0xff] {
                let mut bytes = checkpoint.clone();
                bytes[index] ^= flip;
                refused(bytes, format!("{search}: byte {index} changed by {flip:#x}"));
            }
        }
        refused([checkpoint.as_slice(), &[0]].concat(), format!("{search}: a byte too many"));
    }
}

/// A checkpoint of another search, seed or start is refused, and the error says what differs.
#[test]
fn checkpoints_of_other_runs_are_refused() {
    let maze = Maze::new(77, 8, Goal::Max);
    let mut legal = Vec::new();
    maze.legal_moves(&mut legal);
    let checkpoint = || interrupt(&maze, "nested(2)", 6, None, |run| run.playouts(20)).1.expect("the run was cut");
    let others = [
        (run(&maze, "nested(3)", 6), "search"),
        (run(&maze, "nested(2, ties=last)", 6), "search"),
        (run(&maze, "nested(2)", 7), "seed"),
        (run(&maze, "nested(2)", 6).from(&legal[..1]), "start"),
    ];
    for (other, expected) in others {
        match other.resume(checkpoint()).start() {
            Err(RunError::Checkpoint(CheckpointError::OtherRun { what, .. })) => assert_eq!(what, expected),
            outcome => panic!("another {expected} gave {outcome:?}"),
        }
    }
}
