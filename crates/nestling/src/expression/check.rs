//! What a search may ask for: the same limits, and the same words, for parsed text and for searches built in Rust.

use std::fmt::Display;

use super::{Kind, Search};

/// Why a search cannot be run, whatever the problem. From [`Search::check`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct InvalidSearch {
    /// One line that names the culprit, such as `the level of nested must be at most 32, found 40`.
    pub message: String,
}

/// How deep searches may be nested: far beyond any use, and safe for recursion on any stack.
pub(crate) const MAX_DEPTH: usize = 64;
pub(super) const TOO_DEEP: &str = "expected searches nested at most 64 deep, found a deeper one";
/// As for the levels of `nested`; it also bounds the depth of the expansion.
pub(super) const MAX_COUNTS: usize = 32;
pub(super) const TOO_MANY_COUNTS: &str = "expected at most 32 counts of reflexive, found more";

/// The range of a whole number and what to call it.
pub(crate) struct Limit {
    pub what: &'static str,
    pub least: u64,
    pub most: u64,
    pub remedy: &'static str,
}

pub(crate) const fn at_least_one(what: &'static str) -> Limit {
    Limit { what, least: 1, most: u64::MAX, remedy: "" }
}

pub(super) const REPEAT: Limit = at_least_one("the count of repeat");
pub(super) const MEAN: Limit = at_least_one("the count of mean");
pub(super) const REFLEXIVE: Limit = at_least_one("a count of reflexive");
pub(super) const ITERATIONS: Limit = at_least_one("iterations of nrpa");
pub(super) const TRIES: Limit = Limit { most: 1_000_000, ..at_least_one("tries of nrpa") };
pub(super) const SAMPLES: Limit = at_least_one("samples of beam");
pub(super) const TREES: Limit = Limit { most: 1024, ..at_least_one("trees of uct") };
pub(super) const WIDTH: Limit = Limit { most: 1_000_000, ..at_least_one("the width of beam") };
pub(super) const SIMULATIONS: Limit = Limit {
    most: 100_000_000,
    remedy: " (its tree would not fit in memory; use repeat(k, uct(n)))",
    ..at_least_one("the simulations of uct")
};
pub(super) const NESTED_LEVEL: Limit = Limit { what: "the level of nested", least: 0, most: 32, remedy: "" };
pub(super) const NRPA_LEVEL: Limit = Limit { what: "the level of nrpa", ..NESTED_LEVEL };

impl Limit {
    /// The value, or why not; `None` is a number beyond `u64`, `found` how to show it.
    pub fn check(&self, value: Option<u64>, found: impl Display) -> Result<u64, String> {
        let Limit { what, least, most, remedy } = self;
        match value {
            Some(value) if value < *least => Err(format!("{what} must be at least {least}, found {found}")),
            Some(value) if value <= *most => Ok(value),
            _ => Err(format!("{what} must be at most {most}, found {found}{remedy}")),
        }
    }
}

/// The value, or why not, of a constant that must be a finite number above 0.
pub(crate) fn positive(what: &str, value: f64, found: impl Display) -> Result<f64, String> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(format!("{what} must be a finite number above 0, found {found}"))
    }
}

/// Control characters are refused so that a printed expression is always one harmless line.
pub(crate) fn name(what: &str, name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err(format!("{what} must not be empty"));
    }
    match name.chars().find(|character| character.is_control()) {
        Some(control) => Err(format!("{what} must not hold control characters, found {control:?}")),
        None => Ok(()),
    }
}

/// A step follows the moves of the search inside it; a mean has none.
pub(super) fn moves_of(inner: &Search) -> Result<(), String> {
    let repeated = inner.chain().find(|search| !matches!(search.kind, Kind::Repeat { .. }));
    match repeated.map(|search| &search.kind) {
        Some(Kind::Mean { .. }) => {
            Err("step needs a search that returns moves, found mean; write step(lookahead(mean(n, s)))".to_string())
        }
        _ => Ok(()),
    }
}

/// A mean is over all its games, so each of them must end.
pub(super) fn end_of(inner: &Search) -> Result<(), String> {
    if inner.is_endless() {
        return Err("mean needs a search that ends, found repeat without a count; write repeat(n, s)".to_string());
    }
    Ok(())
}

impl Search {
    /// Checks what can be checked without a problem: ranges of numbers, names that can be written, the depth. A parsed
    /// search has passed; this is for one built in Rust.
    ///
    /// ```
    /// use nestling::Search;
    /// assert!(Search::nested(3).check().is_ok());
    /// let error = Search::nested(40).check().unwrap_err();
    /// assert_eq!(error.to_string(), "the level of nested must be at most 32, found 40");
    /// ```
    ///
    /// # Errors
    ///
    /// The outermost culprit.
    pub fn check(&self) -> Result<(), InvalidSearch> {
        for (depth, search) in self.chain().enumerate() {
            let checked = if depth < MAX_DEPTH { search.check_outermost() } else { Err(TOO_DEEP.to_string()) };
            checked.map_err(|message| InvalidSearch { message })?;
        }
        Ok(())
    }

    fn check_outermost(&self) -> Result<(), String> {
        let number = |limit: &Limit, value: u64| limit.check(Some(value), value);
        match &self.kind {
            Kind::Playout | Kind::Lookahead { .. } | Kind::Dfs => {}
            Kind::Step { search, .. } => moves_of(search)?,
            Kind::Repeat { times, .. } => {
                times.map(|times| number(&REPEAT, times)).transpose()?;
            }
            Kind::Mean { times, search } => {
                number(&MEAN, *times)?;
                end_of(search)?;
            }
            Kind::Nested { level, .. } => {
                number(&NESTED_LEVEL, u64::from(*level))?;
            }
            Kind::Reflexive { counts } => {
                if counts.is_empty() {
                    return Err("expected at least one count of reflexive, found none".to_string());
                }
                if counts.len() > MAX_COUNTS {
                    return Err(TOO_MANY_COUNTS.to_string());
                }
                counts.iter().try_for_each(|&count| number(&REFLEXIVE, count).map(drop))?;
            }
            Kind::Nrpa { level, iterations, alpha, tries, warm } => {
                number(&NRPA_LEVEL, u64::from(*level))?;
                number(&ITERATIONS, *iterations)?;
                positive("alpha", *alpha, alpha)?;
                number(&TRIES, *tries)?;
                warm.as_deref().map_or(Ok(()), |file| name("warm", file))?;
            }
            Kind::Uct { simulations, c, trees } => {
                number(&SIMULATIONS, *simulations)?;
                positive("c", *c, c)?;
                number(&TREES, *trees)?;
            }
            Kind::Beam { width, samples } => {
                number(&WIDTH, *width)?;
                number(&SAMPLES, *samples)?;
            }
        }
        self.games.policy.as_deref().map_or(Ok(()), |policy| name("playout", policy))?;
        self.games.weights.as_deref().map_or(Ok(()), |file| name("weights", file))
    }
}
