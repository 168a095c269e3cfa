//! `nestling runs export`: a run as JSON, CSV, a chart or a game.

use std::path::Path;

use anyhow::{Context, Result};
use nestling_registry::{Picture, Registry};
use nestling_store::{Account, Store};

use super::with_meaning;
use crate::convert::Destination;
use crate::failure::Exit;
use crate::output::{Existing, Sink};

pub(super) fn export(
    store: &Store,
    id: i64,
    file: &Path,
    existing: Existing,
    improvements: bool,
    registry: &Registry,
) -> Result<Exit> {
    let account = Account::of(store, id)?;
    let repeated = account.run.spec.runs > 1 && !improvements;
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let contents = match ending.as_deref() {
        None | Some("json") => format!("{:#}\n", with_meaning(account.json(), &account.run, registry)),
        Some("csv") if repeated => account.results_csv(),
        Some("csv") => account.improvements_csv(),
        Some("svg") if repeated => account.histogram(),
        Some("svg") => account.chart(unit(&account, registry)),
        Some(_) => return game(&account, file, existing, registry),
    };
    Sink::new(file, existing)?.write(contents.as_bytes())?;
    Ok(Exit::Done)
}

fn unit(account: &Account, registry: &Registry) -> &'static str {
    registry.open(&account.run.spec.problem).ok().and_then(|problem| problem.unit()).unwrap_or("score")
}

/// The best game, in the format that the file's name asks for.
fn game(account: &Account, file: &Path, existing: Existing, registry: &Registry) -> Result<Exit> {
    let (moves, provenance) =
        account.best().with_context(|| format!("run {} has found no game yet", account.run.id))?;
    let problem = registry.open(&account.run.spec.problem)?;
    let destination = Destination::new(file, None, None, existing, problem.as_ref(), registry)?;
    destination.write(&problem.certify(moves)?, &provenance, &Picture::default())?;
    Ok(Exit::Done)
}
