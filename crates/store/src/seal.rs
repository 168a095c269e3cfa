//! Checksums of what must not be misread. SQLite finds broken pages; a byte that changes inside a value is for us to find.

use rusqlite::types::Value;
use sha2::{Digest, Sha256};

/// A number that changes when any of the parts does.
pub(crate) fn seal(parts: &[&[u8]]) -> i64 {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    first_number(hash)
}

/// The seal of a row: of the table it is in, its number, the commit that wrote it, and every column. So a row that is copied to
/// another place does not match there.
pub(crate) fn row_seal(table: &str, id: i64, written: i64, values: &[Value]) -> i64 {
    let mut hash = Sha256::new();
    hash.update((table.len() as u64).to_le_bytes());
    hash.update(table);
    hash.update(id.to_le_bytes());
    hash.update(written.to_le_bytes());
    for value in values {
        match value {
            Value::Null => hash.update([0]),
            Value::Integer(number) => {
                hash.update([1]);
                hash.update(number.to_le_bytes());
            }
            Value::Real(number) => {
                hash.update([2]);
                hash.update(number.to_le_bytes());
            }
            Value::Text(text) => update_sized(&mut hash, 3, text.as_bytes()),
            Value::Blob(bytes) => update_sized(&mut hash, 4, bytes),
        }
    }
    first_number(hash)
}

fn update_sized(hash: &mut Sha256, kind: u8, bytes: &[u8]) {
    hash.update([kind]);
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

fn first_number(hash: Sha256) -> i64 {
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

    /// Whatever of a row changes, its seal does: the table, the number, the commit, a value, a value's type, their order.
    #[test]
    fn everything_in_a_row_counts() {
        let text = |text: &str| Value::Text(text.to_owned());
        let row = row_seal("outcomes", 1, 2, &[text("a"), Value::Integer(3)]);
        let others = [
            row_seal("games", 1, 2, &[text("a"), Value::Integer(3)]),
            row_seal("outcomes", 9, 2, &[text("a"), Value::Integer(3)]),
            row_seal("outcomes", 1, 9, &[text("a"), Value::Integer(3)]),
            row_seal("outcomes", 1, 2, &[text("b"), Value::Integer(3)]),
            row_seal("outcomes", 1, 2, &[Value::Blob(b"a".to_vec()), Value::Integer(3)]),
            row_seal("outcomes", 1, 2, &[Value::Integer(3), text("a")]),
            row_seal("outcomes", 1, 2, &[text("a"), Value::Real(f64::from_bits(3))]),
            row_seal("outcomes", 1, 2, &[text("a"), Value::Integer(3), Value::Null]),
        ];
        assert!(others.iter().all(|other| *other != row));
        assert_eq!(row, row_seal("outcomes", 1, 2, &[text("a"), Value::Integer(3)]));
    }
}
