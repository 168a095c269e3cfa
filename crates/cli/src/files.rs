//! Files in and out, with messages that name them.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::text;

/// No game is this large; a larger file is a mistake.
const LARGEST: u64 = 64 << 20;

/// A file, or standard input for `-`, or line K of a file of many games for `FILE#K`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let Some((file, number)) = file_and_number(path) else { return whole(path) };
    let bytes = whole(&file)?;
    let games = games(&bytes);
    let line = number.checked_sub(1).and_then(|index| games.get(index));
    let found =
        line.with_context(|| format!("{}: there are {} games in it, from #1 on", text::name(&file), games.len()));
    found.map(|line| line.to_vec())
}

/// The games of a file: its lines where it has one in each, as `nestling match -o` writes them, otherwise all of it.
pub(crate) fn games(bytes: &[u8]) -> Vec<&[u8]> {
    let lines: Vec<_> = bytes.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).collect();
    let each = lines.iter().all(|line| line.starts_with(b"{") && line.trim_ascii_end().ends_with(b"}"));
    if each && lines.len() > 1 { lines } else { vec![bytes] }
}

/// Splits `FILE#K`; a file whose own name ends so is taken as it is.
fn file_and_number(path: &Path) -> Option<(PathBuf, usize)> {
    let (file, number) = path.to_str().filter(|_| !path.exists())?.rsplit_once('#')?;
    Some((PathBuf::from(file), number.parse().ok()?))
}

fn whole(path: &Path) -> Result<Vec<u8>> {
    let name = text::name(path);
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        std::io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes)
    } else {
        let file = File::open(path).with_context(|| format!("{name}: cannot be opened"))?;
        file.take(LARGEST + 1).read_to_end(&mut bytes)
    };
    read.with_context(|| format!("{name}: cannot be read"))?;
    ensure!(bytes.len() as u64 <= LARGEST, "{name}: larger than 64 MiB, which no game is");
    Ok(bytes)
}

/// A file that is rewritten as a whole: beside it first, then renamed, so that it is never half there.
pub(crate) struct Output {
    path: PathBuf,
    folder: PathBuf,
}

impl Output {
    /// Makes sure, before any work is done, that the file can be written.
    pub fn new(path: &Path) -> Result<Self> {
        let name = text::name(path);
        ensure!(path != Path::new("-"), "-: a file is needed here, not standard output");
        ensure!(!path.is_dir(), "{name}: is a folder; name a file in it");
        ensure!(path.file_name().is_some(), "{name}: is not the name of a file");
        let path = &followed(path)?;
        if let Ok(there) = path.metadata() {
            ensure!(there.is_file(), "{name}: is no ordinary file, and would be replaced by one");
            ensure!(!there.permissions().readonly(), "{name}: is write-protected");
        }
        let folder = match path.parent() {
            Some(parent) if parent != Path::new("") => parent.to_path_buf(),
            _ => PathBuf::from("."),
        };
        ensure!(folder.is_dir(), "{name}: there is no folder {}", text::name(&folder));
        tempfile::NamedTempFile::new_in(&folder).with_context(|| format!("{name}: its folder cannot be written to"))?;
        Ok(Output { path: path.to_path_buf(), folder })
    }

    pub fn write(&self, contents: impl AsRef<[u8]>) -> Result<()> {
        let write = || -> Result<()> {
            let mut file = self.beside()?;
            file.write_all(contents.as_ref())?;
            file.as_file().sync_all()?;
            file.persist(&self.path)?;
            Ok(())
        };
        write().with_context(|| format!("{}: cannot be written", text::name(&self.path)))
    }

    /// A new file beside it. Temporary files are private by default; this has the permissions of the file whose place it
    /// takes, or of any new file.
    #[cfg(unix)]
    fn beside(&self) -> std::io::Result<tempfile::NamedTempFile> {
        use std::fs::Permissions;
        use std::os::unix::fs::PermissionsExt;
        let there = self.path.metadata().ok().map(|there| Permissions::from_mode(there.permissions().mode() & 0o777));
        // The system takes the user's umask off this.
        let asked = there.clone().unwrap_or_else(|| Permissions::from_mode(0o666));
        let file = tempfile::Builder::new().permissions(asked).tempfile_in(&self.folder)?;
        if let Some(there) = there {
            // Where this cannot be done the file is more private than it was, which is no reason to lose it.
            let _ = file.as_file().set_permissions(there);
        }
        Ok(file)
    }

    #[cfg(not(unix))]
    fn beside(&self) -> std::io::Result<tempfile::NamedTempFile> {
        tempfile::NamedTempFile::new_in(&self.folder)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Where links lead, also to a file that is not there yet: that is written, and the links stay.
fn followed(path: &Path) -> Result<PathBuf> {
    // As many as the system follows.
    const MOST: usize = 40;
    if let Ok(there) = path.canonicalize() {
        return Ok(there);
    }
    let mut end = path.to_path_buf();
    for _ in 0..MOST {
        let Ok(target) = end.read_link() else { return Ok(end) };
        // It is told from the folder that the link is in.
        end = end.parent().unwrap_or(Path::new("")).join(target);
    }
    bail!("{}: is a link that leads nowhere; name a file", text::name(path))
}

/// A file, or standard output for `-`.
pub(crate) enum Sink {
    Standard,
    File(Output),
}

impl Sink {
    /// Makes sure that it can be written, and is not the file that is read.
    pub fn new(path: &Path, input: Option<&Path>) -> Result<Self> {
        if path == Path::new("-") {
            return Ok(Sink::Standard);
        }
        if let Some(input) = input {
            distinct(input, path)?;
        }
        Output::new(path).map(Sink::File)
    }

    pub fn write(&self, contents: &[u8]) -> Result<()> {
        match self {
            Sink::File(output) => output.write(contents),
            Sink::Standard => {
                let mut out = std::io::stdout().lock();
                out.write_all(contents)?;
                Ok(out.flush()?)
            }
        }
    }
}

/// The ending of a file's name with its dot; nothing where it has none, and for standard output.
pub(crate) fn extension(path: &Path) -> String {
    let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy()));
    extension.filter(|_| path != Path::new("-")).unwrap_or_default()
}

/// Splits `FILE@K` into the file and the number of moves to take from it.
pub(crate) fn game_and_moves(text: &str) -> (PathBuf, Option<usize>) {
    // A file whose own name ends in @K is taken as it is.
    if !Path::new(text).exists()
        && let Some((file, moves)) = text.rsplit_once('@')
        && let Ok(moves) = moves.parse()
    {
        return (PathBuf::from(file), Some(moves));
    }
    (PathBuf::from(text), None)
}

/// Refuses to write over what is read.
pub(crate) fn distinct(input: &Path, output: &Path) -> Result<()> {
    let same = match (input.canonicalize(), output.canonicalize()) {
        (Ok(input), Ok(output)) => input == output,
        _ => input == output,
    };
    if same {
        bail!("{}: would be read and overwritten; give the output another name", text::name(output));
    }
    Ok(())
}
