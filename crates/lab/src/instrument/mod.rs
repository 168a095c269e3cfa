//! How a definition is measured: one reading at a time, each from its own seed, on one thread.

mod game;
mod search;
mod technique;
mod warm;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use nestling::{Cancel, Stream};
use nestling_puzzles::left_move::{NestedModel, mean_score, score_distribution};
use nestling_registry::Registry;

use crate::experiment::Definition;
use crate::reading::{FoundGame, Reading};

pub(crate) use search::SearchInstrument;
pub use technique::TECHNIQUES;
pub(crate) use technique::technique;

/// The name of the weights of a warm start in a search expression.
pub(crate) const WARM: &str = "game";

/// A definition made ready.
pub(crate) enum Instrument<'a> {
    Search(Box<SearchInstrument<'a>>),
    Exact { depth: usize, search: NestedModel },
    Technique(technique::Work),
    Match(game::Pairing),
}

/// The result of one run.
pub(crate) struct Taken {
    pub reading: Reading,
    /// The game it found.
    pub game: Option<FoundGame>,
    /// The distribution it computed.
    pub distribution: Option<Vec<f64>>,
}

/// Why there is no reading.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// Somebody stopped it.
    Cancelled,
    /// It cannot be done.
    Failed(String),
}

impl<'a> Instrument<'a> {
    /// Opens and parses what the definition names.
    pub fn prepare(definition: &Definition, registry: &'a Registry) -> Result<Self, String> {
        Ok(match definition {
            Definition::Search(definition) => {
                Instrument::Search(Box::new(SearchInstrument::prepare(definition, registry)?))
            }
            Definition::Exact { depth, level, memory } => {
                let search = NestedModel { level: *level, memory: *memory, ties: Definition::TIES };
                Instrument::Exact { depth: *depth, search }
            }
            Definition::Technique { problem, technique, search } => {
                let search = search.parse().map_err(|error: nestling::ParseError| error.to_string())?;
                Instrument::Technique(self::technique(technique, problem, &search)?)
            }
            Definition::Match { game, player, opponent } => {
                Instrument::Match(game::Pairing::prepare(game, [player, opponent], registry)?)
            }
        })
    }

    /// Takes the reading of this number. A panic is a defect of the problem or of ours; it costs this reading, and the error
    /// reports it.
    pub fn take(&self, number: u64, seed: u64, cancel: &Cancel) -> Result<Taken, Trouble> {
        unless_broken(number, || self.measure(number, seed, cancel))
    }

    fn measure(&self, number: u64, seed: u64, cancel: &Cancel) -> Result<Taken, Trouble> {
        match self {
            Instrument::Search(search) => search.take(number, seed, cancel),
            &Instrument::Exact { depth, search } => unless_cancelled(cancel, move || {
                let began = Instant::now();
                let distribution = score_distribution(depth, search).map_err(|error| error.to_string())?;
                let (score, seconds) = (mean_score(&distribution), Some(began.elapsed().as_secs_f64()));
                let reading = Reading { score, seconds, ..Reading::default() };
                Ok(Taken { reading, game: None, distribution: Some(distribution) })
            }),
            Instrument::Technique(work) => {
                let work = work.clone();
                unless_cancelled(cancel, move || {
                    let reading = work.take(seed)?;
                    Ok(Taken { reading, game: None, distribution: None })
                })
            }
            Instrument::Match(pairing) => pairing.take(number, seed, cancel),
        }
    }

    /// Whether a reading ends when it is cancelled. One that does not is left to itself.
    pub fn can_be_stopped(&self) -> bool {
        match self {
            Instrument::Search(_) | Instrument::Match(_) => true,
            Instrument::Exact { .. } | Instrument::Technique(_) => false,
        }
    }

    /// The expected time of one reading in seconds; nothing if it is unknown.
    pub fn estimate(&self) -> Option<f64> {
        match self {
            Instrument::Search(search) => search.estimate(),
            Instrument::Exact { .. } | Instrument::Match(_) => None,
            Instrument::Technique(work) => work.estimate(),
        }
    }
}

/// Does something for a run; a panic is its failure.
pub(crate) fn unless_broken<T>(number: u64, work: impl FnOnce() -> Result<T, Trouble>) -> Result<T, Trouble> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(Trouble::Failed(format!("run {number} broke down; please report this"))))
}

/// Takes a reading that cannot be stopped, in a thread of its own: if it is no longer wanted, that thread is left to itself.
fn unless_cancelled(
    cancel: &Cancel,
    take: impl FnOnce() -> Result<Taken, String> + Send + 'static,
) -> Result<Taken, Trouble> {
    const LOOK: Duration = Duration::from_millis(20);
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || drop(sender.send(take())));
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(taken) => return taken.map_err(Trouble::Failed),
            Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => return Err(Trouble::Cancelled),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => panic!("the thread that took the reading has panicked"),
        }
    }
}

/// The seed of a reading: definitions do not share streams, so that their results are independent.
pub fn seed_of(seed: u64, key: &str, number: u64) -> u64 {
    key.bytes().fold(Stream::new(seed), |stream, byte| stream.child(byte.into())).child(number).seed()
}
