//! Games in GIF files, as a comment.

use crate::error::{PictureError, carriable};

const SIGNATURES: [&[u8]; 2] = [b"GIF89a", b"GIF87a"];

/// What the comment begins with.
const KEYWORD: &[u8] = b"Nestling game\n";

/// The length of the header: signature, size of the screen, flags.
const HEADER: usize = 13;

/// The most bytes in a block.
const BLOCK: usize = 255;

/// The GIF with the text of a game in it, as a comment before its first picture. Characters that other pictures cannot carry become
/// U+FFFD, as in [`carry_in_png`](crate::carry_in_png).
///
/// # Panics
///
/// When the bytes are not a GIF. This is for pictures one has just made.
pub fn carry_in_gif(gif: &[u8], game: &str) -> Vec<u8> {
    assert!(is_gif(gif) && gif.len() >= HEADER, "not a GIF");
    let (head, rest) = gif.split_at(HEADER + colours(gif[10]));
    let mut carrying = [head, &[0x21, 0xfe]].concat();
    let mut text = KEYWORD.to_vec();
    text.extend_from_slice(carriable(game).collect::<String>().as_bytes());
    for block in text.chunks(BLOCK) {
        carrying.push(block.len() as u8);
        carrying.extend_from_slice(block);
    }
    carrying.push(0);
    carrying.extend_from_slice(rest);
    carrying
}

/// The text of the game that a GIF carries; `None` when the bytes are not a GIF. Any bytes may be given.
///
/// # Errors
///
/// When the file is cut off or damaged before its game, and when there is none.
pub fn game_in_gif(bytes: &[u8]) -> Option<Result<String, PictureError>> {
    is_gif(bytes).then(|| read(bytes))
}

fn is_gif(bytes: &[u8]) -> bool {
    SIGNATURES.iter().any(|signature| bytes.starts_with(signature))
}

/// The length of the table of colours that flags announce.
fn colours(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

fn read(bytes: &[u8]) -> Result<String, PictureError> {
    let cut_off = || PictureError::CutOff { format: "GIF", byte: bytes.len() };
    let damaged = |byte: usize, reason: &str| PictureError::Damaged { format: "GIF", byte, reason: reason.to_owned() };
    let mut at = HEADER + colours(*bytes.get(10).ok_or_else(cut_off)?);
    loop {
        let kind = *bytes.get(at).ok_or_else(cut_off)?;
        match kind {
            0x21 => {
                let (label, start) = (*bytes.get(at + 1).ok_or_else(cut_off)?, at + 2);
                let (content, after) = blocks(bytes, start).ok_or_else(cut_off)?;
                if let Some(game) = content.strip_prefix(KEYWORD).filter(|_| label == 0xfe) {
                    let text = String::from_utf8(game.to_vec());
                    return text.map_err(|_| damaged(start, "the game is not UTF-8 text"));
                }
                at = after;
            }
            0x2c => {
                let flags = *bytes.get(at + 9).ok_or_else(cut_off)?;
                // After the table of colours stands how many bits the compression begins with.
                at = blocks(bytes, at + 10 + colours(flags) + 1).ok_or_else(cut_off)?.1;
            }
            0x3b => return Err(PictureError::NoGame("GIF")),
            _ => return Err(damaged(at, "neither a picture nor an extension begins here")),
        }
    }
}

/// The content of the blocks from a byte on, and where they end; `None` if the file ends before.
fn blocks(bytes: &[u8], mut at: usize) -> Option<(Vec<u8>, usize)> {
    let mut content = Vec::new();
    loop {
        let length = usize::from(*bytes.get(at)?);
        at += 1;
        if length == 0 {
            return Some((content, at));
        }
        content.extend_from_slice(bytes.get(at..at + length)?);
        at += length;
    }
}
