//! SVGs one after the other to a GIF that repeats.

use gif::{Encoder, EncodingError, Frame, Repeat};
use resvg::tiny_skia::Pixmap;
use resvg::usvg::Tree;

use crate::PictureError;
use crate::render::{drawn_on, parsed};

/// How carefully colours are chosen where there are more than 256, from 1 to 30, the fastest.
const SPEED: i32 = 10;

/// Draws SVGs as one GIF of this width in pixels, each shown for so many hundredths of a second. They are drawn as by [`png()`](crate::png()),
/// on white where they have no colour, all at one scale: a picture that is smaller than others is at the upper left of the GIF.
///
/// # Errors
///
/// As [`png()`](crate::png()), and when there is no picture.
pub fn gif(pictures: &[(String, u16)], width: u32) -> Result<Vec<u8>, PictureError> {
    let trees =
        pictures.iter().map(|(svg, time)| Ok((parsed(svg)?, *time))).collect::<Result<Vec<_>, PictureError>>()?;
    let most = |side: fn(&Tree) -> f32| trees.iter().map(|(tree, _)| side(tree)).fold(0.0, f32::max);
    let size = (most(|tree| tree.size().width()), most(|tree| tree.size().height()));
    let mut shown: Option<(Pixmap, Encoder<Vec<u8>>)> = None;
    for (tree, hundredths) in &trees {
        let next = on_white(drawn_on(tree, width, size)?);
        let (before, mut encoder) = match shown {
            Some((before, encoder)) => (Some(before), encoder),
            None => (None, begun(&next).map_err(failed)?),
        };
        let area = match &before {
            Some(before) => changed(before, &next),
            None => Area { left: 0, top: 0, width: next.width(), height: next.height() },
        };
        encoder.write_frame(&frame(before.as_ref(), &next, &area, *hundredths)).map_err(failed)?;
        shown = Some((next, encoder));
    }
    let (_, encoder) = shown.ok_or_else(|| PictureError::Drawing("a GIF has at least one picture".to_owned()))?;
    encoder.into_inner().map_err(|error| PictureError::Drawing(error.to_string()))
}

fn failed(error: EncodingError) -> PictureError {
    PictureError::Drawing(error.to_string())
}

/// GIF has numbers of 16 bits.
fn short(pixels: u32) -> u16 {
    u16::try_from(pixels).expect("pictures are at most 8192 pixels wide and high")
}

fn begun(first: &Pixmap) -> Result<Encoder<Vec<u8>>, EncodingError> {
    let mut encoder = Encoder::new(Vec::new(), short(first.width()), short(first.height()), &[])?;
    encoder.set_repeat(Repeat::Infinite)?;
    Ok(encoder)
}

/// The pixels without transparency. Each channel has 32 values, so that 256 colours are nearly always enough.
fn on_white(mut pixmap: Pixmap) -> Pixmap {
    for pixel in pixmap.data_mut().chunks_exact_mut(4) {
        // The colours are multiplied by the opacity already.
        let missing = 255 - pixel[3];
        for channel in pixel {
            *channel += missing;
            *channel = *channel & 0xf8 | *channel >> 5;
        }
    }
    pixmap
}

/// A rectangle of pixels.
struct Area {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
}

/// The smallest rectangle that contains all differences; one pixel if there are none.
fn changed(before: &Pixmap, next: &Pixmap) -> Area {
    let (mut left, mut right, mut top, mut bottom) = (u32::MAX, 0, u32::MAX, 0);
    for (index, (old, new)) in (0..).zip(before.pixels().iter().zip(next.pixels())) {
        if old != new {
            let (x, y) = (index % next.width(), index / next.width());
            (left, right, top, bottom) = (left.min(x), right.max(x), top.min(y), bottom.max(y));
        }
    }
    match left > right {
        true => Area { left: 0, top: 0, width: 1, height: 1 },
        false => Area { left, top, width: right - left + 1, height: bottom - top + 1 },
    }
}

/// The pixels of an area; those that are as before are transparent, which takes little room.
fn frame(before: Option<&Pixmap>, next: &Pixmap, area: &Area, hundredths: u16) -> Frame<'static> {
    let mut pixels = Vec::with_capacity((area.width * area.height * 4) as usize);
    for y in area.top..area.top + area.height {
        for x in area.left..area.left + area.width {
            let index = (y * next.width() + x) as usize;
            let is_new = before.is_none_or(|before| before.pixels()[index] != next.pixels()[index]);
            pixels.extend_from_slice(if is_new { &next.data()[4 * index..4 * index + 4] } else { &[0; 4] });
        }
    }
    let mut frame = Frame::from_rgba_speed(short(area.width), short(area.height), &mut pixels, SPEED);
    (frame.left, frame.top, frame.delay) = (short(area.left), short(area.top), hundredths);
    frame
}
