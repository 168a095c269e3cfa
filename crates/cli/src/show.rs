//! `nestling show`.

use anyhow::{Context, Result};
use nestling::Provenance;
use nestling_registry::{Instance, Registry};

use crate::args::ShowArgs;
use crate::convert::{Destination, read};
use crate::failure::Exit;
use crate::text;

pub(crate) fn show(args: &ShowArgs, registry: &Registry) -> Result<Exit> {
    let Some((verdict, problem)) = read(&args.file, registry)? else { return Ok(Exit::Negative) };
    let picture = args.picture.picture(verdict.moves.len()).with_context(|| text::name(&args.file))?;
    if let Some(path) = &args.output {
        let destination = Destination::new(path, None, Some(&args.file), problem.as_ref(), registry)?;
        destination.suits(&args.picture)?;
        destination.write(&verdict.moves, &verdict.provenance, &picture)?;
        return Ok(Exit::Done);
    }
    let state = if verdict.certificate.terminal { "complete" } else { "legal moves are left" };
    let score = problem.worth(verdict.certificate.score, verdict.certificate.terminal);
    let summary = match picture.up_to {
        Some(count) => format!("{}: after move {count} of {}", verdict.problem, verdict.moves.len()),
        None => format!("{}: {score}, {state}", verdict.problem),
    };
    draw(problem.as_ref(), &verdict.moves, picture.up_to, args.ascii, &summary, &verdict.provenance)?;
    Ok(Exit::Done)
}

/// A game on the terminal: the picture, a line about it, and where it comes from.
pub(crate) fn draw(
    problem: &dyn Instance,
    moves: &[String],
    up_to: Option<usize>,
    ascii: bool,
    summary: &str,
    provenance: &Provenance,
) -> Result<()> {
    let shown = &moves[..up_to.unwrap_or(moves.len())];
    let canvas = nestling_registry::Canvas { ascii, ..text::canvas() };
    text::print(&problem.draw(shown, canvas)?)?;
    text::print(&format!("\n{summary}\n"))?;
    for (key, value) in provenance.fields() {
        text::print(&format!("{key}: {value}\n"))?;
    }
    Ok(())
}
