//! Rows going in, each with its seal.

use nestling::{Improvement, Spent};
use nestling_registry::Solved;
use rusqlite::{Transaction, TransactionBehavior, params};

use crate::clock::Moment;
use crate::lease::Lease;
use crate::machine;
use crate::seal::{digest, seal};
use crate::spec::Spec;
use crate::{Store, StoreError};

/// How many games of a problem the hall of fame has room for.
const FAME: i64 = 1_000;

impl Store {
    /// Adds a run that nobody works on yet.
    pub fn add(&mut self, spec: &Spec) -> Result<i64, StoreError> {
        let added = (|| {
            let adding = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let run = add_run(&adding, spec)?;
            adding.commit()?;
            Ok(run)
        })();
        added.map_err(|error| self.failed(&error))
    }

    /// Changes what a run is asked to do: a larger budget, another file for its game.
    pub fn change(&mut self, lease: Lease, spec: &Spec) -> Result<(), StoreError> {
        let text = text_of(spec);
        let sum = seal(&[text.as_bytes()]);
        let change = "UPDATE runs SET spec = ?, seal = ?, done = 0 WHERE id = ?";
        let changed = self.connection.execute(change, params![text, sum, lease.run]);
        changed.map(drop).map_err(|error| self.failed(&error))
    }

    /// Removes a run with its improvements, checkpoints and outcomes. Its games stay in the hall of fame.
    pub fn delete(&mut self, run: i64) -> Result<(), StoreError> {
        // Whoever is at work on it would be robbed of it.
        let lease = self.take(run)?;
        let deleted = self.connection.execute("DELETE FROM runs WHERE id = ?", [lease.run]);
        deleted.map(drop).map_err(|error| self.failed(&error))
    }
}

fn text_of(spec: &Spec) -> String {
    serde_json::to_string(spec).expect("a specification is plain data")
}

pub(crate) fn add_run(writing: &Transaction<'_>, spec: &Spec) -> rusqlite::Result<i64> {
    let text = text_of(spec);
    writing.execute(
        "INSERT INTO runs(problem, spec, version, machine, started, seal) VALUES (?, ?, ?, ?, ?, ?)",
        params![
            spec.problem,
            text,
            env!("CARGO_PKG_VERSION"),
            machine::description(),
            Moment::now().0,
            seal(&[text.as_bytes()])
        ],
    )?;
    Ok(writing.last_insert_rowid())
}

pub(crate) fn improvement(
    writing: &Transaction<'_>,
    run: i64,
    number: u64,
    improvement: &Improvement,
    found: Moment,
) -> rusqlite::Result<()> {
    let Improvement { score, moves, playouts, elapsed } = improvement;
    let moves = moves.join("\n");
    let sum = seal(&[&score.to_le_bytes(), moves.as_bytes()]);
    let insert = "INSERT INTO improvements(run, number, score, moves, playouts, seconds, found, seal)
                  VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    let (number, playouts) = (number.cast_signed(), playouts.cast_signed());
    let row = params![run, number, score, moves, playouts, elapsed.as_secs_f64(), found.0, sum];
    writing.prepare_cached(insert)?.execute(row).map(drop)
}

/// A checkpoint; of those before it only the last stays.
pub(crate) fn checkpoint(
    writing: &Transaction<'_>,
    run: i64,
    number: u64,
    bytes: &[u8],
    spent: Spent,
) -> rusqlite::Result<()> {
    let (number, seconds) = (number.cast_signed(), spent.time.as_secs_f64());
    let (playouts, moves) = (spent.work.playouts.cast_signed(), spent.work.moves.cast_signed());
    let sum = checkpoint_seal(bytes, seconds, playouts, moves);
    writing
        .prepare_cached(
            "DELETE FROM checkpoints WHERE run = ?1 AND number = ?2 AND id NOT IN
             (SELECT id FROM checkpoints WHERE run = ?1 AND number = ?2 ORDER BY id DESC LIMIT 1)",
        )?
        .execute(params![run, number])?;
    let insert = "INSERT INTO checkpoints(run, number, seconds, playouts, moves, written, seal, bytes)
                  VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    let row = params![run, number, seconds, playouts, moves, Moment::now().0, sum, bytes];
    writing.prepare_cached(insert)?.execute(row).map(drop)
}

pub(crate) fn checkpoint_seal(bytes: &[u8], seconds: f64, playouts: i64, moves: i64) -> i64 {
    seal(&[bytes, &seconds.to_le_bytes(), &playouts.to_le_bytes(), &moves.to_le_bytes()])
}

/// The end of one number of a run. A batch keeps no checkpoint of it; a single run's may be gone on with.
pub(crate) fn outcome(
    writing: &Transaction<'_>,
    run: i64,
    number: u64,
    solved: &Solved,
    batch: bool,
) -> rusqlite::Result<()> {
    let text = serde_json::to_string(solved).expect("an outcome is plain data");
    let sum = seal(&[&solved.score.to_le_bytes(), text.as_bytes()]);
    let number = number.cast_signed();
    writing
        .prepare_cached(
            "INSERT INTO outcomes(run, number, score, solved, finished, seal) VALUES (?, ?, ?, ?, ?, ?)
             ON CONFLICT(run, number) DO UPDATE
             SET score = excluded.score, solved = excluded.solved, finished = excluded.finished, seal = excluded.seal",
        )?
        .execute(params![run, number, solved.score, text, Moment::now().0, sum])?;
    if batch || solved.stop == nestling::Stop::Finished {
        let drop_checkpoints = "DELETE FROM checkpoints WHERE run = ? AND number = ?";
        writing.prepare_cached(drop_checkpoints)?.execute(params![run, number])?;
    }
    Ok(())
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

/// Enters a game, unless it is there already or there are enough that are better.
pub(crate) fn fame(writing: &Transaction<'_>, spec: &Spec, game: &Candidate<'_>) -> rusqlite::Result<()> {
    let worth = spec.goal().value(game.score);
    let moves = game.moves.join("\n");
    let sum = seal(&[&game.score.to_le_bytes(), moves.as_bytes()]);
    let entered = writing
        .prepare_cached(
            "INSERT INTO games(problem, identity, worth, score, moves, search, seed, run, found, seal)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE ?3 > coalesce(
                 (SELECT worth FROM games WHERE problem = ?1 ORDER BY worth DESC, id LIMIT 1 OFFSET ?11 - 1), -9e999)
             ON CONFLICT(problem, identity) DO NOTHING",
        )?
        .execute(params![
            spec.problem,
            digest(game.identity),
            worth,
            game.score,
            moves,
            spec.search,
            game.seed.cast_signed(),
            game.run,
            game.found.0,
            sum,
            FAME
        ])?;
    if entered > 0 {
        let prune = "DELETE FROM games WHERE id IN
                     (SELECT id FROM games WHERE problem = ?1 ORDER BY worth DESC, id LIMIT -1 OFFSET ?2)";
        writing.prepare_cached(prune)?.execute(params![spec.problem, FAME])?;
    }
    Ok(())
}
