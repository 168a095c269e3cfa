//! `lazy`: lazy nested Monte-Carlo search, short for nested steps that follow only promising moves.
//!
//! Roucairol, Arjonilla, Saffidine and Cazenave, *Lazy Nested Monte Carlo Search for Coalition Structure Generation*, 2024.

use super::{Algorithm, Argument, Form, Menu, Promising, Step, Ties};
use crate::expression::Search;

/// `lazy(l)`: lazy nested search. Level 0 is `playout`, level 1 is `nested(1)`, level l is `step(promising(lazy(l-1)))`.
pub struct Lazy;

impl Algorithm for Lazy {
    const FORM: Form = Form {
        name: "lazy",
        example: "lazy(3)",
        about: "plays a game like nested, but at each step tries only the moves that look promising in a few playouts",
        arguments: &[Argument::integer("level", 0, 32).symbol("l").about("0 is a playout, 1 is nested(1)")],
        options: &[Promising::SAMPLES, Promising::RATIO, Step::FORM.options[0], Ties::OPTION],
        menu: Some(Menu {
            title: "Lazy nested Monte-Carlo",
            about: "Like nested Monte-Carlo, but tries only moves that look promising in a few random games.",
            choice: "Level",
            choices: &["2", "3", "4"],
            usual: "3",
        }),
    };

    fn meaning(search: &Search) -> Option<Search> {
        let level = search.integer("level");
        if level == 0 {
            return Some(Search::playout().played_by(search.games.clone()));
        }
        let inner = search.clone().with("level", level - 1);
        let tries = match level {
            1 => inner.lookahead(),
            _ => {
                let (samples, ratio) = (search.integer("samples"), search.number("ratio"));
                inner.promising().samples(samples).ratio(ratio).played_by(search.games.clone())
            }
        };
        Some(tries.ties(Ties::of(search)).step().memory(search.is_on("memory")))
    }
}

impl Search {
    /// Lazy nested Monte-Carlo search.
    pub fn lazy(level: u32) -> Search {
        Search::of::<Lazy>().with("level", level)
    }
}
