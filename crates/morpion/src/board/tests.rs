//! A board that moves to a larger window, at any time and any number of times, stays the same game.

use nestling::{Problem, Rng, Stream};

use super::*;

fn legal(problem: &impl Problem<Move = Move>) -> Vec<Move> {
    let mut moves = Vec::new();
    problem.legal_moves(&mut moves);
    moves
}

/// Plays a random game on a board and by the plain rules; `meddle` may do to the board what should change nothing.
fn compare(mut board: Board, mut rng: Rng, mut meddle: impl FnMut(&mut Board, &mut Rng)) {
    let mut rules = Rules::new(board.variant);
    loop {
        let moves = legal(&board);
        assert_eq!(moves, legal(&rules), "after {:?}", board.moves_played());
        let Some(last) = moves.len().checked_sub(1) else { break };
        let played = moves[rng.below(last + 1)];
        meddle(&mut board, &mut rng);
        board.play(played);
        rules.play(played);
    }
}

#[test]
fn growing_at_any_time_changes_nothing() {
    for (variant, seed) in Variant::ALL.into_iter().zip(0..) {
        for game in 0..100 {
            let rng = Stream::new(seed).child(game).rng();
            compare(Board::new(variant), rng, |board, rng| {
                if board.window.bits() < 9 && rng.below(10) == 0 {
                    board.grow();
                }
            });
        }
    }
}

#[test]
fn a_game_that_starts_in_the_corner_of_its_window_outgrows_it() {
    for (variant, seed) in Variant::ALL.into_iter().zip(0..) {
        let smallest = if variant.line_length() == 5 { 5 } else { 4 };
        let mut outgrown = 0;
        for game in 0..300 {
            let board = Board::laid_in(variant, Window::cramped(variant, smallest));
            compare(board, Stream::new(seed).child(game).rng(), |board, _| {
                outgrown += u32::from(board.window.bits() == smallest + 1);
            });
        }
        assert!(outgrown > 3000, "{variant}: {outgrown} moves in the larger window");
    }
}

#[test]
fn words_are_searched_for_lone_bits() {
    for byte in 0..0x80u8 {
        for place in 0..8 {
            let expected = if byte.count_ones() == 1 { 1 << place } else { 0 };
            assert_eq!(packed(lone_bits(u64::from(byte) << (8 * place))), expected, "{byte:#x} at {place}");
        }
    }
    assert_eq!(packed(lone_bits(0x0160_0802_7f10_0340)), 0b1011_0101);
}
