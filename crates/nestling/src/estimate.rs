//! The expected cost of a search on this machine.
//!
//! Short searches give games; along them the number of legal moves and the time of playouts are measured. The cost of any expression
//! follows from these numbers, depth by depth. In many problems better searches play longer games: their length grows with the logarithm of
//! their playouts. This growth is measured too, and a search that plays a whole game costs more in proportion.

use std::cell::OnceCell;
use std::time::{Duration, Instant};

use crate::expression::Search;
use crate::outcome::{Outcome, Stop};
use crate::playout::{Batch, PlayoutPolicy};
use crate::problem::Problem;
use crate::run::Run;
use crate::search::planner::without_files;
use crate::search::{PlanError, Planned, Searches, Standard};
use crate::stream::Stream;

/// How long one measurement may take, unless the caller says otherwise.
const PATIENCE: Duration = Duration::from_millis(15);

/// How many games are averaged if a search goes along games. Together they may take a third of that many times as long.
const GAMES: u32 = 16;

/// The expected cost of a search, on one thread of this machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Playouts; infinite if only a budget ends the search, or if no estimate is possible (`dfs`).
    pub playouts: f64,
    /// Seconds, likewise.
    pub seconds: f64,
}

impl Estimate {
    /// No cost.
    pub const NOTHING: Estimate = Estimate { playouts: 0.0, seconds: 0.0 };

    /// Estimates `search` on `problem`; takes one or two tenths of a second, or a few playouts if those take longer.
    ///
    /// Weights that the expression mentions do not change the estimate and need not be given.
    ///
    /// # Errors
    ///
    /// When the search does not fit the problem.
    pub fn new<P: Problem>(problem: &P, search: &Search) -> Result<Estimate, PlanError> {
        Estimate::with::<Standard, P>(problem, search)
    }

    /// The same for a search of any set.
    ///
    /// # Errors
    ///
    /// When the search does not fit the problem, or is not in the set.
    pub fn with<S: Searches, P: Problem>(problem: &P, search: &Search) -> Result<Estimate, PlanError> {
        Estimate::patiently::<S, P>(problem, search, PATIENCE)
    }

    /// The same with so much time for each of some ten measurements. On a busy machine, more time makes the estimate less uncertain.
    ///
    /// # Errors
    ///
    /// When the search does not fit the problem, or is not in the set.
    pub fn patiently<S: Searches, P: Problem>(
        problem: &P,
        search: &Search,
        patience: Duration,
    ) -> Result<Estimate, PlanError> {
        let planned = without_files::<S, P>(problem, search)?;
        let games = if planned.goes_along() { GAMES } else { 1 };
        Ok(planned.cost(&Profile::measure(problem, games, patience))[0])
    }

    /// The cost times a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Estimate {
        Estimate { playouts: self.playouts * factor, seconds: self.seconds * factor }
    }

    /// The sum of two costs.
    #[must_use]
    pub fn plus(self, other: Estimate) -> Estimate {
        Estimate { playouts: self.playouts + other.playouts, seconds: self.seconds + other.seconds }
    }
}

/// A typical game and the measurements along it. Costs are given for a start at each of its depths.
pub struct Profile<'a, P: Problem> {
    problem: &'a P,
    /// Legal moves at every depth of the game; 0 at its end.
    widths: Vec<f64>,
    /// Expected moves of a playout from every depth.
    lengths: Vec<f64>,
    /// Measured when it is needed.
    growth: OnceCell<Option<Growth>>,
    patience: Duration,
}

/// The length of a search's game: length + slope · log10(playouts / after), where `after` playouts gave `length`.
struct Growth {
    length: f64,
    after: f64,
    slope: f64,
}

impl<'a, P: Problem> Profile<'a, P> {
    /// Measures along at most so many games.
    fn measure(problem: &'a P, most: u32, patience: Duration) -> Self {
        let (games, _) = finished(problem, &Search::nested(1), most, patience);
        let games = match games.is_empty() {
            false => games,
            // No search finished in time: take the best game found so far, or one playout, however long that takes.
            true => {
                let short = within(Run::new(problem, Search::nested(1)), patience);
                let found = short.filter(|outcome| outcome.game().is_some());
                let one = found.or_else(|| within(Run::new(problem, Search::playout()), patience));
                vec![one.map(|outcome| outcome.moves().to_vec()).unwrap_or_default()]
            }
        };
        let began = Instant::now();
        let share = patience / games.len() as u32;
        let tracks: Vec<Vec<(f64, f64)>> =
            games.iter().zip(1..).map(|(game, number)| track(problem, game, began, share * number)).collect();
        let moves: usize = games.iter().map(Vec::len).sum();
        let length = (moves as f64 / games.len() as f64).round() as usize;
        let average = |depth: usize, part: fn(&(f64, f64)) -> f64| {
            // Games of different lengths are compared at the same fraction of their lengths.
            let at = |track: &Vec<(f64, f64)>| part(&track[(depth * (track.len() - 1) + length / 2) / length.max(1)]);
            tracks.iter().map(at).sum::<f64>() / tracks.len() as f64
        };
        let widths = (0..=length).map(|depth| average(depth, |&(width, _)| width)).collect();
        let lengths = (0..=length).map(|depth| average(depth, |&(_, length)| length)).collect();
        Profile { problem, widths, lengths, growth: OnceCell::new(), patience }
    }

    /// The problem.
    pub fn problem(&self) -> &'a P {
        self.problem
    }

    /// How long one measurement may take.
    pub fn patience(&self) -> Duration {
        self.patience
    }

    /// How many legal moves there are at every depth of the game; 0 at its end.
    pub fn widths(&self) -> &[f64] {
        &self.widths
    }

    /// The length of a game found by so many playouts, relative to this game.
    pub fn stretch(&self, playouts: f64) -> f64 {
        let typical = self.widths.len() as f64 - 1.0;
        match self.growth.get_or_init(|| Growth::measure(self.problem, self.patience)) {
            Some(Growth { length, after, slope }) if typical > 0.0 && playouts > 0.0 && playouts.is_finite() => {
                ((length + slope * (playouts / after).log10()) / typical).clamp(0.5, 2.0)
            }
            _ => 1.0,
        }
    }

    /// An unknown cost.
    pub fn unknown(&self) -> Vec<Estimate> {
        vec![Estimate { playouts: f64::INFINITY, seconds: f64::INFINITY }; self.widths.len()]
    }

    /// The cost of a search times a factor.
    pub fn scaled(&self, search: &Planned<'_, P>, factor: f64) -> Vec<Estimate> {
        search.cost(self).into_iter().map(|cost| cost.times(factor)).collect()
    }

    /// The cost of so many playouts.
    pub fn playouts(&self, games: f64, seconds_per_move: f64) -> Vec<Estimate> {
        let cost = |length: &f64| Estimate { playouts: games, seconds: games * (length + 1.0) * seconds_per_move };
        self.lengths.iter().map(cost).collect()
    }

    /// The measured time of one move of a playout.
    pub fn seconds_per_move(&self, policy: &PlayoutPolicy) -> f64 {
        let (began, mut moves, mut first) = (Instant::now(), 0, 0);
        while began.elapsed() < self.patience / 3 {
            let mut batch = Batch::repeated(policy, self.problem.goal(), Stream::new(1), first, 4);
            self.problem.playouts(&mut batch);
            moves += batch.moves_played() + 4;
            first += 4;
        }
        began.elapsed().as_secs_f64() / moves as f64
    }
}

/// What a run has found when the time is over, or earlier if it ends; on this thread, so that a browser tab can do it too.
fn within<P: Problem>(run: Run<'_, P>, patience: Duration) -> Option<Outcome<P::Move>> {
    let (began, mut playouts) = (Instant::now(), 1);
    let mut stepper = run.stepper().ok()?;
    while !stepper.is_over() && began.elapsed() < patience {
        stepper.step(playouts).ok()?;
        // Steps grow, so that most of the time is spent in them, and stay far below the patience.
        if began.elapsed() < patience / 8 {
            playouts *= 2;
        }
    }
    stepper.outcome().ok()
}

/// The games of a search with the seeds 0, 1, … that finish in time, and the mean number of their playouts.
fn finished<P: Problem>(problem: &P, search: &Search, most: u32, patience: Duration) -> (Vec<Vec<P::Move>>, f64) {
    let (began, mut games, mut playouts) = (Instant::now(), Vec::new(), 0);
    let patience = patience.max(patience * most / 3);
    for seed in 0..most {
        let left = patience.saturating_sub(began.elapsed());
        match within(Run::new(problem, search.clone()).seed(seed.into()), left) {
            Some(outcome) if outcome.stop == Stop::Finished => {
                games.push(outcome.moves().to_vec());
                playouts += outcome.counts.playouts;
            }
            _ => break,
        }
    }
    let mean = playouts as f64 / games.len().max(1) as f64;
    (games, mean)
}

/// Along a game: the numbers of legal moves, and the lengths of playouts, which are measured until the time is over.
fn track<P: Problem>(problem: &P, game: &[P::Move], began: Instant, patience: Duration) -> Vec<(f64, f64)> {
    let (mut state, mut legal, mut track) = (problem.clone(), Vec::new(), Vec::new());
    let mut next = game.iter();
    loop {
        state.legal_moves(&mut legal);
        let length = if began.elapsed() < patience {
            let mut batch = Batch::repeated(&PlayoutPolicy::UNIFORM, state.goal(), Stream::new(0), 0, 4);
            state.playouts(&mut batch);
            batch.moves_played() as f64 / 4.0
        } else {
            (game.len() - track.len()) as f64
        };
        track.push((legal.len() as f64, length));
        match next.next() {
            Some(&played) => state.play(played),
            None => return track,
        }
    }
}

impl Growth {
    /// Measures the growth from two small searches, one of which calls the other; none if they take too long.
    fn measure<P: Problem>(problem: &P, patience: Duration) -> Option<Self> {
        let mean = |games: &[Vec<P::Move>]| games.iter().map(Vec::len).sum::<usize>() as f64 / games.len() as f64;
        let inner = Search::playout().step();
        let (small, few) = finished(problem, &inner, GAMES, patience);
        let (large, many) = finished(problem, &inner.step(), GAMES, patience);
        if small.is_empty() || large.is_empty() || many <= few || few < 1.0 {
            return None;
        }
        let slope = (mean(&large) - mean(&small)) / (many / few).log10();
        Some(Growth { length: mean(&large), after: many, slope })
    }
}
