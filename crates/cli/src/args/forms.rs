//! Help about searches and players, made of their forms.

use clap::Command;
use nestling::search::Form;
use nestling_registry::Registry;

use super::{EXAMPLES, SOLVE_EXAMPLES, table};

/// Where the text begins that explains a form, and where it ends.
const COLUMN: usize = 24;
const WIDTH: usize = 98;

/// The same command line with help about the searches and players of a registry.
pub(crate) fn with_help(command: Command, registry: &Registry) -> Command {
    let (searches, players) = (listed(registry.searches().forms()), listed(registry.players().forms()));
    let examples = examples(&command);
    command
        .after_help(format!("{examples}\n\nPages, for `nestling help PAGE`:\n{}", crate::help::pages()))
        .mut_subcommand("solve", |solve| {
            solve.after_help(format!(
                "Search expressions (option=default; docs/SEARCHES.md explains the options):\n{searches}  Every search also has the options playout=NAME, the policy of its playouts, and weights=FILE,\n  which makes some moves likelier in its playouts (see `nestling weights --help`).\n\n{SOLVE_EXAMPLES}"
            ))
        })
        .mut_subcommand("match", |duel| duel.after_help(table::match_help(&players)))
}

/// The examples of the commands that this program was built with.
fn examples(command: &Command) -> String {
    let is_built = |line: &&str| match line.trim_start().strip_prefix("nestling ") {
        Some(example) => example.split(' ').next().is_some_and(|name| command.find_subcommand(name).is_some()),
        None => true,
    };
    EXAMPLES.lines().filter(is_built).collect::<Vec<_>>().join("\n")
}

fn listed(forms: impl Iterator<Item = &'static Form>) -> String {
    forms.map(entry).collect()
}

/// A usage, and beside it what it does and its options, in lines of a limited width.
fn entry(form: &Form) -> String {
    let options: Vec<String> = form.options.iter().map(|option| option.as_option()).collect();
    let mut text = format!("{}{}", form.about, if options.is_empty() { "" } else { ";" });
    if !options.is_empty() {
        text += &format!(" {}", options.join(", "));
    }
    let mut lines = vec![format!("  {:width$}", form.usage(), width = COLUMN - 2)];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(format!("{:COLUMN$}{word}", ""));
        } else {
            let begins = line.chars().count() <= COLUMN;
            *line += &if begins { word.to_owned() } else { format!(" {word}") };
        }
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}
