//! A day as a space-time diagram: minutes to the right, stops upwards, a line for every bus.

use nestling::Problem;

use super::Bus;
use nestling_presentation::{Picture, Sheet};

/// The size of the diagram.
const WIDTH: f64 = 920.0;
const HEIGHT: f64 = 620.0;

/// The space-time diagram of a day: every bus climbs from stop to stop, and its waits beyond the first minute are pointed out.
///
/// ```
/// use nestling_presentation::Picture;
/// use nestling_puzzles::bus::{self, Bus, BusLine};
/// let day = Bus::new(BusLine::default(), 1)?;
/// assert!(bus::svg(&day, &[1, 2, 3], &Picture::default()).starts_with("<svg"));
/// # Ok::<(), bus::InvalidLine>(())
/// ```
///
/// # Panics
///
/// If the moves are illegal.
pub fn svg(start: &Bus, moves: &[u8], picture: &Picture) -> String {
    let shown = picture.shown(moves);
    let mut paths = Paths::default();
    let mut day = start.clone();
    for &minutes in shown {
        paths.follow(&mut day, minutes);
    }
    let title = title(&day, shown.len());
    let mut sheet = Sheet::new(WIDTH, HEIGHT, &title, picture);
    let line = day.line();
    let (begin, end, stops) = (f64::from(line.begin), f64::from(line.end), f64::from(line.stops));
    let x = |minute: u16| (f64::from(minute) - begin) / (end - begin) * WIDTH;
    let y = |stop: f64| HEIGHT - stop / stops * HEIGHT;
    let colours = picture.theme.colours();
    grid(&mut sheet, line, &x, &y, picture);
    sheet.put(format_args!("<clipPath id=\"day\"><rect width=\"{WIDTH}\" height=\"{HEIGHT}\"/></clipPath>\n"));
    sheet.put(format_args!("<g clip-path=\"url(#day)\" fill=\"none\" stroke-linecap=\"round\">\n"));
    let rides = paths.rides.iter().map(|&((from, left), (to, came))| {
        // The last stop of the loop leads to the first, which is drawn at the top as well.
        let to = if to == 0 { stops } else { f64::from(to) };
        format!("M{:.1} {:.1}L{:.1} {:.1}", x(left), y(f64::from(from)), x(came), y(to))
    });
    stroke(&mut sheet, colours.line, 2, rides);
    for (held, colour, width) in [(false, colours.line, 2), (true, colours.accent, 4)] {
        let waits = paths.waits.iter().filter(|(_, came, left)| (left - came > 1) == held);
        let line =
            |&(stop, came, left): &(u16, u16, u16)| format!("M{:.1} {:.1}H{:.1}", x(came), y(f64::from(stop)), x(left));
        stroke(&mut sheet, colour, width, waits.map(line));
    }
    sheet.put(format_args!("</g>\n"));
    sheet.finished()
}

fn title(day: &Bus, shown: usize) -> String {
    let decisions = if shown == 1 { "decision" } else { "decisions" };
    match day.decision() {
        None => format!("{} thousand passenger-minutes, {shown} {decisions}", day.score()),
        Some((minute, ..)) => format!("minute {minute}, after {shown} {decisions}"),
    }
}

/// One path of many lines.
fn stroke(sheet: &mut Sheet, colour: &str, width: u32, lines: impl Iterator<Item = String>) {
    let lines: String = lines.collect();
    sheet.put(format_args!("<path stroke=\"{colour}\" stroke-width=\"{width}\" d=\"{lines}\"/>\n"));
}

/// Where buses were, as lines between a stop and a minute and another.
#[derive(Default)]
struct Paths {
    rides: Vec<((u16, u16), (u16, u16))>,
    /// A stop, the minute a bus came and the minute it left.
    waits: Vec<(u16, u16, u16)>,
}

impl Paths {
    /// Plays a move and notes how the bus arrived, how long it stays, and how it continues.
    fn follow(&mut self, day: &mut Bus, minutes: u8) {
        let (time, bus, stop) = day.decision().expect("the moves are legal");
        let stops = day.line.stops;
        self.note_ride(((stop + stops - 1) % stops, day.buses[bus].left), (stop, time));
        let left = time + u16::from(minutes);
        self.waits.push((stop, time, left));
        // The way on is certain before others move: copy, stay, look.
        let mut ahead = day.clone();
        ahead.stay(bus, minutes);
        self.note_ride((stop, left), (ahead.buses[bus].next, ahead.buses[bus].at));
        day.play(minutes);
    }

    fn note_ride(&mut self, from: (u16, u16), to: (u16, u16)) {
        if !self.rides.contains(&(from, to)) {
            self.rides.push((from, to));
        }
    }
}

fn grid(sheet: &mut Sheet, line: &super::BusLine, x: &impl Fn(u16) -> f64, y: &impl Fn(f64) -> f64, picture: &Picture) {
    let colours = picture.theme.colours();
    sheet.put(format_args!("<path fill=\"none\" stroke=\"{}\" stroke-width=\"1\" d=\"", colours.grid));
    let minutes = usize::from(line.end - line.begin);
    let every = [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(|every| minutes / every <= 12).unwrap_or(1000);
    let marks: Vec<u16> = (line.begin..=line.end).filter(|minute| usize::from(*minute) % every == 0).collect();
    for &minute in &marks {
        sheet.put(format_args!("M{:.1} 0V{HEIGHT}", x(minute)));
    }
    sheet.put(format_args!("\"/>\n"));
    let (half, stops) = (line.stops / 2, line.stops);
    for (stop, name) in
        [(0, "terminal 0".to_owned()), (half, format!("terminal {half}")), (stops, "terminal 0".to_owned())]
    {
        let height = y(f64::from(stop));
        let ink = colours.faint;
        sheet.put(format_args!("<path stroke=\"{ink}\" stroke-width=\"1.5\" d=\"M0 {height:.1}H{WIDTH}\"/>\n"));
        sheet.text((WIDTH, height - 5.0), 14, "end", &name);
    }
    for minute in marks {
        sheet.text((x(minute), HEIGHT + 20.0), 14, "middle", &minute.to_string());
    }
}
