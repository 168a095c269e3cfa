//! The longest snakes and coils known.

use nestling_presentation::Record;

/// The longest snakes in dimension 1, 2, 3, …: proven up to dimension 8 (OEIS A099155), then the longest known.
const SNAKES: [u32; 13] = [1, 2, 4, 7, 13, 26, 50, 98, 191, 379, 746, 1476, 2934];

/// The longest coils in dimension 2, 3, …: proven up to dimension 8 (OEIS A000937), then the longest known.
const COILS: [u32; 10] = [4, 6, 8, 14, 26, 48, 96, 192, 374, 732];

/// The last dimension whose longest snakes and coils are proven.
const LAST_PROVEN: u8 = 8;

fn best(dimensions: u8, is_coil: bool) -> Option<u32> {
    let (list, first) = if is_coil { (&COILS[..], 2) } else { (&SNAKES[..], 1) };
    list.get(usize::from(dimensions) - first).copied()
}

/// The length that nothing exceeds, where it is proven.
pub(super) fn proven(dimensions: u8, is_coil: bool) -> Option<f64> {
    best(dimensions, is_coil).filter(|_| dimensions <= LAST_PROVEN).map(f64::from)
}

/// The longest known.
pub(super) fn record(dimensions: u8, is_coil: bool) -> Option<Record> {
    let score = f64::from(best(dimensions, is_coil)?);
    let holder = match (dimensions, is_coil) {
        (0..=6, _) => "proven by Davies, 1965, or before",
        (7, _) => "proven by Kochut, 1996, and others",
        (8, false) => "Carlson and Hougen, 2010; proven by Östergård and Pettersson, 2015",
        (8, true) => "proven by Östergård and Pettersson, 2014",
        (13, false) => "Itty, August 2026, not checked by us",
        _ => "Orland and others, 2026, not checked by us",
    };
    Some(Record { score, holder: holder.to_owned(), proven: dimensions <= LAST_PROVEN, bound: None })
}
