//! Printing expressions: one canonical text for each search, which parses back to the same.

use std::fmt::{Display, Formatter, Result};

use super::{
    DEFAULT_ALPHA, DEFAULT_C, DEFAULT_ITERATIONS, DEFAULT_SAMPLES, DEFAULT_TREES, DEFAULT_TRIES, Kind, Search, Ties,
    is_bare,
};

impl Display for Search {
    /// The canonical text: options only where they differ from the default, in a fixed order, `playout=` and `weights=`
    /// last. For every search that passes [`Search::check`] it parses back to an equal one.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        formatter.write_str(self.kind.name())?;
        let mut arguments = Arguments::new(formatter);
        arguments.kind(&self.kind)?;
        if let Some(policy) = &self.games.policy {
            match self.kind {
                Kind::Playout => arguments.positional(Name(policy))?,
                _ => arguments.option("playout", Name(policy))?,
            }
        }
        if let Some(weights) = &self.games.weights {
            arguments.option("weights", Name(weights))?;
        }
        arguments.close()
    }
}

/// What stands in the brackets; they are left out where nothing does.
pub(crate) struct Arguments<'a, 'b> {
    formatter: &'a mut Formatter<'b>,
    any: bool,
}

impl Arguments<'_, '_> {
    fn kind(&mut self, kind: &Kind) -> Result {
        match kind {
            Kind::Playout | Kind::Dfs => Ok(()),
            Kind::Repeat { times, search } => {
                times.map_or(Ok(()), |times| self.positional(times))?;
                self.positional(search)
            }
            Kind::Mean { times, search } => {
                self.positional(times)?;
                self.positional(search)
            }
            Kind::Step { search, memory } => {
                self.positional(search)?;
                self.memory(*memory)
            }
            Kind::Lookahead { search, ties } => {
                self.positional(search)?;
                self.ties(*ties)
            }
            Kind::Nested { level, memory, ties } => {
                self.positional(level)?;
                self.memory(*memory)?;
                self.ties(*ties)
            }
            Kind::Reflexive { counts } => counts.iter().try_for_each(|count| self.positional(count)),
            Kind::Nrpa { level, iterations, alpha, tries, warm } => {
                self.positional(level)?;
                self.unless(DEFAULT_ITERATIONS, "iterations", *iterations)?;
                self.unless(Number(DEFAULT_ALPHA), "alpha", Number(*alpha))?;
                self.unless(DEFAULT_TRIES, "tries", *tries)?;
                warm.as_ref().map_or(Ok(()), |file| self.option("warm", Name(file)))
            }
            Kind::Uct { simulations, c, trees } => {
                self.positional(simulations)?;
                self.unless(Number(DEFAULT_C), "c", Number(*c))?;
                self.unless(DEFAULT_TREES, "trees", *trees)
            }
            Kind::Beam { width, samples } => {
                self.positional(width)?;
                self.unless(DEFAULT_SAMPLES, "samples", *samples)
            }
        }
    }

    fn memory(&mut self, memory: bool) -> Result {
        if memory { Ok(()) } else { self.option("memory", "off") }
    }

    fn ties(&mut self, ties: Ties) -> Result {
        if ties == Ties::default() { Ok(()) } else { self.option("ties", ties.name()) }
    }
}

impl<'a, 'b> Arguments<'a, 'b> {
    pub fn new(formatter: &'a mut Formatter<'b>) -> Self {
        Arguments { formatter, any: false }
    }

    pub fn unless<T: Display + PartialEq>(&mut self, default: T, key: &str, value: T) -> Result {
        if value == default { Ok(()) } else { self.option(key, value) }
    }

    pub fn option(&mut self, key: &str, value: impl Display) -> Result {
        self.positional(format_args!("{key}={value}"))
    }

    pub fn positional(&mut self, value: impl Display) -> Result {
        self.formatter.write_str(if self.any { ", " } else { "(" })?;
        self.any = true;
        write!(self.formatter, "{value}")
    }

    pub fn close(self) -> Result {
        self.formatter.write_str(if self.any { ")" } else { "" })
    }
}

/// A name or file, in quotes where it needs them.
pub(crate) struct Name<'a>(pub &'a str);

impl Display for Name<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        if is_bare(self.0) {
            return formatter.write_str(self.0);
        }
        write!(formatter, "\"{}\"", self.0.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

/// The shortest decimal that reads back as the same number.
#[derive(PartialEq)]
pub(crate) struct Number(pub f64);

impl Display for Number {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        // Without an exponent 1e300 would take 301 digits.
        if self.0 == 0.0 || (1e-5..1e16).contains(&self.0) {
            write!(formatter, "{}", self.0)
        } else {
            write!(formatter, "{:e}", self.0)
        }
    }
}
