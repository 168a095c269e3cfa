//! The files in `examples/` are what our own generators make. `UPDATE=1 cargo test -p nestling-puzzles examples` writes them anew.

use std::path::Path;

use nestling_presentation::Solutions;
use nestling_puzzles::samegame::SameGameBoard;
use nestling_puzzles::solutions;
use nestling_puzzles::sudoku::Sudoku;
use nestling_puzzles::tsptw::{Place, TourInstance};

/// Every file, by its name.
fn files() -> [(&'static str, String); 3] {
    [("sudoku.txt", sudoku().to_string()), ("places.csv", table(&places())), ("board.txt", board().to_string())]
}

/// The first seed whose Sudoku has exactly one solution.
fn sudoku() -> Sudoku {
    let puzzles = (0..1000).map(|seed| Sudoku::seeded(3, 51, seed).unwrap());
    puzzles.into_iter().find(|puzzle| solutions(puzzle, 100_000) == Some(Solutions::One)).expect("some seed has one")
}

fn places() -> TourInstance {
    TourInstance::random(NAMES.len(), 7)
}

fn board() -> SameGameBoard {
    SameGameBoard::seeded(12, 10, 4, 7).unwrap()
}

const NAMES: [&str; 12] = [
    "depot", "bakery", "school", "mill", "harbour", "market", "library", "farm", "station", "clinic", "garden",
    "museum",
];

fn table(instance: &TourInstance) -> String {
    let line = |(place, name): (Place, &&str)| {
        let (x, y) = instance.points().unwrap()[usize::from(place)];
        format!("{name},{x},{y},{},{}\n", instance.earliest(place), instance.latest(place))
    };
    let lines: String = (0..).zip(&NAMES).map(line).collect();
    format!("name,x,y,earliest,latest\n{lines}")
}

#[test]
fn example_files_are_as_generated() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (name, text) in files() {
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(folder.join(name), &text).unwrap();
        }
        let there = std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(there, text, "examples/{name} differs; UPDATE=1 writes it anew");
    }
}

/// Each can be read, and is what it was made from.
#[test]
fn example_files_are_read() {
    let [(_, sudoku_text), (_, table), (_, board_text)] = files();
    assert_eq!(Sudoku::read(&sudoku_text).unwrap()[0].givens(), sudoku().givens());
    assert_eq!(SameGameBoard::read(&board_text).unwrap(), [board()]);
    let read = TourInstance::read(&table).unwrap();
    let same =
        |place: Place| (read.earliest(place), read.latest(place)) == (places().earliest(place), places().latest(place));
    assert!((0..NAMES.len() as Place).all(same));
    assert_eq!(read.points(), places().points());
}
