//! The experiments that come with the program, and those of a folder.

use std::path::{Path, PathBuf};

use nestling_registry::Registry;

use crate::experiment::{Experiment, ExperimentError};

/// The files of the folder `experiments`, by name.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/experiments.rs"));

/// Why there are no experiments.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// A file is no experiment.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A file or folder cannot be read.
    #[error("{path}: cannot be read: {reason}")]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The system's message.
        reason: String,
    },
}

/// The experiments that come with the program, in the order of the papers. They are about problems of [`Registry::standard`].
pub fn standard() -> Vec<Experiment> {
    let registry = Registry::standard();
    let read = |(file, text): &(&str, &str)| Experiment::read(file, text, &registry);
    FILES.iter().map(|file| read(file).unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// The experiments of a folder, or of one file.
///
/// # Errors
///
/// When something in it cannot be read, or is no experiment.
pub fn of_folder(path: &Path, registry: &Registry) -> Result<Vec<Experiment>, CatalogueError> {
    let unreadable =
        |error: std::io::Error| CatalogueError::Unreadable { path: path.to_path_buf(), reason: error.to_string() };
    let mut files = vec![path.to_path_buf()];
    if path.is_dir() {
        let entries: Vec<_> = path.read_dir().and_then(Iterator::collect).map_err(unreadable)?;
        files = entries.iter().map(std::fs::DirEntry::path).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
        files.sort();
    }
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file)
            .map_err(|error| CatalogueError::Unreadable { path: file.clone(), reason: error.to_string() })?;
        Ok(Experiment::read(&file.to_string_lossy(), &text, registry)?)
    };
    files.into_iter().map(read).collect()
}
