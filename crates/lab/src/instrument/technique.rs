//! The playout techniques that Nestling's engine is compared with, timed by the processor's clock.

use cpu_time::ThreadTime;
use nestling::search::{Nested, Nrpa, Playout};
use nestling::{Counts, Outcome, Run, RunError, Search, Stream};
use nestling_morpion::{Board, Move, Variant};
use nestling_registry::Registry;

use crate::baseline::{self, BaselineError, BaselineGame, Technique};
use crate::reading::Reading;

/// What a technique does for one reading.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Work {
    variant: Variant,
    technique: Technique,
    search: Task,
}

#[derive(Clone, Debug, PartialEq)]
enum Task {
    /// So many games.
    Playouts(u64),
    Nested(usize),
    Nrpa(usize),
    /// Without the paper's two optimisations of it.
    VanillaNrpa(usize),
    /// A search by Nestling's own engine.
    Nestling(Search),
}

/// The technique that only NRPA knows.
const VANILLA: &str = "vanilla";

/// Nestling's own engine, measured as the others are: in processor time.
const NESTLING: &str = "nestling";

/// The techniques by name, with the games of a reading: the slow ones play fewer, so that each takes about as long as the others.
pub const TECHNIQUES: [(&str, Technique, u64); 6] = [
    ("whole board", Technique::WholeBoard, 5),
    ("four directions", Technique::FourDirections, 30),
    ("rectangle", Technique::Rectangle, 100),
    ("range query", Technique::RangeQuery, 1_000),
    ("plain lists", Technique::PlainLists, 1_000),
    ("sorted lists", Technique::SortedLists, 1_000),
];

/// What a technique by this name does, or what is wrong with it.
pub(crate) fn technique(name: &str, problem: &str, search: &Search) -> Result<Work, String> {
    let variant = match problem {
        "morpion-5d" => Variant::FiveD,
        "morpion-5t" => Variant::FiveT,
        _ => return Err(format!("the techniques play morpion-5d and morpion-5t, not {problem}")),
    };
    let level = || search.integer("level") as usize;
    if name == VANILLA && search.is_of::<Nrpa>() {
        return Ok(Work { variant, technique: Technique::RangeQuery, search: Task::VanillaNrpa(level()) });
    }
    if name == NESTLING {
        return match search.is_endless() {
            false => Ok(Work { variant, technique: Technique::RangeQuery, search: Task::Nestling(search.clone()) }),
            true => Err(format!("{search} never ends")),
        };
    }
    let known = || TECHNIQUES.map(|(name, ..)| name).join(", ");
    let (_, technique, games) = TECHNIQUES.into_iter().find(|(known, ..)| *known == name).ok_or_else(|| {
        format!("there is no technique {name:?}; there are {}, {NESTLING}, and {VANILLA} for nrpa(l)", known())
    })?;
    let is_range_query = technique == Technique::RangeQuery;
    let search = match search {
        playout if playout.is_of::<Playout>() => Task::Playouts(games),
        nested if is_range_query && nested.is_of::<Nested>() && nested.is_on("memory") => Task::Nested(level()),
        nrpa if is_range_query && nrpa.is_of::<Nrpa>() => Task::Nrpa(level()),
        _ => return Err(format!("{search}: techniques do playout, and range query nested(l) and nrpa(l) too")),
    };
    Ok(Work { variant, technique, search })
}

impl Work {
    pub fn take(&self, seed: u64) -> Result<Reading, String> {
        let began = ThreadTime::try_now().map_err(|error| format!("no clock of the processor: {error}"))?;
        // A game that leaves the paper's board spoils the reading; the next seed will do.
        let mut tries = (0..10).map(|index| self.once(Stream::new(seed).child(index).seed()));
        let done =
            tries.find(|once| !matches!(once, Err(BaselineError::OffBoard))).unwrap_or(Err(BaselineError::OffBoard));
        let reading = match done.map_err(|refused| refused.to_string())? {
            Done::Games(games, moves) => Reading { playouts: games, moves, ..Reading::default() },
            Done::Search(found) => Reading { score: found.score() as f64, moves: found.played, ..Reading::default() },
            Done::Nestling(outcome) => {
                let outcome = outcome?;
                let Counts { playouts, moves, .. } = outcome.counts;
                Reading { score: outcome.score().unwrap_or_default(), playouts, moves, ..Reading::default() }
            }
        };
        let seconds = Some(began.try_elapsed().map_err(|error| error.to_string())?.as_secs_f64());
        Ok(Reading { seconds, ..reading })
    }

    fn once(&self, seed: u64) -> Result<Done, BaselineError> {
        match &self.search {
            &Task::Playouts(games) => {
                let played = baseline::uniform(self.variant, self.technique, games, seed)?;
                Ok(Done::Games(games, played))
            }
            &Task::Nested(level) => baseline::nested(self.variant, level, seed).map(Done::Search),
            &Task::Nrpa(level) => baseline::nrpa(self.variant, level, seed).map(Done::Search),
            &Task::VanillaNrpa(level) => baseline::vanilla_nrpa(self.variant, level, seed).map(Done::Search),
            Task::Nestling(search) => Ok(Done::Nestling(
                on_this_thread(&Board::new(self.variant), search, seed).map_err(|error| error.to_string()),
            )),
        }
    }

    /// Searches take a few times as long as with our engine.
    pub fn estimate(&self) -> Option<f64> {
        let name = if self.variant == Variant::FiveD { "morpion-5d" } else { "morpion-5t" };
        let (search, times) = match &self.search {
            Task::Playouts(_) => return Some(0.05),
            Task::Nested(level) => (Search::nested(*level as u32), 3.0),
            Task::Nrpa(level) | Task::VanillaNrpa(level) => (Search::nrpa(*level as u32), 3.0),
            Task::Nestling(search) => (search.clone(), 1.0),
        };
        Registry::standard().open(name).ok()?.estimate(&search, &[]).ok().map(|estimate| times * estimate.seconds)
    }
}

enum Done {
    /// So many games with so many moves.
    Games(u64, u64),
    Search(BaselineGame),
    Nestling(Result<Outcome<Move>, String>),
}

/// A whole search on the thread that calls, so that its clock counts all of it.
fn on_this_thread(board: &Board, search: &Search, seed: u64) -> Result<Outcome<Move>, RunError> {
    let mut stepper = Run::new(board, search.clone()).seed(seed).stepper()?;
    while !stepper.is_over() {
        stepper.step(u64::MAX)?;
    }
    stepper.outcome()
}
