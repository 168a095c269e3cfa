//! Parameters of problems as `key=value,key=value`.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::format::shown;

/// Parameters by name.
pub(crate) struct Parameters<'a> {
    given: Vec<(&'a str, &'a str)>,
}

impl<'a> Parameters<'a> {
    /// Reads parameters, each of which must be one of the known, and given once.
    pub fn read(text: &'a str, known: &[&str]) -> Result<Self, String> {
        let mut given: Vec<(&str, &str)> = Vec::new();
        for part in text.split(',').filter(|_| !text.is_empty()) {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            if !known.contains(&key) {
                return Err(format!("there is no parameter \"{}\"; there are {}", shown(key, 30), known.join(", ")));
            }
            if given.iter().any(|(other, _)| *other == key) {
                return Err(format!("{key} is given twice"));
            }
            given.push((key, value));
        }
        Ok(Parameters { given })
    }

    /// The text given for a parameter.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.given.iter().find(|(other, _)| *other == key).map(|(_, value)| *value)
    }

    /// The number given for a parameter, or the default.
    pub fn number<T>(&self, key: &str, default: T, range: RangeInclusive<T>) -> Result<T, String>
    where
        T: FromStr + PartialOrd + Display,
    {
        self.text(key).map_or(Ok(default), |value| number(key, value, range))
    }
}

/// A whole number in a range.
pub(crate) fn number<T>(key: &str, value: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let (least, most) = (range.start(), range.end());
    value
        .parse()
        .ok()
        .filter(|number| range.contains(number))
        .ok_or_else(|| format!("{key}={} makes no sense; give a whole number from {least} to {most}", shown(value, 30)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_or_refused() {
        let known = ["seed", "size"];
        let read = Parameters::read("size=4,seed=7", &known).unwrap();
        assert_eq!((read.number("seed", 1, 0..=9), read.number("size", 1, 0..=9)), (Ok(7), Ok(4)));
        assert_eq!(Parameters::read("", &known).unwrap().number("seed", 1, 0..=9), Ok(1));
        let refused = |text| Parameters::read(text, &known).and_then(|read| read.number("size", 1, 0..=9)).unwrap_err();
        assert_eq!(refused("colour=3"), "there is no parameter \"colour\"; there are seed, size");
        assert_eq!(refused("size=3,size=4"), "size is given twice");
        for wrong in ["size=-1", "size=10", "size=", "size", "size=four", "size=99999999999999"] {
            assert!(refused(wrong).ends_with("give a whole number from 0 to 9"), "{wrong}");
        }
    }
}
