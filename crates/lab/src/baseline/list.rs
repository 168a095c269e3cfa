//! Lists of possible moves (III.C): arrays of constant size with an operation that removes an interval of codes.

/// No position has nearly as many moves; a longer list panics instead of forgetting one.
pub(crate) const CAPACITY: usize = 256;

/// The most moves that playing one may add: five lines in four directions through the new dot.
pub(crate) const LARGEST_STEP: usize = 20;

/// The list of possible moves of a [Range Query](super::RangeQuery).
pub trait MoveList: Clone {
    /// An empty list.
    fn new() -> Self;

    /// Removes the codes from the first to the last of an interval. Until [`pack`](MoveList::pack) the list may have
    /// holes.
    fn remove(&mut self, least: u16, greatest: u16);

    /// Ends a series of removals.
    fn pack(&mut self);

    /// Writes a code behind the last one, and keeps it if `valid` is 1: algorithm 2's way to do without an `if`.
    fn push(&mut self, code: u16, valid: u8);

    /// The codes.
    fn codes(&self) -> &[u16];

    /// # Panics
    ///
    /// When the next move might need more room than there is.
    #[inline(always)]
    fn check(&self) {
        assert!(self.codes().len() <= CAPACITY - LARGEST_STEP, "more moves at once than any position has");
    }
}

/// A list without vector instructions: what the paper's SSE2 lists are twice as fast as.
#[derive(Clone)]
pub struct PlainList {
    pub(super) codes: [u16; CAPACITY],
    pub(super) count: usize,
}

impl PlainList {
    /// Keeps the codes that pass, in their order, without a branch on the answer.
    #[inline(always)]
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(u16) -> bool) {
        let mut kept = 0u8;
        for index in 0..self.count as u8 {
            let code = self.codes[usize::from(index)];
            self.codes[usize::from(kept)] = code;
            kept += u8::from(keep(code));
        }
        self.count = usize::from(kept);
    }
}

impl MoveList for PlainList {
    fn new() -> Self {
        PlainList { codes: [0; CAPACITY], count: 0 }
    }

    #[inline(always)]
    fn remove(&mut self, least: u16, greatest: u16) {
        self.retain(|code| code.wrapping_sub(least) > greatest - least);
    }

    #[inline(always)]
    fn pack(&mut self) {}

    #[inline(always)]
    fn push(&mut self, code: u16, valid: u8) {
        self.codes[self.count % CAPACITY] = code;
        self.count += usize::from(valid);
    }

    #[inline(always)]
    fn codes(&self) -> &[u16] {
        &self.codes[..self.count]
    }
}
