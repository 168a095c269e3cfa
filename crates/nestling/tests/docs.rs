//! docs/SEARCHES.md is made of the forms, so that it says what the program does. `UPDATE=1 cargo test -p nestling docs` writes it anew.

use std::fmt::Write;
use std::path::PathBuf;

use nestling::duel::{PlayerCatalogue, StandardPlayers};
use nestling::search::{Argument, Catalogue, DefaultValue, Form, Type};

const HEAD: &str = "\
# Searches and players

The searches for `solve -s`, and the players for `match`. This page is generated from the source, like the program's help and
the app's menu. [ALGORITHMS.md](ALGORITHMS.md) has the exact definition of each search and how it was verified.

A search is written as its name, then in brackets its arguments in the order of its table, then its options as `name=value` in any
order. Whole numbers may have separators: `10_000`. Names and files need double quotes, unless they consist of letters, digits and `_./-`.

## Searches

Every search takes `playout=NAME`, the policy of its playouts, and `weights=FILE`, the weights of their moves. Searches inside it
inherit both, unless they set their own. The files of `weights=` and `warm=` contain weights, or games that are turned into weights:
see [ALGORITHMS.md](ALGORITHMS.md#weights). `nestling weights PROBLEM` shows and writes them.
A file of `weights=` may also contain a network: see `nestling learn --help`.
";

const PLAYERS: &str = "
## Players

Every player takes `from=STAGE` and `before=PLAYER`: before that stage of the game, the player `before` plays instead. The name of a
playout policy of the game is a player too.
";

fn range(argument: &Argument) -> String {
    match argument.kind {
        Type::Integer { least, most: u64::MAX } => format!("a whole number from {least}"),
        Type::Integer { least, most } => format!("a whole number from {least} to {most}"),
        Type::Integers { most } => format!("up to {most} whole numbers from 1"),
        Type::Positive => "a number above 0".to_owned(),
        Type::Share => "a number from 0 to 1".to_owned(),
        Type::Word(words) => words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
        Type::File | Type::Games => "a file".to_owned(),
        Type::Policy | Type::Name => format!("the name of a {}", argument.name),
        Type::Time => "a time such as 1s or 250ms".to_owned(),
        Type::Search { game: true, .. } => "a search that returns a game".to_owned(),
        Type::Search { ends: true, .. } => "a search that ends by itself".to_owned(),
        Type::Search { .. } => "a search".to_owned(),
        Type::Searches { least, most } => format!("{least} to {most} searches that return games"),
    }
}

fn default(form: &Form, argument: &Argument) -> String {
    let other = form.options.iter().find(|other| other.instead_of == argument.name);
    if let (Some(other), DefaultValue::Required) = (other, &argument.default) {
        return format!("none: required unless `{}=` is given", other.name);
    }
    let written = argument.as_option();
    let value = written.split_once('=').map_or("", |(_, value)| value);
    match argument.default {
        DefaultValue::Required => "none: required".to_owned(),
        DefaultValue::Absent => "none".to_owned(),
        DefaultValue::Word(word) => format!("`{word}`"),
        _ => format!("`{value}`"),
    }
}

fn section(text: &mut String, form: &Form) {
    write!(text, "\n### `{}`\n\n{}. Example: `{}`.\n", form.usage(), sentence(form.about), form.example).unwrap();
    if form.all().next().is_none() {
        return;
    }
    text.push_str("\n| argument | value | default | meaning |\n|---|---|---|---|\n");
    for argument in form.all() {
        let is_option = form.options.iter().any(|option| option.name == argument.name);
        let name = if is_option { format!("`{}=`", argument.name) } else { argument.name.to_owned() };
        let (range, default, about) = (range(argument), default(form, argument), argument.about);
        writeln!(text, "| {name} | {range} | {default} | {about} |").unwrap();
    }
}

fn sentence(about: &str) -> String {
    let (first, rest) = about.split_at(1);
    format!("{}{rest}", first.to_uppercase())
}

#[test]
fn the_page_of_searches_is_made_of_the_forms() {
    let mut text = HEAD.to_owned();
    Catalogue::default().forms().for_each(|form| section(&mut text, form));
    text.push_str(PLAYERS);
    PlayerCatalogue::of::<StandardPlayers>().forms().for_each(|form| section(&mut text, form));
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/SEARCHES.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == text, "docs/SEARCHES.md is out of date; UPDATE=1 cargo test -p nestling docs updates it");
}

/// What everybody reads has no blanks: every argument says what it is.
#[test]
fn every_argument_is_explained() {
    let forms =
        Catalogue::default().forms().chain(PlayerCatalogue::of::<StandardPlayers>().forms()).collect::<Vec<_>>();
    for form in forms {
        assert!(!form.about.is_empty() && !form.about.ends_with('.'), "{}", form.name);
        for argument in form.all() {
            assert!(!argument.about.is_empty(), "{} of {}", argument.name, form.name);
        }
    }
}
