//! GIFs: games that play move by move, and searches, game by game.

use nestling::Certified;
use nestling_presentation::Picture;

use super::{GameFile, WriteError, drawn, failed};
use crate::instance::Instance;

/// The most pixels of a GIF from left to right: it is large enough with them.
const WIDEST_GIF: u32 = 600;

/// The most pictures in a GIF; of longer games some moves are shown together.
const MOST_FRAMES: usize = 120;

/// How long all pictures of a GIF but the last take together, how long one of them may, and the last one, in hundredths of a second.
const ALL: usize = 1200;
const ONE: std::ops::RangeInclusive<usize> = 8..=60;
const LAST: u16 = 300;

/// How long a game of a search is shown.
const FILM: std::ops::RangeInclusive<usize> = 20..=100;

/// A GIF that plays the moves that the picture shows.
pub(super) fn animated(
    sheet: &GameFile,
    game: &Certified,
    problem: &dyn Instance,
    picture: &Picture,
) -> Result<Vec<u8>, WriteError> {
    let moves = picture.up_to.unwrap_or(game.texts().len());
    let step = moves.div_ceil(MOST_FRAMES).max(1);
    let pause = (ALL / moves.div_ceil(step).max(1)).clamp(*ONE.start(), *ONE.end()) as u16;
    let after = |(count, hundredths): (usize, u16)| {
        let one = Picture { up_to: Some(count), animated: false, ..picture.clone() };
        Ok((drawn(sheet, game, problem, &one)?, hundredths))
    };
    let shown = (0..moves).step_by(step).map(|count| (count, pause)).chain([(moves, LAST)]);
    let pictures = shown.map(after).collect::<Result<Vec<_>, WriteError>>()?;
    nestling_presentation::gif(&pictures, picture.width.min(WIDEST_GIF)).map_err(failed)
}

/// A GIF of a search: its games one after the other, each with a caption. Of many games some in between are left out.
///
/// # Errors
///
/// When a game is illegal or the problem has no pictures, and where pictures are not built in.
pub fn film(problem: &dyn Instance, games: &[(Vec<String>, String)]) -> Result<Vec<u8>, WriteError> {
    let step = games.len().div_ceil(MOST_FRAMES).max(1);
    let shown: Vec<_> = games.iter().rev().step_by(step).collect();
    let pause = (ALL / shown.len().max(1)).clamp(*FILM.start(), *FILM.end()) as u16;
    let pictures = shown.iter().enumerate().rev().map(|(left, (moves, caption))| {
        let game = problem.certify(moves).map_err(|illegal| WriteError::Picture(illegal.to_string()))?;
        let picture = Picture { caption: Some(caption.clone()), ..Picture::default() };
        let drawn = problem.picture(&game, &picture).map_err(|illegal| WriteError::Picture(illegal.to_string()))?;
        let drawn = drawn.ok_or_else(|| WriteError::Picture(format!("{} has no picture", problem.name())))?;
        Ok((drawn, if left == 0 { LAST } else { pause }))
    });
    let pictures = pictures.collect::<Result<Vec<_>, WriteError>>()?;
    nestling_presentation::gif(&pictures, WIDEST_GIF).map_err(failed)
}
