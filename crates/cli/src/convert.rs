//! `nestling convert`, and how any command reads and writes a game.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use nestling::{Certified, Provenance};
use nestling_registry::{Format, Instance, Picture, ReadError, Registry, VerifiedGame};

use crate::args::{ConvertArgs, PictureArgs};
use crate::failure::Exit;
use crate::games::{GameInFile, InputFile};
use crate::held::Held;
use crate::output::{Existing, Sink};
use crate::{files, text};

pub(crate) fn convert(args: &ConvertArgs, registry: &Registry) -> Result<Exit> {
    let Some((verdict, problem)) = read(&args.input, registry)? else { return Ok(Exit::Negative) };
    let picture = args.picture.picture(verdict.game.texts().len()).with_context(|| text::name(&args.input))?;
    let (to, input, existing) = (args.to.as_deref(), Some(args.input.as_path()), args.force.existing());
    let destination = Destination::new(&args.output, to, input, existing, problem.as_ref(), registry)?;
    destination.suits(&args.picture)?;
    destination.write(&verdict.game, &verdict.provenance, &picture)?;
    Ok(Exit::Done)
}

/// Reads the only game of a file, of any problem. An illegal game is a result, not an error: it is reported, and `None` is returned.
pub(crate) fn read(path: &Path, registry: &Registry) -> Result<Option<(VerifiedGame, Box<dyn Instance>)>> {
    read_game(&InputFile::read(path)?.only(registry)?, registry)
}

/// Reads one game; see [`read`].
pub(crate) fn read_game(
    game: &GameInFile<'_>,
    registry: &Registry,
) -> Result<Option<(VerifiedGame, Box<dyn Instance>)>> {
    match registry.verify(game.bytes) {
        Ok(verdict) => {
            text::notes(&game.name, &verdict.notes);
            let problem = registry.open(&verdict.problem)?;
            Ok(Some((verdict, problem)))
        }
        Err(error @ ReadError::Illegal(_)) => {
            anstream::eprintln!("{}: {}: illegal, {error}", text::program(), game.name);
            Ok(None)
        }
        Err(error) => Err(anyhow!("{}: {error}", game.place())),
    }
}

/// A file or standard output, and the format for it.
pub(crate) struct Destination<'a> {
    sink: Sink,
    path: PathBuf,
    existing: Existing,
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
        existing: Existing,
        problem: &'a dyn Instance,
        registry: &'a Registry,
    ) -> Result<Self> {
        let name = text::name(path);
        let wanted = format.map_or_else(|| files::extension(path), str::to_owned);
        ensure!(!format.is_some_and(str::is_empty), "--to: name a format such as msr");
        let format = registry.format(problem, &wanted).with_context(|| name.clone())?;
        if let Some(input) = input.filter(|_| path != Path::new("-")) {
            files::distinct(input, path)?;
        }
        Ok(Destination { sink: Sink::over(path)?, path: path.to_path_buf(), existing, format, problem, registry })
    }

    /// Refuses options of a picture if no picture is written.
    pub fn suits(&self, picture: &PictureArgs) -> Result<()> {
        match picture.given().filter(|_| !self.format.is_picture()) {
            Some(option) => {
                bail!(
                    "{}: {option} applies only to pictures; write an .svg, .png or .gif, or leave the option out",
                    text::name(&self.path)
                )
            }
            None => Ok(()),
        }
    }

    /// Writes a game. A file that is there is replaced if it holds the same game and says the same of its origin, so that a picture
    /// can be drawn anew; anything else only with `--force`.
    pub fn write(&self, game: &Certified, provenance: &Provenance, picture: &Picture) -> Result<()> {
        let written = self.registry.write(self.format, self.problem, game, provenance, picture);
        let written = written.with_context(|| text::name(&self.path))?;
        if let Sink::File(output) = &self.sink
            && !self.existing.may_go()
        {
            match Held::by(output, self.problem, self.registry) {
                Held::Nothing => {}
                Held::Game(held) if held.game == *game && held.provenance == provenance.clone().tidied() => {}
                Held::Game(held) => {
                    let worth = self.problem.worth(held.game.score(), held.game.is_over());
                    let what = format!("this file exists and contains another game ({worth})");
                    return Err(self.existing.refusal(&self.path, &what));
                }
                Held::Other(what) => return Err(self.existing.refusal(&self.path, &what)),
            }
        }
        self.sink.write(&written)
    }

    /// Writes several games, one after the other. A file that is there is replaced only with `--force`.
    pub fn write_all<'g>(&self, games: impl Iterator<Item = (&'g Certified, &'g Provenance)>) -> Result<()> {
        let (mut written, mut count) = (Vec::new(), 0);
        for (game, provenance) in games {
            let one = self.registry.write(self.format, self.problem, game, provenance, &Picture::default());
            written.extend(one.with_context(|| text::name(&self.path))?);
            count += 1;
        }
        let name = text::name(&self.path);
        ensure!(
            self.registry.games(&written).len() == count,
            "{name}: this format holds one game, and there are {count}; write a .txt file, or name one game"
        );
        if let Sink::File(output) = &self.sink
            && !self.existing.may_go()
            && !matches!(Held::by(output, self.problem, self.registry), Held::Nothing)
        {
            return Err(self.existing.refusal(&self.path, "this file exists"));
        }
        self.sink.write(&written)
    }
}
