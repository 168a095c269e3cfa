//! The features of the next place of a tour for a network.

use super::{Place, Tsptw};
use crate::features::FeatureList;

/// Ranks are told apart up to the first of these, and then by ranges.
const RANKS: [usize; 8] = [1, 2, 3, 4, 6, 9, 14, 20];
/// Ways and times, as shares of the mean way from here; negative values are a separate range.
const SHARES: [f64; 8] = [0.0, 0.05, 0.15, 0.3, 0.6, 1.0, 1.5, 2.5];

/// How many features there are.
pub(super) const COUNT: usize = 2 * (RANKS.len() + 1) + 3 * (SHARES.len() + 1) + 2;

impl Tsptw {
    /// Lists the features of a place.
    pub(super) fn list_features(&self, place: Place, features: &mut Vec<u32>) {
        let instance = self.instance();
        let ways = self.left.iter().map(|&other| instance.travel(self.here, other));
        let mean = ways.clone().sum::<f64>() / self.left.len() as f64;
        let way = instance.travel(self.here, place);
        let arrival = self.time + way;
        let latest = instance.latest(place);
        let nearer = ways.filter(|&other| other < way).count();
        let sooner = self.left.iter().filter(|&&other| instance.latest(other) < latest).count();
        let share = |time: f64| if mean > 0.0 { time / mean } else { 0.0 };
        let mut list = FeatureList::new(features);
        list.range(&RANKS, nearer);
        list.range(&RANKS, sooner);
        list.range(&SHARES, share(way));
        list.range(&SHARES, share(instance.earliest(place) - arrival));
        list.range(&SHARES, share(latest - arrival));
        list.one_of(2, usize::from(self.is_safe(place)));
        debug_assert_eq!(list.count(), COUNT);
    }
}
