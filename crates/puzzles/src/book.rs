//! Generated puzzles on pages to print, their solutions at the end.

use nestling::Problem;
use nestling_presentation::{Anchor, Page};

use crate::generated::{GeneratedPuzzle, PuzzleKind};
use crate::kakuro::{Kakuro, Square, SumBounds};
use crate::sudoku::{Sudoku, symbol};

const MARGIN: f32 = 50.0;
/// Between two puzzles.
const GUTTER: f32 = 35.0;
/// Above a puzzle, for its title.
const TITLE: f32 = 22.0;

/// A place of the grid, ready to be drawn.
enum Cell {
    Given(String),
    Found(String),
    Black { down: Option<u32>, across: Option<u32> },
}

/// A grid, ready to be drawn.
struct Drawn {
    width: usize,
    /// Thick lines after so many cells.
    boxes: Option<usize>,
    cells: Vec<Cell>,
}

/// The pages: four puzzles on each, one if they are large, then twelve solutions on each.
pub fn book(puzzles: &[GeneratedPuzzle]) -> Vec<Page> {
    let is_large = puzzles.iter().any(|puzzle| puzzle.size > 12);
    let mut pages = lay(puzzles, if is_large { (1, 1) } else { (2, 2) }, false);
    pages.extend(lay(puzzles, (3, 4), true));
    let count = pages.len();
    for (number, page) in pages.iter_mut().enumerate() {
        let (width, height) = Page::SIZE;
        page.text((width / 2.0, height - 25.0), 8.0, Anchor::Middle, 0.4, &format!("{} / {count}", number + 1));
    }
    pages
}

/// Pages with so many columns and rows of puzzles, or of solutions.
fn lay(puzzles: &[GeneratedPuzzle], (columns, rows): (usize, usize), solved: bool) -> Vec<Page> {
    let side = (Page::SIZE.0 - 2.0 * MARGIN - (columns - 1) as f32 * GUTTER) / columns as f32;
    let one_page = |(number, puzzles): (usize, &[GeneratedPuzzle])| {
        let mut page = Page::default();
        for (index, puzzle) in puzzles.iter().enumerate() {
            let left = MARGIN + (index % columns) as f32 * (side + GUTTER);
            let top = MARGIN + TITLE + (index / columns) as f32 * (side + GUTTER + TITLE);
            let number = number * columns * rows + index + 1;
            let words = if solved { "solution".to_owned() } else { format!("{}, seed {}", puzzle.level, puzzle.seed) };
            let size = if solved { 8.0 } else { 11.0 };
            page.text((left, top - 6.0), size, Anchor::Start, 0.25, &format!("{number}   {words}"));
            draw(&mut page, &drawn(puzzle, solved), (left, top), side);
        }
        page
    };
    puzzles.chunks(columns * rows).enumerate().map(one_page).collect()
}

fn drawn(puzzle: &GeneratedPuzzle, solved: bool) -> Drawn {
    let moves = if solved { &puzzle.solution[..] } else { &[] };
    match puzzle.kind {
        PuzzleKind::Sudoku => {
            let mut sudoku = Sudoku::read(&puzzle.text).expect("it was written by us").remove(0);
            let givens = sudoku.givens().to_vec();
            moves.iter().for_each(|&played| sudoku.play(played));
            let text = |value: u8| if value == 0 { String::new() } else { symbol(value, sudoku.side()) };
            let cell = |(&given, &value): (&u8, &u8)| {
                if given > 0 { Cell::Given(text(given)) } else { Cell::Found(text(value)) }
            };
            let cells = givens.iter().zip(sudoku.values()).map(cell).collect();
            Drawn { width: sudoku.side(), boxes: Some(sudoku.order()), cells }
        }
        PuzzleKind::Kakuro => {
            let read = Kakuro::read(&puzzle.text, None, SumBounds::Both);
            let mut kakuro = read.expect("it was written by us").remove(0);
            moves.iter().for_each(|&played| kakuro.play(played));
            let cell = |(&place, &value): (&Square, &u8)| match place {
                Square::Black { down, across } => Cell::Black { down, across },
                Square::White if value == 0 => Cell::Found(String::new()),
                Square::White => Cell::Found(value.to_string()),
            };
            let cells = kakuro.places().iter().zip(kakuro.values()).map(cell).collect();
            Drawn { width: kakuro.width(), boxes: None, cells }
        }
    }
}

fn draw(page: &mut Page, grid: &Drawn, (left, top): (f32, f32), side: f32) {
    let unit = side / grid.width as f32;
    for (index, cell) in grid.cells.iter().enumerate() {
        let (x, y) = (left + (index % grid.width) as f32 * unit, top + (index / grid.width) as f32 * unit);
        let middle = (x + unit / 2.0, y + unit * 0.72);
        match cell {
            Cell::Given(text) => page.text(middle, unit * 0.6, Anchor::Middle, 0.0, text),
            Cell::Found(text) => page.text(middle, unit * 0.6, Anchor::Middle, 0.35, text),
            Cell::Black { down, across } => {
                page.rectangle((x, y), (unit, unit), 0.25);
                if down.is_some() || across.is_some() {
                    page.line((x, y), (x + unit, y + unit), 0.4, 0.8);
                }
                let clue = |sum: &Option<u32>| sum.map(|sum| sum.to_string()).unwrap_or_default();
                page.text((x + unit * 0.92, y + unit * 0.4), unit * 0.34, Anchor::End, 1.0, &clue(across));
                page.text((x + unit * 0.08, y + unit * 0.9), unit * 0.34, Anchor::Start, 1.0, &clue(down));
            }
        }
    }
    for line in 0..=grid.width {
        let at = line as f32 * unit;
        let is_thick = grid.boxes.map_or(line == 0 || line == grid.width, |order| line % order == 0);
        let width = if is_thick { 1.4 } else { 0.4 };
        page.line((left + at, top), (left + at, top + side), width, 0.0);
        page.line((left, top + at), (left + side, top + at), width, 0.0);
    }
}
