//! The work that is timed, done by our engine and by the paper's technique.

use anyhow::{Result, anyhow};
use nestling::engine::Codes;
use nestling::engine::{Batch, PlayoutPolicy, Rule};
use nestling::{Goal, Problem, Run, Search, Stream};
use nestling_lab::baseline::{BaselineError, Technique};
use nestling_morpion::{Board, Variant};

/// Playouts of a round: a few milliseconds, so that what starts a round does not count and a system that takes the processor
/// away spoils few of them.
const GAMES: usize = 1_000;

/// Searches of level 1 in a round: one alone takes less than a millisecond, and starting a run a part of that.
const SEARCHES: u64 = 20;

/// The work that is timed.
#[derive(Clone, Copy)]
pub(super) enum Work {
    Uniform,
    Weighted,
    Nested(u32),
    Nrpa(u32),
}

impl Work {
    pub fn name(self) -> String {
        match self {
            Work::Uniform => "uniform playouts".to_owned(),
            Work::Weighted => "weighted playouts".to_owned(),
            Work::Nested(level) => format!("nested({level})"),
            Work::Nrpa(level) => format!("nrpa({level})"),
        }
    }

    /// Searches of a round; those of higher levels are long enough alone.
    fn searches(self) -> u64 {
        match self {
            Work::Nested(1) | Work::Nrpa(1) => SEARCHES,
            _ => 1,
        }
    }

    /// Does the work with our engine on one thread; the moves of its playouts.
    pub fn ours(self, board: &Board, seed: u64) -> Result<u64> {
        match self {
            Work::Uniform => Ok(uniform(board, seed)),
            Work::Weighted => weighted(board, seed),
            Work::Nested(level) => run(board, &Search::nested(level).repeat(self.searches()), 1, seed),
            Work::Nrpa(level) => run(board, &Search::nrpa(level).repeat(self.searches()), 1, seed),
        }
    }

    /// Does the work with the paper's technique; the moves of its playouts.
    pub fn papers(self, variant: Variant, seed: u64) -> Result<u64> {
        let searches =
            |search: &dyn Fn(u64) -> Result<nestling_lab::baseline::BaselineGame, BaselineError>| -> Result<u64> {
                (0..self.searches()).map(|index| Ok(search(Stream::new(seed).child(index).seed())?.played)).sum()
            };
        match self {
            Work::Uniform => by_technique(Technique::RangeQuery, variant, GAMES as u64, seed),
            Work::Weighted => Ok(nestling_lab::baseline::weighted(variant, Technique::RangeQuery, GAMES as u64, seed)?),
            Work::Nested(level) => searches(&|seed| nestling_lab::baseline::nested(variant, level as usize, seed)),
            Work::Nrpa(level) => searches(&|seed| nestling_lab::baseline::nrpa(variant, level as usize, seed)),
        }
    }
}

fn uniform(board: &Board, seed: u64) -> u64 {
    let policy = PlayoutPolicy::UNIFORM;
    let mut batch = Batch::repeated(&policy, Goal::Max, Stream::new(seed), 0, GAMES);
    board.playouts(&mut batch);
    batch.moves_played()
}

/// Games drawn by a policy in which all moves weigh the same.
fn weighted(board: &Board, seed: u64) -> Result<u64> {
    let mut learner = board.learner(Rule::Uniform).ok_or_else(|| anyhow!("this board has no engine"))?;
    let (codes, policy) = (Codes::default(), vec![1.0; learner.codes().len()]);
    let games =
        (0..GAMES as u64).filter_map(|game| learner.play(&codes, &policy, &mut Stream::new(seed).child(game).rng()));
    Ok(games.map(|(_, moves)| moves as u64).sum())
}

/// Runs a search; the moves of its playouts.
pub(super) fn run(board: &Board, search: &Search, threads: usize, seed: u64) -> Result<u64> {
    Ok(Run::new(board, search.clone()).threads(threads).seed(seed).start()?.counts.moves)
}

/// Runs a search by itself on each of some threads; the moves of all their playouts.
pub(super) fn side_by_side(board: &Board, search: &Search, threads: usize, seed: u64) -> Result<u64> {
    let stream = Stream::new(seed);
    std::thread::scope(|scope| {
        let one = |index| scope.spawn(move || run(board, search, 1, stream.child(index).seed()));
        let runs: Vec<_> = (0..threads as u64).map(one).collect();
        runs.into_iter().map(|run| run.join().expect("a run that fails says so")).sum()
    })
}

/// Uniform playouts by a technique of the paper; their moves.
pub(super) fn by_technique(technique: Technique, variant: Variant, games: u64, seed: u64) -> Result<u64> {
    Ok(nestling_lab::baseline::uniform(variant, technique, games, seed)?)
}
