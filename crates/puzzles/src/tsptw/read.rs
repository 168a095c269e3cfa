//! Instances from text: the format of the literature, and tables (CSV) for one's own.

use super::PENALTY;
use super::instance::{Instance, LATEST, MOST_PLACES, Parts};

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong there and what would be right.
    pub reason: String,
}

fn error(line: u64, reason: impl Into<String>) -> ReadError {
    ReadError { line, reason: reason.into() }
}

impl Instance {
    /// Reads an instance in one of two formats.
    ///
    /// **That of the literature**, lines of numbers with blanks between them: the number n of places; n lines of n travel times,
    /// from that place to every place; n lines with the beginning and the end of that place's window. The first place is the
    /// depot, and the names are the numbers 0, 1, 2, … The time spent at a place is part of the travel times from it.
    ///
    /// **A table** with commas (CSV), a line for every place below a line of column names, the depot first:
    ///
    /// | column | what it holds |
    /// |---|---|
    /// | `earliest`, `latest` | the window |
    /// | `name` | optional; without it places are numbered from 0 |
    /// | `x`, `y` | where the place is; travel times are straight distances. Such tours can be drawn |
    /// | `service` | optional, beside `x` and `y`: the time spent there. As in the format above it is part of the way on, so of the cost |
    /// | any others | without `x` and `y`: the travel times to the first place, the second, and so on, a column each; its name is the place's, if places have names |
    ///
    /// ```
    /// use nestling_puzzles::tsptw::Instance;
    /// let standard = Instance::read("2\n0 3\n4 0\n0 10\n2 6\n")?;
    /// let table = Instance::read("earliest,latest,0,1\n0,10,0,3\n2,6,4,0\n")?;
    /// assert_eq!(standard, table);
    /// let error = Instance::read("2\n0 3\n4 0\n0 10\n6 2\n").unwrap_err();
    /// assert_eq!(error.to_string(), "line 5: the window closes at 2, before it opens at 6");
    /// # Ok::<(), nestling_puzzles::tsptw::ReadError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is neither, or a number makes no sense.
    pub fn read(text: &str) -> Result<Instance, ReadError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
        let parts = if first.contains(',') { table(text)? } else { standard(text)? };
        Instance::new(parts).map_err(|reason| error(1, reason))
    }
}

/// A number between 0 and `most`; `what` it is goes into the message.
fn number(line: u64, text: &str, what: &str, most: f64) -> Result<f64, ReadError> {
    let short: String = text.chars().take(30).flat_map(char::escape_debug).collect();
    // What a computer calls "not a number" is none to people either.
    match text.parse::<f64>().ok().filter(|number| !number.is_nan()) {
        None => Err(error(line, format!("\"{short}\" is no number; {what} should stand there"))),
        Some(number) if number < 0.0 => Err(error(line, format!("{short} is negative, which {what} cannot be"))),
        Some(number) if number <= most => Ok(number),
        Some(_) => Err(error(line, format!("{short} is too large for {what}, which ends at {most}"))),
    }
}

fn travel_time(line: u64, text: &str) -> Result<f64, ReadError> {
    number(line, text, "a travel time", PENALTY)
}

fn window(line: u64, earliest: &str, latest: &str) -> Result<(f64, f64), ReadError> {
    let earliest = number(line, earliest, "the beginning of a window", LATEST)?;
    let latest = number(line, latest, "the end of a window", LATEST)?;
    if latest < earliest {
        return Err(error(line, format!("the window closes at {latest}, before it opens at {earliest}")));
    }
    Ok((earliest, latest))
}

fn check_count(line: u64, places: usize) -> Result<(), ReadError> {
    match places {
        0 | 1 => Err(error(line, format!("{places} places make no tour; there must be a depot and at least one more"))),
        2..=MOST_PLACES => Ok(()),
        _ => Err(error(line, format!("{places} places are too many; at most {MOST_PLACES} are taken"))),
    }
}

fn standard(text: &str) -> Result<Parts, ReadError> {
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let end = text.lines().count().max(1) as u64;
    let (line, count) = lines.next().ok_or_else(|| error(1, "there is nothing in it"))?;
    let places: usize = count.trim().parse().map_err(|_| {
        let short: String = count.trim().chars().take(30).flat_map(char::escape_debug).collect();
        error(line, format!("\"{short}\" is neither a number of places nor the column names of a table"))
    })?;
    check_count(line, places)?;
    let (mut travel, mut windows) = (Vec::with_capacity(places * places), Vec::with_capacity(places));
    for row in 0..places {
        let (line, text) = lines.next().ok_or_else(|| {
            error(end, format!("the travel times end after {row} of {places} rows; the matrix must be square"))
        })?;
        let before = travel.len();
        for text in text.split_whitespace() {
            travel.push(travel_time(line, text)?);
        }
        let found = travel.len() - before;
        if found != places {
            return Err(error(line, format!("{found} travel times for {places} places; the matrix must be square")));
        }
    }
    for row in 0..places {
        let (line, text) =
            lines.next().ok_or_else(|| error(end, format!("the windows end after {row} of {places} places")))?;
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [earliest, latest] = fields[..] else {
            return Err(error(line, format!("{} numbers; a window has two, earliest and latest", fields.len())));
        };
        windows.push(window(line, earliest, latest)?);
    }
    if let Some((line, _)) = lines.next() {
        return Err(error(line, format!("there is more after the {places} windows")));
    }
    let names = (0..places).map(|place| place.to_string()).collect();
    Ok(Parts { names, points: None, travel, windows })
}

/// The columns of a table, by what they hold.
struct Columns {
    name: Option<usize>,
    earliest: usize,
    latest: usize,
    point: Option<(usize, usize)>,
    service: Option<usize>,
    /// The columns of travel times and their names.
    travel: Vec<(usize, String)>,
}

impl Columns {
    fn new(header: &csv::StringRecord) -> Result<Self, ReadError> {
        let names: Vec<String> = header.iter().map(str::to_lowercase).collect();
        let find = |wanted: &str| names.iter().position(|name| name == wanted);
        let need = |wanted: &str| {
            find(wanted)
                .ok_or_else(|| error(1, format!("there is no column \"{wanted}\"; it holds one side of the windows")))
        };
        let point = match (find("x"), find("y")) {
            (Some(x), Some(y)) => Some((x, y)),
            (None, None) => None,
            _ => return Err(error(1, "of the columns x and y one is missing; points need both")),
        };
        let (name, service) = (find("name"), find("service").filter(|_| point.is_some()));
        let (earliest, latest) = (need("earliest")?, need("latest")?);
        let taken = [name, Some(earliest), Some(latest), point.map(|(x, _)| x), point.map(|(_, y)| y), service];
        let others = (0..names.len()).filter(|column| !taken.contains(&Some(*column)));
        let travel: Vec<(usize, String)> = others.map(|column| (column, header[column].to_owned())).collect();
        if let (Some(_), Some((_, extra))) = (point, travel.first()) {
            let extra: String = extra.chars().take(30).flat_map(char::escape_debug).collect();
            let known = "beside x and y there may be name, earliest, latest and service";
            return Err(error(1, format!("the column \"{extra}\" is not known; {known}")));
        }
        Ok(Columns { name, earliest, latest, point, service, travel })
    }
}

fn table(text: &str) -> Result<Parts, ReadError> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let broken = |broken: csv::Error| error(broken.position().map_or(1, csv::Position::line), broken.to_string());
    let header = reader.headers().map_err(broken)?.clone();
    let columns = Columns::new(&header)?;
    let mut parts = Parts { names: Vec::new(), points: None, travel: Vec::new(), windows: Vec::new() };
    let (mut points, mut service, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    for record in reader.records() {
        let record = record.map_err(broken)?;
        let line = record.position().map_or(1, csv::Position::line);
        if record.len() != header.len() {
            let (found, wanted) = (record.len(), header.len());
            return Err(error(line, format!("{found} fields, where the first line names {wanted} columns")));
        }
        if parts.names.len() == MOST_PLACES {
            return Err(error(line, format!("there are more than {MOST_PLACES} places")));
        }
        let name = columns.name.map_or_else(|| parts.names.len().to_string(), |column| record[column].to_owned());
        if name.is_empty() || name.len() > 100 || name.contains(char::is_control) {
            return Err(error(line, "the name of a place must be a short text without line breaks"));
        }
        if parts.names.contains(&name) {
            return Err(error(line, format!("there are two places \"{name}\"; names must differ")));
        }
        parts.names.push(name);
        parts.windows.push(window(line, &record[columns.earliest], &record[columns.latest])?);
        if let Some((x, y)) = columns.point {
            points.push((coordinate(line, &record[x])?, coordinate(line, &record[y])?));
            service.push(match columns.service {
                Some(column) => number(line, &record[column], "a service time", PENALTY)?,
                None => 0.0,
            });
        }
        for &(column, _) in &columns.travel {
            parts.travel.push(travel_time(line, &record[column])?);
        }
        lines.push(line);
    }
    let places = parts.names.len();
    check_count(lines.last().copied().unwrap_or(1), places)?;
    if columns.point.is_some() {
        parts.travel = straight(&points, &service);
        parts.points = Some(points);
    } else {
        check_square(&columns, &parts.names)?;
    }
    Ok(parts)
}

fn coordinate(line: u64, text: &str) -> Result<f64, ReadError> {
    number(line, text.strip_prefix('-').unwrap_or(text), "a coordinate", PENALTY)
        .map(|size| if text.starts_with('-') { -size } else { size })
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

fn check_square(columns: &Columns, names: &[String]) -> Result<(), ReadError> {
    let (found, places) = (columns.travel.len(), names.len());
    if found == 0 {
        return Err(error(1, "there are neither columns x and y nor columns of travel times"));
    }
    if found != places {
        return Err(error(
            1,
            format!("{found} columns of travel times for {places} places; the matrix must be square"),
        ));
    }
    match columns.travel.iter().zip(names).find(|((_, column), name)| columns.name.is_some() && column != *name) {
        Some(((_, column), name)) => Err(error(
            1,
            format!("the column of travel times to \"{name}\" is called \"{column}\"; use the order of the places"),
        )),
        None => Ok(()),
    }
}
