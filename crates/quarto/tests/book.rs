//! The opening book.

use crate::common::random_position;
use nestling::{Ending, Proof};
use nestling_quarto::{Book, BookError, Draft, Limit, Position, QuartoSolver, Variant};

#[test]
fn the_standard_books_know_all_positions_up_to_their_depth() {
    for (variant, depth) in [(Variant::Lines, 3), (Variant::Squares, 2)] {
        let book = Book::standard(variant);
        assert_eq!(book.placed(), depth);
        assert_eq!(book.solve(&Position::new(variant)).map(|solved| solved.ending), Some(Ending::Draw));
        for seed in 0..1000 {
            let position = random_position(variant, seed as usize % 5, seed % 2 == 0, seed);
            let solved = book.solve(&position);
            assert_eq!(solved.is_some(), position.placed() <= depth);
            if position.placed() == 3 && depth == 3 && !position.winning_cells().is_empty() {
                assert_eq!(solved, Some(Proof { ending: Ending::Win(position.turn()), moves: 1 }));
            }
        }
        let other = Variant::ALL.into_iter().find(|other| *other != variant).unwrap();
        assert_eq!(book.solve(&Position::new(other)), None);
    }
}

#[test]
fn the_book_says_what_the_solver_says() {
    let (book, mut solver) = (Book::standard(Variant::Lines), QuartoSolver::new(18));
    for seed in 0..3 {
        let position = random_position(Variant::Lines, 3, true, seed);
        assert_eq!(book.solve(&position), solver.solve(&position, Limit::NONE), "seed {seed}");
    }
}

#[test]
fn a_solver_with_a_book_looks_up_what_is_in_it() {
    let mut solver = QuartoSolver::new(10).with_book(Book::standard(Variant::Lines));
    let moves = solver.moves(&random_position(Variant::Lines, 3, false, 1), Limit::NONE).unwrap();
    assert_eq!((moves.len(), solver.nodes()), (13, 0));
}

#[test]
fn a_draft_goes_on_where_it_was_left() {
    let mut shown = 0;
    let mut draft = Draft::new(Variant::Lines, 3);
    let stop_after = |shown: &mut u64, count| {
        *shown += 1;
        *shown < count
    };
    draft.fill(2, |_| stop_after(&mut shown, 3));
    assert!((3..=4).contains(&draft.solved()));
    let mut read: Draft = draft.to_string().parse().unwrap();
    assert_eq!(read.to_string(), draft.to_string());
    shown = 0;
    read.fill(1, |_| stop_after(&mut shown, 2));
    assert_eq!(read.solved(), draft.solved() + 2);
    assert!(read.finish().unwrap_err().to_string().starts_with("the book is not finished: "));
}

#[test]
fn what_is_no_book_is_refused() {
    let header = "the first line should be like: quarto book lines 3";
    for (text, message) in [
        ("", header),
        ("quarto book lines 3", header),
        ("quarto book circles 3\n", header),
        ("quarto book lines 12\n", header),
        ("quarto book lines 1\n====", "expected 8 values, found 4"),
    ] {
        assert_eq!(text.parse::<Draft>().unwrap_err().to_string(), message);
    }
    for value in ['é', 'p', '0', 'A'] {
        assert_eq!(
            format!("quarto book lines 1\n======={value}").parse::<Draft>().unwrap_err(),
            BookError::Value(value)
        );
    }
}
