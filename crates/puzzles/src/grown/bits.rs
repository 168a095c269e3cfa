//! A set of small numbers, a bit each.

/// A set of numbers below a limit.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Bits(Vec<u64>);

impl Clone for Bits {
    fn clone(&self) -> Self {
        Bits(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl Bits {
    /// All numbers below `limit`.
    pub fn all_below(limit: usize) -> Self {
        let mut bits = Bits(vec![0; limit.div_ceil(64)]);
        (0..limit).for_each(|number| bits.insert(number));
        bits
    }

    /// Adds a number below the limit.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Removes a number below the limit.
    #[inline]
    pub fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    /// Whether a number below the limit is in the set.
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// How many numbers are in the set.
    #[inline]
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The numbers from small to large.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors((word != 0).then_some(word), |&rest| {
                Some(rest & (rest - 1)).filter(|&rest| rest != 0)
            })
            .map(move |rest| index * 64 + rest.trailing_zeros() as usize)
        })
    }

    /// The number of which `rank` numbers of the set are smaller. Panics if there is none.
    #[inline]
    pub fn nth(&self, mut rank: usize) -> usize {
        for (index, &word) in self.0.iter().enumerate() {
            let ones = word.count_ones() as usize;
            if rank < ones {
                let mut rest = word;
                for _ in 0..rank {
                    rest &= rest - 1;
                }
                return index * 64 + rest.trailing_zeros() as usize;
            }
            rank -= ones;
        }
        panic!("the set has fewer numbers");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_listed_in_order() {
        let mut bits = Bits(vec![0; 4]);
        let numbers = [0, 1, 63, 64, 130, 199];
        numbers.iter().for_each(|&number| bits.insert(number));
        assert_eq!(bits.iter().collect::<Vec<_>>(), numbers);
        assert_eq!((0..bits.count()).map(|rank| bits.nth(rank)).collect::<Vec<_>>(), numbers);
        bits.remove(64);
        assert!(!bits.contains(64) && bits.contains(63) && bits.count() == 5);
        assert_eq!(Bits::all_below(70).iter().collect::<Vec<_>>(), (0..70).collect::<Vec<_>>());
    }
}
