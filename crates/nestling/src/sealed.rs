//! Bytes with a kind, a format number and a checksum: checkpoints, tasks, reports.

use serde::Serialize;

/// The kind of bytes: their first bytes, and their name in messages.
pub(crate) struct SealedKind {
    pub magic: [u8; 8],
    pub noun: &'static str,
    /// The formats that are read; the last is written.
    pub formats: &'static [u32],
}

/// Why bytes cannot be read.
#[derive(Debug)]
pub(crate) enum Unread {
    /// They are of another kind, or damaged.
    Damaged(String),
    /// They have another format.
    Format(u32),
}

impl SealedKind {
    pub fn seal(&self, contents: &impl Serialize) -> Result<Vec<u8>, String> {
        let mut header = self.magic.to_vec();
        header.extend(self.formats.last().expect("one is written").to_le_bytes());
        let sum = header.len()..header.len() + size_of::<u64>();
        header.resize(sum.end, 0);
        // A tree takes many megabytes, so its bytes are serialized directly into the result.
        let mut bytes = postcard::to_extend(contents, header).map_err(|error| error.to_string())?;
        let found = checksum(&bytes[sum.end..]);
        bytes[sum].copy_from_slice(&found.to_le_bytes());
        Ok(bytes)
    }

    /// The format, and the contents.
    pub fn open<'b>(&self, bytes: &'b [u8]) -> Result<(u32, &'b [u8]), Unread> {
        let damaged = |what: &str| Unread::Damaged(what.to_owned());
        let foreign = || Unread::Damaged(format!("it does not begin like a {}", self.noun));
        let rest = bytes.strip_prefix(&self.magic).ok_or_else(foreign)?;
        let (format, rest) = rest.split_first_chunk().ok_or_else(|| damaged("it ends in its header"))?;
        let format = u32::from_le_bytes(*format);
        if !self.formats.contains(&format) {
            return Err(Unread::Format(format));
        }
        let (sum, body) = rest.split_first_chunk().ok_or_else(|| damaged("it ends in its header"))?;
        if u64::from_le_bytes(*sum) != checksum(body) {
            return Err(damaged("its checksum does not match"));
        }
        Ok((format, body))
    }
}

/// FNV-1a, 64 bits: detects accidents, not manipulation.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
