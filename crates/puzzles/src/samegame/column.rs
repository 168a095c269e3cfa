//! Columns as sets of bits, and the groups that hang together across them.

/// How many bits the number of a colour has.
const PLANES: usize = 4;

/// One column; bit r of every word is the cell in row r.
///
/// A *run* is linked cells of one column. Runs that hang together with exactly one run to their left, or none, make a forest, and the
/// lowest cell of a root is the first of its group: no search is needed. Only where a run joins several runs to its left do roots
/// share a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Column {
    /// The colours: bit b of a cell's colour is in plane b.
    planes: [u64; PLANES],
    /// Cells that have the colour of the cell above them.
    up: u64,
    /// Cells that have the colour of the cell to the right of them.
    right: u64,
    /// The lowest cells of runs that belong to a group and have no link to the left.
    roots: u64,
    /// Cells at which a run joins a second run to its left.
    joints: u64,
    /// The first cells of groups of two and more: all roots but those that share a group with an earlier one.
    pub firsts: u64,
    pub height: u64,
}

/// The lowest `count` bits.
fn low_bits(count: u64) -> u64 {
    1u64.checked_shl(count as u32).map_or(u64::MAX, |bit| bit - 1)
}

/// Every run of linked cells that holds a seed. Adding to the links carries a seed to the upper end of its run; downwards it is
/// passed on cell by cell, since most runs are short.
#[inline]
fn whole_runs(seeds: u64, up: u64) -> u64 {
    let mut cells = seeds | ((seeds & up).wrapping_add(up) ^ up);
    loop {
        let below = cells >> 1 & up & !cells;
        if below == 0 {
            return cells;
        }
        cells |= below;
    }
}

impl Column {
    pub fn new(colours: &[u8]) -> Column {
        let mut column = Column { height: colours.len() as u64, ..Column::default() };
        for (row, &colour) in colours.iter().enumerate() {
            for (bit, plane) in column.planes.iter_mut().enumerate() {
                *plane |= u64::from(colour >> bit & 1) << row;
            }
        }
        column
    }

    /// The data that identify its cells.
    pub fn words(&self) -> impl Iterator<Item = u64> {
        self.planes.into_iter().chain([self.height])
    }

    #[inline]
    pub fn colour(&self, row: u8) -> u8 {
        (0..PLANES).map(|bit| ((self.planes[bit] >> row & 1) as u8) << bit).sum()
    }

    /// The cells of a colour.
    #[inline]
    pub fn of_colour(&self, colour: u8) -> u64 {
        let mut cells = low_bits(self.height);
        for (bit, &plane) in self.planes.iter().enumerate() {
            cells &= if colour >> bit & 1 == 1 { plane } else { !plane };
        }
        cells
    }

    /// Takes cells out and lets those above them fall.
    #[inline]
    fn drop(&mut self, mut gone: u64) {
        while gone != 0 {
            let start = gone.trailing_zeros();
            let length = (gone >> start).trailing_ones();
            self.height -= u64::from(length);
            if self.height == 0 {
                return;
            }
            let below = (1 << start) - 1;
            let fallen = |cells: u64| cells & below | cells >> length & !below;
            self.planes = self.planes.map(fallen);
            gone = gone >> length & !below;
        }
    }

    #[inline]
    fn link_up(&mut self) {
        let different = self.planes.iter().fold(0, |different, &plane| different | (plane ^ plane >> 1));
        self.up = !different & low_bits(self.height) >> 1;
    }

    #[inline]
    fn link_right(&mut self, next: &Column) {
        let pairs = self.planes.iter().zip(&next.planes);
        let different = pairs.fold(0, |different, (&one, &other)| different | (one ^ other));
        self.right = !different & low_bits(self.height.min(next.height));
    }

    /// Finds roots and joints, given the cells linked to the left. In one run these lie together if they lead to one run: two
    /// linked cells with an unlinked one of their colour between them lead to two.
    #[inline]
    fn find_roots(&mut self, left: u64) {
        let up = self.up;
        let members = up | up << 1 | self.right;
        self.roots = members & !(up << 1) & !whole_runs(left, up);
        let above = left | ((left & up).wrapping_add(up) ^ up);
        self.joints = left & !(left << 1) & (above & up) << 1;
    }
}

/// The buffer for one group: its cells in the columns `low..=high`; all others are 0.
pub(super) struct Group {
    pub cells: [u64; super::MAX_SIDE],
    pub low: usize,
    pub high: usize,
}

impl Group {
    pub fn new() -> Group {
        Group { cells: [0; super::MAX_SIDE], low: 0, high: 0 }
    }

    /// Finds the cells that hang together with the seeds of a column. The buffer must be clear.
    #[inline]
    pub fn find(&mut self, columns: &[Column], column: usize, seeds: u64) {
        let cells = &mut self.cells;
        cells[column] = whole_runs(seeds, columns[column].up);
        (self.low, self.high) = (column, column);
        let mut at = column;
        loop {
            let mut changed = false;
            while at + 1 < columns.len() && at <= self.high {
                let across = cells[at] & columns[at].right & !cells[at + 1];
                if across != 0 {
                    cells[at + 1] = whole_runs(cells[at + 1] | across, columns[at + 1].up);
                    self.high = self.high.max(at + 1);
                    changed = true;
                }
                at += 1;
            }
            at = self.high;
            while at > 0 && at >= self.low {
                let across = cells[at] & columns[at - 1].right & !cells[at - 1];
                if across != 0 {
                    cells[at - 1] = whole_runs(cells[at - 1] | across, columns[at - 1].up);
                    self.low = self.low.min(at - 1);
                    changed = true;
                }
                at -= 1;
            }
            if !changed {
                return;
            }
            at = self.low;
        }
    }

    pub fn len(&self) -> usize {
        self.cells[self.low..=self.high].iter().map(|cells| cells.count_ones() as usize).sum()
    }

    pub fn clear(&mut self) {
        self.cells[self.low..=self.high].fill(0);
    }
}

/// Adds up what `add` says of the columns of a group, given by its first cell. Without joints a group is found by one sweep to the
/// right of its only root.
#[inline]
pub(super) fn fold<T: Copy>(
    columns: &[Column],
    (column, first): (usize, u64),
    nothing: T,
    mut add: impl FnMut(T, usize, u64) -> T,
) -> T {
    let (mut total, mut at) = (nothing, column);
    let mut cells = whole_runs(first, columns[at].up);
    while cells & columns[at].joints == 0 {
        total = add(total, at, cells);
        let across = cells & columns[at].right;
        if across == 0 {
            return total;
        }
        at += 1;
        cells = whole_runs(across, columns[at].up);
    }
    let mut group = Group::new();
    group.find(columns, column, first);
    (group.low..=group.high).fold(nothing, |total, at| add(total, at, group.cells[at]))
}

/// Takes a group off the board: what is above falls, empty columns close, and the links and first cells are found anew. Clears the
/// group.
#[inline]
pub(super) fn take(columns: &mut Vec<Column>, group: &mut Group) {
    let Group { low, high, .. } = *group;
    let mut emptied = 0;
    for (column, gone) in columns[low..=high].iter_mut().zip(&mut group.cells[low..=high]) {
        column.drop(*gone);
        emptied += usize::from(column.height == 0);
        *gone = 0;
    }
    if emptied > 0 {
        columns.retain(|column| column.height > 0);
    }
    relink(columns, low, high + 1 - emptied, group);
}

/// Finds the links and first cells anew after the columns `from..to` have changed, or those around an empty range have met.
pub(super) fn relink(columns: &mut [Column], from: usize, to: usize, group: &mut Group) {
    let start = from.saturating_sub(1);
    columns[from..to].iter_mut().for_each(Column::link_up);
    for index in start..to.max(from).min(columns.len()) {
        let (changed, after) = columns.split_at_mut(index + 1);
        match after.first() {
            Some(next) => changed[index].link_right(next),
            None => changed[index].right = 0,
        }
    }
    let mut left = if start > 0 { columns[start - 1].right } else { 0 };
    for column in columns.iter_mut().take(to + 1).skip(start) {
        column.find_roots(left);
        left = column.right;
    }
    let mut joined = false;
    for column in columns.iter_mut() {
        column.firsts = column.roots;
        joined |= column.joints != 0;
    }
    if joined {
        join(columns, group);
    }
}

/// Leaves only the first of the roots that share a group. Every group with several has a joint.
fn join(columns: &mut [Column], group: &mut Group) {
    let mut done = [0; super::MAX_SIDE];
    for index in 0..columns.len() {
        let mut joints = columns[index].joints & !done[index];
        while joints != 0 {
            group.find(columns, index, joints & joints.wrapping_neg());
            let Group { low, high, .. } = *group;
            let first = group.cells[low] & group.cells[low].wrapping_neg();
            for at in low..=high {
                columns[at].firsts &= !group.cells[at];
                done[at] |= group.cells[at];
            }
            columns[low].firsts |= first;
            group.clear();
            joints &= !done[index];
        }
    }
}
