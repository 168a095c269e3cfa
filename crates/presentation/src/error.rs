//! Why there is no picture, or no game in one.

use crate::UNPACKED_LIMIT;

/// The widest and the highest picture that is made as PNG or GIF, in pixels. The largest takes 256 MiB while it is drawn.
pub const WIDEST: u32 = 8192;

/// Why there is no picture, or no game in one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The text is not an SVG that can be drawn.
    #[error("this SVG cannot be drawn: {0}")]
    Drawing(String),
    /// The picture would have no pixels, or too many.
    #[error("a picture {width} pixels wide and {height} high cannot be made: both must be from 1 to {WIDEST}")]
    Size {
        /// The width that was asked for.
        width: u32,
        /// The height that goes with it.
        height: u32,
    },
    /// The picture is whole as far as it was read, but carries no game.
    #[error(
        "this {0} contains no game; only pictures written by Nestling do, and some programs remove it when they save the picture"
    )]
    NoGame(&'static str),
    /// The file ends too early.
    #[error("this {format} ends too early, at byte {byte}: it was cut off before its game")]
    CutOff {
        /// `PNG`, `SVG` or `GIF`.
        format: &'static str,
        /// The length of the file.
        byte: usize,
    },
    /// The file breaks the rules of its format.
    #[error("this {format} is damaged at byte {byte}: {reason}")]
    Damaged {
        /// `PNG`, `SVG` or `GIF`.
        format: &'static str,
        /// Where, from 0.
        byte: usize,
        /// The error.
        reason: String,
    },
    /// The checksum of the game is not that of its bytes.
    #[error("the game in this PNG is damaged: its checksum should be {expected:08x} but is {found:08x}")]
    Checksum {
        /// The checksum of the bytes.
        expected: u32,
        /// The checksum in the file.
        found: u32,
    },
    /// The game is compressed and longer than any game.
    #[error("the game in this PNG unpacks to more than {} MiB; too large for a game", UNPACKED_LIMIT >> 20)]
    TooLong,
}

/// The text as a picture can carry it: without the characters that XML 1.0 forbids.
pub(crate) fn carriable(game: &str) -> impl Iterator<Item = char> {
    game.chars().map(|character| match character {
        '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}' => char::REPLACEMENT_CHARACTER,
        _ => character,
    })
}
