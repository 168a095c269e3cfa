//! Games out of files: the only one, all of several, or the one that `FILE#K` chooses.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use nestling_registry::Registry;

use crate::{files, text};

/// A file with games.
pub(crate) struct InputFile {
    name: String,
    bytes: Vec<u8>,
    /// The number behind `#`.
    chosen: Option<usize>,
}

/// A game of a file.
pub(crate) struct GameInFile<'a> {
    /// The file, with `#K` where it holds several.
    pub name: String,
    /// The line of the file that it begins with, from 1, where it holds several.
    first_line: Option<usize>,
    pub bytes: &'a [u8],
}

impl GameInFile<'_> {
    /// The beginning of messages about a part of the file; lines are counted from the beginning of the game.
    pub fn place(&self) -> String {
        match self.first_line {
            Some(line) if line > 1 => format!("{} (which begins in line {line})", self.name),
            _ => self.name.clone(),
        }
    }
}

impl InputFile {
    /// A file, or standard input for `-`, either with `#K` behind it.
    pub fn read(path: &Path) -> Result<Self> {
        let (path, chosen) = file_and_number(path).map_or((path.to_path_buf(), None), |(path, k)| (path, Some(k)));
        Ok(InputFile { name: text::name(&path), bytes: files::read(&path)?, chosen })
    }

    /// The game that was chosen, or all games of the file.
    pub fn games(&self, registry: &Registry) -> Result<Vec<GameInFile<'_>>> {
        let parts = registry.games(&self.bytes);
        let count = parts.len();
        let (mut games, mut line, mut counted) = (Vec::new(), 1, 0);
        for (bytes, number) in parts.into_iter().zip(1..) {
            // The games are parts of the file, in its order.
            let start = bytes.as_ptr().addr() - self.bytes.as_ptr().addr();
            line += self.bytes[counted..start].iter().filter(|&&byte| byte == b'\n').count();
            counted = start;
            if self.chosen.is_none_or(|chosen| chosen == number) {
                let name = if count > 1 { format!("{}#{number}", self.name) } else { self.name.clone() };
                games.push(GameInFile { name, first_line: (count > 1).then_some(line), bytes });
            }
        }
        match (games.is_empty(), count) {
            (false, _) => Ok(games),
            (true, 1) => bail!("{}: the file has one game; there is no other to choose", self.name),
            (true, _) => bail!("{}: the file contains {count} games; choose one of #1 to #{count}", self.name),
        }
    }

    /// The only game, or the one that was chosen.
    pub fn only(&self, registry: &Registry) -> Result<GameInFile<'_>> {
        let mut games = self.games(registry)?;
        if games.len() > 1 {
            let (name, count) = (&self.name, games.len());
            bail!("{name}: the file contains {count} games; choose one, as in {name}#1");
        }
        games.pop().context("a file has at least one game")
    }

    /// All that is in the file, and the number behind `#`.
    pub fn contents(&self) -> (&[u8], Option<usize>) {
        (&self.bytes, self.chosen)
    }

    /// All that is in the file, unless one of its games was chosen.
    pub fn whole(&self) -> Option<&[u8]> {
        self.chosen.is_none().then_some(&self.bytes)
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The file of `FILE` or `FILE#K`.
pub(crate) fn file_of(path: &Path) -> PathBuf {
    file_and_number(path).map_or_else(|| path.to_path_buf(), |(file, _)| file)
}

/// Splits `FILE#K`; a file whose own name ends so is taken as it is.
fn file_and_number(path: &Path) -> Option<(PathBuf, usize)> {
    let (file, number) = path.to_str().filter(|_| !path.exists())?.rsplit_once('#')?;
    Some((PathBuf::from(file), number.parse().ok()?))
}
