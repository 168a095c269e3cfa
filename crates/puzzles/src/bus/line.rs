//! The sizes of a line.

use std::ops::RangeInclusive;

/// Of every size the largest that is taken.
const LARGEST: u16 = 2000;

/// A bus line and a day on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BusLine {
    /// Stops on the loop, the two terminals included; even.
    pub stops: u16,
    /// Buses; half of them start at each terminal.
    pub buses: u16,
    /// Minutes between two releases of a terminal.
    pub interval: u16,
    /// The shortest and the longest time to the next stop.
    pub travel: (u16, u16),
    /// The minutes that an incident adds to it. One departure in a hundred meets one.
    pub incident: u16,
    /// The most passengers that arrive at a stop in a minute; all numbers from 0 are equally likely.
    pub passengers: u16,
    /// The longest wait that may be decided.
    pub longest_wait: u8,
    /// The minute from which on waits are decided and counted.
    pub begin: u16,
    /// The end of the day.
    pub end: u16,
    /// The rule that the policy `rule` plays by.
    pub rule: HoldingRule,
}

/// Human regulators' rule: wait so long if the nearest bus behind is more than `delta` stops away, else 1 minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoldingRule {
    /// The number of stops.
    pub delta: u16,
    /// The minutes.
    pub wait: u8,
}

impl Default for BusLine {
    /// Sizes at which the rules do about what they do in the paper, which does not give its own.
    fn default() -> Self {
        BusLine {
            stops: 60,
            buses: 14,
            interval: 30,
            travel: (1, 5),
            incident: 5,
            passengers: 4,
            longest_wait: 4,
            begin: 200,
            end: 300,
            rule: HoldingRule { delta: 8, wait: 4 },
        }
    }
}

/// A size that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidLine(String);

impl BusLine {
    /// What [`stops`](BusLine::stops) may be.
    pub const STOPS: RangeInclusive<u16> = 4..=LARGEST;
    /// What [`buses`](BusLine::buses) may be.
    pub const BUSES: RangeInclusive<u16> = 2..=200;
    /// What [`interval`](BusLine::interval) may be.
    pub const INTERVAL: RangeInclusive<u16> = 1..=LARGEST;
    /// What [`incident`](BusLine::incident) may be.
    pub const INCIDENT: RangeInclusive<u16> = 0..=100;
    /// What [`passengers`](BusLine::passengers) may be.
    pub const PASSENGERS: RangeInclusive<u16> = 0..=100;
    /// What [`begin`](BusLine::begin) may be.
    pub const BEGIN: RangeInclusive<u16> = 0..=LARGEST;

    /// What [`end`](BusLine::end) may be on a day that begins then.
    pub fn ends(begin: u16) -> RangeInclusive<u16> {
        begin.saturating_add(1)..=LARGEST + 1
    }

    pub(super) fn check(&self) -> Result<(), InvalidLine> {
        let ranges = [
            ("stops", self.stops, BusLine::STOPS),
            ("buses", self.buses, BusLine::BUSES),
            ("interval", self.interval, BusLine::INTERVAL),
            ("the shortest travel time", self.travel.0, 1..=100),
            ("the longest travel time", self.travel.1, self.travel.0..=100),
            ("incident", self.incident, BusLine::INCIDENT),
            ("passengers", self.passengers, BusLine::PASSENGERS),
            ("wait", self.longest_wait.into(), 1..=100),
            ("begin", self.begin, BusLine::BEGIN),
            ("end", self.end, BusLine::ends(self.begin)),
            ("the rule's wait", self.rule.wait.into(), 1..=self.longest_wait.into()),
        ];
        for (name, size, range) in ranges {
            if !range.contains(&size) {
                let (least, most) = (range.start(), range.end());
                return Err(InvalidLine(format!("{name} is {size}, and must be from {least} to {most}")));
            }
        }
        if self.stops % 2 == 1 {
            return Err(InvalidLine(format!("stops is {}, and must be even: a terminal lies half way", self.stops)));
        }
        Ok(())
    }
}
