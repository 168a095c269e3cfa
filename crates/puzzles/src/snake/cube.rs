//! Sets of vertices of a hypercube, a bit each, and what can be reached from them.

/// The words of a set of vertices in the largest dimension.
pub(super) const WIDEST: usize = 1 << (super::MOST_DIMENSIONS - 6);

/// The bits of a word whose vertices have a 0 in each of the first six dimensions.
const ZEROS: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// A hypercube with at most 64 · `WORDS` vertices.
pub(super) struct Cube<const WORDS: usize> {
    dimensions: usize,
    /// The words in use.
    words: usize,
}

impl<const WORDS: usize> Cube<WORDS> {
    pub fn new(dimensions: u8) -> Self {
        Cube { dimensions: dimensions.into(), words: (1_usize << dimensions).div_ceil(64) }
    }

    /// All vertices that are not in a set.
    pub fn without(&self, blocked: &[u64]) -> [u64; WORDS] {
        let mut free = [0; WORDS];
        let all = if self.dimensions < 6 { (1 << (1 << self.dimensions)) - 1 } else { u64::MAX };
        for (free, &blocked) in free.iter_mut().zip(blocked) {
            *free = all & !blocked;
        }
        free
    }

    /// The vertices of `free` to which a path inside of `free` leads from those of `start` that are in `free`.
    pub fn reached(&self, start: &[u64; WORDS], free: &[u64; WORDS]) -> [u64; WORDS] {
        let mut reached = [0; WORDS];
        for word in 0..self.words {
            reached[word] = start[word] & free[word];
        }
        loop {
            let mut grown = false;
            for word in 0..self.words {
                let mut near = reached[word];
                for (dimension, zeros) in ZEROS.iter().enumerate().take(self.dimensions) {
                    near |= (reached[word] & zeros) << (1 << dimension) | reached[word] >> (1 << dimension) & zeros;
                }
                for dimension in 6..self.dimensions {
                    near |= reached[word ^ 1 << (dimension - 6)];
                }
                near &= free[word];
                grown |= near != reached[word];
                reached[word] = near;
            }
            if !grown {
                return reached;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use nestling::Stream;

    use super::*;

    /// The same vertex by vertex.
    fn reached_plainly(dimensions: u8, start: &[u64], free: &[u64]) -> Vec<u64> {
        let has = |set: &[u64], vertex: usize| set[vertex / 64] >> (vertex % 64) & 1 == 1;
        let mut reached = vec![0; free.len()];
        let mut waiting: Vec<usize> = (0..1 << dimensions).filter(|&vertex| has(start, vertex)).collect();
        while let Some(vertex) = waiting.pop() {
            if has(free, vertex) && !has(&reached, vertex) {
                reached[vertex / 64] |= 1 << (vertex % 64);
                waiting.extend((0..dimensions).map(|dimension| vertex ^ 1 << dimension));
            }
        }
        reached
    }

    #[test]
    fn what_is_reached_is_what_a_plain_search_reaches() {
        let mut rng = Stream::new(1).rng();
        for dimensions in 1..=8 {
            let cube = Cube::<4>::new(dimensions);
            let words = (1_usize << dimensions).div_ceil(64);
            for _ in 0..200 {
                let free = cube.without(&(0..words).map(|_| rng.bits() | rng.bits()).collect::<Vec<_>>());
                let start = std::array::from_fn(|_| rng.bits() & rng.bits() & rng.bits());
                let plain = reached_plainly(dimensions, &start[..words], &free[..words]);
                assert_eq!(cube.reached(&start, &free)[..words], plain, "dimension {dimensions}");
            }
        }
    }
}
