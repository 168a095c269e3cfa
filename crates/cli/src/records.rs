//! `nestling records`.

use anyhow::{Context, Result, anyhow, ensure};
use nestling_registry::{Instance, Published, Registry};

use crate::args::RecordsArgs;
use crate::convert::Destination;
use crate::failure::Exit;
use crate::stored::HallOfFame;
use crate::{json, show, text};

/// How many of the best games found here a list shows for each problem.
const FAMOUS: usize = 3;

pub(crate) fn records(args: &RecordsArgs, registry: &Registry) -> Result<Exit> {
    text::use_ascii(args.ascii.ascii);
    // Problems that cannot be opened without parameters have no published records.
    let mut problems: Vec<Box<dyn Instance>> =
        registry.list().filter_map(|(name, _)| registry.open(name).ok()).collect();
    let hall = HallOfFame::open(&args.store)?;
    let others = hall.problems()?.into_iter().filter(|name| problems.iter().all(|known| known.name() != name));
    problems.extend(others.filter_map(|name| registry.open(&name).ok()).collect::<Vec<_>>());
    let limit = if args.name.is_some() { usize::MAX } else { FAMOUS };
    if let Some(name) = args.name.as_ref().filter(|name| problems.iter().any(|problem| problem.name() == **name)) {
        problems.retain(|problem| problem.name() == name);
    }
    let mut games = Vec::new();
    for problem in &problems {
        let record = |own| move |game| RecordGame { problem: problem.as_ref(), game, own };
        games.extend(problem.published().into_iter().map(record(false)));
        games.extend(hall.games(problem.name(), limit)?.into_iter().map(record(true)));
    }
    match &args.name {
        Some(name) if problems.iter().all(|problem| problem.name() != name) => {
            ensure!(!args.json, "--json lists the games of a problem; {name:?} is not a problem");
            one(args, name, &games, registry)?;
        }
        _ if args.output.is_some() => write_own(args, &games, registry)?,
        _ if args.json => print_json(&games)?,
        _ => list(&problems, &games)?,
    }
    Ok(Exit::Done)
}

/// Writes the games of a problem that were found here.
fn write_own(args: &RecordsArgs, games: &[RecordGame<'_>], registry: &Registry) -> Result<()> {
    let (Some(path), Some(name)) = (&args.output, &args.name) else { return Ok(()) };
    let own: Vec<_> = games.iter().filter(|record| record.own).collect();
    let Some(RecordGame { problem, .. }) = own.first() else {
        return Err(anyhow!("{name}: no games of your own runs are stored; `nestling solve {name}` finds some"));
    };
    let destination = Destination::new(path, None, None, args.force.existing(), *problem, registry)?;
    destination.suits(&args.picture)?;
    let certified = own.iter().map(|record| problem.certify(&record.game.moves)).collect::<Result<Vec<_>, _>>()?;
    destination.write_all(certified.iter().zip(own.iter().map(|record| &record.game.provenance)))
}

/// A game worth remembering: published, or found here.
struct RecordGame<'a> {
    problem: &'a dyn Instance,
    game: Published,
    own: bool,
}

impl RecordGame<'_> {
    /// Its comparison with the published record.
    fn standing(&self) -> &'static str {
        match self.problem.record() {
            Some(record) if self.problem.goal().better(self.game.score, record.score) => "breaks the record",
            Some(record) if self.game.score == record.score => "equals the record",
            _ => "",
        }
    }
}

fn list(problems: &[Box<dyn Instance>], games: &[RecordGame<'_>]) -> Result<()> {
    let published = games.iter().filter(|record| !record.own).map(|RecordGame { problem, game, .. }| {
        let holder = game.provenance.author.clone().unwrap_or_default();
        let date = game.date.clone().unwrap_or_default();
        [game.id.clone(), problem.name().to_owned(), text::figure(*problem, game.score), holder, date]
    });
    text::print(&text::table(["name", "problem", "score", "found by", "when"], published))?;
    let records = problems.iter().filter_map(|problem| Some((problem, problem.record()?)));
    let bounds = records.map(|(problem, record)| {
        let (bound, prover) = record.bound.map_or_else(Default::default, |(score, by)| (score.to_string(), by));
        [problem.name().to_owned(), record.score.to_string(), record.holder, bound, prover]
    });
    text::print(&format!("\n{}", text::table(["problem", "record", "found by", "bound", "proved by"], bounds)))?;
    if games.iter().any(|record| record.own) {
        let own = games.iter().filter(|record| record.own).map(|record| {
            let (game, standing) = (&record.game, record.standing().to_owned());
            let when = game.date.clone().unwrap_or_default();
            [game.id.clone(), text::figure(record.problem, game.score), game.name.clone(), when, standing]
        });
        text::print(&format!("\n{}", text::table(["found here", "score", "found by", "when", ""], own)))?;
    }
    Ok(())
}

fn print_json(games: &[RecordGame<'_>]) -> Result<()> {
    for RecordGame { problem, game, own } in games {
        json::print(&nestling_registry::json::record(*problem, game, *own))?;
    }
    Ok(())
}

/// Draws or writes one of them.
fn one(args: &RecordsArgs, name: &str, games: &[RecordGame<'_>], registry: &Registry) -> Result<()> {
    let found = games
        .iter()
        .find(|record| record.game.id.eq_ignore_ascii_case(name) || record.game.name.eq_ignore_ascii_case(name));
    let RecordGame { problem, game, .. } = found.ok_or_else(|| {
        let names: Vec<_> = games.iter().map(|record| record.game.id.as_str()).collect();
        anyhow!("there is no record {name:?}; there are {}", names.join(", "))
    })?;
    let picture = args.picture.picture(game.moves.len()).with_context(|| game.id.clone())?;
    let certified = problem.certify(&game.moves)?;
    if let Some(path) = &args.output {
        let destination = Destination::new(path, None, None, args.force.existing(), *problem, registry)?;
        destination.suits(&args.picture)?;
        return destination.write(&certified, &game.provenance, &picture);
    }
    let what = match picture.up_to {
        Some(count) => format!("after move {count} of {}", game.moves.len()),
        None => problem.worth(game.score, true),
    };
    let summary = format!("{}: {}, {what}", game.name, problem.name());
    show::draw(*problem, &certified, picture.up_to, &summary, &game.provenance)
}
