//! Runs of another store: verified, compared with the runs here, and added.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use nestling::{Certified, Counts, Improvement, Outcome, Spent};
use nestling_registry::{Instance, RunSpec};
use rusqlite::params;

use super::{PortableGame, PortableRun};
use crate::clock::Moment;
use crate::error::StoreFault;
use crate::lease::LegRow;
use crate::machine::Process;
use crate::record::values;
use crate::table::{LEGS, RUNS};
use crate::write::{self, Candidate};
use crate::{Store, StoreError};

/// The result of importing a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imported {
    /// It is new, with this number.
    Added(i64),
    /// It goes further than the same run in the store, whose place it has taken, with this number.
    Replaced(i64),
    /// The same run, with this number, is as far already.
    Known(i64),
}

fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, 1e10))
}

impl Store {
    /// Adds a run of another store, every game verified by the rules of its problem. The same run is known by its search, its seed and the
    /// moment it began; of two versions the one is kept that has more results, or else
    /// whose checkpoints and results count more playouts.
    ///
    /// # Errors
    ///
    /// The reason why it is refused: a game that is illegal, or what cannot be read; or an error of the store.
    pub fn import(
        &mut self,
        run: &PortableRun,
        problem: &dyn Instance,
    ) -> Result<Result<Imported, String>, StoreError> {
        let mut checked = match Checked::new(run, problem) {
            Ok(checked) => checked,
            Err(reason) => return Ok(Err(reason)),
        };
        let known = self.same(run, &checked.spec)?;
        if let Some(known) = known
            && self.stage(known)? >= checked.stage()
        {
            return Ok(Ok(Imported::Known(known)));
        }
        if let Some(known) = known {
            // The run here goes on writing to its own files.
            let RunSpec { output, learned, .. } = self.run(known)?.spec;
            (checked.spec.output, checked.spec.learned) = (output, learned);
        }
        // Whoever is at work on it would be robbed of it.
        let taken = match known.map(|known| self.take(known)).transpose() {
            Err(error @ StoreError::Leased { .. }) => return Ok(Err(error.to_string())),
            taken => taken?,
        };
        let id = self.write(|writing| {
            if let Some(lease) = &taken {
                writing.delete_run(lease.run)?;
            }
            let order = values![
                checked.spec.problem.clone(),
                run.version.clone(),
                run.machine.clone(),
                run.started,
                serde_json::to_string(&checked.spec).expect("a specification is plain data"),
            ];
            let id = writing.add_run(order)?;
            writing.insert(&LEGS, leg(id, run).values())?;
            checked.write(writing, id)?;
            writing.standing(id)?.done = run.done;
            Ok(id)
        })?;
        Ok(Ok(if known.is_some() { Imported::Replaced(id) } else { Imported::Added(id) }))
    }

    /// Adds a game of another store to the hall of fame.
    ///
    /// # Errors
    ///
    /// The reason why it is refused, or an error of the store.
    pub fn import_game(
        &mut self,
        game: &PortableGame,
        problem: &dyn Instance,
    ) -> Result<Result<(), String>, StoreError> {
        let (certified, identity) = match certified(&game.moves, problem) {
            Ok(certified) => certified,
            Err(reason) => return Ok(Err(reason)),
        };
        if has_control_characters(&game.search) {
            return Ok(Err("its search has control characters".to_owned()));
        }
        let Ok(seed) = game.seed.parse() else { return Ok(Err(format!("{:?} is not a seed", game.seed))) };
        let spec = spec_of(problem).search(&game.search);
        let (score, found) = (certified.score(), Moment(game.found));
        self.write(|writing| {
            let candidate = Candidate { identity: &identity, score, moves: certified.texts(), seed, run: 0, found };
            write::fame(writing, &spec, &candidate)
        })?;
        Ok(Ok(()))
    }

    /// How far a run is here.
    fn stage(&self, run: i64) -> Result<Stage, StoreError> {
        let mut stage = StageByNumber::default();
        for finished in self.outcomes(run)? {
            stage.finished(finished.number, &finished.outcome);
        }
        for number in self.checkpointed(run)? {
            let taken = self.checkpoint(run, number)?;
            stage.reached(number, taken.map_or(0, |taken| taken.spent.work.playouts));
        }
        Ok(stage.stage())
    }

    /// The run that is the same, if there is one.
    fn same(&self, run: &PortableRun, spec: &RunSpec) -> Result<Option<i64>, StoreError> {
        self.read(|look| {
            let begun = RUNS.all(look, "WHERE problem = ? AND started = ?", params![spec.problem, run.started])?;
            for order in begun {
                let other = crate::read::specification(&order)?;
                if other.search == spec.search && other.seed == spec.seed && other.from == spec.from {
                    return Ok(Some(order.id));
                }
            }
            Ok(None)
        })
    }
}

fn spec_of(problem: &dyn Instance) -> RunSpec {
    RunSpec { minimise: problem.goal() == nestling::Goal::Min, ..RunSpec::new(problem.name()) }
}

/// A game that the rules have replayed, and what it is known by.
fn certified(moves: &[String], problem: &dyn Instance) -> Result<(Certified, Vec<u8>), String> {
    let game = problem.certify(moves).map_err(|illegal| format!("illegal, {illegal}"))?;
    if !game.is_over() {
        return Err("a game is not finished".to_owned());
    }
    let identity = problem.identity(&game).map_err(|illegal| illegal.to_string())?;
    Ok((game, identity))
}

/// The work that was done elsewhere, and is over.
fn leg(run: i64, portable: &PortableRun) -> LegRow {
    let elsewhere = String::new;
    let process = Process {
        number: 0,
        born: 0,
        host: portable.machine.clone(),
        machine: elsewhere(),
        boot: elsewhere(),
        space: elsewhere(),
    };
    LegRow {
        run,
        process,
        started: Moment(portable.started),
        beats: 1,
        beat: Moment(portable.worked),
        uptime: 0,
        seconds_before: 0.0,
        playouts_before: 0,
        seconds: portable.seconds,
        playouts: portable.playouts.cast_signed(),
        ended: Some(portable.worked),
    }
}

/// A run whose games have been verified.
struct Checked {
    spec: RunSpec,
    improvements: Vec<(u64, Improvement, Vec<u8>, Moment)>,
    checkpoints: Vec<(u64, Vec<u8>, Spent)>,
    outcomes: Vec<(u64, Outcome)>,
}

impl Checked {
    fn new(run: &PortableRun, problem: &dyn Instance) -> Result<Self, String> {
        let spec: RunSpec = serde_json::from_str(&run.spec).map_err(|error| format!("its specification: {error}"))?;
        if spec.minimise != spec_of(problem).minimise || spec.problem != problem.name() {
            return Err("its specification is not one of this problem".to_owned());
        }
        let texts = [&run.version, &run.machine].into_iter().chain(&spec.search).chain(&spec.from_file);
        if texts.into_iter().any(|text| has_control_characters(text)) {
            return Err("its texts have control characters".to_owned());
        }
        let moments = run.improvements.iter().map(|step| step.found).chain([run.started, run.worked]);
        if moments.chain(run.outcomes.iter().map(|finished| finished.finished)).any(|moment| Moment::LAST.0 < moment) {
            return Err("it is of a time after the year 9999".to_owned());
        }
        // Files of the other machine are not files here.
        let spec = RunSpec { output: None, learned: None, ..spec };
        let mut checked = Checked { spec, improvements: Vec::new(), checkpoints: Vec::new(), outcomes: Vec::new() };
        for step in &run.improvements {
            let (game, identity) = certified(&step.moves, problem)?;
            let improvement = Improvement { game, playouts: step.playouts, elapsed: duration(step.seconds) };
            checked.improvements.push((step.number, improvement, identity, Moment(step.found)));
        }
        for taken in &run.checkpoints {
            let bytes = BASE64_STANDARD.decode(&taken.bytes).map_err(|error| format!("a checkpoint: {error}"))?;
            let work = Counts { playouts: taken.playouts, moves: taken.moves };
            checked.checkpoints.push((taken.number, bytes, Spent { time: duration(taken.seconds), work }));
        }
        for finished in &run.outcomes {
            let outcome: Outcome =
                serde_json::from_str(&finished.outcome).map_err(|error| format!("a result: {error}"))?;
            checked.outcomes.push((finished.number, outcome));
        }
        checked.verify_outcomes(problem)?;
        Ok(checked)
    }

    /// Verifies the games of the results. Of a batch only the best keep their moves, and of a game that is better than the result of its search
    /// only the score is kept: its moves are those of an improvement, which was verified already.
    fn verify_outcomes(&self, problem: &dyn Instance) -> Result<(), String> {
        let games =
            || self.outcomes.iter().flat_map(|(_, outcome)| outcome.game().into_iter().chain(&outcome.best_seen));
        let goal = self.spec.goal();
        let best =
            games().map(Certified::score).reduce(|best, score| if goal.better(score, best) { score } else { best });
        let is_improvement = |score| self.improvements.iter().any(|(_, step, ..)| step.score() == score);
        let (mut has_best, mut is_any) = (false, false);
        for game in games() {
            is_any = true;
            let has_improved = is_improvement(game.score());
            if game.texts().is_empty() && (self.spec.runs > 1 || game.is_bare() && has_improved) {
                has_best |= has_improved && Some(game.score()) == best;
                continue;
            }
            let (replayed, _) = certified(game.texts(), problem)?;
            let (claimed, score) = (game.score(), replayed.score());
            if score != claimed {
                return Err(format!("a result claims the score {claimed}, and its game has {score}"));
            }
            has_best |= Some(score) == best;
        }
        if is_any && !has_best { Err("the best result has no moves".to_owned()) } else { Ok(()) }
    }

    /// How far the file is: what it only claims, and has no checkpoint or result for, cannot be continued.
    fn stage(&self) -> Stage {
        let mut stage = StageByNumber::default();
        self.outcomes.iter().for_each(|(number, outcome)| stage.finished(*number, outcome));
        self.checkpoints.iter().for_each(|(number, _, spent)| stage.reached(*number, spent.work.playouts));
        stage.stage()
    }

    fn write(&self, writing: &mut crate::writing::Writing<'_>, run: i64) -> Result<(), StoreFault> {
        let spec = &self.spec;
        for (number, improvement, identity, found) in &self.improvements {
            write::improvement(writing, spec, run, *number, improvement, *found)?;
            let (score, moves, seed) = (improvement.score(), improvement.texts(), spec.seed_of(*number));
            write::fame(writing, spec, &Candidate { identity, score, moves, seed, run, found: *found })?;
        }
        for (number, bytes, spent) in &self.checkpoints {
            write::checkpoint(writing, run, *number, bytes, *spent)?;
        }
        for (number, outcome) in &self.outcomes {
            // A search that is complete leaves no checkpoint.
            write::outcome(writing, spec, run, *number, outcome)?;
        }
        Ok(())
    }
}

/// How far a run is: the number of its results, then the playouts that its results and checkpoints count.
type Stage = (usize, u64);

#[derive(Default)]
struct StageByNumber {
    finished: usize,
    playouts: BTreeMap<u64, u64>,
}

impl StageByNumber {
    fn finished(&mut self, number: u64, outcome: &Outcome) {
        self.finished += 1;
        self.reached(number, outcome.played().playouts);
    }

    fn reached(&mut self, number: u64, playouts: u64) {
        let most = self.playouts.entry(number).or_default();
        *most = playouts.max(*most);
    }

    fn stage(self) -> Stage {
        (self.finished, self.playouts.into_values().fold(0, u64::saturating_add))
    }
}

/// Texts of a file are printed on terminals.
fn has_control_characters(text: &str) -> bool {
    text.chars().any(char::is_control)
}
