//! The travelling salesman with time windows as people see it.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use nestling::Illegal;
use nestling_puzzles::tsptw::{Instance, MOST_PLACES, Place, Tsptw, svg};

use crate::Registry;
use crate::exhibit::{Canvas, Comparison, Exhibit, Likeness, Picture};
use crate::format::shown;
use crate::parameters::Parameters;

/// No instance is this large.
const LARGEST: u64 = 64 << 20;

/// Adds it to a registry.
pub(crate) fn register(registry: Registry) -> Registry {
    registry.with("tsptw", "the travelling salesman with time windows; tsptw:FILE, or tsptw:places=20,seed=1", open)
}

fn open(parameters: &str) -> Result<Tsptw, String> {
    if parameters.is_empty() || ["places=", "seed="].iter().any(|key| parameters.starts_with(key)) {
        let parameters = Parameters::read(parameters, &["places", "seed"])?;
        let places = parameters.number("places", 20, 2..=MOST_PLACES)?;
        return Ok(Tsptw::new(Instance::random(places, parameters.number("seed", 1, 0..=u64::MAX)?)));
    }
    let name = shown(parameters, 60);
    let path = find(parameters)
        .ok_or_else(|| format!("there is no file {name}, and none in tsptw/ of the folder that NESTLING_DATA names"))?;
    let text = read(&path).map_err(|reason| format!("{name}: {reason}"))?;
    Instance::read(&text).map(Tsptw::new).map_err(|error| format!("{name}: {error}"))
}

/// The file itself, or one of the benchmark data, whose ending may be left out.
fn find(name: &str) -> Option<PathBuf> {
    let own = PathBuf::from(name);
    let data = std::env::var_os("NESTLING_DATA").map(|folder| Path::new(&folder).join("tsptw"));
    let benchmarks = data.into_iter().flat_map(|folder| [folder.join(name), folder.join(format!("{name}.txt"))]);
    std::iter::once(own).chain(benchmarks).find(|path| path.is_file())
}

fn read(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|_| "cannot be opened")?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|_| "cannot be read")?;
    if bytes.len() as u64 > LARGEST {
        return Err("larger than 64 MiB, which no instance is".to_owned());
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count();
        format!("line {line}: not text in UTF-8")
    })
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
