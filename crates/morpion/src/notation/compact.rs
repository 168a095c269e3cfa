//! MSR in its compact form: `MS1:`, then the same JSON, deflated and in base 64, all on one line.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use nestling::Provenance;

use super::msr::{read_json, record};
use super::{FileContent, MorpionGame, Notation, ReadError, scan};
use crate::variant::Variant;

/// The JSON of the longest possible game has some 60,000 bytes; a text that unpacks to more than this is not a game.
const LARGEST: usize = 4 << 20;

/// MSR in its compact form.
#[derive(Clone, Copy, Debug)]
pub struct Compact;

impl Notation for Compact {
    fn name(&self) -> &'static str {
        "ms1"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ms1"]
    }

    fn recognises(&self, bytes: &[u8]) -> bool {
        payload(bytes).is_some()
    }

    /// A game is a line.
    fn split<'a>(&self, bytes: &'a [u8]) -> Vec<&'a [u8]> {
        scan::cut_at_lines(bytes, |line| payload(line).is_some())
    }

    fn read(&self, bytes: &[u8], variant: Option<Variant>) -> Result<FileContent, ReadError> {
        let packed = payload(bytes).ok_or_else(|| ReadError::Record("byte 1: expected MS1:".to_owned()))?;
        let before = bytes.len() - packed.len();
        read_json(&unpacked(packed.trim_ascii_end(), before)?, variant)
    }

    fn write(&self, game: &MorpionGame, provenance: &Provenance) -> Vec<u8> {
        let text = ::msr::encode(&record(game, provenance)).expect("a record of numbers and texts is JSON");
        format!("{text}\n").into_bytes()
    }
}

fn payload(bytes: &[u8]) -> Option<&[u8]> {
    scan::without_mark(bytes).trim_ascii_start().strip_prefix(::msr::PREFIX.as_bytes()).map(<[u8]>::trim_ascii_start)
}

/// The JSON inside. The crate would do this too, but without a limit to how much comes out.
fn unpacked(packed: &[u8], before: usize) -> Result<String, ReadError> {
    let compressed = URL_SAFE_NO_PAD.decode(packed).map_err(|error| {
        let place = match error {
            base64::DecodeError::InvalidByte(offset, _) | base64::DecodeError::InvalidLastSymbol(offset, _) => offset,
            _ => packed.len(),
        };
        ReadError::Record(format!("byte {}: not base 64, or cut off there", before + place + 1))
    })?;
    let json = decompress_to_vec_with_limit(&compressed, LARGEST).map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => ReadError::Record("unpacks to more than 4 MiB; too large for a game".to_owned()),
        _ => ReadError::Record(format!(
            "the packed record is damaged or cut off; the first {} bytes of it can be unpacked",
            error.output.len()
        )),
    })?;
    String::from_utf8(json).map_err(|error| {
        ReadError::Record(format!("byte {} unpacked: not UTF-8 text", error.utf8_error().valid_up_to() + 1))
    })
}
