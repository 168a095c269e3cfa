//! One problem, its type forgotten: moves are texts, everything else is numbers.

use std::time::{Duration, Instant};

use nestling::{
    Cancel, Certificate, Counts, Estimate, Event, Found, Goal, Illegal, Journal, Outcome, Recipe, Run, RunError,
    Scores, Search, Spent, Stop, Weights, sensible_search, texts,
};
use nestling_puzzles::Solutions;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::device::Device;
use crate::exhibit::{Canvas, Comparison, Exhibit, Picture, Published, Record};
use crate::table::Table;

/// A run to be made, as a person orders it.
#[derive(Clone, Debug)]
pub struct Order {
    /// The search.
    pub search: Search,
    /// The seed.
    pub seed: u64,
    /// How many threads.
    pub threads: usize,
    /// What makes the search.
    pub device: Device,
    /// The moves to start after.
    pub from: Vec<String>,
    /// The budget in time, and when its clock started.
    pub time: Option<(Duration, Instant)>,
    /// The budget in playouts.
    pub playouts: Option<u64>,
    /// The score to stop at.
    pub target: Option<f64>,
    /// The weights that the search mentions, by name.
    pub weights: Vec<(String, Weights)>,
    /// Stops the run from outside.
    pub cancel: Cancel,
    /// Shows the scores of single playouts.
    pub scores: Option<Scores>,
    /// A checkpoint to go on from, and what had been spent when it was written.
    pub resume: Option<(Vec<u8>, Spent)>,
}

impl Order {
    /// An order for one thread, seed 0, without a budget.
    pub fn new(search: Search) -> Self {
        Order {
            search,
            seed: 0,
            threads: 1,
            device: Device::Cpu,
            from: Vec::new(),
            time: None,
            playouts: None,
            target: None,
            weights: Vec::new(),
            cancel: Cancel::new(),
            scores: None,
            resume: None,
        }
    }
}

/// The outcome of a run, its moves as people write them. See [`Outcome`] for the fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solved {
    /// The score of the result.
    pub score: f64,
    /// The moves of the result.
    pub moves: Vec<String>,
    /// Whether the result is a complete game rather than an estimate.
    pub complete: bool,
    /// The best score seen, where it is better than the result's.
    pub best_seen: Option<f64>,
    /// Whether no game was finished and nothing estimated, so that the score is worth nothing.
    #[serde(default)]
    pub nothing: bool,
    /// Why the run stopped.
    pub stop: Stop,
    /// Whether nothing better exists.
    pub proven: bool,
    /// What was played up to the cut.
    pub counts: Counts,
    /// All that was really played.
    pub work: Counts,
    /// How to find the result again where the whole run is not the way.
    pub recipe: Option<Recipe>,
    /// The policy that was learned; it has a text form of its own.
    #[serde(skip)]
    pub learned: Option<Weights>,
    /// How long it took.
    pub elapsed: Duration,
}

impl Solved {
    /// The score of the result, if there is one.
    pub fn scored(&self) -> Option<f64> {
        (!self.nothing).then_some(self.score)
    }
}

/// A problem with its parameters, as the command line sees it.
pub trait Instance: Send + Sync {
    /// The name it was opened by, parameters included.
    fn name(&self) -> &str;
    /// Whether it is maximised or minimised.
    fn goal(&self) -> Goal;
    /// The best result known.
    fn record(&self) -> Option<Record>;
    /// What the score counts.
    fn unit(&self) -> Option<&'static str>;
    /// What a score means, where the number alone says little.
    fn verdict(&self, score: f64, proven: bool) -> Option<String>;
    /// What a score means, in words.
    fn worth(&self, score: f64, complete: bool) -> String;
    /// The game for two that this is, if it is one.
    fn table(&self) -> Option<&dyn Table>;
    /// The search to use when a person names none.
    fn sensible_search(&self, time: Option<Duration>, playouts: Option<u64>) -> Search;
    /// What a search would cost here after these moves.
    fn estimate(&self, search: &Search, from: &[String]) -> Result<Estimate, RunError>;
    /// Whether the GPUs of this machine can make a search, and in words why not.
    fn gpu_check(&self, search: &Search) -> Result<(), String>;
    /// Carries out an order.
    fn solve(
        &self,
        order: &Order,
        listener: &mut dyn FnMut(&Event),
        journal: Option<(&mut dyn Journal, Duration)>,
    ) -> Result<Solved, RunError>;
    /// A picture of a game.
    fn draw(&self, moves: &[String], canvas: Canvas) -> Result<String, Illegal>;
    /// A picture of a game as SVG; `None` where the problem has none.
    fn picture(&self, moves: &[String], picture: &Picture) -> Result<Option<String>, Illegal>;
    /// What programs need to show the state after a game; `None` where the problem has nothing of the kind.
    fn view(&self, moves: &[String]) -> Result<Option<Value>, Illegal>;
    /// How many solutions there are; `None` where that makes no sense or takes too long.
    fn solutions(&self) -> Option<Solutions>;
    /// The games that were published as records.
    fn published(&self) -> Vec<Published>;
    /// Replays a game by the plain rules: its moves as the problem itself writes them, and what it is worth.
    fn certify(&self, moves: &[String]) -> Result<(Vec<String>, Certificate), Illegal>;
    /// The legal moves after a game, in the problem's order; none when it is over.
    fn legal_moves(&self, moves: &[String]) -> Result<Vec<String>, Illegal>;
    /// Bytes that are the same for two games that people would call the same.
    fn identity(&self, moves: &[String]) -> Result<Vec<u8>, Illegal>;
    /// The weights of a policy that nearly always plays this game; see [`Weights::towards`].
    fn weights_towards(&self, moves: &[String]) -> Result<Weights, Illegal>;
    /// How much two games have in common.
    fn compare(&self, one: &[String], other: &[String]) -> Result<Comparison, Illegal>;
}

/// The one implementation of [`Instance`].
pub(crate) struct Named<P> {
    pub name: String,
    pub problem: P,
}

impl<P: Exhibit> Named<P> {
    fn solved(&self, outcome: Outcome<P::Move>) -> Solved {
        let Outcome { result, best_seen, nothing, stop, proven, counts, work, recipe, learned, elapsed } = outcome;
        let Found { score, moves, complete } = result;
        let moves = texts(&self.problem, &moves);
        let best_seen = best_seen.map(|seen| seen.score);
        Solved { score, moves, complete, best_seen, nothing, stop, proven, counts, work, recipe, learned, elapsed }
    }

    fn moves(&self, texts: &[String]) -> Result<Vec<P::Move>, Illegal> {
        self.problem.parse(&texts.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

impl<P: Exhibit> Instance for Named<P> {
    fn name(&self) -> &str {
        &self.name
    }

    fn goal(&self) -> Goal {
        self.problem.goal()
    }

    fn record(&self) -> Option<Record> {
        self.problem.record()
    }

    fn unit(&self) -> Option<&'static str> {
        self.problem.unit()
    }

    fn verdict(&self, score: f64, proven: bool) -> Option<String> {
        self.problem.verdict(score, proven)
    }

    fn worth(&self, score: f64, complete: bool) -> String {
        self.problem.worth(score, complete)
    }

    fn table(&self) -> Option<&dyn Table> {
        self.problem.table()
    }

    fn sensible_search(&self, time: Option<Duration>, playouts: Option<u64>) -> Search {
        sensible_search(&self.problem, time, playouts)
    }

    fn estimate(&self, search: &Search, from: &[String]) -> Result<Estimate, RunError> {
        let from = self.moves(from).map_err(RunError::From)?;
        self.problem.certify(&from).map_err(RunError::From)?;
        let mut state = self.problem.clone();
        from.iter().for_each(|&played| state.play(played));
        Ok(Estimate::new(&state, search)?)
    }

    fn gpu_check(&self, search: &Search) -> Result<(), String> {
        self.problem.gpu_check(search)
    }

    fn solve(
        &self,
        order: &Order,
        listener: &mut dyn FnMut(&Event),
        journal: Option<(&mut dyn Journal, Duration)>,
    ) -> Result<Solved, RunError> {
        let from = self.moves(&order.from).map_err(RunError::From)?;
        let mut run = Run::new(&self.problem, order.search.clone())
            .seed(order.seed)
            .threads(order.threads)
            .from(&from)
            .cancel(order.cancel.clone())
            .on_event(listener);
        if let Some((time, began)) = order.time {
            run = run.time(time).began(began);
        }
        if let Some(playouts) = order.playouts {
            run = run.playouts(playouts);
        }
        if let Some(target) = order.target {
            run = run.target(target);
        }
        for (name, weights) in &order.weights {
            run = run.weights(name, weights.clone());
        }
        if order.device == Device::Cuda {
            self.problem.certify(&from).map_err(RunError::From)?;
            let mut state = self.problem.clone();
            from.iter().for_each(|&played| state.play(played));
            let machine = state.gpu_open(&order.search, &order.weights, order.seed);
            run = run.accelerator(machine.map_err(RunError::Accelerator)?);
        }
        if let Some(scores) = &order.scores {
            run = run.scores(scores.clone());
        }
        if let Some((checkpoint, spent)) = &order.resume {
            run = run.resume(checkpoint.clone()).spent(*spent);
        }
        if let Some((journal, interval)) = journal {
            run = run.journal(journal, interval);
        }
        run.start().map(|outcome| self.solved(outcome))
    }

    fn draw(&self, moves: &[String], canvas: Canvas) -> Result<String, Illegal> {
        Ok(self.problem.draw(&self.moves(moves)?, canvas))
    }

    fn picture(&self, moves: &[String], picture: &Picture) -> Result<Option<String>, Illegal> {
        Ok(self.problem.picture(&self.moves(moves)?, picture))
    }

    fn view(&self, moves: &[String]) -> Result<Option<Value>, Illegal> {
        let moves = self.moves(moves)?;
        self.problem.certify(&moves)?;
        Ok(self.problem.view(&moves))
    }

    fn solutions(&self) -> Option<Solutions> {
        self.problem.solutions()
    }

    fn published(&self) -> Vec<Published> {
        self.problem.published()
    }

    fn certify(&self, moves: &[String]) -> Result<(Vec<String>, Certificate), Illegal> {
        let moves = self.moves(moves)?;
        let certificate = self.problem.certify(&moves)?;
        Ok((texts(&self.problem, &moves), certificate))
    }

    fn legal_moves(&self, moves: &[String]) -> Result<Vec<String>, Illegal> {
        let moves = self.moves(moves)?;
        self.problem.certify(&moves)?;
        let (mut state, mut legal) = (self.problem.clone(), Vec::new());
        moves.into_iter().for_each(|played| state.play(played));
        state.legal_moves(&mut legal);
        Ok(legal.into_iter().map(|played| state.move_text(played)).collect())
    }

    fn identity(&self, moves: &[String]) -> Result<Vec<u8>, Illegal> {
        Ok(self.problem.identity(&self.moves(moves)?))
    }

    fn weights_towards(&self, moves: &[String]) -> Result<Weights, Illegal> {
        let moves = self.moves(moves)?;
        self.problem.certify(&moves)?;
        Ok(Weights::towards(&self.problem, &moves))
    }

    fn compare(&self, one: &[String], other: &[String]) -> Result<Comparison, Illegal> {
        Ok(self.problem.compare(&self.moves(one)?, &self.moves(other)?))
    }
}
