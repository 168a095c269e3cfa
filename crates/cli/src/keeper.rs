//! The file of `-o`: the best game of a run and where it comes from, in the format that the file's name asks for.
//!
//! A file that holds a game of the same problem is replaced only by a better one; any other file only with `--force`. A file
//! that cannot be written does not stop the search: every improvement tries again, and so does the end.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::SystemTime;

use anyhow::{Context, Result, ensure};
use nestling::{Certified, Improvement, Outcome, Provenance};
use nestling_registry::{Format, Instance, Picture, Registry, RunSpec};
use serde_json::{Value, json};

use crate::held::Held;
use crate::output::{Existing, Output};
use crate::progress::Progress;
use crate::{files, json, text};

/// A file that is written while a search runs.
pub(crate) struct Writing<'scope> {
    sender: mpsc::Sender<Improvement>,
    thread: ScopedJoinHandle<'scope, ()>,
}

impl Writing<'_> {
    pub fn improvement(&self, improvement: &Improvement) {
        self.sender.send(improvement.clone()).expect("the writing thread waits for the last improvement");
    }

    /// Waits until the last improvement is written.
    pub fn finish(self) {
        drop(self.sender);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

pub(crate) struct Keeper<'a> {
    output: Output,
    /// The file as the user names it.
    name: String,
    format: &'a dyn Format,
    problem: &'a dyn Instance,
    registry: &'a Registry,
    existing: Existing,
    /// A description of what the search was resumed from.
    origin: Option<String>,
    state: Mutex<KeeperState>,
}

/// A game for the file.
#[derive(Clone)]
struct GameToWrite {
    game: Certified,
    provenance: Provenance,
}

#[derive(Default)]
struct KeeperState {
    /// What the file may hold and lose: whatever this run has written, or wrote before it was interrupted.
    own: Option<Vec<u8>>,
    /// The best score that was offered.
    best: Option<f64>,
    /// The last game that was offered, until it is settled what becomes of it.
    pending: Option<GameToWrite>,
    /// Whether the user has been told that the file cannot be written.
    told: bool,
    fate: FileResult,
}

/// The result of writing the file.
#[derive(Clone, Default)]
enum FileResult {
    /// There was no game to write.
    #[default]
    Untouched,
    Written,
    /// It holds a game with this score, which is not worse.
    Stays(f64),
    /// It cannot be written, and why.
    Failed(String),
}

impl<'a> Keeper<'a> {
    /// Makes sure, before any work is done, that games can be written to the file and that nothing else is lost by that.
    pub fn new(
        path: &Path,
        problem: &'a dyn Instance,
        registry: &'a Registry,
        from: Option<&str>,
        existing: Existing,
    ) -> Result<Self> {
        ensure!(path != Path::new("-"), "-o -: a file is needed; --json writes games to standard output");
        let format = registry.format(problem, &files::extension(path)).with_context(|| text::name(path))?;
        if let Some(from) = from {
            files::distinct(&files::game_and_moves(from)?.0, path)?;
        }
        let origin = from.map(|from| format!("searched on from {from}"));
        let output = Output::over(path)?;
        if let Held::Other(what) = Held::by(&output, problem, registry).complete()
            && !existing.may_go()
        {
            return Err(existing.refusal(path, &what));
        }
        let name = text::name(path);
        Ok(Keeper { output, name, format, problem, registry, existing, origin, state: Mutex::default() })
    }

    /// The file, as the user names it, if it holds the game of the result.
    pub fn written(&self) -> Option<&str> {
        matches!(self.state().fate, FileResult::Written).then_some(self.name.as_str())
    }

    /// Why the last game could not be written.
    pub fn failure(&self) -> Option<String> {
        match &self.state().fate {
            FileResult::Failed(reason) => Some(reason.clone()),
            _ => None,
        }
    }

    /// Takes the file for the run's own if it holds one of these games, which the run found before it was interrupted.
    #[cfg(feature = "store")]
    pub fn take_over<'g>(&self, mut games: impl Iterator<Item = &'g [String]>) {
        let Ok(Some(contents)) = self.output.contents() else { return };
        if let Held::Game(held) = self.held(Some(contents.clone()))
            && games.any(|moves| moves == held.game.texts())
        {
            self.state().own = Some(contents);
        }
    }

    /// A note for the user before the search begins: the file has a game, which only a better one replaces.
    pub fn warning(&self) -> Option<String> {
        let contents = self.output.contents().ok()?;
        if self.existing.may_go() || self.state().own == contents {
            return None;
        }
        match self.held(contents) {
            Held::Game(held) => {
                let worth = self.problem.worth(held.game.score(), true);
                Some(format!("{} contains a game ({worth}); it is replaced only by a better one", self.name))
            }
            _ => None,
        }
    }

    /// The result of writing the file, in words; nothing if it failed, which was already reported, or nothing was written.
    pub fn conclusion(&self) -> Option<String> {
        let (name, state) = (&self.name, self.state());
        match state.fate {
            FileResult::Written => Some(format!("written to {name}")),
            FileResult::Stays(score) => {
                let better = state.best.is_none_or(|best| self.problem.goal().better(score, best));
                let than = if better { "better" } else { "as good" };
                Some(format!("{name} is unchanged: the game in it ({}) is {than}", self.problem.worth(score, true)))
            }
            FileResult::Untouched | FileResult::Failed(_) => None,
        }
    }

    /// The game that could not be written, as text.
    pub fn unwritten(&self) -> Option<String> {
        let GameToWrite { game, provenance } = self.state().pending.clone()?;
        let format = self.registry.format(self.problem, "text").ok()?;
        let bytes = self.registry.write(format, self.problem, &game, &provenance, &Picture::default()).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The result of writing the file, for programs.
    pub fn event(&self) -> Value {
        let (written, held, error) = match self.state().fate.clone() {
            FileResult::Untouched => (false, None, None),
            FileResult::Written => (true, None, None),
            FileResult::Stays(score) => (false, Some(json::score(score)), None),
            FileResult::Failed(reason) => (false, None, Some(reason)),
        };
        json!({ "event": "output", "file": self.name, "written": written, "held": held, "error": error })
    }

    /// Writes improvements in a separate thread, because drawing a picture would delay the search.
    pub fn in_background<'scope, 'env>(
        &'env self,
        scope: &'scope Scope<'scope, 'env>,
        spec: &'env RunSpec,
        progress: &'env Progress,
    ) -> Writing<'scope> {
        let (sender, improvements) = mpsc::channel::<Improvement>();
        let thread = scope.spawn(move || {
            while let Ok(next) = improvements.recv() {
                // Games that have arrived in the meantime are better.
                let newest = improvements.try_iter().last().unwrap_or(next);
                self.improvement(spec, &newest, progress);
            }
        });
        Writing { sender, thread }
    }

    /// Offers a better game to the file. The first failure is reported; the search continues.
    pub fn improvement(&self, spec: &RunSpec, improvement: &Improvement, progress: &Progress) {
        let provenance = Provenance {
            playouts: Some(improvement.playouts),
            seconds: Some(improvement.elapsed.as_secs_f64()),
            ..self.provenance(spec)
        };
        self.offer(GameToWrite { game: improvement.game.clone(), provenance });
        let mut state = self.state();
        if let FileResult::Failed(reason) = &state.fate
            && !state.told
        {
            progress.say(&format!("{reason}; the search continues, and will try again"));
            state.told = true;
        }
    }

    /// Offers the result of a run. One that is worse than a game on the way, as may happen without memory, is not written.
    pub fn result(&self, spec: &RunSpec, outcome: &Outcome) {
        if let Some(game) = outcome.game().filter(|_| outcome.best_seen.is_none()) {
            let provenance = self.provenance_of(spec, outcome);
            self.offer(GameToWrite { game: game.clone(), provenance });
        } else if let Some(pending) = { self.state().pending.clone() } {
            self.offer(pending);
        }
    }

    /// Writes a game, unless a better one was offered before or is in the file.
    fn offer(&self, game: GameToWrite) {
        let mut state = self.state();
        if state.best.is_some_and(|best| self.problem.goal().better(best, game.game.score())) {
            return;
        }
        state.best = Some(game.game.score());
        let fate = self
            .settle(&game, &mut state)
            .unwrap_or_else(|error| FileResult::Failed(text::without_codes(&format!("{error:#}"))));
        state.pending = matches!(fate, FileResult::Failed(_)).then_some(game);
        state.fate = fate;
    }

    fn settle(&self, game: &GameToWrite, state: &mut KeeperState) -> Result<FileResult> {
        let may_go = self.existing.may_go() && state.own.is_none();
        if !may_go {
            let contents = self.output.contents()?;
            let held = if contents == state.own { Held::Nothing } else { self.held(contents) };
            match held {
                Held::Game(held) if !self.problem.goal().better(game.game.score(), held.game.score()) => {
                    return Ok(FileResult::Stays(held.game.score()));
                }
                Held::Other(what) => return Err(self.existing.refusal(Path::new(&self.name), &what)),
                Held::Game(_) | Held::Nothing => {}
            }
        }
        let picture = Picture::default();
        let bytes = self.registry.write(self.format, self.problem, &game.game, &game.provenance, &picture)?;
        self.output.write(&bytes)?;
        state.own = Some(bytes);
        Ok(FileResult::Written)
    }

    fn held(&self, contents: Option<Vec<u8>>) -> Held {
        Held::of(Ok(contents), self.problem, self.registry).complete()
    }

    fn state(&self) -> MutexGuard<'_, KeeperState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The origin of a run's result. Search, seed and playouts are those that find it again: if the whole run does not, those
    /// of the search that does.
    fn provenance_of(&self, spec: &RunSpec, outcome: &Outcome) -> Provenance {
        let mut provenance = Provenance {
            playouts: Some(outcome.counts.playouts),
            nodes: Some(outcome.counts.moves),
            seconds: Some(outcome.elapsed.as_secs_f64()),
            ..self.provenance(spec)
        };
        if let Some(recipe) = &outcome.recipe {
            provenance.search = Some(recipe.search.clone());
            provenance.seed = Some(recipe.seed);
            provenance.playouts = recipe.playouts;
            if recipe.from > 0 {
                provenance.description = Some(format!("searched on from move {} of this game", recipe.from));
            }
        }
        provenance
    }

    fn provenance(&self, spec: &RunSpec) -> Provenance {
        Provenance {
            search: spec.search.clone(),
            seed: spec.seed,
            program: Some(concat!("nestling ", env!("CARGO_PKG_VERSION")).to_owned()),
            date: Some(humantime::format_rfc3339_seconds(SystemTime::now()).to_string()),
            description: self.description(spec),
            ..Provenance::default()
        }
    }

    /// Other facts that are needed to repeat the search.
    fn description(&self, spec: &RunSpec) -> Option<String> {
        let known: Vec<String> = [spec.device.remark(), self.origin.clone()].into_iter().flatten().collect();
        (!known.is_empty()).then(|| known.join(", "))
    }
}
