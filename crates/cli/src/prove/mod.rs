//! `nestling prove`.

mod checkpoint;
mod each_move;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use nestling::{Cancel, Certified, Problem, Provenance};
use nestling_morpion::{Board, MorpionGame, Move, ProofStep, ProvenTail, Prover, Variant, published};
use nestling_presentation::Presentation;
use nestling_registry::{Instance, Picture, Registry};
use serde_json::json;

use crate::args::ProveArgs;
use crate::convert::{Destination, read};
use crate::failure::Exit;
use crate::progress::{Progress, Total};
use crate::{interrupt, json, text};
use checkpoint::Checkpoint;

/// How long a proof may take if no limit is given.
const USUAL: Duration = Duration::from_secs(60);

/// How often the checkpoint is written.
const INTERVAL: Duration = Duration::from_secs(10);

pub(crate) fn prove(args: &ProveArgs, registry: &Registry) -> Result<Exit> {
    let Some((name, game, problem)) = find(&args.game, registry)? else { return Ok(Exit::Negative) };
    let destination = match &args.output {
        Some(path) => {
            Some(Destination::new(path, None, Some(&args.game), args.force.existing(), problem.as_ref(), registry)?)
        }
        None => None,
    };
    let (words, json, end, variant) = if args.each_move {
        let (each, end) = each_move::run(&game, Limits::new(args)?)?;
        let report = each_move::EachMoveReport { name: &name, problem: problem.name(), each: &each, end: &end };
        (report.words(), report.json(), end, game.variant)
    } else {
        let mut work = Work::new(args, game)?;
        let end = work.run()?;
        let report = ProofReport { name: &name, problem: problem.as_ref(), work: &work, end: &end };
        (report.words(), report.json(), end, work.game.variant)
    };
    let longer = end.longer(variant, problem.as_ref())?;
    if args.json {
        json::print(&json)?;
    } else {
        text::print(&words)?;
    }
    if let Some(game) = &longer {
        let destination = match destination {
            Some(destination) => Some(destination),
            None if args.json => None,
            None => Some(standard_output(problem.as_ref(), registry)?),
        };
        let found = Provenance { program: Some(program()), ..Provenance::default() };
        destination.map(|to| to.write(game, &found, &Picture::default())).transpose()?;
    }
    Ok(end.exit())
}

fn program() -> String {
    format!("nestling {}", env!("CARGO_PKG_VERSION"))
}

fn standard_output<'a>(problem: &'a dyn Instance, registry: &'a Registry) -> Result<Destination<'a>> {
    let existing = crate::args::ForceArgs::default().existing();
    Destination::new(Path::new("-"), Some("pentasol"), None, existing, problem, registry)
}

/// A game with its name and its problem.
type Named = (String, MorpionGame, Box<dyn Instance>);

/// The game of a file, or the published record of this name if there is no such file.
fn find(path: &Path, registry: &Registry) -> Result<Option<Named>> {
    let name = text::name(path);
    let record = published().into_iter().find(|record| record.id.eq_ignore_ascii_case(&name) && !path.exists());
    if let Some(record) = record {
        let game = record.reading.game;
        let problem = registry.open(&format!("morpion-{}", game.variant.name().to_lowercase()))?;
        return Ok(Some((record.id.to_owned(), game, problem)));
    }
    let Some((verified, problem)) = read(path, registry)? else { return Ok(None) };
    let variant = problem.name().strip_prefix("morpion-").and_then(|variant| variant.parse::<Variant>().ok());
    let variant = variant.with_context(|| {
        format!("{name}: is a game of {}; only games of Morpion Solitaire can be proven", problem.name())
    })?;
    let texts: Vec<&str> = verified.game.texts().iter().map(String::as_str).collect();
    let moves = Board::new(variant).parse(&texts).map_err(|illegal| anyhow!("{name}: {illegal}"))?;
    Ok(Some((name, MorpionGame { variant, moves }, problem)))
}

/// Why a proof ended.
enum End {
    Whole,
    Longer(Vec<Move>),
    Time,
    Positions,
    Interrupted,
}

impl End {
    fn exit(&self) -> Exit {
        match self {
            End::Whole | End::Time | End::Positions => Exit::Done,
            End::Longer(_) => Exit::Negative,
            End::Interrupted => Exit::Interrupted,
        }
    }

    /// The longer game, verified by the plain rules once more.
    fn longer(&self, variant: Variant, problem: &dyn Instance) -> Result<Option<Certified>> {
        let End::Longer(moves) = self else { return Ok(None) };
        Ok(Some(problem.certify(&Board::new(variant).texts(moves))?))
    }

    fn word(&self) -> &'static str {
        match self {
            End::Whole => "whole game",
            End::Longer(_) => "longer game",
            End::Time => "time",
            End::Positions => "positions",
            End::Interrupted => "interrupted",
        }
    }
}

/// The time limit of a proof, and its progress bar.
struct Limits {
    time: Option<Duration>,
    positions: Option<u64>,
    began: Instant,
    cancel: Cancel,
    progress: Progress,
}

impl Limits {
    fn new(args: &ProveArgs) -> Result<Self> {
        let time = args.time.or(args.positions.is_none().then_some(USUAL));
        let cancel = Cancel::new();
        interrupt::listen(&cancel)?;
        let progress = Progress::new(time.map_or(Total::Unknown, Total::Time)).quiet(args.quiet);
        Ok(Limits { time, positions: args.positions, began: Instant::now(), cancel, progress })
    }

    /// Why the proof must end after so many positions; tells the progress bar now and then.
    fn reached(&self, positions: u64, say: impl FnOnce() -> String) -> Option<End> {
        if self.positions.is_some_and(|most| positions > most) {
            return Some(End::Positions);
        }
        if !positions.is_multiple_of(256) {
            return None;
        }
        let elapsed = self.began.elapsed();
        self.progress.at(elapsed, say());
        if self.cancel.is_cancelled() {
            return Some(End::Interrupted);
        }
        self.time.is_some_and(|most| elapsed >= most).then_some(End::Time)
    }
}

/// A proof with its limits and its checkpoint.
struct Work {
    game: MorpionGame,
    prover: Prover,
    /// Whether the game's moves may be put into another order.
    any_order: bool,
    checkpoint: Option<Checkpoint>,
    resumed: usize,
    limits: Limits,
}

impl Work {
    fn new(args: &ProveArgs, game: MorpionGame) -> Result<Self> {
        let opened = args.checkpoint.as_deref().map(|path| Checkpoint::open(path, &game)).transpose()?;
        let (checkpoint, proven) =
            opened.map_or((None, ProvenTail::nothing(&game)), |(file, proven)| (Some(file), proven));
        let prover = proven.prover(&game).map_err(|illegal| anyhow!("{illegal}"))?;
        let (any_order, resumed, limits) = (args.any_order, proven.moves, Limits::new(args)?);
        Ok(Work { game, prover, any_order, checkpoint, resumed, limits })
    }

    fn run(&mut self) -> Result<End> {
        let mut written = Instant::now();
        let end = loop {
            match self.step() {
                (ProofStep::Proven, _) => {}
                (ProofStep::Whole, _) => break End::Whole,
                (ProofStep::Longer(moves), _) => break End::Longer(moves),
                (ProofStep::Stopped, reason) => break reason.unwrap_or(End::Interrupted),
            }
            if written.elapsed() >= INTERVAL {
                self.keep()?;
                written = Instant::now();
            }
        };
        self.limits.progress.finish();
        self.keep()?;
        Ok(end)
    }

    /// One move more, and why it was given up if it was.
    fn step(&mut self) -> (ProofStep, Option<End>) {
        let Work { game, prover, any_order, limits, .. } = self;
        let (proven, all) = (prover.proven(), game.moves.len());
        let mut reason = None;
        let mut go_on = |count: u64| {
            let say = || format!("last {proven} of {all} moves proven, {} positions", text::count(count));
            reason = limits.reached(count, say);
            reason.is_none()
        };
        let step = if *any_order { prover.step_in_any_order(&mut go_on) } else { prover.step(&mut go_on) };
        (step, reason)
    }

    fn keep(&self) -> Result<()> {
        let proven = ProvenTail::by(&self.prover, &self.game);
        self.checkpoint.as_ref().map_or(Ok(()), |checkpoint| checkpoint.write(&self.game, &proven))
    }
}

struct ProofReport<'a> {
    name: &'a str,
    problem: &'a dyn Instance,
    work: &'a Work,
    end: &'a End,
}

impl ProofReport<'_> {
    /// Whether the proof is of the game in another order.
    fn is_reordered(&self) -> bool {
        self.work.prover.moves() != self.work.game.moves
    }

    /// The number of moves that the longer game has in common with this one.
    fn common(&self) -> usize {
        let End::Longer(moves) = self.end else { return 0 };
        moves.iter().zip(self.work.prover.moves()).take_while(|(one, other)| one == other).count()
    }

    /// The moves before the proven ones, as they are written.
    fn others(&self) -> Vec<String> {
        let (board, moves) = (Board::new(self.work.game.variant), self.work.prover.moves());
        moves[..moves.len() - self.work.prover.proven()].iter().map(|&played| board.move_text(played)).collect()
    }

    fn words(&self) -> String {
        let ProofReport { name, problem, work, end } = self;
        let (proven, all) = (work.prover.proven(), work.game.moves.len());
        let problem = problem.name();
        let result = match end {
            End::Longer(moves) => {
                let common = self.common();
                format!(
                    "not best: a game of {} moves has the same first {}",
                    moves.len(),
                    text::plural(common as u64, "move")
                )
            }
            End::Whole => format!("best: no game of {problem} is longer than {all} moves"),
            _ if proven == 0 => "nothing is proven yet".to_owned(),
            _ if self.is_reordered() => {
                let kept = text::plural((all - proven) as u64, "move");
                format!("{proven} of {all} moves are best: no longer game contains the other {kept}")
            }
            _ => format!(
                "the last {proven} of {all} moves are best: no longer game continues its first {}",
                text::plural((all - proven) as u64, "move")
            ),
        };
        let resumed = match work.resumed {
            0 => String::new(),
            moves => format!("; the checkpoint had {}", text::plural(moves as u64, "proven move")),
        };
        let cost = text::plural(work.prover.positions(), "position");
        format!("{name}: {result} ({problem}, {cost}, {}{resumed})\n", text::measured(work.limits.began.elapsed()))
    }

    fn json(&self) -> serde_json::Value {
        let ProofReport { name, problem, work, end } = self;
        let longer = longer_game(end, work.game.variant, self.common());
        json!({
            "game": name,
            "problem": problem.name(),
            "moves": work.game.moves.len(),
            "proven": work.prover.proven(),
            "other": if self.is_reordered() { json!(self.others()) } else { json!(null) },
            "resumed": work.resumed,
            "positions": work.prover.positions(),
            "seconds": work.limits.began.elapsed().as_secs_f64(),
            "stop": end.word(),
            "longer": longer,
        })
    }
}

/// A longer game in JSON, with the number of its first moves that the game has too.
fn longer_game(end: &End, variant: Variant, common: usize) -> Option<serde_json::Value> {
    let End::Longer(moves) = end else { return None };
    Some(json!({ "common": common, "score": moves.len() as f64, "moves": Board::new(variant).texts(moves) }))
}
