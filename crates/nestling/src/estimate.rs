//! What a search would cost here, before it is run.
//!
//! Short searches give games; along them are measured how many moves there are and how long playouts take. From that the
//! cost of any expression follows depth by depth. In many problems better searches play longer games: their length grows with the
//! logarithm of their playouts, which is measured too, and a search that plays a whole game costs more in proportion.

use std::cell::OnceCell;
use std::time::{Duration, Instant};

use crate::expression::Search;
use crate::outcome::Stop;
use crate::playout::{Batch, PlayoutPolicy};
use crate::problem::Problem;
use crate::run::Run;
use crate::search::plan::without_files;
use crate::search::{PlanError, Planned, Searches, Standard};
use crate::stream::Stream;

/// How long one measurement may take.
pub(crate) const PATIENCE: Duration = Duration::from_millis(15);

/// How many games are averaged where a search goes along games. Together they may take a third of that many times as long.
const GAMES: u32 = 16;

/// The expected cost of a search, on one thread of this machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Playouts; infinite where only a budget ends the search, or where nothing can be said (`dfs`).
    pub playouts: f64,
    /// Seconds, likewise.
    pub seconds: f64,
}

impl Estimate {
    /// No cost.
    pub const NOTHING: Estimate = Estimate { playouts: 0.0, seconds: 0.0 };

    /// Estimates `search` on `problem`; takes a tenth of a second or two, or a few playouts where those take longer.
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
        let planned = without_files::<S, P>(problem, search)?;
        let games = if planned.goes_along() { GAMES } else { 1 };
        Ok(planned.cost(&Profile::measure(problem, games))[0])
    }

    /// So many times as much.
    #[must_use]
    pub fn times(self, factor: f64) -> Estimate {
        Estimate { playouts: self.playouts * factor, seconds: self.seconds * factor }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Estimate) -> Estimate {
        Estimate { playouts: self.playouts + other.playouts, seconds: self.seconds + other.seconds }
    }
}

/// A typical game, and what was measured along it. Costs are told for a start at each of its depths.
pub struct Profile<'a, P: Problem> {
    problem: &'a P,
    /// Legal moves at every depth of the game; 0 at its end.
    widths: Vec<f64>,
    /// Expected moves of a playout from every depth.
    lengths: Vec<f64>,
    /// Measured when it is needed.
    growth: OnceCell<Option<Growth>>,
}

/// How many moves a search's game has: length + slope · log10(playouts / after), where `after` playouts gave `length`.
struct Growth {
    length: f64,
    after: f64,
    slope: f64,
}

impl<'a, P: Problem> Profile<'a, P> {
    /// Along so many games, at most.
    fn measure(problem: &'a P, most: u32) -> Self {
        let (games, _) = finished(problem, &Search::nested(1), most);
        let games = match games.is_empty() {
            false => games,
            // Not one was over in time: what was found till then, or one playout, whatever it takes.
            true => {
                let short = Run::new(problem, Search::nested(1)).time(PATIENCE).start();
                vec![match short {
                    Ok(outcome) if outcome.game().is_some() => outcome.moves().to_vec(),
                    _ => {
                        Run::new(problem, Search::playout()).start().map(|one| one.moves().to_vec()).unwrap_or_default()
                    }
                }]
            }
        };
        let began = Instant::now();
        let patience = PATIENCE / games.len() as u32;
        let tracks: Vec<Vec<(f64, f64)>> =
            games.iter().zip(1..).map(|(game, number)| track(problem, game, began, patience * number)).collect();
        let moves: usize = games.iter().map(Vec::len).sum();
        let length = (moves as f64 / games.len() as f64).round() as usize;
        let average = |depth: usize, part: fn(&(f64, f64)) -> f64| {
            // Games of different lengths are compared at the same share of them.
            let at = |track: &Vec<(f64, f64)>| part(&track[(depth * (track.len() - 1) + length / 2) / length.max(1)]);
            tracks.iter().map(at).sum::<f64>() / tracks.len() as f64
        };
        let widths = (0..=length).map(|depth| average(depth, |&(width, _)| width)).collect();
        let lengths = (0..=length).map(|depth| average(depth, |&(_, length)| length)).collect();
        Profile { problem, widths, lengths, growth: OnceCell::new() }
    }

    /// The problem.
    pub fn problem(&self) -> &'a P {
        self.problem
    }

    /// How many legal moves there are at every depth of the game; 0 at its end.
    pub fn widths(&self) -> &[f64] {
        &self.widths
    }

    /// By how much the games of a search of so many playouts are longer than this one.
    pub fn stretch(&self, playouts: f64) -> f64 {
        let typical = self.widths.len() as f64 - 1.0;
        match self.growth.get_or_init(|| Growth::measure(self.problem)) {
            Some(Growth { length, after, slope }) if typical > 0.0 && playouts > 0.0 && playouts.is_finite() => {
                ((length + slope * (playouts / after).log10()) / typical).clamp(0.5, 2.0)
            }
            _ => 1.0,
        }
    }

    /// The cost of something of which nothing is known.
    pub fn unknown(&self) -> Vec<Estimate> {
        vec![Estimate { playouts: f64::INFINITY, seconds: f64::INFINITY }; self.widths.len()]
    }

    /// So many times the cost of a search.
    pub fn scaled(&self, search: &Planned<'_, P>, factor: f64) -> Vec<Estimate> {
        search.cost(self).into_iter().map(|cost| cost.times(factor)).collect()
    }

    /// The cost of so many playouts.
    pub fn playouts(&self, games: f64, seconds_per_move: f64) -> Vec<Estimate> {
        let cost = |length: &f64| Estimate { playouts: games, seconds: games * (length + 1.0) * seconds_per_move };
        self.lengths.iter().map(cost).collect()
    }

    /// How long a move of a playout takes; it is measured.
    pub fn seconds_per_move(&self, policy: &PlayoutPolicy) -> f64 {
        let (began, mut moves, mut first) = (Instant::now(), 0, 0);
        while began.elapsed() < PATIENCE / 3 {
            let mut batch = Batch::repeated(policy, self.problem.goal(), Stream::new(1), first, 4);
            self.problem.playouts(&mut batch);
            moves += batch.moves_played() + 4;
            first += 4;
        }
        began.elapsed().as_secs_f64() / moves as f64
    }
}

/// The games of a search with the seeds 0, 1, … that are finished in time, and the mean of their playouts.
fn finished<P: Problem>(problem: &P, search: &Search, most: u32) -> (Vec<Vec<P::Move>>, f64) {
    let (began, mut games, mut playouts) = (Instant::now(), Vec::new(), 0);
    let patience = PATIENCE.max(PATIENCE * most / 3);
    for seed in 0..most {
        let left = patience.saturating_sub(began.elapsed());
        match Run::new(problem, search.clone()).seed(seed.into()).time(left).start() {
            Ok(outcome) if outcome.stop == Stop::Finished => {
                games.push(outcome.moves().to_vec());
                playouts += outcome.counts.playouts;
            }
            _ => break,
        }
    }
    let mean = playouts as f64 / games.len().max(1) as f64;
    (games, mean)
}

/// Along a game: the legal moves, and the moves of a playout, which are measured until the time is over.
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
    /// What the games of two small searches say, one of which calls the other; none if they take too long.
    fn measure<P: Problem>(problem: &P) -> Option<Self> {
        let mean = |games: &[Vec<P::Move>]| games.iter().map(Vec::len).sum::<usize>() as f64 / games.len() as f64;
        let inner = Search::playout().step();
        let (small, few) = finished(problem, &inner, GAMES);
        let (large, many) = finished(problem, &inner.step(), GAMES);
        if small.is_empty() || large.is_empty() || many <= few || few < 1.0 {
            return None;
        }
        let slope = (mean(&large) - mean(&small)) / (many / few).log10();
        Some(Growth { length: mean(&large), after: many, slope })
    }
}
