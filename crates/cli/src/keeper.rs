//! The file of `-o`: the best game of a run and where it comes from, in the format that the file's name asks for.

use std::path::Path;
use std::sync::mpsc;
use std::thread::{Scope, ScopedJoinHandle};
use std::time::SystemTime;

use anyhow::{Context, Result, ensure};
use nestling::{Improvement, Provenance};
use nestling_registry::{Format, Instance, Order, Picture, Registry, Solved};

use crate::args::SolveArgs;
use crate::files::{self, Output};
use crate::text;

/// A file that is being written while a search goes on.
pub(crate) struct Writing<'scope> {
    sender: mpsc::Sender<Improvement>,
    thread: ScopedJoinHandle<'scope, Result<()>>,
}

impl Writing<'_> {
    pub fn improvement(&self, improvement: &Improvement) {
        // Nobody listens any more once writing has failed; `finish` says why.
        let _ = self.sender.send(improvement.clone());
    }

    /// Waits until the last improvement is written.
    pub fn finish(self) -> Result<()> {
        drop(self.sender);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

pub(crate) struct Keeper<'a> {
    output: Output,
    format: &'a dyn Format,
    problem: &'a dyn Instance,
    registry: &'a Registry,
    /// What the search went on from, in words.
    origin: Option<String>,
}

impl<'a> Keeper<'a> {
    /// Makes sure, before any work is done, that games can be written to the file.
    pub fn new(path: &Path, problem: &'a dyn Instance, registry: &'a Registry, args: &SolveArgs) -> Result<Self> {
        ensure!(path != Path::new("-"), "-o -: a file is needed; --json writes games to standard output");
        let format = registry.format(problem, &files::extension(path)).with_context(|| text::name(path))?;
        if let Some(from) = &args.from {
            files::distinct(&files::game_and_moves(from).0, path)?;
        }
        let origin = args.from.as_ref().map(|from| format!("searched on from {from}"));
        Ok(Keeper { output: Output::new(path)?, format, problem, registry, origin })
    }

    pub fn path(&self) -> &Path {
        self.output.path()
    }

    /// Writes improvements in a thread of its own: a picture takes longer than a search likes to wait. What cannot be kept
    /// is not worth searching on for, so a failure stops the run.
    pub fn in_background<'scope, 'env>(
        &'env self,
        scope: &'scope Scope<'scope, 'env>,
        order: &'env Order,
    ) -> Writing<'scope> {
        let (sender, improvements) = mpsc::channel::<Improvement>();
        let thread = scope.spawn(move || {
            while let Ok(next) = improvements.recv() {
                // Those that have come meanwhile are better.
                let newest = improvements.try_iter().last().unwrap_or(next);
                self.improvement(order, &newest).inspect_err(|_| order.cancel.cancel())?;
            }
            Ok(())
        });
        Writing { sender, thread }
    }

    pub fn improvement(&self, order: &Order, improvement: &Improvement) -> Result<()> {
        let provenance = Provenance {
            playouts: Some(improvement.playouts),
            seconds: Some(improvement.elapsed.as_secs_f64()),
            ..self.provenance(order)
        };
        self.write(&improvement.moves, &provenance)
    }

    /// The result of a run. Where the whole run does not repeat it, the search that does is the one to remember.
    pub fn result(&self, order: &Order, solved: &Solved) -> Result<()> {
        let mut provenance = Provenance {
            playouts: Some(solved.counts.playouts),
            nodes: Some(solved.counts.moves),
            seconds: Some(solved.elapsed.as_secs_f64()),
            ..self.provenance(order)
        };
        if let Some(recipe) = &solved.recipe {
            provenance.search = Some(recipe.search.clone());
            provenance.seed = Some(recipe.seed);
            provenance.playouts = Some(recipe.playouts);
            if recipe.from > 0 {
                provenance.description = Some(format!("searched on from move {} of this game", recipe.from));
            }
        }
        self.write(&solved.moves, &provenance)
    }

    fn provenance(&self, order: &Order) -> Provenance {
        Provenance {
            search: Some(order.search.to_string()),
            seed: Some(order.seed),
            program: Some(concat!("nestling ", env!("CARGO_PKG_VERSION")).to_owned()),
            date: Some(humantime::format_rfc3339_seconds(SystemTime::now()).to_string()),
            description: self.description(order),
            ..Provenance::default()
        }
    }

    /// What else has to be known to repeat the search.
    fn description(&self, order: &Order) -> Option<String> {
        let known: Vec<String> = [order.device.remark(), self.origin.clone()].into_iter().flatten().collect();
        (!known.is_empty()).then(|| known.join(", "))
    }

    fn write(&self, moves: &[String], provenance: &Provenance) -> Result<()> {
        let picture = Picture::default();
        self.output.write(self.registry.write(self.format, self.problem, moves, provenance, &picture)?)
    }
}
