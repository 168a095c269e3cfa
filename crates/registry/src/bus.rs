//! Bus regulation as people see it.

use nestling::Problem;
use nestling_puzzles::bus::{Bus, Line, Rule, svg};

use crate::exhibit::{Canvas, Exhibit, Picture};
use crate::parameters::{Parameters, number};
use crate::{Refusal, Registry};

const KNOWN: &[&str] = &[
    "seed",
    "stops",
    "buses",
    "interval",
    "travel",
    "incident",
    "passengers",
    "wait",
    "begin",
    "end",
    "delta",
    "hold",
];

/// Adds it to a registry.
pub(crate) fn register(registry: Registry) -> Registry {
    registry.with("bus", "bus regulation, a day by seed; bus:seed=7,stops=60,buses=14,travel=1-5", open)
}

fn open(text: &str) -> Result<Bus, Refusal> {
    let parameters = Parameters::options(text, KNOWN)?;
    let usual = Line::default();
    let begin = parameters.number("begin", usual.begin, Line::BEGIN)?;
    let longest_wait = parameters.number("wait", usual.longest_wait, 1..=100)?;
    let line = Line {
        stops: parameters.number("stops", usual.stops, Line::STOPS)?,
        buses: parameters.number("buses", usual.buses, Line::BUSES)?,
        interval: parameters.number("interval", usual.interval, Line::INTERVAL)?,
        travel: parameters.option("travel").map_or(Ok(usual.travel), travel)?,
        incident: parameters.number("incident", usual.incident, Line::INCIDENT)?,
        passengers: parameters.number("passengers", usual.passengers, Line::PASSENGERS)?,
        longest_wait,
        begin,
        end: parameters.number("end", usual.end, Line::ends(begin))?,
        rule: Rule {
            delta: parameters.number("delta", usual.rule.delta, 0..=u16::MAX)?,
            wait: parameters.number("hold", usual.rule.wait.min(longest_wait), 1..=longest_wait)?,
        },
    };
    Ok(Bus::new(line, parameters.number("seed", 1, 0..=u64::MAX)?).map_err(|error| error.to_string())?)
}

fn travel(text: &str) -> Result<(u16, u16), String> {
    let (shortest, longest) =
        text.split_once('-').ok_or("travel is a range of minutes; write it like travel=1-5".to_owned())?;
    Ok((number("travel", shortest, 1..=100)?, number("travel", longest, 1..=100)?))
}

impl Exhibit for Bus {
    /// A line for every wait beyond the first minute; the picture shows the day.
    fn draw(&self, moves: &[u8], _: Canvas) -> String {
        let (mut day, mut text) = (self.clone(), String::new());
        for &minutes in moves {
            if minutes > 1 {
                text += &format!("{}\n", day.move_text(minutes));
            }
            day.play(minutes);
        }
        let held = text.lines().count();
        format!("{text}{held} of {} stops last longer than a minute\n", moves.len())
    }

    fn picture(&self, moves: &[u8], picture: &Picture) -> Option<String> {
        Some(svg(self, moves, &picture.style()?))
    }

    fn unit(&self) -> Option<&'static str> {
        Some("thousand passenger-minutes")
    }
}
