//! Snake-in-the-box and coil-in-the-box: the longest path, or cycle, along the edges of a hypercube that has no shortcuts.
//!
//! The vertices of the hypercube of dimension d are the numbers below 2^d; the edges change one bit. A *snake* is a path of which two
//! vertices are neighbours only if they follow each other; a *coil* is a cycle with this property. (In graph theory: the longest induced path
//! and the longest induced cycle.) A move changes one bit, and is named by the number of the bit.

mod cube;
mod known;
mod presentation;
mod rules;
mod suggested;

use nestling::{Allowance, Certificate, Illegal, Problem, Suggestion};

use cube::{Cube, WIDEST};

/// The largest dimension.
pub const MOST_DIMENSIONS: u8 = 13;

/// Vertices that a path may not enter, a bit each.
type Vertices = Vec<u64>;

/// A path in a hypercube that starts at vertex 0: a snake, or the beginning of a coil.
///
/// Dimensions are numbered in the order of their first use: a dimension may be used only if all before it have been used. So of all paths
/// that differ only in the names of the dimensions there is one.
///
/// The score of a snake is the number of its edges. The path of a coil ends when it returns to vertex 0, and the score is then the number of
/// edges; before, it is 0. Moves after which no return is possible are not legal, so every game ends with a coil.
///
/// | policy | a playout considers |
/// |---|---|
/// | `uniform` | all moves |
/// | `roomy` | of the moves those from which the most free vertices can be reached |
/// | `tight` (the default) | all moves; a vertex with f free neighbours has weight 1 for f = 1, an eighth of that for each further one, and 1/64 for f = 0 |
///
/// ```
/// use nestling::Run;
/// use nestling_puzzles::Snake;
/// let snake = Run::new(&Snake::in_dimension(5), "repeat(nested(1))".parse()?).seed(1).playouts(1_000_000).start()?;
/// assert_eq!(snake.score(), Some(13.0));
/// let coil = Run::new(&Snake::coil_in_dimension(5), "repeat(nested(1))".parse()?).seed(1).playouts(1_000_000).start()?;
/// assert_eq!(coil.score(), Some(14.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Snake {
    dimensions: u8,
    is_coil: bool,
    /// How many dimensions the path has used.
    used: u8,
    /// The vertices of the path; a coil is closed if the last is a neighbour of the first.
    path: Vec<u16>,
    /// The vertices of the path and the neighbours of all but the last; the neighbours of the first vertex of a coil are free.
    blocked: Vertices,
}

impl Clone for Snake {
    fn clone(&self) -> Self {
        let Snake { dimensions, is_coil, used, path, blocked } = self;
        Snake { dimensions: *dimensions, is_coil: *is_coil, used: *used, path: path.clone(), blocked: blocked.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        (self.dimensions, self.is_coil, self.used) = (source.dimensions, source.is_coil, source.used);
        self.path.clone_from(&source.path);
        self.blocked.clone_from(&source.blocked);
    }
}

/// Calls a method whose sets of vertices have the size of the dimension.
macro_rules! by_size {
    ($state:expr, $method:ident($($argument:expr),*)) => {
        match $state.blocked.len() {
            0..=4 => $state.$method::<4>($($argument),*),
            5..=16 => $state.$method::<16>($($argument),*),
            _ => $state.$method::<WIDEST>($($argument),*),
        }
    };
}

/// The policies; see [`Snake`].
const POLICIES: &[&str] = &["roomy", "tight"];

/// The weight of a vertex by its number of free neighbours, in the policy `tight`.
fn tightness(free: u32) -> f64 {
    if free == 0 { 1.0 / 64.0 } else { 0.125_f64.powi(free as i32 - 1) }
}

impl Snake {
    /// A snake in the hypercube of this dimension, at its start.
    ///
    /// # Panics
    ///
    /// When the dimension is not between 1 and [`MOST_DIMENSIONS`].
    pub fn in_dimension(dimensions: u8) -> Self {
        assert!((1..=MOST_DIMENSIONS).contains(&dimensions), "dimension {dimensions}");
        let mut blocked = vec![0; (1_usize << dimensions).div_ceil(64)];
        blocked[0] = 1;
        Snake { dimensions, is_coil: false, used: 0, path: vec![0], blocked }
    }

    /// A coil in the hypercube of this dimension, at its start.
    ///
    /// # Panics
    ///
    /// When the dimension is not between 2 and [`MOST_DIMENSIONS`].
    pub fn coil_in_dimension(dimensions: u8) -> Self {
        assert!(dimensions >= 2, "dimension {dimensions}");
        Snake { is_coil: true, ..Snake::in_dimension(dimensions) }
    }

    /// The dimension of the hypercube.
    pub fn dimensions(&self) -> u8 {
        self.dimensions
    }

    /// Whether the path is to become a coil.
    pub fn is_coil(&self) -> bool {
        self.is_coil
    }

    /// The vertices of the path.
    pub fn path(&self) -> &[u16] {
        &self.path
    }

    fn head(&self) -> u16 {
        *self.path.last().expect("a path has a first vertex")
    }

    /// Whether a coil has returned to its start.
    fn is_closed(&self) -> bool {
        self.is_coil && self.path.len() > 2 && self.head().is_power_of_two()
    }

    #[inline]
    fn is_free(&self, vertex: u16) -> bool {
        self.blocked[usize::from(vertex / 64)] >> (vertex % 64) & 1 == 0
    }

    #[inline]
    fn block(&mut self, vertex: u16) {
        self.blocked[usize::from(vertex / 64)] |= 1 << (vertex % 64);
    }

    /// The dimensions that the path may use next, as far as their order goes.
    fn candidates(&self) -> impl Iterator<Item = u8> + use<> {
        0..(self.used + 1).min(self.dimensions)
    }

    /// The free vertices that stay free whatever the next move is: without the neighbours of the head.
    fn free_after_move<const WORDS: usize>(&self, cube: &Cube<WORDS>) -> [u64; WORDS] {
        let mut free = cube.without(&self.blocked);
        if !(self.is_coil && self.path.len() == 1) {
            self.each_neighbour(self.head(), |vertex| free[usize::from(vertex / 64)] &= !(1 << (vertex % 64)));
        }
        free
    }

    #[inline]
    fn each_neighbour(&self, vertex: u16, mut action: impl FnMut(u16)) {
        for dimension in 0..self.dimensions {
            action(vertex ^ 1 << dimension);
        }
    }

    /// Keeps the moves of a coil after which it can still be closed: those that close it, and those from whose vertex a free neighbour of
    /// the start can be reached. A shortest way there has no shortcuts, so it closes the coil.
    fn keep_closable<const WORDS: usize>(&self, moves: &mut Vec<u8>) {
        let cube = Cube::<WORDS>::new(self.dimensions);
        let free = self.free_after_move(&cube);
        let mut goals = [0; WORDS];
        self.each_neighbour(0, |vertex| goals[usize::from(vertex / 64)] |= 1 << (vertex % 64));
        let reached = cube.reached(&goals, &free);
        let head = self.head();
        moves.retain(|&dimension| {
            let vertex = head ^ 1 << dimension;
            let mut closable = vertex.is_power_of_two() && head != 0;
            self.each_neighbour(vertex, |next| closable |= reached[usize::from(next / 64)] >> (next % 64) & 1 == 1);
            closable
        });
    }

    /// Keeps the moves from which the most free vertices can be reached.
    fn keep_roomy<const WORDS: usize>(&self, moves: &mut Vec<u8>) {
        if moves.len() < 2 {
            return;
        }
        let cube = Cube::<WORDS>::new(self.dimensions);
        let free = self.free_after_move(&cube);
        let mut most = 0;
        let mut rooms = [0_u32; MOST_DIMENSIONS as usize];
        for (room, &dimension) in rooms.iter_mut().zip(moves.iter()) {
            let mut next = [0; WORDS];
            self.each_neighbour(self.head() ^ 1 << dimension, |vertex| {
                next[usize::from(vertex / 64)] |= 1 << (vertex % 64);
            });
            *room = cube.reached(&next, &free).iter().map(|word| word.count_ones()).sum();
            most = most.max(*room);
        }
        let mut rooms = rooms.iter();
        moves.retain(|_| rooms.next() == Some(&most));
    }

    /// How many free vertices can be reached from the head.
    fn room<const WORDS: usize>(&self) -> u32 {
        let cube = Cube::<WORDS>::new(self.dimensions);
        let mut next = [0; WORDS];
        self.each_neighbour(self.head(), |vertex| next[usize::from(vertex / 64)] |= 1 << (vertex % 64));
        cube.reached(&next, &cube.without(&self.blocked)).iter().map(|word| word.count_ones()).sum()
    }

    /// How many neighbours of a vertex are free after the move to it.
    fn free_neighbours(&self, vertex: u16) -> u32 {
        let mut count = 0;
        self.each_neighbour(vertex, |next| count += u32::from(self.is_free(next)));
        count
    }
}

impl Problem for Snake {
    type Move = u8;

    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        if self.is_closed() {
            return;
        }
        let head = self.head();
        moves.extend(self.candidates().filter(|&dimension| self.is_free(head ^ 1 << dimension)));
        if self.is_coil {
            by_size!(self, keep_closable(moves));
        }
    }

    fn play(&mut self, dimension: u8) {
        let head = self.head();
        if !(self.is_coil && head == 0) {
            for other in 0..self.dimensions {
                self.block(head ^ 1 << other);
            }
        }
        let next = head ^ 1 << dimension;
        self.block(next);
        self.path.push(next);
        self.used = self.used.max(dimension + 1);
    }

    fn score(&self) -> f64 {
        match (self.is_coil, self.is_closed()) {
            (false, _) => (self.path.len() - 1) as f64,
            (true, true) => self.path.len() as f64,
            (true, false) => 0.0,
        }
    }

    /// The edge: the vertex at which it begins, and the dimension.
    fn code(&self, dimension: u8) -> u64 {
        u64::from(self.head()) * u64::from(self.dimensions) + u64::from(dimension)
    }

    fn dense_codes(&self) -> usize {
        usize::from(self.dimensions) << self.dimensions
    }

    fn policies(&self) -> &'static [&'static str] {
        POLICIES
    }

    fn default_policy(&self) -> &'static str {
        "tight"
    }

    fn prefer(&self, policy: usize, moves: &mut Vec<u8>, weights: &mut Vec<f64>) {
        if policy == 0 {
            by_size!(self, keep_roomy(moves));
        } else {
            let head = self.head();
            weights.extend(moves.iter().map(|&dimension| tightness(self.free_neighbours(head ^ 1 << dimension))));
        }
    }

    /// The free vertices that can be reached.
    fn outlook(&self) -> Option<f64> {
        Some(by_size!(self, room()).into())
    }

    fn bound(&self) -> Option<f64> {
        known::proven(self.dimensions, self.is_coil)
    }

    fn default_search(&self, allowance: Allowance) -> Suggestion {
        suggested::search(self.dimensions, allowance)
    }

    fn move_text(&self, dimension: u8) -> String {
        dimension.to_string()
    }

    fn certify(&self, moves: &[u8]) -> Result<Certificate, Illegal> {
        rules::certify(self.dimensions, self.is_coil, &self.path, moves)
    }
}
