//! What several tests need.
#![allow(dead_code)] // every test file uses its own part

use std::cmp::Ordering;
use std::path::PathBuf;

use nestling::{Problem, Rng, Stream};
use nestling_morpion::{Board, Cell, Direction, Line, Move, Variant};

/// The legal moves of a position.
pub fn legal(problem: &impl Problem<Move = Move>) -> Vec<Move> {
    let mut moves = Vec::new();
    problem.legal_moves(&mut moves);
    moves
}

/// The moves of a uniformly random game.
pub fn random_game(variant: Variant, stream: Stream) -> Vec<Move> {
    random_rest(Board::new(variant), &mut stream.rng())
}

/// All moves of a game that goes on at random from here.
pub fn random_rest(mut board: Board, rng: &mut Rng) -> Vec<Move> {
    let mut moves = Vec::new();
    loop {
        board.legal_moves(&mut moves);
        if moves.is_empty() {
            return board.moves_played().to_vec();
        }
        board.play(moves[rng.below(moves.len())]);
    }
}

/// One of the eight symmetries of the square box, applied to a cell.
fn turned(cell: Cell, symmetry: u8, side: i16) -> Cell {
    let mirrored = |coordinate: i16, bit: u8| if symmetry & bit != 0 { side - 1 - coordinate } else { coordinate };
    let (x, y) = (mirrored(cell.x, 1), mirrored(cell.y, 2));
    if symmetry & 4 != 0 { Cell { x: y, y: x } } else { Cell { x, y } }
}

/// A line under one of the eight symmetries.
pub fn turned_line(line: Line, symmetry: u8, variant: Variant) -> Line {
    let last = line.start.along(line.direction, variant.line_length() as i16 - 1);
    let ends = [line.start, last].map(|cell| turned(cell, symmetry, variant.box_side() as i16));
    let (start, end) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let direction = match (end.x == start.x, end.y.cmp(&start.y)) {
        (true, _) => Direction::Vertical,
        (_, Ordering::Equal) => Direction::Horizontal,
        (_, Ordering::Greater) => Direction::Falling,
        (_, Ordering::Less) => Direction::Rising,
    };
    Line { start, direction }
}

/// A move under one of the eight symmetries.
pub fn turned_move(played: Move, symmetry: u8, variant: Variant) -> Move {
    let line = turned_line(played.line, symmetry, variant);
    let dot = turned(played.dot(), symmetry, variant.box_side() as i16);
    let hole = line.cells(variant.line_length()).position(|cell| cell == dot).expect("the dot is on the line");
    Move { line, hole: hole as u8 }
}

/// A file of the benchmark data; `None`, and a word on stderr, where there is none.
pub fn data(path: &str) -> Option<Vec<u8>> {
    let Some(folder) = std::env::var_os("NESTLING_DATA") else {
        eprintln!("skipped: NESTLING_DATA is not set, so there is no {path} to read");
        return None;
    };
    let path = PathBuf::from(folder).join(path);
    Some(std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}
