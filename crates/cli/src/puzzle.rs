//! `nestling puzzle`.

use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::{Result, anyhow, ensure};
use clap::Args;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use nestling_presentation::{pages_as_svg, pdf};
use nestling_registry::{GeneratedPuzzle, NoPuzzle, PuzzleKind, PuzzleLevel, book, drawn_seed, generate_puzzle};
use serde_json::json;

use crate::args::{ForceArgs, within};
use crate::failure::Exit;
use crate::output::Output;
use crate::progress::{Progress, Total};
use crate::{json, text};

#[derive(Debug, Args)]
#[command(after_help = "\
Every puzzle has a symmetric pattern and exactly one solution, which the exact solver has proven.
The hardest technique needed decides the level:

  sudoku   easy     hidden and naked singles
           medium   also pointing and claiming
           hard     also pairs, triples, X-wings
           expert   also quadruples, swordfishes, XY-wings
           extreme  none of these is enough
  kakuro   easy     naked singles, sums of one set of values
           medium   also sums of several sets, hidden singles
           hard     also bounds of sums, pairs
           expert   also triples, arrangements of a line

docs/GUIDE.md explains the techniques. These puzzles are not the instances of the papers
(those are `sudoku:seed=1` and `kakuro:seed=1`).

Examples:
  nestling puzzle sudoku --level hard
  nestling puzzle kakuro --level easy --size 6 --count 4 --seed 7 -o kakuros.svg
  nestling puzzle sudoku --level expert --count 20 -o book.pdf
  nestling puzzle sudoku -o mine.txt && nestling verify --unique mine.txt

Exit codes: 0 done; 2 bad usage, or a file that could not be written")]
pub(crate) struct PuzzleArgs {
    /// The kind of puzzle
    #[arg(value_parser = PossibleValuesParser::new(["sudoku", "kakuro"]).try_map(|name| name.parse::<PuzzleKind>()))]
    pub kind: PuzzleKind,
    /// The level
    #[arg(long, value_name = "LEVEL", default_value = "easy", value_parser = PossibleValuesParser::new(["easy", "medium", "hard", "expert", "extreme"]).try_map(|name| name.parse::<PuzzleLevel>()))]
    pub level: PuzzleLevel,
    /// How many cells a row has: 4, 9 or 16 for Sudokus, 5 to 10 for Kakuros [default: 9 for Sudokus, 8 for Kakuros]
    #[arg(long, value_name = "N", value_parser = within(1..=100u16), allow_hyphen_values = true)]
    pub size: Option<u16>,
    /// How many puzzles
    #[arg(long, value_name = "N", value_parser = within(1..=1000u16), allow_hyphen_values = true, default_value = "1")]
    pub count: u16,
    /// The seed of the first puzzle; each further puzzle uses the next number [default: chosen at random and printed]
    #[arg(long, value_name = "N", value_parser = within(0..=u64::MAX), allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// Write the puzzles to this file: .txt as the problem reads them, .pdf and .svg as pages with the solutions at the end
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub force: ForceArgs,
    /// Print JSON, one object per puzzle
    #[arg(long)]
    pub json: bool,
}

/// How the puzzles are written to a file.
#[derive(Clone, Copy)]
enum PuzzleFormat {
    Text,
    Svg,
    Pdf,
}

pub(crate) fn puzzle(args: &PuzzleArgs) -> Result<Exit> {
    let size = args.size.map_or(args.kind.usual_size(), usize::from);
    let file = args.output.as_ref().map(|path| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let ending = match ending {
            "txt" => PuzzleFormat::Text,
            "svg" => PuzzleFormat::Svg,
            "pdf" => PuzzleFormat::Pdf,
            _ => return Err(anyhow!("{}: the name of the file must end in .txt, .svg or .pdf", text::name(path))),
        };
        Ok((Output::new(path, args.force.existing())?, ending))
    });
    let file = file.transpose()?;
    let first = args.seed.unwrap_or_else(drawn_seed);
    let last = first.checked_add(u64::from(args.count) - 1);
    ensure!(
        last.is_some(),
        "--seed {first}: the seeds of {} puzzles would be too large; give a smaller one",
        args.count
    );
    // On a terminal the puzzles themselves show how far it is.
    let is_shown = file.is_none() && std::io::stdout().is_terminal();
    let progress = Progress::new(Total::Runs(args.count.into())).quiet(is_shown || args.count == 1);
    let mut puzzles = Vec::new();
    let (count, mut missed) = (args.count as usize, 0);
    for seed in first..=u64::MAX {
        if puzzles.len() == count {
            break;
        }
        let puzzle = match generate_puzzle(args.kind, args.level, size, seed, &|| false) {
            // Of many puzzles, the next seed takes the place of one that has none.
            Err(error @ NoPuzzle::NotFound { .. }) if count > 1 && missed < count => {
                missed += 1;
                progress.aside(|| anstream::eprintln!("{}: seed {seed}: {error}", text::program()));
                continue;
            }
            made => made?,
        };
        if args.json {
            json::print(&object(&puzzle))?;
        } else if file.is_none() {
            let gap = if puzzles.is_empty() { "" } else { "\n" };
            text::print(&format!("{gap}{}", written(&puzzle)))?;
        }
        puzzles.push(puzzle);
        progress.runs_done(puzzles.len() as u64, format!("{} of {} {}", puzzles.len(), args.count, plural(args)));
    }
    progress.finish();
    if let Some((output, ending)) = file {
        match ending {
            PuzzleFormat::Text => output.write(puzzles.iter().map(written).collect::<Vec<_>>().join("\n"))?,
            PuzzleFormat::Svg => output.write(pages_as_svg(&book(&puzzles)))?,
            PuzzleFormat::Pdf => {
                let title = format!("{}, {}: {}", text::plural(puzzles.len() as u64, "puzzle"), args.level, args.kind);
                output.write(pdf(&book(&puzzles), &title))?;
            }
        }
        if !args.json {
            let seeds = if args.count == 1 {
                format!("seed {first}")
            } else {
                format!("seeds {first} to {}", puzzles.last().map_or(first, |puzzle| puzzle.seed))
            };
            text::print(&format!("{} {} {}, {seeds}\n", args.count, args.level, plural(args)))?;
        }
    }
    Ok(Exit::Done)
}

fn plural(args: &PuzzleArgs) -> String {
    format!("{}{}", args.kind, if args.count == 1 { "" } else { "s" })
}

/// A puzzle as the problem reads it, below comments.
fn written(puzzle: &GeneratedPuzzle) -> String {
    let GeneratedPuzzle { kind, level, size, seed, grading, text, .. } = puzzle;
    format!("# {kind}, level {level}, size {size}, seed {seed}\n# {grading}\n{text}")
}

fn object(puzzle: &GeneratedPuzzle) -> serde_json::Value {
    let used: serde_json::Map<_, _> =
        puzzle.grading.used.iter().map(|&(name, count)| (name.to_owned(), count.into())).collect();
    json!({
        "kind": puzzle.kind.name(),
        "level": puzzle.level.name(),
        "size": puzzle.size,
        "seed": puzzle.seed,
        "text": puzzle.text,
        "techniques": used,
    })
}
