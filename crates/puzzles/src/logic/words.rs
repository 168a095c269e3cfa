//! Deductions in words.

use nestling_presentation::MoveReason;

use super::grading::next_steps;
use super::{Deduction, LogicTechnique, Position};
use crate::domains::{name, values};

/// The steps to the next value, in words; see [`next_steps`].
pub(crate) fn reasons(mut position: Position, techniques: &[LogicTechnique]) -> Vec<MoveReason> {
    let mut told = Vec::new();
    for (technique, found) in next_steps(&position, techniques) {
        told.push(found.reason(technique, &position));
        position.apply(&found);
    }
    told
}

/// A list of words: `1, 2 and 3`.
fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn digits(set: u64) -> String {
    list(&values(set).map(|value| value.to_string()).collect::<Vec<_>>())
}

impl Deduction {
    /// What was found, and where, for people. `before` is the position in which it was found.
    fn reason(&self, technique: &LogicTechnique, before: &Position) -> MoveReason {
        let cell = |cell: usize| before.name(cell);
        let move_text = |cell: usize, value: u8| format!("{}={value}", name(cell, before.width, before.first));
        MoveReason {
            technique: technique.name.to_owned(),
            level: technique.level.name().to_owned(),
            words: self.words(technique, before),
            cells: self.cells.iter().map(|&found| cell(found)).collect(),
            played: self.assigned.map(|(cell, value)| move_text(cell, value)),
            excluded: self
                .excluded
                .iter()
                .flat_map(|&(cell, set)| values(set).map(move |value| move_text(cell, value)))
                .collect(),
        }
    }

    fn words(&self, technique: &LogicTechnique, before: &Position) -> String {
        let cells = list(&self.cells.iter().map(|&cell| before.name(cell)).collect::<Vec<_>>());
        let units: Vec<String> = self.units.iter().map(|&unit| before.units[unit].name.clone()).collect();
        let unit = || units.first().cloned().unwrap_or_default();
        let sum = || self.units.first().and_then(|&unit| before.units[unit].sum).unwrap_or(0);
        let values = digits(self.values);
        let out: Vec<String> = self
            .excluded
            .iter()
            .map(|&(cell, set)| format!("{} is not {}", before.name(cell), digits(set).replace(" and ", " or ")))
            .collect();
        let out = list(&out);
        match technique.name {
            "naked single" => format!("{cells} can only be {values}."),
            "hidden single" => format!("In {} only {cells} can be {values}.", unit()),
            "pointing" | "claiming" => {
                format!("In {} {values} must be in {}: {out}.", unit(), units.last().cloned().unwrap_or_default())
            }
            name if name.starts_with("naked") => format!("In {} {cells} have {values} between them: {out}.", unit()),
            name if name.starts_with("hidden") => format!("In {} only {cells} can have {values}: {out}.", unit()),
            "X-wing" | "swordfish" => {
                let (from, across) = units.split_at(units.len() / 2);
                format!("In {} {values} is possible in {} alone: {out}.", list(from), list(across))
            }
            "XY-wing" => {
                let [pivot, one, other] = self.cells[..] else { return out };
                let [pivot, one, other] = [pivot, one, other].map(|cell| before.name(cell));
                format!("Whatever {pivot} is, {one} or {other} is {values}: {out}.")
            }
            "forced sum" => format!("{}: {} is the sum of {values} alone: {out}.", unit(), sum()),
            "sets of a sum" => format!("{}: no set of values with the sum {} fits: {out}.", unit(), sum()),
            "bounds of a sum" => {
                format!("{}: with the sum {}, other cells cannot make up for it: {out}.", unit(), sum())
            }
            _ => format!("{}: in no arrangement with the sum {}: {out}.", unit(), sum()),
        }
    }
}
