//! From a name to a problem.

use nestling_presentation::Meaning;

use super::{Reads, Registry};
use crate::format::shown;
use crate::instance::Instance;
use crate::parameters::{self, Reach};

/// Why a name does not lead to a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// There is no problem of that name.
    #[error("there is no problem \"{name}\"; {}", hint(nearest, known))]
    Unknown {
        /// The name asked for.
        name: String,
        /// The names that look like it.
        nearest: Vec<String>,
        /// All names.
        known: Vec<String>,
    },
    /// The problem exists, its parameters make no sense.
    #[error("{name}: {reason}")]
    Parameters {
        /// The name of the problem.
        name: String,
        /// The error.
        reason: String,
    },
    /// The problem is well posed, and it is known that it has no solution.
    #[error("{name}: {reason}")]
    Unsolvable {
        /// The name of the problem.
        name: String,
        /// Why there is none.
        reason: String,
    },
}

/// Why parameters do not define a problem. A message converts to [`Refusal::Parameters`], for `?` and `into`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The parameters are invalid, or the file that they name cannot be read.
    Parameters(String),
    /// They are valid, but the puzzle has no solution.
    Unsolvable(String),
}

impl From<&str> for Refusal {
    fn from(reason: &str) -> Self {
        Refusal::Parameters(reason.to_owned())
    }
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Refusal::Parameters(reason)
    }
}

fn hint(nearest: &[String], known: &[String]) -> String {
    match nearest {
        [] => format!("there are {}", known.join(", ")),
        names => format!("did you mean {}?", names.join(" or ")),
    }
}

/// The problem that reads models.
const MODEL: &str = "model";

/// As many instances of a collection as people choose from.
const MOST: usize = 100;

impl<S, W> Registry<S, W> {
    /// Opens `name` or `name:parameters`, or a model by its path alone, if it ends in `.toml`.
    ///
    /// ```
    /// use nestling_registry::Registry;
    /// let registry = Registry::standard();
    /// let missing = registry.open("nowhere/plan.toml").err().unwrap().to_string();
    /// assert_eq!(missing, "model: nowhere/plan.toml: no such file, here or in model/ of NESTLING_DATA");
    /// ```
    pub fn open(&self, text: &str) -> Result<Box<dyn Instance>, OpenError> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let named = |name: &str| self.entries.iter().find(|entry| entry.name == name);
        let (entry, name, parameters) = match named(name) {
            None if text.ends_with(".toml") => (named(MODEL), MODEL, text),
            entry => (entry, name, parameters),
        };
        let is_unknown = entry.is_none_or(|entry| entry.reads == Reads::Anything);
        if self.sealed && is_unknown && !parameters::are_options(parameters) {
            let (name, reason) = (shown(name, 60), parameters::NO_FILES.to_owned());
            return Err(OpenError::Parameters { name, reason });
        }
        let reach = if self.sealed { Reach::Collections } else { Reach::Anywhere };
        entry.map_or_else(|| Err(self.unknown(name)), |entry| (entry.open)(parameters, reach))
    }

    /// Whether a name stands for a puzzle on standard input: `sudoku:-`, `sudoku:-#2`, `samegame:-,penalty=on`. The caller of `open` reads
    /// that first, and makes it part of the name by [`with_input`](crate::with_input).
    ///
    /// ```
    /// use nestling_registry::Registry;
    /// let registry = Registry::standard();
    /// assert!(registry.asks_for_input("sudoku:-") && registry.asks_for_input("samegame:-#2,penalty=on"));
    /// assert!(!registry.asks_for_input("sudoku:-x.txt") && !registry.asks_for_input("left-move:-"));
    /// ```
    pub fn asks_for_input(&self, name: &str) -> bool {
        let (problem, parameters) = name.split_once(':').unwrap_or((name, ""));
        let reads_puzzles = self.entries.iter().any(|entry| entry.name == problem && entry.reads == Reads::Puzzles);
        let rest = parameters.strip_prefix('-');
        reads_puzzles && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([',', '#']))
    }

    /// What a score of `name` or `name:parameters` means, if the number needs an explanation; `proven` if the score is optimal. The problem
    /// is not opened: the file that it is in may be gone.
    ///
    /// ```
    /// use nestling_registry::Registry;
    /// let meaning = Registry::standard().meaning("tsptw:gone.csv", 3_000_170.7107, false).unwrap();
    /// assert_eq!(meaning.words, "3 windows missed, length 170.71");
    /// ```
    pub fn meaning(&self, name: &str, score: f64, proven: bool) -> Option<Meaning> {
        let name = name.split(':').next().unwrap_or(name);
        self.entries.iter().find(|entry| entry.name == name).and_then(|entry| (entry.meaning)(score, proven))
    }

    /// The names of the collections of a problem's instances among the benchmark data, and how many each has.
    pub fn collections(&self, problem: &str) -> Vec<(String, usize)> {
        let names = parameters::collections(problem);
        let count =
            |name: &String| (1..=MOST).take_while(|n| self.open(&format!("{problem}:{name}#{n}")).is_ok()).count();
        names.into_iter().map(|name| (count(&name), name)).filter(|(n, _)| *n > 0).map(|(n, name)| (name, n)).collect()
    }

    fn unknown(&self, name: &str) -> OpenError {
        let name: String = name.chars().take(60).flat_map(char::escape_debug).collect();
        let lower = name.to_lowercase();
        let known: Vec<String> = self.entries.iter().map(|entry| entry.name.clone()).collect();
        let distance = |known: &String| match strsim::damerau_levenshtein(&lower, known) {
            far if far > 2 && lower.len() > 1 && known.contains(&lower) => 2,
            distance => distance,
        };
        let least = known.iter().map(distance).min().filter(|&least| least <= 2);
        let nearest = known.iter().filter(|known| Some(distance(known)) == least).cloned().collect();
        OpenError::Unknown { name, nearest, known }
    }
}
