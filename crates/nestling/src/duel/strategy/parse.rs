//! Parsing strategies.

use std::str::FromStr;
use std::time::Duration;

use super::{Budget, Final, Kind, Strategy, Turns, Uct, Walk};
use crate::expression::ParseError;
use crate::expression::check::{Limit, MAX_DEPTH, at_least_one};
use crate::expression::error::{alternatives, nearest, quoted};
use crate::expression::scan::{Parsed, Scanner, hint};

const SIMULATIONS: Limit = Limit { most: 100_000_000, ..at_least_one("the simulations of uct") };
const DEPTH: Limit = Limit { most: 1000, ..at_least_one("the depth of alphabeta") };
const TREES: Limit = Limit { most: 1024, ..at_least_one("trees of uct") };
const MEMORY: Limit = Limit { most: 65_536, ..at_least_one("memory of uct") };
const FROM: Limit = Limit { what: "from", least: 0, most: 1_000_000, remedy: "" };
const EXACT: Limit = Limit { what: "exact of uct", ..FROM };

const UCT_OPTIONS: [&str; 15] = [
    "time",
    "turn",
    "draw",
    "final",
    "c",
    "epsilon",
    "policy",
    "transpositions",
    "symmetry",
    "proof",
    "exact",
    "games",
    "weight",
    "trees",
    "memory",
];
const COMMON_OPTIONS: [&str; 2] = ["from", "before"];
const NAMES: [&str; 4] = ["uct", "alphabeta", "exact", "random"];

const ANY: &str = "a player such as random, uct(1000) or alphabeta(3)";

impl FromStr for Strategy {
    type Err = ParseError;

    /// Reads an expression, written as [`Strategy`] says. A name that is not one of ours is taken for a policy of the game.
    fn from_str(text: &str) -> Result<Strategy, ParseError> {
        let mut scanner = Scanner::new(text);
        let strategy = strategy(&mut scanner, 1)?;
        scanner.end()?;
        Ok(strategy)
    }
}

fn strategy(scanner: &mut Scanner<'_>, depth: usize) -> Parsed<Strategy> {
    scanner.skip_space();
    let start = scanner.at;
    let name = scanner.word();
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return Err(scanner.expected(ANY));
    }
    if depth > MAX_DEPTH {
        return Err(
            scanner.error(start, format!("expected players nested at most {MAX_DEPTH} deep, found a deeper one"))
        );
    }
    scanner.at += name.len();
    let mut given = Vec::new();
    let opened = scanner.eat('(');
    let kind = match name {
        "uct" | "alphabeta" if !opened => {
            let example = if name == "uct" { "uct(1000)" } else { "alphabeta(3)" };
            return Err(scanner.expected(format!("\"(\" after {name}, as in {example}")));
        }
        "uct" => {
            let simulations = scanner.at_number().then(|| scanner.integer(&SIMULATIONS)).transpose()?;
            given.extend(simulations.map(|_| "simulations"));
            Kind::Uct(Uct::new(simulations.unwrap_or_default()))
        }
        "alphabeta" => {
            given.push("depth");
            Kind::AlphaBeta { depth: small(scanner.integer(&DEPTH)?) }
        }
        "exact" => Kind::Exact,
        _ if opened && scanner.at_number() => {
            let (found, hint) = (quoted(name), hint(nearest(name, NAMES.into_iter()), ""));
            return Err(scanner.error(start, format!("expected {ANY}, found {found} with a number{hint}")));
        }
        _ => Kind::Policy(name.to_owned()),
    };
    let mut strategy = Strategy::from(kind);
    if opened {
        options(scanner, name, &mut given, &mut strategy, depth)?;
    }
    if name == "uct" && !given.contains(&"simulations") && !given.contains(&"time") {
        return Err(scanner.error(start, "uct needs simulations or a time, as in uct(1000) or uct(time=1s)".to_owned()));
    }
    Ok(strategy)
}

/// What follows in the brackets, the closing one included. `given` has what was given so far.
fn options(
    scanner: &mut Scanner<'_>,
    name: &str,
    given: &mut Vec<&'static str>,
    strategy: &mut Strategy,
    depth: usize,
) -> Parsed<()> {
    let mut first = given.is_empty();
    while !scanner.eat(')') {
        if !first && !scanner.eat(',') {
            return Err(scanner.expected("\",\" or \")\""));
        }
        first = false;
        option(scanner, name, given, strategy, depth)?;
    }
    Ok(())
}

fn option(
    scanner: &mut Scanner<'_>,
    name: &str,
    given: &mut Vec<&'static str>,
    strategy: &mut Strategy,
    depth: usize,
) -> Parsed<()> {
    scanner.skip_space();
    let start = scanner.at;
    let word = scanner.word();
    let own: &[&'static str] = if name == "uct" { &UCT_OPTIONS } else { &[] };
    let allowed = || own.iter().copied().chain(COMMON_OPTIONS);
    let Some(key) = allowed().find(|option| *option == word) else {
        let names: Vec<String> = allowed().map(|option| format!("{option}=")).collect();
        let (names, found, hint) = (alternatives(&names), scanner.found(), hint(nearest(word, allowed()), "="));
        return Err(scanner.error(start, format!("expected an option of {name} ({names}), found {found}{hint}")));
    };
    let rival = match key {
        "c" => "epsilon",
        "epsilon" => "c",
        "time" => "simulations",
        _ => key,
    };
    if given.contains(&key) {
        return Err(scanner.error(start, format!("expected {key} only once, found it again")));
    }
    if given.contains(&rival) {
        return Err(scanner.error(start, format!("expected {rival} or {key}, found both")));
    }
    given.push(key);
    scanner.at += key.len();
    if !scanner.eat('=') {
        return Err(scanner.expected(format!("\"=\" after {key}")));
    }
    match (key, &mut strategy.kind) {
        ("from", _) => strategy.from = small(scanner.integer(&FROM)?),
        ("before", _) => strategy.before = Some(Box::new(self::strategy(scanner, depth + 1)?)),
        (_, Kind::Uct(uct)) => uct_option(scanner, key, uct)?,
        _ => unreachable!("every option of every kind is handled"),
    }
    Ok(())
}

fn uct_option(scanner: &mut Scanner<'_>, key: &str, uct: &mut Uct) -> Parsed<()> {
    let switch = |scanner: &mut Scanner<'_>| scanner.choice(key, &[("on", true), ("off", false)]);
    match key {
        "time" => uct.budget = Budget::Time(time(scanner)?),
        "turn" => uct.turn = scanner.choice(key, &[Turns::Split, Turns::Joined].map(|turn| (turn.name(), turn)))?,
        "draw" => uct.draw = share(scanner, key)?,
        "final" => uct.last = scanner.choice(key, &[Final::Visits, Final::Value].map(|last| (last.name(), last)))?,
        "c" => uct.walk = Walk::Bound { c: scanner.positive(key)? },
        "epsilon" => uct.walk = Walk::Greedy { epsilon: share(scanner, key)? },
        "policy" => uct.policy = Some(scanner.name(key)?),
        "transpositions" => uct.transpositions = switch(scanner)?,
        "symmetry" => uct.symmetry = switch(scanner)?,
        "proof" => uct.proof = switch(scanner)?,
        "exact" => uct.exact = Some(small(scanner.integer(&EXACT)?)),
        "games" => uct.games = Some(scanner.name(key)?),
        "weight" => uct.weight = scanner.positive(key)?,
        "trees" => uct.trees = small(scanner.integer(&TREES)?),
        "memory" => uct.memory = scanner.integer(&MEMORY)?,
        _ => unreachable!("every option of uct is handled"),
    }
    Ok(())
}

fn small(number: u64) -> u32 {
    u32::try_from(number).expect("the limit is below")
}

/// A number from 0 to 1.
fn share(scanner: &mut Scanner<'_>, key: &str) -> Parsed<f64> {
    scanner.number(key, |value, found| match value {
        0.0..=1.0 => Ok(value),
        _ => Err(format!("{key} must be a number from 0 to 1, found {found}")),
    })
}

/// A time such as `1s`, `250ms` or `1.5s`.
fn time(scanner: &mut Scanner<'_>) -> Parsed<Duration> {
    scanner.skip_space();
    let word = scanner.word();
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let seconds = units.iter().find_map(|(unit, seconds)| {
        let number = word.strip_suffix(unit)?;
        // The standard library also reads inf and 1e3.
        let plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        number.parse::<f64>().ok().filter(|_| plain).map(|number| number * seconds)
    });
    match seconds.map(|seconds| (seconds * 1000.0).round()) {
        Some(millis @ 1.0..=86_400_000.0) => {
            scanner.at += word.len();
            Ok(Duration::from_millis(millis as u64))
        }
        Some(_) => {
            Err(scanner.error(scanner.at, format!("time must lie between 1ms and 24h, found {}", scanner.found())))
        }
        None => Err(scanner.expected("a time such as 1s or 250ms for time")),
    }
}
