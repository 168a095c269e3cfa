//! `nestling site`: the app as a folder of static files.

pub(crate) mod args;
mod link;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use nestling_registry::{Picture, Registry, shortened};
use nestling_web::{SiteFile, SiteGame};

use self::args::SiteArgs;
use crate::convert;
use crate::failure::Exit;
use crate::games::{self, InputFile};
use crate::{files, text};

/// The engine's file, in the folder and beside the program; and that of the engine with all problems, beside it.
const ENGINE: &str = "nestling.wasm";
const OTHERS: &str = "others.wasm";

/// The width of the pictures of previews.
const PREVIEW: u32 = 1200;

pub(crate) fn site(args: &SiteArgs, registry: &Registry) -> Result<Exit> {
    let folder = &args.output;
    check_folder(folder, args.force.force)?;
    let path = engine_path(args.engine.as_deref())?;
    let engine = engine(&path)?;
    let beside = path.with_file_name(OTHERS);
    let others = if beside.is_file() { Some(self::engine(&beside)?) } else { None };
    let mut games = Vec::new();
    for file in &args.game {
        let Some(game) = game(file, args.address.as_deref(), registry)? else { return Ok(Exit::Negative) };
        let is_taken = games.iter().any(|other: &SiteGame| other.name == game.name);
        ensure!(!is_taken, "{}: another game has the page {}.html; rename the file", text::name(file), game.name);
        games.push(game);
    }
    let written = nestling_web::site(engine, others, icons()?, &games);
    let unwritten = |path: &Path| format!("{}: cannot be written", text::name(path));
    for (path, bytes) in &written {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).with_context(|| unwritten(parent))?;
        fs::write(&path, bytes).with_context(|| unwritten(&path))?;
    }
    text::print(&summary(folder, &written, &games))?;
    Ok(Exit::Done)
}

fn summary(folder: &Path, written: &[SiteFile], games: &[SiteGame]) -> String {
    let bytes: usize = written.iter().map(|(_, bytes)| bytes.len()).sum();
    let name = text::name(folder);
    let mut summary = format!("{name}: {} files, {} kB\n", written.len(), bytes.div_ceil(1000));
    for game in games {
        summary += &format!("{}.html: {}, link {}\n", game.name, game.title, game.link);
    }
    summary
}

/// Refuses a folder with other things in it.
fn check_folder(folder: &Path, is_forced: bool) -> Result<()> {
    let name = text::name(folder);
    if folder.exists() {
        ensure!(folder.is_dir(), "{name}: not a folder; name a folder with -o");
        let mut entries = fs::read_dir(folder).with_context(|| name.clone())?;
        let is_ours = nestling_web::is_site(folder) || entries.next().is_none();
        ensure!(
            is_ours || is_forced,
            "{name}: this folder has other files; name an empty folder, or add --force to write among them"
        );
    }
    Ok(())
}

/// The file of the engine: the one that was named, or the one beside this program.
fn engine_path(named: Option<&Path>) -> Result<PathBuf> {
    let beside = || -> Result<PathBuf> {
        let program = std::env::current_exe().context("cannot find this program")?;
        let beside = program.with_file_name(ENGINE);
        ensure!(
            beside.is_file(),
            "there is no engine for browsers ({ENGINE}) beside this program, and installed programs come without it; \
             a release has the folder as an archive (nestling-{version}-site.tar.gz), scripts/site builds it in a clone, \
             or name an engine with --engine",
            version = env!("CARGO_PKG_VERSION")
        );
        Ok(beside)
    };
    named.map_or_else(beside, |path| Ok(path.to_path_buf()))
}

/// An engine of this version.
fn engine(path: &Path) -> Result<Vec<u8>> {
    let bytes = files::read_large(path)?;
    let version = env!("CARGO_PKG_VERSION");
    ensure!(
        nestling_web::is_engine(&bytes),
        "{}: not an engine of version {version}; scripts/site builds one",
        text::name(path)
    );
    Ok(bytes)
}

#[cfg(feature = "pictures")]
fn icons() -> Result<Vec<(u32, Vec<u8>)>> {
    let icon = nestling_web::icon();
    nestling_web::ICONS.iter().map(|&width| Ok((width, nestling_presentation::png(&icon, width)?))).collect()
}

#[cfg(not(feature = "pictures"))]
fn icons() -> Result<Vec<(u32, Vec<u8>)>> {
    Ok(Vec::new())
}

/// The name of a game's page: that of its file, with the number of the game in it, as far as addresses can have it.
fn page_name(path: &Path) -> String {
    let file = games::file_of(path);
    let stem = file.file_stem().unwrap_or(OsStr::new("game")).to_string_lossy();
    let number = path.to_string_lossy().strip_prefix(&*file.to_string_lossy()).unwrap_or_default().replace('#', "-");
    let is_plain = |symbol: char| symbol.is_ascii_alphanumeric() || "-_.".contains(symbol);
    format!("{stem}{number}").chars().map(|symbol| if is_plain(symbol) { symbol } else { '-' }).collect()
}

/// A game as a page that can be previewed; none if it is illegal.
fn game(path: &Path, address: Option<&str>, registry: &Registry) -> Result<Option<SiteGame>> {
    let file = InputFile::read(path)?;
    let Some((verdict, problem)) = convert::read_game(&file.only(registry)?, registry)? else { return Ok(None) };
    let name = page_name(path);
    let icons: Vec<String> = nestling_web::ICONS.iter().map(|width| format!("icon-{width}")).collect();
    ensure!(
        !nestling_web::Server::pages().contains(&name) && name != "index" && !icons.contains(&name),
        "{}: a file of the app is called {name}; rename the file",
        text::name(path)
    );
    let format = registry.format(problem.as_ref(), "png").with_context(|| text::name(path))?;
    let picture = Picture { width: PREVIEW, ..Picture::default() };
    let picture = registry.write(format, problem.as_ref(), &verdict.game, &verdict.provenance, &picture);
    let worth = problem.worth(verdict.game.score(), verdict.game.is_over());
    let by = verdict.provenance.author.as_ref().map_or_else(String::new, |author| format!(", by {author}"));
    let page = nestling_web::page_of(problem.name())
        .ok_or_else(|| anyhow!("{}: no page shows games of {}", text::name(path), problem.name()))?;
    Ok(Some(SiteGame {
        name,
        title: format!("{}: {worth}{by}", shortened(problem.name())),
        link: format!("{page}#{}", link::packed(problem.as_ref(), verdict.game.texts())?),
        picture: picture.with_context(|| text::name(path))?,
        address: address.map(str::to_owned),
    }))
}
