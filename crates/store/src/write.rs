//! Rows going in.

use nestling::{Improvement, Outcome, Spent};
use rusqlite::params;
use rusqlite::types::Value;

use crate::clock::Moment;
use crate::error::StoreFault;
use crate::lease::Lease;
use crate::machine;
use crate::record::values;
use crate::seal::digest;
use crate::table::{CHECKPOINTS, GAMES, IMPROVEMENTS, OUTCOMES, RUNS};
use crate::writing::Writing;
use crate::{Store, StoreError};
use nestling_registry::RunSpec;

/// How many games of a problem the hall of fame has room for.
pub(crate) const FAME: i64 = 1_000;

impl Store {
    /// Adds a run that nobody works on yet.
    pub fn add(&mut self, spec: &RunSpec) -> Result<i64, StoreError> {
        self.write(|adding| add_run(adding, spec))
    }

    /// Changes the description of a run: a larger budget, another file for its game.
    pub fn change(&mut self, lease: Lease, spec: &RunSpec) -> Result<(), StoreError> {
        self.write(|changing| {
            let order = RUNS.one(&changing.transaction, lease.run)?;
            let order =
                order.ok_or_else(|| StoreFault::Damage(format!("run {}: its description is missing", lease.run)))?;
            let mut values = order.values;
            values[0] = Value::Text(spec.problem.clone());
            *values.last_mut().expect("an order has columns") = Value::Text(text_of(spec));
            changing.standing(lease.run)?.done = false;
            changing.change_run(lease.run, values)
        })
    }

    /// Removes a run with its improvements, checkpoints and outcomes. Its games stay in the hall of fame.
    pub fn delete(&mut self, run: i64) -> Result<(), StoreError> {
        // Whoever is at work on it would be robbed of it.
        let lease = self.take(run)?;
        self.write(|deleting| deleting.delete_run(lease.run))
    }
}

fn text_of(spec: &RunSpec) -> String {
    serde_json::to_string(spec).expect("a specification is plain data")
}

pub(crate) fn add_run(writing: &mut Writing<'_>, spec: &RunSpec) -> Result<i64, StoreFault> {
    let (version, machine) = (env!("CARGO_PKG_VERSION").to_owned(), machine::description());
    writing.add_run(values![spec.problem.clone(), version, machine, Moment::now().0, text_of(spec)])
}

pub(crate) fn improvement(
    writing: &mut Writing<'_>,
    spec: &RunSpec,
    run: i64,
    number: u64,
    improvement: &Improvement,
    found: Moment,
) -> Result<(), StoreFault> {
    let (score, Improvement { game, playouts, elapsed }) = (improvement.score(), improvement);
    let (number, playouts, seconds) = (number.cast_signed(), playouts.cast_signed(), elapsed.as_secs_f64());
    let row = values![run, number, score, game.texts().join("\n"), playouts, seconds, found.0];
    writing.insert(&IMPROVEMENTS, row)?;
    let best = &mut writing.standing(run)?.best_improvement;
    if best.is_none_or(|best| spec.goal().better(score, best)) {
        *best = Some(score);
    }
    Ok(())
}

/// A checkpoint; of those before it only the last stays.
pub(crate) fn checkpoint(
    writing: &mut Writing<'_>,
    run: i64,
    number: u64,
    bytes: &[u8],
    spent: Spent,
) -> Result<(), StoreFault> {
    let number = number.cast_signed();
    let before = "WHERE run = ? AND number = ? ORDER BY id DESC";
    for older in CHECKPOINTS.keys(&writing.transaction, before, [run, number])?.iter().skip(1) {
        writing.remove(&CHECKPOINTS, older)?;
    }
    let (seconds, now) = (spent.time.as_secs_f64(), Moment::now().0);
    let (playouts, moves) = (spent.work.playouts.cast_signed(), spent.work.moves.cast_signed());
    let row = values![run, number, seconds, playouts, moves, now, bytes.to_vec()];
    writing.insert(&CHECKPOINTS, row).map(drop)
}

/// The end of one number of a run.
pub(crate) fn outcome(
    writing: &mut Writing<'_>,
    spec: &RunSpec,
    run: i64,
    number: u64,
    outcome: &Outcome,
) -> Result<(), StoreFault> {
    let number = number.cast_signed();
    let text = serde_json::to_string(outcome).expect("an outcome is plain data");
    let row = values![run, number, outcome.score().unwrap_or_default(), text, Moment::now().0];
    let before = OUTCOMES.keys(&writing.transaction, "WHERE run = ? AND number = ?", [run, number])?.pop();
    match &before {
        Some(before) => writing.update(&OUTCOMES, before, row)?,
        None => drop(writing.insert(&OUTCOMES, row)?),
    }
    let batch = spec.runs > 1;
    let best = &mut writing.standing(run)?.best_outcome;
    // A single run has one outcome at a time.
    let known = best.filter(|_| batch);
    *best = match (known, outcome.score()) {
        (Some(known), Some(score)) => Some(spec.goal().best(known, score)),
        (known, score) => known.or(score),
    };
    if ends_checkpoints(spec, outcome) {
        for checkpoint in CHECKPOINTS.keys(&writing.transaction, "WHERE run = ? AND number = ?", [run, number])? {
            writing.remove(&CHECKPOINTS, &checkpoint)?;
        }
    }
    Ok(())
}

/// Whether an outcome leaves no checkpoint: a batch keeps none of what is finished; a single run may be gone on with unless its
/// search is complete.
pub(crate) fn ends_checkpoints(spec: &RunSpec, outcome: &Outcome) -> bool {
    spec.runs > 1 || outcome.stop == nestling::Stop::Finished
}

/// A game for the hall of fame.
pub(crate) struct Candidate<'a> {
    pub identity: &'a [u8],
    pub score: f64,
    pub moves: &'a [String],
    pub seed: u64,
    pub run: i64,
    pub found: Moment,
}

/// The value of the worst game in a full hall of fame; none if the hall is not full.
pub(crate) fn least_famous(writing: &Writing<'_>, problem: &str) -> Result<Option<f64>, StoreFault> {
    let last = "WHERE problem = ? ORDER BY worth DESC LIMIT 1 OFFSET ?";
    let least = GAMES.all(&writing.transaction, last, params![problem, FAME - 1])?.pop();
    least.map(|record| record.fields().skip(2)?.take()).transpose()
}

/// Enters a game, unless it is there already or there are enough that are better.
pub(crate) fn fame(writing: &mut Writing<'_>, spec: &RunSpec, game: &Candidate<'_>) -> Result<(), StoreFault> {
    let (problem, identity) = (&spec.problem, digest(game.identity));
    let worth = spec.goal().value(game.score);
    let same = "WHERE problem = ? AND identity = ?";
    if !GAMES.keys(&writing.transaction, same, params![problem, identity])?.is_empty() {
        return Ok(());
    }
    if writing.collection(&GAMES, problem)?.total.rows >= FAME {
        let worse = "WHERE problem = ? AND worth < ? ORDER BY worth, id DESC LIMIT 1";
        match GAMES.keys(&writing.transaction, worse, params![problem, worth])?.pop() {
            Some(last) => writing.remove(&GAMES, &last)?,
            None => return Ok(()),
        }
    }
    let (moves, search, seed) = (game.moves.join("\n"), spec.expression().to_owned(), game.seed.cast_signed());
    let row = values![problem.clone(), identity, worth, game.score, moves, search, seed, game.run, game.found.0];
    writing.insert(&GAMES, row).map(drop)
}
