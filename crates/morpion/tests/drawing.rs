//! Pictures of small games, to the letter.

use crate::common;

use nestling::Stream;
use nestling_morpion::{Cell, Direction, DrawOptions, Line, Move, Variant, draw, notation::pentasol};

const TWO_MOVES: &str = "(28,28)\n(28,24) | +2\n(27,27) / 0\n";

#[rustfmt::skip]
const WIDE: &str = concat!(
    "             1\n",
    "             │\n",
    "             ●   ●   ●   ●\n",
    "             │ ╱\n",
    "             ●           ●\n",
    "           ╱ │\n",
    "         2   ●           ●\n",
    "       ╱     │\n",
    " ●   ●   ●   ●           ●   ●   ●   ●\n",
    "   ╱\n",
    " ●                                   ●\n",
    "\n",
    " ●                                   ●\n",
    "\n",
    " ●   ●   ●   ●           ●   ●   ●   ●\n",
    "\n",
    "             ●           ●\n",
    "\n",
    "             ●           ●\n",
    "\n",
    "             ●   ●   ●   ●\n",
);

#[rustfmt::skip]
const COMPACT: &str = concat!(
    "      ● ● ● ●\n",
    "      ●     ●\n",
    "      ●     ●\n",
    "●─●─●─●─○   ● ● ● ●\n",
    "●                 ●\n",
    "●                 ●\n",
    "● ● ● ●     ● ● ● ●\n",
    "      ●     ●\n",
    "      ●     ●\n",
    "      ● ● ● ●\n",
);

#[test]
fn a_wide_picture() {
    let game = pentasol::read(TWO_MOVES).unwrap();
    let picture = draw(game.variant, &game.moves, &DrawOptions { width: 40, ascii: false, color: false });
    assert_eq!(picture, WIDE);
}

#[test]
fn a_compact_picture() {
    let game = pentasol::read("(28,28)\n(29,28) - -2\n").unwrap();
    let picture = draw(game.variant, &game.moves, &DrawOptions { width: 38, ascii: false, color: false });
    assert_eq!(picture, COMPACT);
}

#[test]
fn colour_only_when_asked_for() {
    let game = pentasol::read(TWO_MOVES).unwrap();
    let options = DrawOptions { width: 80, ascii: true, color: false };
    let plain = draw(game.variant, &game.moves, &options);
    assert!(plain.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)));
    let coloured = draw(game.variant, &game.moves, &DrawOptions { color: true, ..options });
    assert!(coloured.contains("\x1b[1;33m1\x1b[0m"));
    let mut stripped = coloured;
    for code in ["\x1b[1;33m", "\x1b[1;36m", "\x1b[0m"] {
        stripped = stripped.replace(code, "");
    }
    assert_eq!(stripped, plain);
}

#[test]
fn any_random_game_can_be_drawn() {
    for variant in Variant::ALL {
        for seed in 0..50 {
            let moves = common::random_game(variant, Stream::new(seed));
            for width in [0, 40, 200] {
                let picture = draw(variant, &moves, &DrawOptions { width, ascii: false, color: false });
                assert!(picture.lines().all(|row| row == row.trim_end()));
            }
        }
    }
}

#[test]
fn moves_from_nowhere_do_not_make_the_picture_explode() {
    let line = Line { start: Cell { x: i16::MAX, y: i16::MIN }, direction: Direction::Rising };
    let picture =
        draw(Variant::FiveT, &[Move { line, hole: 4 }], &DrawOptions { width: 80, ascii: false, color: false });
    assert_eq!(picture.lines().count(), 19);
}
