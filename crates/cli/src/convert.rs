//! `nestling convert`, and how any command reads and writes a game.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use nestling::Provenance;
use nestling_registry::{Format, Instance, Picture, ReadError, Registry, Verdict};

use crate::args::{ConvertArgs, PictureArgs};
use crate::failure::Exit;
use crate::files::{self, Sink};
use crate::text;

pub(crate) fn convert(args: &ConvertArgs, registry: &Registry) -> Result<Exit> {
    let Some((verdict, problem)) = read(&args.input, registry)? else { return Ok(Exit::Negative) };
    let picture = args.picture.picture(verdict.moves.len()).with_context(|| text::name(&args.input))?;
    let destination =
        Destination::new(&args.output, args.to.as_deref(), Some(&args.input), problem.as_ref(), registry)?;
    destination.suits(&args.picture)?;
    destination.write(&verdict.moves, &verdict.provenance, &picture)?;
    Ok(Exit::Done)
}

/// Reads a game of any problem. An illegal one is a verdict, not a failure: it is said, and `None` is returned.
pub(crate) fn read(path: &Path, registry: &Registry) -> Result<Option<(Verdict, Box<dyn Instance>)>> {
    let name = text::name(path);
    let bytes = files::read(path)?;
    let games = files::games(&bytes).len();
    ensure!(games == 1, "{name}: there are {games} games in it; choose one, as in {name}#1");
    match registry.verify(&bytes) {
        Ok(verdict) => {
            text::notes(&name, &verdict.notes);
            let problem = registry.open(&verdict.problem)?;
            Ok(Some((verdict, problem)))
        }
        Err(error @ ReadError::Illegal(_)) => {
            anstream::eprintln!("{}: {name}: illegal, {error}", text::program());
            Ok(None)
        }
        Err(error) => Err(anyhow!("{name}: {error}")),
    }
}

/// A file or standard output, and the format for it.
pub(crate) struct Destination<'a> {
    sink: Sink,
    name: String,
    format: &'a dyn Format,
    problem: &'a dyn Instance,
    registry: &'a Registry,
}

impl<'a> Destination<'a> {
    /// Refuses, before anything is written, what cannot be.
    pub fn new(
        path: &Path,
        format: Option<&str>,
        input: Option<&Path>,
        problem: &'a dyn Instance,
        registry: &'a Registry,
    ) -> Result<Self> {
        let name = text::name(path);
        let wanted = format.map_or_else(|| files::extension(path), str::to_owned);
        ensure!(!format.is_some_and(str::is_empty), "--to: name a format such as msr");
        let format = registry.format(problem, &wanted).with_context(|| name.clone())?;
        Ok(Destination { sink: Sink::new(path, input)?, name, format, problem, registry })
    }

    /// Refuses what is said of a picture where none is written.
    pub fn suits(&self, picture: &PictureArgs) -> Result<()> {
        match picture.given().filter(|_| !self.format.is_picture()) {
            Some(option) => bail!("{}: {option} is for pictures; write an .svg or .png, or leave it out", self.name),
            None => Ok(()),
        }
    }

    pub fn write(&self, moves: &[String], provenance: &Provenance, picture: &Picture) -> Result<()> {
        let written = self.registry.write(self.format, self.problem, moves, provenance, picture);
        self.sink.write(&written.with_context(|| self.name.clone())?)
    }
}
