//! Networks as text, so that they are kept and sent like any other weights.

use std::fmt::{self, Write};

use super::{MOST_FEATURES, MOST_HIDDEN, Network};
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
        let Some([features @ 1..=MOST_FEATURES, hidden @ 1..=MOST_HIDDEN]) = sizes.as_deref() else {
            let reason = format!(
                "expected \"{FIRST_WORD} FEATURES HIDDEN\", two numbers of at most {MOST_FEATURES} and {MOST_HIDDEN}"
            );
            return Err(WeightsError { line: number, reason });
        };
        let mut network = Network::zero(*features, *hidden);
        let (mut has_bias, mut has_output, mut last) = (false, false, number);
        for (text, number) in lines {
            last = number;
            let (name, numbers) = text.split_once(' ').unwrap_or((text, ""));
            let error = |reason: &str| WeightsError { line: number, reason: reason.to_owned() };
            let place = match name {
                "bias" if !std::mem::replace(&mut has_bias, true) => &mut network.bias[..],
                "output" if !std::mem::replace(&mut has_output, true) => &mut network.output[..],
                "bias" | "output" => return Err(error("the network has this line already")),
                row => match row.parse::<usize>().ok().filter(|row| row < features) {
                    Some(row) => &mut network.rows[row * hidden..][..*hidden],
                    None => return Err(error("expected \"bias\", \"output\" or the number of a feature, and numbers")),
                },
            };
            fill(place, numbers).map_err(|reason| WeightsError { line: number, reason })?;
        }
        if has_bias && has_output {
            return Ok(network);
        }
        Err(WeightsError { line: last, reason: "the network ends without its bias or its output".to_owned() })
    }
}

/// Fills a part of the network with the numbers of a line.
fn fill(place: &mut [f32], text: &str) -> Result<(), String> {
    let mut words = text.split_whitespace();
    for number in place.iter_mut() {
        let word = words.next().ok_or("it has too few numbers")?;
        *number = word
            .parse()
            .ok()
            .filter(|number: &f32| number.is_finite())
            .ok_or_else(|| format!("{word:?} is not a number"))?;
    }
    if words.next().is_some() { Err("it has too many numbers".to_owned()) } else { Ok(()) }
}
