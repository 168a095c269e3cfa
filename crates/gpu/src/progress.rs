//! The progress of searches on a device.

/// The counts and results of searches so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchTotals<M> {
    /// Games played to the end.
    pub playouts: u64,
    /// Moves played in them; those that nested search looks at are not counted.
    pub played: u64,
    /// Moves of the games that policies were adapted to.
    pub adapted: u64,
    /// Searches that are finished.
    pub searches: u64,
    /// Games that outgrew what the kernels have room for and were finished by the processor.
    pub off_board: u64,
    /// The best game, of the first run that has one; empty before there is any.
    pub best: Vec<M>,
}

impl<M> Default for SearchTotals<M> {
    fn default() -> Self {
        SearchTotals { playouts: 0, played: 0, adapted: 0, searches: 0, off_board: 0, best: Vec::new() }
    }
}
