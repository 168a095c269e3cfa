//! The quickly computed effect of a change is the effect on the tour when the change is made.

use nestling::{Problem, Rng, Stream};

use super::neighbours::neighbours;
use super::route::{Change, TimedTour};
use crate::tsptw::{Place, TourInstance, Tsptw};

/// Travel times of both directions drawn apart. Some instances have whole numbers only, some windows that never close.
fn instance(places: usize, rng: &mut Rng) -> TourInstance {
    let (whole, open) = (rng.below(2) == 0, rng.below(4) == 0);
    let mut time = |most: usize| if whole { rng.below(most) as f64 } else { rng.unit() * most as f64 };
    let mut lines = vec![places.to_string()];
    for _ in 0..places {
        let row: Vec<String> = (0..places).map(|_| time(40).to_string()).collect();
        lines.push(row.join(" "));
    }
    for place in 0..places {
        let earliest = if place == 0 { 0.0 } else { time(20 * places) };
        let latest = if open { 1e9 } else { earliest + time(25 * places) };
        lines.push(format!("{earliest} {latest}"));
    }
    TourInstance::read(&lines.join("\n")).expect("the instance is valid")
}

/// A state after some moves, and a random tour from there.
fn tour(instance: TourInstance, rng: &mut Rng) -> (Tsptw, Vec<Place>) {
    let mut state = Tsptw::new(instance);
    let (mut legal, mut visits) = (Vec::new(), Vec::new());
    let begun = rng.below(state.left.len());
    (0..begun).for_each(|_| state.play(state.left[rng.below(state.left.len())]));
    state.legal_moves(&mut legal);
    while !legal.is_empty() {
        visits.push(legal.swap_remove(rng.below(legal.len())));
    }
    (state, visits)
}

/// The length of a whole tour, from the place of the state, and what is late in it.
fn plain(state: &Tsptw, visits: &[Place]) -> (f64, u32, f64) {
    let (mut here, mut time, mut length, mut count, mut sum) = (state.here, state.time, 0.0, 0, 0.0);
    for &place in visits.iter().chain(&[0]) {
        let visit = state.instance.visit(here, time, place);
        length += state.instance.travel(here, place);
        if visit.late {
            (count, sum) = (count + 1, sum + (visit.arrival - state.instance.latest(place)));
        }
        (here, time) = (place, visit.begin);
    }
    (length, count, sum)
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-6
}

#[test]
fn quick_is_plain() {
    let rng = &mut Stream::new(1).rng();
    let (mut seen, mut kept, mut pruned_away) = (0, 0, 0);
    for round in 0..150 {
        let (state, visits) = tour(instance(2 + round % 9, rng), rng);
        let mut route = TimedTour::new(&state);
        route.load(&visits);
        for position in 0..=route.len() {
            let mut changes: Vec<(Change, f64)> = Vec::new();
            neighbours(&route, position, false, |change, longer| changes.push((change, longer)));
            let mut left: Vec<Change> = Vec::new();
            neighbours(&route, position, true, |change, _| left.push(change));
            let (length, count, sum) = plain(&state, &visits);
            assert!(route.lateness().count == count && near(route.lateness().sum, sum));
            for (change, longer) in changes {
                let claimed = route.lateness_after(&change, |_| false).unwrap();
                let keeps = count == 0 && route.keeps_windows(&change);
                route.apply(&change);
                let (new_length, new_count, new_sum) = plain(&state, route.visits());
                assert!(near(length + longer, new_length), "{change:?}");
                assert!(claimed.count == new_count && near(claimed.sum, new_sum), "{change:?}");
                assert!(route.lateness().count == new_count && near(route.lateness().sum, new_sum), "{change:?}");
                assert!(count > 0 || keeps == (new_count == 0), "{change:?}");
                assert!(new_count > 0 || left.contains(&change), "{change:?} was left out, but keeps all windows");
                pruned_away += usize::from(!left.contains(&change));
                (seen, kept) = (seen + 1, kept + usize::from(keeps));
                route.take_back(&change);
                assert_eq!(route.visits(), visits);
                assert_eq!(route.lateness().count, count);
            }
        }
    }
    assert!(seen > 10_000 && kept > 2_000 && pruned_away > 2_000, "{seen} {kept} {pruned_away}");
}

/// After many changes the times are those of the tour when it is loaded anew.
#[test]
fn times_do_not_drift() {
    let rng = &mut Stream::new(2).rng();
    for _ in 0..30 {
        let (state, visits) = tour(instance(25, rng), rng);
        let (mut route, mut anew) = (TimedTour::new(&state), TimedTour::new(&state));
        route.load(&visits);
        for _ in 0..40 {
            let mut changes = Vec::new();
            neighbours(&route, rng.below(route.len() + 1), false, |change, _| changes.push(change));
            if changes.is_empty() {
                continue;
            }
            route.apply(&changes[rng.below(changes.len())]);
            anew.load(route.visits());
            assert!(route.has_times_of(&anew));
        }
    }
}
