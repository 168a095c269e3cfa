//! `nested`: nested Monte-Carlo search, short for nested steps and lookaheads.
//!
//! Cazenave, *Nested Monte-Carlo Search*, 2009.

use super::{Algorithm, Argument, Form, Menu, Step, Ties};
use crate::expression::Search;

/// `nested(l)`: nested Monte-Carlo search. Level 0 is `playout`, level l is `step(lookahead(nested(l-1)))`.
pub struct Nested;

impl Algorithm for Nested {
    const FORM: Form = Form {
        name: "nested",
        example: "nested(2)",
        about: "plays a game: at each step, tries every legal move with a search of the level below and plays the best",
        arguments: &[Argument::integer("level", 0, 32).symbol("l").about("0 is a playout")],
        options: &[Step::FORM.options[0], Ties::OPTION],
        menu: Some(Menu {
            title: "Nested Monte-Carlo",
            about: "Tries every move with a search of the level below, and plays the best.",
            choice: "Level",
            choices: &["1", "2", "3", "4"],
            usual: "2",
        }),
    };

    fn meaning(search: &Search) -> Option<Search> {
        let level = search.integer("level");
        let at_bottom = Search::playout().played_by(search.games.clone());
        if level == 0 {
            return Some(at_bottom);
        }
        let inner = search.clone().with("level", level - 1);
        Some(inner.lookahead().ties(Ties::of(search)).step().memory(search.is_on("memory")))
    }
}

impl Search {
    /// Nested Monte-Carlo search.
    pub fn nested(level: u32) -> Search {
        Search::of::<Nested>().with("level", level)
    }
}
