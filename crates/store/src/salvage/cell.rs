//! Rows of SQLite's tables as bytes of a page, read without SQLite: what its headers and pointers say is not needed, because
//! seals tell rows from everything else.
//!
//! A row is: the length of its record, its number, and the record, of which what does not fit continues on other pages. A
//! record is: the length of its header, a type for each column, and the columns.

use rusqlite::types::Value;

/// The size of a page; all stores have this one.
pub(super) const PAGE: usize = 4096;

/// What follows a row's beginning on a page of its own, after the number of the next page.
pub(super) const OVERFLOW: usize = PAGE - 4;

/// No record is longer than this.
const LONGEST: u64 = 1 << 30;

/// A row on a page, as far as it lies there.
pub(super) struct PageCell<'a> {
    pub id: i64,
    /// How long the record is.
    pub length: usize,
    /// The part that lies here.
    pub local: &'a [u8],
    /// The page on which it continues.
    pub overflow: Option<u32>,
    /// The types of the columns.
    types: Vec<u64>,
    /// Where the columns begin.
    body: usize,
}

impl<'a> PageCell<'a> {
    /// The row that begins at a place of a page, if one may: its first column is its number, which is not stored twice.
    pub fn at(page: &'a [u8], offset: usize) -> Option<Self> {
        let (length, rest) = varint(page.get(offset..)?)?;
        let (id, rest) = varint(rest)?;
        if !(3..LONGEST).contains(&length) {
            return None;
        }
        let length = usize::try_from(length).ok()?;
        let here = local_length(length);
        let local = rest.get(..here)?;
        let overflow = match here == length {
            true => None,
            false => Some(u32::from_be_bytes(*rest.get(here..)?.first_chunk()?)),
        };
        let (body, after) = varint(local)?;
        let body = usize::try_from(body).ok().filter(|&body| body <= local.len())?;
        let mut header = local.get(local.len() - after.len()..body)?;
        if header.first() != Some(&0) {
            return None;
        }
        let mut types = Vec::new();
        let mut end = body;
        while !header.is_empty() {
            let (kind, rest) = varint(header)?;
            end = end.checked_add(size(kind)?)?;
            types.push(kind);
            header = rest;
        }
        (end == length).then_some(PageCell { id: id.cast_signed(), length, local, overflow, types, body })
    }

    /// How many columns it has, its number included.
    pub fn width(&self) -> usize {
        self.types.len()
    }

    /// The columns after the number, from the whole record.
    pub fn values(&self, record: &[u8]) -> Option<Vec<Value>> {
        let mut rest = record.get(self.body..)?;
        let mut values = Vec::with_capacity(self.types.len());
        for &kind in &self.types {
            let (bytes, after) = rest.split_at_checked(size(kind)?)?;
            values.push(value(kind, bytes)?);
            rest = after;
        }
        values.remove(0);
        Some(values)
    }
}

/// How much of a record lies on the page of its row.
fn local_length(length: usize) -> usize {
    const MOST: usize = PAGE - 35;
    const LEAST: usize = (PAGE - 12) * 32 / 255 - 23;
    if length <= MOST {
        return length;
    }
    let fitting = LEAST + (length - LEAST) % OVERFLOW;
    if fitting <= MOST { fitting } else { LEAST }
}

/// A number of one to nine bytes: seven bits each, the last byte of nine all eight.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0u64;
    for (index, &byte) in bytes.iter().take(9).enumerate() {
        if index == 8 {
            return Some((number << 8 | u64::from(byte), &bytes[9..]));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((number, &bytes[index + 1..]));
        }
    }
    None
}

/// How many bytes a column of a type has.
fn size(kind: u64) -> Option<usize> {
    match kind {
        0 | 8 | 9 => Some(0),
        1..=4 => Some(kind as usize),
        5 => Some(6),
        6 | 7 => Some(8),
        10 | 11 => None,
        _ => usize::try_from((kind - 12) / 2).ok(),
    }
}

fn value(kind: u64, bytes: &[u8]) -> Option<Value> {
    Some(match kind {
        0 => Value::Null,
        1..=6 => {
            let negative = bytes.first().is_some_and(|first| first & 0x80 != 0);
            let start = if negative { -1 } else { 0 };
            Value::Integer(bytes.iter().fold(start, |number, &byte| number << 8 | i64::from(byte)))
        }
        7 => Value::Real(f64::from_be_bytes(*bytes.first_chunk()?)),
        8 => Value::Integer(0),
        9 => Value::Integer(1),
        _ if kind.is_multiple_of(2) => Value::Blob(bytes.to_vec()),
        _ => Value::Text(String::from_utf8(bytes.to_vec()).ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length() {
        for (bytes, number) in [
            (&[0x05][..], 5),
            (&[0x81, 0x00], 128),
            (&[0xff, 0x7f], 16_383),
            (&[0xff; 9], u64::MAX),
            (&[0x81, 0x80, 0x80, 0x80, 0x00], 1 << 28),
        ] {
            assert_eq!(varint(bytes).unwrap(), (number, &[][..]));
        }
        assert!(varint(&[0x80]).is_none() && varint(&[]).is_none());
    }

    #[test]
    fn columns_of_any_type() {
        assert_eq!(value(1, &[0xff]), Some(Value::Integer(-1)));
        assert_eq!(value(3, &[0x01, 0x00, 0x00]), Some(Value::Integer(65_536)));
        assert_eq!(value(6, &i64::MIN.to_be_bytes()), Some(Value::Integer(i64::MIN)));
        assert_eq!(value(7, &1.5f64.to_be_bytes()), Some(Value::Real(1.5)));
        assert_eq!(value(15, b"a"), Some(Value::Text("a".to_owned())));
        assert_eq!(value(15, &[0xff]), None, "that is no text");
    }

    /// Whatever bytes there are, nothing is read beyond them.
    #[test]
    fn noise_does_no_harm() {
        let mut rng = nestling::Stream::new(3).rng();
        for _ in 0..200 {
            let page: Vec<u8> = (0..PAGE).map(|_| rng.below(256) as u8 & rng.below(256) as u8).collect();
            for offset in 0..=PAGE {
                if let Some(cell) = PageCell::at(&page, offset) {
                    let _ = cell.values(cell.local);
                }
            }
        }
    }
}
