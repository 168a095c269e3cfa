//! `nestling verify`.

use std::path::Path;

use anyhow::{Result, anyhow};
use nestling::Certified;
use nestling_registry::{
    Comparison, Instance, Likeness, Published, ReadError, Registry, Solutions, VerifiedGame, count_solutions, shortened,
};
use serde_json::{Value, json};

use crate::args::VerifyArgs;
use crate::failure::Exit;
use crate::games::{GameInFile, InputFile};
use crate::{json, text};

pub(crate) fn verify(args: &VerifyArgs, registry: &Registry) -> Result<Exit> {
    if args.unique {
        return args.files.iter().try_fold(Exit::Done, |worst, path| Ok(worst.max(unique(path, args.json)?)));
    }
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
        let file = InputFile::read(path)?;
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
    let file = match InputFile::read(path) {
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

/// Whether the puzzles of a file have exactly one solution.
fn unique(path: &Path, as_json: bool) -> Result<Exit> {
    let bad = |reason: &str| refuse(&text::name(path), reason, Exit::Bad, as_json);
    let file = match InputFile::read(path) {
        Ok(file) => file,
        Err(error) => return bad(&format!("{error:#}")),
    };
    let (bytes, chosen) = file.contents();
    let counted =
        std::str::from_utf8(bytes).map_err(|_| "not a text".to_owned()).and_then(|text| count_solutions(text, chosen));
    let (kind, counts) = match counted {
        Ok(counted) => counted,
        Err(reason) => return bad(&format!("{}: {reason}", file.name())),
    };
    for &(number, count) in &counts {
        let is_one_of_several = counts.len() > 1 || chosen.is_some();
        let name = if is_one_of_several { format!("{}#{number}", file.name()) } else { file.name().to_owned() };
        let (word, words) = match count {
            Some(Solutions::One) => (Some("one"), "exactly one solution"),
            Some(Solutions::Several) => (Some("several"), "several solutions"),
            Some(Solutions::None) => (Some("none"), "no solution"),
            None => (None, "not decided: too large or too hard for the exact solver"),
        };
        match as_json {
            true => json::print(&json!({ "file": name, "kind": kind.name(), "solutions": word }))?,
            false => text::print(&format!("{name}: {kind}, {words}\n"))?,
        }
    }
    let all = counts.iter().all(|(_, count)| *count == Some(Solutions::One));
    Ok(if all { Exit::Done } else { Exit::Negative })
}

fn one(game: &GameInFile<'_>, as_json: bool, registry: &Registry, against: Option<&Other>) -> Result<Exit> {
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
