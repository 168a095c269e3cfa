//! A position in a square window of the lattice, with moves taken back.
//!
//! A cell has the number `y · side + x`, a line the number `direction · side² + its first cell`, so that the neighbours of a
//! line on its track are a fixed distance away.

use crate::geometry::{Cell, Direction, Line, Move};
use crate::variant::Variant;

/// The number of a line.
pub(super) type LineId = u32;

/// A line that leaves the window. No number of conflicts and prohibitions reaches it.
const OUTSIDE: u16 = 1 << 15;

/// The dots of a position, and the lines that cannot be drawn any more.
pub(super) struct Grid {
    pub length: i32,
    pub conflict_distance: i32,
    side: i32,
    area: i32,
    /// The lattice's cell in the window's corner.
    corner: Cell,
    strides: [i32; 4],
    /// For every line: its cells without a dot, as bits.
    holes: Vec<u8>,
    /// For every line: how many drawn lines and prohibitions exclude it.
    excluded: Vec<u16>,
}

impl Grid {
    /// The position after some moves, in a window that reaches `margin` cells beyond all dots.
    pub fn new(variant: Variant, moves: &[Move], margin: i16) -> Self {
        let cells: Vec<Cell> = variant.cross().into_iter().chain(moves.iter().map(|played| played.dot())).collect();
        let range = |coordinate: fn(&Cell) -> i16| {
            let (low, high) = (cells.iter().map(coordinate).min(), cells.iter().map(coordinate).max());
            (low.unwrap_or(0), high.unwrap_or(0))
        };
        let ((left, right), (top, bottom)) = (range(|cell| cell.x), range(|cell| cell.y));
        let side = i32::from((right - left).max(bottom - top)) + 1 + 2 * i32::from(margin);
        let area = (side * side) as usize;
        let mut grid = Grid {
            length: variant.line_length() as i32,
            conflict_distance: variant.conflict_distance() as i32,
            side,
            corner: Cell { x: left - margin, y: top - margin },
            strides: Direction::ALL.map(|direction| {
                let (dx, dy) = direction.step();
                i32::from(dx) + side * i32::from(dy)
            }),
            area: area as i32,
            holes: vec![(1 << variant.line_length()) - 1; 4 * area],
            excluded: vec![0; 4 * area],
        };
        grid.exclude_outside();
        for cell in variant.cross() {
            let number = grid.number(cell);
            grid.toggle_dot(number);
        }
        for &played in moves {
            grid.play(grid.id(played.line), grid.number(played.dot()));
        }
        grid
    }

    fn exclude_outside(&mut self) {
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            let (dx, dy) = direction.step();
            let inside = 0..self.side;
            for start in 0..self.side * self.side {
                let (x, y) = (start % self.side, start / self.side);
                let reach = self.length - 1;
                let end = (x + reach * i32::from(dx), y + reach * i32::from(dy));
                if !inside.contains(&end.0) || !inside.contains(&end.1) {
                    self.excluded[index * self.area as usize + start as usize] = OUTSIDE;
                }
            }
        }
    }

    pub fn lines(&self) -> usize {
        self.excluded.len()
    }

    pub fn cells(&self) -> usize {
        self.area as usize
    }

    /// The number of a cell in the window.
    fn number(&self, cell: Cell) -> usize {
        (i32::from(cell.y - self.corner.y) * self.side + i32::from(cell.x - self.corner.x)) as usize
    }

    /// The number of a line in the window.
    pub fn id(&self, line: Line) -> LineId {
        (line.direction as usize * self.area as usize + self.number(line.start)) as LineId
    }

    /// The move that draws a line and puts its dot on a cell.
    pub fn as_move(&self, line: LineId, dot: usize) -> Move {
        let (direction, start) = self.parts(line);
        let start_cell =
            Cell { x: self.corner.x + (start % self.side) as i16, y: self.corner.y + (start / self.side) as i16 };
        let hole = (dot as i32 - start) / self.strides[direction];
        Move { line: Line { start: start_cell, direction: Direction::ALL[direction] }, hole: hole as u8 }
    }

    /// A line's direction as a number, and its first cell.
    #[inline(always)]
    pub fn parts(&self, line: LineId) -> (usize, i32) {
        let area = self.area as u32;
        // Faster than a division.
        let direction = u32::from(line >= area) + u32::from(line >= 2 * area) + u32::from(line >= 3 * area);
        (direction as usize, (line - direction * area) as i32)
    }

    #[inline(always)]
    pub fn stride(&self, direction: usize) -> i32 {
        self.strides[direction]
    }

    /// Can the line be drawn as far as the drawn lines and the prohibitions are concerned?
    #[inline(always)]
    pub fn is_open(&self, line: LineId) -> bool {
        self.excluded[line as usize] == 0
    }

    /// The cells of a line without a dot, as bits.
    #[inline(always)]
    pub fn holes(&self, line: LineId) -> u32 {
        u32::from(self.holes[line as usize])
    }

    #[inline(always)]
    pub fn cell(&self, line: LineId, place: i32) -> usize {
        let (direction, start) = self.parts(line);
        (start + place * self.strides[direction]) as usize
    }

    /// The dot of a legal line.
    #[inline(always)]
    pub fn dot(&self, line: LineId) -> usize {
        self.cell(line, self.holes(line).trailing_zeros() as i32)
    }

    /// The lines through a cell.
    #[inline(always)]
    pub fn through(&self, cell: usize) -> impl Iterator<Item = LineId> + use<'_> {
        let places = 0..self.length;
        (0..4).flat_map(move |direction| {
            let first = direction * self.area + cell as i32;
            places.clone().map(move |place| (first - place * self.strides[direction as usize]) as LineId)
        })
    }

    /// The lines that overlap a line, without the line itself.
    #[inline(always)]
    pub fn overlapping(&self, line: LineId) -> impl Iterator<Item = LineId> + use<'_> {
        let stride = self.strides[self.parts(line).0];
        let apart = 1..=self.conflict_distance;
        apart.flat_map(move |steps| [line as i32 - steps * stride, line as i32 + steps * stride]).map(|id| id as LineId)
    }

    /// Is the cell so close to the edge that a line through it, or one that overlaps such a line, might leave the window?
    #[inline(always)]
    pub fn is_near_edge(&self, cell: usize) -> bool {
        let (x, y) = (cell as i32 % self.side, cell as i32 / self.side);
        let inner = 2 * self.length..self.side - 2 * self.length;
        !inner.contains(&x) || !inner.contains(&y)
    }

    pub fn play(&mut self, line: LineId, dot: usize) {
        self.toggle_dot(dot);
        self.exclude_around(line, 1);
    }

    pub fn take_back(&mut self, line: LineId, dot: usize) {
        self.toggle_dot(dot);
        self.exclude_around(line, u16::MAX);
    }

    fn toggle_dot(&mut self, cell: usize) {
        for (direction, stride) in (0..).zip(self.strides) {
            for place in 0..self.length {
                self.holes[(direction * self.area + cell as i32 - place * stride) as usize] ^= 1 << place;
            }
        }
    }

    fn exclude_around(&mut self, line: LineId, change: u16) {
        let stride = self.strides[self.parts(line).0];
        for steps in -self.conflict_distance..=self.conflict_distance {
            let excluded = &mut self.excluded[(line as i32 + steps * stride) as usize];
            *excluded = excluded.wrapping_add(change);
        }
    }

    /// Prohibits a line.
    pub fn forbid(&mut self, line: LineId) {
        self.excluded[line as usize] += 1;
    }

    /// Allows a line again.
    pub fn allow(&mut self, line: LineId) {
        self.excluded[line as usize] -= 1;
    }

    /// All legal lines, found by trying.
    pub fn legal(&self) -> Vec<LineId> {
        (0..self.lines() as LineId).filter(|&line| self.is_legal(line)).collect()
    }

    #[inline(always)]
    pub fn is_legal(&self, line: LineId) -> bool {
        self.is_open(line) && self.holes(line).is_power_of_two()
    }
}
