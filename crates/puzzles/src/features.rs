//! Features of moves, for networks: groups of which a move has one each.

/// Lists features group by group.
pub(crate) struct FeatureList<'a> {
    features: &'a mut Vec<u32>,
    /// How many features the groups so far have.
    next: u32,
}

impl<'a> FeatureList<'a> {
    pub fn new(features: &'a mut Vec<u32>) -> Self {
        FeatureList { features, next: 0 }
    }

    /// The next group, of `count` features: the move has this one, or the last if there are not so many.
    pub fn one_of(&mut self, count: usize, feature: usize) {
        self.features.push(self.next + feature.min(count - 1) as u32);
        self.next += count as u32;
    }

    /// The next group: in which of the ranges that end below these numbers a number lies.
    pub fn range<T: PartialOrd>(&mut self, ends: &[T], number: T) {
        self.one_of(ends.len() + 1, ends.iter().take_while(|&end| number >= *end).count());
    }

    /// How many features all the groups have.
    pub fn count(&self) -> usize {
        self.next as usize
    }
}
