//! Weights of moves: the policy p_W of a person who knows something, or one that NRPA has learned.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A weight for the [code](crate::Problem::code) of a move; codes without one weigh 0.
///
/// The text form is one `code weight` a line; `#` starts a comment.
///
/// ```
/// use nestling::Weights;
/// let weights: Weights = "# corners first\n17 2.5\n4 -1\n".parse()?;
/// assert_eq!((weights.get(17), weights.get(99)), (2.5, 0.0));
/// assert_eq!(weights.to_string(), "4 -1\n17 2.5\n");
/// # Ok::<(), nestling::WeightsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights(BTreeMap<u64, f64>);

impl Weights {
    /// The weight of a code, 0 where none was given.
    pub fn get(&self, code: u64) -> f64 {
        self.0.get(&code).copied().unwrap_or(0.0)
    }

    /// How many codes have a weight.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no code has a weight, which makes the policy uniform.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(u64, f64)> for Weights {
    fn from_iter<I: IntoIterator<Item = (u64, f64)>>(pairs: I) -> Self {
        Weights(pairs.into_iter().collect())
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(code, weight)| writeln!(f, "{code} {weight}"))
    }
}

/// A line of a weights file that does not say `code weight`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected \"code weight\", two numbers such as \"17 2.5\"{because}")]
pub struct WeightsError {
    /// The line, from 1.
    pub line: usize,
    because: &'static str,
}

impl FromStr for Weights {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Self, WeightsError> {
        let mut weights = BTreeMap::new();
        for (index, line) in text.lines().enumerate() {
            let error = |because| WeightsError { line: index + 1, because };
            let content = line.split('#').next().unwrap_or_default();
            let mut words = content.split_whitespace();
            let Some(code) = words.next() else { continue };
            let (Ok(code), Some(Ok(weight)), None) = (code.parse(), words.next().map(str::parse::<f64>), words.next())
            else {
                return Err(error(""));
            };
            // Beyond this the exponentials would leave the range of a double.
            if !weight.is_finite() || weight.abs() > 300.0 {
                return Err(error("; a weight lies between -300 and 300"));
            }
            if weights.insert(code, weight).is_some() {
                return Err(error("; this code already has a weight"));
            }
        }
        Ok(Weights(weights))
    }
}
