//! The level of a puzzle: that of the hardest technique that it needs.

use std::fmt;
use std::str::FromStr;

use super::{Deduction, LogicTechnique, Position};

/// How hard a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The easiest techniques solve it.
    Easy,
    /// It needs a technique of the middle.
    Medium,
    /// It needs a hard technique.
    Hard,
    /// It needs one of the hardest techniques of the table.
    Expert,
    /// The techniques of the table do not solve it.
    Extreme,
}

impl Level {
    /// All levels, the easiest first.
    pub const ALL: [Level; 5] = [Level::Easy, Level::Medium, Level::Hard, Level::Expert, Level::Extreme];

    /// Its name.
    pub fn name(self) -> &'static str {
        ["easy", "medium", "hard", "expert", "extreme"][self as usize]
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that is not the name of a level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no level {0:?}; the levels are easy, medium, hard, expert and extreme")]
pub struct UnknownLevel(String);

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<Self, UnknownLevel> {
        let unknown = || UnknownLevel(text.chars().take(30).collect());
        Level::ALL.into_iter().find(|level| level.name() == text).ok_or_else(unknown)
    }
}

/// How far techniques lead in a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grading {
    /// Its level.
    pub level: Level,
    /// The techniques that were used, the easiest first, and how often each.
    pub used: Vec<(&'static str, usize)>,
    /// The cells that are free where no technique leads further.
    pub free: usize,
}

impl fmt::Display for Grading {
    /// `hard: 51 hidden singles …`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used: Vec<String> = self.used.iter().map(|(name, count)| format!("{name} × {count}")).collect();
        write!(f, "{}", used.join(", "))?;
        match self.free {
            0 => Ok(()),
            1 => write!(f, "; these leave 1 cell"),
            free => write!(f, "; these leave {free} cells"),
        }
    }
}

/// Solves as far as the techniques up to a level lead.
pub(crate) fn grade(mut position: Position, techniques: &[LogicTechnique], highest: Level) -> Grading {
    let counts = advance(&mut position, techniques, highest);
    let used: Vec<usize> = (0..techniques.len()).filter(|&index| counts[index] > 0).collect();
    let free = position.free();
    let level = match free {
        0 => used.iter().map(|&index| techniques[index].level).max().unwrap_or(Level::Easy),
        _ => Level::Extreme,
    };
    Grading { level, used: used.iter().map(|&index| (techniques[index].name, counts[index])).collect(), free }
}

/// Makes all deductions of the techniques up to a level; returns how often each was used.
pub(crate) fn advance(position: &mut Position, techniques: &[LogicTechnique], highest: Level) -> Vec<usize> {
    let mut counts = vec![0; techniques.len()];
    while let Some((index, found)) = first(position, techniques, highest) {
        counts[index] += 1;
        position.apply(&found);
    }
    counts
}

/// The first technique that finds something, and what.
fn first(position: &Position, techniques: &[LogicTechnique], highest: Level) -> Option<(usize, Deduction)> {
    // Where a cell has no value left, nothing follows any more.
    if (0..position.sets.len()).any(|cell| position.is_free(cell) && position.sets[cell] == 0) {
        return None;
    }
    let allowed = techniques.iter().enumerate().filter(|(_, technique)| technique.level <= highest);
    allowed.filter_map(|(index, technique)| Some((index, (technique.find)(position)?))).next()
}

/// What leads to the next value, each with its technique: only what the value relies on, the value itself last. If no value can be
/// found: everything that can be excluded.
pub(crate) fn next_steps<'a>(
    position: &Position,
    techniques: &'a [LogicTechnique],
) -> Vec<(&'a LogicTechnique, Deduction)> {
    let (mut now, mut steps) = (position.clone(), Vec::new());
    while let Some((index, found)) = first(&now, techniques, Level::Extreme) {
        now.apply(&found);
        let is_value = found.assigned.is_some();
        steps.push((&techniques[index], found));
        if is_value {
            return needed(steps);
        }
    }
    steps
}

/// The last step, and those before it that it relies on, directly or not.
fn needed(steps: Vec<(&LogicTechnique, Deduction)>) -> Vec<(&LogicTechnique, Deduction)> {
    let mut relied_on: Vec<(usize, u64)> = Vec::new();
    let mut kept = Vec::new();
    for (technique, found) in steps.into_iter().rev() {
        let helps = |&(cell, values): &(usize, u64)| {
            relied_on.iter().any(|&(other, missing)| cell == other && values & missing != 0)
        };
        if kept.is_empty() || found.excluded.iter().any(helps) {
            relied_on.extend(&found.relies_on);
            kept.push((technique, found));
        }
    }
    kept.reverse();
    kept
}
