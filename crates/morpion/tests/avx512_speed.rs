//! AVX-512 is at least as fast as AVX2, in one run. (How much either takes by itself is `instructions.rs`'s matter, but
//! valgrind knows no AVX-512.)

use std::io::Write;
use std::time::Instant;

use nestling::playout::{Batch, PlayoutPolicy, Rule};
use nestling::{Codes, Goal, Problem, Stream};
use nestling_morpion::{Board, Instructions, Variant};

/// Many and short, so that a system that takes the processor away spoils few of them.
const ROUNDS: u64 = 401;
const GAMES: usize = 100;

/// The ratio is to be at least this. AVX2 beside itself came to between 0.99 and 1.01 in 48 such comparisons on a busy
/// machine; three times that is not chance.
const LEAST: f64 = 0.97;

/// Uniform games; the moves played.
fn uniform(board: &Board, seed: u64) -> u64 {
    let policy = PlayoutPolicy::UNIFORM;
    let mut batch = Batch::repeated(&policy, Goal::Max, Stream::new(seed), 0, GAMES);
    board.playouts(&mut batch);
    batch.moves_played()
}

/// Games drawn by a policy in which all moves weigh the same; the moves played.
fn weighted(board: &Board, seed: u64) -> u64 {
    let mut learner = board.learner(Rule::Uniform).expect("the start of the game is for the engine");
    let (codes, policy) = (Codes::default(), vec![1.0; learner.codes().len()]);
    let games =
        (0..GAMES as u64).filter_map(|game| learner.play(&codes, &policy, &mut Stream::new(seed).child(game).rng()));
    games.map(|(_, moves)| moves as u64).sum()
}

/// How many times as fast as the first board the second is: the median of rounds in which they take turns.
fn ratio(boards: [&Board; 2], play: fn(&Board, u64) -> u64) -> f64 {
    let round = |seed| {
        let timed = |board| {
            let began = Instant::now();
            let moves = play(board, seed);
            began.elapsed().as_secs_f64() / moves as f64
        };
        // The other one begins, so that neither falls into step with the system.
        if seed % 2 == 0 {
            timed(boards[0]) / timed(boards[1])
        } else {
            let second = timed(boards[1]);
            timed(boards[0]) / second
        }
    };
    let mut ratios: Vec<f64> = (0..ROUNDS).map(round).collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

#[test]
fn no_slower_than_avx2() {
    let mut out = std::io::stderr();
    let sets = [Instructions::Avx2, Instructions::Avx512];
    if !Instructions::available().contains(&Instructions::Avx512) {
        // The harness keeps what `eprintln` writes.
        return writeln!(out, "avx512_speed: skipped, since this processor has no AVX-512").unwrap();
    }
    for variant in [Variant::FiveD, Variant::FiveT] {
        let [avx2, avx512] = sets.map(|set| Board::new(variant).with(set));
        for (name, play) in [("uniform", uniform as fn(&Board, u64) -> u64), ("weighted", weighted)] {
            let ratio = ratio([&avx2, &avx512], play);
            writeln!(out, "avx512_speed: {variant} {name} playouts, {ratio:.2} times as fast as AVX2").unwrap();
            assert!(ratio >= LEAST, "{variant} {name}: AVX-512 is only {ratio:.2} times as fast as AVX2");
        }
    }
}
