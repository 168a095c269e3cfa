//! `nestling records`.

use anyhow::{Context, Result, anyhow};
use nestling_registry::{Instance, Published, Registry};
use serde_json::json;

use crate::args::RecordsArgs;
use crate::convert::Destination;
use crate::failure::Exit;
use crate::{json, show, text};

pub(crate) fn records(args: &RecordsArgs, registry: &Registry) -> Result<Exit> {
    // Problems that cannot be opened without parameters have no records of their own.
    let problems: Vec<Box<dyn Instance>> = registry.list().filter_map(|(name, _)| registry.open(name).ok()).collect();
    match &args.name {
        None => list(&problems, args.json)?,
        Some(name) => one(args, name, &problems, registry)?,
    }
    Ok(Exit::Done)
}

fn list(problems: &[Box<dyn Instance>], as_json: bool) -> Result<()> {
    if as_json {
        return print_json(problems);
    }
    let mut rows = vec![["name", "problem", "score", "found by", "when"].map(str::to_owned).to_vec()];
    for problem in problems {
        rows.extend(problem.published().iter().map(|game| {
            let holder = game.provenance.author.clone().unwrap_or_default();
            let date = game.date.clone().unwrap_or_default();
            vec![game.id.clone(), problem.name().to_owned(), game.score.to_string(), holder, date]
        }));
    }
    text::print(&text::table(&rows))?;
    let mut bounds = vec![["problem", "record", "found by", "bound", "proved by"].map(str::to_owned).to_vec()];
    for (problem, record) in problems.iter().filter_map(|problem| Some((problem, problem.record()?))) {
        let (bound, prover) = record.bound.map_or_else(Default::default, |(score, by)| (score.to_string(), by));
        bounds.push(vec![problem.name().to_owned(), record.score.to_string(), record.holder, bound, prover]);
    }
    text::print(&format!("\n{}", text::table(&bounds)))?;
    Ok(())
}

fn print_json(problems: &[Box<dyn Instance>]) -> Result<()> {
    for problem in problems {
        let record = problem.record();
        for game in problem.published() {
            let equal = record.as_ref().filter(|record| record.score == game.score);
            json::print(&json!({
                "name": game.id,
                "title": game.name,
                "problem": problem.name(),
                "score": json::score(game.score),
                "author": game.provenance.author,
                "date": game.date,
                "source": game.provenance.source,
                "record": equal.is_some(),
                "proven": equal.is_some_and(|record| record.proven),
                "bound": record.as_ref().and_then(|record| record.bound.as_ref()).map(|(score, _)| json::score(*score)),
                "moves": game.moves,
            }))?;
        }
    }
    Ok(())
}

/// Draws or writes one of them.
fn one(args: &RecordsArgs, name: &str, problems: &[Box<dyn Instance>], registry: &Registry) -> Result<()> {
    let games: Vec<(&dyn Instance, Published)> = problems
        .iter()
        .flat_map(|problem| problem.published().into_iter().map(move |game| (problem.as_ref(), game)))
        .collect();
    let found =
        games.iter().find(|(_, game)| game.id.eq_ignore_ascii_case(name) || game.name.eq_ignore_ascii_case(name));
    let (problem, game) = found.ok_or_else(|| {
        let names: Vec<_> = games.iter().map(|(_, game)| game.id.as_str()).collect();
        anyhow!("there is no record {name:?}; there are {}", names.join(", "))
    })?;
    let picture = args.picture.picture(game.moves.len()).with_context(|| game.id.clone())?;
    if let Some(path) = &args.output {
        return Destination::new(path, None, None, *problem, registry)?.write(&game.moves, &game.provenance, &picture);
    }
    let what = match picture.up_to {
        Some(count) => format!("after move {count} of {}", game.moves.len()),
        None => text::score(*problem, game.score),
    };
    let summary = format!("{}: {}, {what}", game.name, problem.name());
    show::draw(*problem, &game.moves, picture.up_to, args.ascii, &summary, &game.provenance)
}
