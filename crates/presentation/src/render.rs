//! SVG to PNG.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use crate::{PictureError, WIDEST};

/// The font that PNGs are drawn with, whatever the SVG asks for. An SVG that names it first looks the same in programs that
/// have it. It knows the Latin, Greek and Cyrillic letters; other characters come out as boxes.
pub const FONT_FAMILY: &str = "Roboto Condensed";

static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(include_bytes!("../font/RobotoCondensed-Medium.ttf").to_vec());
    // Whatever family or generic name a text asks for, this is the face it gets.
    fonts.set_serif_family(FONT_FAMILY);
    fonts.set_sans_serif_family(FONT_FAMILY);
    fonts.set_monospace_family(FONT_FAMILY);
    Arc::new(fonts)
});

/// Draws an SVG, `width` pixels wide and as high as its shape demands, as PNG.
///
/// Only the SVG and the embedded font decide about the bytes: no system fonts, no files, no animation.
///
/// # Errors
///
/// When the text is not an SVG, or the picture would be empty or more than [`WIDEST`] pixels wide or high. The SVG should
/// come from a program that means well: this function does not guard against drawings that take long.
pub fn png(svg: &str, width: u32) -> Result<Vec<u8>, PictureError> {
    let options = Options { font_family: FONT_FAMILY.to_owned(), fontdb: Arc::clone(&FONTS), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| PictureError::Drawing(error.to_string()))?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round() as u32;
    let possible = 1..=WIDEST;
    let pixmap =
        (possible.contains(&width) && possible.contains(&height)).then(|| Pixmap::new(width, height)).flatten();
    let mut pixmap = pixmap.ok_or(PictureError::Size { width, height })?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| PictureError::Drawing(error.to_string()))
}
