//! Tables of places, as spreadsheets and people's own programs write them.

use super::PENALTY;
use super::instance::{LATEST, MOST_PLACES, TourData};
use super::read::{ReadError, check_count, error, number, window};
use crate::excerpt::excerpt;

/// The separators of columns.
const SEPARATORS: [char; 3] = [',', ';', '\t'];

/// The names of columns that are not travel times.
const KNOWN: [&str; 6] = ["name", "x", "y", "earliest", "latest", "service"];

/// Whether the first line that is neither empty nor a comment has several columns.
pub(super) fn is_table(text: &str) -> bool {
    header(text).1.trim().contains(SEPARATORS)
}

/// The lines before the line of column names, and that line. A line `sep=;` is how spreadsheets announce the separator.
fn header(text: &str) -> (usize, &str) {
    let is_skipped = |line: &str| line.is_empty() || line.starts_with('#') || line.to_lowercase().starts_with("sep=");
    let found = text.lines().enumerate().find(|(_, line)| !is_skipped(line.trim()));
    found.map_or((0, ""), |(skipped, line)| (skipped, line.trim_end_matches('\r')))
}

/// The separator that makes the most known columns of a line, and of several such the one that makes the most columns.
fn separator(header: &str) -> char {
    let known = |field: &&str| KNOWN.contains(&field.trim().trim_matches('"').trim().to_lowercase().as_str());
    let score = |separator: char| {
        let fields: Vec<&str> = header.split(separator).collect();
        (fields.iter().filter(|field| known(field)).count(), fields.len())
    };
    // Of equals the last counts.
    SEPARATORS.into_iter().rev().max_by_key(|&separator| score(separator)).unwrap_or(',')
}

/// The columns of a table, by what they hold.
struct Columns {
    names: Vec<String>,
    name: Option<usize>,
    earliest: Option<usize>,
    latest: Option<usize>,
    point: Option<(usize, usize)>,
    service: Option<usize>,
    travel: Vec<usize>,
}

impl Columns {
    fn new(line: u64, header: &csv::StringRecord) -> Result<Self, ReadError> {
        let names: Vec<String> = header.iter().map(str::to_owned).collect();
        let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let find = |wanted: &str| lower.iter().position(|name| name == wanted);
        let twice = |name: &&&str| lower.iter().filter(|other| other == *name).count() > 1;
        if let Some(name) = KNOWN.iter().find(twice) {
            return Err(error(line, format!("two columns are called {name:?}; names of columns must differ")));
        }
        let point = match (find("x"), find("y")) {
            (Some(x), Some(y)) => Some((x, y)),
            (None, None) => None,
            _ => return Err(error(line, "one of the columns x and y is missing; both are needed")),
        };
        // A separator at the end of every line makes a column without a name.
        let others = (0..names.len()).filter(|&column| !KNOWN.contains(&lower[column].as_str()));
        let travel: Vec<usize> = others.filter(|&column| !names[column].is_empty()).collect();
        if let (Some(_), Some(&extra)) = (point, travel.first()) {
            let known = "besides x and y the columns may be name, earliest, latest and service";
            return Err(error(line, format!("the column {:?} is not known; {known}", excerpt(&names[extra]))));
        }
        let (name, earliest, latest, service) = (find("name"), find("earliest"), find("latest"), find("service"));
        Ok(Columns { names, name, earliest, latest, point, service, travel })
    }

    /// Refuses travel times that do not belong to the places.
    fn check_square(&self, line: u64, places: &[String]) -> Result<(), ReadError> {
        let Columns { names, travel, .. } = self;
        if travel.is_empty() {
            return Err(error(line, "expected columns x and y, or columns of travel times; found neither"));
        }
        let unknown = travel.iter().find(|&&column| self.name.is_some() && !places.contains(&names[column]));
        if let Some(&column) = unknown {
            let place = excerpt(&names[column]);
            let known = KNOWN.join(", ");
            return Err(error(line, format!("the column {place:?} is neither a place nor one of {known}")));
        }
        if travel.len() != places.len() {
            let (found, wanted) = (travel.len(), places.len());
            let reason = format!("{found} columns of travel times for {wanted} places; the matrix must be square");
            return Err(error(line, reason));
        }
        match travel.iter().zip(places).find(|&(&column, name)| self.name.is_some() && names[column] != *name) {
            Some((&column, name)) => {
                let (name, column) = (excerpt(name), excerpt(&names[column]));
                let order = "use the order of the places";
                Err(error(line, format!("the column of travel times to {name:?} is called {column:?}; {order}")))
            }
            None => Ok(()),
        }
    }
}

/// A line of a table.
struct TableRow<'a> {
    line: u64,
    fields: &'a csv::StringRecord,
    columns: &'a Columns,
    separator: char,
}

impl TableRow<'_> {
    fn error(&self, column: usize, reason: String) -> ReadError {
        let name = Some(excerpt(&self.columns.names[column]));
        ReadError { line: self.line, column: name, reason }
    }

    /// A field as [`number`] reads it: with a decimal point, whatever it has.
    fn field(&self, column: usize) -> String {
        let text = &self.fields[column];
        if self.separator == ',' { text.to_owned() } else { text.replacen(',', ".", 1) }
    }

    fn time(&self, column: usize, what: &str, most: f64) -> Result<f64, ReadError> {
        let text = self.field(column);
        let time = match minutes(&text) {
            Some(minutes) if minutes <= most => Ok(minutes),
            Some(_) => Err(format!("{} is too late for {what}", excerpt(&text))),
            None if text.contains(':') => {
                Err(format!("{:?} is not a time of the day; write 08:00 or 08:00:30", excerpt(&text)))
            }
            None => number(&text, what, most),
        };
        time.map_err(|reason| self.error(column, reason))
    }

    /// A side of the window; `open` if it is not given.
    fn side(&self, column: Option<usize>, what: &str, open: f64) -> Result<f64, ReadError> {
        match column.filter(|&column| !self.fields[column].is_empty()) {
            Some(column) => self.time(column, what, LATEST),
            None => Ok(open),
        }
    }

    fn window(&self) -> Result<(f64, f64), ReadError> {
        let earliest = self.side(self.columns.earliest, "the beginning of a window", 0.0)?;
        let latest = self.side(self.columns.latest, "the end of a window", LATEST)?;
        window(self.line, earliest, latest)
    }

    fn service(&self) -> Result<f64, ReadError> {
        let column = self.columns.service.filter(|&column| !self.fields[column].is_empty());
        column.map_or(Ok(0.0), |column| self.time(column, "a service time", PENALTY))
    }

    fn coordinate(&self, column: usize) -> Result<f64, ReadError> {
        let text = self.field(column);
        let (sign, size) = text.strip_prefix('-').map_or((1.0, text.as_str()), |size| (-1.0, size));
        let size = number(size, "a coordinate", PENALTY).map_err(|reason| self.error(column, reason))?;
        Ok(sign * size)
    }

    fn name(&self, number: usize) -> Result<String, ReadError> {
        let Some(column) = self.columns.name else { return Ok(number.to_string()) };
        let name = &self.fields[column];
        if name.is_empty() || name.len() > 100 || name.contains(char::is_control) {
            let reason = "the name of a place must be a short text without line breaks";
            return Err(self.error(column, reason.to_owned()));
        }
        Ok(name.to_owned())
    }
}

/// A clock time in minutes from midnight. Hours may exceed 24, as in timetables that continue after midnight.
fn minutes(text: &str) -> Option<f64> {
    let mut parts = text.split(':').map(|part| {
        let digits = (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u32>().ok().filter(|_| digits)
    });
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next().unwrap_or(Some(0))?);
    let is_clock = parts.next().is_none() && minutes < 60 && seconds < 60;
    is_clock.then(|| f64::from(hours * 60 + minutes) + f64::from(seconds) / 60.0)
}

/// The part of a table that was read.
#[derive(Default)]
struct Places {
    names: Vec<String>,
    windows: Vec<(f64, f64)>,
    service: Vec<f64>,
    points: Vec<(f64, f64)>,
    travel: Vec<f64>,
    /// Whether a window is told by the clock.
    clock: bool,
}

impl Places {
    fn push(&mut self, row: &TableRow<'_>) -> Result<(), ReadError> {
        let TableRow { line, fields, columns, .. } = row;
        if fields.len() != columns.names.len() {
            let (found, wanted) = (fields.len(), columns.names.len());
            return Err(error(*line, format!("{found} fields, but {wanted} columns have names")));
        }
        if let Some(column) = (0..fields.len()).find(|&it| columns.names[it].is_empty() && !fields[it].is_empty()) {
            let reason = format!("{:?} is in column {}, which has no name", excerpt(&fields[column]), column + 1);
            return Err(error(*line, reason));
        }
        if self.names.len() == MOST_PLACES {
            return Err(error(*line, format!("there are more than {MOST_PLACES} places")));
        }
        let name = row.name(self.names.len())?;
        if self.names.contains(&name) {
            return Err(error(*line, format!("there are two places {:?}; names must differ", excerpt(&name))));
        }
        self.names.push(name);
        self.windows.push(row.window()?);
        let sides = [columns.earliest, columns.latest].into_iter().flatten();
        self.clock |= sides.into_iter().any(|side| fields[side].contains(':'));
        self.service.push(row.service()?);
        if let Some((x, y)) = columns.point {
            self.points.push((row.coordinate(x)?, row.coordinate(y)?));
        }
        for &column in &columns.travel {
            self.travel.push(row.time(column, "a travel time", PENALTY)?);
        }
        Ok(())
    }

    fn finished(self, columns: &Columns, header_line: u64) -> Result<TourData, ReadError> {
        let Places { names, windows, service, points, mut travel, clock } = self;
        if columns.point.is_some() {
            let travel = straight(&points, &service);
            return Ok(TourData { names, points: Some(points), travel, windows, clock });
        }
        columns.check_square(header_line, &names)?;
        let rows = travel.chunks_mut(names.len()).zip(&service);
        rows.for_each(|(row, service)| row.iter_mut().for_each(|way| *way += service));
        Ok(TourData { names, points: None, travel, windows, clock })
    }
}

/// Numbers the lines of a text, from the first to the last: the reader's own numbers ignore empty lines before a record.
struct Lines<'a> {
    text: &'a [u8],
    counted: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line of the first character that is not the end of a line, from this byte on.
    fn at(&mut self, byte: usize) -> u64 {
        let start = byte.max(self.counted).min(self.text.len());
        let empty = self.text[start..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let passed = &self.text[self.counted..start + empty];
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.counted = start + empty;
        self.line
    }
}

pub(super) fn table(text: &str) -> Result<TourData, ReadError> {
    let (skipped, header) = header(text);
    let separator = separator(header);
    let start: usize = text.split_inclusive('\n').take(skipped).map(str::len).sum();
    let text = &text.as_bytes()[start..];
    let header_line = skipped as u64 + 1;
    let mut lines = Lines { text, counted: 0, line: header_line };
    let mut builder = csv::ReaderBuilder::new();
    builder.flexible(true).trim(csv::Trim::All).delimiter(separator as u8);
    let mut reader = builder.from_reader(text);
    let broken = |broken: csv::Error| error(header_line, excerpt(&broken.to_string()));
    let columns = Columns::new(header_line, reader.headers().map_err(broken)?)?;
    let (mut places, mut last) = (Places::default(), header_line);
    for record in reader.records() {
        let fields = record.map_err(broken)?;
        let line = lines.at(fields.position().map_or(0, |position| position.byte() as usize));
        // Spreadsheets leave lines of nothing but separators behind.
        if !fields.iter().all(str::is_empty) {
            places.push(&TableRow { line, fields: &fields, columns: &columns, separator })?;
            last = line;
        }
    }
    check_count(last, places.names.len())?;
    places.finished(&columns, header_line)
}

/// Straight distances, and the time spent at the place that is left.
pub(super) fn straight(points: &[(f64, f64)], service: &[f64]) -> Vec<f64> {
    let distance = |one: (f64, f64), other: (f64, f64)| {
        let (right, up) = (other.0 - one.0, other.1 - one.1);
        (right * right + up * up).sqrt()
    };
    let row = |(&from, &service): (&(f64, f64), &f64)| points.iter().map(move |&to| distance(from, to) + service);
    points.iter().zip(service).flat_map(row).collect()
}
