//! Pictures as files: the problem's picture, with our JSON inside, so that a picture is a game too.

#[cfg(feature = "pictures")]
mod moving;

use nestling::Certified;
use nestling_presentation::{
    Picture, PictureError, carry_in_gif, carry_in_png, carry_in_svg, game_in_gif, game_in_png, game_in_svg,
};

use super::{Format, GameFile, ReadError, WriteError, json};
use crate::instance::Instance;
pub use moving::film;

/// A kind of picture.
pub(crate) enum PictureFormat {
    /// Which browsers show at any size, and play move by move if asked to.
    Svg,
    /// Which everything shows.
    Png,
    /// Which everything plays move by move.
    Gif,
}

use PictureFormat::{Gif, Png, Svg};

impl Format for PictureFormat {
    fn name(&self) -> &'static str {
        self.extensions()[0]
    }

    fn extensions(&self) -> &'static [&'static str] {
        match self {
            Svg => &["svg"],
            Png => &["png"],
            Gif => &["gif"],
        }
    }

    fn suits(&self, problem: &dyn Instance) -> bool {
        (matches!(self, Svg) || cfg!(feature = "pictures")) && has_picture(problem)
    }

    fn is_picture(&self) -> bool {
        true
    }

    fn recognises(&self, bytes: &[u8]) -> bool {
        match self {
            Svg => bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start().starts_with(b"<"),
            Png => bytes.starts_with(b"\x89PNG"),
            Gif => bytes.starts_with(b"GIF8"),
        }
    }

    fn read(&self, bytes: &[u8], _: Option<&str>) -> Result<GameFile, ReadError> {
        match self {
            Svg => game(game_in_svg(bytes), "byte 1: this looks like XML, but is not an SVG picture"),
            Png => game(game_in_png(bytes), "byte 5: this begins like a PNG picture, but is not one"),
            Gif => game(game_in_gif(bytes), "byte 5: this begins like a GIF picture, but is not one"),
        }
    }

    fn write(
        &self,
        sheet: &GameFile,
        game: &Certified,
        problem: &dyn Instance,
        picture: &Picture,
    ) -> Result<Vec<u8>, WriteError> {
        if matches!(self, Png) && picture.animated {
            return Err(WriteError::Picture("a PNG cannot be animated; write an .svg or a .gif".to_owned()));
        }
        let carried = json::write(sheet);
        let still = || drawn(sheet, game, problem, picture);
        Ok(match self {
            Svg => carry_in_svg(&still()?, &carried).into_bytes(),
            Png => carry_in_png(&rendered(&still()?, picture.width)?, &carried),
            Gif => carry_in_gif(&moving::animated(sheet, game, problem, picture)?, &carried),
        })
    }
}

#[cfg(feature = "pictures")]
fn rendered(svg: &str, width: u32) -> Result<Vec<u8>, WriteError> {
    nestling_presentation::png(svg, width).map_err(failed)
}

#[cfg(feature = "pictures")]
fn failed(error: PictureError) -> WriteError {
    WriteError::Picture(error.to_string())
}

#[cfg(not(feature = "pictures"))]
mod moving {
    use super::{Certified, GameFile, Instance, Picture, WriteError};

    pub(super) fn animated(_: &GameFile, _: &Certified, _: &dyn Instance, _: &Picture) -> Result<Vec<u8>, WriteError> {
        Err(WriteError::WithoutPng)
    }

    /// Says that moving pictures are not built in.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn film(_: &dyn Instance, _: &[(Vec<String>, String)]) -> Result<Vec<u8>, WriteError> {
        Err(WriteError::WithoutPng)
    }
}

#[cfg(not(feature = "pictures"))]
fn rendered(_: &str, _: u32) -> Result<Vec<u8>, WriteError> {
    Err(WriteError::WithoutPng)
}

fn has_picture(problem: &dyn Instance) -> bool {
    let empty = problem.certify(&[]).and_then(|empty| problem.picture(&empty, &Picture::default()));
    empty.is_ok_and(|picture| picture.is_some())
}

fn game(carried: Option<Result<String, PictureError>>, otherwise: &str) -> Result<GameFile, ReadError> {
    match carried {
        Some(Ok(text)) => json::read(&text),
        Some(Err(error)) => Err(ReadError::unreadable(error.to_string())),
        None => Err(ReadError::unreadable(otherwise)),
    }
}

fn drawn(sheet: &GameFile, game: &Certified, problem: &dyn Instance, picture: &Picture) -> Result<String, WriteError> {
    let caption = picture.caption.clone().or_else(|| caption(sheet));
    let picture = Picture { caption, ..picture.clone() };
    let kind = if picture.animated { "animated picture" } else { "picture" };
    let unsuitable = || WriteError::Picture(format!("{} has no {kind}", sheet.problem));
    problem.picture(game, &picture)?.ok_or_else(unsuitable)
}

/// Who or what found the game.
fn caption(sheet: &GameFile) -> Option<String> {
    let known = &sheet.provenance;
    let seed = || known.seed.map_or_else(String::new, |seed| format!(", seed {seed}"));
    let search = || known.search.as_ref().map(|search| format!("{search}{}", seed()));
    known.author.clone().or_else(search)
}
