//! Parsing expressions: recursive descent over the characters, by the forms of the searches.
//!
//! The text is read once from left to right, so the time is linear, and the depth is limited, so the stack is safe.

use std::str::FromStr;

use super::Search;
use super::brackets::{A_FILE, A_POLICY};
use super::check;
use super::error::{ParseError, alternatives, nearest, quoted};
use super::form::{Argument, Form, Nature, Type};
use super::scan::{Parsed, Scanner, hint};
use crate::search::{Searches, Standard};

const ANY_SEARCH: &str = "a search such as playout, nested(2) or nrpa(3)";

/// The options that every search has.
const COMMON: [&str; 2] = ["playout", "weights"];

/// The searches that expressions may name: those of a set, [`Standard`] or one with yours in it.
///
/// ```
/// use nestling::search::{Catalogue, Standard};
/// let catalogue = Catalogue::of::<Standard>();
/// assert_eq!(catalogue.parse("nrpa(3)")?, "nrpa(3)".parse()?);
/// assert!(catalogue.forms().any(|form| form.name == "portfolio"));
/// # Ok::<(), nestling::ParseError>(())
/// ```
#[derive(Clone)]
pub struct Catalogue {
    natures: Vec<&'static Nature>,
}

impl Catalogue {
    /// The searches of a set.
    pub fn of<S: Searches>() -> Self {
        let mut catalogue = Catalogue { natures: Vec::new() };
        S::list(&mut catalogue);
        catalogue
    }

    /// Adds a search, unless the name is taken: the first one keeps it.
    pub(crate) fn add(&mut self, nature: &'static Nature) {
        if self.nature(nature.form.name).is_none() {
            self.natures.push(nature);
        }
    }

    /// Their forms, in the order of the set.
    pub fn forms(&self) -> impl Iterator<Item = &'static Form> {
        self.natures.iter().map(|nature| nature.form)
    }

    /// Parses an expression; [`Search`] describes the syntax.
    ///
    /// # Errors
    ///
    /// The position of the error, and what was expected there.
    pub fn parse(&self, text: &str) -> Result<Search, ParseError> {
        let mut parser = Parser { scanner: Scanner::new(text), catalogue: self };
        let search = parser.search(1)?;
        parser.scanner.end()?;
        Ok(search)
    }

    fn nature(&self, name: &str) -> Option<&'static Nature> {
        self.natures.iter().copied().find(|nature| nature.form.name == name)
    }
}

impl Default for Catalogue {
    /// Nestling's own searches.
    fn default() -> Self {
        Catalogue::of::<Standard>()
    }
}

impl FromStr for Search {
    type Err = ParseError;

    /// Parses an expression with Nestling's own searches; [`Search`] describes the syntax. A [`Catalogue`] can have others too.
    fn from_str(text: &str) -> Result<Search, ParseError> {
        Catalogue::default().parse(text)
    }
}

struct Parser<'a> {
    scanner: Scanner<'a>,
    catalogue: &'a Catalogue,
}

/// The grammar.
impl Parser<'_> {
    fn search(&mut self, depth: usize) -> Parsed<Search> {
        self.scanner.skip_space();
        let start = self.scanner.at;
        let mut search = Search::new(self.search_name(depth)?);
        let form = search.form();
        if !self.scanner.open(form)? {
            return Ok(search);
        }
        let mut given = Vec::new();
        for (place, argument) in form.arguments.iter().enumerate() {
            if self.scanner.reaches(form, argument, &mut given)? {
                self.argument(form, place, &mut search, depth)?;
            }
        }
        while let Some(key) = self.scanner.option(form.name, form, &COMMON, &mut given)? {
            match form.place_of_option(key) {
                Some((_, option)) if option.is_search() => search.inner.push(self.inner(form, option, depth)?),
                Some((place, option)) => search.values[place] = self.scanner.value(form, option)?,
                None if key == "playout" => search.games.policy = Some(self.scanner.name(key, A_POLICY)?),
                None => search.games.weights = Some(self.scanner.name(key, A_FILE)?),
            }
        }
        check::values(form, &search.values).map_err(|message| self.scanner.error(start, message))?;
        Ok(search)
    }

    fn search_name(&mut self, depth: usize) -> Parsed<&'static Nature> {
        let scanner = &mut self.scanner;
        scanner.skip_space();
        let start = scanner.at;
        let word = scanner.word();
        if !word.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return Err(scanner.expected(ANY_SEARCH));
        }
        if scanner.is_option() {
            return Err(scanner.error(start, format!("expected {ANY_SEARCH}, found the option {}", quoted(word))));
        }
        if depth > check::MAX_DEPTH {
            return Err(scanner.error(start, check::TOO_DEEP.to_string()));
        }
        let Some(nature) = self.catalogue.nature(word) else {
            let names: Vec<String> = self.catalogue.forms().map(|form| form.name.to_owned()).collect();
            let hint = hint(nearest(word, self.catalogue.forms().map(|form| form.name)), "");
            let (allowed, found) = (alternatives(&names), quoted(word));
            return Err(scanner.error(start, format!("expected a search ({allowed}), found {found}{hint}")));
        };
        scanner.at += word.len();
        Ok(nature)
    }

    /// The argument at this position.
    fn argument(&mut self, form: &'static Form, place: usize, search: &mut Search, depth: usize) -> Parsed<()> {
        let argument = &form.arguments[place];
        match argument.kind {
            Type::Policy => search.games.policy = Some(self.scanner.name("playout", A_POLICY)?),
            Type::Search { .. } => {
                let inner = self.inner(form, argument, depth)?;
                search.inner.push(inner);
            }
            Type::Searches { least, most } => self.searches(form, argument, (least, most), search, depth)?,
            _ => search.values[place] = self.scanner.value(form, argument)?,
        }
        Ok(())
    }

    /// A search as an argument.
    fn inner(&mut self, form: &Form, argument: &Argument, depth: usize) -> Parsed<Search> {
        self.scanner.skip_space();
        let start = self.scanner.at;
        let inner = self.search(depth + 1)?;
        check::inside(form, argument, &inner).map_err(|message| self.scanner.error(start, message))?;
        Ok(inner)
    }

    /// Several searches, the last argument.
    fn searches(
        &mut self,
        form: &Form,
        argument: &Argument,
        (least, most): (usize, usize),
        search: &mut Search,
        depth: usize,
    ) -> Parsed<()> {
        loop {
            let inner = self.inner(form, argument, depth)?;
            search.inner.push(inner);
            let before_comma = self.scanner.at;
            let another = self.scanner.eat(',') && {
                self.scanner.skip_space();
                !self.scanner.is_option()
            };
            if !another {
                self.scanner.at = before_comma;
                if search.inner.len() < least {
                    let (name, least) = (form.name, check::in_words(least));
                    let what = format!("\",\" and another search: a {name} has at least {least}");
                    return Err(self.scanner.expected(what));
                }
                return Ok(());
            }
            if search.inner.len() == most {
                return Err(self.scanner.error(self.scanner.at, check::too_many(argument, form, most)));
            }
        }
    }
}
