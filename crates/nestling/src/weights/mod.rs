//! Weights of moves: a policy p_W that a person wrote, or that NRPA has learned.

mod line;
mod towards;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::math::exp;
use crate::network::{self, Network};

pub use line::{MoveName, WeightsLine};

/// A weight for the [code](crate::Problem::code) of a move; other codes have weight 0. A [`Network`] may add weights by the features of
/// moves.
///
/// The text form is one `code weight` a line; `#` starts a comment. [`Weights::read`] also reads moves by their texts. A network may follow
/// at the end.
///
/// ```
/// use nestling::Weights;
/// let weights: Weights = "# corners first\n17 2.5\n4 -1\n".parse()?;
/// assert_eq!((weights.get(17), weights.get(99)), (2.5, 0.0));
/// assert_eq!(weights.to_string(), "4 -1\n17 2.5\n");
/// # Ok::<(), nestling::WeightsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    by_code: BTreeMap<u64, f64>,
    /// The exponentials of the weights of small codes, cached for playouts.
    exponentials: Vec<f64>,
    network: Option<Arc<Network>>,
}

/// Codes below this are small.
const SMALL: u64 = 1 << 16;

impl Weights {
    fn new(by_code: BTreeMap<u64, f64>) -> Self {
        let small = by_code.range(..SMALL).next_back().map_or(0, |(&code, _)| code as usize + 1);
        let mut exponentials = vec![1.0; small];
        for (&code, &weight) in by_code.range(..SMALL) {
            exponentials[code as usize] = exp(weight);
        }
        Weights { by_code, exponentials, network: None }
    }

    /// The network that adds weights, if there is one.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// The weight of a code, by default 0.
    pub fn get(&self, code: u64) -> f64 {
        self.by_code.get(&code).copied().unwrap_or(0.0)
    }

    /// The exponential of the weight of a code.
    #[inline]
    pub fn exponential(&self, code: u64) -> f64 {
        self.exponentials
            .get(code as usize)
            .copied()
            .unwrap_or_else(|| self.by_code.get(&code).map_or(1.0, |&weight| exp(weight)))
    }

    /// All codes that have a weight, in order, with their weights.
    pub fn iter(&self) -> impl Iterator<Item = (u64, f64)> {
        self.by_code.iter().map(|(&code, &weight)| (code, weight))
    }

    /// How many codes have a weight.
    pub fn len(&self) -> usize {
        self.by_code.len()
    }

    /// Whether there is neither a code with a weight nor a network: the policy is uniform.
    pub fn is_empty(&self) -> bool {
        self.by_code.is_empty() && self.network.is_none()
    }
}

/// A network alone.
impl From<Network> for Weights {
    fn from(network: Network) -> Self {
        Weights { network: Some(Arc::new(network)), ..Weights::default() }
    }
}

impl FromIterator<(u64, f64)> for Weights {
    fn from_iter<I: IntoIterator<Item = (u64, f64)>>(pairs: I) -> Self {
        Weights::new(pairs.into_iter().collect())
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.by_code.iter().try_for_each(|(code, weight)| writeln!(f, "{code} {weight}"))?;
        self.network.iter().try_for_each(|network| network.fmt(f))
    }
}

/// An invalid line of a file of weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
#[non_exhaustive]
pub struct WeightsError {
    /// The line, from 1.
    pub line: usize,
    /// The error.
    pub reason: String,
}

impl FromStr for Weights {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Self, WeightsError> {
        Weights::read(text, |_| Err("expected \"code weight\", two numbers such as \"17 2.5\"".to_owned()))
    }
}

impl Weights {
    /// Reads weights whose moves may be named by text: `code_of` returns the code of such a text, or why it has none.
    ///
    /// ```
    /// use nestling::Weights;
    /// let code_of = |text: &str| if text == "go left" { Ok(17) } else { Err(format!("no move {text:?}")) };
    /// let weights = Weights::read("go left 2.5\n4 -1\n", code_of)?;
    /// assert_eq!(weights.to_string(), "4 -1\n17 2.5\n");
    /// assert_eq!(Weights::read("\"4\" 1", code_of).unwrap_err().to_string(), "line 1: no move \"4\"");
    /// # Ok::<(), nestling::WeightsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a line cannot be read, or a code has two weights.
    pub fn read(text: &str, mut code_of: impl FnMut(&str) -> Result<u64, String>) -> Result<Self, WeightsError> {
        let mut weights: BTreeMap<u64, (f64, usize)> = BTreeMap::new();
        let mut network = None;
        let mut lines = text.lines().zip(1..);
        while let Some((content, line)) = lines.next() {
            if content.split_whitespace().next() == Some(network::FIRST_WORD) {
                network = Some(Arc::new(Network::read((content, line), lines)?));
                break;
            }
            let error = |reason: String| WeightsError { line, reason };
            let Some(WeightsLine { name, weight }) = WeightsLine::read(content).map_err(error)? else { continue };
            let code = match &name {
                MoveName::Code(code) => *code,
                MoveName::Text(text) => code_of(text).map_err(error)?,
            };
            if let Some((_, first)) = weights.insert(code, (weight, line)) {
                let name = name.to_string().replace(char::is_control, "\u{fffd}");
                return Err(error(format!("{name} has the code {code}, which has a weight in line {first} already")));
            }
        }
        let by_code = weights.into_iter().map(|(code, (weight, _))| (code, weight)).collect();
        Ok(Weights { network, ..Weights::new(by_code) })
    }
}
