//! How people see problems, of whatever kind.
//!
//! [`Presentation`] is how a problem is shown, in addition to its moves and scores, [`GamePresentation`] the same for a game for two; each problem
//! implements one of them beside its rules. A [`Picture`] says how an SVG should look; [`Sheet`] is paper to draw one on, and
//! [`chart`] draws curves.
//!
//! [`png()`] (feature `png`) turns SVG into PNG bytes, with a font that is part of this crate, so that the same SVG gives the same bytes everywhere.
//! `gif` makes a GIF of several. All three kinds of file can carry the text of the game they show: [`carry_in_svg`], [`carry_in_png`] and
//! [`carry_in_gif`] put it in, [`game_in_svg`], [`game_in_png`] and [`game_in_gif`] take it out again. The readers may be given any bytes.
//!
//! ```
//! use nestling_presentation::{carry_in_png, game_in_png, png};
//! let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><text x="2" y="16">Hi</text></svg>"#;
//! let picture = carry_in_png(&png(svg, 80)?, "the game");
//! assert_eq!(game_in_png(&picture), Some(Ok("the game".to_owned())));
//! # Ok::<(), nestling_presentation::PictureError>(())
//! ```

#[cfg(feature = "png")]
mod animation;
mod carry_gif;
mod carry_png;
mod carry_svg;
pub mod chart;
mod error;
mod game;
mod moves;
mod page;
mod picture;
mod presentation;
#[cfg(feature = "png")]
mod render;
mod sheet;
mod theme;

#[cfg(feature = "png")]
pub use animation::gif;
pub use carry_gif::{carry_in_gif, game_in_gif};
pub use carry_png::{UNPACKED_LIMIT, carry_in_png, game_in_png};
pub use carry_svg::{carry_in_svg, game_in_svg};
pub use error::{PictureError, WIDEST};
pub use game::{GamePresentation, OpponentLevel, texts};
pub use moves::{find as find_moves, list as list_moves, shown};
pub use page::{Anchor, Page, pages_as_svg, pdf};
pub use picture::{Canvas, Picture};
pub use presentation::{
    Comparison, Likeness, Meaning, Mistakes, MoveReason, Presentation, Published, Record, Solutions,
};
#[cfg(feature = "png")]
pub use render::{FONT_FAMILY, png};
pub use sheet::{Sheet, escaped};
pub use theme::{Colours, Theme, UnknownTheme};
