//! Parsing strategies by the forms of the players.

use std::str::FromStr;

use super::{Strategy, stage_limit, too_deep};
use crate::duel::kind::{PlayerNature, Players, StandardPlayers};
use crate::expression::ParseError;
use crate::expression::check::{self, MAX_DEPTH};
use crate::expression::error::{alternatives, nearest, quoted};
use crate::expression::form::Form;
use crate::expression::scan::{Parsed, Scanner, hint};

const ANY_PLAYER: &str = "a player such as random, uct(1000) or alphabeta(3)";

/// The options that every player has.
const COMMON: [&str; 2] = ["from", "before"];

/// The players that expressions may name: those of a set, [`StandardPlayers`] or one with yours in it.
///
/// ```
/// use nestling::duel::{PlayerCatalogue, StandardPlayers};
/// let catalogue = PlayerCatalogue::of::<StandardPlayers>();
/// assert_eq!(catalogue.parse("uct(1000)")?, "uct(1000)".parse()?);
/// let names: Vec<&str> = catalogue.forms().map(|form| form.name).collect();
/// assert_eq!(names, ["random", "uct", "alphabeta", "exact"]);
/// # Ok::<(), nestling::ParseError>(())
/// ```
#[derive(Clone)]
pub struct PlayerCatalogue {
    natures: Vec<&'static PlayerNature>,
}

impl PlayerCatalogue {
    /// The players of a set.
    pub fn of<S: Players>() -> Self {
        let mut catalogue = PlayerCatalogue { natures: Vec::new() };
        S::list(&mut catalogue);
        catalogue
    }

    /// Adds a kind of player, unless the name is taken: the first one keeps it.
    pub(in crate::duel) fn add(&mut self, nature: &'static PlayerNature) {
        if self.named(nature.form.name).is_none() {
            self.natures.push(nature);
        }
    }

    /// Their forms, in the order of the set.
    pub fn forms(&self) -> impl Iterator<Item = &'static Form> {
        self.natures.iter().map(|nature| nature.form)
    }

    /// The forms of the kinds that have only one name.
    pub(in crate::duel) fn others(&self) -> impl Iterator<Item = &'static Form> {
        self.natures.iter().filter(|nature| !nature.takes_any_name).map(|nature| nature.form)
    }

    /// Parses an expression; [`Strategy`] describes the syntax. A name that is not in the catalogue counts as a policy of the game, if the
    /// set contains [`PolicyPlayer`](super::super::PolicyPlayer).
    ///
    /// # Errors
    ///
    /// The position of the error, and what was expected there.
    pub fn parse(&self, text: &str) -> Result<Strategy, ParseError> {
        let mut scanner = Scanner::new(text);
        let strategy = self.strategy(&mut scanner, 1)?;
        scanner.end()?;
        Ok(strategy)
    }

    fn named(&self, name: &str) -> Option<&'static PlayerNature> {
        self.natures.iter().copied().find(|nature| nature.form.name == name)
    }
}

impl Default for PlayerCatalogue {
    /// Nestling's own players.
    fn default() -> Self {
        PlayerCatalogue::of::<StandardPlayers>()
    }
}

impl FromStr for Strategy {
    type Err = ParseError;

    /// Parses an expression with Nestling's own players; a [`PlayerCatalogue`] can have others too.
    fn from_str(text: &str) -> Result<Strategy, ParseError> {
        PlayerCatalogue::default().parse(text)
    }
}

/// The grammar.
impl PlayerCatalogue {
    fn strategy(&self, scanner: &mut Scanner<'_>, depth: usize) -> Parsed<Strategy> {
        scanner.skip_space();
        let start = scanner.at;
        let mut strategy = self.player_name(scanner, depth)?;
        let form = strategy.form();
        if !scanner.open(form)? {
            return Ok(strategy);
        }
        if strategy.nature.takes_any_name && scanner.at_number() {
            let (found, hint) = (quoted(&strategy.name), self.hint(&strategy.name));
            return Err(scanner.error(start, format!("expected {ANY_PLAYER}, found {found} with a number{hint}")));
        }
        let mut given = Vec::new();
        for (place, argument) in form.arguments.iter().enumerate() {
            if scanner.reaches(form, argument, &mut given)? {
                strategy.values[place] = scanner.value(form, argument)?;
            }
        }
        while let Some(key) = scanner.option(&strategy.name, form, &COMMON, &mut given)? {
            match form.place_of_option(key) {
                Some((place, option)) => strategy.values[place] = scanner.value(form, option)?,
                None if key == "from" => strategy.from = scanner.integer(&stage_limit())? as u32,
                None => strategy.before = Some(Box::new(self.strategy(scanner, depth + 1)?)),
            }
        }
        check::values(form, &strategy.values).map_err(|message| scanner.error(start, message))?;
        Ok(strategy)
    }

    fn player_name(&self, scanner: &mut Scanner<'_>, depth: usize) -> Parsed<Strategy> {
        let start = scanner.at;
        let name = scanner.word();
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return Err(scanner.expected(ANY_PLAYER));
        }
        if depth > MAX_DEPTH {
            return Err(scanner.error(start, too_deep()));
        }
        let of_any_name = || self.natures.iter().copied().find(|nature| nature.takes_any_name);
        let Some(nature) = self.named(name).or_else(of_any_name) else {
            let names: Vec<String> = self.forms().map(|form| form.name.to_owned()).collect();
            let (allowed, found, hint) = (alternatives(&names), quoted(name), self.hint(name));
            return Err(scanner.error(start, format!("expected a player ({allowed}), found {found}{hint}")));
        };
        scanner.at += name.len();
        Ok(Strategy::new(nature).called(name))
    }

    fn hint(&self, name: &str) -> String {
        hint(nearest(name, self.forms().map(|form| form.name)), "")
    }
}
