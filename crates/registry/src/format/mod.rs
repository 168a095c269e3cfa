//! Games as files: one trait, one file per format.
//!
//! A format knows no types: it turns bytes into the name of a problem and the texts of moves, and back. So the formats here work
//! for every problem. A problem's own formats, such as Pentasol for Morpion Solitaire, implement the same trait and are
//! added by [`Registry::with_format`](crate::Registry::with_format).

mod json;
mod picture;
mod several;
mod text;

use nestling::{Certified, Illegal, Provenance};

use nestling_presentation::Picture;

use crate::instance::Instance;

use json::Json;
use picture::PictureFormat;
pub use picture::film;
use text::Text;

pub(crate) use json::{is_json, looks};
pub(crate) use nestling_presentation::shown;
pub(crate) use several::objects;

/// A way to keep a game in a file.
pub trait Format: Send + Sync {
    /// The name people call it by.
    fn name(&self) -> &'static str;

    /// How the names of its files end, the usual ending first.
    fn extensions(&self) -> &'static [&'static str];

    /// Whether games of this problem can be written in it.
    fn suits(&self, _problem: &dyn Instance) -> bool {
        true
    }

    /// Whether it shows the game, as a [`Picture`] says; other formats have no use for that.
    fn is_picture(&self) -> bool {
        false
    }

    /// Whether a file looks like it. Damaged files should too, so that their reader can say where the damage is.
    fn recognises(&self, bytes: &[u8]) -> bool;

    /// Splits a file with several games into one text per game; by default a file has one game.
    fn split<'a>(&self, bytes: &'a [u8]) -> Vec<&'a [u8]> {
        vec![bytes]
    }

    /// Reads a file. `wanted` names the problem that is hoped for, where the format itself leaves that open.
    ///
    /// # Errors
    ///
    /// When the bytes are not in this format. It must not panic on any bytes.
    fn read(&self, bytes: &[u8], wanted: Option<&str>) -> Result<GameFile, ReadError>;

    /// Writes a game, with the information in the sheet.
    ///
    /// # Errors
    ///
    /// When the problem cannot be written so.
    fn write(
        &self,
        sheet: &GameFile,
        game: &Certified,
        problem: &dyn Instance,
        picture: &Picture,
    ) -> Result<Vec<u8>, WriteError>;
}

/// The formats that every problem has, in the order in which they are offered.
pub(crate) const COMMON: [&dyn Format; 5] =
    [&Text, &Json, &PictureFormat::Svg, &PictureFormat::Png, &PictureFormat::Gif];

/// The content of a file, before it is verified by the rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameFile {
    /// The problem it is a game of.
    pub problem: String,
    /// The moves, as people write them.
    pub moves: Vec<String>,
    /// The score it claims.
    pub score: Option<f64>,
    /// Its origin.
    pub provenance: Provenance,
    /// Notes on how the file was understood.
    pub notes: Vec<String>,
}

/// Why a file is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It cannot be read as a game at all.
    #[error("{0}")]
    Unreadable(String),
    /// It can, and breaks the rules.
    #[error("{0}")]
    Illegal(#[from] Illegal),
}

impl ReadError {
    /// It cannot be read; the reason may quote the file, and is made fit to be shown.
    pub fn unreadable(reason: impl AsRef<str>) -> Self {
        ReadError::Unreadable(shown(reason.as_ref(), 200))
    }
}

/// Why a game cannot be written in a format.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The rules refuse the game.
    #[error("{0}")]
    Illegal(#[from] Illegal),
    /// The moves lead to another score than the game was kept with.
    #[error("the stored score is {claimed}, but the moves score {found}")]
    Score {
        /// The score that the file gives.
        claimed: f64,
        /// The score by the rules.
        found: f64,
    },
    /// The format is another problem's.
    #[error("{problem} cannot be written as {format}")]
    Unsuitable {
        /// The problem.
        problem: String,
        /// The format.
        format: &'static str,
    },
    /// The picture cannot be made.
    #[error("{0}")]
    Picture(String),
    /// PNG and GIF pictures need the feature `pictures`.
    #[error("this program was built without PNG and GIF pictures; write an .svg")]
    WithoutPng,
    /// There is no such format.
    #[error("there is no format {wanted} for {problem}; there are {known}")]
    Unknown {
        /// The requested format.
        wanted: String,
        /// The problem.
        problem: String,
        /// The available formats.
        known: String,
    },
}

/// The text of a file, without the mark that some editors put at its beginning.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, ReadError> {
    let text = std::str::from_utf8(bytes);
    let text =
        text.map_err(|error| ReadError::Unreadable(format!("byte {}: not UTF-8 text", error.valid_up_to() + 1)))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}
