//! Columns as sets of bits, and the groups that hang together across them.

/// How many bits the number of a colour has.
const PLANES: usize = 4;

/// One column; bit r of every word is the cell in row r. A cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Column {
    /// The colours: bit b of a cell's colour is in plane b.
    planes: [u64; PLANES],
    /// Cells that have the colour of the cell above them.
    up: u64,
    /// Cells that have the colour of the cell to the right of them.
    right: u64,
    /// The first cells of groups of two and more.
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
        self.height -= u64::from(gone.count_ones());
        if self.height == 0 {
            return;
        }
        while gone != 0 {
            let start = gone.trailing_zeros();
            let length = (gone >> start).trailing_ones();
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
    fn link_right(&mut self, next: Option<&Column>) {
        self.right = next.map_or(0, |next| {
            let pairs = self.planes.iter().zip(&next.planes);
            !pairs.fold(0, |different, (&one, &other)| different | (one ^ other))
                & low_bits(self.height.min(next.height))
        });
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

/// Takes a group off the board: what is above falls, empty columns close, and the links and first cells are found anew where they
/// may have changed. Clears the group.
pub(super) fn take(columns: &mut Vec<Column>, group: &mut Group) {
    let Group { low, high, .. } = *group;
    let mut emptied = 0;
    for (column, &gone) in columns[low..=high].iter_mut().zip(&group.cells[low..=high]) {
        column.drop(gone);
        emptied += usize::from(column.height == 0);
    }
    group.clear();
    if emptied > 0 {
        let mut index = 0;
        columns.retain(|column| {
            index += 1;
            column.height > 0 || !(low + 1..=high + 1).contains(&index)
        });
    }
    relink(columns, low, (high + 1).saturating_sub(emptied), group);
}

/// Finds links and first cells anew after the columns `from..to` have changed.
///
/// A group that changes has a cell in these columns or beside them: what a cell is linked to depends on its own column and its
/// neighbours, so groups join, part and vanish only there. So it is enough to look at the groups that reach into that zone.
pub(super) fn relink(columns: &mut [Column], from: usize, to: usize, group: &mut Group) {
    let start = from.saturating_sub(1);
    let end = (to + 1).min(columns.len());
    for index in from..to.min(columns.len()) {
        columns[index].link_up();
    }
    for index in start..to.min(columns.len()) {
        let next = columns.get(index + 1).copied();
        columns[index].link_right(next.as_ref());
    }
    let mut across = [0; super::MAX_SIDE];
    for index in start..end {
        let left = if index > 0 { columns[index - 1].right } else { 0 };
        let column = &mut columns[index];
        across[index] = whole_runs(column.right | left, column.up);
        // A run that no link leaves is a group by itself, and its lowest cell is the first.
        column.firsts = column.up & !(column.up << 1) & !across[index];
    }
    for index in start..end {
        while across[index] != 0 {
            let seed = across[index] & across[index].wrapping_neg();
            group.find(columns, index, seed);
            let Group { low, high, .. } = *group;
            for (at, &cells) in group.cells[low..=high].iter().enumerate() {
                columns[low + at].firsts &= !cells;
                across[low + at] &= !cells;
            }
            columns[low].firsts |= group.cells[low] & group.cells[low].wrapping_neg();
            group.clear();
        }
    }
}
