//! The options of pictures.

use crate::theme::Theme;

/// The canvas of a picture for the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// The width in characters.
    pub width: usize,
    /// Whether colours may be used.
    pub color: bool,
    /// Whether only ASCII is used.
    pub ascii: bool,
}

/// How an SVG picture of a game should look.
///
/// ```
/// use nestling_presentation::{Picture, Theme};
/// let picture = Picture { theme: Theme::Dark, up_to: Some(60), ..Picture::default() };
/// assert_eq!((picture.width, picture.animated), (1000, false));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The width in pixels; the height follows from the game.
    pub width: u32,
    /// The colours.
    pub theme: Theme,
    /// Show only so many of the moves. The file carries the whole game all the same.
    pub up_to: Option<usize>,
    /// Play the moves one by one, again and again, where the problem can.
    pub animated: bool,
    /// A text below the picture; without it, who or what found the game.
    pub caption: Option<String>,
}

impl Picture {
    /// The same for a problem whose pictures stand still: nothing if it is to move.
    pub fn still(&self) -> Option<&Self> {
        (!self.animated).then_some(self)
    }

    /// The moves to be shown.
    pub fn shown<'a, M>(&self, moves: &'a [M]) -> &'a [M] {
        &moves[..self.up_to.unwrap_or(moves.len()).min(moves.len())]
    }
}

impl Default for Picture {
    fn default() -> Self {
        Picture { width: 1000, theme: Theme::default(), up_to: None, animated: false, caption: None }
    }
}
