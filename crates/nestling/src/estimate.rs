//! What a search would cost here, before it is run.
//!
//! A short search gives a game; along it are measured how many moves there are and how long playouts take. From
//! that the cost of any expression follows depth by depth. Better searches play longer games, so this errs on the low
//! side; it is meant to tell seconds from years.

use std::time::{Duration, Instant};

use crate::expression::Search;
use crate::plan::{Files, NrpaPlan, Plan, PlanError, PlanKind};
use crate::playout::{Batch, PlayoutPolicy};
use crate::problem::Problem;
use crate::run::Run;
use crate::stream::Stream;

/// How long one measurement may take.
const PATIENCE: Duration = Duration::from_millis(15);

/// The expected cost of a search, on one thread of this machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Playouts; infinite where only a budget ends the search, or where nothing can be said (`dfs`).
    pub playouts: f64,
    /// Seconds, likewise.
    pub seconds: f64,
}

impl Estimate {
    const NOTHING: Estimate = Estimate { playouts: 0.0, seconds: 0.0 };

    /// Estimates `search` on `problem`; takes a few hundredths of a second, or a few playouts where those take longer.
    ///
    /// Weights that the expression mentions do not change the estimate and need not be given.
    pub fn new<P: Problem>(problem: &P, search: &Search) -> Result<Estimate, PlanError> {
        let files: Files = search.files().into_iter().map(|name| (name.to_owned(), Default::default())).collect();
        let plan = Plan::new(search, problem, &files)?;
        let profile = Profile::measure(problem);
        Ok(profile.cost(&plan)[0])
    }

    fn times(self, factor: f64) -> Estimate {
        Estimate { playouts: self.playouts * factor, seconds: self.seconds * factor }
    }

    fn plus(self, other: Estimate) -> Estimate {
        Estimate { playouts: self.playouts + other.playouts, seconds: self.seconds + other.seconds }
    }
}

/// A game, and what was measured along it.
struct Profile<'a, P: Problem> {
    problem: &'a P,
    /// Legal moves at every depth of the game; 0 at its end.
    widths: Vec<f64>,
    /// Expected moves of a playout from every depth.
    lengths: Vec<f64>,
}

impl<'a, P: Problem> Profile<'a, P> {
    fn measure(problem: &'a P) -> Self {
        let short = Run::new(problem, Search::nested(1)).time(PATIENCE).start();
        let game = match short {
            Ok(outcome) if outcome.result.complete => outcome.result.moves,
            // Not even one playout was over in time: then one, whatever it takes.
            _ => Run::new(problem, Search::playout()).start().map(|one| one.result.moves).unwrap_or_default(),
        };
        let (began, length) = (Instant::now(), game.len());
        let (mut widths, mut lengths) = (Vec::new(), Vec::new());
        let (mut state, mut legal) = (problem.clone(), Vec::new());
        let mut next = game.into_iter();
        loop {
            state.legal_moves(&mut legal);
            widths.push(legal.len() as f64);
            if began.elapsed() < PATIENCE {
                let mut batch = Batch::repeated(&PlayoutPolicy::UNIFORM, state.goal(), Stream::new(0), 0, 4);
                state.playouts(&mut batch);
                lengths.push(batch.moves_played() as f64 / 4.0);
            } else {
                lengths.push((length + 1 - widths.len()) as f64);
            }
            match next.next() {
                Some(played) => state.play(played),
                None => return Profile { problem, widths, lengths },
            }
        }
    }

    /// The cost of a plan started at every depth of the game.
    fn cost(&self, plan: &Plan) -> Vec<Estimate> {
        let depths = self.widths.len();
        match &plan.kind {
            PlanKind::Playout(policy) => self.playouts(1.0, self.seconds_per_move(policy)),
            PlanKind::Repeat { times, child } => self.scaled(child, times.map_or(f64::INFINITY, |times| times as f64)),
            PlanKind::Mean { times, child } => self.scaled(child, *times as f64),
            PlanKind::Lookahead { child, .. } => {
                let child = self.cost(child);
                let after = |depth: usize| child[(depth + 1).min(depths - 1)];
                (0..depths).map(|depth| after(depth).times(self.widths[depth])).collect()
            }
            PlanKind::Step { child, .. } => {
                let mut sum = Estimate::NOTHING;
                let mut costs = self.cost(child);
                for (cost, &width) in costs.iter_mut().zip(&self.widths).rev() {
                    sum = if width == 0.0 { Estimate::NOTHING } else { sum.plus(*cost) };
                    *cost = sum;
                }
                costs
            }
            PlanKind::Nrpa(nrpa) => {
                let tries = if nrpa.level == 0 { 1.0 } else { nrpa.tries as f64 };
                let games = (nrpa.iterations as f64).powi(nrpa.level as i32) * tries;
                self.playouts(games, self.seconds_per_adapted_move(nrpa))
            }
            PlanKind::Uct(uct) => {
                // Walking the tree costs about as much again as the moves played in it.
                let games = uct.simulations as f64 * uct.trees as f64;
                self.playouts(games, 1.5 * self.seconds_per_move(&uct.policy))
            }
            PlanKind::Dfs => vec![Estimate { playouts: f64::INFINITY, seconds: f64::INFINITY }; depths],
            PlanKind::Beam(beam) => self.beam(beam.width as f64, beam.samples as f64, &beam.policy),
        }
    }

    fn scaled(&self, child: &Plan, factor: f64) -> Vec<Estimate> {
        self.cost(child).into_iter().map(|cost| cost.times(factor)).collect()
    }

    fn playouts(&self, games: f64, seconds_per_move: f64) -> Vec<Estimate> {
        let cost = |length: &f64| Estimate { playouts: games, seconds: games * (length + 1.0) * seconds_per_move };
        self.lengths.iter().map(cost).collect()
    }

    fn beam(&self, width: f64, samples: f64, policy: &PlayoutPolicy) -> Vec<Estimate> {
        let one = self.playouts(1.0, self.seconds_per_move(policy));
        let (mut costs, mut kept) = (Vec::new(), 1.0_f64);
        for (cost, branches) in one.iter().zip(&self.widths) {
            let candidates = kept * branches;
            costs.push(cost.times(candidates * samples));
            kept = candidates.min(width);
        }
        let sum = costs.into_iter().fold(Estimate::NOTHING, Estimate::plus);
        vec![sum; self.widths.len()]
    }

    fn seconds_per_move(&self, policy: &PlayoutPolicy) -> f64 {
        let (began, mut moves, mut first) = (Instant::now(), 0, 0);
        while began.elapsed() < PATIENCE / 3 {
            let mut batch = Batch::repeated(policy, self.problem.goal(), Stream::new(1), first, 4);
            self.problem.playouts(&mut batch);
            moves += batch.moves_played() + 4;
            first += 4;
        }
        began.elapsed().as_secs_f64() / moves as f64
    }

    fn seconds_per_adapted_move(&self, nrpa: &NrpaPlan) -> f64 {
        let search = Search::nrpa(1).iterations(nrpa.iterations.min(1_000)).tries(nrpa.tries);
        match Run::new(self.problem, search).time(PATIENCE).start() {
            Ok(outcome) => {
                outcome.elapsed.as_secs_f64() / (outcome.counts.moves + outcome.counts.playouts).max(1) as f64
            }
            Err(_) => self.seconds_per_move(&nrpa.policy),
        }
    }
}

/// The search to use when a person names none: NRPA restarted until the budget ends.
///
/// With playouts to spend, its level depends on their number alone, so that the same command gives the same search
/// everywhere. With time it is the highest of which one search fits; one that takes up to three times as long still does better
/// than its predecessor, cut or not. With neither, level 3.
pub fn sensible_search<P: Problem>(problem: &P, time: Option<Duration>, playouts: Option<u64>) -> Search {
    const ITERATIONS: f64 = 100.0;
    let highest = |fits: &dyn Fn(f64) -> bool| {
        (2..=8).take_while(|&level| fits(ITERATIONS.powi(level))).last().unwrap_or(1).unsigned_abs()
    };
    let level = match (playouts, time) {
        (Some(playouts), _) => highest(&|games| games <= playouts as f64),
        (None, Some(time)) => match Estimate::new(problem, &Search::nrpa(1)) {
            Ok(first) => highest(&|games| first.seconds * games / ITERATIONS <= 3.0 * time.as_secs_f64()),
            Err(_) => 1,
        },
        (None, None) => 3,
    };
    Search::nrpa(level).forever()
}
