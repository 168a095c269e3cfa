//! The games that NRPA learns from, and the trait for engines that play them.

mod adapting;

use std::ops::Range;

use serde::{Deserialize, Serialize, Serializer};

use crate::codes::Codes;
use crate::stream::Rng;

pub use adapting::{Adapting, bias_factor};
pub(crate) use adapting::{LARGEST_CHANGE, weighted_sum};

/// Plays NRPA's games: **implement this to let a fast engine play them.**
///
/// A policy stores exp(weight) of code number k at index k. An engine may know some of the problem's codes in advance; those are numbered
/// first. [`Codes`] numbers the other codes when a game with them is recorded.
///
/// Moves are chosen by clocks, see [`Exponential`](crate::engine::Exponential). A move that becomes legal gets a clock that rings after
/// (waiting time) / (policy's value); new clocks are drawn in the order of the legal moves. The legal move whose clock rings first is
/// played, and the time until then is subtracted from the other clocks. (Comparisons ignore the lowest
/// [`INDEX_BITS`](crate::engine::INDEX_BITS) bits of a clock, and the subtracted time has zeros there; ties are decided by the order of the
/// moves.) With a rule that leaves moves out, this holds for the moves considered instead of the legal ones: a move that is considered
/// again after a pause gets a new clock. The game is then the one that the problem's own methods would play.
pub trait Learner<M> {
    /// The codes that the engine knows in advance, in the order of their numbers.
    fn codes(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Adds these of the problem's [`named_bias`](crate::Problem::named_bias)es to the weights of moves in all following games. Returns
    /// whether the engine can do so; if not, the problem's own methods play instead.
    fn use_biases(&mut self, _biases: &[usize]) -> bool {
        false
    }

    /// Plays a game and remembers it; returns its score and its number of moves. Nothing if the engine cannot play this game: the problem's
    /// own methods then play it again.
    fn play(&mut self, codes: &Codes, policy: &[f64], rng: &mut Rng) -> Option<(f64, usize)>;

    /// Records the game played last. This is called only for the few games that the policy adapts to.
    fn record(&mut self, codes: &mut Codes, game: Recording<'_, M>);

    /// Whether the game played last has exactly the moves of the one recorded last. A search that has converged plays the same game again
    /// and again; it need not be recorded again.
    fn is_recorded(&self) -> bool {
        false
    }

    /// Adapts a policy to a game. An engine may call `adapting` from code compiled for a larger instruction set.
    fn adapt(&self, adapting: &mut Adapting, policy: &mut [f64], game: &Trace<M>, alpha: f64) {
        adapting.adapt(policy, game, alpha);
    }
}

/// How many steps of a game are processed together.
const BLOCK: usize = 4;

/// How many entries of a block are processed in one iteration of a loop.
const TOGETHER: usize = 4;

/// A game with the data for adapting to it: which codes were considered in which steps.
///
/// A code usually stays considered for several steps, so the game is stored as spans of steps; and in blocks of four steps, each with the
/// spans that overlap it and for each of them the set of its steps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trace<M> {
    pub(crate) score: f64,
    pub(crate) moves: Vec<M>,
    spans: Vec<Span>,
    /// By span: the factor exp(bias) times the rule's weight. Empty if always 1.
    factors: Vec<f64>,
    blocks: Blocks,
    /// The biases whose weights are learned, span by span, the same number for each span. They are not part of [`factors`](Self::factors).
    /// They are serialized separately, so that games without such biases keep their format.
    #[serde(skip)]
    pub(crate) biases: Vec<f64>,
}

/// Blocks of four steps, each with the spans that overlap it.
#[derive(Clone, Debug, Default, Deserialize)]
struct Blocks {
    /// Block after block: span << 4 | set of steps. Zeros, which consider no move, may follow the entries of a block.
    considered: Vec<u32>,
    /// Where every block ends in `considered`.
    ends: Vec<u32>,
}

/// Without the zeros, which are only useful in memory.
impl Serialize for Blocks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (mut considered, mut begin) = (Vec::with_capacity(self.considered.len()), 0);
        let ends = self.ends.iter().map(|&end| {
            let block = &self.considered[begin..end as usize];
            considered.extend(block.iter().copied().filter(|&meeting| meeting != 0));
            begin = end as usize;
            considered.len() as u32
        });
        let ends: Vec<u32> = ends.collect();
        (considered, ends).serialize(serializer)
    }
}

/// A code that was considered in the steps `from..to`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Span {
    /// The code's number.
    pub code: u32,
    /// The first step.
    pub from: u32,
    /// The step after the last.
    pub to: u32,
    /// 1 if its move was played in the last of them, or 0.
    pub played: u32,
}

/// The lists that an engine fills to record all spans of a game at once; see [`Recording::end_with`].
pub struct Spans<'a> {
    /// The spans, in the order of their moves in the lists of legal moves.
    pub spans: &'a mut Vec<Span>,
    /// Block after block of four steps: number of a span that overlaps it << 4 | the set of its steps there. Zeros may follow the entries
    /// of a block.
    pub considered: &'a mut Vec<u32>,
    /// Where every block ends in `considered`.
    pub ends: &'a mut Vec<u32>,
}

impl<M> Default for Trace<M> {
    fn default() -> Self {
        Trace {
            score: 0.0,
            moves: Vec::new(),
            spans: Vec::new(),
            factors: Vec::new(),
            blocks: Blocks::default(),
            biases: Vec::new(),
        }
    }
}

impl<M> Trace<M> {
    /// The numbers of the codes that were considered, some more than once.
    pub(crate) fn codes(&self) -> impl Iterator<Item = usize> {
        self.spans.iter().map(|span| span.code as usize)
    }

    /// Whether it can be the trace of a game that was played with so many codes and learned biases.
    pub(crate) fn is_possible(&self, codes: usize, biases: usize) -> bool {
        let Blocks { considered, ends } = &self.blocks;
        let steps = self.moves.len();
        let fits = |span: &Span| (span.code as usize) < codes && span.from < span.to && span.to as usize <= steps;
        !self.spans.is_empty()
            && self.spans.iter().all(fits)
            && (self.factors.is_empty() || self.factors.len() == self.spans.len())
            && self.factors.iter().all(|factor| factor.is_finite() && *factor > 0.0)
            && self.biases.iter().all(|bias| bias.is_finite())
            && self.biases.len() == self.spans.len() * biases
            && ends.len() == steps.div_ceil(BLOCK)
            && ends.is_sorted()
            && ends.last().is_some_and(|&end| end as usize == considered.len())
            && considered.iter().all(|&meeting| ((meeting >> BLOCK) as usize) < self.spans.len())
    }

    /// Gives the codes other numbers.
    pub(crate) fn renumber(&mut self, mut number: impl FnMut(u32) -> u32) {
        self.spans.iter_mut().for_each(|span| span.code = number(span.code));
    }
}

/// Records traces, one after the other.
#[derive(Default)]
pub(crate) struct TraceRecorder {
    /// By span of the current game: when its clock rings, counted from the step that considered it last.
    clocks: Vec<f64>,
    /// The spans of the moves considered in the current step, and their clocks.
    current: (Vec<u32>, Vec<f64>),
    past: f64,
    /// By the number of a code: the game that considered it last, and its last span there.
    met: Vec<(u32, u32)>,
    game: u32,
    /// The spans that overlap a block.
    present: Vec<u32>,
}

impl TraceRecorder {
    /// Starts to record a game, replacing another.
    pub fn start<'a, M>(&'a mut self, trace: &'a mut Trace<M>) -> Recording<'a, M> {
        trace.moves.clear();
        trace.spans.clear();
        trace.factors.clear();
        trace.biases.clear();
        self.clocks.clear();
        self.game = self.game.wrapping_add(1);
        if self.game == 0 {
            // After 2³² games old marks would look like new ones.
            self.met.clear();
            self.game = 1;
        }
        self.go_on(trace)
    }

    /// Continues to record the game started last.
    pub fn go_on<'a, M>(&'a mut self, trace: &'a mut Trace<M>) -> Recording<'a, M> {
        Recording { recorder: self, trace }
    }

    /// The clocks of the moves considered in the current step.
    pub fn clocks(&self) -> &[f64] {
        &self.current.1
    }
}

/// A game while it is recorded.
pub struct Recording<'a, M> {
    recorder: &'a mut TraceRecorder,
    trace: &'a mut Trace<M>,
}

/// Spans, in the order of their moves in the lists of legal moves.
impl<M> Extend<Span> for Recording<'_, M> {
    #[inline]
    fn extend<I: IntoIterator<Item = Span>>(&mut self, spans: I) {
        self.trace.spans.extend(spans);
    }
}

impl<M> Recording<'_, M> {
    /// The moves with this code's number were considered in steps `from..to`, once in each; `played` tells whether the last of them was
    /// played. Spans are added in the order of their moves in the lists of legal moves.
    #[inline]
    pub fn span(&mut self, number: u32, from: u32, to: u32, played: bool) {
        self.trace.spans.push(Span { code: number, from, to, played: u32::from(played) });
    }

    /// The same for moves whose policy is multiplied by a factor, the exponential of their biases.
    #[inline]
    pub fn biased_span(&mut self, number: u32, steps: Range<u32>, played: bool, factor: f64) {
        let Trace { factors, spans, .. } = &mut *self.trace;
        if factor != 1.0 && factors.is_empty() {
            factors.resize(spans.len(), 1.0);
        }
        if factor != 1.0 || !factors.is_empty() {
            factors.push(factor);
        }
        self.span(number, steps.start, steps.end, played);
    }

    /// Begins the next step, `past` time units after the last.
    pub(crate) fn next_step(&mut self, past: f64) {
        self.recorder.past = past;
        self.recorder.current.0.clear();
        self.recorder.current.1.clear();
    }

    /// A move with this code's number is considered in the current step. `factor` multiplies its policy, `biases` are those whose weights
    /// are learned. `clock` is called for a new clock unless the last step considered the move with the same factor and biases.
    pub(crate) fn consider(&mut self, number: u32, factor: f64, biases: &[f64], clock: impl FnOnce() -> f64) {
        let span = match self.open_span(number, factor, biases) {
            Some(span) => {
                self.recorder.clocks[span as usize] -= self.recorder.past;
                span
            }
            None => {
                self.recorder.clocks.push(clock());
                self.trace.biases.extend_from_slice(biases);
                self.new_span(number, factor)
            }
        };
        self.recorder.current.0.push(span);
        self.recorder.current.1.push(self.recorder.clocks[span as usize]);
    }

    /// The span of the same move in the last step, made one step longer.
    fn open_span(&mut self, number: u32, factor: f64, biases: &[f64]) -> Option<u32> {
        let Recording { recorder, trace } = self;
        let &(game, span) = recorder.met.get(number as usize)?;
        let Span { to, .. } = trace.spans.get_mut(span as usize).filter(|_| game == recorder.game)?;
        let same_factor = trace.factors.get(span as usize).map_or(factor == 1.0, |&earlier| earlier == factor);
        let step = trace.moves.len() as u32;
        if *to != step || !same_factor || trace.biases[span as usize * biases.len()..][..biases.len()] != *biases {
            return None;
        }
        *to = step + 1;
        Some(span)
    }

    fn new_span(&mut self, number: u32, factor: f64) -> u32 {
        let (step, span) = (self.trace.moves.len() as u32, self.trace.spans.len() as u32);
        if number as usize >= self.recorder.met.len() {
            self.recorder.met.resize(number as usize + 1, (0, 0));
        }
        self.recorder.met[number as usize] = (self.recorder.game, span);
        self.biased_span(number, step..step + 1, false, factor);
        span
    }

    /// Plays move number `chosen` of those considered in the current step. Its clock has rung: if its code is considered again, that is
    /// another span.
    pub(crate) fn play(&mut self, chosen: usize, played: M) {
        let number = self.recorder.current.0[chosen];
        let span = &mut self.trace.spans[number as usize];
        span.played = 1;
        let met = &mut self.recorder.met[span.code as usize];
        if met.1 == number {
            met.0 = 0;
        }
        self.trace.moves.push(played);
    }

    /// The moves of the game.
    pub fn moves(&mut self, moves: impl IntoIterator<Item = M>) {
        self.trace.moves.extend(moves);
    }

    /// The end of the game.
    #[inline(always)]
    pub fn end(self, score: f64) {
        let Recording { recorder: TraceRecorder { present, .. }, trace } = self;
        trace.score = score;
        trace.blocks.considered.clear();
        trace.blocks.ends.clear();
        present.clear();
        let spans = &trace.spans[..];
        let mut next = 0;
        for begin in (0..trace.moves.len() as u32).step_by(BLOCK) {
            let end = begin + BLOCK as u32;
            let new = spans[next..].iter().take_while(|span| span.from < end).count();
            present.extend(next as u32..(next + new) as u32);
            next += new;
            trace.blocks.considered.extend(present.iter().map(|&number| {
                let Span { from, to, .. } = spans[number as usize];
                let (first, behind) = (from.saturating_sub(begin), (to - begin).min(BLOCK as u32));
                number << BLOCK | ((1 << behind) - (1 << first))
            }));
            let mut kept = 0;
            for index in 0..present.len() {
                let number = present[index];
                present[kept] = number;
                kept += usize::from(spans[number as usize].to > end);
            }
            present.truncate(kept);
            trace.blocks.considered.resize(trace.blocks.considered.len().next_multiple_of(TOGETHER), 0);
            trace.blocks.ends.push(trace.blocks.considered.len() as u32);
        }
    }

    /// Ends a game whose spans and blocks are filled in by `write`: for an engine that can do so faster than [`span`](Self::span) and
    /// [`end`](Self::end). `write` gets empty lists.
    #[inline(always)]
    pub fn end_with(self, score: f64, write: impl FnOnce(Spans<'_>)) {
        let Trace { spans, blocks: Blocks { considered, ends }, .. } = self.trace;
        self.trace.score = score;
        spans.clear();
        considered.clear();
        ends.clear();
        write(Spans { spans, considered, ends });
    }
}
