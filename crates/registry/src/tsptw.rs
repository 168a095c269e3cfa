//! The travelling salesman with time windows as people see it.

use nestling::Illegal;
use nestling_puzzles::tsptw::{Instance, MOST_PLACES, Place, Tsptw, svg};

use crate::exhibit::{Canvas, Comparison, Exhibit, Likeness, Picture};
use crate::format::shown;
use crate::parameters::Parameters;
use crate::{Refusal, Registry};

/// Adds it to a registry.
pub(crate) fn register(registry: Registry) -> Registry {
    registry.with("tsptw", "the travelling salesman with time windows; tsptw:FILE, or tsptw:places=20,seed=1", open)
}

fn open(text: &str) -> Result<Tsptw, Refusal> {
    let parameters = Parameters::new(text, "tsptw", &["places", "seed"])?;
    parameters.only_without_file(&["places", "seed"])?;
    if parameters.has_file() {
        let (text, _) = parameters.read()?;
        return Ok(Tsptw::new(Instance::read(&text).map_err(|error| parameters.in_file(error))?));
    }
    let places = parameters.number("places", 20, 2..=MOST_PLACES)?;
    Ok(Tsptw::new(Instance::random(places, parameters.number("seed", 1, 0..=u64::MAX)?)))
}

impl Exhibit for Tsptw {
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
