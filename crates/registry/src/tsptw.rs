//! The travelling salesman with time windows as people see it.

use nestling::Illegal;
use nestling_puzzles::tsptw::{Instance, MOST_PLACES, Place, Tsptw, Visit, svg};
use serde_json::{Value, json};

use crate::exhibit::{Canvas, Comparison, Exhibit, Likeness, Picture};
use crate::format::shown;
use crate::parameters::{Parameters, Reach};
use crate::{Refusal, Registry};

/// Adds it to a registry.
pub(crate) fn register(registry: Registry) -> Registry {
    registry.with_files(
        "tsptw",
        "the travelling salesman with time windows; tsptw:FILE, or tsptw:places=20,seed=1",
        open,
    )
}

fn open(text: &str, reach: Reach) -> Result<Tsptw, Refusal> {
    let parameters = Parameters::new(text, "tsptw", &["places", "seed"])?;
    parameters.only_without_file(&["places", "seed"])?;
    if parameters.has_file() {
        let (text, number) = parameters.read(reach)?;
        let instance = Instance::read(&text).map_err(|error| parameters.in_file(error))?;
        return Ok(Tsptw::new(parameters.pick(vec![instance], number)?));
    }
    let places = parameters.number("places", 20, 2..=MOST_PLACES)?;
    Ok(Tsptw::new(Instance::random(places, parameters.number("seed", 1, 0..=u64::MAX)?)))
}

impl Exhibit for Tsptw {
    fn view(&self, moves: &[Place]) -> Option<Value> {
        let (instance, points) = (self.instance(), self.instance().points());
        let place = |place: Place| {
            let mut object = json!({
                "name": instance.name(place), "earliest": instance.earliest(place), "latest": instance.latest(place),
            });
            if let Some((x, y)) = points.map(|points| points[usize::from(place)]) {
                (object["x"], object["y"]) = (json!(x), json!(y));
            }
            object
        };
        let tour = instance.tour(moves);
        let visit = |visit: &Visit| json!({ "place": visit.place, "arrival": visit.arrival, "begin": visit.begin, "late": visit.late });
        Some(json!({
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
            let (name, earliest, latest) =
                (instance.name(visit.place), instance.earliest(visit.place), instance.latest(visit.place));
            let remark = match (visit.late, visit.begin - visit.arrival) {
                (true, _) => "  TOO LATE".to_owned(),
                (false, wait) if wait > 0.0 => format!("  waits {wait:.2}"),
                _ => String::new(),
            };
            text += &format!("{name:names$}  {:>10.2}  {earliest:>10.2}  {latest:>10.2}{remark}\n", visit.arrival);
        }
        text
    }

    fn picture(&self, moves: &[Place], picture: &Picture) -> Option<String> {
        svg(self.instance(), moves, &picture.style()?)
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
