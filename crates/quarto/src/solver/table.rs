//! The results of positions that were searched: a table in which the newer of two with the same place replaces the older.

/// 128 bits of hash: 60 tell positions apart, of the others some choose the place. The chance that any of ten thousand million
/// questions is answered for another position is one in a hundred million.
#[derive(Clone, Copy)]
pub(super) struct Key {
    tag: u64,
    place: u64,
}

impl Key {
    /// Mixes two words, which should tell all about a position.
    #[inline(always)]
    pub fn new(a: u64, b: u64) -> Key {
        let one = fold(a ^ 0xa076_1d64_78bd_642f, b ^ 0xe703_7ed1_a0b4_28db);
        let two = fold(a ^ 0x8ebc_6af0_9c88_c6e3, b ^ 0x5899_65cc_7537_4cc3);
        Key { tag: one & !DATA, place: two }
    }
}

/// A multiplication that mixes: the high half of the product falls on the low one.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The question of a search about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SolverGoal {
    /// Can the player to place force a win?
    Win,
    /// Can that player avoid a loss?
    Survive,
}

impl SolverGoal {
    /// The goal that the opponent must miss for this one to be reached.
    #[inline(always)]
    pub const fn other(self) -> SolverGoal {
        match self {
            SolverGoal::Win => SolverGoal::Survive,
            SolverGoal::Survive => SolverGoal::Win,
        }
    }
}

/// The bits of an entry that are no tag: two for each goal, "reached" and "missed".
const DATA: u64 = 15;

pub(super) struct SolverTable(Vec<u64>);

impl SolverTable {
    /// A table of 2^`bits` positions.
    pub fn new(bits: u32) -> SolverTable {
        SolverTable(vec![0; 1 << bits])
    }

    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    #[inline(always)]
    fn place(&self, key: Key) -> usize {
        key.place as usize & (self.0.len() - 1)
    }

    /// Whether the goal is known to be reached or missed.
    #[inline(always)]
    pub fn get(&self, key: Key, goal: SolverGoal) -> Option<bool> {
        let entry = self.0[self.place(key)];
        let known = entry >> (2 * goal as u32) & 3;
        (entry & !DATA == key.tag && known != 0).then_some(known == 1)
    }

    /// Remembers whether the goal is reached.
    #[inline(always)]
    pub fn set(&mut self, key: Key, goal: SolverGoal, reached: bool) {
        // Who wins survives, and who loses does not win.
        let data = match (goal, reached) {
            (SolverGoal::Win, true) => 0b0101,
            (SolverGoal::Win, false) => 0b0010,
            (SolverGoal::Survive, true) => 0b0100,
            (SolverGoal::Survive, false) => 0b1010,
        };
        let place = self.place(key);
        let kept = if self.0[place] & !DATA == key.tag { self.0[place] & DATA } else { 0 };
        self.0[place] = key.tag | kept | data;
    }
}
