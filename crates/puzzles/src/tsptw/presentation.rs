//! The travelling salesman with time windows as people see it.

use nestling::Illegal;
use nestling_presentation::{Canvas, Comparison, Likeness, Meaning, Picture, Presentation, shown};
use serde_json::{Value, json};

use super::layout::layout;
use super::{Place, Tsptw, Visit, describe, parts, svg};

impl Presentation for Tsptw {
    fn view(&self, moves: &[Place]) -> Option<Value> {
        let instance = self.instance();
        let made_up = if instance.points().is_none() { layout(instance) } else { Vec::new() };
        let points = instance.points().unwrap_or(&made_up);
        let place = |place: Place| {
            let (x, y) = points[usize::from(place)];
            json!({
                "name": instance.name(place), "earliest": instance.earliest(place), "latest": instance.latest(place),
                "closes": instance.closes(place).is_some(), "x": x, "y": y,
            })
        };
        let tour = instance.tour(moves);
        let visit = |visit: &Visit| json!({ "place": visit.place, "arrival": visit.arrival, "begin": visit.begin, "late": visit.late });
        Some(json!({
            "map": if instance.points().is_some() { "given" } else { "made up" },
            "clock": instance.is_clock(),
            "places": (0..instance.places() as Place).map(place).collect::<Vec<_>>(),
            "visits": tour.visits.iter().map(visit).collect::<Vec<_>>(),
            "cost": tour.cost,
            "violations": tour.violations,
        }))
    }

    /// A line for every visit: when the place is reached, its window, and what is wrong.
    fn draw(&self, moves: &[Place], _: Canvas) -> String {
        let instance = self.instance();
        let tour = instance.tour(moves);
        let width = |text: &str| text.chars().count();
        let names = tour.visits.iter().map(|visit| width(instance.name(visit.place))).max().unwrap_or(0).max(5);
        let mut text = format!("{:names$}  {:>10}  {:>10}  {:>10}\n", "place", "reached", "earliest", "latest");
        for visit in &tour.visits {
            let (name, arrival) = (instance.name(visit.place), instance.time_text(visit.arrival));
            let earliest = instance.time_text(instance.earliest(visit.place));
            let latest = instance.closes(visit.place).map_or_else(|| "any".to_owned(), |time| instance.time_text(time));
            let remark = match (visit.late, visit.begin - visit.arrival) {
                (true, _) => "  TOO LATE".to_owned(),
                (false, wait) if wait > 0.0 => format!("  waits {wait:.2}"),
                _ => String::new(),
            };
            text += &format!("{name:names$}  {arrival:>10}  {earliest:>10}  {latest:>10}{remark}\n");
        }
        text
    }

    fn meaning(score: f64, proven: bool) -> Option<Meaning> {
        let (missed, length) = parts(score);
        let proof = if proven { "; proven: no tour is better" } else { "" };
        Some(Meaning {
            words: format!("{}{proof}", describe(missed, length)),
            solved: missed == 0,
            parts: vec![("windows_missed", missed.into()), ("length", length)],
        })
    }

    fn picture(&self, moves: &[Place], picture: &Picture) -> Option<String> {
        svg(self.instance(), moves, picture.still()?)
    }

    /// Looks names up.
    fn parse(&self, texts: &[&str]) -> Result<Vec<Place>, Illegal> {
        let places = 0..self.instance().places() as Place;
        let find = |(index, text): (usize, &&str)| {
            let found = places.clone().find(|&place| self.instance().name(place) == *text);
            found.ok_or_else(|| Illegal { index, reason: format!("there is no place \"{}\"", shown(text, 30)) })
        };
        texts.iter().enumerate().map(find).collect()
    }

    fn compare(&self, one: &[Place], other: &[Place]) -> Comparison {
        match one == other {
            true => Comparison::new(Likeness::SameGame, "the same tour"),
            false => Comparison::new(Likeness::Different, "another tour"),
        }
    }
}
