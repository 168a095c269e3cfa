//! One-line messages for errors in a command line.

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::text;

/// One line about a mistake: the culprit, what was expected, and what was found. The parsers of values say what they expect.
pub(crate) fn line(error: &Error) -> String {
    let (flag, prior) = (names(error, ContextKind::InvalidArg), names(error, ContextKind::PriorArg));
    let (command, program) = (command(error), text::program());
    let help = format!("see `{program}{command} --help`");
    let command = if command.is_empty() { program.clone() } else { command.trim_start().to_owned() };
    match error.kind() {
        ErrorKind::ValueValidation => format!("{}: expected {}, {}", flag[0], reason(error), found(error)),
        ErrorKind::InvalidValue => format!("{}: expected {}, {}", flag[0], choices(error), found(error)),
        ErrorKind::TooManyValues => format!("{}: expected no value, {}", flag[0], found(error)),
        ErrorKind::UnknownArgument => {
            let meant = strings(error, ContextKind::SuggestedArg).pop();
            let remedy = meant.map_or(help, |meant| format!("did you mean {meant}?"));
            let kind = if flag[0].starts_with('-') { "option" } else { "further argument" };
            format!("{command} takes no {kind} {}; {remedy}", flag[0])
        }
        ErrorKind::MissingRequiredArgument => format!("{command}: missing {}; {help}", joined(&flag, "and")),
        ErrorKind::ArgumentConflict if prior.is_empty() || prior == flag => {
            format!("{} is given twice; give it once", flag[0])
        }
        ErrorKind::ArgumentConflict => {
            format!("{} and {} conflict; leave one out", joined(&prior, "or"), flag[0])
        }
        ErrorKind::InvalidSubcommand => {
            let wrong = strings(error, ContextKind::InvalidSubcommand).concat();
            // The last is the most similar.
            let meant = strings(error, ContextKind::SuggestedSubcommand).pop();
            let remedy = meant.map_or(help, |meant| format!("did you mean {meant}?"));
            let of = if command == program { "there is".to_owned() } else { format!("{command} has") };
            format!("{of} no command {}; {remedy}", shown(&wrong))
        }
        ErrorKind::MissingSubcommand => {
            let commands = strings(error, ContextKind::ValidSubcommand);
            format!("{command}: missing a command; expected {}", joined(&commands, "or"))
        }
        ErrorKind::InvalidUtf8 => "an argument is not valid UTF-8; only file names may be other bytes".to_owned(),
        _ => text::one_line(&error.to_string()),
    }
}

/// The command that was given, as in ` runs show`, taken from the usage that comes with the error.
fn command(error: &Error) -> String {
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else { return String::new() };
    let usage = usage.to_string();
    let words = usage.trim_start_matches("Usage:").split_whitespace().skip(1);
    words.take_while(|word| word.starts_with(char::is_alphanumeric)).map(|word| format!(" {word}")).collect()
}

/// The value that a parser expects.
fn reason(error: &Error) -> String {
    std::error::Error::source(error).map_or_else(|| "something else".to_owned(), ToString::to_string)
}

/// The values of a flag with a fixed set of values, or of one whose value was left out.
fn choices(error: &Error) -> String {
    let values = strings(error, ContextKind::ValidValue);
    if !values.is_empty() {
        return joined(&values, "or");
    }
    let argument = strings(error, ContextKind::InvalidArg).concat();
    match argument.split_once('<').map(|(_, value)| value.trim_end_matches(['>', '.'])) {
        Some("TIME") => "a time such as 30s".to_owned(),
        Some("N" | "K" | "ID" | "PIXELS" | "MOVES") => "a number".to_owned(),
        Some(value) => value.to_owned(),
        None => "a value".to_owned(),
    }
}

fn found(error: &Error) -> String {
    match strings(error, ContextKind::InvalidValue).concat().as_str() {
        "" => "found nothing".to_owned(),
        value => format!("found {}", shown(value)),
    }
}

/// A word of the user's, in quotes, cut and with control characters spelt out.
fn shown(word: &str) -> String {
    const LONGEST: usize = 40;
    let short: String = word.chars().take(LONGEST).collect();
    if short == word { format!("{word:?}") } else { format!("{short:?}…") }
}

/// The names of arguments, without what clap puts around them.
fn names(error: &Error, kind: ContextKind) -> Vec<String> {
    let bare = |text: String| {
        let first = text.split_whitespace().next().unwrap_or_default();
        let name: String = first.trim_end_matches('.').trim_matches(['<', '>', '[', ']']).to_owned();
        if name.starts_with('-') || name.chars().all(|letter| letter.is_ascii_uppercase()) {
            name
        } else {
            shown(&name)
        }
    };
    strings(error, kind).into_iter().map(bare).collect()
}

fn strings(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}

/// `a, b or c`.
fn joined(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command, CommandFactory};

    use super::*;
    use crate::args::Cli;

    /// Words of clap and of Rust that users should not see.
    const FOREIGN: &[&str] = &[
        "invalid",
        "digit",
        "unexpected",
        "argument '",
        "..",
        "possible values",
        "target type",
        "tip:",
        "<",
        "[",
        "subcommand",
        "cannot be used",
        "were not provided",
        "unrecognized",
        "syntax",
        "error",
        "none was supplied",
    ];

    /// Nothing of this is a number, a time, an address or one of a few words.
    const BAD: &[&str] =
        &["-1s", "x", "-x", "--x", "1e6e", "1e999", "0x10", "½", "1 2", "NaN", "5 apples", "\u{1b}[31m", "-"];

    /// The arguments that take any text: files, names, expressions. Add new ones here.
    const ANY_TEXT: &[&str] = &[
        "A",
        "B",
        "EXPR",
        "FILE",
        "FILE[@K]",
        "FOLDER",
        "FORMAT",
        "GAME",
        "IN",
        "NAME",
        "OUT",
        "PATH",
        "PLAYER",
        "PROBLEM",
        "TEXT",
        "WHAT",
        "COMMAND",
        "lab export ID",
        "lab run ID",
        "lab report ID",
    ];

    /// Every command, with the words that lead to it.
    fn commands(command: &Command, path: &[String]) -> Vec<(Vec<String>, Command)> {
        let here = [path, &[command.get_name().to_owned()]].concat();
        let below = command.get_subcommands().flat_map(|below| commands(below, &here)).collect::<Vec<_>>();
        [vec![(here.clone(), command.clone())], below].concat()
    }

    /// A command line that is right except for one argument.
    fn with_value(path: &[String], command: &Command, argument: &Arg, value: &str) -> Vec<String> {
        let mut line = path.to_vec();
        for other in
            command.get_positionals().filter(|other| other.is_required_set() && other.get_id() != argument.get_id())
        {
            let fits = match name(other).as_str() {
                "ID" => "1",
                "KIND" => "sudoku",
                _ => "text",
            };
            line.push(fits.to_owned());
        }
        match argument.get_long() {
            Some(long) => line.push(format!("--{long}={value}")),
            None => line.extend(["--".to_owned(), value.to_owned()]),
        }
        line
    }

    fn name(argument: &Arg) -> String {
        let names = argument.get_value_names().unwrap_or_default();
        names.first().map_or_else(|| argument.get_id().to_string().to_uppercase(), ToString::to_string)
    }

    fn is_plain(line: &str) {
        assert_eq!(line.lines().count(), 1, "{line}");
        assert!(!line.contains(char::is_control), "{line:?}");
        // What the user wrote may be anything.
        let ours: String = line.split('"').step_by(2).collect();
        for word in FOREIGN {
            assert!(!ours.contains(word), "{word:?} is in: {line}");
        }
    }

    /// Every flag and argument of every command, with invalid values of every kind: the message names the value and what was expected.
    #[test]
    fn every_flag_says_what_it_expects() {
        let mut root = Cli::command();
        root.build();
        let (mut refused, mut any_text) = (0, 0);
        for (path, command) in commands(&root, &[]).iter().filter(|(path, _)| !path.contains(&"help".to_owned())) {
            for argument in command.get_arguments().filter(|argument| argument.get_action().takes_values()) {
                let (value_name, at) = (name(argument), path[1..].join(" "));
                if ANY_TEXT.contains(&value_name.as_str()) || ANY_TEXT.contains(&format!("{at} {value_name}").as_str())
                {
                    any_text += 1;
                    continue;
                }
                let flag = argument.get_long().map_or(value_name, |long| format!("--{long}"));
                for value in BAD {
                    let words = with_value(path, command, argument, value);
                    let error = Cli::command().try_get_matches_from(&words).expect_err(&format!("{words:?} is taken"));
                    let line = line(&error);
                    assert!(line.starts_with(&format!("{flag}: expected ")), "{words:?}: {line}");
                    assert!(line.contains(", found "), "{words:?}: {line}");
                    is_plain(&line);
                    refused += 1;
                }
                // Apart from it, as people write it, and left out.
                if let Some(long) = argument.get_long() {
                    let mut words = with_value(path, command, argument, "");
                    words.pop();
                    words.push(format!("--{long}"));
                    let nothing = line(&Cli::command().try_get_matches_from(&words).unwrap_err());
                    assert!(nothing.ends_with(", found nothing"), "{words:?}: {nothing}");
                    is_plain(&nothing);
                    if argument.get_possible_values().is_empty() {
                        let negative = line(
                            &Cli::command()
                                .try_get_matches_from([&words[..], &["-1s".to_owned()]].concat())
                                .unwrap_err(),
                        );
                        assert!(negative.contains("found \"-1s\""), "{words:?}: {negative}");
                    }
                }
            }
        }
        assert!(refused > 400 && any_text > 20, "{refused} {any_text}");
    }

    /// Other mistakes, in the words that people get.
    #[test]
    fn mistakes_are_told_plainly() {
        let cases = [
            ("solve", "solve: missing PROBLEM; see `P solve --help`"),
            ("explain", "explain: missing PROBLEM; see `P explain --help`"),
            ("runs delete", "runs delete: missing ID; see `P runs delete --help`"),
            ("slove", "there is no command \"slove\"; did you mean solve?"),
            ("runs shwo 1", "runs has no command \"shwo\"; did you mean show?"),
            ("xyz", "there is no command \"xyz\"; see `P --help`"),
            (
                "runs --store s",
                "runs: missing a command; expected list, show, resume, export, tasks, collect, recheck, pack, unpack, delete, salvage or help",
            ),
            (
                "solve p --seed 18446744073709551616",
                "--seed: expected a whole number from 0 to 18446744073709551615, found \"18446744073709551616\"",
            ),
            ("solve p --tme 3s", "solve takes no option --tme; did you mean --time?"),
            ("solve p extra", "solve takes no further argument \"extra\"; see `P solve --help`"),
            ("solve p --json=3", "--json: expected no value, found \"3\""),
            ("solve p --json --json", "--json is given twice; give it once"),
            ("solve p --seed 1 --seed 2", "--seed is given twice; give it once"),
            ("bench --quick --deep", "--deep and --quick conflict; leave one out"),
            ("play --level easy", "play: missing --terminal; see `P play --help`"),
            ("solve p --device gpu", "--device: expected cpu, cuda or auto, found \"gpu\""),
            (
                "solve p --playouts 1e6",
                "--playouts: expected a whole number from 1 on, such as 20000 or 20_000, found \"1e6\"",
            ),
            ("runs show -1", "ID: expected the number of a run, such as 12, found \"-1\""),
        ];
        for (words, told) in cases {
            let words = ["nestling"].into_iter().chain(words.split(' '));
            let line = line(&Cli::command().try_get_matches_from(words.clone()).unwrap_err());
            assert_eq!(line, told.replace("`P", &format!("`{}", text::program())), "{words:?}");
            is_plain(&line);
        }
    }
}
