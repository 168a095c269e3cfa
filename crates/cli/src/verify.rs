//! `nestling verify`.

use std::path::Path;

use anyhow::{Result, anyhow};
use nestling::Certified;
use nestling_registry::{Comparison, Instance, Likeness, Published, ReadError, Registry, VerifiedGame, shortened};
use serde_json::{Value, json};

use crate::args::VerifyArgs;
use crate::failure::Exit;
use crate::games::{FoundGame, GameFile};
use crate::{json, text};

pub(crate) fn verify(args: &VerifyArgs, registry: &Registry) -> Result<Exit> {
    let against = args.against.as_deref().map(|path| Other::read(path, registry)).transpose()?;
    let mut worst = Exit::Done;
    for path in &args.files {
        worst = worst.max(all(path, args.json, registry, against.as_ref())?);
    }
    Ok(worst)
}

/// The game that the others are compared with.
struct Other {
    name: String,
    bytes: Vec<u8>,
    verdict: VerifiedGame,
}

impl Other {
    fn read(path: &Path, registry: &Registry) -> Result<Self> {
        let file = GameFile::read(path)?;
        let game = file.only(registry)?;
        let verdict = registry.verify(game.bytes).map_err(|error| anyhow!("{}: {error}", game.place()))?;
        text::notes(&game.name, &verdict.notes);
        Ok(Other { bytes: game.bytes.to_vec(), name: game.name, verdict })
    }

    /// How a game compares. A file that leaves the problem open is first read as a game of the same one.
    fn compare(&self, problem: &dyn Instance, game: &Certified, registry: &Registry) -> Result<Comparison> {
        match registry.verify_as(&self.bytes, problem) {
            Ok(other) => Ok(problem.compare(&other.game, game)?),
            Err(_) => {
                let words = format!("another game, of {}", shortened(&self.verdict.problem));
                Ok(Comparison::new(Likeness::Different, words))
            }
        }
    }
}

fn all(path: &Path, as_json: bool, registry: &Registry, against: Option<&Other>) -> Result<Exit> {
    let bad = |error: &anyhow::Error| refuse(&text::name(path), &format!("{error:#}"), Exit::Bad, as_json);
    let file = match GameFile::read(path) {
        Ok(file) => file,
        Err(error) => return bad(&error),
    };
    let games = match file.games(registry) {
        Ok(games) => games,
        Err(error) => return bad(&error),
    };
    let mut worst = Exit::Done;
    for game in games {
        worst = worst.max(one(&game, as_json, registry, against)?);
    }
    Ok(worst)
}

fn one(game: &FoundGame<'_>, as_json: bool, registry: &Registry, against: Option<&Other>) -> Result<Exit> {
    let name = game.name.clone();
    match registry.verify(game.bytes) {
        Ok(verdict) => {
            let problem = registry.open(&verdict.problem)?;
            let record = verdict.record(problem.as_ref())?;
            let other = against.map(|other| other.compare(problem.as_ref(), &verdict.game, registry)).transpose()?;
            let findings = Findings { name, verdict, record, other: against.zip(other) };
            if as_json {
                json::print(&findings.json(problem.as_ref()))?
            } else {
                findings.print(problem.as_ref())?
            }
            Ok(Exit::Done)
        }
        Err(error @ ReadError::Illegal(_)) => {
            refuse(&name, &format!("{name}: illegal, {error}"), Exit::Negative, as_json)
        }
        Err(error) => refuse(&name, &format!("{}: {error}", game.place()), Exit::Bad, as_json),
    }
}

fn refuse(name: &str, message: &str, exit: Exit, as_json: bool) -> Result<Exit> {
    if as_json {
        let legal = if exit == Exit::Negative { json!(false) } else { json!(null) };
        let reason = message.strip_prefix(name).map_or(message, |rest| rest.trim_start_matches([':', ' ']));
        json::print(&json!({ "file": name, "legal": legal, "error": reason }))?;
    } else {
        anstream::eprintln!("{}: {message}", text::program());
    }
    Ok(exit)
}

/// All there is to say of a legal game.
struct Findings<'a> {
    name: String,
    verdict: VerifiedGame,
    record: Option<(Published, Comparison)>,
    other: Option<(&'a Other, Comparison)>,
}

impl Findings<'_> {
    fn print(&self, problem: &dyn Instance) -> Result<()> {
        let Findings { name, verdict, .. } = self;
        text::notes(name, &verdict.notes);
        let score = problem.worth(verdict.game.score(), verdict.game.is_over());
        let state = if verdict.game.is_over() { "complete" } else { "legal moves are left" };
        let record = self.record.as_ref();
        let record = record.map_or_else(String::new, |(game, same)| format!("; record {}: {}", game.name, same.words));
        text::print(&format!("{name}: legal, {}, {score}, {state}{record}\n", shortened(&verdict.problem)))?;
        if let Some((other, comparison)) = &self.other {
            text::print(&format!("{name}: compared with {}: {}\n", other.name, comparison.words))?;
        }
        Ok(())
    }

    fn json(&self, problem: &dyn Instance) -> Value {
        let Findings { name, verdict, .. } = self;
        let mut object = json::verdict(Some(name), verdict, problem, self.record.as_ref().map(|(game, _)| game));
        if let Some((other, comparison)) = &self.other {
            object["against"] =
                json!({ "file": other.name, "same": comparison.likeness.word(), "words": comparison.words });
        }
        object
    }
}
