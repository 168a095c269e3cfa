//! Files with several tasks, or several reports: each with its length before it.

use std::path::Path;

use anyhow::Result;

use crate::{files, text};

/// The bytes of a file with these parts.
pub(crate) fn join<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part);
    }
    bytes
}

/// The parts of a file. Of one that breaks off, those that are whole, and what is wrong.
pub(crate) fn split(mut bytes: &[u8]) -> (Vec<Vec<u8>>, Option<&'static str>) {
    let mut parts = Vec::new();
    while !bytes.is_empty() {
        let next = bytes.split_first_chunk().and_then(|(length, rest)| {
            let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
            rest.split_at_checked(length)
        });
        match next {
            Some((part, rest)) => {
                parts.push(part.to_vec());
                bytes = rest;
            }
            None => return (parts, Some("it breaks off in the middle")),
        }
    }
    (parts, None)
}

/// The line that makes all files of a folder in a job array of Slurm, or those with these numbers.
#[cfg(feature = "store")]
pub(crate) fn slurm(folder: &Path, numbers: &str) -> String {
    let (program, folder) = (text::program(), text::shell_word(&text::name(folder)));
    let made = text::shell_word(&format!("{program} task {folder}/$SLURM_ARRAY_TASK_ID.task"));
    format!("sbatch --array={numbers} --wrap {made}")
}

/// The tasks of a file.
pub(crate) fn tasks(path: &Path) -> Result<Vec<Vec<u8>>> {
    let (tasks, wrong) = split(&files::read_large(path)?);
    let name = text::name(path);
    if let Some(wrong) = wrong {
        anyhow::bail!("{name}: not a file of tasks, or damaged: {wrong}");
    }
    anyhow::ensure!(!tasks.is_empty(), "{name}: the file contains no task");
    Ok(tasks)
}

#[cfg(test)]
mod tests {
    use super::{join, split};

    #[test]
    fn what_breaks_off_keeps_its_first_parts() {
        let parts: [&[u8]; 3] = [b"one", b"", b"three"];
        let whole = join(parts);
        let read = |bytes: &[u8]| (split(bytes).0.len(), split(bytes).1.is_some());
        assert_eq!(split(&whole), (parts.map(<[u8]>::to_vec).to_vec(), None));
        assert_eq!(read(&whole[..whole.len() - 1]), (2, true));
        assert_eq!(read(&whole[..5]), (0, true));
        assert_eq!(read(b"not a bundle at all"), (0, true));
        assert_eq!(read(b""), (0, false));
    }
}
