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
    let tree = parsed(svg)?;
    let size = (tree.size().width(), tree.size().height());
    drawn_on(&tree, width, size)?.encode_png().map_err(|error| PictureError::Drawing(error.to_string()))
}

pub(crate) fn parsed(svg: &str) -> Result<Tree, PictureError> {
    let options = Options { font_family: FONT_FAMILY.to_owned(), fontdb: Arc::clone(&FONTS), ..Options::default() };
    Tree::from_str(svg, &options).map_err(|error| PictureError::Drawing(error.to_string()))
}

/// The pixels of an SVG at the upper left of a sheet of this size, in its units, which is so many pixels wide.
pub(crate) fn drawn_on(tree: &Tree, width: u32, size: (f32, f32)) -> Result<Pixmap, PictureError> {
    let scale = width as f32 / size.0;
    let height = (size.1 * scale).round() as u32;
    let possible = 1..=WIDEST;
    let pixmap =
        (possible.contains(&width) && possible.contains(&height)).then(|| Pixmap::new(width, height)).flatten();
    let mut pixmap = pixmap.ok_or(PictureError::Size { width, height })?;
    resvg::render(tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    Ok(pixmap)
}
