//! Instances from text: the format of the literature, and tables (CSV) for one's own.

use super::PENALTY;
use super::instance::{LATEST, MOST_PLACES, TourData, TourInstance};
use super::table::{is_table, table};
use crate::excerpt::excerpt;

/// An error in a text, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}{}: {reason}", .column.as_ref().map_or_else(String::new, |name| format!(", column {name:?}")))]
#[non_exhaustive]
pub struct ReadError {
    /// The line, from 1.
    pub line: u64,
    /// In a table, the name of the column.
    pub column: Option<String>,
    /// The error, and its remedy.
    pub reason: String,
}

pub(super) fn error(line: u64, reason: impl Into<String>) -> ReadError {
    ReadError { line, column: None, reason: reason.into() }
}

impl TourInstance {
    /// Reads an instance in one of two formats.
    ///
    /// **That of the literature**, lines of numbers with blanks between them: the number n of places; n lines of n travel times,
    /// from that place to every place; n lines with the beginning and the end of that place's window. The first place is the
    /// depot, and the names are the numbers 0, 1, 2, … The time spent at a place is part of the travel times from it. What follows a
    /// `#` is a comment.
    ///
    /// **A table** (CSV), a line for every place below a line of column names, the depot first. Columns are separated by commas,
    /// semicolons or tabs, and stand in any order; capitals do not matter:
    ///
    /// | column | what it holds |
    /// |---|---|
    /// | `earliest`, `latest` | the window. Without a column, or where its field is empty, that side is open |
    /// | `name` | optional; without it places are numbered from 0 |
    /// | `x`, `y` | where the place is; travel times are straight distances. Such tours can be drawn |
    /// | `service` | optional: the time spent there. As in the format above it is part of the way on, so of the cost |
    /// | any others | without `x` and `y`: the travel times to the first place, the second, and so on, a column each; its name is the place's, if places have names |
    ///
    /// A time is a number, or a clock time such as `08:00` or `08:00:30`, which counts in minutes from midnight: then travel times
    /// and distances are minutes too. Where commas do not separate columns, numbers may have a decimal comma.
    ///
    /// ```
    /// use nestling_puzzles::tsptw::TourInstance;
    /// let standard = TourInstance::read("2\n0 3\n4 0\n0 10\n2 6\n")?;
    /// let table = TourInstance::read("earliest,latest,0,1\n0,10,0,3\n2,6,4,0\n")?;
    /// assert_eq!(standard, table);
    /// let clock = TourInstance::read("name;x;y;earliest;latest\nhome;0;0;08:00;\nmill;0;1,5;08:30;9:00\n")?;
    /// assert_eq!((clock.travel(0, 1), clock.earliest(1), clock.latest(1)), (1.5, 510.0, 540.0));
    /// let error = TourInstance::read("2\n0 3\n4 0\n0 10\n6 2\n").unwrap_err();
    /// assert_eq!(error.to_string(), "line 5: the window closes at 2, before it opens at 6");
    /// # Ok::<(), nestling_puzzles::tsptw::ReadError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is neither, or a number makes no sense.
    pub fn read(text: &str) -> Result<TourInstance, ReadError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parts = if is_table(text) { table(text)? } else { standard(text)? };
        TourInstance::new(parts).map_err(|reason| error(1, reason))
    }
}

/// A number between 0 and `most`, or the reason why a text is not one; `what` it should be goes into the message.
pub(super) fn number(text: &str, what: &str, most: f64) -> Result<f64, String> {
    let short = excerpt(text);
    // What a computer calls "not a number" is none to people either.
    match text.parse::<f64>().ok().filter(|number| !number.is_nan()) {
        None => Err(format!("{short:?} is not a number; expected {what}")),
        Some(number) if number < 0.0 => Err(format!("{short} is negative, which {what} cannot be")),
        Some(number) if number <= most => Ok(number),
        Some(_) => Err(format!("{short} is too large for {what}; the largest is {most}")),
    }
}

/// Both sides of a window, in order.
pub(super) fn window(line: u64, earliest: f64, latest: f64) -> Result<(f64, f64), ReadError> {
    if latest < earliest {
        return Err(error(line, format!("the window closes at {latest}, before it opens at {earliest}")));
    }
    Ok((earliest, latest))
}

pub(super) fn check_count(line: u64, places: usize) -> Result<(), ReadError> {
    match places {
        0 | 1 => Err(error(line, format!("{places} places make no tour; give a depot and at least one more place"))),
        2..=MOST_PLACES => Ok(()),
        _ => Err(error(line, format!("{places} places are too many; at most {MOST_PLACES} are allowed"))),
    }
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or("").trim()
}

fn standard(text: &str) -> Result<TourData, ReadError> {
    let mut lines = (1..).zip(text.lines().map(without_comment)).filter(|(_, line)| !line.is_empty());
    let end = text.lines().count().max(1) as u64;
    let (line, count) = lines.next().ok_or_else(|| error(1, "the text is empty"))?;
    let places: usize = count.parse().map_err(|_| {
        let hint = "separate columns by commas, semicolons or tabs";
        error(
            line,
            format!("{:?} is neither a number of places nor the column names of a table ({hint})", excerpt(count)),
        )
    })?;
    check_count(line, places)?;
    let (mut travel, mut windows) = (Vec::with_capacity(places * places), Vec::with_capacity(places));
    for row in 0..places {
        let (line, text) = lines.next().ok_or_else(|| {
            error(end, format!("the travel times end after {row} of {places} rows; the matrix must be square"))
        })?;
        let before = travel.len();
        for text in text.split_whitespace() {
            travel.push(number(text, "a travel time", PENALTY).map_err(|reason| error(line, reason))?);
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
        let side = |text: &str, what: &str| number(text, what, LATEST).map_err(|reason| error(line, reason));
        windows.push(window(line, side(earliest, "the beginning of a window")?, side(latest, "the end of a window")?)?);
    }
    if let Some((line, rest)) = lines.next() {
        let after = format!("after the {places} windows only comments (#) may follow, not {:?}", excerpt(rest));
        return Err(error(line, after));
    }
    let names = (0..places).map(|place| place.to_string()).collect();
    Ok(TourData { names, points: None, travel, windows, clock: false })
}
