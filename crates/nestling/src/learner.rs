//! The games that NRPA learns from, and the seam where a fast engine plays them.

mod adapting;

use std::ops::Range;

use serde::{Deserialize, Serialize, Serializer};

use crate::codes::Codes;
use crate::stream::Rng;

pub use adapting::{Adapting, bias_factor};
pub(crate) use adapting::{LARGEST_CHANGE, weighted_sum};

/// Plays NRPA's games: **the seam where a fast engine takes over its playouts.**
///
/// An engine may know some of the problem's codes beforehand, which are then numbered first; those it meets in games that are
/// written down it has numbered by [`Codes`]. A policy keeps the exponential of the weight of code number k in place k. The
/// moves are chosen by clocks, see [`Exponential`](crate::engine::Exponential): a move that becomes legal gets one that rings after a
/// waiting time divided by its policy's value; new ones in the order of the legal moves. The legal move whose clock rings
/// first is played, and the time until then is taken from the others' clocks. (The lowest [`INDEX_BITS`](crate::engine::INDEX_BITS)
/// bits of a clock do not count when clocks are compared, and the time that is taken has zeros there; equals are decided by
/// the order of the moves.) With a rule that leaves moves out, this holds for the moves considered instead of the legal ones:
/// one that is considered again after a pause gets a new clock. So the game is the one that the problem's own methods would
/// give.
pub trait Learner<M> {
    /// The codes that the engine knows beforehand, in the order of their numbers.
    fn codes(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Adds these of the problem's [`named_bias`](crate::Problem::named_bias)es to the weights of moves in all games to come. Whether the
    /// engine can do so; if not, the problem's own methods play instead.
    fn use_biases(&mut self, _biases: &[usize]) -> bool {
        false
    }

    /// Plays a game and remembers it; its score and how many moves it has. Nothing if this game is beyond the engine: the
    /// problem's own methods then play it again.
    fn play(&mut self, codes: &Codes, policy: &[f64], rng: &mut Rng) -> Option<(f64, usize)>;

    /// Writes the game played last. Most games are never learned from, so they need not be written.
    fn record(&mut self, codes: &mut Codes, game: Recording<'_, M>);

    /// Whether the game played last is, move for move, the one recorded last. A search that has settled plays the same game
    /// again and again, and need not write it down again.
    fn is_recorded(&self) -> bool {
        false
    }

    /// Adapts a policy to a game. An engine may call `adapting` compiled for better instructions.
    fn adapt(&self, adapting: &mut Adapting, policy: &mut [f64], game: &Trace<M>, alpha: f64) {
        adapting.adapt(policy, game, alpha);
    }
}

/// How many steps of a game are looked at together.
const BLOCK: usize = 4;

/// How many entries of a block are looked at in one turn of a loop.
const TOGETHER: usize = 4;

/// A game with what adapting to it needs: which codes were considered in which steps.
///
/// A code that is considered once mostly stays for a while, so the game is kept as spans of steps; and in blocks of four
/// steps, each with the spans that it meets and for every one of them the set of its steps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trace<M> {
    pub(crate) score: f64,
    pub(crate) moves: Vec<M>,
    spans: Vec<Span>,
    /// By span: what the rule's weight and the bias multiply the policy with. Empty if always 1.
    factors: Vec<f64>,
    blocks: Blocks,
    /// Span by span, the biases whose weights are learned: as many for each span as there are. They are not part of [`factors`](Self::factors).
    /// Written apart: games of searches without such biases are written as they always were.
    #[serde(skip)]
    pub(crate) biases: Vec<f64>,
}

/// Blocks of four steps, each with the spans that it meets.
#[derive(Clone, Debug, Default, Deserialize)]
struct Blocks {
    /// Block after block: span << 4 | set of steps. Zeros, which consider nothing, may follow the entries of a block.
    considered: Vec<u32>,
    /// Where every block ends in `considered`.
    ends: Vec<u32>,
}

/// Without the zeros, which are only of use while the game is at hand.
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

/// What an engine fills in to write the spans of a game all at once; see [`Recording::end_with`].
pub struct Spans<'a> {
    /// The spans, in the order in which their moves stand in the lists of legal moves.
    pub spans: &'a mut Vec<Span>,
    /// For every block of four steps, one block after the other: number of a span that meets it << 4 | the set of its steps there.
    /// Zeros may follow the entries of a block.
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

    /// Gives the codes other numbers.
    pub(crate) fn renumber(&mut self, mut number: impl FnMut(u32) -> u32) {
        self.spans.iter_mut().for_each(|span| span.code = number(span.code));
    }
}

/// Writes traces, one after the other.
#[derive(Default)]
pub(crate) struct Recorder {
    /// By span of the game being written: when its clock rings, counted from the step that considered it last.
    clocks: Vec<f64>,
    /// The spans of the moves considered in the current step, and their clocks.
    current: (Vec<u32>, Vec<f64>),
    past: f64,
    /// By the number of a code: the game that considered it last, and its last span there.
    met: Vec<(u32, u32)>,
    game: u32,
    /// The spans that meet a block.
    present: Vec<u32>,
}

impl Recorder {
    /// Starts a game in the place of another.
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

    /// Goes on with the game started last.
    pub fn go_on<'a, M>(&'a mut self, trace: &'a mut Trace<M>) -> Recording<'a, M> {
        Recording { recorder: self, trace }
    }

    /// The clocks of the moves considered in the current step.
    pub fn clocks(&self) -> &[f64] {
        &self.current.1
    }
}

/// A game being written down.
pub struct Recording<'a, M> {
    recorder: &'a mut Recorder,
    trace: &'a mut Trace<M>,
}

/// Spans, in the order in which their moves stand in the lists of legal moves.
impl<M> Extend<Span> for Recording<'_, M> {
    #[inline]
    fn extend<I: IntoIterator<Item = Span>>(&mut self, spans: I) {
        self.trace.spans.extend(spans);
    }
}

impl<M> Recording<'_, M> {
    /// The moves with this code's number were considered in steps `from..to`, once in each, and `played` says whether the
    /// last of them was played. The spans come in the order in which their moves stand in the lists of legal moves.
    #[inline]
    pub fn span(&mut self, number: u32, from: u32, to: u32, played: bool) {
        self.trace.spans.push(Span { code: number, from, to, played: u32::from(played) });
    }

    /// The same of moves whose policy is multiplied by a factor: the exponential of their biases.
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

    /// The next step begins, a time of `past` after the last.
    pub(crate) fn next_step(&mut self, past: f64) {
        self.recorder.past = past;
        self.recorder.current.0.clear();
        self.recorder.current.1.clear();
    }

    /// A move with this code's number is considered in the current step; `factor` multiplies its policy, `biases` are those whose weights are
    /// learned, and `clock` is asked for a new clock if it was not considered, with the same of both, in the last step.
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

    /// The span of a move like this one in the last step, made one step longer.
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

    /// Move number `chosen` of those considered in the current step is played. Its clock has rung: should its code be
    /// considered again, that is another span.
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
        let Recording { recorder: Recorder { present, .. }, trace } = self;
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

    /// The end of a game whose spans `write` fills in, blocks and all: for an engine that can do so faster than [`span`](Self::span)
    /// and [`end`](Self::end). `write` gets empty lists.
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
