//! Weights of moves: the policy p_W of a person who knows something, or one that NRPA has learned.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::math::exp;
use crate::problem::Problem;

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
pub struct Weights {
    by_code: BTreeMap<u64, f64>,
    /// The exponentials of the weights of small codes, which playouts ask for again and again.
    exponentials: Vec<f64>,
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
        Weights { by_code, exponentials }
    }

    /// The weight of a code, 0 where none was given.
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

    /// The weights that NRPA comes to when it adapts to one game a hundred times (α = 1): a policy that nearly always plays it,
    /// for searches that start from a known game.
    ///
    /// # Panics
    ///
    /// If the game breaks the problem's rules, as [`Problem::play`] may.
    pub fn towards<P: Problem>(problem: &P, game: &[P::Move]) -> Self {
        const TIMES: usize = 100;
        let mut steps = Vec::new();
        let (mut state, mut legal) = (problem.clone(), Vec::new());
        for &played in game {
            state.legal_moves(&mut legal);
            let considered: Vec<_> = legal.iter().map(|&other| (state.code(other), state.bias(other))).collect();
            steps.push((state.code(played), considered));
            state.play(played);
        }
        let mut weights = BTreeMap::new();
        for _ in 0..TIMES {
            let before = weights.clone();
            let weight = |code: u64| before.get(&code).copied().unwrap_or(0.0);
            for (played, considered) in &steps {
                let exponential = |&(code, bias): &(u64, f64)| exp(weight(code) + bias);
                let sum: f64 = considered.iter().map(exponential).sum();
                for move_ in considered {
                    *weights.entry(move_.0).or_default() -= exponential(move_) / sum;
                }
                *weights.entry(*played).or_default() += 1.0;
            }
        }
        Weights::new(weights)
    }

    /// All codes that have a weight, in order, with their weights.
    pub fn iter(&self) -> impl Iterator<Item = (u64, f64)> {
        self.by_code.iter().map(|(&code, &weight)| (code, weight))
    }

    /// How many codes have a weight.
    pub fn len(&self) -> usize {
        self.by_code.len()
    }

    /// Whether no code has a weight, which makes the policy uniform.
    pub fn is_empty(&self) -> bool {
        self.by_code.is_empty()
    }
}

impl FromIterator<(u64, f64)> for Weights {
    fn from_iter<I: IntoIterator<Item = (u64, f64)>>(pairs: I) -> Self {
        Weights::new(pairs.into_iter().collect())
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.by_code.iter().try_for_each(|(code, weight)| writeln!(f, "{code} {weight}"))
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
        Ok(Weights::new(weights))
    }
}
