//! The codes of moves, numbered, so that a learned policy is a short array whatever the codes look like.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::learner::Trace;
use crate::math::{exp, ln};
use crate::weights::Weights;

/// Numbers codes in the order in which they are met. A policy stores exp(weight) of code number k at index k. It may be shorter than the
/// list of codes: those met after its last adapt are missing.
///
/// ```
/// let mut codes = nestling::engine::Codes::default();
/// assert_eq!((codes.number(70), codes.number(5), codes.number(70)), (0, 1, 0));
/// assert_eq!(codes.value(&[2.5], 70), 2.5);
/// assert_eq!(codes.value(&[2.5], 5), 1.0);
/// ```
#[derive(Debug, Default)]
pub struct Codes {
    /// Number + 1 of a dense code; 0 if not met yet.
    dense: Vec<u32>,
    sparse: FxHashMap<u64, u32>,
    met: Vec<u64>,
    /// The start policy by number.
    start: Vec<f64>,
    warm: Option<Arc<Weights>>,
}

impl Codes {
    /// Codes below `dense` are looked up in an array; `met` are the codes that already have numbers.
    pub(crate) fn new(dense: usize, warm: Option<Arc<Weights>>, met: Vec<u64>) -> Self {
        let mut codes = Codes { dense: vec![0; dense], warm, ..Codes::default() };
        for code in met {
            codes.number(code);
        }
        codes
    }

    /// The number of a code; a new code gets the next number.
    #[inline]
    pub fn number(&mut self, code: u64) -> u32 {
        self.known(code).unwrap_or_else(|| self.meet(code))
    }

    /// The policy's value for a code.
    #[inline]
    pub fn value(&self, policy: &[f64], code: u64) -> f64 {
        match self.known(code) {
            Some(number) => self.value_of(policy, number),
            None => self.start_value(code),
        }
    }

    /// The policy's value for the code with this number.
    #[inline]
    pub(crate) fn value_of(&self, policy: &[f64], number: u32) -> f64 {
        policy.get(number as usize).copied().unwrap_or_else(|| self.start[number as usize])
    }

    /// The start policy, by number.
    pub(crate) fn start(&self) -> &[f64] {
        &self.start
    }

    /// A policy as weights. A weight of the start policy about which nothing was learned stays the same to the last bit.
    pub(crate) fn weights(&self, policy: &[f64]) -> Weights {
        let values = self.met.iter().zip(policy.iter().zip(&self.start));
        let learned = values.filter(|(_, (now, start))| now != start).map(|(&code, (&now, _))| (code, ln(now)));
        self.warm.iter().flat_map(|warm| warm.iter()).chain(learned).collect()
    }

    pub(crate) fn into_met(self) -> Vec<u64> {
        self.met
    }

    /// Forgets the codes from number `count` on, except those of some games, which are numbered again from `count`.
    pub(crate) fn forget_beyond<'a, M: 'a>(&mut self, count: usize, games: impl IntoIterator<Item = &'a mut Trace<M>>) {
        if self.met.len() <= count {
            return;
        }
        let forgotten = self.met.split_off(count);
        self.start.truncate(count);
        for &code in &forgotten {
            match self.dense.get_mut(code as usize) {
                Some(place) => *place = 0,
                None => drop(self.sparse.remove(&code)),
            }
        }
        for game in games {
            game.renumber(|number| match (number as usize).checked_sub(count) {
                Some(beyond) => self.number(forgotten[beyond]),
                None => number,
            });
        }
    }

    #[inline]
    fn known(&self, code: u64) -> Option<u32> {
        match self.dense.get(code as usize) {
            Some(&number) => number.checked_sub(1),
            None => self.sparse.get(&code).copied(),
        }
    }

    #[cold]
    fn meet(&mut self, code: u64) -> u32 {
        let number = self.met.len() as u32;
        match self.dense.get_mut(code as usize) {
            Some(place) => *place = number + 1,
            None => drop(self.sparse.insert(code, number)),
        }
        self.met.push(code);
        self.start.push(self.start_value(code));
        number
    }

    #[inline]
    fn start_value(&self, code: u64) -> f64 {
        self.warm.as_ref().map_or(1.0, |warm| exp(warm.get(code)))
    }
}
