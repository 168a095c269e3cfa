//! `nestling lab compare`.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, anyhow, bail, ensure};
use nestling::Cancel;
use nestling_lab::{Compared, Reading, SearchComparison, Summary, figure, range};
use nestling_registry::{Registry, shortened};
use serde_json::json;

use super::args::CompareArgs;
use crate::failure::Exit;
use crate::output::{Existing, Output};
use crate::progress::{Progress, Total};
use crate::{explain, files, interrupt, json, problem, text};

pub(super) fn compare(args: &CompareArgs, registry: &Registry) -> Result<Exit> {
    let searches = [explain::parse(&args.one, registry)?, explain::parse(&args.other, registry)?];
    if args.time.is_none() && args.playouts.is_none() && searches.iter().any(nestling::Search::is_endless) {
        bail!("a search that never ends needs a budget; give --time or --playouts");
    }
    let output = args.output.as_deref().map(|path| chart(path, args.force.existing())).transpose()?;
    let cancel = Cancel::new();
    interrupt::listen(&cancel)?;
    let comparison = SearchComparison {
        registry,
        problem: problem::named(&args.problem, registry)?.into_owned(),
        searches: searches.map(|search| search.to_string()),
        seconds: args.time.map(|time| time.as_secs_f64()),
        playouts: args.playouts,
        pairs: args.runs,
        seed: args.seed.unwrap_or_else(nestling_registry::drawn_seed),
        workers: args.threads.map_or_else(nestling_registry::all_threads, usize::from),
        cancel: cancel.clone(),
    };
    let progress = Progress::new(Total::Runs(2 * args.runs));
    let compared = comparison.run(&mut |done| progress.runs_done(done, format!("{done} of {} runs", 2 * args.runs)));
    progress.finish();
    let compared = compared.map_err(|reason| anyhow!(reason))?;
    if let Some(output) = output {
        let names = [comparison.searches[0].as_str(), comparison.searches[1].as_str()];
        output.write(compared.chart(&shortened(&comparison.problem), names, args.time.is_some()))?;
    }
    match args.json {
        true => json::print(&as_json(&comparison, &compared))?,
        false => text::print(&as_text(&comparison, &compared))?,
    }
    Ok(if cancel.is_cancelled() { Exit::Interrupted } else { Exit::Done })
}

/// The file for the chart, whose name must not promise another kind of picture.
fn chart(path: &Path, existing: Existing) -> Result<Output> {
    let ending = files::extension(path).to_lowercase();
    ensure!(ending.is_empty() || ending == ".svg", "{}: the chart is an SVG; write an .svg", text::name(path));
    Output::new(path, existing)
}

const SIDES: [char; 2] = ['A', 'B'];

fn as_text(comparison: &SearchComparison<'_>, compared: &Compared) -> String {
    let budget = match (comparison.seconds, comparison.playouts) {
        (Some(seconds), _) => format!(", {} each", text::measured(Duration::from_secs_f64(seconds))),
        (None, Some(playouts)) => format!(", {} each", text::plural(playouts, "playout")),
        (None, None) => String::new(),
    };
    let pairs = compared.pairs.len() as u64;
    let mut lines = format!(
        "{}: {} of runs{budget}, seed {}\n",
        shortened(&comparison.problem),
        text::plural(pairs, "pair"),
        comparison.seed
    );
    let (Some(one), Some(other), Some((difference, interval))) =
        (compared.summary(0), compared.summary(1), compared.difference())
    else {
        return lines + "no pair was finished\n";
    };
    let width = comparison.searches.iter().map(|search| search.chars().count()).max().unwrap_or(0);
    for (side, summary) in [one, other].iter().enumerate() {
        lines += &format!("  {}  {:width$}  {}\n", SIDES[side], comparison.searches[side], spread(summary));
    }
    let [better, worse] = compared.better();
    let equal = compared.pairs.len() - better - worse;
    lines += &format!(
        "A - B: {} on average, with 95 % confidence {}\nA is better in {better} pairs, B in {worse}, {equal} are equal\n",
        figure(difference),
        range(interval.low, interval.high)
    );
    lines += &match compared.winner() {
        Some(side) => format!("{} is better, significantly: {}\n", SIDES[side], comparison.searches[side]),
        None => "no significant difference\n".to_owned(),
    };
    lines + &idle(comparison, compared)
}

fn spread(summary: &Summary) -> String {
    let interval = summary.interval();
    let half = (interval.high - interval.low) / 2.0;
    let error = if half.is_finite() { format!(" ± {}", figure(half)) } else { String::new() };
    format!("mean {}{error}, {}", figure(summary.mean), range(summary.least(), summary.greatest()))
}

/// Searches that are over long before their time are at a disadvantage that a person may not mean.
fn idle(comparison: &SearchComparison<'_>, compared: &Compared) -> String {
    let early = |reading: &Reading| match (comparison.seconds, comparison.playouts) {
        (Some(seconds), _) => reading.seconds.is_some_and(|taken| taken < 0.9 * seconds),
        (None, Some(playouts)) => reading.playouts < playouts,
        (None, None) => false,
    };
    let mut lines = String::new();
    for (side, search) in comparison.searches.iter().enumerate() {
        let count = compared.pairs.iter().filter(|pair| early(&pair[side])).count();
        if count > 0 {
            lines += &format!(
                "{} ended before its budget in {} of {} runs; repeat({search}) would use the whole budget\n",
                SIDES[side],
                count,
                compared.pairs.len()
            );
        }
    }
    lines
}

fn as_json(comparison: &SearchComparison<'_>, compared: &Compared) -> serde_json::Value {
    let side = |side: usize| {
        let summary = compared.summary(side);
        json!({
            "search": comparison.searches[side],
            "mean": summary.as_ref().map(|summary| summary.mean),
            "scores": compared.pairs.iter().map(|pair| json::score(pair[side].score)).collect::<Vec<_>>(),
        })
    };
    let difference = compared.difference();
    let interval = difference.map(|(_, interval)| [interval.low, interval.high]).filter(|ends| ends[0].is_finite());
    json!({
        "event": "comparison",
        "problem": comparison.problem,
        "seed": comparison.seed,
        "pairs": compared.pairs.len(),
        "seconds": comparison.seconds,
        "playouts": comparison.playouts,
        "a": side(0),
        "b": side(1),
        "difference": difference.map(|(mean, _)| mean),
        "interval": interval,
        "better": compared.better(),
        "winner": compared.winner().map(|side| SIDES[side].to_string()),
    })
}
