//! `nestling weights`: moves with their codes and weights, and how any command reads files of weights.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use clap::{Args, ValueHint};
use nestling::{MoveName, Weights};
use nestling_registry::{CodedMove, Instance, Registry, RunRefused, read_weights, weights_header, weights_of_games};
use serde_json::json;

use crate::args::{AsciiArgs, ForceArgs};
use crate::failure::Exit;
use crate::games::InputFile;
use crate::output::Sink;
use crate::{explain, files, json, problem, solve, text};

#[derive(Debug, Args)]
#[command(after_help = "\
A policy gives each move a weight, and plays a legal move with a probability proportional to
exp(weight + bias); the bias is 0, unless the problem or the search defines one. The search options
warm=FILE and weights=FILE read a policy from a file, which has one move and its weight per line;
comments begin with #. A move is named by its text, or by its code, the number under which nrpa
learns its weight. A whole number is a code; \"17\" in quotes is a text. Moves that are not in the
file have weight 0. If the file has games instead, Nestling computes the policy that nrpa would
learn from them.

For Morpion Solitaire, Sudoku and Kakuro, every move can be named by its text. In other problems the
code of a move depends on the position, and only the moves of the first position can be named by
text; this command lists the codes of other positions.

Examples:
  nestling weights morpion-5d
  nestling weights morpion-5d -o mine.txt         a file to edit
  nestling solve morpion-5d -s 'nrpa(2, warm=mine.txt)'
  nestling weights morpion-5d --weights learned.txt --from game.psol@30
  nestling weights morpion-5d --weights game.psol -o mine.txt   the policy that plays like a game
  nestling weights sudoku:examples/sudoku.txt --json

Exit codes: 0 done; 2 bad usage, unreadable input, or a file that could not be written")]
pub(crate) struct WeightsArgs {
    /// The problem, such as morpion-5d; `nestling problems` lists them
    pub problem: String,
    /// The weights to show: a file of weights, such as that of `solve --learned`, or a file of games, which is turned into weights
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub weights: Option<String>,
    /// Show the moves of the last position of the game in this file; with @K, of its position after K moves
    #[arg(long, value_name = "FILE[@K]", value_hint = ValueHint::FilePath)]
    pub from: Option<String>,
    /// Write these moves, and the other weights in the file given by --weights, to a file that can be edited; - is standard output
    #[arg(short, long, value_name = "FILE", conflicts_with = "json")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub force: ForceArgs,
    /// Print JSON, one object per line
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub ascii: AsciiArgs,
}

pub(crate) fn weights(args: &WeightsArgs, registry: &Registry) -> Result<Exit> {
    text::use_ascii(args.ascii.ascii);
    let problem = problem::open(&args.problem, registry)?;
    let problem = problem.as_ref();
    if problem.table().is_some() {
        return Err(explain::refused(RunRefused::GameForTwo { problem: problem.name().to_owned() }));
    }
    let start = args.from.as_deref().map_or(Ok(Vec::new()), |from| solve::start(from, problem, registry))?;
    let given = args.weights.as_deref().map(|name| read(name, problem, &start, registry)).transpose()?;
    let given = given.unwrap_or_default();
    let sheet = WeightSheet::new(problem.coded_moves(&problem.certify(&start)?, &given)?, &given);
    match &args.output {
        Some(_) if given.network().is_some() => {
            let name = args.weights.as_deref().unwrap_or_default();
            return Err(anyhow!(
                "{name}: is a network, whose weights depend on the position; leave -o out to see them here"
            ));
        }
        Some(path) => sheet.write(path, args, problem)?,
        None if args.json => sheet.print_json()?,
        None => sheet.print()?,
    }
    Ok(Exit::Done)
}

/// The weights of a file that a search mentions, of whichever kind it is; `start` are the moves that the search begins after.
pub(crate) fn read(name: &str, problem: &dyn Instance, start: &[String], registry: &Registry) -> Result<Weights> {
    let file = InputFile::read(name.as_ref())?;
    let weights = match file.whole().filter(|bytes| registry.holds_weights(bytes, problem)) {
        Some(bytes) => read_weights(bytes, problem),
        None => {
            let games = file.games(registry)?.into_iter().map(|game| solve::verified(game, problem, registry));
            weights_of_games(&games.collect::<Result<Vec<_>>>()?, problem, start)
        }
    };
    weights.map_err(|error| anyhow!("{}: {error}", file.name()))
}

/// The legal moves of a position, and a policy.
struct WeightSheet {
    /// The heaviest first; of equal moves the first in the problem's order.
    rows: Vec<WeightRow>,
    /// The weights of moves that are not legal there.
    others: Vec<(u64, f64)>,
}

struct WeightRow {
    played: CodedMove,
    probability: f64,
}

impl WeightSheet {
    fn new(moves: Vec<CodedMove>, weights: &Weights) -> Self {
        let is_here = |code: u64| moves.iter().any(|played| played.code == code);
        let others = weights.iter().filter(|&(code, _)| !is_here(code)).collect();
        let value = |played: &CodedMove| played.weight + played.bias;
        // Relative to the largest, so that nothing leaves the range of a double.
        let largest = moves.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = moves.iter().map(|played| (value(played) - largest).exp()).sum();
        let row = |played: CodedMove| {
            let probability = (value(&played) - largest).exp() / sum;
            WeightRow { probability, played }
        };
        let mut rows: Vec<WeightRow> = moves.into_iter().map(row).collect();
        rows.sort_by(|one, other| other.played.weight.total_cmp(&one.played.weight));
        WeightSheet { rows, others }
    }

    fn print(&self) -> Result<()> {
        match self.rows[..] {
            [] => text::print("the game is over: there are no legal moves\n")?,
            _ => text::print(&self.table())?,
        }
        match self.others.len() {
            0 => {}
            1 => text::print("\n1 more weight is for a move that is not legal here\n")?,
            count => text::print(&format!("\n{count} more weights are for moves that are not legal here\n"))?,
        }
        Ok(())
    }

    /// The rows as a table; few problems have biases.
    fn table(&self) -> String {
        let number = |number: f64| format!("{:.3}", number + 0.0);
        let cells = |WeightRow { played, probability }: &WeightRow| {
            [played.text.clone(), played.code.to_string(), number(played.weight), number(*probability)]
        };
        let rows = self.rows.iter();
        if self.rows.iter().all(|row| row.played.bias == 0.0) {
            return text::table(["move", "code", "weight", "probability"], rows.map(cells));
        }
        let with_bias = |row: &WeightRow| {
            let [text, code, weight, probability] = cells(row);
            [text, code, weight, number(row.played.bias), probability]
        };
        text::table(["move", "code", "weight", "bias", "probability"], rows.map(with_bias))
    }

    fn print_json(&self) -> Result<()> {
        for WeightRow { played: CodedMove { text, code, bias, weight }, probability } in &self.rows {
            json::print(&json!({
                "move": text, "code": code, "weight": weight, "bias": bias, "probability": probability,
            }))?;
        }
        Ok(())
    }

    fn write(&self, path: &Path, args: &WeightsArgs, problem: &dyn Instance) -> Result<()> {
        let game = args.from.as_deref().map(files::game_and_moves).transpose()?.map(|(game, _)| game);
        let read = args.weights.as_ref().map(PathBuf::from).into_iter().chain(game);
        for read in read.filter(|_| path != Path::new("-")) {
            files::distinct(&read, path)?;
        }
        Sink::new(path, args.force.existing())?.write(self.file(problem).as_bytes())
    }

    /// A file of weights: moves are named by their texts where those can be read again.
    fn file(&self, problem: &dyn Instance) -> String {
        let mut file = weights_header(problem);
        file += "# One move, or its code, and its weight per line. Moves that are not listed weigh 0.\n";
        let named = self.rows.iter().map(|WeightRow { played: CodedMove { text, code, .. }, .. }| {
            match problem.code_of(text) == Ok(*code) {
                true => (MoveName::Text(text.clone()).to_string(), String::new()),
                false => (MoveName::Code(*code).to_string(), format!("  # {text}")),
            }
        });
        let named: Vec<_> = named.collect();
        let width = named.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let mut written = BTreeSet::new();
        for (WeightRow { played, .. }, (name, comment)) in self.rows.iter().zip(named) {
            // Moves that share a code share its weight.
            let shared = if written.insert(played.code) { "" } else { "# the same code: " };
            file += &format!("{shared}{name:width$}  {}{comment}\n", played.weight);
        }
        if !self.others.is_empty() {
            file += "# Moves that are not legal in this position:\n";
        }
        self.others.iter().for_each(|(code, weight)| file += &format!("{code} {weight}\n"));
        file
    }
}
