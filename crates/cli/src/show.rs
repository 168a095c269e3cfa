//! `nestling show`.

use anyhow::{Context, Result};
use nestling::{Certified, Provenance};
use nestling_registry::{Instance, Registry, VerifiedGame, shortened};

use crate::args::ShowArgs;
use crate::convert::{Destination, read, read_game};
use crate::failure::Exit;
use crate::games::InputFile;
use crate::text;

pub(crate) fn show(args: &ShowArgs, registry: &Registry) -> Result<Exit> {
    text::use_ascii(args.ascii.ascii);
    if let Some(path) = &args.output {
        let Some((verdict, problem)) = read(&args.file, registry)? else { return Ok(Exit::Negative) };
        let picture = args.picture.picture(verdict.game.texts().len()).with_context(|| text::name(&args.file))?;
        let destination =
            Destination::new(path, None, Some(&args.file), args.force.existing(), problem.as_ref(), registry)?;
        destination.suits(&args.picture)?;
        destination.write(&verdict.game, &verdict.provenance, &picture)?;
        return Ok(Exit::Done);
    }
    let file = InputFile::read(&args.file)?;
    let games = file.games(registry)?;
    let several = games.len() > 1;
    let mut worst = Exit::Done;
    for game in &games {
        match read_game(game, registry) {
            Ok(Some((verdict, problem))) => {
                if several {
                    text::print(&format!("{}\n\n", game.name))?;
                }
                show_game(&game.name, &verdict, problem.as_ref(), args)?;
                if several {
                    text::print("\n")?;
                }
            }
            Ok(None) => worst = worst.max(Exit::Negative),
            Err(error) if several => {
                anstream::eprintln!("{}: {error:#}", text::program());
                worst = worst.max(Exit::Bad);
            }
            Err(error) => return Err(error),
        }
    }
    if several {
        let name = file.name();
        text::print(&format!("{name}: {} games; {name}#1 is the first of them\n", games.len()))?;
    }
    Ok(worst)
}

fn show_game(name: &str, verdict: &VerifiedGame, problem: &dyn Instance, args: &ShowArgs) -> Result<()> {
    let picture = args.picture.picture(verdict.game.texts().len()).with_context(|| name.to_owned())?;
    let state = if verdict.game.is_over() { "complete" } else { "legal moves are left" };
    let score = problem.worth(verdict.game.score(), verdict.game.is_over());
    let name = shortened(&verdict.problem);
    let summary = match picture.up_to {
        Some(count) => format!("{name}: after move {count} of {}", verdict.game.texts().len()),
        None => format!("{name}: {score}, {state}"),
    };
    draw(problem, &verdict.game, picture.up_to, &summary, &verdict.provenance)
}

/// A game on the terminal: the picture, a line about it, and where it comes from.
pub(crate) fn draw(
    problem: &dyn Instance,
    game: &Certified,
    up_to: Option<usize>,
    summary: &str,
    provenance: &Provenance,
) -> Result<()> {
    let beginning = up_to.map(|count| problem.certify(&game.texts()[..count])).transpose()?;
    text::print(&problem.draw(beginning.as_ref().unwrap_or(game), text::canvas())?)?;
    text::print(&format!("\n{summary}\n"))?;
    for (key, value) in provenance.fields() {
        text::print(&format!("{key}: {value}\n"))?;
    }
    Ok(())
}
