//! Pictures for Nestling, of whatever problem.
//!
//! A picture is made as SVG text by whoever knows the problem. [`png()`] turns it into PNG bytes, with a font that is part
//! of this crate, so that the same SVG gives the same bytes everywhere. Both kinds of file can carry the text of the game
//! they show: [`carry_in_svg`] and [`carry_in_png`] put it in, [`game_in_svg`] and [`game_in_png`] take it out again. The
//! readers may be given any bytes.
//!
//! ```
//! use nestling_picture::{carry_in_png, game_in_png, png};
//! let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><text x="2" y="16">Hi</text></svg>"#;
//! let picture = carry_in_png(&png(svg, 80)?, "the game");
//! assert_eq!(game_in_png(&picture), Some(Ok("the game".to_owned())));
//! # Ok::<(), nestling_picture::PictureError>(())
//! ```

mod carry_png;
mod carry_svg;
mod render;

pub use carry_png::{UNPACKED_LIMIT, carry_in_png, game_in_png};
pub use carry_svg::{carry_in_svg, game_in_svg};
pub use render::{FONT_FAMILY, WIDEST, png};

/// Why there is no picture, or no game in one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
        "this {0} carries no game; only pictures saved by Nestling do, and some programs drop it when they save again"
    )]
    NoGame(&'static str),
    /// The file ends too early.
    #[error("this {format} ends too early, at byte {byte}: it was cut off before its game")]
    CutOff {
        /// `PNG` or `SVG`.
        format: &'static str,
        /// The length of the file.
        byte: usize,
    },
    /// The file breaks the rules of its format.
    #[error("this {format} is damaged at byte {byte}: {reason}")]
    Damaged {
        /// `PNG` or `SVG`.
        format: &'static str,
        /// Where, from 0.
        byte: usize,
        /// What is wrong there.
        reason: String,
    },
    /// The checksum of the game is not that of its bytes.
    #[error("the game in this PNG is damaged: its checksum should be {expected:08x} but is {found:08x}")]
    Checksum {
        /// What the bytes give.
        expected: u32,
        /// What the file says.
        found: u32,
    },
    /// The game is compressed and longer than any game.
    #[error("the game in this PNG unpacks to more than {} MiB, which no game needs; not read", UNPACKED_LIMIT >> 20)]
    TooLong,
}

/// The text as a picture can carry it: without the characters that XML 1.0 forbids.
fn carriable(game: &str) -> impl Iterator<Item = char> {
    game.chars().map(|character| match character {
        '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}' => char::REPLACEMENT_CHARACTER,
        _ => character,
    })
}
