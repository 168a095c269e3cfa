//! Pentasol text: what is written can be read, and what cannot be read is refused with a reason.

use crate::common::{any_game, damaged, random_game};
use nestling::{Problem, Stream};
use nestling_morpion::notation::{Notation, Pentasol, ReadError, pentasol};
use nestling_morpion::{MorpionGame, Rules, Variant};
use proptest::prelude::*;

fn message(text: impl AsRef<[u8]>) -> String {
    pentasol::read(text).expect_err("the text is broken").to_string()
}

/// An error must be fit to be shown: short, one line, no control characters.
fn presentable(text: &[u8]) {
    if let Err(error) = pentasol::read(text) {
        let message = error.to_string();
        assert!(message.chars().count() < 200 && !message.contains(char::is_control), "{message:?}");
    }
}

/// A regular expression for texts that resemble Pentasol and are nearly always broken.
const LOOKALIKE: &str = r"(\([+-]?[0-9]{0,11},[0-9]{1,10}\)( [-|/\\] [+-]?[0-9]{0,3})?[\r\n\t\x00x#]{1,2}){0,6}";

proptest! {
    #[test]
    fn games_survive_writing_and_reading(game in any_game()) {
        let text = pentasol::write(&game);
        prop_assert_eq!(&pentasol::read_as(&text, game.variant).unwrap(), &game);
        let found = pentasol::read(&text).unwrap();
        prop_assert_eq!(&found, &game);
        prop_assert_eq!(pentasol::write(&found), text);
    }

    /// Without a word on the variant, a game is called 5D only if it is legal as that, and then both are named.
    #[test]
    fn no_game_is_called_what_it_is_not(seed: u64, touching: bool, length in 0..40usize) {
        let variant = if touching { Variant::FiveT } else { Variant::FiveD };
        let mut moves = random_game(variant, Stream::new(seed));
        moves.truncate(length);
        let text = pentasol::write(&MorpionGame { variant, moves: moves.clone() });
        let bare: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let reading = Pentasol.read(bare.join("\n").as_bytes(), None).unwrap();
        let is_disjoint = Rules::new(Variant::FiveD).certify(&moves).is_ok();
        let wanted = if is_disjoint { Variant::FiveD } else { Variant::FiveT };
        prop_assert_eq!((reading.game.variant, reading.game.moves), (wanted, moves));
        match reading.note {
            Some(note) => prop_assert!(is_disjoint && note.contains("5D (") && note.contains("5T ("), "{}", note),
            None => prop_assert!(!is_disjoint),
        }
    }

    #[test]
    fn layout_does_not_matter(game in any_game()) {
        let text = pentasol::write(&game);
        let untidy = format!("\u{feff}\n# by hand\r\n{}", text.replace(' ', "\t  ").replace('\n', " \r\n\r\n"));
        prop_assert_eq!(pentasol::read_as(untidy, game.variant).unwrap(), game);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        presentable(&bytes);
    }

    #[test]
    fn anything_that_looks_like_it_is_read_or_refused(text in LOOKALIKE) {
        presentable(text.as_bytes());
    }

    #[test]
    fn damaged_games_are_read_or_refused(
        bytes in any_game().prop_flat_map(|game| damaged(pentasol::write(&game).into_bytes())),
    ) {
        presentable(&bytes);
    }
}

#[test]
fn broken_texts_and_what_is_said_about_them() {
    let long = format!("(28,28)\n(28,24) | +2 {}\n", "z".repeat(100));
    let cases: &[(&[u8], &str)] = &[
        (b"", "the text has no reference point: the first line should be like (28,28)"),
        (b"# nothing\r\n\r\n \t\n", "the text has no reference point: the first line should be like (28,28)"),
        (b"hello\n", "line 1, byte 1: expected the reference point, like (28,28), found \"hello\""),
        (b"(28,24) |\n", "line 1, byte 10: expected the number k in \"(col,row) dir k\", found the end of the line"),
        (b"(28,28)\n(28,2", "line 2, byte 6: expected \")\", found the end of the line"),
        (b"(28,28)\n\n(28", "line 3, byte 4: expected \",\" and a row number, found the end of the line"),
        (
            b"(28,28)\n(28,24) + 2",
            "line 2, byte 9: expected a direction - | \\ / in \"(col,row) dir k\", found \"+ 2\"",
        ),
        (
            b"(28,28)\n(28,24) |",
            "line 2, byte 10: expected the number k in \"(col,row) dir k\", found the end of the line",
        ),
        (b"(28,28)\n(28,24) | two", "line 2, byte 11: expected the number k in \"(col,row) dir k\", found \"two\""),
        (b"(28,28)\n28,24 | +2", "line 2, byte 1: expected a move \"(col,row) dir k\", found \"28,24 | +2\""),
        (
            b"(28,28)\n(99999999999999999999,24) | +2",
            "line 2, byte 2: expected a column number of at most 9 digits, found \"99999999999999999999,24) | +2\"",
        ),
        (
            b"(28,28)\n(\0\xff\x1b[1m",
            "line 2, byte 2: expected a column number of at most 9 digits, found \"\\x00\\xff\\x1b[1m\"",
        ),
        (
            long.as_bytes(),
            "line 2, byte 14: expected the end of the line, found \"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz…\"",
        ),
        (
            b"(28,28)\n(40000,24) | +2",
            "line 2: (40000,24) is out of reach of any game that starts at the reference point",
        ),
        (b"(28,28)\n(28,24) | +3", "line 2: k is 3, but must be from -2 to 2 in 5T"),
        (b"# variant: 4D\n(28,28)\n(28,24) | +2", "line 3: k is 2, but must be from -2 to 1 in 4D"),
        (
            b"(28,28)\n(28,24) | +2\n(28,24) | +2",
            "move 2: (28,24) | +2 needs a free cell: there is already a dot at (28,24)",
        ),
        (b"(28,28)\n(28,24) | +1", "move 1: (28,24) | +1 needs more dots: cell (28,23) of the line has no dot"),
        (b"(28,28)\n(28,24) | +2\n(28,29) | -2", "move 2: (28,29) | -2 overlaps line 1 (28,24) | +2"),
        (b"(3,-3)\n(3,-7) | +2\n(3,-2) | -2", "move 2: (3,-2) | -2 overlaps line 1 (3,-7) | +2"),
    ];
    for (text, expected) in cases {
        assert_eq!(&message(text), expected, "{}", text.escape_ascii());
    }
}

#[test]
fn illegal_moves_are_found_in_the_text() {
    let error = pentasol::read("# one\n(28,28)\n\n(28,24) | +2\n# two\n(28,29) | -2\n").unwrap_err();
    let pentasol::ReadError::Illegal { line, illegal } = error else { panic!("{error}") };
    assert_eq!((line, illegal.index), (6, 1));
}

#[test]
fn every_beginning_of_a_game_is_read_or_refused() {
    let text =
        pentasol::write(&MorpionGame { variant: Variant::FiveT, moves: random_game(Variant::FiveT, Stream::new(1)) });
    for end in 0..text.len() {
        presentable(&text.as_bytes()[..end]);
    }
}

#[test]
fn ten_megabytes_on_one_line() {
    for filler in [b"(".as_slice(), b"9", b" ", b"\0", b"\xff", b"# ", b"(28,24) | +2 "] {
        let text = [b"(28,28)\n(28,24) ".as_slice(), &filler.repeat(10_000_000 / filler.len())].concat();
        presentable(&text);
        presentable(&filler.repeat(10_000_000 / filler.len()));
    }
    presentable(&b"(28,28)\n(28,24) | +2\n".repeat(500_000));
}

#[test]
fn the_caller_may_know_the_variant() {
    let open = "(28,28)\n(28,24) | +2\n";
    assert_eq!(pentasol::read_as(open, Variant::FiveT).unwrap().variant, Variant::FiveT);
    let text = "# variant: 4T\n(28,28)\n(28,24) | +2\n";
    let (found, wanted) = (Variant::FourT, Variant::FiveT);
    assert_eq!(pentasol::read_as(text, wanted), Err(ReadError::Variant { found, wanted }));
    assert!(pentasol::read(text).is_err());
    let remark = "# variant: unknown\n(28,28)\n(28,24) | +2\n";
    assert_eq!(pentasol::read(remark).unwrap().variant, Variant::FiveD);
}
