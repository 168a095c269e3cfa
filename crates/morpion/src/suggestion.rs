//! Which search to use when a person names none. The measurements are in docs/DEFAULTS.md.

use std::time::Duration;

use nestling::search::Pool;
use nestling::{Allowance, Search, Suggestion};

use crate::board::Board;
use crate::variant::Variant;

pub(crate) fn default_search(board: &Board, allowance: Allowance) -> Suggestion {
    // How much time, or how many playouts, the search has at least.
    let has = |seconds: u64, playouts: u64| match allowance {
        Allowance::Time(time) => time >= Duration::from_secs(seconds),
        Allowance::Playouts(given) => given >= playouts,
        Allowance::Unknown => true,
    };
    match board.variant() {
        Variant::FourT | Variant::FourD => Suggestion::new(
            Search::nrpa(2).forever(),
            "NRPA learns a playout policy, and starts again often: the fastest to reach the proven best of the small variants",
        ),
        Variant::FiveT | Variant::FiveD if has(45, 8_000_000) => Suggestion::new(
            Search::of::<Pool>().forever(),
            "a pool of good games, each of which is played again with a few changes: the best search for a minute and more",
        ),
        Variant::FiveT | Variant::FiveD if has(15, 2_500_000) => Suggestion::new(
            Search::of::<Pool>().starts(20).first(Search::nrpa(2)).forever(),
            "a pool of good games, each of which is played again with a few changes; NRPA finds the first of them, which saves time",
        ),
        Variant::FiveT | Variant::FiveD => Suggestion::restarted_nrpa(board, allowance, Search::nrpa(1)),
    }
}
