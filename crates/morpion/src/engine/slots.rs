//! A position whose steps have no branches that cannot be predicted.
//!
//! A move that becomes possible gets the next *slot* and keeps it; `alive` has one bit for every slot whose move is still
//! possible. So legal move number k is the slot of bit number k, in the order that all engines share, and a move that
//! becomes impossible only loses its bit. When all slots are taken, the moves that are alive go to the first ones.

use super::Start;
use super::tables::{CELLS, LINES, Tables};

/// One bit of a word for each.
pub(super) const SLOTS: usize = 64;
/// How many slots are written at once.
pub(super) const WRITTEN: usize = 8;
/// Unused bytes before the first line, so that the bytes around a line never begin before the array.
pub(super) const BEFORE: usize = 64;

/// The moves that games start with, in their slots.
pub(super) struct StartingMoves {
    line: [u16; SLOTS],
    dot: [u16; SLOTS],
    pub slots: Slots,
}

impl StartingMoves {
    /// Nothing if there are more moves than slots.
    pub fn of(start: &Start<'_>) -> Option<StartingMoves> {
        let (mut line, mut dot) = ([0; SLOTS], [0; SLOTS]);
        for (slot, &entry) in start.entries().iter().enumerate() {
            *line.get_mut(slot)? = entry as u16 % LINES as u16;
            *dot.get_mut(slot)? = (entry >> 16) as u16;
        }
        Some(StartingMoves { line, dot, slots: Slots { alive: first_slots(start.len), next: start.len } })
    }
}

/// The bits of the first `count` slots.
#[inline(always)]
fn first_slots(count: usize) -> u64 {
    if count == 0 { 0 } else { u64::MAX >> (SLOTS - count) }
}

/// Which slots are taken: those below `next`. The moves of those in `alive` are possible.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots {
    pub alive: u64,
    pub next: usize,
}

/// A position.
#[repr(C, align(64))]
pub(super) struct Position {
    /// The bytes of all lines, after [`BEFORE`] unused ones.
    pub lines: [u8; BEFORE + LINES + 64],
    /// By slot: the address of the move's line, below LINES + 8, and the number of its dot's cell.
    pub line: [u16; SLOTS + 2 * WRITTEN],
    pub dot: [u16; SLOTS + 2 * WRITTEN],
}

/// The changes by a new dot.
pub(super) struct Change<H> {
    /// The lines that have become playable: bit 8·direction + place in the word that ends at the dot.
    pub playable: u32,
    /// The bytes of the four words.
    pub holes: H,
}

/// The steps of a move that instruction sets do differently.
pub(super) trait SlotInstructions {
    /// The bytes of four words.
    type Holes;

    /// Draws a line and puts its dot. The line comes first, so that the lines which it excludes cannot become playable.
    fn draw(position: &mut Position, tables: &Tables, line: u16, dot: u16) -> Change<Self::Holes>;

    /// The slots whose moves a move makes impossible: those with the same dot, and those whose line is too near on its track.
    /// Slots that are not alive may be among them.
    fn conflicts(position: &Position, tables: &Tables, line: u16, dot: u16) -> u64;

    /// Writes the moves of the lines that have become playable, by direction and then along it, into the slots from `next` on. There must
    /// be room.
    fn write(position: &mut Position, tables: &Tables, next: usize, change: &Change<Self::Holes>, dot: u16);

    /// The slot of bit number `index`.
    fn slot_number(alive: u64, index: usize) -> usize;
}

/// `inline(always)` makes the methods part of the loops, which are compiled for the instruction set.
impl Position {
    pub const fn new() -> Position {
        let slots = [0; SLOTS + 2 * WRITTEN];
        Position { lines: [0; BEFORE + LINES + 64], line: slots, dot: slots }
    }

    /// Goes to the start.
    #[inline(always)]
    pub fn begin(&mut self, start: &Start<'_>, moves: &StartingMoves) -> Slots {
        self.lines[BEFORE..BEFORE + LINES].copy_from_slice(start.lines);
        self.line[..SLOTS].copy_from_slice(&moves.line);
        self.dot[..SLOTS].copy_from_slice(&moves.dot);
        moves.slots
    }

    /// The line and the dot of a slot's move.
    #[inline(always)]
    pub fn move_in(&self, slot: usize) -> (u16, u16) {
        (self.line[slot % SLOTS], self.dot[slot % SLOTS])
    }

    /// Plays a move; false if the game has outgrown its place.
    #[inline(always)]
    pub fn play<K: SlotInstructions>(&mut self, tables: &Tables, slots: &mut Slots, line: u16, dot: u16) -> bool {
        let change = K::draw(self, tables, line, dot);
        slots.alive &= !K::conflicts(self, tables, line, dot);
        let new = change.playable.count_ones() as usize;
        if slots.next + new > SLOTS {
            *slots = self.compact(slots.alive);
            if slots.next + new > SLOTS {
                return false;
            }
        }
        K::write(self, tables, slots.next, &change, dot);
        slots.alive |= ((1 << new) - 1) << (slots.next % SLOTS);
        slots.next += new;
        tables.rows[usize::from(dot) % CELLS].has_room
    }

    /// Moves the living to the first slots, in their order.
    #[cold]
    #[inline(never)]
    fn compact(&mut self, alive: u64) -> Slots {
        for (next, slot) in bits(alive).enumerate() {
            (self.line[next], self.dot[next]) = self.move_in(slot);
        }
        let next = alive.count_ones() as usize;
        Slots { alive: first_slots(next), next }
    }
}

/// The numbers of the bits that are set.
#[inline(always)]
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < SLOTS).then_some(bit)
    })
}

/// For every set of the last five of eight numbers of 16 bits, the shuffle that brings its members to the front.
pub(super) static TO_FRONT: [Shuffle; 32] = {
    let mut shuffles = [Shuffle([0x80; 16]); 32];
    let mut set = 0;
    while set < 32 {
        let (mut lane, mut place) = (3, 0);
        while lane < 8 {
            if set >> (lane - 3) & 1 == 1 {
                shuffles[set].0[place] = 2 * lane as u8;
                shuffles[set].0[place + 1] = 2 * lane as u8 + 1;
                place += 2;
            }
            lane += 1;
        }
        set += 1;
    }
    shuffles
};

#[derive(Clone, Copy)]
#[repr(align(16))]
pub(super) struct Shuffle(pub [u8; 16]);
