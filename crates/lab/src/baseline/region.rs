//! The techniques that table I compares Range Query with: forget every move that starts in some region around the
//! played one, and look for moves from all squares of that region, in all directions.
//!
//! The paper only names the regions. They are read here as sets of squares, each with its four lines: 4,096 groups of
//! five squares for the whole board of 5D, about 460 in the four directions, about 330 in the rectangle. Fewer groups
//! would do in the four directions, but the order of the table then turns around.

use super::BaselineError;
use super::code::{self, MARGIN};
use super::list::{MoveList, PlainList};
use super::position::{TrackedPosition, moves_from};
use super::squares::Squares;

/// A set of squares outside of which playing a move changes no line's state, a line being where it starts.
pub trait Region {
    /// The region of a move with this line and this new dot, on a board of `side` × `side`.
    fn of(side: usize, line: PlacedLine, dot: (usize, usize)) -> Self;

    /// Is the square in the region?
    fn contains(&self, x: usize, y: usize) -> bool;

    /// Visits every square of the region once.
    fn visit(&self, side: usize, square: impl FnMut(usize, usize));
}

/// A line on the board.
#[derive(Clone, Copy)]
pub struct PlacedLine {
    /// The paper's number of the direction: up-left, upwards, up-right, to the right.
    pub direction: usize,
    /// The x and y of the square where it starts.
    pub start: (usize, usize),
}

/// All of the board.
pub struct WholeBoard;

impl Region for WholeBoard {
    #[inline(always)]
    fn of(_side: usize, _line: PlacedLine, _dot: (usize, usize)) -> Self {
        WholeBoard
    }

    #[inline(always)]
    fn contains(&self, _x: usize, _y: usize) -> bool {
        true
    }

    #[inline(always)]
    fn visit(&self, side: usize, mut square: impl FnMut(usize, usize)) {
        for y in 0..side {
            for x in 0..side {
                square(x, y);
            }
        }
    }
}

/// The row, the column and the two diagonals of the new dot, from border to border.
pub struct FourDirections {
    dot: (usize, usize),
}

impl Region for FourDirections {
    #[inline(always)]
    fn of(_side: usize, _line: PlacedLine, dot: (usize, usize)) -> Self {
        FourDirections { dot }
    }

    #[inline(always)]
    fn contains(&self, x: usize, y: usize) -> bool {
        let (across, up) = (x.abs_diff(self.dot.0), y.abs_diff(self.dot.1));
        across == 0 || up == 0 || across == up
    }

    #[inline(always)]
    fn visit(&self, side: usize, mut square: impl FnMut(usize, usize)) {
        let (dot_x, dot_y) = self.dot;
        for x in 0..side {
            square(x, dot_y);
        }
        for y in (0..side).filter(|y| *y != dot_y) {
            square(dot_x, y);
            let up_right = (dot_x + y).wrapping_sub(dot_y);
            if up_right < side {
                square(up_right, y);
            }
            let up_left = (dot_x + dot_y).wrapping_sub(y);
            if up_left < side {
                square(up_left, y);
            }
        }
    }
}

/// The smallest rectangle that holds the starts of all lines through the new dot and of all that overlap the new line.
pub struct Rectangle {
    x: (usize, usize),
    y: (usize, usize),
}

impl Region for Rectangle {
    #[inline(always)]
    fn of(side: usize, line: PlacedLine, dot: (usize, usize)) -> Self {
        // Which way x and y go along the directions.
        let (across, up) = ([-1, 0, 1, 1][line.direction], [1, 1, 1, 0][line.direction]);
        let reach = MARGIN as isize;
        let range = |dot: usize, start: usize, step: isize, behind: isize| {
            let (dot, start, spread) = (dot as isize, start as isize, reach * step.abs());
            let first = (dot - reach).min(start - spread).max(0);
            let last = (dot + behind).max(start + spread).min(side as isize - 1);
            (first as usize, last as usize)
        };
        // A line goes to the left or to the right from its start, but never down.
        Rectangle { x: range(dot.0, line.start.0, across, reach), y: range(dot.1, line.start.1, up, 0) }
    }

    #[inline(always)]
    fn contains(&self, x: usize, y: usize) -> bool {
        (self.x.0..=self.x.1).contains(&x) && (self.y.0..=self.y.1).contains(&y)
    }

    #[inline(always)]
    fn visit(&self, _side: usize, mut square: impl FnMut(usize, usize)) {
        for y in self.y.0..=self.y.1 {
            for x in self.x.0..=self.x.1 {
                square(x, y);
            }
        }
    }
}

/// A position whose list is renewed in a region after every move.
pub struct Rescan<R, const SIDE: usize, const TOUCHING: bool> {
    squares: Squares<SIDE, TOUCHING>,
    list: PlainList,
    region: std::marker::PhantomData<R>,
}

impl<R, const SIDE: usize, const TOUCHING: bool> Clone for Rescan<R, SIDE, TOUCHING> {
    fn clone(&self) -> Self {
        Rescan { squares: self.squares.clone(), list: self.list.clone(), region: self.region }
    }
}

impl<R: Region, const SIDE: usize, const TOUCHING: bool> Rescan<R, SIDE, TOUCHING> {
    /// Lists the moves that start in the region, which must not be listed already.
    #[inline(always)]
    fn detect(&mut self, region: &impl Region) {
        let Rescan { squares, list, .. } = self;
        region.visit(SIDE, |x, y| {
            moves_from(squares, x, y, &mut |code| {
                list.push(code, 1);
                list.check();
            })
        });
    }
}

impl<R: Region, const SIDE: usize, const TOUCHING: bool> TrackedPosition for Rescan<R, SIDE, TOUCHING> {
    const SIDE: usize = SIDE;

    fn new() -> Self {
        let mut position = Rescan { squares: Squares::new(), list: PlainList::new(), region: std::marker::PhantomData };
        position.detect(&WholeBoard);
        position
    }

    fn play(&mut self, played: u16) -> Result<(), BaselineError> {
        let square = |index: usize| (index % SIDE, index / SIDE);
        let direction = code::direction(played);
        let start = code::start(SIDE, direction, played);
        let dot = start + self.hole(played) * code::stride(SIDE, direction);
        self.squares.draw(direction, start, dot)?;
        let region = R::of(SIDE, PlacedLine { direction, start: square(start) }, square(dot));
        self.list.retain(|code| {
            let (x, y) = square(code::start(SIDE, code::direction(code), code));
            !region.contains(x, y)
        });
        self.detect(&region);
        Ok(())
    }

    #[inline(always)]
    fn legal(&self) -> &[u16] {
        self.list.codes()
    }

    #[inline(always)]
    fn hole(&self, code: u16) -> usize {
        let direction = code::direction(code);
        self.squares.hole(direction, code::start(SIDE, direction, code))
    }
}
