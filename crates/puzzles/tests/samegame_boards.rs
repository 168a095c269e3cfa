//! One pass of nested search over the 20 published boards: minutes to hours, so only `scripts/soak` asks for it.

use nestling::Run;
use nestling_puzzles::samegame::{SameGame, SameGameBoard};

/// The totals of Cazenave 2009, table of SameGame: 65,937 with memory, 44,731 without.
#[test]
#[ignore = "minutes of computing"]
fn memory_is_worth_half_as_much_again() {
    let Some(folder) = nestling_testing::data() else { return };
    let path = folder.join("samegame/standard20_compact.txt");
    let boards = SameGameBoard::read(&std::fs::read_to_string(path).unwrap()).unwrap();
    let total = |search: &str| -> f64 {
        let score = |board: &SameGameBoard| {
            let game = SameGame::new(board.clone(), false);
            Run::new(&game, search.parse().unwrap()).seed(1).threads(2).start().unwrap().score().unwrap()
        };
        boards.iter().map(score).sum()
    };
    let (with, without) = (total("nested(2, playout=tabu)"), total("nested(2, playout=tabu, memory=off)"));
    println!("nested(2) on the 20 boards: {with} with memory, {without} without");
    assert!(with >= 60_000.0 && with >= 1.4 * without, "{with} with memory, {without} without");
}
