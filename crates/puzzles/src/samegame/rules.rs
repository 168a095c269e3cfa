//! The plain rules: the oracle of the engine, and the certificate of every game. They share nothing with the engine.

use nestling::{Certificate, Illegal, Problem};

use super::{CLEARED, Cell, MAX_COLOURS, MAX_SIDE, SameGameBoard, square};

/// A position by the plain rules: lists of cells, searched anew for every question.
#[derive(Clone, Debug)]
pub struct Rules {
    penalty: bool,
    /// The rest of every column, from below: the colour and the place of the cell at the start.
    columns: Vec<Vec<(u8, Cell)>>,
    points: i64,
}

impl Rules {
    /// The start of a game; `penalty` subtracts (c − 2)² for every colour with c > 2 cells left over.
    pub fn new(board: &SameGameBoard, penalty: bool) -> Rules {
        let columns = (0..board.columns()).map(|column| board.column(column).to_vec()).collect();
        Rules::after(columns, penalty, 0)
    }

    /// A position in which these colours are left and so many points have been made.
    pub(super) fn after(colours: Vec<Vec<u8>>, penalty: bool, points: i64) -> Rules {
        let origin = |column: usize, row: usize| Cell { column: column as u8, row: row as u8 };
        let cells = |(column, colours): (usize, Vec<u8>)| {
            colours.into_iter().enumerate().map(|(row, colour)| (colour, origin(column, row))).collect()
        };
        Rules { penalty, columns: colours.into_iter().enumerate().map(cells).collect(), points }
    }

    /// The rest of every column, from below: the colour of a cell and its place at the start.
    pub fn columns(&self) -> &[Vec<(u8, Cell)>] {
        &self.columns
    }

    /// The colour of a cell, if there is one.
    pub fn colour(&self, cell: Cell) -> Option<u8> {
        self.columns.get(usize::from(cell.column))?.get(usize::from(cell.row)).map(|&(colour, _)| colour)
    }

    /// The cells that hang together with this one, in order: column by column, each from below.
    pub fn group(&self, cell: Cell) -> Vec<Cell> {
        self.group_unseen(cell, &mut [false; MAX_SIDE * MAX_SIDE])
    }

    /// The same, marking the cells as seen.
    fn group_unseen(&self, cell: Cell, seen: &mut [bool; MAX_SIDE * MAX_SIDE]) -> Vec<Cell> {
        let Some(colour) = self.colour(cell) else { return Vec::new() };
        let mut group = vec![cell];
        seen[index(cell)] = true;
        let mut next = 0;
        while let Some(&Cell { column, row }) = group.get(next) {
            next += 1;
            let sides = [
                (column.wrapping_sub(1), row),
                (column, row.wrapping_sub(1)),
                (column, row.wrapping_add(1)),
                (column.wrapping_add(1), row),
            ];
            for (column, row) in sides {
                let beside = Cell { column, row };
                if self.colour(beside) == Some(colour) && !seen[index(beside)] {
                    seen[index(beside)] = true;
                    group.push(beside);
                }
            }
        }
        group.sort_unstable();
        group
    }

    /// Takes a group away; the cells as they were at the start.
    pub fn remove(&mut self, cell: Cell) -> Vec<Cell> {
        let group = self.group(cell);
        self.points += square(group.len());
        // From the end, so that the cells still to come stay where they are.
        let gone =
            group.iter().rev().map(|gone| self.columns[usize::from(gone.column)].remove(usize::from(gone.row)).1);
        let gone = gone.collect();
        self.columns.retain(|column| !column.is_empty());
        gone
    }

    fn cells(&self) -> impl Iterator<Item = Cell> {
        self.columns
            .iter()
            .enumerate()
            .flat_map(|(column, cells)| (0..cells.len()).map(move |row| Cell { column: column as u8, row: row as u8 }))
    }
}

/// The place of a cell among all there can be.
fn index(cell: Cell) -> usize {
    usize::from(cell.column) * MAX_SIDE + usize::from(cell.row)
}

impl Problem for Rules {
    type Move = Cell;

    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<Cell>) {
        moves.clear();
        let mut seen = [false; MAX_SIDE * MAX_SIDE];
        for cell in self.cells() {
            if !seen[index(cell)] && self.group_unseen(cell, &mut seen).len() > 1 {
                moves.push(cell);
            }
        }
    }

    fn play(&mut self, played: Cell) {
        self.remove(played);
    }

    fn score(&self) -> f64 {
        let mut left = [0; MAX_COLOURS];
        self.columns.iter().flatten().for_each(|&(colour, _)| left[usize::from(colour)] += 1);
        let penalty: i64 = if self.penalty { left.into_iter().map(square).sum() } else { 0 };
        let cleared = if self.columns.is_empty() { CLEARED } else { 0 };
        (self.points + cleared - penalty) as f64
    }

    fn move_text(&self, played: Cell) -> String {
        played.to_string()
    }

    fn certify(&self, moves: &[Cell]) -> Result<Certificate, Illegal> {
        let mut state = self.clone();
        for (index, &played) in moves.iter().enumerate() {
            let refused = |reason: &str| Err(Illegal { index, reason: format!("{played} {reason}") });
            let group = state.group(played);
            match (group.len(), group.first()) {
                (0, _) => return refused("is an empty cell"),
                (1, _) => return refused("has no neighbour of its colour"),
                (_, Some(&first)) if first != played => {
                    return refused(&format!("is not the first of its group, {first} is"));
                }
                _ => state.play(played),
            }
        }
        let terminal = state.cells().all(|cell| state.group(cell).len() < 2);
        Ok(Certificate { score: state.score(), terminal })
    }
}
