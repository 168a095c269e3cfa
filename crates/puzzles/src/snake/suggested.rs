//! The default search: a beam as wide as the budget allows.

use nestling::{Allowance, Search, Suggestion};

/// The width that found the proven best up to dimension 7 with every seed.
const ENOUGH: f64 = 2_000.0;

/// The widest beam that a search may have.
const WIDEST: f64 = 200_000.0;

/// About the seconds that a beam takes in dimension 8, per state of its width; each dimension more takes three times as long.
const SECONDS: f64 = 3.5e-4;

/// At least so many beams should fit into the time: with another seed, the next one may go farther.
const BEAMS: f64 = 4.0;

pub(super) fn search(dimensions: u8, allowance: Allowance) -> Suggestion {
    let beyond = 3.0_f64.powi(i32::from(dimensions) - 8);
    let width = match allowance {
        _ if dimensions < 8 => ENOUGH,
        Allowance::Time(time) => time.as_secs_f64() / (BEAMS * SECONDS * beyond),
        // A beam of width w plays about 12 w games in dimension 8.
        Allowance::Playouts(playouts) => playouts as f64 / (BEAMS * 12.0),
        Allowance::Unknown => 10_000.0,
    };
    if width < ENOUGH {
        return Suggestion::new(Search::nested(3).forever(), "with the policy tight it goes far within seconds");
    }
    let digits = 10.0_f64.powi(width.log10().floor() as i32);
    let width = ((width / digits).floor() * digits).min(WIDEST) as u64;
    let reason = "a wide beam that keeps the states from which the most free vertices can be reached goes farther than nested search and NRPA";
    Suggestion::new(Search::beam(width).by_outlook().forever(), reason)
}
