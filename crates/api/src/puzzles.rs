//! Puzzles that people bring along, collections of them, and whether they can be solved.

use nestling_registry::{
    GeneratedPuzzle, Mistakes, NoPuzzle, OpenError, PuzzleKind, PuzzleLevel, Solutions, book, generate_puzzle,
    pages_as_svg, pasted, pdf,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::problems::Named;
use crate::{Host, Refusal, Reply, Request, RequestResult};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pasted {
    /// What it is a puzzle of, such as `sudoku`.
    problem: String,
    text: String,
}

/// Reads a puzzle, and gives the name that carries it.
pub(crate) fn open(host: &dyn Host, request: &Request<'_>) -> RequestResult<Reply> {
    let (registry, asked) = (host.registry(), request.json::<Pasted>()?);
    // An unknown problem is told from a bad puzzle.
    if !registry.list().any(|(name, _)| name == asked.problem) {
        registry.open(&asked.problem)?;
    }
    if asked.text.trim().is_empty() {
        return Err(Refusal::impossible("the text is empty"));
    }
    let name = pasted(&asked.problem, &asked.text).map_err(Refusal::impossible)?;
    let problem = registry.open(&name).map_err(unreadable)?;
    Ok(json!({ "problem": problem.name(), "view": problem.view(&problem.certify(&[])?)? }).into())
}

/// What is wrong with a text: whoever brought it knows which it is, and of what.
fn unreadable(error: OpenError) -> Refusal {
    match &error {
        OpenError::Parameters { reason, .. } | OpenError::Unsolvable { reason, .. } => {
            reason.strip_prefix("the text: ").map(Refusal::impossible).unwrap_or_else(|| error.into())
        }
        _ => error.into(),
    }
}

/// The collections among the benchmark data, and how many puzzles each has.
pub(crate) fn collections(host: &dyn Host, request: &Request<'_>) -> RequestResult<Reply> {
    let (registry, Named { problem }) = (host.registry(), request.asked()?);
    registry.open(&problem)?;
    let all = registry.collections(&problem).into_iter();
    let rows = all.map(|(name, puzzles)| json!({ "name": name, "puzzles": puzzles }));
    Ok(rows.collect::<Value>().into())
}

/// How many solutions a puzzle has.
pub(crate) fn solutions(host: &dyn Host, request: &Request<'_>) -> RequestResult<Reply> {
    let Named { problem } = request.asked()?;
    let problem = host.registry().open(&problem)?;
    let solutions = problem.solutions().map(|solutions| match solutions {
        Solutions::None => "none",
        Solutions::One => "one",
        Solutions::Several => "several",
    });
    Ok(json!({ "problem": problem.name(), "solutions": solutions }).into())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    kind: String,
    level: String,
    size: Option<String>,
    seed: String,
}

/// A new puzzle of a level, with one solution.
pub(crate) fn generated(host: &dyn Host, request: &Request<'_>) -> RequestResult<Reply> {
    let asked: Wanted = request.asked()?;
    let impossible = |error: &dyn std::fmt::Display| Refusal::impossible(error.to_string());
    let kind = asked.kind.parse::<PuzzleKind>().map_err(|error| impossible(&error))?;
    let level = asked.level.parse::<PuzzleLevel>().map_err(|error| impossible(&error))?;
    let number = |name: &str, text: &str| {
        text.parse::<u64>().map_err(|_| Refusal::bad(format!("the address: {name} must be a whole number")))
    };
    let size = asked.size.map(|text| number("size", &text)).transpose()?;
    let size = size.map_or(kind.usual_size(), |size| usize::try_from(size).unwrap_or(usize::MAX));
    let cancel = host.cancel();
    let seed = number("seed", &asked.seed)?;
    let made =
        generate_puzzle(kind, level, size, seed, &|| cancel.is_cancelled()).map_err(|error| impossible(&error))?;
    let name = pasted(kind.name(), &made.text).map_err(Refusal::impossible)?;
    let problem = host.registry().open(&name)?;
    Ok(json!({
        "problem": problem.name(),
        "view": problem.view(&problem.certify(&[])?)?,
        "kind": kind.name(),
        "level": level.name(),
        "size": size,
        "seed": seed,
        "techniques": made.grading.to_string(),
    })
    .into())
}

/// The most puzzles in a book.
const MOST: u64 = 60;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ordered {
    kind: String,
    level: String,
    seed: String,
    count: String,
    #[serde(rename = "as")]
    form: String,
}

/// Puzzles on pages to print, their solutions at the end. Of seeds without a puzzle the next ones take the place.
pub(crate) fn bound(host: &dyn Host, request: &Request<'_>) -> RequestResult<Reply> {
    let asked: Ordered = request.asked()?;
    let impossible = |error: &dyn std::fmt::Display| Refusal::impossible(error.to_string());
    let kind = asked.kind.parse::<PuzzleKind>().map_err(|error| impossible(&error))?;
    let level = asked.level.parse::<PuzzleLevel>().map_err(|error| impossible(&error))?;
    let count = asked.count.parse().ok().filter(|count| (1..=MOST).contains(count));
    let count = count.ok_or_else(|| Refusal::impossible(format!("a book has 1 to {MOST} puzzles")))?;
    let seed = asked.seed.parse::<u64>().map_err(|_| Refusal::bad("the address: seed must be a whole number"))?;
    if !["pdf", "svg"].contains(&&*asked.form) {
        return Err(Refusal::impossible("a book can be had as pdf or svg"));
    }
    let cancel = host.cancel();
    let mut puzzles: Vec<GeneratedPuzzle> = Vec::new();
    for tried in 0..2 * count {
        if puzzles.len() as u64 == count {
            break;
        }
        match generate_puzzle(kind, level, kind.usual_size(), seed.wrapping_add(tried), &|| cancel.is_cancelled()) {
            Err(NoPuzzle::NotFound { .. }) if count > 1 && !cancel.is_cancelled() => {}
            made => puzzles.push(made.map_err(|error| impossible(&error))?),
        }
    }
    let pages = book(&puzzles);
    let (count, name) = (puzzles.len(), format!("{kind}-{}.{}", level.name(), asked.form));
    let title = format!("{count} {} {kind}{}", level.name(), if count == 1 { "" } else { "s" });
    let contents = if asked.form == "pdf" { pdf(&pages, &title) } else { pages_as_svg(&pages).into_bytes() };
    Ok(Reply::file(name, &asked.form, contents))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PuzzleRequest {
    problem: String,
    moves: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Checked {
    problem: String,
    moves: Vec<String>,
    /// Pencil marks, written as moves.
    #[serde(default)]
    marks: Vec<String>,
}

/// Which moves, and which pencil marks, contradict the solution.
pub(crate) fn mistakes(host: &dyn Host, request: &Request<'_>) -> RequestResult<Reply> {
    let asked: Checked = request.json()?;
    let problem = host.registry().open(&asked.problem)?;
    let found = problem.mistakes(&problem.certify(&asked.moves)?)?;
    let named = |texts: &[String], indices: &[usize]| -> Vec<String> {
        indices.iter().map(|&index| texts[index].clone()).collect()
    };
    let moves = match &found {
        Some(Mistakes::Moves(indices)) => Some(named(&asked.moves, indices)),
        _ => None,
    };
    let marks = match &asked.marks[..] {
        [] => Some(Vec::new()),
        marks => problem.contradicting(marks).map(|indices| named(marks, &indices)),
    };
    let solvable = found.as_ref().map(|found| *found != Mistakes::Unsolvable);
    Ok(json!({ "problem": problem.name(), "solvable": solvable, "moves": moves, "marks": marks }).into())
}

/// What follows by reasoning, and why.
pub(crate) fn reasons(host: &dyn Host, request: &Request<'_>) -> RequestResult<Reply> {
    let asked: PuzzleRequest = request.json()?;
    let problem = host.registry().open(&asked.problem)?;
    let reasons = problem.reasons(&problem.certify(&asked.moves)?)?;
    let steps = reasons.map(|steps| {
        let step = |step: nestling_registry::MoveReason| {
            json!({
                "technique": step.technique,
                "level": step.level,
                "words": step.words,
                "cells": step.cells,
                "played": step.played,
                "excluded": step.excluded,
            })
        };
        steps.into_iter().map(step).collect::<Vec<_>>()
    });
    Ok(json!({ "problem": problem.name(), "steps": steps }).into())
}
