//! Left move and leftmost path as people see them.

use nestling_presentation::{Canvas, Presentation, Record};

use super::{Branch, LeftMove};
use crate::LeftmostPath;

impl Presentation for LeftMove {
    fn draw(&self, moves: &[Branch], canvas: Canvas) -> String {
        way(moves, canvas)
    }

    fn record(&self) -> Option<Record> {
        Some(all_left(self.depth()))
    }

    fn unit(&self) -> Option<&'static str> {
        Some("moves to the left")
    }
}

impl Presentation for LeftmostPath {
    fn draw(&self, moves: &[Branch], canvas: Canvas) -> String {
        way(moves, canvas)
    }

    fn record(&self) -> Option<Record> {
        Some(all_left(self.depth()))
    }

    fn unit(&self) -> Option<&'static str> {
        Some("moves on the leftmost path")
    }
}

/// The moves by their initials, in lines as wide as the canvas.
fn way(moves: &[Branch], canvas: Canvas) -> String {
    let letter = |side: &Branch| if *side == Branch::Left { 'L' } else { 'R' };
    moves.chunks(canvas.width.max(1)).flat_map(|line| line.iter().map(letter).chain(['\n'])).collect()
}

fn all_left(depth: u32) -> Record {
    Record { score: depth.into(), holder: "every move to the left".to_owned(), proven: true, bound: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_drawn_in_lines() {
        let canvas = Canvas { width: 3, color: false, ascii: true };
        assert_eq!(way(&[Branch::Left, Branch::Right, Branch::Left, Branch::Left], canvas), "LRL\nL\n");
    }
}
