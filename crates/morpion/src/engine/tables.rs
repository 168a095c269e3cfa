//! What the kernels look up instead of computing: constants of a variant and of its window of side 32.

use std::sync::OnceLock;

use crate::board::masks::Masks;
use crate::board::window::Window;
use crate::geometry::{Cell, Direction, Line, Move};
use crate::variant::Variant;

/// The window's side is 2^BITS: every known record fits in with room to spare.
pub(crate) const BITS: u32 = 5;
/// Cells of the window.
pub(super) const CELLS: usize = 1 << (2 * BITS);
/// Lines of the window, four directions for every cell.
pub(super) const LINES: usize = 4 * CELLS;

pub(super) struct Tables {
    pub masks: &'static Masks,
    /// The addresses of the four lines that start at a cell.
    pub addresses: [[u16; 4]; CELLS],
    /// Whether a dot may be put on a cell; if not, the game has outgrown the window.
    pub has_room: [bool; CELLS],
    /// By direction and hole of a move: which lines through its dot may become playable. Bit 8·direction + place.
    pub eligible: [[u32; 8]; 4],
    /// How the number of a cell changes with a step in a direction.
    pub strides: [i32; 4],
    window: Window,
}

impl Tables {
    pub fn of(variant: Variant) -> &'static Tables {
        static TABLES: [OnceLock<Box<Tables>>; 4] = [const { OnceLock::new() }; 4];
        TABLES[variant as usize].get_or_init(|| Box::new(Tables::new(variant)))
    }

    fn new(variant: Variant) -> Tables {
        let masks = Masks::of(variant);
        let window = Window::around_cross(variant, BITS);
        let mut tables = Tables {
            masks,
            addresses: [[0; 4]; CELLS],
            has_room: [false; CELLS],
            eligible: [[0; 8]; 4],
            strides: Direction::ALL.map(|direction| window.stride(direction)),
            window,
        };
        for cell in window.cells() {
            let (x, y) = window.locate(cell);
            let number = window.number(x, y) as usize;
            tables.addresses[number] = window.addresses_of(x, y).map(|address| address as u16);
            tables.has_room[number] = window.has_room_at(cell);
        }
        for direction in 0..4 {
            for hole in 0..variant.line_length() {
                let bits = (0..4).map(|other| {
                    let word = if other == direction { masks.apart[hole] } else { masks.touched };
                    crate::board::masks::packed(word) << (8 * other)
                });
                tables.eligible[direction][hole] = bits.fold(0, |all, bits| all | bits);
            }
        }
        tables
    }

    /// The line at an address.
    pub fn line(&self, address: usize) -> Line {
        let (direction, side) = (Direction::ALL[address >> (2 * BITS) & 3], 1 << BITS);
        let (track, along) = (address >> BITS & (side - 1), address & (side - 1));
        let (x, y) = match direction {
            Direction::Horizontal => (along, track),
            Direction::Vertical => (track, along),
            Direction::Falling => (along, along.wrapping_sub(track) & (side - 1)),
            Direction::Rising => (along, track.wrapping_sub(along) & (side - 1)),
        };
        Line { start: self.window.cell(x as i16, y as i16), direction }
    }

    /// The move that an entry of the list of moves stands for.
    pub fn decode(&self, entry: u32) -> Move {
        let (line, dot) = (entry & 0xffff, (entry >> 16) as usize);
        let direction = Direction::ALL[(line >> (2 * BITS)) as usize];
        let hole = u32::from(self.addresses[dot][direction as usize]) - line;
        let side = 1 << BITS;
        let cell: Cell = self.window.cell((dot % side) as i16, (dot / side) as i16);
        Move { line: Line { start: cell.along(direction, -(hole as i16)), direction }, hole: hole as u8 }
    }
}
