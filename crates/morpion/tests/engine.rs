//! Every set of instructions plays the games that the board's own methods play.

use nestling::engine::{Batch, PlayoutPolicy, play_batch};
use nestling::{Goal, Problem, Run, Search, Stream, Ties};
use nestling_morpion::{Board, Instructions, Rules, Variant, notation::pentasol};

const UNIFORM: PlayoutPolicy = PlayoutPolicy::UNIFORM;

/// The engine and the plain loop agree about a batch from this position: every game, not only the best.
fn same_games(board: &Board, instructions: Instructions, seed: u64) {
    let engine = board.clone().with(instructions);
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    for (first, count) in [(0, 1), (1, 1), (2, 30)] {
        let batch = || Batch::repeated(&UNIFORM, Goal::Max, Stream::new(seed), first, count);
        agree(board, &engine, batch(), batch());
    }
    for ties in [Ties::First, Ties::Random, Ties::Last] {
        let batch = || Batch::after_each(&UNIFORM, Goal::Max, Stream::new(seed), &moves, ties);
        agree(board, &engine, batch(), batch());
    }
    // Minimised, other games are kept.
    let batch = || Batch::after_each(&UNIFORM, Goal::Min, Stream::new(seed), &moves, Ties::First);
    agree(board, &engine, batch(), batch());
}

fn agree<'a>(
    board: &Board,
    engine: &Board,
    mut fast: Batch<'a, <Board as Problem>::Move>,
    mut plain: Batch<'a, <Board as Problem>::Move>,
) {
    engine.playouts(&mut fast);
    play_batch(board, &mut plain);
    assert_eq!(fast.best(), plain.best());
    assert_eq!((fast.played(), fast.moves_played()), (plain.played(), plain.moves_played()));
}

/// Along random games of every variant, and at their ends.
#[test]
fn the_same_games_everywhere() {
    for instructions in Instructions::available() {
        for variant in Variant::ALL {
            for seed in 0..25 {
                let mut rng = Stream::new(seed).rng();
                let (mut board, mut moves) = (Board::new(variant), Vec::new());
                loop {
                    board.legal_moves(&mut moves);
                    if rng.below(8) == 0 || moves.is_empty() {
                        same_games(&board, instructions, seed);
                    }
                    if moves.is_empty() {
                        break;
                    }
                    board.play(moves[rng.below(moves.len())]);
                }
            }
        }
    }
}

/// Near the edge of the first window, where a game's next move outgrows it, and beyond it.
#[test]
fn games_that_outgrow_the_window() {
    let game = pentasol::read(include_bytes!("games/5T-far-to-the-right.psol")).unwrap();
    for instructions in Instructions::available() {
        for length in 40..=game.moves.len() {
            let board = Board::after(game.variant, &game.moves[..length]).unwrap();
            for seed in 0..8 {
                same_games(&board, instructions, seed);
            }
        }
    }
}

/// NRPA learns the same with every set of instructions as on the plain rules, which have no engine: the same games, and
/// the same policy to the last bit. Also where games outgrow the window.
#[test]
fn the_same_learning_everywhere() {
    let far = pentasol::read(include_bytes!("games/5T-far-to-the-right.psol")).unwrap();
    let starts = [(Variant::FiveD, &[][..]), (Variant::FourT, &[][..]), (far.variant, &far.moves[..80])];
    for (variant, start) in starts {
        let learn = |search: &str| search.parse::<Search>().unwrap();
        let plain =
            Run::new(&Rules::new(variant), learn("nrpa(1, iterations=40)")).from(start).seed(5).start().unwrap();
        for instructions in Instructions::available() {
            let board = Board::new(variant).with(instructions);
            let fast = Run::new(&board, learn("nrpa(1, iterations=40)")).from(start).seed(5).start().unwrap();
            assert_eq!((&fast.answer, fast.counts), (&plain.answer, plain.counts), "{variant} {instructions:?}");
            assert_eq!(fast.learned, plain.learned, "{variant} {instructions:?}");
        }
    }
    let two = |instructions| {
        let board = Board::new(Variant::FiveT).with(instructions);
        let outcome = Run::new(&board, "nrpa(2)".parse().unwrap()).seed(6).start().unwrap();
        (outcome.answer, outcome.learned)
    };
    for instructions in Instructions::available() {
        assert_eq!(two(instructions), two(Instructions::Portable), "{instructions:?}");
    }
}
