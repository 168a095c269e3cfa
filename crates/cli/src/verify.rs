//! `nestling verify`.

use std::path::Path;

use anyhow::Result;
use nestling_registry::{ReadError, Registry, Verdict};
use serde_json::json;

use crate::args::VerifyArgs;
use crate::failure::Exit;
use crate::{files, json, text};

pub(crate) fn verify(args: &VerifyArgs, registry: &Registry) -> Result<Exit> {
    let mut worst = Exit::Done;
    for path in &args.files {
        worst = worst.max(one(path, args.json, registry)?);
    }
    Ok(worst)
}

fn one(path: &Path, as_json: bool, registry: &Registry) -> Result<Exit> {
    let name = text::name(path);
    let verdict = match files::read(path) {
        Ok(bytes) => registry.verify(&bytes),
        Err(error) => {
            anstream::eprintln!("{}: {error:#}", text::program());
            return Ok(Exit::Bad);
        }
    };
    match verdict {
        Ok(verdict) => {
            let Verdict { problem, certificate, .. } = verdict;
            let (score, terminal) = (certificate.score, certificate.terminal);
            if as_json {
                let score = json::score(score);
                let object =
                    json!({ "file": name, "legal": true, "problem": problem, "score": score, "complete": terminal });
                json::print(&object)?;
            } else {
                let unit =
                    registry.open(&problem)?.unit().map_or(format!("score {score}"), |unit| format!("{score} {unit}"));
                let state = if terminal { "complete" } else { "legal moves are left" };
                text::print(&format!("{name}: legal, {problem}, {unit}, {state}\n"))?;
            }
            Ok(Exit::Done)
        }
        Err(error) => {
            let (exit, what) = match error {
                ReadError::Illegal(_) => (Exit::Negative, "illegal, "),
                ReadError::Unreadable(_) => (Exit::Bad, ""),
            };
            if as_json {
                let legal = if exit == Exit::Negative { json!(false) } else { json!(null) };
                json::print(&json!({ "file": name, "legal": legal, "error": error.to_string() }))?;
            } else {
                anstream::eprintln!("{}: {name}: {what}{error}", text::program());
            }
            Ok(exit)
        }
    }
}
