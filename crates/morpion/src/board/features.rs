//! The features of a move for a network: the lines through its dot, relative to the move.
//!
//! All positions are seen from the move's line: its own direction first, then the one across, then the two between. The view is turned, and
//! reversed if the dot is in the second half of the line, so that positions that are turned or mirrored look alike as far as
//! a line tells them apart.

use super::Board;
use crate::geometry::{Direction, Move};

/// The longest line.
const LONGEST: usize = 5;

/// How many features there are with lines of this length: the lines through the dot, in four directions, each with its look; and the move's own
/// line, straight or diagonal, with the place of its dot as seen from the nearer end.
pub(super) const fn count(length: usize) -> usize {
    4 * length * looks(length) + 2 * length.div_ceil(2)
}

/// The states of a line through the dot: excluded, or one of the sets of its cells that have no dot.
const fn looks(length: usize) -> usize {
    1 + (1 << length)
}

/// A direction as a move sees it, and whether it runs the other way.
type Seen = (Direction, bool);

/// The four directions as moves see them: by the direction of the move's line, and whether it is seen from its end.
const VIEWS: [[[Seen; 4]; 2]; 4] = {
    let mut views = [[[(Direction::Horizontal, false); 4]; 2]; 4];
    let mut own = 0;
    while own < 4 {
        let (x, y) = Direction::ALL[own].step();
        views[own] = [view(x, y), view(-x, -y)];
        own += 1;
    }
    views
};

/// The directions as seen by a line with this step: along it, across, and between.
const fn view(x: i16, y: i16) -> [Seen; 4] {
    [seen(x, y), seen(-y, x), seen(x - y, x + y), seen(x + y, y - x)]
}

/// The direction that a vector has.
const fn seen(x: i16, y: i16) -> Seen {
    let (x, y) = (x.signum(), y.signum());
    let mut index = 0;
    loop {
        let direction = Direction::ALL[index];
        let (dx, dy) = direction.step();
        if dx == x && dy == y {
            return (direction, false);
        }
        if dx == -x && dy == -y {
            return (direction, true);
        }
        index += 1;
    }
}

/// How lines of four and of five look, by their bytes: from their start, and from their end. An excluded line looks like 0.
static LOOKS_OF: [[[u8; 256]; 2]; 2] = [looks_of(LONGEST - 1), looks_of(LONGEST)];

const fn looks_of(length: usize) -> [[u8; 256]; 2] {
    let mut looks = [[0; 256]; 2];
    let mut holes = 0;
    while holes < 1 << length {
        looks[0][holes] = 1 + holes as u8;
        looks[1][holes] = 1 + ((holes as u8).reverse_bits() >> (8 - length));
        holes += 1;
    }
    looks
}

impl Board {
    /// Lists the features of a legal move.
    pub(super) fn list_features(&self, played: Move, features: &mut Vec<u32>) {
        let dot = played.dot();
        if !self.window.has_room_at(dot) {
            let mut larger = self.clone();
            larger.grow();
            return larger.list_features(played, features);
        }
        let (x, y) = self.window.locate(dot);
        let addresses = self.window.addresses_of(x, y);
        let length = self.variant.line_length();
        let (own, hole) = (played.line.direction, usize::from(played.hole));
        let reversed = 2 * hole > length - 1;
        let tables = &LOOKS_OF[length + 1 - LONGEST];
        for (place, (direction, backwards)) in VIEWS[own as usize][usize::from(reversed)].into_iter().enumerate() {
            let (address, table) = (addresses[direction as usize], &tables[usize::from(backwards)]);
            // Line k has the dot in its cell number k, as it is seen.
            let lines = &self.lines[address + 1 - length..=address];
            let look = |(k, &line): (usize, &u8)| {
                ((place * length + k) * looks(length)) as u32 + u32::from(table[usize::from(line)])
            };
            match backwards {
                true => features.extend(lines.iter().enumerate().map(look)),
                false => features.extend(lines.iter().rev().enumerate().map(look)),
            }
        }
        let from_end = hole.min(length - 1 - hole);
        let is_diagonal = own as usize / 2;
        features.push((4 * length * looks(length) + is_diagonal * length.div_ceil(2) + from_end) as u32);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::symmetry::Symmetry;
    use crate::variant::Variant;
    use nestling::{Problem, Stream};

    fn features(board: &Board, played: Move) -> Vec<u32> {
        let mut features = Vec::new();
        board.features(played, &mut features);
        features.sort_unstable();
        features
    }

    /// A move and its images have the same features, except for mirroring across its own line.
    #[test]
    fn images_look_alike() {
        for variant in Variant::ALL {
            let mut rng = Stream::new(4).rng();
            let mut board = Board::new(variant);
            let mut images: Vec<Board> = Symmetry::ALL.iter().map(|_| Board::new(variant)).collect();
            loop {
                for &legal in &board.legal {
                    let looks: BTreeSet<_> = Symmetry::ALL
                        .iter()
                        .zip(&images)
                        .map(|(symmetry, image)| features(image, symmetry.played(variant, legal)))
                        .collect();
                    // A line whose dot is in its middle does not say from which end it is seen.
                    let in_middle = 2 * usize::from(legal.hole) + 1 == variant.line_length();
                    assert!(
                        looks.len() <= if in_middle { 4 } else { 2 },
                        "{variant}: {legal:?} has {} looks",
                        looks.len()
                    );
                }
                if board.legal.is_empty() {
                    break;
                }
                let played = board.legal[rng.below(board.legal.len())];
                board.play(played);
                for (symmetry, image) in Symmetry::ALL.iter().zip(&mut images) {
                    image.play(symmetry.played(variant, played));
                }
            }
        }
    }

    /// The window a position lies in does not show.
    #[test]
    fn windows_do_not_matter() {
        let mut rng = Stream::new(5).rng();
        let mut board = Board::new(Variant::FiveT);
        while !board.legal.is_empty() {
            let mut larger = board.clone();
            larger.grow();
            for &legal in &board.legal {
                assert_eq!(features(&board, legal), features(&larger, legal));
            }
            board.play(board.legal[rng.below(board.legal.len())]);
        }
    }
}
