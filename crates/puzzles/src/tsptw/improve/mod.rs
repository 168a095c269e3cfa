//! Local search for tours with time windows, which `improve` searches with.
//!
//! da Silva and Urrutia, *A General VNS heuristic for the traveling salesman problem with time windows*, 2010: first a tour that keeps all
//! windows, by changes that make it less late; then a short one, by changes that keep the windows. The small changes: one, two or three
//! places in a row move elsewhere, turned around or not (or-opt); a part of the tour is turned around (2-opt).
//!
//! What differs from the paper: random changes stay near each other, and after them only the places around changed ways are looked at.
//! All places are looked at only if the tour is then at least as good as it was before. This makes an attempt that fails cheap.

mod neighbours;
mod route;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use nestling::Rng;
use nestling::engine::Improver;

use super::{Place, Tsptw};
use neighbours::neighbours;
use route::{Change, Lateness, TimedTour};

/// A change must shorten the tour, or make it less late, by more than this, so that the rounding of sums never looks like progress.
const LEAST_GAIN: f64 = 1e-6;

/// Of the two blocks that a random change exchanges, the places of the shorter and of the longer one, at most.
const BLOCKS: (usize, usize) = (3, 20);

/// How far from their centre the random changes of an attempt begin.
const REACH: usize = 10;

/// How many random changes are drawn until one keeps the windows.
const TRIES: usize = 30;

/// From so many places on, a tour that misses most windows is not worth its repair, which takes a time of about the cube of the places.
const LARGE: usize = 300;

/// The quantity that a descent reduces.
#[derive(Clone, Copy, PartialEq)]
enum Objective {
    /// The length of a tour that keeps all windows.
    Length,
    /// By how much windows are missed in all.
    Lateness,
    /// How many windows are missed, then the length: the score.
    Score,
}

/// Improves tours from a state.
pub(super) struct TourImprover<'a> {
    start: &'a Tsptw,
    route: TimedTour<'a>,
    /// The tour that is improved.
    given: Vec<Place>,
    /// The places whose neighbourhood is still to be looked at, and by place whether it is one of them.
    waiting: VecDeque<Place>,
    is_waiting: Vec<bool>,
}

impl Improver<Place> for TourImprover<'_> {
    fn improve(
        &mut self,
        game: &mut Vec<Place>,
        strength: u32,
        rng: &mut Rng,
        give_up: &dyn Fn() -> bool,
    ) -> Option<f64> {
        self.given.clone_from(game);
        self.route.load(game);
        let before = self.score();
        self.forget_waiting();
        if strength == 0 || self.route.len() < 2 {
            self.descend_without_loss(before, give_up)?;
        } else {
            self.change_at_random(strength, rng);
            self.descend_in_haste(before, give_up)?;
        }
        game.copy_from_slice(self.route.visits());
        Some(self.score())
    }
}

impl<'a> TourImprover<'a> {
    pub fn new(start: &'a Tsptw) -> Self {
        TourImprover {
            start,
            route: TimedTour::new(start),
            given: Vec::new(),
            waiting: VecDeque::new(),
            is_waiting: vec![false; start.instance.places()],
        }
    }

    /// The score, computed as the rules compute it.
    fn score(&self) -> f64 {
        let start = self.start;
        let (mut here, mut cost) = (start.here, start.cost);
        for &place in self.route.visits() {
            cost += start.instance.travel(here, place);
            here = place;
        }
        let violations = start.violations + self.route.lateness().count;
        super::instance::score(cost + start.instance.travel(here, 0), violations)
    }

    /// Improves the tour until no small change makes its score better. A tour that is less late may miss more windows; then the
    /// score alone leads, from the given tour on.
    fn descend_without_loss(&mut self, before: f64, give_up: &dyn Fn() -> bool) -> Option<()> {
        if self.route.len() >= LARGE && self.route.lateness().count as usize > self.route.len() / 2 {
            self.order_by_windows();
        }
        self.make_less_late(give_up)?;
        self.descend_fully(give_up)?;
        if self.score() > before {
            let Self { route, given, .. } = self;
            route.load(given);
            self.descend_fully(give_up)?;
        }
        Some(())
    }

    /// Takes the places in the order in which their windows close, if that is less late.
    fn order_by_windows(&mut self) {
        let Self { start, route, given, .. } = self;
        let before = route.lateness();
        let mut ordered = given.clone();
        ordered.sort_by(|&one, &other| start.instance.latest(one).total_cmp(&start.instance.latest(other)));
        route.load(&ordered);
        if route.lateness().sum >= before.sum {
            route.load(given);
        }
    }

    /// Improves the tour around the random changes, and everywhere only if it is not worse than the given one.
    fn descend_in_haste(&mut self, before: f64, give_up: &dyn Fn() -> bool) -> Option<()> {
        self.make_less_late(give_up)?;
        self.descend(self.aim(), give_up)?;
        if self.score() <= before && self.route.visits() != self.given {
            self.descend_fully(give_up)?;
        }
        Some(())
    }

    /// What a tour that cannot be made less late is improved by.
    fn aim(&self) -> Objective {
        if self.route.lateness().is_none() { Objective::Length } else { Objective::Score }
    }

    fn make_less_late(&mut self, give_up: &dyn Fn() -> bool) -> Option<()> {
        if self.route.lateness().is_none() {
            return Some(());
        }
        self.wait_for_all();
        self.descend(Objective::Lateness, give_up).map(drop)
    }

    /// Looks at all places again and again, until nothing can be improved.
    fn descend_fully(&mut self, give_up: &dyn Fn() -> bool) -> Option<()> {
        let mut changes = 1;
        while changes > 0 {
            self.wait_for_all();
            changes = self.descend(self.aim(), give_up)?;
        }
        Some(())
    }

    /// Looks at the places that wait, and at those around each change that is made, until none is left. How many changes were
    /// made; nothing if it is given up.
    fn descend(&mut self, aim: Objective, give_up: &dyn Fn() -> bool) -> Option<u64> {
        let mut changes = 0;
        while let Some(place) = self.waiting.pop_front() {
            if give_up() {
                return None;
            }
            self.is_waiting[usize::from(place)] = false;
            let Some(change) = self.best_neighbour(self.route.position(place), aim) else { continue };
            if self.apply_if_better(&change, aim) {
                changes += 1;
                self.wait_around(&change);
            }
            if aim != Objective::Length && self.route.lateness().is_none() {
                break;
            }
        }
        Some(changes)
    }

    /// Applies a change unless its exact times, other than those of the quick checks, show that it is not an improvement.
    fn apply_if_better(&mut self, change: &Change, aim: Objective) -> bool {
        let before = self.route.lateness();
        self.route.apply(change);
        let after = self.route.lateness();
        let is_better = match aim {
            Objective::Length => after.is_none(),
            Objective::Lateness => after.sum < before.sum,
            Objective::Score => after.count <= before.count,
        };
        if !is_better {
            self.route.take_back(change);
        }
        is_better
    }

    /// The change around a position that improves the aim most, if one does.
    fn best_neighbour(&self, position: usize, aim: Objective) -> Option<Change> {
        let (route, late, mut best) = (&self.route, self.route.lateness(), None);
        match aim {
            Objective::Length => {
                let mut least = -LEAST_GAIN;
                neighbours(route, position, true, |change, longer| {
                    if longer < least && route.keeps_windows(&change) {
                        (least, best) = (longer, Some(change));
                    }
                });
            }
            Objective::Lateness => {
                let mut least = late.sum - LEAST_GAIN;
                neighbours(route, position, false, |change, _| {
                    let is_hopeless = |late: Lateness| late.sum >= least;
                    if let Some(late) = route.lateness_after(&change, is_hopeless) {
                        (least, best) = (late.sum, Some(change));
                    }
                });
            }
            Objective::Score => {
                let mut least = (late.count, -LEAST_GAIN);
                neighbours(route, position, false, |change, longer| {
                    let is_hopeless = |late: Lateness| (late.count, longer) >= least;
                    if let Some(late) = route.lateness_after(&change, is_hopeless) {
                        (least, best) = ((late.count, longer), Some(change));
                    }
                });
            }
        }
        best
    }

    /// Exchanges neighbouring blocks near a random centre. If the windows are kept before, they are kept after.
    fn change_at_random(&mut self, strength: u32, rng: &mut Rng) {
        let centre = rng.below(self.route.len());
        let keeps_windows = self.route.lateness().is_none();
        for _ in 0..strength {
            for _ in 0..TRIES {
                let change = self.random_change(centre, rng);
                if keeps_windows && !self.route.keeps_windows(&change) {
                    continue;
                }
                self.route.apply(&change);
                if keeps_windows && !self.route.lateness().is_none() {
                    self.route.take_back(&change);
                    continue;
                }
                self.wait_around(&change);
                break;
            }
        }
    }

    fn random_change(&self, centre: usize, rng: &mut Rng) -> Change {
        let len = self.route.len();
        let short = 1 + rng.below(BLOCKS.0.min(len - 1));
        let long = 1 + rng.below(BLOCKS.1.min(len - short));
        let first = if rng.below(2) == 0 { short } else { long };
        let begin = centre + rng.below(2 * REACH + 1);
        let from = begin.saturating_sub(REACH).clamp(1, len + 1 - short - long);
        Change { from, middle: from + first, to: from + short + long, left_turned: false, right_turned: false }
    }

    fn wait(&mut self, position: usize) {
        let place = self.route.place(position);
        if !std::mem::replace(&mut self.is_waiting[usize::from(place)], true) {
            self.waiting.push_back(place);
        }
    }

    fn wait_for_all(&mut self) {
        (0..=self.route.len()).for_each(|position| self.wait(position));
    }

    /// The places at both ends of every way that a change has replaced wait.
    fn wait_around(&mut self, change: &Change) {
        let Change { from, middle, to, .. } = *change;
        let second = from + (to - middle);
        for position in [from - 1, from, second - 1, second, to - 1, to] {
            if position <= self.route.len() {
                self.wait(position);
            }
        }
    }

    fn forget_waiting(&mut self) {
        self.waiting.clear();
        self.is_waiting.fill(false);
    }
}
