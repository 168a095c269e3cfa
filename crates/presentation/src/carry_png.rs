//! Games in PNG files, as a text chunk.
//!
//! Read here chunk by chunk rather than with a decoder: the pixels need not be touched, and errors can say what is wrong
//! with the game's own chunk.

use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};

use crate::error::{PictureError, carriable};

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The keyword of the chunk.
const KEYWORD: &[u8] = b"Nestling game";

/// The length of the chunk that must come first, IHDR, with its frame.
const HEADER: usize = 12 + 13;

/// How long a compressed game may become, in bytes. We do not compress; programs that save our pictures again may.
pub const UNPACKED_LIMIT: usize = 4 << 20;

/// The PNG with the text of a game in it, in place of one that it carries already.
///
/// The text goes into a chunk `iTXt` with the keyword `Nestling game`, which other programs skip or show. It comes back as it
/// was, except that control characters other than tab and line break, and the two non-characters U+FFFE and U+FFFF, become
/// U+FFFD: neither format can hold them all.
///
/// # Panics
///
/// When the bytes are not a whole PNG. This is for pictures one has just made.
pub fn carry_in_png(png: &[u8], game: &str) -> Vec<u8> {
    assert!(png.starts_with(SIGNATURE) && png.len() > SIGNATURE.len() + HEADER, "not a PNG");
    let mut carrying = png[..SIGNATURE.len() + HEADER].to_vec();
    // Keyword, then: not compressed, by no method, in no language, with no translated keyword.
    let mut text = [b"iTXt", KEYWORD, &[0, 0, 0, 0, 0]].concat();
    text.extend_from_slice(carriable(game).collect::<String>().as_bytes());
    let length = u32::try_from(text.len() - 4).expect("a game is shorter than 4 GiB");
    carrying.extend_from_slice(&length.to_be_bytes());
    carrying.extend_from_slice(&text);
    carrying.extend_from_slice(&crc32fast::hash(&text).to_be_bytes());
    for chunk in (Chunks { png, position: SIGNATURE.len() + HEADER }) {
        let chunk = chunk.expect("a whole PNG");
        if chunk.packed_game().is_none() {
            carrying.extend_from_slice(chunk.frame);
        }
    }
    carrying
}

/// The text of the game that a PNG carries; `None` when the bytes are not a PNG.
///
/// Any bytes may be given. The work and the memory are bounded by their number and [`UNPACKED_LIMIT`]. A file that was cut off
/// after its game still gives the game.
///
/// # Errors
///
/// When the file is cut off or damaged before its game, when the game is damaged, and when there is none.
pub fn game_in_png(bytes: &[u8]) -> Option<Result<String, PictureError>> {
    let chunks = bytes.starts_with(SIGNATURE).then_some(Chunks { png: bytes, position: SIGNATURE.len() });
    chunks.map(|mut chunks| {
        let found = chunks.find_map(|chunk| match chunk {
            Ok(chunk) => chunk.packed_game().map(|packed| chunk.checked().and_then(|()| packed.unpack(chunk.position))),
            Err(error) => Some(Err(error)),
        });
        found.unwrap_or(Err(PictureError::NoGame("PNG")))
    })
}

/// The chunks of a PNG up to and with the last one, IEND.
struct Chunks<'a> {
    png: &'a [u8],
    position: usize,
}

struct Chunk<'a> {
    position: usize,
    /// All of it: length, kind, data, checksum.
    frame: &'a [u8],
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Result<Chunk<'a>, PictureError>;

    fn next(&mut self) -> Option<Self::Item> {
        let position = self.position;
        let rest = self.png.get(position..)?;
        // Whatever comes of this chunk, an error is the last item.
        self.position = usize::MAX;
        let cut_off = PictureError::CutOff { format: "PNG", byte: self.png.len() };
        let Some(length) = rest.first_chunk() else { return Some(Err(cut_off)) };
        let length = u32::from_be_bytes(*length) as usize;
        if length > i32::MAX as usize {
            let reason = format!("a chunk claims a length of {length} bytes");
            return Some(Err(PictureError::Damaged { format: "PNG", byte: position, reason }));
        }
        let Some(frame) = rest.get(..length + 12) else { return Some(Err(cut_off)) };
        let chunk = Chunk { position, frame };
        if chunk.kind() != b"IEND" {
            self.position = position + frame.len();
        }
        Some(Ok(chunk))
    }
}

impl<'a> Chunk<'a> {
    fn kind(&self) -> &'a [u8] {
        &self.frame[4..8]
    }

    fn checked(&self) -> Result<(), PictureError> {
        let (content, sum) = self.frame[4..].split_last_chunk().expect("a frame has a checksum");
        let (expected, found) = (crc32fast::hash(content), u32::from_be_bytes(*sum));
        if expected == found { Ok(()) } else { Err(PictureError::Checksum { expected, found }) }
    }

    /// The text after the keyword, if this is a text chunk that contains a game.
    fn packed_game(&self) -> Option<PackedGame<'a>> {
        let data = &self.frame[8..self.frame.len() - 4];
        let rest = data.strip_prefix(KEYWORD)?.strip_prefix(b"\0")?;
        match self.kind() {
            b"iTXt" => Some(PackedGame::International(rest)),
            b"zTXt" => Some(PackedGame::Compressed(rest)),
            b"tEXt" => Some(PackedGame::Plain(rest)),
            _ => None,
        }
    }
}

/// The text of a game in one of the three kinds of chunk. We write the first; programs that save our pictures again may
/// write the others.
enum PackedGame<'a> {
    International(&'a [u8]),
    Compressed(&'a [u8]),
    Plain(&'a [u8]),
}

impl PackedGame<'_> {
    fn unpack(self, byte: usize) -> Result<String, PictureError> {
        let damaged = |reason: &str| PictureError::Damaged { format: "PNG", byte, reason: reason.to_owned() };
        let text = match self {
            PackedGame::International(rest) => {
                let [compressed, method, names @ ..] = rest else { return Err(damaged("its game has no text")) };
                // The language and the translated keyword, each ended by a zero byte.
                let text = names.splitn(3, |byte| *byte == 0).nth(2).ok_or_else(|| damaged("its game has no text"))?;
                match (compressed, method) {
                    (0, _) => text.to_vec(),
                    (1, 0) => inflated(text, byte)?,
                    _ => return Err(damaged("its game is compressed by an unknown method")),
                }
            }
            PackedGame::Compressed([0, text @ ..]) => inflated(text, byte)?,
            PackedGame::Compressed(_) => return Err(damaged("its game is compressed by an unknown method")),
            PackedGame::Plain(text) => text.to_vec(),
        };
        String::from_utf8(text).map_err(|_| damaged("its game is not text in UTF-8"))
    }
}

fn inflated(text: &[u8], byte: usize) -> Result<Vec<u8>, PictureError> {
    decompress_to_vec_zlib_with_limit(text, UNPACKED_LIMIT).map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => PictureError::TooLong,
        _ => PictureError::Damaged { format: "PNG", byte, reason: "its game cannot be unpacked".to_owned() },
    })
}
