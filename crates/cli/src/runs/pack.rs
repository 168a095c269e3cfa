//! `nestling runs pack` and `nestling runs unpack`: runs from one store to another, or to the app in a browser tab.

use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use nestling_registry::Registry;
use nestling_store::{HEADER, Imported, PortableLine, Store};

use crate::failure::Exit;
use crate::output::{Existing, Sink};
use crate::{files, text};

pub(super) fn pack(store: &Store, file: &Path, runs: &[i64], existing: Existing) -> Result<Exit> {
    let sink = Sink::new(file, existing)?;
    let mut lines = vec![HEADER.to_owned()];
    let mut add = |line: &PortableLine| -> Result<()> {
        lines.push(serde_json::to_string(line)?);
        Ok(())
    };
    let all = || -> Result<Vec<i64>> { Ok(store.runs()?.iter().rev().map(|run| run.id).collect()) };
    for run in if runs.is_empty() { all()? } else { runs.to_vec() } {
        add(&PortableLine::Run(Box::new(store.portable(run)?)))?;
    }
    if runs.is_empty() {
        for problem in store.famous_problems()? {
            store.portable_games(&problem)?.into_iter().try_for_each(|game| add(&PortableLine::Game(game)))?;
        }
    }
    sink.write((lines.join("\n") + "\n").as_bytes())?;
    Ok(Exit::Done)
}

pub(super) fn unpack(path: &Path, file: &Path, registry: &Registry) -> Result<Exit> {
    let name = text::name(file);
    let bytes = files::read_large(file)?;
    let contents = String::from_utf8(bytes).ok().filter(|text| text.lines().next() == Some(HEADER));
    let contents = contents.with_context(|| {
        format!(
            "{name}: not a file of runs; `{} runs pack` and the page of runs in a browser tab write one",
            text::program()
        )
    })?;
    let lines: Vec<(usize, PortableLine)> = contents
        .lines()
        .enumerate()
        .skip(1)
        .map(|(index, line)| {
            let line = serde_json::from_str(line).map_err(|error| anyhow!("{name}, line {}: {error}", index + 1))?;
            Ok((index + 1, line))
        })
        .collect::<Result<_>>()?;
    let mut store = Store::open(path)?;
    store.check()?;
    let (mut games, mut refused) = (0, 0);
    for (number, line) in lines {
        let place = format!("{name}, line {number}");
        let added = match line {
            PortableLine::Run(run) => {
                let said = serde_json::from_str::<serde_json::Value>(&run.spec).ok();
                let problem = said.as_ref().and_then(|spec| spec["problem"].as_str()).unwrap_or_default();
                match registry.open(problem) {
                    Ok(problem) => store.import(&run, problem.as_ref())?.map(|imported| tell(&place, imported)),
                    Err(error) => Err(error.to_string()),
                }
            }
            PortableLine::Game(game) => match registry.open(&game.problem) {
                Ok(problem) => store.import_game(&game, problem.as_ref())?.map(|()| {
                    games += 1;
                    Ok(())
                }),
                Err(error) => Err(error.to_string()),
            },
        };
        match added {
            Ok(told) => told?,
            Err(reason) => {
                refused += 1;
                anstream::eprintln!("{}: {place}: {reason}", text::program());
            }
        }
    }
    if games > 0 {
        text::print(&format!("{} read\n", text::plural(games, "game")))?;
    }
    ensure!(refused == 0, "{name}: {} refused; all others were added", text::plural(refused, "line"));
    Ok(Exit::Done)
}

fn tell(place: &str, imported: Imported) -> Result<()> {
    let said = match imported {
        Imported::Added(run) => format!("added as run {run}"),
        Imported::Replaced(run) => format!("goes further than the run here; now run {run}"),
        Imported::Known(run) => format!("run {run} is as far already"),
    };
    Ok(text::print(&format!("{place}: {said}\n"))?)
}
