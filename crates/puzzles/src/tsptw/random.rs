//! Instances by seed.

use nestling::Stream;

use super::instance::{TourData, TourInstance, Visit};
use super::table::straight;
use super::{MOST_PLACES, Place};

/// The side of the square in which places lie.
const SIDE: usize = 100;

/// How much earlier a window may open, and later close, than the tour it is made from needs.
const SLACK: usize = 60;

impl TourInstance {
    /// Some places at random points, with windows around the times of a tour that always goes to the nearest place: a tour that
    /// keeps all windows exists. The same seed gives the same instance.
    ///
    /// ```
    /// use nestling_puzzles::tsptw::TourInstance;
    /// assert_eq!(TourInstance::random(20, 7), TourInstance::random(20, 7));
    /// ```
    ///
    /// # Panics
    ///
    /// If there are fewer than two places or more than [`MOST_PLACES`].
    pub fn random(places: usize, seed: u64) -> TourInstance {
        assert!((2..=MOST_PLACES).contains(&places), "{places} places");
        let rng = &mut Stream::new(seed).rng();
        let points: Vec<(f64, f64)> =
            (0..places).map(|_| (rng.below(SIDE + 1) as f64, rng.below(SIDE + 1) as f64)).collect();
        let names = (0..places).map(|place| place.to_string()).collect();
        let travel = straight(&points, &vec![0.0; places]);
        let open = vec![(0.0, super::instance::LATEST); places];
        let mut parts = TourData { names, points: Some(points), travel, windows: open, clock: false };
        let tour = nearest_first(&parts);
        for Visit { place, arrival, .. } in visits(&parts, &tour) {
            let (before, after) = (rng.below(SLACK) as f64, rng.below(SLACK) as f64);
            let earliest = if place == 0 { 0.0 } else { (arrival.floor() - before).max(0.0) };
            parts.windows[usize::from(place)] = (earliest, arrival.ceil() + after);
        }
        TourInstance::new(parts).expect("a thousand places in a small square are not far apart")
    }
}

fn nearest_first(parts: &TourData) -> Vec<Place> {
    let places = parts.names.len();
    let way = |from: Place, to: Place| parts.travel[usize::from(from) * places + usize::from(to)];
    let mut left: Vec<Place> = (1..places as Place).collect();
    let mut tour = Vec::new();
    while !left.is_empty() {
        let here = tour.last().copied().unwrap_or(0);
        let nearest = (0..left.len()).min_by(|&one, &other| way(here, left[one]).total_cmp(&way(here, left[other])));
        tour.push(left.remove(nearest.expect("a place is left")));
    }
    tour
}

fn visits(parts: &TourData, tour: &[Place]) -> Vec<Visit> {
    let places = parts.names.len();
    let (mut here, mut time) = (0, 0.0);
    let arrive = |&place: &Place| {
        time += parts.travel[usize::from(here) * places + usize::from(place)];
        here = place;
        Visit { place, arrival: time, begin: time, late: false }
    };
    tour.iter().chain(&[0]).map(arrive).collect()
}
