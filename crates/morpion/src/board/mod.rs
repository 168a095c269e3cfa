//! The fast engine: the same game as [`Rules`], kept up to date move by move.
//!
//! The board is a square window on the lattice whose side is a power of two. For every line that starts in it there is
//! one byte: bit k is set while cell k of the line has no dot, and two more bits are set once a line that was drawn
//! excludes this one. So **a line is playable when exactly one bit of its byte is set**, and that bit says where its dot
//! goes.
//!
//! Lines on the same track (the same row, column or diagonal) lie one after the other in memory; see [`window`].
//! A new dot clears bit k of the byte k places before its own, for all k and four directions: four 8-byte words. A new
//! line excludes the lines around it on its track: one 16-byte word. New moves can only be found in the four words.
//!
//! The window is never a border of the game. Dots are kept away from its edge by the length of a line, and a move that
//! would come closer first re-lays the board in a window of twice the side.

mod features;
pub(crate) mod masks;
pub(crate) mod window;

use std::fmt;

use nestling::engine::{Batch, PlayoutPolicy, Rule, play_batch};
use nestling::engine::{Learner, PriorityPlayer};
use nestling::{Allowance, Certificate, Illegal, Problem, Suggestion, digest};

use crate::engine::{self, Instructions};
use crate::geometry::{Cell, Direction, Line, Move};
use crate::notation::Reference;
use crate::rules::Rules;
use crate::suggestion;
use crate::symmetry::Symmetry;
use crate::variant::Variant;
use masks::{Masks, WORD, lone_bits, packed};
use window::Window;

/// A position, quick to copy and to play on.
///
/// [`Clone::clone_from`] reuses the memory of the position it overwrites, and playing a move does not allocate (except
/// when a game outgrows its window). Both matter to a search that plays millions of games.
///
/// ```
/// use nestling::Problem;
/// use nestling_morpion::{Board, Variant};
/// let mut board = Board::new(Variant::FiveT);
/// let mut moves = Vec::new();
/// board.legal_moves(&mut moves);
/// board.play(moves[0]);
/// assert_eq!(board.moves_played(), [moves[0]]);
/// ```
pub struct Board {
    variant: Variant,
    instructions: Instructions,
    masks: &'static Masks,
    window: Window,
    /// One byte per line, at the line's address, and padding so that words may reach beyond the last.
    lines: Vec<u8>,
    legal: Vec<Move>,
    /// The data that tell, for each legal move, whether it survives the next one.
    keys: Vec<Key>,
    played: Vec<Move>,
}

/// The address of a move's line, and the number of its dot's cell in the window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub line: u32,
    pub dot: u32,
}

impl Board {
    /// The start of a game.
    pub fn new(variant: Variant) -> Self {
        Board::laid_in(variant, Window::around_cross(variant, engine::BITS))
    }

    /// The position after some moves from the start.
    ///
    /// # Errors
    ///
    /// When the plain rules refuse one of them.
    pub fn after(variant: Variant, moves: &[Move]) -> Result<Self, Illegal> {
        let mut board = Board::new(variant);
        board.certify(moves)?;
        moves.iter().for_each(|played| board.play(*played));
        Ok(board)
    }

    /// The variant that is played.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The moves that led here.
    pub fn moves_played(&self) -> &[Move] {
        &self.played
    }

    /// The same position, its playouts played with these instructions rather than the fastest there are. The games are
    /// the same.
    #[must_use]
    pub fn with(mut self, instructions: Instructions) -> Self {
        self.instructions = instructions;
        self
    }

    /// The bytes of the lines and the keys of the moves, while the window is the one that games start in.
    pub(crate) fn in_smallest_window(&self) -> Option<(&[u8], &[Key])> {
        (self.window == Window::around_cross(self.variant, engine::BITS)).then_some((&self.lines, &self.keys))
    }

    /// The engine's word for a legal move in that window.
    pub(crate) fn entry(&self, played: Move) -> u32 {
        let Key { line, dot } = self.window.key(played);
        line | dot << 16
    }

    /// The address of a move's line in that window, and whether its dot is there.
    #[inline(always)]
    pub(crate) fn address_within(&self, played: Move) -> (usize, bool) {
        (self.window.address(played.line), self.window.has_room_at(played.dot()))
    }

    /// Plays the next game of a batch move by move, in whatever window it needs.
    pub(crate) fn play_one(&self, batch: &mut Batch<'_, Move>) {
        let game = batch.played();
        let mut board = self.clone();
        if let Some(first) = batch.first_move(game) {
            board.play(first);
        }
        let mut rng = batch.stream(game).rng();
        while !board.legal.is_empty() {
            board.play(board.legal[rng.below(board.legal.len())]);
        }
        let moves = &board.played[self.played.len()..];
        batch.record(board.score(), moves.len(), |best| best.extend_from_slice(moves));
    }

    fn laid_in(variant: Variant, window: Window) -> Self {
        let masks = Masks::of(variant);
        let mut lines = vec![masks.all_holes; window.addresses() + 16];
        for cell in variant.cross() {
            let (x, y) = window.locate(cell);
            for address in window.addresses_of(x, y) {
                for k in 0..variant.line_length() {
                    lines[address - k] &= !(1 << k);
                }
            }
        }
        let mut board = Board {
            variant,
            instructions: Instructions::fastest(),
            masks,
            window,
            lines,
            legal: Vec::with_capacity(64),
            keys: Vec::with_capacity(64),
            played: Vec::with_capacity(192),
        };
        for start in window.cells() {
            for direction in Direction::ALL {
                let (x, y) = window.locate(start);
                let holes = board.lines[window.addresses_of(x, y)[direction as usize]];
                if holes.is_power_of_two() {
                    board.legal.push(Move { line: Line { start, direction }, hole: holes.trailing_zeros() as u8 });
                }
            }
        }
        board.keys.extend(board.legal.iter().map(|legal| window.key(*legal)));
        board
    }

    /// Removes the moves that a move makes impossible: those with the same dot, and those whose line conflicts.
    #[inline]
    fn remove_conflicting(&mut self, line: u32, dot: u32) {
        let lowest = line - self.masks.conflict_distance;
        let span = 2 * self.masks.conflict_distance;
        let keys = &mut self.keys[..];
        let legal = &mut self.legal[..keys.len()];
        let mut kept = 0;
        for index in 0..keys.len() {
            let key = keys[index];
            keys[kept] = key;
            legal[kept] = legal[index];
            // Addresses on one track are consecutive, so conflicting lines are a range of them.
            kept += usize::from((key.dot != dot) & (key.line.wrapping_sub(lowest) > span));
        }
        self.keys.truncate(kept);
        self.legal.truncate(kept);
    }

    /// Puts a dot and draws a line through it. The answer has a bit for every line that becomes playable: 8·direction +
    /// the place in the direction's word.
    #[inline]
    fn draw(&mut self, dot: &[usize; 4], direction: Direction, hole: usize) -> u32 {
        // The line first, so that the lines it excludes cannot become playable.
        let start = dot[direction as usize] - hole;
        let around: &mut [u8; 16] = (&mut self.lines[start - WORD..][..16]).try_into().expect("the length of a word");
        *around = (u128::from_le_bytes(*around) | self.masks.blocked).to_le_bytes();
        let mut playable = 0;
        for (along, address) in dot.iter().enumerate() {
            let word: &mut [u8; WORD] =
                (&mut self.lines[address + 1 - WORD..][..WORD]).try_into().expect("the length of a word");
            let holes = u64::from_le_bytes(*word) & self.masks.dot;
            *word = holes.to_le_bytes();
            playable |= packed(lone_bits(holes) & self.masks.touched) << (8 * along);
        }
        playable
    }

    /// Lists the moves of the lines that have just become playable, by direction and then along it.
    #[inline]
    fn list(&mut self, mut playable: u32, dot: Cell, number: u32, addresses: &[usize; 4]) {
        while playable != 0 {
            let bit = playable.trailing_zeros();
            playable &= playable - 1;
            let direction = Direction::ALL[bit as usize / 8];
            let before = WORD - 1 - bit as usize % 8;
            let address = addresses[direction as usize] - before;
            let hole = self.lines[address].trailing_zeros();
            debug_assert_eq!(self.lines[address], 1 << hole);
            let start = dot.along(direction, -(before as i16));
            self.legal.push(Move { line: Line { start, direction }, hole: hole as u8 });
            let steps = (hole as i32 - before as i32) * self.window.stride(direction);
            self.keys.push(Key { line: address as u32, dot: number.wrapping_add_signed(steps) });
        }
    }

    /// Re-lays the board in a window of twice the side.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let larger = self.window.grown(self.variant);
        let mut lines = vec![self.masks.all_holes; larger.addresses() + 16];
        for cell in self.window.cells() {
            let (x, y) = self.window.locate(cell);
            let (new_x, new_y) = larger.locate(cell);
            for (old, new) in self.window.addresses_of(x, y).into_iter().zip(larger.addresses_of(new_x, new_y)) {
                lines[new] = self.lines[old];
            }
        }
        self.lines = lines;
        self.window = larger;
        self.keys.clear();
        self.keys.extend(self.legal.iter().map(|legal| larger.key(*legal)));
    }
}

impl Problem for Board {
    type Move = Move;

    const PLAIN_TEXTS: bool = true;

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        moves.extend_from_slice(&self.legal);
    }

    /// Plays a legal move. The effect of an illegal one is not defined; debug builds panic.
    #[inline]
    fn play(&mut self, played: Move) {
        let dot = played.dot();
        if !self.window.has_room_at(dot) {
            self.grow();
        }
        let (x, y) = self.window.locate(dot);
        let addresses = self.window.addresses_of(x, y);
        let number = self.window.number(x, y);
        let direction = played.line.direction;
        let hole = usize::from(played.hole);
        let line = addresses[direction as usize] - hole;
        debug_assert_eq!(self.lines[line], 1 << hole, "{} is illegal", self.move_text(played));
        self.remove_conflicting(line as u32, number);
        let playable = self.draw(&addresses, direction, hole);
        self.list(playable, dot, number, &addresses);
        self.played.push(played);
    }

    #[inline]
    fn score(&self) -> f64 {
        self.played.len() as f64
    }

    #[inline]
    fn code(&self, played: Move) -> u64 {
        played.line.code()
    }

    fn dense_codes(&self) -> usize {
        Line::DENSE_CODES
    }

    /// The least of the codes of the eight images of the line.
    fn symmetric_code(&self, played: Move) -> Option<u64> {
        Symmetry::ALL.iter().map(|symmetry| symmetry.line(self.variant, played.line).code()).min()
    }

    fn feature_count(&self) -> usize {
        features::count(self.variant.line_length())
    }

    fn features(&self, played: Move, features: &mut Vec<u32>) {
        self.list_features(played, features);
    }

    fn bound(&self) -> Option<f64> {
        Some(self.variant.bound().moves.into())
    }

    fn default_search(&self, allowance: Allowance) -> Suggestion {
        suggestion::default_search(self, allowance)
    }

    fn move_text(&self, played: Move) -> String {
        Reference::STANDARD.move_text(self.variant, played)
    }

    /// Replays by [`Rules`] the moves that led here and then `moves`; the score counts both.
    fn certify(&self, moves: &[Move]) -> Result<Certificate, Illegal> {
        let mut rules = Rules::new(self.variant);
        rules.replay(&self.played, Reference::STANDARD).map_err(|Illegal { index, reason }| Illegal {
            index: 0,
            reason: format!("the position before it is illegal: at its move {}, {reason}", index + 1),
        })?;
        rules.certify(moves)
    }

    fn learner(&self, rule: Rule) -> Option<Box<dyn Learner<Move> + '_>> {
        if rule == Rule::Uniform { engine::learner(self, self.instructions) } else { None }
    }

    fn priority_player(&self) -> Option<Box<dyn PriorityPlayer<Move> + '_>> {
        engine::priority_player(self, self.instructions)
    }

    /// By the dots alone: games with the same dots and other lines are much alike, and one of them is enough.
    fn key(&self, moves: &[Move]) -> u64 {
        moves.iter().fold(0, |key, played| key ^ played.dot().random_word())
    }

    /// The lines that have been drawn: the dots follow from them.
    fn position(&self) -> Option<u128> {
        Some(self.played.iter().fold(0, |position, played| position ^ digest([played.line.code()])))
    }

    /// Uniform games, and those by weights of codes, are the engine's.
    fn playouts(&self, batch: &mut Batch<'_, Move>) {
        let PlayoutPolicy { rule, weights } = batch.policy();
        let taken = *rule == Rule::Uniform
            && match weights {
                None => engine::playouts(self, batch, self.instructions),
                Some(weights) if weights.network().is_some() => false,
                Some(weights) => engine::weighted::playouts(self, batch, weights, self.instructions),
            };
        if !taken {
            play_batch(self, batch);
        }
    }
}

/// The game rather than the memory.
impl fmt::Debug for Board {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Board { variant, played, .. } = self;
        formatter.debug_struct("Board").field("variant", variant).field("played", played).finish_non_exhaustive()
    }
}

impl Clone for Board {
    fn clone(&self) -> Self {
        let mut copy = Board {
            lines: Vec::new(),
            legal: Vec::with_capacity(self.legal.capacity()),
            keys: Vec::with_capacity(self.keys.capacity()),
            played: Vec::with_capacity(self.played.capacity()),
            ..*self
        };
        copy.clone_from(self);
        copy
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        let Board { variant, instructions, masks, window, lines, legal, keys, played } = source;
        (self.variant, self.instructions, self.masks, self.window) = (*variant, *instructions, masks, *window);
        self.lines.clone_from(lines);
        self.legal.clone_from(legal);
        self.keys.clone_from(keys);
        self.played.clone_from(played);
    }
}

#[cfg(test)]
mod tests;
