//! What happens on a line, whatever anyone decides: travel times, incidents, passengers.

use nestling::Rng;

use super::line::Line;

/// Tables with a row of stops for every minute from `first` on.
#[derive(Debug)]
pub(super) struct World {
    first: u16,
    stops: usize,
    /// The travel time to the next stop without incidents, and the time that one adds for who leaves in that minute.
    walk: Vec<u8>,
    incident: Vec<u8>,
    /// The number of passengers that came before that minute.
    came: Vec<u32>,
    /// The sum, over the minutes before that one, of the passengers that came before each.
    waited: Vec<u32>,
}

impl World {
    pub fn new(line: &Line, rng: &mut Rng) -> Self {
        let stops = usize::from(line.stops);
        let (shortest, longest) = line.travel;
        let travel = usize::from(longest - shortest) + 1;
        let mut world = World {
            first: 0,
            stops,
            walk: (0..stops).map(|_| (usize::from(shortest) + rng.below(travel)) as u8).collect(),
            incident: (0..stops).map(|_| incident(line, rng.below(100))).collect(),
            came: vec![0; stops],
            waited: vec![0; stops],
        };
        world.next_passengers(|| rng.below(usize::from(line.passengers) + 1) as u32);
        world.extend(line, rng);
        world
    }

    /// The same world up to minute `now`, another afterwards.
    pub fn redrawn(&self, line: &Line, now: u16, rng: &mut Rng) -> Self {
        let row = |table: &[u8]| table[self.place(0, now)..][..self.stops].to_vec();
        let rows = |table: &[u32]| table[self.place(0, now)..][..2 * self.stops].to_vec();
        let mut world = World {
            first: now,
            stops: self.stops,
            walk: row(&self.walk),
            incident: row(&self.incident),
            came: rows(&self.came),
            waited: rows(&self.waited),
        };
        world.extend(line, rng);
        world
    }

    /// Draws the minutes to the end of the day.
    fn extend(&mut self, line: &Line, rng: &mut Rng) {
        let minutes = usize::from(line.end - self.first);
        for table in [&mut self.walk, &mut self.incident] {
            table.reserve((minutes - 1) * self.stops);
        }
        for table in [&mut self.came, &mut self.waited] {
            table.reserve(minutes * self.stops);
        }
        let (shortest, longest) = (line.travel.0 as u8, line.travel.1 as u8);
        let passengers = usize::from(line.passengers) + 1;
        for _ in 1..minutes {
            let before = self.walk.len() - self.stops;
            for place in before..before + self.stops {
                // One draw for both: up with probability 0.4, down with 0.4; an incident with 0.01.
                let drawn = rng.below(500);
                let step = match drawn % 5 {
                    0 | 1 => self.walk[place] + 1,
                    2 | 3 => self.walk[place] - 1,
                    _ => self.walk[place],
                };
                self.walk.push(step.clamp(shortest, longest));
                self.incident.push(incident(line, drawn / 5));
            }
            self.next_passengers(|| rng.below(passengers) as u32);
        }
    }

    /// Appends a minute's passengers.
    fn next_passengers(&mut self, mut number: impl FnMut() -> u32) {
        let before = self.came.len() - self.stops;
        for place in before..before + self.stops {
            self.came.push(self.came[place] + number());
            self.waited.push(self.waited[place] + self.came[place]);
        }
    }

    #[inline]
    fn place(&self, stop: u16, minute: u16) -> usize {
        usize::from(minute - self.first) * self.stops + usize::from(stop)
    }

    /// How long a bus takes to the next stop that leaves this one in that minute.
    #[inline]
    pub fn ride(&self, stop: u16, minute: u16) -> u16 {
        let place = self.place(stop, minute);
        u16::from(self.walk[place]) + u16::from(self.incident[place])
    }

    /// How many passengers came to the stop before that minute.
    #[inline]
    pub fn came(&self, stop: u16, minute: u16) -> u32 {
        self.came[self.place(stop, minute)]
    }

    /// How long they would all have waited before that minute, had nobody ever taken them.
    #[inline]
    pub fn waited(&self, stop: u16, minute: u16) -> u32 {
        self.waited[self.place(stop, minute)]
    }
}

fn incident(line: &Line, drawn: usize) -> u8 {
    if drawn == 0 { line.incident as u8 } else { 0 }
}
