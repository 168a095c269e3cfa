//! Files that are written: whole or not at all, and never in place of something else without the user's word.

use std::collections::hash_map::DefaultHasher;
use std::fs::{File, OpenOptions, Permissions};
use std::hash::{Hash, Hasher};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::{files, text};

/// How an existing file is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    /// It is always refused; no flag changes that: `play --terminal`.
    #[cfg_attr(not(feature = "web"), allow(dead_code))]
    Refused,
    /// It is refused unless the user has given `--force`.
    Forced(bool),
}

impl Existing {
    /// Whether it may be replaced whatever it is.
    pub fn may_go(self) -> bool {
        self == Existing::Forced(true)
    }

    /// The refusal of a file, which `what` it holds or is.
    pub fn refusal(self, path: &Path, what: &str) -> anyhow::Error {
        let remedy = match self {
            Existing::Refused => "name another file",
            Existing::Forced(_) => "name another file, or add --force to replace it",
        };
        anyhow::anyhow!("{}: {what}; {remedy}", text::name(path))
    }
}

/// A file that is rewritten as a whole: what is there is replaced by a complete new file, in one step.
///
/// While it is written the new file has no name where the system can do that (Linux, on most file systems), so a process that
/// is killed leaves nothing behind. Elsewhere, and for the instant in which an old file is replaced, it has one hidden name
/// beside the target, always the same, which the next writer takes over.
pub(crate) struct Output {
    /// Its path, with links resolved.
    path: PathBuf,
    folder: PathBuf,
    /// The hidden name beside it.
    hidden: PathBuf,
}

/// How many names are tried if other processes take them first.
const ATTEMPTS: usize = 1_000;

impl Output {
    /// Makes sure, before any work is done, that the file can be written and that no existing contents would be lost.
    pub fn new(path: &Path, existing: Existing) -> Result<Self> {
        let output = Output::over(path)?;
        let is_empty = output.path.metadata().map_or(true, |there| there.len() == 0);
        if !is_empty && !existing.may_go() {
            return Err(existing.refusal(path, "this file exists already"));
        }
        Ok(output)
    }

    /// The same for a caller who looks at what is there himself.
    pub fn over(path: &Path) -> Result<Self> {
        let name = text::name(path);
        ensure!(path != Path::new("-"), "-: a file is needed here, not standard output");
        ensure!(!path.is_dir(), "{name}: is a folder; name a file in it");
        let path = followed(path)?;
        let file_name = path.file_name().with_context(|| format!("{name}: is not the name of a file"))?;
        if let Ok(there) = path.metadata() {
            ensure!(there.is_file(), "{name}: not a regular file; refusing to replace it");
            ensure!(!there.permissions().readonly(), "{name}: is write-protected");
        }
        let folder = match path.parent() {
            Some(parent) if parent != Path::new("") => parent.to_path_buf(),
            _ => PathBuf::from("."),
        };
        ensure!(folder.is_dir(), "{name}: there is no folder {}", text::name(&folder));
        // The target's own name might leave no room for an ending.
        let mut hasher = DefaultHasher::new();
        file_name.hash(&mut hasher);
        let hidden = folder.join(format!(".nestling-{:016x}", hasher.finish()));
        let output = Output { path, folder, hidden };
        output.prepare().with_context(|| format!("{name}: its folder cannot be written to"))?;
        Ok(output)
    }

    /// The current content; nothing if the file is missing or empty.
    pub fn contents(&self) -> Result<Option<Vec<u8>>> {
        if !self.path.try_exists().unwrap_or(true) {
            return Ok(None);
        }
        Ok(Some(files::read(&self.path)?).filter(|bytes| !bytes.is_empty()))
    }

    pub fn write(&self, contents: impl AsRef<[u8]>) -> Result<()> {
        let written = match self.unnamed() {
            Ok(file) => {
                lock(&file);
                self.fill(&file, contents.as_ref()).and_then(|()| self.settle(&file, contents.as_ref()))
            }
            Err(_) => self.through_hidden(contents.as_ref()),
        };
        written.with_context(|| format!("{}: cannot be written", text::name(&self.path)))
    }

    /// Tries whether a file can be made here, and removes what a killed process may have left.
    fn prepare(&self) -> io::Result<()> {
        if self.unnamed().is_err() {
            drop(self.lock_hidden(true)?);
        }
        self.clear_hidden()
    }

    /// Writes everything and waits until it is on the disk.
    fn fill(&self, mut file: &File, contents: &[u8]) -> io::Result<()> {
        if let Some(permissions) = self.permissions() {
            // If this fails, the file has stricter permissions than before; the game is still written.
            let _ = file.set_permissions(permissions);
        }
        file.write_all(contents)?;
        file.sync_all()
    }

    /// Gives a complete file without a name the target's.
    fn settle(&self, file: &File, contents: &[u8]) -> io::Result<()> {
        for _ in 0..ATTEMPTS {
            match link(file, &self.path) {
                Ok(()) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                // Names cannot be given here.
                Err(_) => return self.through_hidden(contents),
            }
            // What is there can only be replaced by renaming, and for that the file needs a name.
            match link(file, &self.hidden) {
                Ok(()) => return self.rename_hidden(),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => self.clear_hidden()?,
                Err(error) => return Err(error),
            }
        }
        Err(busy())
    }

    /// The same where every file needs a name from the beginning.
    fn through_hidden(&self, contents: &[u8]) -> io::Result<()> {
        let file = self.lock_hidden(true)?;
        let written = file.set_len(0).and_then(|()| self.fill(&file, contents));
        written.inspect_err(|_| drop(remove(&self.hidden)))?;
        self.rename_hidden()
    }

    fn rename_hidden(&self) -> io::Result<()> {
        std::fs::rename(&self.hidden, &self.path).inspect_err(|_| drop(remove(&self.hidden)))
    }

    /// Removes the hidden file of a process that was killed; that of one that lives is waited for.
    fn clear_hidden(&self) -> io::Result<()> {
        match self.lock_hidden(false) {
            // It is locked until it is gone.
            Ok(_file) => remove(&self.hidden),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            // A file that cannot be opened, such as a link, is not being written by another process.
            Err(_) => remove(&self.hidden),
        }
    }

    /// Opens the hidden file, and waits until no other process has it locked for writing.
    fn lock_hidden(&self, create: bool) -> io::Result<File> {
        for _ in 0..ATTEMPTS {
            let file = hidden_options(create).open(&self.hidden)?;
            lock(&file);
            // Whoever had it may have renamed it since.
            if is_named(&file, &self.hidden) {
                return Ok(file);
            }
        }
        Err(busy())
    }

    /// The permissions of the file that is replaced.
    fn permissions(&self) -> Option<Permissions> {
        Some(self.path.metadata().ok()?.permissions())
    }

    /// A new file in the folder without a name.
    #[cfg(target_os = "linux")]
    fn unnamed(&self) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, open};
        // The system takes the user's umask off the mode of a new file.
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        Ok(File::from(open(&self.folder, flags, Mode::from_raw_mode(0o666))?))
    }

    #[cfg(not(target_os = "linux"))]
    fn unnamed(&self) -> io::Result<File> {
        let _ = &self.folder;
        Err(ErrorKind::Unsupported.into())
    }
}

/// Gives a file another name, or its first.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let open = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// How the hidden file is opened: as it is, for another process may be writing it; never through a link that another user has put
/// in its place.
fn hidden_options(create: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(create).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    }
    options
}

/// Whether a path still leads to this file.
#[cfg(unix)]
fn is_named(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |there: std::fs::Metadata| (there.dev(), there.ino());
    let (Ok(file), Ok(there)) = (file.metadata(), path.metadata()) else { return false };
    identity(file) == identity(there)
}

#[cfg(not(unix))]
fn is_named(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Locks a file until it is closed. File systems without locks are left with the danger that two processes write one file at once.
fn lock(file: &File) {
    let _ = file.lock();
}

fn busy() -> io::Error {
    io::Error::new(ErrorKind::ResourceBusy, "other processes keep writing to it")
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
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
    bail!("{}: a broken symbolic link; name another file", text::name(path))
}

/// A file, or standard output for `-`.
pub(crate) enum Sink {
    Standard,
    File(Output),
}

impl Sink {
    /// Makes sure that it can be written, and that no file is lost by that.
    pub fn new(path: &Path, existing: Existing) -> Result<Self> {
        if path == Path::new("-") { Ok(Sink::Standard) } else { Output::new(path, existing).map(Sink::File) }
    }

    /// The same for a caller who looks at what is there himself.
    pub fn over(path: &Path) -> Result<Self> {
        if path == Path::new("-") { Ok(Sink::Standard) } else { Output::over(path).map(Sink::File) }
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

#[cfg(test)]
mod tests;
