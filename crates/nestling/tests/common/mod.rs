//! Small problems with sharp edges, and what the test files share.
#![allow(dead_code, reason = "every test file uses its own part of this")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use nestling::{Cancel, Certified, Goal, Journal, Outcome, Problem, Recipe, Rng, Run, Search, Stop};

/// Two moves, Left (`true`, the first) and Right; the score is the number of lefts. Dense codes.
#[derive(Clone, Debug)]
pub struct LeftMove {
    depth: u32,
    ply: u32,
    lefts: u32,
}

impl LeftMove {
    pub fn new(depth: u32) -> Self {
        LeftMove { depth, ply: 0, lefts: 0 }
    }
}

impl Problem for LeftMove {
    type Move = bool;

    fn legal_moves(&self, moves: &mut Vec<bool>) {
        moves.clear();
        if self.ply < self.depth {
            moves.extend([true, false]);
        }
    }

    fn play(&mut self, left: bool) {
        self.ply += 1;
        self.lefts += u32::from(left);
    }

    fn score(&self) -> f64 {
        self.lefts.into()
    }

    fn code(&self, left: bool) -> u64 {
        u64::from(2 * self.ply) + u64::from(!left)
    }

    fn dense_codes(&self) -> usize {
        2 * self.depth as usize
    }
}

/// Two moves; the score is how many moves the game stayed on the leftmost path. The bound can be kept secret.
#[derive(Clone, Debug)]
pub struct LeftmostPath {
    depth: u32,
    ply: u32,
    on_path: u32,
    knows_bound: bool,
}

impl LeftmostPath {
    pub fn new(depth: u32, knows_bound: bool) -> Self {
        LeftmostPath { depth, ply: 0, on_path: 0, knows_bound }
    }
}

impl Problem for LeftmostPath {
    type Move = bool;

    fn legal_moves(&self, moves: &mut Vec<bool>) {
        moves.clear();
        if self.ply < self.depth {
            moves.extend([true, false]);
        }
    }

    fn play(&mut self, left: bool) {
        self.on_path += u32::from(left && self.on_path == self.ply);
        self.ply += 1;
    }

    fn score(&self) -> f64 {
        self.on_path.into()
    }

    fn bound(&self) -> Option<f64> {
        self.knows_bound.then_some(self.depth.into())
    }
}

pub fn mix(a: u64, b: u64) -> u64 {
    let mut bits = (a ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0xd1b5_4a32_d192_ed03);
    bits = (bits ^ (bits >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 32)
}

/// A tree grown from a hash of the path: up to five moves a state, games of very different lengths, many equal scores.
/// Codes are the default hashes.
#[derive(Clone, Debug)]
pub struct Maze {
    hash: u64,
    ply: u32,
    depth: u32,
    goal: Goal,
    scores_length: bool,
}

impl Maze {
    pub fn new(seed: u64, depth: u32, goal: Goal) -> Self {
        Maze { hash: mix(seed, 77), ply: 0, depth, goal, scores_length: false }
    }

    /// The score is the number of moves, as in Morpion Solitaire.
    pub fn longest(seed: u64, depth: u32) -> Self {
        Maze { scores_length: true, ..Maze::new(seed, depth, Goal::Max) }
    }
}

impl Problem for Maze {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        let count = match self.ply {
            ply if ply >= self.depth => 0,
            0 => 3,
            _ => [0, 1, 1, 2, 2, 3, 3, 4, 5, 2][(self.hash % 10) as usize],
        };
        let name = (self.hash >> 8) as u8 & 0x38;
        moves.extend((0..count).map(|index| name | index));
    }

    fn play(&mut self, played: u8) {
        self.hash = mix(self.hash, u64::from(played));
        self.ply += 1;
    }

    fn score(&self) -> f64 {
        if self.scores_length { self.ply.into() } else { ((self.hash >> 17) % 12) as f64 + f64::from(self.ply / 3) }
    }

    /// Many equal ones.
    fn outlook(&self) -> Option<f64> {
        Some(((self.hash >> 31) % 5) as f64)
    }

    fn goal(&self) -> Goal {
        self.goal
    }
}

/// Hidden randomness: what a move costs depends on a world the player cannot see, and redrawing changes it.
#[derive(Clone, Debug)]
pub struct Weather {
    world: u64,
    ply: u32,
    depth: u32,
    cost: u64,
}

impl Weather {
    pub fn new(world: u64, depth: u32) -> Self {
        Weather { world, ply: 0, depth, cost: 0 }
    }
}

impl Problem for Weather {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        if self.ply < self.depth {
            moves.extend(0..3);
        }
    }

    fn play(&mut self, played: u8) {
        self.cost += 2 * u64::from(played % 2) + mix(self.world, u64::from(self.ply) * 8 + u64::from(played)) % 7;
        self.ply += 1;
    }

    fn score(&self) -> f64 {
        self.cost as f64
    }

    fn goal(&self) -> Goal {
        Goal::Min
    }

    fn redraw(&mut self, rng: &mut Rng) {
        self.world = rng.bits();
    }
}

/// Put seven things in order. Has playout policies of its own, one that restricts (`even`), one that weighs (`heavy`) and
/// one that does both (`both`), a bias, and two biases with names. Dense codes.
#[derive(Clone, Debug)]
pub struct Order {
    left: Vec<u8>,
    last: u8,
    cost: u64,
}

pub const THINGS: u8 = 7;

impl Order {
    pub fn new() -> Self {
        Order { left: (0..THINGS).collect(), last: THINGS, cost: 0 }
    }
}

impl Problem for Order {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clone_from(&self.left);
    }

    fn play(&mut self, played: u8) {
        self.left.retain(|&thing| thing != played);
        self.cost += mix(u64::from(self.last), u64::from(played)) % 20;
        self.last = played;
    }

    fn score(&self) -> f64 {
        self.cost as f64
    }

    fn goal(&self) -> Goal {
        Goal::Min
    }

    fn code(&self, played: u8) -> u64 {
        u64::from(self.last) * u64::from(THINGS) + u64::from(played)
    }

    fn dense_codes(&self) -> usize {
        usize::from(THINGS) * usize::from(THINGS + 1)
    }

    fn bias(&self, played: u8) -> f64 {
        0.5 * f64::from(played % 3)
    }

    fn biases(&self) -> &'static [&'static str] {
        &["near", "late"]
    }

    fn named_bias(&self, bias: usize, played: u8) -> f64 {
        match bias {
            0 => -0.2 * f64::from(self.last.abs_diff(played)),
            _ => 0.1 * f64::from(played) * (7 - self.left.len()) as f64,
        }
    }

    fn feature_count(&self) -> usize {
        self.dense_codes() + usize::from(THINGS) + 1
    }

    /// Its code, and how many things are left.
    fn features(&self, played: u8, features: &mut Vec<u32>) {
        features.extend([self.code(played) as u32, (self.dense_codes() + self.left.len()) as u32]);
    }

    /// Pairs of things have one code.
    fn symmetric_code(&self, played: u8) -> Option<u64> {
        Some(self.code(played) - u64::from(played % 2))
    }

    fn policies(&self) -> &'static [&'static str] {
        &["even", "heavy", "both"]
    }

    fn prefer(&self, policy: usize, moves: &mut Vec<u8>, weights: &mut Vec<f64>) {
        if policy != 1 && moves.iter().any(|thing| thing % 2 == 0) {
            moves.retain(|thing| thing % 2 == 0);
        }
        if policy != 0 {
            weights.extend(moves.iter().map(|&thing| 1.0 + f64::from(thing)));
        }
    }
}

/// Every combinator, nested in usual and in odd ways. All of them end by themselves within a few thousand playouts.
pub const EXPRESSIONS: &[&str] = &[
    "playout",
    "playout(mobility)",
    "nested(1)",
    "nested(2)",
    "nested(1, memory=off, ties=random)",
    "nested(2, memory=off, ties=last)",
    "nested(2, ties=last)",
    "reflexive(5)",
    "reflexive(3, 4)",
    "reflexive(2, 2, 2)",
    "repeat(70, playout)",
    "repeat(200, playout, playout=mobility)",
    "repeat(20, nested(1))",
    "repeat(3, nested(2, playout=mobility, ties=random))",
    "repeat(4, repeat(3, repeat(20, playout)))",
    "repeat(5, lookahead(repeat(3, playout)))",
    "lookahead(lookahead(lookahead(playout, ties=last), ties=random))",
    "lookahead(repeat(130, playout))",
    "step(repeat(3, nested(1)))",
    "step(lookahead(repeat(20, playout), ties=random), memory=off)",
    "step(lookahead(mean(5, playout)), memory=off)",
    "step(lookahead(mean(3, nested(1))))",
    "repeat(4, step(lookahead(mean(2, repeat(20, playout)))))",
    "mean(9, nested(1))",
    "nrpa(0)",
    "nrpa(1, iterations=70)",
    "nrpa(2, iterations=12, alpha=0.5)",
    "repeat(6, nrpa(2, iterations=5))",
    "nrpa(2, iterations=6, tries=3)",
    "nrpa(2, iterations=8, explore=on, stopping=2.3, tries=2)",
    "repeat(2, nrpa(2, repetitions=1, adapt=improved, temperature=1.5))",
    "nrpa(2, iterations=5, beam=3)",
    "nrpa(2, iterations=4, beam=2, diverse=on, clamp=3)",
    "step(nrpa(1, iterations=10))",
    "lookahead(nrpa(1, iterations=10))",
    "uct(150)",
    "uct(50, trees=3)",
    "repeat(3, uct(40, c=2, trees=2))",
    "step(lookahead(uct(9)))",
    "beam(3)",
    "beam(2, samples=70)",
    "repeat(3, beam(2, samples=2))",
    "lookahead(beam(2))",
    "step(beam(2), memory=off)",
    "pool(400, cycle=12800, starts=10)",
    "pool(300, window=3, changes=4, skew=2, ends=0.5, size=20, cycle=2560, playout=mobility)",
    "pool(cycle=256, patience=1, starts=4, first=nrpa(1, iterations=5))",
    "repeat(3, pool(150, starts=20, first=nested(1)))",
    "lookahead(pool(20, starts=3))",
    "portfolio(nrpa(1, iterations=40), repeat(30, nested(1)), uct(700))",
    "portfolio(repeat(3000, playout), nested(2, playout=mobility))",
    "repeat(3, portfolio(beam(2), repeat(5, nested(1))))",
    "step(portfolio(playout, nrpa(1, iterations=5)))",
    "lookahead(lookahead(dfs))",
    "lazy(2)",
    "lazy(2, samples=70, memory=off, ties=last)",
    "lazy(3, samples=1, ratio=0.5, ties=random)",
    "step(promising(mean(3, playout), ratio=1), memory=off)",
    "repeat(3, promising(promising(repeat(20, playout), playout=mobility)))",
];

pub fn parse(text: &str) -> Search {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub fn run<'a, P: Problem>(problem: &'a P, search: &str, seed: u64) -> Run<'a, P> {
    Run::new(problem, parse(search)).seed(seed)
}

/// A run that continues from a checkpoint, if there is one.
pub fn resumed<'a, P: Problem>(problem: &'a P, search: &str, seed: u64, checkpoint: Option<Vec<u8>>) -> Run<'a, P> {
    let fresh = run(problem, search, seed);
    match checkpoint {
        Some(bytes) => fresh.resume(bytes),
        None => fresh,
    }
}

/// A maze that counts the moves played in it, and presses a switch at one of them.
#[derive(Clone)]
pub struct Counted<'a> {
    pub maze: Maze,
    pub moves: &'a AtomicU64,
    pub pressed_at: u64,
    pub cancel: Cancel,
}

impl Problem for Counted<'_> {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        self.maze.legal_moves(moves);
    }

    fn play(&mut self, played: u8) {
        self.maze.play(played);
        if self.moves.fetch_add(1, Ordering::Relaxed) + 1 == self.pressed_at {
            self.cancel.cancel();
        }
    }

    fn score(&self) -> f64 {
        self.maze.score()
    }
}

/// Every field that has to be the same whatever the machine does.
#[track_caller]
pub fn assert_same<M: PartialEq + std::fmt::Debug>(one: &Outcome<M>, other: &Outcome<M>, where_: &str) {
    assert_eq!(one.answer, other.answer, "the answer; {where_}");
    assert_eq!(one.best_seen, other.best_seen, "the best seen; {where_}");
    assert_eq!(one.stop, other.stop, "why it stopped; {where_}");
    assert_eq!(one.proven, other.proven, "proven; {where_}");
    assert_eq!(one.counts, other.counts, "the counts; {where_}");
    assert_eq!(one.recipe, other.recipe, "the recipe; {where_}");
    assert_eq!(one.learned, other.learned, "the policy learned; {where_}");
}

/// The best complete game of an outcome, whether the search returned it or only saw it.
pub fn best_score<M>(outcome: &Outcome<M>) -> Option<f64> {
    match &outcome.best_seen {
        Some(seen) => Some(seen.score()),
        None => outcome.game().map(Certified::score),
    }
}

/// The result of a run that was cut is found again: by its recipe, or by its number of playouts.
#[track_caller]
pub fn assert_repeatable<P: Problem>(problem: &P, search: &str, seed: u64, outcome: &Outcome<P::Move>) {
    let Some(Recipe { search: alone, seed: own, from, playouts }) = &outcome.recipe else {
        let again = run(problem, search, seed).playouts(outcome.counts.playouts).start().expect("the run is valid");
        assert_eq!(best_score(&again), best_score(outcome), "{search}, seed {seed}");
        assert_eq!(again.counts, outcome.counts, "{search}, seed {seed}");
        return;
    };
    let start = &outcome.moves()[..*from];
    let again = run(problem, alone, *own)
        .from(start)
        .playouts(playouts.expect("a part of a run has a budget"))
        .start()
        .expect("the recipe is valid");
    assert_eq!(best_score(&again), outcome.score(), "{search}, seed {seed}: {:?}", outcome.recipe);
}

/// Keeps every checkpoint.
#[derive(Default)]
pub struct Checkpoints(pub Vec<Vec<u8>>);

impl Journal for Checkpoints {
    fn improvement(&mut self, _: &nestling::Improvement) -> Result<(), String> {
        Ok(())
    }

    fn checkpoint(&mut self, bytes: &[u8], _: nestling::Spent) -> Result<(), String> {
        self.0.push(bytes.to_vec());
        Ok(())
    }
}

pub const NEVER: Duration = Duration::from_secs(1000);

/// Runs for a while, from a checkpoint if there is one, and hands back the outcome and the checkpoint at the cut.
pub fn interrupt<P: Problem>(
    problem: &P,
    search: &str,
    seed: u64,
    checkpoint: Option<Vec<u8>>,
    limit: impl for<'a> FnOnce(Run<'a, P>) -> Run<'a, P>,
) -> (Outcome<P::Move>, Option<Vec<u8>>) {
    let mut kept = Checkpoints::default();
    let limited = limit(resumed(problem, search, seed, checkpoint));
    let outcome = limited.journal(&mut kept, NEVER).start().expect("the run is valid");
    assert_eq!(outcome.stop == Stop::Finished, kept.0.is_empty(), "a run cut for good leaves a checkpoint");
    (outcome, kept.0.pop())
}

/// Fails, naming `what`, when `work` panics or hangs: what takes milliseconds has a minute, however busy the machine is.
#[track_caller]
pub fn in_time<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let limit = Duration::from_secs(60);
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        let _ = sender.send(result);
    });
    match receiver.recv_timeout(limit) {
        Ok(Ok(result)) => result,
        Ok(Err(_)) => panic!("{what} panicked"),
        Err(_) => panic!("{what} was still running after {limit:?}"),
    }
}
