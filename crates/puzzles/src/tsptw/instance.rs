//! The data of a problem: places, travel times, windows.

use super::{PENALTY, Place};

/// The most places that are taken: the travel times alone grow with the square.
pub const MOST_PLACES: usize = 1000;

/// The latest time of a window that is taken, and the end of windows that never close.
pub(super) const LATEST: f64 = 1e9;

/// Places with travel times between them and a window each. Place 0 is the depot; a tour leaves it when its window opens.
#[derive(Clone, Debug, PartialEq)]
pub struct TourInstance {
    names: Vec<String>,
    points: Option<Vec<(f64, f64)>>,
    travel: Vec<f64>,
    windows: Vec<(f64, f64)>,
    clock: bool,
    /// For every place the others, by when it has to be left for them; up to the depot, which ends the list.
    tightest: Vec<Place>,
    detours: Vec<f64>,
    /// The longest way.
    longest: f64,
    /// The widest window that ever closes; the longest way if there is none.
    widest: f64,
    /// For every place, when its window closes less the shortest way there.
    deadlines: Vec<f64>,
}

/// The parts of an instance before it is checked.
pub(super) struct TourData {
    pub names: Vec<String>,
    pub points: Option<Vec<(f64, f64)>>,
    /// Row by row.
    pub travel: Vec<f64>,
    pub windows: Vec<(f64, f64)>,
    /// Whether times are minutes of the day.
    pub clock: bool,
}

/// A place on a tour, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visit {
    /// The place.
    pub place: Place,
    /// When it is reached.
    pub arrival: f64,
    /// When the visit begins: at arrival, or when the window opens.
    pub begin: f64,
    /// Whether the window had closed.
    pub late: bool,
}

/// A tour with its times.
#[derive(Clone, Debug, PartialEq)]
pub struct Tour {
    /// The visits; the last is the return to the depot.
    pub visits: Vec<Visit>,
    /// The sum of the travel times.
    pub cost: f64,
    /// How many windows were missed.
    pub violations: u32,
}

/// The score of a tour. It is rounded to four decimals, as the data of the literature are, so that people see 444.5425 and
/// not what is left of it in binary.
pub(super) fn score(cost: f64, violations: u32) -> f64 {
    ((cost + PENALTY * f64::from(violations)) * 1e4).round() / 1e4
}

/// How many windows a tour with this score misses, and its length: the parts of a score, which holds both.
///
/// ```
/// assert_eq!(nestling_puzzles::tsptw::parts(3_000_170.7107), (3, 170.7107));
/// ```
pub fn parts(score: f64) -> (u32, f64) {
    // A tour is shorter than the penalty for one window.
    let violations = (score / PENALTY).floor();
    (violations as u32, ((score - PENALTY * violations) * 1e4).round() / 1e4)
}

/// A description of a tour: "3 windows missed, length 170.71".
pub fn describe(violations: u32, length: f64) -> String {
    let windows = match violations {
        0 => "all windows kept".to_owned(),
        1 => "1 window missed".to_owned(),
        missed => format!("{missed} windows missed"),
    };
    format!("{windows}, length {length:.2}")
}

/// By pair of places, by how much the way is longer than the shortest way from the same place.
fn detours(places: usize, travel: &[f64]) -> Vec<f64> {
    let row = |(from, row): (usize, &[f64])| -> Vec<f64> {
        let others = row.iter().enumerate().filter(|&(to, _)| to != from);
        let shortest = others.map(|(_, &way)| way).fold(f64::INFINITY, f64::min);
        row.iter().map(|&way| (way - shortest).max(0.0)).collect()
    };
    travel.chunks(places).enumerate().flat_map(row).collect()
}

/// By place, when its window closes less the shortest way there.
fn deadlines(places: usize, travel: &[f64], windows: &[(f64, f64)]) -> Vec<f64> {
    let mut shortest = vec![f64::INFINITY; places];
    for (from, row) in travel.chunks(places).enumerate() {
        for (to, &way) in row.iter().enumerate().filter(|&(to, _)| to != from) {
            shortest[to] = shortest[to].min(way);
        }
    }
    windows.iter().zip(shortest).map(|(&(_, latest), way)| latest - way).collect()
}

impl TourInstance {
    /// Puts the parts together. Each was checked before; here they are checked against each other. The error is a message.
    pub(super) fn new(parts: TourData) -> Result<Self, String> {
        let TourData { names, points, travel, windows, clock } = parts;
        let places = names.len();
        // A tour leaves every place once.
        let dearest: f64 = travel.chunks(places).map(|row| row.iter().copied().fold(0.0, f64::max)).sum();
        if dearest >= PENALTY {
            return Err(format!(
                "a tour could cost {dearest:.0} and must stay below {PENALTY}; use a larger unit of time"
            ));
        }
        let detours = detours(places, &travel);
        let longest = travel.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let closing = windows.iter().filter(|(_, latest)| *latest < LATEST);
        let widest = closing.map(|(earliest, latest)| latest - earliest).fold(f64::MIN_POSITIVE, f64::max);
        let widest = if widest > f64::MIN_POSITIVE { widest } else { longest };
        let deadlines = deadlines(places, &travel, &windows);
        let tightest = Vec::new();
        let mut instance =
            TourInstance { names, points, travel, windows, clock, tightest, detours, longest, widest, deadlines };
        instance.tightest = (0..places as Place).flat_map(|place| instance.by_tightness(place)).collect();
        Ok(instance)
    }

    fn by_tightness(&self, place: Place) -> Vec<Place> {
        let leave = |other: &Place| self.latest(*other) - self.travel(place, *other);
        let mut others: Vec<Place> = (0..self.places() as Place).filter(|&other| other != place).collect();
        others.sort_by(|one, other| leave(one).total_cmp(&leave(other)));
        // The list ends at the depot, which is never visited before the end; the rest fills the row.
        others.push(place);
        others
    }

    /// The number of places, the depot included.
    #[inline]
    pub fn places(&self) -> usize {
        self.names.len()
    }

    /// The time from one place to another, the time spent at the first included.
    #[inline]
    pub fn travel(&self, from: Place, to: Place) -> f64 {
        self.travel[usize::from(from) * self.names.len() + usize::from(to)]
    }

    /// When a place's window opens.
    #[inline]
    pub fn earliest(&self, place: Place) -> f64 {
        self.windows[usize::from(place)].0
    }

    /// When a place's window closes.
    #[inline]
    pub fn latest(&self, place: Place) -> f64 {
        self.windows[usize::from(place)].1
    }

    /// The latest time at which the visit before this place may begin, wherever it is, for the window to be kept.
    #[inline]
    pub(super) fn deadline(&self, place: Place) -> f64 {
        self.deadlines[usize::from(place)]
    }

    /// When a place's window closes, if it ever does.
    pub fn closes(&self, place: Place) -> Option<f64> {
        Some(self.latest(place)).filter(|&latest| latest < LATEST)
    }

    /// A time as people read it: of the day, if the windows are given so.
    ///
    /// ```
    /// use nestling_puzzles::tsptw::TourInstance;
    /// let clock = TourInstance::read("x,y,earliest\n0,0,08:00\n1,1,09:00\n")?;
    /// assert_eq!((clock.time_text(480.0), clock.time_text(482.51)), ("08:00".to_owned(), "08:02:31".to_owned()));
    /// let numbers = TourInstance::read("x,y,earliest\n0,0,480\n1,1,540\n")?;
    /// assert_eq!(numbers.time_text(482.51), "482.51");
    /// # Ok::<(), nestling_puzzles::tsptw::ReadError>(())
    /// ```
    pub fn time_text(&self, time: f64) -> String {
        if !self.clock {
            return format!("{time:.2}");
        }
        let seconds = (time * 60.0).round() as u64;
        let minutes = format!("{:02}:{:02}", seconds / 3600, seconds / 60 % 60);
        if seconds.is_multiple_of(60) { minutes } else { format!("{minutes}:{:02}", seconds % 60) }
    }

    /// Whether times are minutes of the day.
    pub(super) fn is_clock(&self) -> bool {
        self.clock
    }

    /// The name of a place.
    pub fn name(&self, place: Place) -> &str {
        &self.names[usize::from(place)]
    }

    pub(super) fn name_of(&self, place: Place) -> Option<&str> {
        self.names.get(usize::from(place)).map(String::as_str)
    }

    /// Where the places are, if that is known.
    pub fn points(&self) -> Option<&[(f64, f64)]> {
        self.points.as_deref()
    }

    /// The longest way.
    pub(super) fn longest(&self) -> f64 {
        self.longest
    }

    /// The widest window that ever closes; the longest way if there is none.
    pub(super) fn widest(&self) -> f64 {
        self.widest
    }

    /// How much it invites to go from a place, where the visit began at `time`, to another: (1 + 20·(d + w)/T)⁻⁴, where d is by how
    /// much the way is longer than the shortest from there, w the wait for the window to open, and T the longest way of all.
    /// Powers by multiplication: weights decide playouts, and must be the same on every machine.
    #[inline]
    pub(super) fn nearness(&self, from: Place, time: f64, to: Place) -> f64 {
        let place = usize::from(from) * self.names.len() + usize::from(to);
        let wait = (self.earliest(to) - (time + self.travel[place])).max(0.0);
        // A window may open so late that the weight would vanish.
        let base = (1.0 + 20.0 * ((self.detours[place] + wait) / self.longest)).min(1e6);
        1.0 / ((base * base) * (base * base))
    }

    /// The other places, the one first that has to be left for first.
    #[inline]
    pub(super) fn tightest(&self, place: Place) -> &[Place] {
        let places = self.names.len();
        &self.tightest[usize::from(place) * places..][..places]
    }

    /// Going from one place, where the visit began at `time`, to the next.
    pub(super) fn visit(&self, from: Place, time: f64, place: Place) -> Visit {
        let arrival = time + self.travel(from, place);
        Visit { place, arrival, begin: arrival.max(self.earliest(place)), late: arrival > self.latest(place) }
    }

    /// A tour from the depot through these places and back, with its times.
    ///
    /// # Panics
    ///
    /// If a place does not exist.
    pub fn tour(&self, places: &[Place]) -> Tour {
        let (mut here, mut time) = (0, self.earliest(0));
        let mut tour = Tour { visits: Vec::new(), cost: 0.0, violations: 0 };
        for &place in places.iter().chain(&[0]) {
            let visit = self.visit(here, time, place);
            tour.cost += self.travel(here, place);
            tour.violations += u32::from(visit.late);
            tour.visits.push(visit);
            (here, time) = (place, visit.begin);
        }
        tour
    }
}
