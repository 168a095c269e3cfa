//! The search to use if the user names none.

use std::time::Duration;

use crate::estimate::Estimate;
use crate::expression::Search;
use crate::problem::Problem;

/// The budget for which a search is suggested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// So much time.
    Time(Duration),
    /// So many playouts.
    Playouts(u64),
    /// Not known.
    Unknown,
}

impl Allowance {
    /// The allowance of a run with these budgets. If both are given, the playouts count, so that the same command gives the same search
    /// everywhere.
    pub fn new(time: Option<Duration>, playouts: Option<u64>) -> Self {
        match (time, playouts) {
            (_, Some(playouts)) => Allowance::Playouts(playouts),
            (Some(time), None) => Allowance::Time(time),
            (None, None) => Allowance::Unknown,
        }
    }
}

/// A suggested search, with the reason. From [`Problem::default_search`].
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The search.
    pub search: Search,
    /// The reason, in a sentence.
    pub reason: String,
}

impl Suggestion {
    /// A search that does not depend on the allowance.
    pub fn new(search: Search, reason: impl Into<String>) -> Self {
        Suggestion { search, reason: reason.into() }
    }

    /// NRPA restarted until the budget ends, with the options of `nrpa` and the level that suits the allowance.
    ///
    /// With time, the level is one above the highest of which a whole search fits: what one interrupted search has learned is worth more
    /// than restarts of the level below (measured, docs/DEFAULTS.md). With playouts, the level is the highest of which one search fits;
    /// that depends on their number alone, so that the same command gives the same search everywhere. With neither it is level 3.
    ///
    /// # Panics
    ///
    /// When `nrpa` is another search.
    pub fn restarted_nrpa<P: Problem>(problem: &P, allowance: Allowance, nrpa: Search) -> Self {
        let at_level = |level: u32| nrpa.clone().with("level", level);
        let (iterations, tries) = (nrpa.integer("iterations") as f64, nrpa.integer("tries") as f64);
        let games = |level: i32| iterations.powi(level) * tries;
        let highest = |fits: &dyn Fn(f64) -> bool| {
            (2..=8).take_while(|&level| fits(games(level))).last().unwrap_or(1).unsigned_abs()
        };
        let (level, why) = match allowance {
            Allowance::Playouts(playouts) => {
                let level = highest(&|games| games <= playouts as f64);
                (level, format!("level {level} takes {} playouts", games(level as i32)))
            }
            Allowance::Time(time) => {
                let first = Estimate::new(problem, &at_level(1)).map_or(f64::INFINITY, |cost| cost.seconds / games(1));
                let level = highest(&|games| first * games <= iterations * time.as_secs_f64());
                let seconds = first * games(level as i32);
                let why = format!(
                    "level {level} takes about {seconds:.1} s here; even cut off it does better than a lower level"
                );
                (level, why)
            }
            Allowance::Unknown => (3, "level 3 takes seconds to minutes for most problems".to_owned()),
        };
        let search = at_level(level).forever();
        Suggestion {
            search,
            reason: format!("NRPA learns a playout policy, and starts again until the budget ends; {why}"),
        }
    }
}
