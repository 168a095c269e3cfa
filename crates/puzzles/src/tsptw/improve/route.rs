//! A tour as a list of places with its times, and what becomes of them when two neighbouring blocks of it are exchanged.

use super::super::{Place, TourInstance, Tsptw};

/// Times within this of each other are not told apart by the quick checks; what they let pass is computed exactly before it counts.
pub(super) const TOLERANCE: f64 = 1e-6;

/// Two neighbouring blocks of positions, `from..middle` and `middle..to`, change places. Each may also be turned around, and the second
/// may be empty: then the first is only turned around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub from: usize,
    pub middle: usize,
    pub to: usize,
    pub left_turned: bool,
    pub right_turned: bool,
}

/// The windows that a tour misses: how many, and by how much in all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lateness {
    pub count: u32,
    pub sum: f64,
}

impl Lateness {
    const NONE: Lateness = Lateness { count: 0, sum: 0.0 };

    pub fn is_none(self) -> bool {
        self.count == 0
    }

    fn plus(self, other: Lateness) -> Lateness {
        Lateness { count: self.count + other.count, sum: self.sum + other.sum }
    }

    fn minus(self, other: Lateness) -> Lateness {
        Lateness { count: self.count - other.count, sum: self.sum - other.sum }
    }
}

/// A tour from a state: position 0 is where the state is, the last position the depot.
pub(super) struct TimedTour<'a> {
    instance: &'a TourInstance,
    places: Vec<Place>,
    /// By place, its position. The depot's is that of a start there.
    position: Vec<usize>,
    /// By position, when the visit begins.
    begin: Vec<f64>,
    /// By position, the latest arrival from which on this and all later windows are kept.
    latest: Vec<f64>,
    /// By position, what was late up to there; kept only while something is late.
    late: Vec<Lateness>,
    spare: Vec<Place>,
}

impl<'a> TimedTour<'a> {
    pub fn new(start: &'a Tsptw) -> Self {
        let (places, positions) = (start.instance.places(), start.left.len() + 2);
        let mut route = TimedTour {
            instance: &start.instance,
            places: vec![0; positions],
            position: vec![0; places],
            begin: vec![start.time; positions],
            latest: vec![0.0; positions],
            late: vec![Lateness::NONE; positions],
            spare: Vec::with_capacity(positions),
        };
        route.places[0] = start.here;
        route
    }

    /// How many places are visited.
    pub fn len(&self) -> usize {
        self.places.len() - 2
    }

    pub fn place(&self, position: usize) -> Place {
        self.places[position]
    }

    pub fn position(&self, place: Place) -> usize {
        self.position[usize::from(place)]
    }

    /// The places that are visited.
    pub fn visits(&self) -> &[Place] {
        &self.places[1..=self.len()]
    }

    /// The way between two positions as if they were neighbours.
    #[inline]
    pub fn way(&self, from: usize, to: usize) -> f64 {
        self.instance.travel(self.places[from], self.places[to])
    }

    /// When the window at a position opens.
    #[inline]
    pub fn opens(&self, position: usize) -> f64 {
        self.instance.earliest(self.places[position])
    }

    /// The latest time to begin the visit before the one at a position, whatever it is, that keeps its window.
    #[inline]
    pub fn deadline(&self, position: usize) -> f64 {
        self.instance.deadline(self.places[position])
    }

    #[cfg(test)]
    pub fn has_times_of(&self, other: &TimedTour<'_>) -> bool {
        self.begin == other.begin && self.latest == other.latest && self.late == other.late
    }

    /// Takes other visits.
    pub fn load(&mut self, visits: &[Place]) {
        let len = self.len();
        self.places[1..=len].copy_from_slice(visits);
        for position in 1..=len {
            self.position[usize::from(self.places[position])] = position;
        }
        self.retime(1, len + 1);
    }

    /// The lateness of the whole tour.
    pub fn lateness(&self) -> Lateness {
        self.late[self.len() + 1]
    }

    /// Exchanges blocks, and computes all times exactly.
    pub fn apply(&mut self, change: &Change) {
        self.exchange(change);
        self.retime(change.from, change.to);
    }

    /// Takes back the change that was applied last.
    pub fn take_back(&mut self, change: &Change) {
        self.places[change.from..change.to].copy_from_slice(&self.spare);
        self.note_positions(change.from, change.to);
        self.retime(change.from, change.to);
    }

    fn exchange(&mut self, change: &Change) {
        let Change { from, middle, to, left_turned, right_turned } = *change;
        self.spare.clear();
        self.spare.extend_from_slice(&self.places[from..to]);
        let (left, right) = self.spare.split_at(middle - from);
        let (first, second) = self.places[from..to].split_at_mut(right.len());
        first.copy_from_slice(right);
        second.copy_from_slice(left);
        if right_turned {
            first.reverse();
        }
        if left_turned {
            second.reverse();
        }
        self.note_positions(from, to);
    }

    fn note_positions(&mut self, from: usize, to: usize) {
        for position in from..to {
            self.position[usize::from(self.places[position])] = position;
        }
    }

    /// Computes the times that depend on the positions `from..to`.
    fn retime(&mut self, from: usize, to: usize) {
        let end = self.len() + 1;
        let (was_late, mut late) = (self.lateness().count > 0, self.late[from - 1]);
        for position in from..=end {
            let arrival = self.begin[position - 1] + self.way(position - 1, position);
            let begin = arrival.max(self.opens(position));
            let over = arrival - self.instance.latest(self.places[position]);
            if over > 0.0 {
                late = late.plus(Lateness { count: 1, sum: over });
            }
            if position >= to && begin == self.begin[position] && !was_late && late.count == 0 {
                break;
            }
            self.begin[position] = begin;
            self.late[position] = late;
        }
        for position in (1..=to).rev() {
            let next = if position == end {
                f64::INFINITY
            } else {
                self.latest[position + 1] - self.way(position, position + 1)
            };
            let latest = next.min(self.instance.latest(self.places[position]));
            if position < from && latest == self.latest[position] {
                break;
            }
            self.latest[position] = latest;
        }
    }

    /// The positions of a changed block in their new order.
    fn order(change: &Change) -> impl Iterator<Item = usize> {
        let Change { from, middle, to, left_turned, right_turned } = *change;
        let right = (middle..to).map(move |position| if right_turned { middle + to - 1 - position } else { position });
        let left =
            (from..middle).map(move |position| if left_turned { from + middle - 1 - position } else { position });
        right.chain(left)
    }

    /// Whether a tour that keeps its windows still does after a change, up to the tolerance.
    pub fn keeps_windows(&self, change: &Change) -> bool {
        let (mut here, mut time) = (self.places[change.from - 1], self.begin[change.from - 1]);
        for position in TimedTour::order(change) {
            let place = self.places[position];
            let arrival = time + self.instance.travel(here, place);
            if arrival > self.instance.latest(place) {
                return false;
            }
            (here, time) = (place, arrival.max(self.instance.earliest(place)));
        }
        let next = self.places[change.to];
        time + self.instance.travel(here, next) <= self.latest[change.to] + TOLERANCE
    }

    /// The lateness after a change; nothing as soon as the change is hopeless.
    pub fn lateness_after(&self, change: &Change, is_hopeless: impl Fn(Lateness) -> bool) -> Option<Lateness> {
        let mut late = self.late[change.from - 1];
        let (mut here, mut time) = (self.places[change.from - 1], self.begin[change.from - 1]);
        let whole = self.lateness();
        for position in TimedTour::order(change).chain(change.to..self.places.len()) {
            let place = self.places[position];
            // Behind the blocks, where nothing is earlier than before, no less is late.
            if position > change.to && time >= self.begin[position - 1] {
                let least = late.plus(whole.minus(self.late[position - 1]));
                if time == self.begin[position - 1] {
                    return Some(least).filter(|&least| !is_hopeless(least));
                }
                if is_hopeless(least) {
                    return None;
                }
            }
            let arrival = time + self.instance.travel(here, place);
            let over = arrival - self.instance.latest(place);
            if over > 0.0 {
                late = late.plus(Lateness { count: 1, sum: over });
                if is_hopeless(late) {
                    return None;
                }
            }
            (here, time) = (place, arrival.max(self.instance.earliest(place)));
        }
        Some(late).filter(|&late| !is_hopeless(late))
    }
}
