//! The events on a line that no decision changes: travel times, incidents, passengers.

use nestling::Rng;

use super::line::BusLine;

/// Tables with a row of stops for every minute from `first` on.
#[derive(Debug)]
pub(super) struct World {
    first: u16,
    stops: usize,
    roads: Vec<Road>,
    crowds: Vec<Passengers>,
}

/// The way to the next stop in one minute.
#[derive(Clone, Copy, Debug)]
struct Road {
    /// The travel time without incidents.
    walk: u8,
    /// The minutes that an incident adds for a bus that leaves in this minute.
    incident: u8,
}

/// The passengers of a stop at the beginning of a minute, if no bus had ever taken any.
#[derive(Clone, Copy, Debug, Default)]
struct Passengers {
    came: u32,
    /// The sum of `came` over the minutes before.
    waited: u32,
}

impl Passengers {
    fn next(self, passengers: usize) -> Passengers {
        Passengers { came: self.came + passengers as u32, waited: self.waited + self.came }
    }
}

impl World {
    pub fn new(line: &BusLine, rng: &mut Rng) -> Self {
        let stops = usize::from(line.stops);
        let (shortest, longest) = line.travel;
        let travel = usize::from(longest - shortest) + 1;
        let mut road = || Road {
            walk: (usize::from(shortest) + rng.below(travel)) as u8,
            incident: incident(line, rng.below(100)),
        };
        let roads = (0..stops).map(|_| road()).collect();
        let mut crowds = vec![Passengers::default(); stops];
        crowds.extend((0..stops).map(|_| Passengers::default().next(rng.below(usize::from(line.passengers) + 1))));
        World { first: 0, stops, roads, crowds }.extended(line, rng)
    }

    /// The same world up to minute `now`, another afterwards.
    pub fn redrawn(&self, line: &BusLine, now: u16, rng: &mut Rng) -> Self {
        let (place, minutes) = (self.place(0, now), usize::from(line.end - now));
        let mut roads = Vec::with_capacity(minutes * self.stops);
        roads.extend_from_slice(&self.roads[place..place + self.stops]);
        let mut crowds = Vec::with_capacity((minutes + 1) * self.stops);
        crowds.extend_from_slice(&self.crowds[place..place + 2 * self.stops]);
        World { first: now, stops: self.stops, roads, crowds }.extended(line, rng)
    }

    /// Draws the minutes to the end of the day. `mean` spends most of its time here, so that one number is drawn for all that
    /// happens at a stop in a minute.
    fn extended(mut self, line: &BusLine, rng: &mut Rng) -> Self {
        let (shortest, longest) = (line.travel.0 as u8, line.travel.1 as u8);
        let outcomes = 5 * 100 * (usize::from(line.passengers) + 1);
        for _ in 1..line.end - self.first {
            let (roads, crowds) = (self.roads.len() - self.stops, self.crowds.len() - self.stops);
            for stop in 0..self.stops {
                let drawn = rng.below(outcomes);
                // Up with probability 0.4, down with 0.4.
                let Road { walk, .. } = self.roads[roads + stop];
                let walk = (walk + [2, 2, 0, 0, 1][drawn % 5] - 1).clamp(shortest, longest);
                self.roads.push(Road { walk, incident: incident(line, drawn / 5 % 100) });
                self.crowds.push(self.crowds[crowds + stop].next(drawn / 500));
            }
        }
        self
    }

    #[inline]
    fn place(&self, stop: u16, minute: u16) -> usize {
        usize::from(minute - self.first) * self.stops + usize::from(stop)
    }

    /// How long a bus takes to the next stop that leaves this one in that minute.
    #[inline]
    pub fn ride(&self, stop: u16, minute: u16) -> u16 {
        let Road { walk, incident } = self.roads[self.place(stop, minute)];
        u16::from(walk) + u16::from(incident)
    }

    /// How many passengers arrived at the stop before that minute.
    #[inline]
    pub fn came(&self, stop: u16, minute: u16) -> u32 {
        self.crowds[self.place(stop, minute)].came
    }

    /// How long they would all have waited before that minute, if no bus had ever taken them.
    #[inline]
    pub fn waited(&self, stop: u16, minute: u16) -> u32 {
        self.crowds[self.place(stop, minute)].waited
    }
}

/// One departure in a hundred meets an incident.
#[inline]
fn incident(line: &BusLine, drawn: usize) -> u8 {
    if drawn == 0 { line.incident as u8 } else { 0 }
}
