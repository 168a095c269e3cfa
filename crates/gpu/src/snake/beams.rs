//! Beams by the outlook, step by step, whatever makes the steps.

use nestling::engine::{Accelerator, Batch, KeptGame, PlayoutPolicy, Round, Rule};
use nestling::{Problem, Stream, state_after};
use nestling_puzzles::Snake;

use crate::GpuError;

/// The policy of the playouts, the default.
pub(super) const POLICY: &str = "tight";

/// What is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BeamTask {
    /// States kept at every depth.
    pub width: u32,
    /// How often `repeat` makes a beam; nothing for one beam without `repeat`.
    pub searches: Option<u64>,
}

/// What comes one move after the states kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Expanded {
    /// States that may be kept.
    pub candidates: u32,
    /// Games that are over.
    pub ends: u32,
    /// The first of these games, as a [`Step`] is written.
    pub first_end: u32,
}

/// The number of a state among those kept, and the move after it.
struct Step {
    parent: usize,
    dimension: u8,
}

impl Step {
    /// A step as the kernels write it: the parent's number, then four bits for the move.
    fn read(written: u32) -> Step {
        Step { parent: (written >> 4) as usize, dimension: (written & 15) as u8 }
    }
}

/// What keeps the states of a beam, and makes the next.
pub(super) trait Steps: Send {
    /// Keeps one state: its blocked vertices, its last one, and how many dimensions it has used.
    fn begin(&mut self, blocked: &[u64], head: u16, used: u8) -> Result<(), GpuError>;

    /// Finds all that comes after the states kept, whose paths have so many vertices. The seed is that of the depth.
    fn expand(&mut self, vertices: u32, seed: u64) -> Result<Expanded, GpuError>;

    /// Puts the smaller of two candidates first wherever their places differ in the bits of the mask.
    fn sort(&mut self, candidates: u32, mask: u32) -> Result<(), GpuError>;

    /// Keeps the first candidates, so many of them, and says which they are.
    fn keep(&mut self, candidates: u32) -> Result<Vec<u32>, GpuError>;
}

/// One beam after the other; a round is a depth.
pub(super) struct Beams<S> {
    steps: S,
    start: Snake,
    policy: PlayoutPolicy,
    task: BeamTask,
    stream: Stream,
    /// Beams that are complete.
    search: u64,
    /// For every depth of the beam under way the states kept, as steps from the depth before.
    kept: Vec<Vec<u32>>,
    best: Option<(f64, Vec<u8>)>,
    /// The games of the last round.
    found: Vec<KeptGame<u8>>,
}

impl<S: Steps> Beams<S> {
    pub fn new(steps: S, start: &Snake, task: BeamTask, seed: u64) -> Self {
        let place = start.policies().iter().position(|&name| name == POLICY).expect("snakes have this policy");
        let policy = PlayoutPolicy { rule: Rule::Own(place), weights: None };
        let stream = Stream::new(seed);
        Beams {
            steps,
            start: start.clone(),
            policy,
            task,
            stream,
            search: 0,
            kept: Vec::new(),
            best: None,
            found: Vec::new(),
        }
    }

    /// How many beams are made: one from the end of a game, where repeating finds nothing new.
    fn searches(&self) -> u64 {
        let mut legal = Vec::new();
        self.start.legal_moves(&mut legal);
        if legal.is_empty() { 1 } else { self.task.searches.unwrap_or(1) }
    }

    /// The stream of the depth that comes next, derived as the processor's searches do.
    fn here(&self) -> Stream {
        let beam = if self.task.searches.is_some() { self.stream.child(self.search) } else { self.stream };
        beam.child(self.kept.len() as u64)
    }

    /// The moves that lead to a state kept last.
    fn path_to(&self, state: usize) -> Vec<u8> {
        let mut number = state;
        let steps = self.kept.iter().rev().map(|kept| {
            let Step { parent, dimension } = Step::read(kept[number]);
            number = parent;
            dimension
        });
        let mut path: Vec<u8> = steps.collect();
        path.reverse();
        path
    }

    /// Goes one depth farther; nothing is kept where no candidate is left.
    fn advance(&mut self) -> Result<Expanded, GpuError> {
        if self.kept.is_empty() {
            let (blocked, used) = blocked_by(&self.start);
            self.steps.begin(&blocked, *self.start.path().last().expect("a path has a first vertex"), used)?;
        }
        let vertices = self.start.path().len() + self.kept.len();
        let expanded = self.steps.expand(vertices as u32, self.here().seed())?;
        if expanded.candidates == 0 {
            return Ok(expanded);
        }
        for mask in masks(expanded.candidates) {
            self.steps.sort(expanded.candidates, mask)?;
        }
        self.kept.push(self.steps.keep(expanded.candidates.min(self.task.width))?);
        Ok(expanded)
    }

    fn play_round(&mut self) -> Result<Round<u8>, GpuError> {
        let (depth, first) = (self.kept.len(), self.path_to(0));
        let mut batch = Batch::alone(&self.policy, self.start.goal(), self.here().child(0));
        state_after(&self.start, &first).playouts(&mut batch);
        let rest = batch.best().map_or(Vec::new(), |(_, rest)| rest.to_vec());
        let game = [first, rest].concat();
        let mut round = Round { playouts: 1, moves: game.len() as u64, best: None, finished: false };
        self.found.clear();
        self.find(game);
        let expanded = self.advance()?;
        if expanded.ends > 0 {
            round.playouts += u64::from(expanded.ends);
            round.moves += u64::from(expanded.ends) * (depth as u64 + 1);
            let Step { parent, dimension } = Step::read(expanded.first_end);
            let before = if expanded.candidates > 0 { self.kept.pop() } else { None };
            let mut game = self.path_to(parent);
            self.kept.extend(before);
            game.push(dimension);
            self.find(game);
        }
        if expanded.candidates == 0 {
            self.search += 1;
            self.kept.clear();
        }
        Ok(Round { best: self.best.clone(), finished: self.search >= self.searches(), ..round })
    }

    /// Takes note of a game. All that end at one depth have the same score, so one of them is enough.
    fn find(&mut self, moves: Vec<u8>) {
        let score = state_after(&self.start, &moves).score();
        if self.best.as_ref().is_none_or(|(best, _)| score > *best) {
            self.best = Some((score, moves.clone()));
        }
        self.found.push(KeptGame { search: self.search, score, moves });
    }
}

/// The vertices that a path may not enter, and how many dimensions it has used.
fn blocked_by(snake: &Snake) -> (Vec<u64>, u8) {
    let (path, mut blocked) = (snake.path(), vec![0_u64; (1_usize << snake.dimensions()).div_ceil(64)]);
    let mut block = |vertex: u16| blocked[usize::from(vertex / 64)] |= 1 << (vertex % 64);
    path.iter().for_each(|&vertex| block(vertex));
    // The neighbours of the first vertex of a coil stay free: one of them closes it.
    for &vertex in &path[usize::from(snake.is_coil()).min(path.len() - 1)..path.len() - 1] {
        (0..snake.dimensions()).for_each(|dimension| block(vertex ^ 1 << dimension));
    }
    let used = path.windows(2).map(|pair| (pair[0] ^ pair[1]).trailing_zeros() as u8 + 1).max();
    (blocked, used.unwrap_or(0))
}

/// The steps of a bitonic sort of so many values. A merge begins with the mirror image of its second half.
fn masks(count: u32) -> Vec<u32> {
    let mut masks = Vec::new();
    for level in 1..=count.next_power_of_two().trailing_zeros() {
        masks.push((1 << level) - 1);
        masks.extend((0..level - 1).rev().map(|bit| 1 << bit));
    }
    masks
}

impl<S: Steps> Accelerator<u8> for Beams<S> {
    fn round(&mut self, _left: u64) -> Result<Round<u8>, String> {
        self.play_round().map_err(|error| error.to_string())
    }

    fn finds(&mut self, least: f64) -> Result<Vec<KeptGame<u8>>, String> {
        Ok(self.found.iter().filter(|game| game.score >= least).cloned().collect())
    }

    /// The number of the beam, and its depth: the same steps lead there again.
    fn save(&mut self) -> Result<Vec<u8>, String> {
        Ok([self.search, self.kept.len() as u64].map(u64::to_le_bytes).concat())
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        let refused = || GpuError::State("it belongs to another search".to_owned()).to_string();
        let (search, depth) = state.split_at_checked(8).ok_or_else(refused)?;
        let [search, depth] = [search, depth].map(|bytes| bytes.try_into().ok().map(u64::from_le_bytes));
        let (search, depth) = (search.ok_or_else(refused)?, depth.ok_or_else(refused)?);
        if search > self.searches() || depth >> self.start.dimensions() > 0 {
            return Err(refused());
        }
        self.search = search;
        self.kept.clear();
        for _ in 0..depth {
            if self.advance().map_err(|error| error.to_string())?.candidates == 0 {
                return Err(refused());
            }
        }
        Ok(())
    }
}
