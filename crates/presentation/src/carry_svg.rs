//! Games in SVG files, as metadata.
//!
//! Read as a stream of tags rather than as a tree: trees of hostile documents (many attributes, many namespaces) take time
//! and memory that grow with the square of their length.

use std::ops::Range;

use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Error, Reader};

use crate::error::{PictureError, carriable};

/// The `id` of the element that holds the game.
const IDENTIFIER: &str = "nestling-game";

/// The SVG with the text of a game in it, in place of one that it carries already.
///
/// The text becomes the content of an element `<metadata id="nestling-game">`, the first one inside the picture, which is not
/// shown. It comes back as it was, except that control characters other than tab and line break, and the two
/// non-characters U+FFFE and U+FFFF, become U+FFFD: XML cannot hold them.
///
/// ```
/// use nestling_presentation::{carry_in_svg, game_in_svg};
/// let svg = carry_in_svg(r#"<svg xmlns="http://www.w3.org/2000/svg"></svg>"#, "1 < 2");
/// assert!(svg.ends_with(r#"<metadata id="nestling-game">1 &lt; 2</metadata></svg>"#));
/// assert_eq!(game_in_svg(svg.as_bytes()), Some(Ok("1 < 2".to_owned())));
/// ```
///
/// # Panics
///
/// When the text is not an SVG with a start and an end. This is for pictures one has just made.
pub fn carry_in_svg(svg: &str, game: &str) -> String {
    // The reader does not count a byte order mark, and UTF-8 needs none.
    let svg = svg.strip_prefix('\u{feff}').unwrap_or(svg);
    let mut search = SvgScan::default();
    let found = search.run(svg);
    let inside = search.inside.expect("an SVG with a start and an end");
    let (before, after) = match found {
        Ok(EmbeddedGame { place, .. }) => (&svg[..place.start], &svg[place.end..]),
        Err(PictureError::NoGame(_)) => svg.split_at(inside),
        Err(error) => panic!("{error}"),
    };
    [before, "<metadata id=\"", IDENTIFIER, "\">", &escaped(game), "</metadata>", after].concat()
}

/// The text of the game that an SVG carries; `None` when the bytes are not an SVG.
///
/// Any bytes may be given. The work and the memory are bounded by their number. A file that was cut off after its game still
/// gives the game.
///
/// # Errors
///
/// When the file is cut off or damaged before the end of its game, and when there is none.
pub fn game_in_svg(bytes: &[u8]) -> Option<Result<String, PictureError>> {
    let (text, garbage) = match bytes.utf8_chunks().next() {
        Some(chunk) => (chunk.valid(), !chunk.invalid().is_empty()),
        None => ("", false),
    };
    let mut search = SvgScan::default();
    let found = search.run(text).map(|found| found.game);
    search.is_svg.then_some(found.map_err(|error| {
        if garbage {
            PictureError::Damaged { format: "SVG", byte: text.len(), reason: "it is not text in UTF-8".to_owned() }
        } else {
            error
        }
    }))
}

fn escaped(game: &str) -> String {
    let mut text = String::with_capacity(game.len());
    for character in carriable(game) {
        match character {
            '&' => text += "&amp;",
            '<' => text += "&lt;",
            '>' => text += "&gt;",
            // A bare one would be read as a line feed.
            '\r' => text += "&#13;",
            _ => text.push(character),
        }
    }
    text
}

/// A game and the element that holds it.
struct EmbeddedGame {
    place: Range<usize>,
    game: String,
}

#[derive(Default)]
struct SvgScan {
    /// The outermost element is that of an SVG.
    is_svg: bool,
    /// Where its content begins; `None` when it has none.
    inside: Option<usize>,
}

impl SvgScan {
    fn run(&mut self, svg: &str) -> Result<EmbeddedGame, PictureError> {
        let mut reader = Reader::from_str(svg);
        let cut_off = PictureError::CutOff { format: "SVG", byte: svg.len() };
        let mut depth = 0_usize;
        loop {
            let before = position(reader.buffer_position());
            let event = reader.read_event().map_err(|error| failure(error, &reader, svg))?;
            let after = position(reader.buffer_position());
            match event {
                Event::Empty(tag) => self.is_svg |= tag.local_name().as_ref() == "svg",
                Event::Start(tag) => {
                    self.is_svg |= tag.local_name().as_ref() == "svg";
                    if !self.is_svg {
                        return Err(PictureError::NoGame("SVG"));
                    }
                    self.inside.get_or_insert(after);
                    if holds_game(&tag) {
                        let game = content(&mut reader, svg)?;
                        return Ok(EmbeddedGame { place: before..position(reader.buffer_position()), game });
                    }
                    depth += 1;
                }
                Event::End(_) => depth -= 1,
                Event::Eof if depth > 0 => return Err(cut_off),
                Event::Eof => return Err(PictureError::NoGame("SVG")),
                _ => {}
            }
        }
    }
}

/// The text of an element up to its end tag. Elements in it are not part of any game.
fn content(reader: &mut Reader<&[u8]>, svg: &str) -> Result<String, PictureError> {
    let mut text = String::new();
    let mut depth = 0_usize;
    loop {
        match reader.read_event().map_err(|error| failure(error, reader, svg))? {
            Event::Text(part) => text += &part.xml10_content(),
            Event::CData(part) => text += &part.xml10_content(),
            Event::GeneralRef(reference) => text += &resolved(&reference, reader)?,
            Event::Start(_) => depth += 1,
            Event::End(_) if depth == 0 => return Ok(text),
            Event::End(_) => depth -= 1,
            Event::Eof => return Err(PictureError::CutOff { format: "SVG", byte: svg.len() }),
            _ => {}
        }
    }
}

fn holds_game(tag: &BytesStart<'_>) -> bool {
    let mut attributes = tag.attributes();
    // Checking for doubles takes time that grows with the square of their number.
    attributes.with_checks(false);
    tag.local_name().as_ref() == "metadata"
        && attributes.flatten().any(|attribute| attribute.key.as_ref() == "id" && *attribute.value == *IDENTIFIER)
}

/// The character that `&#13;` or `&lt;` stands for. Entities that a document defines itself are not followed.
fn resolved(reference: &BytesRef<'_>, reader: &Reader<&[u8]>) -> Result<String, PictureError> {
    let character = reference.resolve_char_ref().ok().flatten().map(String::from);
    character.or_else(|| resolve_xml_entity(reference).map(str::to_owned)).ok_or_else(|| PictureError::Damaged {
        format: "SVG",
        byte: position(reader.buffer_position()),
        reason: "its game contains an unknown entity".to_owned(),
    })
}

fn failure(error: Error, reader: &Reader<&[u8]>, svg: &str) -> PictureError {
    match error {
        // Every syntax error is something that was begun and not ended.
        Error::Syntax(_) => PictureError::CutOff { format: "SVG", byte: svg.len() },
        _ => {
            PictureError::Damaged { format: "SVG", byte: position(reader.error_position()), reason: error.to_string() }
        }
    }
}

/// A place in a text that is in memory.
fn position(byte: u64) -> usize {
    usize::try_from(byte).expect("the text is in memory")
}
