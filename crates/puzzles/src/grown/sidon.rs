//! Sidon sets: numbers from 1 to n whose sums of two are all different.
//!
//! The same as: the differences of two of the numbers are all different. So a Sidon set is a Golomb ruler without its zero point, and the
//! largest one has m numbers if the shortest ruler with m marks fits and that with m + 1 does not.

use nestling::{Search, Suggestion};
use nestling_presentation::Record;

use super::{Bits, GrownSet, SetRules};
use crate::golomb::SHORTEST;

/// The largest n.
pub const LARGEST_SIDON: u16 = 10_000;

/// The columns of a picture.
const COLUMNS: usize = 50;

/// A Sidon set that grows number by number; the score is its size.
///
/// ```
/// use nestling::Run;
/// use nestling_puzzles::SidonSet;
/// // The shortest ruler with 8 marks has length 34, and the numbers begin with 1.
/// let outcome = Run::new(&SidonSet::up_to(35), "repeat(pool)".parse()?).seed(1).playouts(1_000_000).start()?;
/// assert_eq!(outcome.score(), Some(8.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type SidonSet = GrownSet<SidonRules>;

/// The rules of Sidon sets up to one number.
#[derive(Debug)]
pub struct SidonRules {
    largest: u16,
}

impl SidonSet {
    /// The empty set, of numbers from 1 to this one.
    ///
    /// # Panics
    ///
    /// When the number is not between 1 and [`LARGEST_SIDON`].
    pub fn up_to(largest: u16) -> Self {
        assert!((1..=LARGEST_SIDON).contains(&largest), "largest number {largest}");
        GrownSet::empty(SidonRules { largest })
    }
}

/// Removes from `free` all numbers z that would make a sum of two occur twice in the set of `members`, `added` and z:
/// z + c = added + b, z + added = b + c or 2z = added + b, for b and c in the set.
#[inline]
pub(crate) fn exclude_sums(limit: usize, members: &[u16], added: u16, free: &mut Bits) {
    let added = i32::from(added);
    let mut remove = |number: i32| {
        if (0..limit as i32).contains(&number) {
            free.remove(number as usize);
        }
    };
    for (index, &one) in members.iter().enumerate() {
        let one = i32::from(one);
        remove(2 * added - one);
        remove(2 * one - added);
        if (added + one) % 2 == 0 {
            remove((added + one) / 2);
        }
        for &other in &members[..index] {
            let other = i32::from(other);
            remove(added + one - other);
            remove(added + other - one);
            remove(one + other - added);
        }
    }
}

impl SidonRules {
    /// The largest size, if the shortest rulers up to one that does not fit are known.
    fn largest_size(&self) -> Option<usize> {
        let marks = SHORTEST.iter().position(|&length| length >= u32::from(self.largest))?;
        // The shortest ruler with one mark has length 0 and is number 0 of the list.
        Some(marks)
    }
}

impl SetRules for SidonRules {
    fn points(&self) -> usize {
        self.largest.into()
    }

    fn exclude(&self, members: &[u16], added: u16, free: &mut Bits) {
        exclude_sums(self.largest.into(), members, added, free);
    }

    fn conflict(&self, members: &[u16], point: u16) -> Option<String> {
        let numbers: Vec<u32> = members.iter().chain([&point]).map(|&number| u32::from(number) + 1).collect();
        let mut sums = std::collections::HashMap::new();
        for (index, &one) in numbers.iter().enumerate() {
            for &other in &numbers[..=index] {
                if let Some((first, second)) = sums.insert(one + other, (other, one)) {
                    return Some(format!("repeats a sum: {first} + {second} = {other} + {one}"));
                }
            }
        }
        None
    }

    /// A number z repeats a sum if z + z or its sum with a number of the set is one of two numbers of the set.
    fn conflicts(&self, members: &[u16]) -> Vec<bool> {
        let mut is_sum = vec![false; 2 * self.points()];
        for (index, &one) in members.iter().enumerate() {
            members[..=index].iter().for_each(|&other| is_sum[usize::from(one) + usize::from(other)] = true);
        }
        let repeats = |point: usize| is_sum[2 * point] || members.iter().any(|&one| is_sum[point + usize::from(one)]);
        (0..self.points()).map(repeats).collect()
    }

    fn text(&self, point: u16) -> String {
        (point + 1).to_string()
    }

    fn read(&self, text: &str) -> Option<u16> {
        let number = text.parse().ok().filter(|number| (1..=self.largest).contains(number))?;
        Some(number - 1).filter(|&point| self.text(point) == text)
    }

    fn bound(&self) -> Option<f64> {
        self.largest_size().map(|size| size as f64)
    }

    fn record(&self) -> Option<Record> {
        let score = self.largest_size()? as f64;
        let holder = "follows from the shortest Golomb rulers".to_owned();
        Some(Record { score, holder, proven: true, bound: None })
    }

    fn title(&self) -> String {
        format!("Sidon set up to {}", self.largest)
    }

    fn grid(&self) -> (usize, usize) {
        (self.points().min(COLUMNS), self.points().div_ceil(COLUMNS))
    }

    fn place(&self, point: u16) -> (usize, usize) {
        (usize::from(point) % COLUMNS, usize::from(point) / COLUMNS)
    }

    fn unit(&self) -> &'static str {
        "numbers"
    }

    fn default_search(&self) -> Option<Suggestion> {
        Some(Suggestion::new(
            Search::nested(2).forever(),
            "of numbers up to 300 it found larger sets than three other searches",
        ))
    }
}
