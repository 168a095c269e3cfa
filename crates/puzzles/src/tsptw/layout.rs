//! Places on a map that has to be made up: where only travel times are known, places are laid out so that the distances on the map are
//! close to them.

use super::TourInstance;

/// Moves of single places, in all: some milliseconds.
const STEPS: usize = 6_000_000;

/// Points whose distances are close to the travel times, as the mean of both directions.
///
/// The stress `Σ wᵢⱼ (|xᵢ − xⱼ| − dᵢⱼ)²` with `wᵢⱼ = dᵢⱼ⁻²` is made small by moving one place after the other to where its neighbours
/// would have it: `xᵢ ← Σⱼ wᵢⱼ (xⱼ + dᵢⱼ (xᵢ − xⱼ) / |xᵢ − xⱼ|) / Σⱼ wᵢⱼ` (Gansner, Koren and North, *Graph drawing by stress
/// majorization*, 2004). It starts from the projections of FastMap (Faloutsos and Lin, 1995), so that the same instance always has the
/// same map.
pub(super) fn layout(instance: &TourInstance) -> Vec<(f64, f64)> {
    let count = instance.places();
    let distances = distances(instance);
    let distance = |one: usize, other: usize| distances[one * count + other];
    let longest = distances.iter().copied().fold(0.0, f64::max);
    if longest == 0.0 {
        return vec![(0.0, 0.0); count];
    }
    let mut points = projected(count, &distance);
    let rounds = (STEPS / (count * count)).clamp(12, 200);
    for _ in 0..rounds {
        for place in 0..count {
            let ((x, y), mut sum, mut weights) = (points[place], (0.0, 0.0), 0.0);
            for (other, &(other_x, other_y)) in points.iter().enumerate().filter(|&(other, _)| other != place) {
                // Places without a way between them are kept a little apart, so that both can be seen.
                let wanted = distance(place, other).max(0.01 * longest);
                let (dx, dy) = (x - other_x, y - other_y);
                // Not `hypot`, which is different on every system.
                let now = (dx * dx + dy * dy).sqrt().max(1e-9 * longest);
                let weight = 1.0 / (wanted * wanted);
                sum.0 += weight * (other_x + wanted * dx / now);
                sum.1 += weight * (other_y + wanted * dy / now);
                weights += weight;
            }
            points[place] = (sum.0 / weights, sum.1 / weights);
        }
    }
    points
}

/// The means of both directions. A way that is much longer than usual stands for one that must not be taken, and says little.
fn distances(instance: &TourInstance) -> Vec<f64> {
    let count = instance.places();
    let all = 0..count as super::Place;
    let mean = |one, other| (instance.travel(one, other) + instance.travel(other, one)) / 2.0;
    let mut distances: Vec<f64> = all
        .clone()
        .flat_map(|one| all.clone().map(move |other| (one, other)))
        .map(|(one, other)| mean(one, other))
        .collect();
    for place in 0..count {
        distances[place * count + place] = 0.0;
    }
    let mut sorted = distances.clone();
    sorted.sort_by(f64::total_cmp);
    let usual = 5.0 * sorted[sorted.len() / 2];
    distances.iter().map(|&distance| if usual > 0.0 { distance.min(usual) } else { distance }).collect()
}

/// FastMap: the place of every point between two that are far apart, and then the same for what those distances leave.
fn projected(count: usize, distance: &impl Fn(usize, usize) -> f64) -> Vec<(f64, f64)> {
    let x = coordinate(count, distance);
    let rest = |one: usize, other: usize| {
        let (whole, part) = (distance(one, other), x[one] - x[other]);
        (whole * whole - part * part).max(0.0).sqrt()
    };
    let y = coordinate(count, &rest);
    // Places on one line could never leave it: each gets a little of its own.
    let apart = |place: usize| 1e-3 * distance(0, place) * ((place % 7) as f64 - 3.0);
    (0..count).map(|place| (x[place], y[place] + apart(place))).collect()
}

fn coordinate(count: usize, distance: &impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let farthest =
        |from: usize| (0..count).max_by(|&one, &other| distance(from, one).total_cmp(&distance(from, other)));
    let one = farthest(0).unwrap_or(0);
    let other = farthest(one).unwrap_or(0);
    let between = distance(one, other);
    let square = |number: f64| number * number;
    let place = |place: usize| {
        if between == 0.0 {
            return 0.0;
        }
        (square(distance(one, place)) + square(between) - square(distance(other, place))) / (2.0 * between)
    };
    (0..count).map(place).collect()
}
