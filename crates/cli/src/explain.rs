//! `nestling explain`.

use anyhow::{Context, Result, anyhow};
use nestling::{Estimate, Search};
use nestling_registry::{Registry, RunRefused, RunSpec, shortened};

use crate::args::ExplainArgs;
use crate::failure::Exit;
use crate::{problem, text};

pub(crate) fn explain(args: &ExplainArgs, registry: &Registry) -> Result<Exit> {
    let problem = problem::open(&args.problem, registry).map_err(|error| misplaced(args, registry).unwrap_or(error))?;
    let asked = RunSpec {
        search: args.search.as_deref().map(|text| parse(text, registry)).transpose()?.map(|search| search.to_string()),
        time: args.time,
        playouts: args.playouts,
        ..RunSpec::new(problem.name())
    };
    // The files of an expression need not be there. Weights hardly change what it costs; a network, which does, is not told apart from them.
    let ready = registry.decide(problem.into(), asked).map_err(refused)?;
    let (search, reason, estimate) = (ready.search(), ready.reason(), ready.estimate()?);
    text::print(&format!("{search}\n"))?;
    if let Some(reason) = reason {
        text::print(&format!("  why       {reason}\n"))?;
    }
    let expanded = search.expand();
    if expanded != *search {
        text::print(&format!("  means     {expanded}\n"))?;
    }
    text::print(&format!("  costs     {} ({})\n", cost(search, &estimate), shortened(ready.problem().name())))?;
    // The default search comes with a budget.
    match ready.refusal(&estimate).filter(|_| reason.is_none()) {
        None => Ok(Exit::Done),
        Some(why) => {
            text::print(&format!("  refused   {}\n", refused(why)))?;
            Ok(Exit::Negative)
        }
    }
}

/// The error if the only argument is a search.
fn misplaced(args: &ExplainArgs, registry: &Registry) -> Option<anyhow::Error> {
    let ExplainArgs { search: None, problem, .. } = args else { return None };
    registry.searches().parse(problem).ok()?;
    let (program, search) = (text::program(), text::shell_word(problem));
    Some(anyhow!("{problem} is a search; its problem comes after it, as in: {program} explain {search} morpion-5d"))
}

fn cost(search: &Search, estimate: &Estimate) -> String {
    if search.is_endless() {
        return "the whole budget".to_owned();
    }
    if estimate.playouts.is_infinite() {
        let why = if search.is_exhaustive() { " (it tries every game)" } else { "" };
        return format!("an unknown number of playouts{why}");
    }
    let (playouts, seconds) = (text::roughly(estimate.playouts), text::about(estimate.seconds));
    format!("about {playouts} playouts and {seconds} on one thread of this machine")
}

/// The expression, or an error that [points](nestling::ParseError::picture) at the culprit.
pub(crate) fn parse(text: &str, registry: &Registry) -> Result<Search> {
    registry.searches().parse(text).context("the search")
}

/// Why a run is not made, with the options that would help.
pub(crate) fn refused(refused: RunRefused) -> anyhow::Error {
    match refused {
        RunRefused::Endless { search } => {
            anyhow!("{search} never ends by itself; add --time, --playouts or --target")
        }
        RunRefused::TooLong { search, problem, seconds } => {
            let time = text::about(seconds);
            anyhow!(
                "{search} would take about {time} on {problem}; add --time, --playouts or --target, or lower its levels"
            )
        }
        RunRefused::GameForTwo { problem } => {
            let play = if cfg!(feature = "web") { format!(" or nestling play {problem}") } else { String::new() };
            anyhow!("{problem} is a two-player game; try nestling match {problem}{play}")
        }
        RunRefused::Device { device, reason } => anyhow!("--device {device}: {reason}"),
        RunRefused::Problem(error) => error.into(),
        RunRefused::Run(error) => error.into(),
        other => other.into(),
    }
}
