//! The values of flags. The text of an error names the expected value; clap puts "expected" before it.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

pub(crate) fn time(text: &str) -> Result<Duration, String> {
    const EXPECTED: &str = "a time such as 30s, 5m or 1h30m";
    let time = humantime::parse_duration(text).map_err(|_| EXPECTED.to_owned())?;
    if time.is_zero() { Err(format!("{EXPECTED}, longer than 0s")) } else { Ok(time) }
}

pub(crate) fn count(text: &str) -> Result<u64, String> {
    let is_too_large = text.parse().is_ok_and(|number: f64| number > u64::MAX as f64);
    within(1..=u64::MAX)(text).map_err(|expected| match is_too_large {
        true => expected,
        false => "a whole number from 1 on, such as 20000 or 20_000".to_owned(),
    })
}

pub(crate) fn score(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|score: &f64| score.is_finite()).ok_or_else(|| "a number such as 74".to_owned())
}

/// Whole numbers of a range; `_` may part the thousands.
pub(crate) fn within<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.replace('_', "").parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("a whole number from {} to {}", range.start(), range.end()))
    }
}

/// A part of a whole, in percent.
#[cfg(feature = "store")]
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').and_then(|number| number.parse().ok());
    let percent = percent.filter(|percent: &f64| *percent > 0.0 && *percent <= 100.0);
    percent.map(|percent| percent / 100.0).ok_or_else(|| "a percentage above 0% and up to 100%, such as 5%".to_owned())
}
