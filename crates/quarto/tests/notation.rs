//! Games as text, and positions as pictures.

use std::collections::HashSet;

use crate::common::random_position;
use nestling::{Ending, Player, Stream};
use nestling_quarto::{Cell, Move, Piece, Position, Transcript, Variant, draw, won_text};

/// A random game of so many moves at most.
fn random_game(variant: Variant, moves: usize, seed: u64) -> Transcript {
    let (mut position, mut rng, mut game) = (Position::new(variant), Stream::new(seed).rng(), Vec::new());
    while game.len() < moves && position.ending().is_none() {
        let legal: Vec<Move> = position.moves().collect();
        game.push(legal[rng.below(legal.len())]);
        position.play(game[game.len() - 1]);
    }
    Transcript::new(variant, game).unwrap()
}

#[test]
fn games_are_read_as_they_were_written_in_letters_and_in_numbers() {
    for (variant, seed) in Variant::ALL.into_iter().flat_map(|variant| (0..100).map(move |seed| (variant, seed))) {
        let game = random_game(variant, seed as usize % 33, seed);
        assert_eq!(game.to_string().parse(), Ok(game.clone()));
        let number = |played: &Move| match played {
            Move::Give(piece) => piece.index().to_string(),
            Move::Place(cell) => cell.index().to_string(),
        };
        let numbers: Vec<String> = game.moves().iter().map(number).collect();
        assert_eq!(format!("quarto {variant} {}", numbers.join(" ")).parse(), Ok(game));
    }
}

#[test]
fn words_may_come_in_many_forms() {
    let game: Transcript = "# a game\nQuarto\tLines\nfqtd A1, # the first\n 0\n5 LtRh".parse().unwrap();
    assert_eq!(game.to_string(), "quarto lines\nDTQF a1\nLSRH b2\nLTRH\n");
    assert_eq!("".parse::<Transcript>().unwrap().moves(), []);
}

#[test]
fn errors_name_the_culprit() {
    let full: String = random_full_board();
    let seventeen = format!("{full} DTQF");
    let won = "0 0 1 1 2 2 3 3";
    for (text, message) in [
        ("0 0 0 1", "line 1, move 3: piece LSRH is on a1 already"),
        ("0 0\n1 0", "line 2, move 4: a1 is taken by LSRH"),
        (&seventeen[..], "line 1, move 33: the game is over: all sixteen pieces are on the board"),
        (&format!("{won} 4")[..], "line 1, move 9: the game is over: it has been won"),
        ("0 0 b2", "line 1, move 3: there is no piece to place on b2: one has to be given first"),
        ("0 DTQF", "line 1, move 2: DTQF cannot be given before LSRH is placed"),
        ("0 e1", "line 1: \"e1\" is not a cell: write a1 to d4, or a number from 0 to 15"),
        ("0 16", "line 1: \"16\" is not a cell: write a1 to d4, or a number from 0 to 15"),
        ("0 +1", "line 1: \"+1\" is not a cell: write a1 to d4, or a number from 0 to 15"),
    ] {
        assert_eq!(text.parse::<Transcript>().unwrap_err().to_string(), message);
    }
    for word in ["DTQ", "DTQFF", "DDTQ", "DTQX", "17", "-1", "\u{0}", "ﬀ", "99999999999999999999999"] {
        let error = word.parse::<Transcript>().unwrap_err().to_string();
        assert!(error.contains("is not a piece: write") && error.len() < 200, "{error}");
    }
}

/// A drawn game, in numbers.
fn random_full_board() -> String {
    let drawn = |seed| {
        let game = random_game(Variant::Lines, 32, seed);
        (game.ending() == Some(Ending::Draw)).then(|| game.to_string().replace("quarto lines", "").replace('\n', " "))
    };
    (0..).find_map(drawn).expect("two games in a hundred are drawn")
}

#[test]
fn any_text_is_read_without_panic() {
    let alphabet: Vec<char> = "dDtTqQfFlLsSrRhHaAbBcC12340567, \n#éß".chars().collect();
    for seed in 0..20_000 {
        let mut rng = Stream::new(seed).rng();
        let text: String = (0..rng.below(40)).map(|_| alphabet[rng.below(alphabet.len())]).collect();
        if let Ok(game) = text.parse::<Transcript>() {
            assert_eq!(game.to_string().parse(), Ok(game));
        }
    }
}

#[test]
fn pieces_look_different_without_colour() {
    let picture = |piece: Piece| {
        let mut position = Position::new(Variant::Lines);
        position.give(piece);
        position.place(Cell::new(0).unwrap());
        // The board alone, without the pieces left beside it.
        draw(&position, true).lines().map(|line| line.chars().take(33).collect::<String>()).collect::<Vec<_>>()
    };
    let pictures: HashSet<Vec<String>> = Piece::ALL.iter().map(picture).collect();
    assert_eq!(pictures.len(), 16);
}

#[test]
fn pictures_fit_a_terminal_and_are_ascii_where_asked() {
    for seed in 0..50 {
        let position = random_position(Variant::Squares, seed as usize % 12, seed % 2 == 0, seed);
        assert!(draw(&position, true).is_ascii());
        assert!(draw(&position, false).lines().all(|line| line.chars().count() <= 80 && line.trim_end() == line));
    }
}

#[test]
fn a_won_game_says_why() {
    let game: Transcript = "DTQF a1 DTQH b2 LTQF c3 LSRH a4 DTRH d4".parse().unwrap();
    assert_eq!(game.ending(), Some(Ending::Win(Player::Second)));
    assert_eq!(won_text(&game.position()), ["a1 b2 c3 d4: all tall"]);
    let two: Transcript = "DTQF a1 DTQH b1 DTRF c1 DTRH d1".parse().unwrap();
    assert_eq!(won_text(&two.position()), ["a1 b1 c1 d1: all tall and dark"]);
    let square: Transcript = "quarto squares LSRF b2 LSRH c2 LSQF b3 LSQH c3".parse().unwrap();
    assert_eq!(won_text(&square.position()), ["b2 c2 b3 c3: all short and light"]);
}
