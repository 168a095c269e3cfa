//! Tables for the kernels: constants of a variant and of its window of side 32.

use std::sync::OnceLock;

use nestling::engine::Batch;

use crate::board::Board;
use crate::board::masks::{Masks, WORD, packed};
use crate::board::window::Window;
use crate::geometry::{Direction, Line, Move};
use crate::variant::Variant;

/// The window's side is 2^BITS. The cross has eight or nine cells of room on each side, which is enough for nearly all games
/// that searches play.
pub(crate) const BITS: u32 = 5;
/// Cells of the window.
pub(super) const CELLS: usize = 1 << (2 * BITS);
/// Lines of the window, four directions for every cell.
pub(super) const LINES: usize = 4 * CELLS;

pub(super) struct Tables {
    pub masks: Masks,
    /// By cell.
    pub rows: [Row; CELLS],
    /// Which lines of the words of a dot reach it: bit 8·direction + place.
    pub touched: u32,
    /// How the number of a cell changes with a step in a direction.
    pub strides: [i32; 4],
    /// The same for every place of the words of two directions and of the other two.
    #[cfg_attr(not(any(target_arch = "x86_64", target_feature = "simd128")), expect(dead_code, reason = "for slots"))]
    pub strides_by_place: [[i16; 16]; 2],
    /// One more than the distance of lines that conflict, sixteen times.
    #[cfg_attr(not(any(target_arch = "x86_64", target_feature = "simd128")), expect(dead_code, reason = "for slots"))]
    pub far: [i16; 16],
    /// The lines by their addresses.
    pub lines: Vec<Line>,
    /// Their codes, and the numbers of the cells where they start.
    pub codes: [u16; LINES],
    pub starts: [u16; LINES],
}

/// The constants of a cell.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub(super) struct Row {
    /// Where the words of a dot on it begin, in each direction: the address of the line that starts at the dot, less seven. Below LINES.
    pub words: [u16; 4],
    /// Whether a dot may be put on it; if not, the game has outgrown the window.
    pub has_room: bool,
}

impl Tables {
    pub fn of(variant: Variant) -> &'static Tables {
        static TABLES: [OnceLock<Box<Tables>>; 4] = [const { OnceLock::new() }; 4];
        TABLES[variant as usize].get_or_init(|| Box::new(Tables::new(variant)))
    }

    fn new(variant: Variant) -> Tables {
        let masks = *Masks::of(variant);
        let window = Window::around_cross(variant, BITS);
        let mut tables = Tables {
            masks,
            rows: [Row::default(); CELLS],
            touched: packed(masks.touched) * 0x0101_0101,
            strides: Direction::ALL.map(|direction| window.stride(direction)),
            strides_by_place: [0, 2]
                .map(|first| std::array::from_fn(|place| window.stride(Direction::ALL[first + place / WORD]) as i16)),
            far: [masks.conflict_distance as i16 + 1; 16],
            lines: (0..LINES).map(|address| line(&window, address)).collect(),
            codes: std::array::from_fn(|address| {
                let code = line(&window, address).code();
                u16::try_from(code).expect("the window lies where codes are dense")
            }),
            starts: std::array::from_fn(|address| {
                let (x, y) = window.locate(line(&window, address).start);
                window.number(x, y) as u16
            }),
        };
        for cell in window.cells() {
            let (x, y) = window.locate(cell);
            let number = window.number(x, y) as usize;
            let words = window.addresses_of(x, y).map(|address| ((address + LINES + 1 - WORD) % LINES) as u16);
            tables.rows[number] = Row { words, has_room: window.has_room_at(cell) };
        }
        tables
    }

    /// The move that an entry of the list of moves stands for.
    #[inline]
    pub fn decode(&self, entry: u32) -> Move {
        let (address, dot) = (entry as usize % LINES, (entry >> 16) as usize % CELLS);
        let line = self.lines[address];
        let hole = usize::from(self.rows[dot].words[line.direction as usize]) + WORD - 1 - address;
        Move { line, hole: hole as u8 }
    }

    /// Records a game of a batch that starts at a board.
    pub fn record(&self, board: &Board, game: &[u32], batch: &mut Batch<'_, Move>) {
        let score = (board.moves_played().len() + game.len()) as f64;
        batch.record(score, game.len(), |moves| moves.extend(game.iter().map(|&entry| self.decode(entry))));
    }
}

/// The line at an address.
fn line(window: &Window, address: usize) -> Line {
    let (direction, side) = (Direction::ALL[address >> (2 * BITS) & 3], 1 << BITS);
    let (track, along) = (address >> BITS & (side - 1), address & (side - 1));
    let (x, y) = match direction {
        Direction::Horizontal => (along, track),
        Direction::Vertical => (track, along),
        Direction::Falling => (along, along.wrapping_sub(track) & (side - 1)),
        Direction::Rising => (along, track.wrapping_sub(along) & (side - 1)),
    };
    Line { start: window.cell(x as i16, y as i16), direction }
}
