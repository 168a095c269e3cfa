//! The file of `-o`: the best game of a run and where it comes from, in the format that the file's name asks for.

use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, Result, ensure};
use nestling::{Improvement, Provenance};
use nestling_registry::{Format, Instance, Order, Picture, Registry, Solved};

use crate::args::SolveArgs;
use crate::files::{self, Output};
use crate::text;

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
            description: self.origin.clone(),
            ..Provenance::default()
        }
    }

    fn write(&self, moves: &[String], provenance: &Provenance) -> Result<()> {
        let picture = Picture::default();
        self.output.write(self.registry.write(self.format, self.problem, moves, provenance, &picture)?)
    }
}
