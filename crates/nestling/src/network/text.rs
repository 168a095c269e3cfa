//! Networks as text, so that they are stored and sent like any other weights.

use std::collections::HashSet;
use std::fmt::{self, Write};

use super::{MOST_HIDDEN, MOST_NUMBERS, Network};
use crate::weights::WeightsError;

/// The word with which the text of a network begins.
pub(crate) const FIRST_WORD: &str = "network";

/// The first line has the numbers of features and hidden units; then come the bias, the output, and the rows of features that are
/// not all 0, each with its number.
impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_WORD} {} {}", self.features(), self.hidden)?;
        line(f, "bias", &self.bias)?;
        line(f, "output", &self.output)?;
        for (number, row) in self.rows.chunks(self.hidden).enumerate() {
            if row.iter().any(|&weight| weight != 0.0) {
                line(f, &number.to_string(), row)?;
            }
        }
        Ok(())
    }
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, numbers: &[f32]) -> fmt::Result {
    f.write_str(name)?;
    numbers.iter().try_for_each(|number| write!(f, " {number}"))?;
    f.write_char('\n')
}

impl Network {
    /// Reads a network from its first line, which begins with [`FIRST_WORD`], and those that follow, each with its number.
    pub(crate) fn read<'a>(
        (first, number): (&'a str, usize),
        lines: impl Iterator<Item = (&'a str, usize)>,
    ) -> Result<Network, WeightsError> {
        let sizes = first.split_whitespace().skip(1).map(|word| word.parse().ok()).collect::<Option<Vec<usize>>>();
        let (features, hidden) = match sizes.as_deref() {
            Some(&[features @ 1..=MOST_NUMBERS, hidden @ 1..=MOST_HIDDEN]) if features * hidden <= MOST_NUMBERS => {
                (features, hidden)
            }
            _ => {
                let reason = format!(
                    "expected \"{FIRST_WORD} FEATURES HIDDEN\", at most {MOST_HIDDEN} hidden units, and a product of at most {MOST_NUMBERS}"
                );
                return Err(WeightsError { line: number, reason });
            }
        };
        let mut network = Network::zero(features, hidden);
        let (mut read, mut last) = (HashSet::new(), number);
        for (text, number) in lines {
            let text = text.split('#').next().unwrap_or_default().trim();
            if text.is_empty() {
                continue;
            }
            last = number;
            let (name, numbers) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            let error = |reason: &str| WeightsError { line: number, reason: reason.to_owned() };
            if !read.insert(name) {
                return Err(error("the network has this line already"));
            }
            let place = match name {
                "bias" => &mut network.bias[..],
                "output" => &mut network.output[..],
                row => match row.parse::<usize>().ok().filter(|&row| row < features) {
                    Some(row) => &mut network.rows[row * hidden..][..hidden],
                    None => return Err(error("expected \"bias\", \"output\" or the number of a feature, and numbers")),
                },
            };
            fill(place, numbers).map_err(|reason| WeightsError { line: number, reason })?;
        }
        if read.contains("bias") && read.contains("output") {
            return Ok(network);
        }
        Err(WeightsError { line: last, reason: "the network ends without its bias or its output".to_owned() })
    }
}

/// Numbers of a network are not larger than this, so that sums of them stay finite.
const LARGEST: f32 = 1e6;

/// Fills a part of the network with the numbers of a line.
fn fill(place: &mut [f32], text: &str) -> Result<(), String> {
    let mut words = text.split_whitespace();
    for number in place.iter_mut() {
        let word = words.next().ok_or("it has too few numbers")?;
        let parsed = word.parse().ok().filter(|number: &f32| number.abs() <= LARGEST);
        *number = parsed.ok_or_else(|| format!("{word:?} is not a number from -{LARGEST} to {LARGEST}"))?;
    }
    if words.next().is_some() { Err("it has too many numbers".to_owned()) } else { Ok(()) }
}
