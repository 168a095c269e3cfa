//! The playout techniques that Nestling's engine is compared with, timed by the processor's clock.

use cpu_time::ThreadTime;
use nestling::search::{Nested, Nrpa, Playout};
use nestling::{Counts, Outcome, Run, RunError, Search, Stream};
use nestling_morpion::{Board, Move, Variant};
use nestling_registry::Registry;

use crate::baseline::{self, Activity, BaselineError, BaselineGame, Technique};
use crate::reading::Reading;

/// The work of a technique for one reading.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Work {
    variant: Variant,
    technique: Technique,
    search: TechniqueTask,
}

#[derive(Clone, Debug, PartialEq)]
enum TechniqueTask {
    /// So many games.
    Playouts(u64),
    /// The same with the paper's generator.
    FourNumbers(u64),
    /// The share of an activity of so many games.
    Profile(Activity, u64),
    /// The mean number of possible moves at one of the [`PLACES`] of so many games.
    Children(usize, u64),
    /// So many random numbers of the paper's generator.
    Numbers(u64),
    /// So many seeds of the processor.
    Seeds(u64),
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

/// The name before that of an activity of table III.
const PROFILE: &str = "profile: ";

/// What is measured of the paper's random numbers, by name.
const RANDOM: [(&str, TechniqueTask); 3] = [
    ("range query with the SSE2 generator", TechniqueTask::FourNumbers(1_000)),
    ("SSE2 generator", TechniqueTask::Numbers(10_000_000)),
    ("hardware seeds", TechniqueTask::Seeds(100_000)),
];

/// The name before that of a place in a game, and these places.
const CHILDREN: &str = "children: ";
const PLACES: [&str; 4] = ["first move", "end of the first half", "beginning of the second half", "last move"];

/// The games of a profile: some thousand samples.
const PROFILED: u64 = 100_000;

/// The techniques by name, with the games of a reading: the slow ones play fewer, so that each takes about as long as the others.
pub const TECHNIQUES: [(&str, Technique, u64); 6] = [
    ("whole board", Technique::WholeBoard, 5),
    ("four directions", Technique::FourDirections, 30),
    ("rectangle", Technique::Rectangle, 100),
    ("range query", Technique::RangeQuery, 1_000),
    ("plain lists", Technique::PlainLists, 1_000),
    ("sorted lists", Technique::SortedLists, 1_000),
];

/// The work of the technique with this name, or an error.
pub(crate) fn technique(name: &str, problem: &str, search: &Search) -> Result<Work, String> {
    let variant = match problem {
        "morpion-5d" => Variant::FiveD,
        "morpion-5t" => Variant::FiveT,
        _ => return Err(format!("the techniques play morpion-5d and morpion-5t, not {problem}")),
    };
    let level = || search.integer("level") as usize;
    if name == VANILLA && search.is_of::<Nrpa>() {
        return Ok(Work { variant, technique: Technique::RangeQuery, search: TechniqueTask::VanillaNrpa(level()) });
    }
    if name == NESTLING {
        return match search.is_endless() {
            false => {
                Ok(Work { variant, technique: Technique::RangeQuery, search: TechniqueTask::Nestling(search.clone()) })
            }
            true => Err(format!("{search} never ends")),
        };
    }
    if search.is_of::<Playout>() {
        let activity = |words: &str| Activity::ALL.into_iter().find(|activity| activity.words() == words);
        let profile =
            name.strip_prefix(PROFILE).and_then(activity).map(|activity| TechniqueTask::Profile(activity, PROFILED));
        let place = |words: &str| PLACES.into_iter().position(|place| place == words);
        let children =
            || name.strip_prefix(CHILDREN).and_then(place).map(|place| TechniqueTask::Children(place, 1_000));
        let random = || RANDOM.into_iter().find(|(known, _)| *known == name).map(|(_, task)| task);
        if let Some(search) = profile.or_else(children).or_else(random) {
            return Ok(Work { variant, technique: Technique::RangeQuery, search });
        }
    }
    let known = || {
        let profiles = Activity::ALL.map(|activity| format!("{PROFILE}{}", activity.words()));
        let random = RANDOM.map(|(name, _)| name.to_owned());
        let children = PLACES.map(|place| format!("{CHILDREN}{place}"));
        [&TECHNIQUES.map(|(name, ..)| name.to_owned())[..], &random, &profiles, &children].concat().join(", ")
    };
    let (_, technique, games) = TECHNIQUES.into_iter().find(|(known, ..)| *known == name).ok_or_else(|| {
        format!("there is no technique {name:?}; there are {}, {NESTLING}, and {VANILLA} for nrpa(l)", known())
    })?;
    let is_range_query = technique == Technique::RangeQuery;
    let search = match search {
        playout if playout.is_of::<Playout>() => TechniqueTask::Playouts(games),
        nested if is_range_query && nested.is_of::<Nested>() && nested.is_on("memory") => {
            TechniqueTask::Nested(level())
        }
        nrpa if is_range_query && nrpa.is_of::<Nrpa>() => TechniqueTask::Nrpa(level()),
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
            TechniqueOutput::Games(games, moves) => Reading { playouts: games, moves, ..Reading::default() },
            TechniqueOutput::Figure(score, moves) => Reading { score: score?, moves, ..Reading::default() },
            TechniqueOutput::Drawn(count) => Reading { moves: count?, ..Reading::default() },
            TechniqueOutput::Search(found) => {
                Reading { score: found.score() as f64, moves: found.played, ..Reading::default() }
            }
            TechniqueOutput::Nestling(outcome) => {
                let outcome = outcome?;
                let Counts { playouts, moves, .. } = outcome.counts;
                Reading { score: outcome.score().unwrap_or_default(), playouts, moves, ..Reading::default() }
            }
        };
        let seconds = Some(began.try_elapsed().map_err(|error| error.to_string())?.as_secs_f64());
        Ok(Reading { seconds, ..reading })
    }

    fn once(&self, seed: u64) -> Result<TechniqueOutput, BaselineError> {
        match &self.search {
            &TechniqueTask::Playouts(games) => {
                let played = baseline::uniform(self.variant, self.technique, games, seed)?;
                Ok(TechniqueOutput::Games(games, played))
            }
            &TechniqueTask::FourNumbers(games) => {
                let played = baseline::uniform_with_four_numbers(self.variant, games, seed)?;
                Ok(TechniqueOutput::Games(games, played))
            }
            &TechniqueTask::Profile(activity, games) => {
                let (moves, samples) = baseline::profile(self.variant, games, seed)?;
                let all: u64 = samples.iter().sum();
                let share = 100.0 * samples[activity as usize] as f64 / all as f64;
                let share = (all > 0).then_some(share).ok_or_else(|| "the profile has no sample".to_owned());
                Ok(TechniqueOutput::Figure(share, moves))
            }
            &TechniqueTask::Children(place, games) => {
                let (moves, children) = baseline::children(self.variant, games, seed)?;
                Ok(TechniqueOutput::Figure(Ok(children[place]), moves))
            }
            &TechniqueTask::Numbers(count) => {
                std::hint::black_box(baseline::draw_many(seed as u32, count));
                Ok(TechniqueOutput::Drawn(Ok(count)))
            }
            &TechniqueTask::Seeds(count) => {
                let drawn = baseline::hardware_seeds(count).map(std::hint::black_box);
                Ok(TechniqueOutput::Drawn(
                    drawn.map(|_| count).ok_or_else(|| "this processor gives no seeds (RDRAND)".to_owned()),
                ))
            }
            &TechniqueTask::Nested(level) => baseline::nested(self.variant, level, seed).map(TechniqueOutput::Search),
            &TechniqueTask::Nrpa(level) => baseline::nrpa(self.variant, level, seed).map(TechniqueOutput::Search),
            &TechniqueTask::VanillaNrpa(level) => {
                baseline::vanilla_nrpa(self.variant, level, seed).map(TechniqueOutput::Search)
            }
            TechniqueTask::Nestling(search) => Ok(TechniqueOutput::Nestling(
                on_this_thread(&Board::new(self.variant), search, seed).map_err(|error| error.to_string()),
            )),
        }
    }

    /// Searches take a few times as long as with our engine.
    pub fn estimate(&self) -> Option<f64> {
        let name = if self.variant == Variant::FiveD { "morpion-5d" } else { "morpion-5t" };
        let (search, times) = match &self.search {
            TechniqueTask::Playouts(_)
            | TechniqueTask::FourNumbers(_)
            | TechniqueTask::Children(..)
            | TechniqueTask::Numbers(_)
            | TechniqueTask::Seeds(_) => {
                return Some(0.05);
            }
            TechniqueTask::Profile(..) => return Some(0.5),
            TechniqueTask::Nested(level) => (Search::nested(*level as u32), 3.0),
            TechniqueTask::Nrpa(level) | TechniqueTask::VanillaNrpa(level) => (Search::nrpa(*level as u32), 3.0),
            TechniqueTask::Nestling(search) => (search.clone(), 1.0),
        };
        Registry::standard().open(name).ok()?.estimate(&search, &[]).ok().map(|estimate| times * estimate.seconds)
    }
}

enum TechniqueOutput {
    /// So many games with so many moves.
    Games(u64, u64),
    /// The share of an activity, in per cent, or a number of children; and the moves played.
    Figure(Result<f64, String>, u64),
    /// So many numbers.
    Drawn(Result<u64, String>),
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
