//! Left move and leftmost path as people see them.

use nestling_puzzles::left_move::{DEEPEST, Side};
use nestling_puzzles::{LeftMove, LeftmostPath};

use crate::Registry;
use crate::exhibit::{Canvas, Exhibit, Record};
use crate::format::shown;

/// Adds both to a registry.
pub(crate) fn register(registry: Registry) -> Registry {
    registry
        .with("left-move", "count the moves to the left; left-move:60 is a tree of depth 60", |text| {
            Ok(LeftMove::new(depth(text)?))
        })
        .with("leftmost-path", "count the moves before the first to the right; leftmost-path:60", |text| {
            Ok(LeftmostPath::new(depth(text)?))
        })
}

/// The depth of the papers where none is given.
fn depth(text: &str) -> Result<u32, String> {
    let depth = if text.is_empty() { Ok(60) } else { text.parse() };
    depth
        .ok()
        .filter(|depth| (1..=DEEPEST).contains(depth))
        .ok_or_else(|| format!("{:?} is no depth; give a whole number from 1 to {DEEPEST}", shown(text, 30)))
}

impl Exhibit for LeftMove {
    fn draw(&self, moves: &[Side], canvas: Canvas) -> String {
        way(moves, canvas)
    }

    fn record(&self) -> Option<Record> {
        Some(all_left(self.depth()))
    }

    fn unit(&self) -> Option<&'static str> {
        Some("moves to the left")
    }
}

impl Exhibit for LeftmostPath {
    fn draw(&self, moves: &[Side], canvas: Canvas) -> String {
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
fn way(moves: &[Side], canvas: Canvas) -> String {
    let letter = |side: &Side| if *side == Side::Left { 'L' } else { 'R' };
    moves.chunks(canvas.width.max(1)).flat_map(|line| line.iter().map(letter).chain(['\n'])).collect()
}

fn all_left(depth: u32) -> Record {
    Record { score: depth.into(), holder: "every move to the left".to_owned(), proven: true, bound: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_checked() {
        assert_eq!((depth(""), depth("7")), (Ok(60), Ok(7)));
        for wrong in ["0", "-3", "1000001", "99999999999", "seven", "6 0", "6.5"] {
            assert!(depth(wrong).unwrap_err().contains("from 1 to 1000000"), "{wrong}");
        }
    }

    #[test]
    fn games_are_drawn_in_lines() {
        let canvas = Canvas { width: 3, color: false, ascii: true };
        assert_eq!(way(&[Side::Left, Side::Right, Side::Left, Side::Left], canvas), "LRL\nL\n");
    }
}
