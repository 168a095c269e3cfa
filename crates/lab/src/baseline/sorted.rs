//! Section II.H: a sorted list, and a table that knows for nine squares which moves a dot in their middle brings and
//! takes.

use std::sync::LazyLock;

use super::BaselineError;
use super::code::{self, LENGTH, MARGIN};
use super::list::{CAPACITY, LARGEST_STEP};
use super::position::{TrackedPosition, all_moves};
use super::squares::{PLAYABLE, Squares};

/// Ends a list: greater than every code.
const END: u16 = u16::MAX;

/// The incoming and outgoing moves of a group of nine squares, in ascending order, counted from the group's smallest
/// code.
#[derive(Clone, Copy)]
struct Change {
    count: u8,
    moves: [u8; 7],
}

/// State of nine squares, the middle one empty → what a dot there changes. Two megabytes, as the paper warns.
struct SquareTable(Box<[Change; 1 << 18]>);

static TABLES: [LazyLock<SquareTable>; 2] =
    [LazyLock::new(|| SquareTable::new(&PLAYABLE[0])), LazyLock::new(|| SquareTable::new(&PLAYABLE[1]))];

impl SquareTable {
    fn new(playable: &[u8; 1024]) -> Self {
        let change = |before: usize| {
            let after = before | 1 << (2 * MARGIN);
            let mut change = Change { count: 0, moves: [0; 7] };
            for step in 0..LENGTH {
                let group = |squares: usize| playable[squares >> (2 * (MARGIN - step)) & 1023];
                if group(before) != group(after) {
                    change.moves[usize::from(change.count)] = step as u8;
                    change.count += 1;
                }
            }
            change
        };
        let changes: Vec<Change> = (0..1 << 18).map(change).collect();
        SquareTable(changes.try_into().unwrap_or_else(|_| unreachable!("one for each state")))
    }
}

/// A position with a sorted list of moves.
#[derive(Clone)]
pub struct SortedLists<const SIDE: usize, const TOUCHING: bool> {
    squares: Squares<SIDE, TOUCHING>,
    table: &'static [Change; 1 << 18],
    /// The list and the room for the next one, each with an [`END`] behind the last code.
    lists: [[u16; CAPACITY]; 2],
    current: usize,
    count: usize,
}

impl<const SIDE: usize, const TOUCHING: bool> SortedLists<SIDE, TOUCHING> {
    #[inline(always)]
    fn play_along<const DIRECTION: usize>(&mut self, played: u16) -> Result<(), BaselineError> {
        let start = code::start(SIDE, DIRECTION, played);
        let hole = self.squares.hole(DIRECTION, start);
        let dot = start + hole * code::stride(SIDE, DIRECTION);
        self.squares.draw(DIRECTION, start, dot)?;
        assert!(self.count < CAPACITY - LARGEST_STEP, "more moves at once than any position has");
        let (first, second) = self.lists.split_at_mut(1);
        let (old, new) = if self.current == 0 { (&first[0], &mut second[0]) } else { (&second[0], &mut first[0]) };
        let mut merge = Merge { old, new, from: 0, count: 0 };
        for direction in 0..4 {
            let greatest = code::code(SIDE, direction, dot % SIDE, dot / SIDE);
            let smallest = greatest - MARGIN as u16;
            if direction != DIRECTION {
                // The dot is there already, and the table wants to know the squares without it.
                let first = dot - MARGIN * code::stride(SIDE, direction);
                let group = self.squares.group::<9>(direction, first) ^ 1 << (2 * MARGIN);
                let change = &self.table[group % (1 << 18)];
                for &step in &change.moves[..usize::from(change.count).min(LENGTH)] {
                    merge.change(smallest + u16::from(step));
                }
            } else {
                // Nine squares do not hold all lines that overlap the new one: here an interval goes, as in Range Query.
                let (before, after) = Squares::<SIDE, TOUCHING>::overlapping(played);
                merge.skip(before.min(smallest), after.max(greatest));
                if TOUCHING && hole.is_multiple_of(MARGIN) {
                    let (touching, playable) = self.squares.touching(DIRECTION, played, start, hole);
                    merge.push(touching, playable);
                }
            }
        }
        self.count = merge.finish();
        self.current ^= 1;
        Ok(())
    }
}

/// Two sorted lists being merged: the old list of moves, and the changes as they come.
struct Merge<'a> {
    old: &'a [u16; CAPACITY],
    new: &'a mut [u16; CAPACITY],
    from: usize,
    count: usize,
}

impl Merge<'_> {
    /// Copies the moves before a code. Most moves stay as they are, so this is most of the merge.
    #[inline(always)]
    fn copy_until(&mut self, code: u16) {
        while self.old[self.from] < code {
            self.new[self.count] = self.old[self.from];
            self.from += 1;
            self.count += 1;
        }
    }

    /// Takes a move in, or out if it is in the list: "if two values are identical, both have to be removed".
    #[inline(always)]
    fn change(&mut self, code: u16) {
        self.copy_until(code);
        let outgoing = self.old[self.from] == code;
        self.from += usize::from(outgoing);
        self.push(code, u8::from(!outgoing));
    }

    /// Takes all moves of an interval out.
    #[inline(always)]
    fn skip(&mut self, least: u16, greatest: u16) {
        self.copy_until(least);
        while self.old[self.from] <= greatest {
            self.from += 1;
        }
    }

    #[inline(always)]
    fn push(&mut self, code: u16, valid: u8) {
        self.new[self.count] = code;
        self.count += usize::from(valid);
    }

    /// The number of moves after the merge.
    #[inline(always)]
    fn finish(mut self) -> usize {
        self.copy_until(END);
        self.new[self.count] = END;
        self.count
    }
}

impl<const SIDE: usize, const TOUCHING: bool> TrackedPosition for SortedLists<SIDE, TOUCHING> {
    const SIDE: usize = SIDE;

    fn new() -> Self {
        let squares = Squares::new();
        let mut codes = Vec::new();
        all_moves(&squares, |code| codes.push(code));
        codes.sort_unstable();
        let mut lists = [[END; CAPACITY]; 2];
        lists[0][..codes.len()].copy_from_slice(&codes);
        SortedLists { squares, table: &TABLES[usize::from(TOUCHING)].0, lists, current: 0, count: codes.len() }
    }

    #[inline(always)]
    fn play(&mut self, played: u16) -> Result<(), BaselineError> {
        match code::direction(played) {
            0 => self.play_along::<0>(played),
            1 => self.play_along::<1>(played),
            2 => self.play_along::<2>(played),
            _ => self.play_along::<3>(played),
        }
    }

    #[inline(always)]
    fn legal(&self) -> &[u16] {
        &self.lists[self.current & 1][..self.count]
    }

    fn hole(&self, code: u16) -> usize {
        let direction = code::direction(code);
        self.squares.hole(direction, code::start(SIDE, direction, code))
    }
}
