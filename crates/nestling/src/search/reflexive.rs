//! `reflexive`: reflexive Monte-Carlo search, short for nested steps and repetitions.
//!
//! Cazenave, *Reflexive Monte-Carlo Search*, 2007.

use super::{Algorithm, Argument, Form, Menu, Type};
use crate::expression::Search;

/// `reflexive(n1, n2, …)`: `reflexive(n1)` is `step(repeat(n1, playout))`, `reflexive(n1, n2)` is `step(repeat(n2, reflexive(n1)))`.
pub struct Reflexive;

/// How many counts there may be. It also bounds how deep the meaning is nested.
const MOST: usize = 32;

impl Algorithm for Reflexive {
    const FORM: Form = Form {
        name: "reflexive",
        example: "reflexive(100, 1000)",
        about: "plays a whole game: at level 1, makes n1 playouts before each move; at level 2, plays n2 games of level 1 before each move; and so on",
        arguments: &[Argument::of("count", Type::Integers { most: MOST })
            .symbol("n")
            .about("games before each move, level 1 first")],
        menu: Some(Menu {
            title: "Reflexive Monte-Carlo",
            about: "Plays many random games before each move of a game, and many such games before each move of a game of the next level.",
            choice: "Games",
            choices: &["100", "1000", "100, 10", "100, 1000"],
            usual: "100",
        }),
        ..Form::EMPTY
    };

    fn meaning(search: &Search) -> Option<Search> {
        let at_bottom = Search::playout().played_by(search.games.clone());
        let Some((&times, below)) = search.integers("count").split_last() else { return Some(at_bottom) };
        let inner = if below.is_empty() { at_bottom } else { search.clone().with("count", below.to_vec()) };
        Some(inner.repeat(times).step())
    }
}

impl Search {
    /// Reflexive Monte-Carlo search; `counts` begins with the games per step at the ground level.
    ///
    /// ```
    /// use nestling::Search;
    /// assert_eq!(Search::reflexive([100, 1000]).to_string(), "reflexive(100, 1000)");
    /// ```
    pub fn reflexive(counts: impl Into<Vec<u64>>) -> Search {
        Search::of::<Reflexive>().with("count", counts.into())
    }
}
