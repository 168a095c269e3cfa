//! Range Query, sections II.F and II.G: recycle the list of possible moves, and look only at the squares around the new
//! dot.

use super::BaselineError;
use super::code::{self, MARGIN};
use super::list::MoveList;
use super::position::{TrackedPosition, all_moves};
use super::profile::{Activity, Marks, Unmarked};
use super::squares::Squares;

/// Range Query on a board of `SIDE` × `SIDE`, with the given kind of list.
#[derive(Clone)]
pub struct RangeQuery<List, const SIDE: usize, const TOUCHING: bool> {
    squares: Squares<SIDE, TOUCHING>,
    list: List,
}

impl<List: MoveList, const SIDE: usize, const TOUCHING: bool> RangeQuery<List, SIDE, TOUCHING> {
    /// Algorithm 1, and algorithm 2 for the groups around the new dot. The direction is a constant so that every
    /// distance on the board is one.
    #[inline(always)]
    fn play_along<const DIRECTION: usize>(&mut self, played: u16, marks: &impl Marks) -> Result<(), BaselineError> {
        let start = code::start(SIDE, DIRECTION, played);
        let hole = self.squares.hole(DIRECTION, start);
        let dot = start + hole * code::stride(SIDE, DIRECTION);
        let (x, y) = (dot % SIDE, dot / SIDE);
        marks.begin(Activity::Board);
        self.squares.draw(DIRECTION, start, dot)?;
        marks.begin(Activity::Removals);
        self.list.check();
        for direction in 0..4 {
            let greatest = code::code(SIDE, direction, x, y);
            if direction != DIRECTION {
                self.list.remove(greatest - MARGIN as u16, greatest);
            } else {
                let (before, after) = Squares::<SIDE, TOUCHING>::overlapping(played);
                // A touching line may end at the new dot without overlapping the new line.
                self.list.remove(before.min(greatest - MARGIN as u16), after.max(greatest));
            }
        }
        self.list.pack();
        for direction in 0..4 {
            // Disjoint lines have no room where the new line lies.
            if direction != DIRECTION {
                self.detect(direction, x, y, marks);
            }
        }
        if TOUCHING && hole.is_multiple_of(MARGIN) {
            let (touching, playable) = self.squares.touching(DIRECTION, played, start, hole);
            self.list.push(touching, playable);
        }
        Ok(())
    }

    /// Algorithm 2: lists the playable lines among the five through the new dot.
    #[inline(always)]
    fn detect(&mut self, direction: usize, x: usize, y: usize, marks: &impl Marks) {
        marks.begin(Activity::Board);
        let first = y * SIDE + x - MARGIN * code::stride(SIDE, direction);
        let mut group = self.squares.group::<9>(direction, first);
        marks.begin(Activity::Detection);
        let rightmost = code::code(SIDE, direction, x, y);
        for back in 0..5 {
            self.list.push(rightmost - back, Squares::<SIDE, TOUCHING>::PLAYABLE[group & 1023]);
            group >>= 2;
        }
    }

    /// Plays a move as [`play`](TrackedPosition::play) does, and marks every activity as it begins.
    #[inline(always)]
    pub(crate) fn play_marked(&mut self, played: u16, marks: &impl Marks) -> Result<(), BaselineError> {
        marks.begin(Activity::Coordinates);
        match code::direction(played) {
            0 => self.play_along::<0>(played, marks),
            1 => self.play_along::<1>(played, marks),
            2 => self.play_along::<2>(played, marks),
            _ => self.play_along::<3>(played, marks),
        }
    }
}

impl<List: MoveList, const SIDE: usize, const TOUCHING: bool> TrackedPosition for RangeQuery<List, SIDE, TOUCHING> {
    const SIDE: usize = SIDE;

    fn new() -> Self {
        let squares = Squares::new();
        let mut list = List::new();
        all_moves(&squares, |code| list.push(code, 1));
        RangeQuery { squares, list }
    }

    #[inline(always)]
    fn play(&mut self, played: u16) -> Result<(), BaselineError> {
        self.play_marked(played, &Unmarked)
    }

    #[inline(always)]
    fn legal(&self) -> &[u16] {
        self.list.codes()
    }

    fn hole(&self, code: u16) -> usize {
        let direction = code::direction(code);
        self.squares.hole(direction, code::start(SIDE, direction, code))
    }
}
