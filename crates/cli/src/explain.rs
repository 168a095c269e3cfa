//! `nestling explain`.

use anyhow::{Result, anyhow, ensure};
use nestling::{Estimate, Search};
use nestling_registry::{Instance, Registry};

use crate::args::ExplainArgs;
use crate::failure::Exit;
use crate::text;

/// A search without a budget is refused when it would take longer than this.
const ABSURD_SECONDS: f64 = 10.0 * 365.25 * 86_400.0;

pub(crate) fn explain(args: &ExplainArgs, registry: &Registry) -> Result<Exit> {
    let problem = registry.open(&args.problem)?;
    ensure!(problem.table().is_none(), "{0} is a game for two; its players are for nestling match {0}", problem.name());
    let search = parse(&args.search)?;
    let estimate = problem.estimate(&search, &[])?;
    text::print(&format!("{search}\n"))?;
    let expanded = search.expand();
    if expanded != search {
        text::print(&format!("  means     {expanded}\n"))?;
    }
    text::print(&format!("  costs     {} on {} here\n", cost(&search, &estimate), problem.name()))?;
    match refusal(&search, &estimate, problem.as_ref()) {
        None => Ok(Exit::Done),
        Some(reason) => {
            text::print(&format!("  refused   {reason}\n"))?;
            Ok(Exit::Negative)
        }
    }
}

fn cost(search: &Search, estimate: &Estimate) -> String {
    if search.is_endless() {
        return "whatever budget it is given".to_owned();
    }
    if estimate.playouts.is_infinite() {
        return "an unknown number of playouts: it looks at every game,".to_owned();
    }
    let (playouts, seconds) = (text::roughly(estimate.playouts), text::about(estimate.seconds));
    format!("about {playouts} playouts and {seconds} of one thread")
}

/// The expression, or one line that points at the culprit.
pub(crate) fn parse(text: &str) -> Result<Search> {
    text.parse().map_err(|error: nestling::ParseError| anyhow!("the search, {error}"))
}

/// Why `solve` would not run this without a budget.
pub(crate) fn refusal(search: &Search, estimate: &Estimate, problem: &dyn Instance) -> Option<String> {
    if search.is_endless() {
        return Some(format!("{search} never ends by itself; add --time, --playouts or --target"));
    }
    if estimate.seconds.is_finite() && estimate.seconds > ABSURD_SECONDS {
        let time = text::about(estimate.seconds);
        let name = problem.name();
        return Some(format!(
            "{search} would take about {time} on {name}; add --time, --playouts or --target, or lower its levels"
        ));
    }
    None
}
