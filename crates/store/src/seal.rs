//! Checksums of what must not be misread. SQLite finds broken pages; a byte that changes inside a value is for us to find.

use sha2::{Digest, Sha256};

/// A number that changes when any of the parts does.
pub(crate) fn seal(parts: &[&[u8]]) -> i64 {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let digest = hash.finalize();
    i64::from_le_bytes(*digest.first_chunk().expect("a digest has 32 bytes"))
}

/// A short name for an identity of any length.
pub(crate) fn digest(identity: &[u8]) -> Vec<u8> {
    Sha256::digest(identity).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_borders_of_parts_count() {
        assert_ne!(seal(&[b"ab", b"c"]), seal(&[b"a", b"bc"]));
        assert_ne!(seal(&[b"ab"]), seal(&[b"ab", b""]));
        assert_eq!(seal(&[b"ab"]), seal(&[b"ab"]));
    }
}
