//! Weak Schur numbers: put 1, 2, 3, … into k sets so that no set contains x, y and x + y for different x and y, as far as possible.

mod presentation;
mod rules;

use nestling::{Allowance, Certificate, Illegal, Problem, Search, Suggestion};

/// The largest number of sets.
pub const MOST_SETS: u8 = 10;

/// The numbers that k = 1, 2, 3, … sets can hold: those for up to [`PROVEN`] sets are proven, the others are the best known.
const BEST: [u32; 10] = [2, 8, 23, 66, 196, 642, 2146, 6976, 21848, 70778];

/// For how many sets the best is proven.
const PROVEN: usize = 4;

/// Numbers below this one times the number of sets have dense codes.
const DENSE: u32 = 1 << 14;

/// The bias `stay`, from *Generalized Nested Rollout Policy Adaptation* (Cazenave, 2020).
const STAY: f64 = 10.0;

/// The numbers 1, 2, 3, … in k sets; a move is the set of the next number, and the score is the last number that was placed.
///
/// Sets are numbered in the order of their first numbers: an empty set may be used only if all sets before it have numbers.
///
/// | policy | a playout considers |
/// |---|---|
/// | `uniform` | all sets that may take the number |
/// | `stay` | the set of the number before, if it may take this number too, otherwise all |
///
/// ```
/// use nestling::Run;
/// use nestling_puzzles::WeakSchur;
/// let outcome = Run::new(&WeakSchur::with_sets(3), "repeat(nested(1))".parse()?).seed(1).playouts(1_000_000).start()?;
/// assert_eq!(outcome.score(), Some(23.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WeakSchur {
    sets: u8,
    /// The set of every number placed, from 1.
    placed: Vec<u8>,
    /// How many sets have numbers.
    used: u8,
    /// By set: its numbers, a bit each.
    members: Vec<Vec<u64>>,
    /// By set: the sums of two of its numbers, a bit each. Sums that have been passed may be missing.
    sums: Vec<Vec<u64>>,
}

impl Clone for WeakSchur {
    fn clone(&self) -> Self {
        let WeakSchur { sets, placed, used, members, sums } = self;
        WeakSchur { sets: *sets, placed: placed.clone(), used: *used, members: members.clone(), sums: sums.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        (self.sets, self.used) = (source.sets, source.used);
        self.placed.clone_from(&source.placed);
        self.members.clone_from(&source.members);
        self.sums.clone_from(&source.sums);
    }
}

impl WeakSchur {
    /// So many empty sets.
    ///
    /// # Panics
    ///
    /// When the number is not between 1 and [`MOST_SETS`].
    pub fn with_sets(sets: u8) -> Self {
        assert!((1..=MOST_SETS).contains(&sets), "{sets} sets");
        let empty = vec![Vec::new(); sets.into()];
        WeakSchur { sets, placed: Vec::new(), used: 0, members: empty.clone(), sums: empty }
    }

    /// How many sets there are.
    pub fn sets(&self) -> u8 {
        self.sets
    }

    /// The set of every number placed, from 1; sets are numbered from 0.
    pub fn placed(&self) -> &[u8] {
        &self.placed
    }

    /// The number that comes next.
    fn next(&self) -> usize {
        self.placed.len() + 1
    }

    fn may_take(&self, set: u8, number: usize) -> bool {
        let word = self.sums[usize::from(set)].get(number / 64);
        word.is_none_or(|word| word >> (number % 64) & 1 == 0)
    }
}

/// Adds `members` + `number` to `sums`: all bits moved up. Words below that of `number` do not change.
fn add_sums(sums: &mut Vec<u64>, members: &[u64], number: usize) {
    let (words, bits) = (number / 64, number % 64);
    if sums.len() < words + members.len() + 1 {
        sums.resize(words + members.len() + 1, 0);
    }
    let sums = &mut sums[words..];
    if bits == 0 {
        for (sum, &word) in sums.iter_mut().zip(members) {
            *sum |= word;
        }
        return;
    }
    let mut carried = 0;
    for (sum, &word) in sums.iter_mut().zip(members.iter().chain([&0])) {
        *sum |= word << bits | carried;
        carried = word >> (64 - bits);
    }
}

impl Problem for WeakSchur {
    type Move = u8;

    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        let number = self.next();
        moves.clear();
        moves.extend((0..self.sets.min(self.used + 1)).filter(|&set| self.may_take(set, number)));
    }

    fn play(&mut self, set: u8) {
        let number = self.next();
        let members = &mut self.members[usize::from(set)];
        add_sums(&mut self.sums[usize::from(set)], members, number);
        if members.len() <= number / 64 {
            members.resize(number / 64 + 1, 0);
        }
        members[number / 64] |= 1 << (number % 64);
        self.placed.push(set);
        self.used = self.used.max(set + 1);
    }

    fn score(&self) -> f64 {
        self.placed.len() as f64
    }

    /// The number and its set.
    fn code(&self, set: u8) -> u64 {
        self.next() as u64 * u64::from(self.sets) + u64::from(set)
    }

    fn dense_codes(&self) -> usize {
        DENSE as usize * usize::from(self.sets)
    }

    fn policies(&self) -> &'static [&'static str] {
        &["stay"]
    }

    fn prefer(&self, _policy: usize, moves: &mut Vec<u8>, _weights: &mut Vec<f64>) {
        if let Some(&before) = self.placed.last()
            && moves.contains(&before)
        {
            moves.clear();
            moves.push(before);
        }
    }

    fn biases(&self) -> &'static [&'static str] {
        &["stay"]
    }

    fn named_bias(&self, _bias: usize, set: u8) -> f64 {
        if self.placed.last() == Some(&set) { STAY } else { 0.0 }
    }

    fn bound(&self) -> Option<f64> {
        BEST[..PROVEN].get(usize::from(self.sets) - 1).map(|&best| best.into())
    }

    fn default_search(&self, _allowance: Allowance) -> Suggestion {
        let search = Search::nested(3).policy("stay").forever();
        Suggestion::new(
            search,
            "playouts by the policy stay go farthest, and with them it measured best of six searches",
        )
    }

    fn move_text(&self, set: u8) -> String {
        (set + 1).to_string()
    }

    fn certify(&self, moves: &[u8]) -> Result<Certificate, Illegal> {
        rules::certify(self.sets, &self.placed, moves)
    }
}
