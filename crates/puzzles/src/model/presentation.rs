//! Models as people see them.

use nestling::{Illegal, state_after};
use nestling_presentation::{Canvas, Presentation, list_moves, shown};
use serde_json::{Map, Value, json};

use super::Model;

/// The most elements of a list that are shown.
const MOST_SHOWN: usize = 20;

impl Presentation for Model {
    /// The moves, and the values after them.
    fn draw(&self, moves: &[u16], canvas: Canvas) -> String {
        let texts: Vec<String> =
            moves.iter().map(|&choice| self.definition.choices[usize::from(choice)].clone()).collect();
        let mut text = list_moves(&texts, canvas.width);
        for (name, numbers) in state_after(self, moves).values() {
            let some: Vec<String> = numbers.iter().take(MOST_SHOWN).map(f64::to_string).collect();
            let more = if numbers.len() > MOST_SHOWN { " …" } else { "" };
            text += &format!("{name} = {}{more}\n", some.join(" "));
        }
        text
    }

    fn view(&self, moves: &[u16]) -> Option<Value> {
        let state: Map<String, Value> =
            state_after(self, moves).values().map(|(name, numbers)| (name.to_owned(), json!(numbers))).collect();
        Some(json!({ "name": self.name(), "choices": self.definition.choices, "state": state }))
    }

    /// Looks names up.
    fn parse(&self, texts: &[&str]) -> Result<Vec<u16>, Illegal> {
        let choices = &self.definition.choices;
        let find = |(index, text): (usize, &&str)| {
            let found = choices.iter().position(|name| name == text);
            found.map(|choice| choice as u16).ok_or_else(|| {
                let reason = format!(
                    "there is no choice \"{}\"; the first of {} is {}",
                    shown(text, 30),
                    choices.len(),
                    choices[0]
                );
                Illegal { index, reason }
            })
        };
        texts.iter().enumerate().map(find).collect()
    }
}
