//! The travelling salesman problem with time windows: visit every place once, each within its window, and return, at the least
//! cost.
//!
//! The cost of a tour is the sum of the travel times from and to the depot. An early visitor waits, at no cost; a late one
//! violates a window. The score is cost + 10⁶ · violations, to be made small: for a tour that keeps its windows it is
//! the cost.
//!
//! [`TourInstance`] is the data ([`TourInstance::read`] knows two formats, [`TourInstance::random`] makes one), [`Tsptw`] the problem, [`svg`] the
//! map. Cazenave and Teytaud, *Application of the Nested Rollout Policy Adaptation Algorithm to the Traveling Salesman Problem with
//! Time Windows*, 2012, introduced the playouts that look at windows.

mod draw;
mod features;
mod improve;
mod instance;
mod layout;
mod presentation;
mod random;
mod read;
mod table;

use std::sync::Arc;

use nestling::engine::Improver;
use nestling::{Allowance, Certificate, Goal, Illegal, Problem, Search, Suggestion};

pub use draw::svg;
pub use instance::{MOST_PLACES, Tour, TourInstance, Visit, describe, parts};
pub use read::ReadError;

/// A place by its number; 0 is the depot.
pub type Place = u16;

/// The penalty for a violated window: more than any tour costs.
pub const PENALTY: f64 = 1e6;

/// A tour being made.
///
/// The legal moves are the places not yet visited, by number. Policies for playouts and for NRPA:
///
/// | name | a playout considers |
/// |---|---|
/// | `windows-near` (the default) | the places of `windows` with the weights of `near` |
/// | `windows` | if some place can no longer be reached in time, only such places; else the places whose visit makes no other place late; if there are none, all |
/// | `near` | all places, each with weight (1 + 20·(d + w)/T)⁻⁴: d is by how much the way is longer than the shortest from here, w the wait there, T the longest way of all |
///
/// Biases for `nrpa(bias=…)`, where W is the widest window that ever closes (the longest way, if there is none):
///
/// | name | bias of a place |
/// |---|---|
/// | `distance` | −15 · way / T |
/// | `waiting` | −75 · waiting time / W, between −300 and 0 |
/// | `lateness` | −10 · time from the arrival to the end of the window / W, between −10 and 0 |
///
/// ```
/// use nestling::Run;
/// use nestling_puzzles::tsptw::{TourInstance, Tsptw};
/// let instance = TourInstance::read("name,x,y,earliest,latest\ndepot,0,0,0,100\na,3,4,0,10\nb,3,0,20,30\n")?;
/// let outcome = Run::new(&Tsptw::new(instance), "nrpa(1)".parse()?).seed(1).start()?;
/// assert_eq!((outcome.score().unwrap(), outcome.moves()), (12.0, &[1, 2][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Tsptw {
    instance: Arc<TourInstance>,
    here: Place,
    /// When the visit here begins.
    time: f64,
    cost: f64,
    violations: u32,
    /// The places not yet visited, by number.
    left: Vec<Place>,
    visited: Vec<bool>,
    /// By place: where in its list of [tightest](TourInstance::tightest) places the first one stands that is not yet visited.
    tightest: Vec<Place>,
}

clone_state!(Tsptw: shared [instance], owned [left, visited, tightest], plain [here, time, cost, violations]);

const POLICIES: &[&str] = &["windows-near", "windows", "near"];

impl Tsptw {
    /// An instance to be solved.
    pub fn new(instance: TourInstance) -> Self {
        let places = instance.places();
        Tsptw {
            here: 0,
            time: instance.earliest(0),
            cost: 0.0,
            violations: 0,
            left: (1..places as Place).collect(),
            visited: vec![false; places],
            tightest: vec![0; places],
            instance: Arc::new(instance),
        }
    }

    /// The data.
    pub fn instance(&self) -> &TourInstance {
        &self.instance
    }

    #[inline]
    fn is_late(&self, place: Place) -> bool {
        self.time + self.instance.travel(self.here, place) > self.instance.latest(place)
    }

    /// Whether every other place, the depot included, can still be reached in time after a visit there. It is enough to ask for
    /// the one that has to be left for first.
    #[inline]
    fn is_safe(&self, place: Place) -> bool {
        let arrival = self.time + self.instance.travel(self.here, place);
        let begin = arrival.max(self.instance.earliest(place));
        let other = self.instance.tightest(place)[usize::from(self.tightest[usize::from(place)])];
        begin + self.instance.travel(place, other) <= self.instance.latest(other)
    }

    fn keep_windows(&self, moves: &mut Vec<Place>) {
        if moves.iter().any(|&place| self.is_late(place)) {
            moves.retain(|&place| self.is_late(place));
            return;
        }
        let mut kept = 0;
        for index in 0..moves.len() {
            let place = moves[index];
            if self.is_safe(place) {
                moves[kept] = place;
                kept += 1;
            }
        }
        if kept > 0 {
            moves.truncate(kept);
        }
    }
}

impl Problem for Tsptw {
    type Move = Place;

    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<Place>) {
        moves.clone_from(&self.left);
    }

    fn play(&mut self, place: Place) {
        let instance = &*self.instance;
        let way = instance.travel(self.here, place);
        let arrival = self.time + way;
        self.cost += way;
        self.violations += u32::from(arrival > instance.latest(place));
        self.time = arrival.max(instance.earliest(place));
        self.here = place;
        let index = self.left.iter().position(|&left| left == place).expect("the place is not yet visited");
        self.left.remove(index);
        self.visited[usize::from(place)] = true;
        for &left in &self.left {
            let order = instance.tightest(left);
            let first = &mut self.tightest[usize::from(left)];
            // The depot ends every list, and is never visited.
            while self.visited[usize::from(order[usize::from(*first)])] {
                *first += 1;
            }
        }
    }

    fn score(&self) -> f64 {
        let way = self.instance.travel(self.here, 0);
        let late = self.time + way > self.instance.latest(0);
        instance::score(self.cost + way, self.violations + u32::from(late))
    }

    fn goal(&self) -> Goal {
        Goal::Min
    }

    fn code(&self, place: Place) -> u64 {
        u64::from(self.here) * self.instance.places() as u64 + u64::from(place)
    }

    fn dense_codes(&self) -> usize {
        self.instance.places().pow(2)
    }

    fn biases(&self) -> &'static [&'static str] {
        &["distance", "waiting", "lateness"]
    }

    fn named_bias(&self, bias: usize, place: Place) -> f64 {
        let instance = &*self.instance;
        let way = instance.travel(self.here, place);
        let arrival = self.time + way;
        match bias {
            0 => -15.0 * way / instance.longest(),
            1 => -75.0 * ((instance.earliest(place) - arrival) / instance.widest()).clamp(0.0, 4.0),
            _ => -10.0 * ((instance.latest(place) - arrival) / instance.widest()).clamp(0.0, 1.0),
        }
    }

    fn feature_count(&self) -> usize {
        features::COUNT
    }

    fn features(&self, place: Place, features: &mut Vec<u32>) {
        self.list_features(place, features);
    }

    fn policies(&self) -> &'static [&'static str] {
        POLICIES
    }

    fn default_policy(&self) -> &'static str {
        POLICIES[0]
    }

    fn prefer(&self, policy: usize, moves: &mut Vec<Place>, weights: &mut Vec<f64>) {
        if policy != 2 {
            self.keep_windows(moves);
        }
        if policy != 1 {
            weights.extend(moves.iter().map(|&place| self.instance.nearness(self.here, self.time, place)));
        }
    }

    /// Local search from a random tour, again and again; it measured best whatever the time (docs/DEFAULTS.md).
    fn default_search(&self, _: Allowance) -> Suggestion {
        let reason = "a random tour is improved by small changes, and a new one when that no longer helps; on public instances this \
                      reaches the best known lengths, or nearly, in seconds";
        Suggestion::new(Search::playout().improve().forever(), reason)
    }

    fn improver(&self) -> Option<Box<dyn Improver<Place> + '_>> {
        Some(Box::new(improve::TourImprover::new(self)))
    }

    fn move_text(&self, place: Place) -> String {
        self.instance.name(place).to_owned()
    }

    /// Follows the tour by the data alone.
    fn certify(&self, moves: &[Place]) -> Result<Certificate, Illegal> {
        let instance = &*self.instance;
        let mut left = self.left.clone();
        let (mut here, mut time, mut cost, mut violations) = (self.here, self.time, self.cost, self.violations);
        for (index, &place) in moves.iter().enumerate() {
            let Some(position) = left.iter().position(|&left| left == place) else {
                let reason = match instance.name_of(place) {
                    Some(name) => format!("{name} is not one of the {} places left to visit", left.len()),
                    None => format!("there is no place {place}"),
                };
                return Err(Illegal { index, reason });
            };
            left.remove(position);
            let visit = instance.visit(here, time, place);
            cost += instance.travel(here, place);
            violations += u32::from(visit.late);
            (here, time) = (place, visit.begin);
        }
        violations += u32::from(instance.visit(here, time, 0).late);
        Ok(Certificate {
            score: instance::score(cost + instance.travel(here, 0), violations),
            terminal: left.is_empty(),
        })
    }
}
