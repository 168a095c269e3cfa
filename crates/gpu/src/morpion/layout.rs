//! Positions and moves as the kernels see them: a board of 32 × 32 cells with the cross in its middle.

use nestling::{Problem, Weights};
use nestling_morpion::{Board, Cell, Direction, Line, Move, Variant};

/// Tracks: 32 rows, 32 columns, and 63 diagonals of either kind.
pub(crate) const TRACKS: usize = 190;

/// Codes of lines: track << 5 | first place.
pub(crate) const CODES: usize = TRACKS * 32;

/// Legal moves that a game can have at once.
pub(crate) const SLOTS: usize = 64;

/// The longest game.
pub(crate) const LONGEST: usize = 256;

/// The number of 32-bit words that store when the moves of a game were possible: one for each of 512 moves, and half a one.
pub(crate) const SPAN_WORDS: usize = 512 + 256;

/// The largest weight of a policy. Waiting times leave the range of 32-bit numbers at about 70.
pub(crate) const HEAVIEST: f64 = 60.0;

/// The side of the board.
const SIDE: i16 = 32;

/// Where the kernels' games start.
pub(crate) struct Start {
    pub words: Vec<u64>,
    pub moves: Vec<u32>,
    pub count: u32,
    frame: BoardFrame,
}

/// Where the cross lies on the board.
#[derive(Clone, Copy)]
pub(crate) struct BoardFrame {
    shift: i16,
}

impl BoardFrame {
    fn new(variant: Variant) -> BoardFrame {
        BoardFrame { shift: (SIDE - variant.box_side() as i16) / 2 }
    }

    /// A cell's index on the board; none on its rim or outside.
    fn place(self, cell: Cell) -> Option<(usize, usize)> {
        let inside = |at: i16| (1..SIDE - 1).contains(&at).then_some(at as usize);
        Some((inside(cell.x + self.shift)?, inside(cell.y + self.shift)?))
    }

    /// A move as the kernels write it: code << 11 | row << 5 | column of the dot.
    fn encode(self, played: Move) -> Option<u32> {
        let (x, y) = self.place(played.dot())?;
        let (track, at) = track(played.line.direction, x, y);
        Some(((track << 5 | (at - usize::from(played.hole))) << 11 | y << 5 | x) as u32)
    }

    /// The line with a code, if it starts on the board.
    fn line(self, code: usize) -> Option<Line> {
        let (track, first) = ((code >> 5) as i16, (code & 31) as i16);
        let (direction, x, y) = match track {
            0..32 => (Direction::Horizontal, first, track),
            32..64 => (Direction::Vertical, track - 32, first),
            64..127 => (Direction::Falling, first, first + 31 - (track - 64)),
            _ => (Direction::Rising, first, track - 127 - first),
        };
        let start = Cell { x: x - self.shift, y: y - self.shift };
        (0..SIDE).contains(&y).then_some(Line { start, direction })
    }

    /// The move that a kernel wrote.
    pub fn decode(self, written: u32) -> Move {
        let (x, y) = (written as usize & 31, written as usize >> 5 & 31);
        let (first, on_track) = (written as usize >> 11 & 31, written as usize >> 16);
        let direction = match on_track {
            0..32 => Direction::Horizontal,
            32..64 => Direction::Vertical,
            64..127 => Direction::Falling,
            _ => Direction::Rising,
        };
        let hole = (track(direction, x, y).1 - first) as u8;
        let dot = Cell { x: x as i16 - self.shift, y: y as i16 - self.shift };
        Move { line: Line { start: dot.along(direction, -i16::from(hole)), direction }, hole }
    }
}

/// The track of a cell in a direction, and its place on it.
fn track(direction: Direction, x: usize, y: usize) -> (usize, usize) {
    match direction {
        Direction::Horizontal => (y, x),
        Direction::Vertical => (32 + x, y),
        Direction::Falling => (64 + x + 31 - y, x),
        Direction::Rising => (127 + x + y, x),
    }
}

impl Start {
    /// The position after some moves; nothing where the board of the kernels is too small for it.
    pub fn new(board: &Board) -> Option<Start> {
        let (variant, frame) = (board.variant(), BoardFrame::new(board.variant()));
        let mut words = vec![0; TRACKS];
        let mut put = |cell: Cell| {
            let (x, y) = frame.place(cell)?;
            for direction in Direction::ALL {
                let (track, at) = track(direction, x, y);
                words[track] |= 1_u64 << at;
            }
            Some(())
        };
        variant
            .cross()
            .into_iter()
            .chain(board.moves_played().iter().map(|played| played.dot()))
            .try_for_each(&mut put)?;
        let taken = (1_u64 << (variant.conflict_distance() + 1)) - 1;
        for played in board.moves_played() {
            let code = frame.encode(*played)? >> 11;
            words[code as usize >> 5] |= taken << 32 << (code & 31);
        }
        let mut legal = Vec::new();
        board.legal_moves(&mut legal);
        let mut moves = legal.iter().map(|&legal| frame.encode(legal)).collect::<Option<Vec<u32>>>()?;
        let count = moves.len() as u32;
        if moves.len() > SLOTS {
            return None;
        }
        moves.resize(SLOTS, 0);
        Some(Start { words, moves, count, frame })
    }

    /// The policy with these weights as the kernels have it: the base 2 logarithms of the lines on their board. Games that use others leave
    /// the board.
    pub fn policy(&self, weights: &Weights) -> Vec<f32> {
        let weight = |code| self.frame.line(code).map_or(0.0, |line| weights.get(line.code()));
        (0..CODES).map(|code| (weight(code) * std::f64::consts::LOG2_E) as f32).collect()
    }

    /// Whether this could be a move that a kernel wrote: its line is on the board, and its dot on its line.
    pub fn is_move(written: u32) -> bool {
        let (x, y) = (written as usize & 31, written as usize >> 5 & 31);
        let (first, on_track) = (written as usize >> 11 & 31, written as usize >> 16);
        let tracks = Direction::ALL.map(|direction| track(direction, x, y));
        tracks.into_iter().any(|(track, at)| track == on_track && (first..first + 5).contains(&at))
    }

    /// The move that a kernel wrote into a pool: hole << 12 | direction << 10 | row << 5 | column of the first cell of its line.
    pub fn decode_pool_move(&self, written: u16) -> Move {
        let (direction, shift) = (Direction::ALL[usize::from(written >> 10 & 3)], self.frame.shift);
        let start = Cell { x: (written & 31) as i16 - shift, y: (written >> 5 & 31) as i16 - shift };
        Move { line: Line { start, direction }, hole: (written >> 12) as u8 }
    }

    /// The same move as a kernel writes it; nothing if it is not on the board.
    pub fn encode_pool_move(&self, played: Move) -> Option<u16> {
        let Move { line: Line { start, direction }, hole } = played;
        let on_board = |at: i16| u16::try_from(at + self.frame.shift).ok().filter(|&at| at < 32);
        let (x, y) = (on_board(start.x)?, on_board(start.y)?);
        let written = u16::from(hole) << 12 | (direction as u16) << 10 | y << 5 | x;
        self.is_pool_move(written).then_some(written)
    }

    /// Whether this could be a move that a kernel wrote into a pool: its dot is on the board and inside of its rim.
    pub fn is_pool_move(&self, written: u16) -> bool {
        written >> 12 < 5 && self.frame.place(self.decode_pool_move(written).dot()).is_some()
    }

    /// The moves that a kernel wrote.
    pub fn decode(&self, written: &[u32]) -> Vec<Move> {
        written.iter().map(|&written| self.frame.decode(written)).collect()
    }
}

#[cfg(test)]
mod tests {
    use nestling::Stream;

    use super::*;

    /// Every move of random games has the weight that the library would give it.
    #[test]
    fn policies_have_the_weights_of_the_lines() {
        let codes = (0..Line::DENSE_CODES as u64).map(|code| (code, (code % 59) as f64));
        let weights: Weights = codes.chain([(1 << 63, 3.0)]).collect();
        for variant in Variant::ALL {
            let start = Start::new(&Board::new(variant)).unwrap();
            let policy = start.policy(&weights);
            let (mut board, mut rng, mut legal) = (Board::new(variant), Stream::new(1).rng(), Vec::new());
            loop {
                board.legal_moves(&mut legal);
                for &legal in &legal {
                    let Some(written) = start.frame.encode(legal) else { continue };
                    let found = policy[written as usize >> 11] / std::f32::consts::LOG2_E;
                    assert!((f64::from(found) - weights.get(board.code(legal))).abs() < 1e-4, "{variant}: {legal:?}");
                }
                if legal.is_empty() {
                    break;
                }
                board.play(legal[rng.below(legal.len())]);
            }
        }
    }

    /// Every move of random games survives the way to the device and back.
    #[test]
    fn moves_are_written_and_read() {
        for variant in Variant::ALL {
            for game in 0..100 {
                let (mut board, mut rng, mut legal) = (Board::new(variant), Stream::new(game).rng(), Vec::new());
                loop {
                    board.legal_moves(&mut legal);
                    let Some(start) = Start::new(&board) else { break };
                    assert_eq!(start.count as usize, legal.len());
                    assert_eq!(start.decode(&start.moves[..legal.len()]), legal);
                    assert!(start.moves[..legal.len()].iter().all(|&written| Start::is_move(written)));
                    for &legal in &legal {
                        let written = start.encode_pool_move(legal);
                        assert_eq!(written.map(|written| start.decode_pool_move(written)), Some(legal));
                    }
                    let dots: u32 = start.words[..32].iter().map(|word| (*word as u32).count_ones()).sum();
                    assert_eq!(dots as usize, variant.cross().len() + board.moves_played().len());
                    if legal.is_empty() {
                        break;
                    }
                    board.play(legal[rng.below(legal.len())]);
                }
                assert!(board.moves_played().len() > 15);
            }
        }
    }
}
