//! Files of other programs: read as what they are, or refused with a reason.

use crate::common::{any_game, damaged, random_game};
use nestling::Stream;
use nestling_morpion::notation::{self, Import};
use nestling_morpion::{Cell, MorpionGame, Move, Variant};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Where a program puts the corner of the cross, how long its steps are, and whether it names the ends of lines the other way round.
#[derive(Clone, Copy, Debug)]
struct Habits {
    corner: (i32, i32),
    step: i32,
    backwards: bool,
}

const USUAL: Habits = Habits { corner: (27, 27), step: 1, backwards: false };

impl Habits {
    fn point(self, cell: Cell) -> [i32; 2] {
        [self.corner.0 + self.step * i32::from(cell.x), self.corner.1 + self.step * i32::from(cell.y)]
    }

    fn points(self, variant: Variant, played: Move) -> [[i32; 2]; 3] {
        let end = played.line.start.along(played.line.direction, variant.line_length() as i16 - 1);
        let (one, other) = if self.backwards { (end, played.line.start) } else { (played.line.start, end) };
        [one, other, played.dot()].map(|cell| self.point(cell))
    }
}

fn any_habits() -> impl Strategy<Value = Habits> {
    let corner = (-500..500, -500..500);
    (corner, 1..4, any::<bool>()).prop_map(|(corner, step, backwards)| Habits { corner, step, backwards })
}

/// The game as PyMorpionSolitaire writes it.
fn py_file(game: &MorpionGame, habits: Habits) -> Value {
    let dots: Vec<_> = game.variant.cross().into_iter().map(|cell| habits.point(cell)).collect();
    let moves = game.moves.iter().map(|&played| habits.points(game.variant, played).concat());
    json!({
        "Disjoint": !game.variant.touching(), "InitialDots": dots, "LineLength": game.variant.line_length() - 1,
        "Moves": moves.collect::<Vec<_>>(), "Title": "Morpion Solitaire", "Version": "1.0",
    })
}

/// The game as MorpionSolitaire for .NET writes it.
fn net_file(game: &MorpionGame, habits: Habits) -> Value {
    let element = |kind: &str, points: &[[i32; 2]]| {
        let points: Vec<_> = points.iter().map(|[x, y]| json!({ "X": x, "Y": y })).collect();
        json!({ "Type": kind, "Coordinates": points })
    };
    let cross: Vec<_> = game.variant.cross().into_iter().map(|cell| element("dot", &[habits.point(cell)])).collect();
    let step = |&played: &Move| {
        let [one, other, dot] = habits.points(game.variant, played);
        json!({ "Elements": [element("line", &[one, other]), element("dot", &[dot])] })
    };
    let mut grid = vec![json!({ "Elements": cross })];
    grid.extend(game.moves.iter().map(step));
    json!({
        "Title": "Morpion Solitaire", "Version": "v1", "SegmentLength": game.variant.line_length() - 1,
        "NoTouchingRule": !game.variant.touching(), "Grid": grid,
    })
}

proptest! {
    #[test]
    fn games_of_other_programs_are_read(game in any_game(), habits in any_habits()) {
        for (import, file) in Import::ALL.into_iter().zip([py_file(&game, habits), net_file(&game, habits)]) {
            let bytes = file.to_string().into_bytes();
            prop_assert!(import.recognises(&bytes));
            let reading = notation::read(&bytes).unwrap();
            prop_assert_eq!((&reading.game, reading.note), (&game, None));
            let others = Variant::ALL.into_iter().filter(|&variant| variant != game.variant);
            prop_assert!(others.into_iter().all(|variant| import.read(&bytes, Some(variant)).is_err()));
        }
    }

    #[test]
    fn damaged_files_are_read_or_refused(
        bytes in (any_game(), any::<bool>()).prop_flat_map(|(game, py)| {
            let file = if py { py_file(&game, USUAL) } else { net_file(&game, USUAL) };
            damaged(file.to_string().into_bytes())
        }),
    ) {
        for import in Import::ALL {
            if let Err(error) = import.read(&bytes, None) {
                let message = error.to_string();
                prop_assert!(message.chars().count() < 260 && !message.contains(char::is_control), "{message:?}");
            }
        }
    }
}

#[test]
fn broken_files_and_what_is_said_about_them() {
    let game = MorpionGame { variant: Variant::FiveT, moves: random_game(Variant::FiveT, Stream::new(1)) };
    let file = py_file(&game, USUAL);
    let with = |key: &str, value: Value| {
        let mut file = file.clone();
        file[key] = value;
        file.to_string()
    };
    let cases = [
        (with("LineLength", json!(5)), "its lines have 5 steps; 4 (five dots) or 3 (four dots) can be read"),
        (with("LineLength", json!(3)), "it does not start from the cross of 24 dots"),
        (with("InitialDots", json!([])), "it does not start from the cross of 36 dots"),
        (with("InitialDots", json!([[1, 2], [i32::MIN, i32::MAX]])), "it does not start from the cross"),
        (with("Disjoint", json!("yes")), "looks like a file of PyMorpionSolitaire, but invalid type: string"),
        (with("Moves", json!([[27, 27, 31, 32, 27, 27]])), "move 1: from (27,27) to (31,32) with the dot (27,27)"),
        (with("Moves", json!([[27, 27, 31, 27, 27, 28]])), "with the dot (27,28) is not a line of 5 dots"),
        (with("Moves", json!([[i32::MAX, 0, 0, i32::MIN, 0, 0]])), "move 1: from (2147483647,0)"),
        (with("Moves", json!([[27, 27, 31, 27, 27, 27]])), "move 1: (25,25) - +2 needs more dots"),
        ("{\"SegmentLength\":4,\"NoTouchingRule\":false}".to_owned(), "a file of MorpionSolitaire for .NET, but missing field `Grid`"),
        (
            "{\"SegmentLength\":4,\"NoTouchingRule\":false,\"Grid\":[{\"Elements\":[]},{\"Elements\":[{\"Type\":\"line\",\"Coordinates\":[]}]}]}".to_owned(),
            "it does not start from the cross of 36 dots",
        ),
    ];
    for (text, expected) in cases {
        let error = notation::read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error:?} lacks {expected:?}");
    }
}
