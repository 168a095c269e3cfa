//! A tour on a map.

use super::{Place, TourInstance, Visit, describe};
use nestling_presentation::{Picture, Sheet};

/// The length of the longer side of the map.
const MAP: f64 = 900.0;

/// With more places than this there is no room for their names.
const MOST_NAMES: usize = 40;

/// A map of a tour from the depot and back, where the places have coordinates: numbered by the order of the visits, late ones
/// pointed out. Places that the moves do not reach are drawn without a number.
///
/// ```
/// use nestling_presentation::Picture;
/// use nestling_puzzles::tsptw::{self, TourInstance};
/// let instance = TourInstance::random(5, 1);
/// assert!(tsptw::svg(&instance, &[1, 2, 3, 4], &Picture::default()).unwrap().starts_with("<svg"));
/// ```
pub fn svg(instance: &TourInstance, moves: &[Place], picture: &Picture) -> Option<String> {
    let points = instance.points()?;
    let shown = picture.shown(moves);
    let place = placing(points);
    let height = points.iter().map(|&point| place(point).1).fold(0.0, f64::max);
    let tour = instance.tour(shown);
    let complete = shown.len() + 1 == instance.places();
    let title = match complete {
        false => format!("{} of {} places", shown.len() + 1, instance.places()),
        true => format!("{} places, {}", instance.places(), describe(tour.violations, tour.cost)),
    };
    let mut sheet = Sheet::new(MAP, height, &title, picture);
    let colours = picture.theme.colours();
    let mut way: Vec<(f64, f64)> = vec![place(points[0])];
    way.extend(shown.iter().map(|&stop| place(points[usize::from(stop)])));
    if complete {
        way.push(way[0]);
    }
    let line: String = way.iter().map(|(x, y)| format!("{x:.1},{y:.1} ")).collect();
    sheet.put(format_args!(
        "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2.5\" stroke-linejoin=\"round\" points=\"{}\"/>\n",
        colours.line,
        line.trim_end()
    ));
    for &point in points {
        let (x, y) = place(point);
        sheet.put(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{}\"/>\n", colours.faint));
    }
    let (x, y) = place(points[0]);
    sheet.put(format_args!(
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"22\" height=\"22\" fill=\"{}\"/>\n",
        x - 11.0,
        y - 11.0,
        colours.ink
    ));
    if instance.places() <= MOST_NAMES {
        for (place_number, &point) in (0..).zip(points) {
            let ((x, y), name) = (place(point), instance.name(place_number));
            let (anchor, side) = if x > 0.8 * MAP { ("end", -17.0) } else { ("start", 17.0) };
            if name.parse::<Place>().is_err() {
                sheet.text((x + side, y + 5.0), 15, anchor, name);
            }
        }
    }
    for (number, visit) in (1..).zip(&tour.visits[..shown.len()]) {
        let (x, y) = place(points[usize::from(visit.place)]);
        let rim = if visit.late { colours.accent } else { colours.line };
        sheet.put(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"11\" fill=\"{}\" stroke=\"{rim}\" stroke-width=\"2\"><title>{}</title></circle>\n",
            colours.paper,
            nestling_presentation::escaped(&about(instance, visit))
        ));
        let size = if number < 100 { 13 } else { 10 };
        sheet.text((x, y + 4.6), size, "middle", &number.to_string());
    }
    Some(sheet.finished())
}

fn about(instance: &TourInstance, visit: &Visit) -> String {
    let (name, time) = (instance.name(visit.place), |time: f64| instance.time_text(time));
    let (arrival, earliest) = (time(visit.arrival), time(instance.earliest(visit.place)));
    let late = if visit.late { ", too late" } else { "" };
    let end = instance.closes(visit.place).map_or_else(|| " on".to_owned(), |latest| format!(" to {}", time(latest)));
    format!("{name}: reached at {arrival}{late}, open from {earliest}{end}")
}

/// Where points are drawn: as large as the map allows, north up.
fn placing(points: &[(f64, f64)]) -> impl Fn((f64, f64)) -> (f64, f64) {
    let least = |side: fn(&(f64, f64)) -> f64| points.iter().map(side).fold(f64::INFINITY, f64::min);
    let most = |side: fn(&(f64, f64)) -> f64| points.iter().map(side).fold(f64::NEG_INFINITY, f64::max);
    let (left, right, low, high) =
        (least(|point| point.0), most(|point| point.0), least(|point| point.1), most(|point| point.1));
    let scale = MAP / (right - left).max(high - low).max(1e-9);
    let middle = (MAP - (right - left) * scale) / 2.0;
    move |(x, y)| (middle + (x - left) * scale, (high - y) * scale)
}
