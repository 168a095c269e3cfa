//! Bus regulation: when a bus arrives at a stop, decide how long it waits there, so that passengers wait less.
//!
//! The problem of Cazenave, *Nested Monte-Carlo Search*, 2009, with all sizes adjustable. One loop of stops has a terminal at its
//! beginning and one half way round; half of the buses stand at each, and at fixed intervals each releases one. Time goes
//! by in minutes. How long a bus takes to the next stop drifts up and down, with an incident now and then; passengers
//! arrive at the stops, and a bus takes all of them. A bus that arrives at a stop stays there for 1 minute (no regulation) to 4.
//! The cost of a day is the time that passengers wait at the stops between the terminals, in thousands of minutes; who comes in
//! one minute and is taken along in a later one has waited for the full minutes between.
//!
//! Everything random is drawn beforehand. A search on [`Bus`] itself knows the future; `mean` redraws it
//! ([`Problem::redraw`]), so that `step(lookahead(mean(100, playout)), memory=off)` regulates without knowing it.

mod draw;
mod line;
#[cfg(test)]
mod plain;
mod presentation;
mod world;

use std::sync::Arc;

use nestling::{Goal, Problem, Rng, Stream};

pub use draw::svg;
pub use line::{BusLine, HoldingRule, InvalidLine};
use world::World;

/// The time at which a bus comes that stands at a terminal.
const PARKED: u16 = u16::MAX;

/// A day on a bus line, when a bus has arrived at a stop; a move is the minutes that it stays there.
///
/// | policy | a playout considers |
/// |---|---|
/// | `sparing` (the default) | all waits, 1 minute with weight 1 and every longer one with weight 1/256: what is decided now shows better if little happens later |
/// | `unregulated` | 1 minute |
/// | `rule` | what the [rule](BusLine::rule) says |
///
/// ```
/// use nestling::Run;
/// use nestling_puzzles::bus::{Bus, BusLine};
/// let day = Bus::new(BusLine::default(), 7)?;
/// let unregulated = Run::new(&day, "playout(unregulated)".parse()?).start()?.score().unwrap();
/// let searched = Run::new(&day, "nested(1, playout=unregulated)".parse()?).start()?.score().unwrap();
/// assert!(searched < unregulated);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Bus {
    line: Arc<BusLine>,
    world: Arc<World>,
    minute: u16,
    /// The bus that has arrived at a stop; none at the end of the day.
    pending: Option<usize>,
    /// When the terminals release the next buses.
    release: u16,
    /// Passenger-minutes waited.
    cost: u64,
    buses: Vec<Vehicle>,
    stops: Vec<BusStop>,
}

#[derive(Clone, Copy, Debug)]
struct Vehicle {
    /// The stop it drives to, or is at if it has arrived.
    next: u16,
    /// When it gets there.
    at: u16,
    /// When it leaves, or left, the stop before; for one that is parked, when it was.
    left: u16,
}

#[derive(Clone, Copy, Debug)]
struct BusStop {
    /// The passengers who came before this minute have been taken along.
    cleared: u16,
    /// How many passengers had come until then, and how long they would all have waited by then, or by the beginning of the
    /// minutes that count, if no bus had ever taken them.
    came: u32,
    waited: u32,
}

clone_state!(Bus: shared [line, world], owned [buses, stops], plain [minute, pending, release, cost]);

const POLICIES: &[&str] = &["sparing", "unregulated", "rule"];

/// The weight of a wait of more than a minute in the policy `sparing`.
const SPARING: f64 = 1.0 / 256.0;

impl Bus {
    /// The day with this seed, at the first decision.
    ///
    /// # Errors
    ///
    /// When a size of the line makes no sense.
    pub fn new(line: BusLine, seed: u64) -> Result<Self, InvalidLine> {
        line.check()?;
        let world = World::new(&line, &mut Stream::new(seed).rng());
        let half = line.stops / 2;
        let parked = |bus: u16| Vehicle { next: if bus.is_multiple_of(2) { 0 } else { half }, at: PARKED, left: 0 };
        let mut day = Bus {
            buses: (0..line.buses).map(parked).collect(),
            stops: Vec::new(),
            line: Arc::new(line),
            world: Arc::new(world),
            minute: 0,
            pending: None,
            release: 0,
            cost: 0,
        };
        day.stops = (0..day.line.stops).map(|stop| day.cleared(stop, 0)).collect();
        day.go_on();
        Ok(day)
    }

    /// The line.
    pub fn line(&self) -> &BusLine {
        &self.line
    }

    /// The minute, the bus and the stop of the decision to be made; nothing at the end of the day.
    pub fn decision(&self) -> Option<(u16, usize, u16)> {
        self.pending.map(|bus| (self.minute, bus, self.buses[bus].next))
    }

    /// The minutes that a rule lets the bus wait here.
    ///
    /// ```
    /// use nestling::Problem;
    /// use nestling_puzzles::bus::{Bus, BusLine, HoldingRule};
    /// let mut day = Bus::new(BusLine::default(), 7)?;
    /// while day.decision().is_some() {
    ///     day.play(day.by_rule(HoldingRule { delta: 8, wait: 4 }));
    /// }
    /// assert!((100.0..250.0).contains(&day.score()));
    /// # Ok::<(), nestling_puzzles::bus::InvalidLine>(())
    /// ```
    pub fn by_rule(&self, rule: HoldingRule) -> u8 {
        if self.gap_behind().is_some_and(|gap| gap > rule.delta) { rule.wait } else { 1 }
    }

    /// The distance in stops of the nearest bus behind the one that waits for a decision.
    fn gap_behind(&self) -> Option<u16> {
        let bus = self.pending?;
        let (here, stops) = (self.buses[bus].next, self.line.stops);
        let others = self.buses.iter().enumerate().filter(|&(other, _)| other != bus);
        let gap = |(_, other): (usize, &Vehicle)| {
            let place = if other.at == PARKED { other.next } else { (other.next + stops - 1) % stops };
            (here + stops - place) % stops
        };
        others.map(gap).min()
    }

    fn is_terminal(&self, stop: u16) -> bool {
        stop == 0 || stop == self.line.stops / 2
    }

    /// Goes on to the next decision, or to the end of the day.
    fn go_on(&mut self) {
        loop {
            // Who comes in the minute of a release can be released.
            let (bus, time) = self.first_bus();
            if self.release < time.min(self.line.end) {
                self.release_buses();
                continue;
            }
            if time >= self.line.end {
                self.pending = None;
                return;
            }
            self.minute = time;
            let stop = self.buses[bus].next;
            if self.is_terminal(stop) {
                self.buses[bus] = Vehicle { next: stop, at: PARKED, left: time };
                continue;
            }
            self.cost += self.waited(stop, time);
            if time >= self.line.begin {
                self.pending = Some(bus);
                return;
            }
            self.stay(bus, 1);
        }
    }

    /// The bus that arrives at a stop next, and when.
    #[inline]
    fn first_bus(&self) -> (usize, u16) {
        let mut first = (0, PARKED);
        for (bus, vehicle) in self.buses.iter().enumerate() {
            if vehicle.at < first.1 {
                first = (bus, vehicle.at);
            }
        }
        first
    }

    fn release_buses(&mut self) {
        let time = self.release;
        for terminal in [0, self.line.stops / 2] {
            let parked = |(_, vehicle): &(usize, &Vehicle)| vehicle.at == PARKED && vehicle.next == terminal;
            let waiting = self.buses.iter().enumerate().filter(parked).min_by_key(|(_, vehicle)| vehicle.left);
            if let Some((bus, _)) = waiting {
                self.leave(bus, time);
            }
        }
        self.release += self.line.interval;
    }

    /// What the passengers have waited at a stop, in the minutes that count, from when it was cleared to `time`.
    #[inline]
    fn waited(&self, stop: u16, time: u16) -> u64 {
        let BusStop { cleared, came, waited } = self.stops[usize::from(stop)];
        let from = cleared.max(self.line.begin);
        if time <= from {
            return 0;
        }
        u64::from(self.world.waited(stop, time) - waited) - u64::from(time - from) * u64::from(came)
    }

    /// The bus that has just arrived at a stop stays there for some minutes.
    fn stay(&mut self, bus: usize, minutes: u8) {
        let time = self.minute + u16::from(minutes);
        let stop = self.buses[bus].next;
        if time > self.stops[usize::from(stop)].cleared {
            self.stops[usize::from(stop)] = self.cleared(stop, time.min(self.line.end));
        }
        self.leave(bus, time);
    }

    fn cleared(&self, stop: u16, time: u16) -> BusStop {
        let from = time.max(self.line.begin);
        BusStop { cleared: time, came: self.world.came(stop, time), waited: self.world.waited(stop, from) }
    }

    fn leave(&mut self, bus: usize, time: u16) {
        let stop = self.buses[bus].next;
        let ride = self.world.ride(stop, time.min(self.line.end - 1));
        self.buses[bus] = Vehicle { next: (stop + 1) % self.line.stops, at: time + ride, left: time };
    }
}

impl Problem for Bus {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        if self.pending.is_some() {
            moves.extend(1..=self.line.longest_wait);
        }
    }

    fn play(&mut self, minutes: u8) {
        let bus = self.pending.take().expect("a bus waits for a decision");
        self.stay(bus, minutes);
        self.go_on();
    }

    fn score(&self) -> f64 {
        let rest: u64 = (0..self.line.stops)
            .filter(|&stop| !self.is_terminal(stop))
            .map(|stop| self.waited(stop, self.line.end))
            .sum();
        (self.cost + rest) as f64 / 1000.0
    }

    fn goal(&self) -> Goal {
        Goal::Min
    }

    /// The bus, the stop and the minutes.
    fn code(&self, minutes: u8) -> u64 {
        let bus = self.pending.unwrap_or(0);
        let place = bus as u64 * u64::from(self.line.stops) + u64::from(self.buses[bus].next);
        place * u64::from(self.line.longest_wait) + u64::from(minutes - 1)
    }

    fn dense_codes(&self) -> usize {
        self.buses.len() * self.stops.len() * usize::from(self.line.longest_wait)
    }

    fn policies(&self) -> &'static [&'static str] {
        POLICIES
    }

    fn default_policy(&self) -> &'static str {
        POLICIES[0]
    }

    fn prefer(&self, policy: usize, moves: &mut Vec<u8>, weights: &mut Vec<f64>) {
        match policy {
            0 => weights.extend(moves.iter().map(|&minutes| if minutes == 1 { 1.0 } else { SPARING })),
            1 => moves.truncate(1),
            _ => {
                let wait = self.by_rule(self.line.rule);
                moves.retain(|&minutes| minutes == wait);
            }
        }
    }

    /// Draws all that happens after this minute anew. Buses on their way come when they would have come.
    fn redraw(&mut self, rng: &mut Rng) {
        if self.pending.is_none() {
            return;
        }
        let now = self.minute;
        self.world = Arc::new(self.world.redrawn(&self.line, now, rng));
        for stop in 0..self.line.stops {
            let cleared = self.stops[usize::from(stop)].cleared;
            if cleared > now {
                self.stops[usize::from(stop)] = self.cleared(stop, cleared);
            }
        }
    }

    fn move_text(&self, minutes: u8) -> String {
        match self.decision() {
            Some((time, bus, stop)) => format!("minute {time}, bus {bus}, stop {stop}: {minutes} min"),
            None => format!("{minutes} min"),
        }
    }
}
