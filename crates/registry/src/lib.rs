//! Problems by name.
//!
//! A [`Registry`] turns a text such as `morpion-5d` or `left-move:60` into an [`Instance`], through which the command line
//! searches, draws, reads and writes without knowing the problem's type. It is open: add your own with
//! [`Registry::with`].

mod adding;
mod device;
mod format;
mod formats;
mod gpu;
mod instance;
pub mod json;
mod morpion;
mod open_problems;
mod opening;
mod parameters;
mod pasted;
mod problems;
mod replay;
mod run;
mod shell;
mod table;
mod unique;
mod weights;

use std::marker::PhantomData;

use nestling::duel::{PlayerCatalogue, Players, StandardPlayers};
use nestling::search::{And, Catalogue, Searches, Standard};
use nestling_morpion::notation::Import;

use parameters::Reach;

pub use device::Device;
pub use format::{Format, GameFile, ReadError, WriteError, film};
pub use gpu::GpuSearches;
pub use instance::{CodedMove, Instance};
pub use nestling_presentation::{
    Canvas, Comparison, GamePresentation, Likeness, Meaning, Mistakes, MoveReason, OpponentLevel, Picture, Presentation,
};
pub use nestling_presentation::{Published, Record, Solutions, Theme, pages_as_svg, pdf};
pub use nestling_puzzles::logic::{Level as PuzzleLevel, UnknownLevel};
pub use nestling_puzzles::{GeneratedPuzzle, NoPuzzle, PuzzleKind, book, generate as generate_puzzle};
pub use opening::{OpenError, Refusal};
pub use pasted::{pasted, shortened, with_input};
pub use replay::VerifiedGame;
pub use run::{
    Assorted, AssortedRun, BatchKeeper, BatchListener, Bundle, Controls, Delivery, KeptBatch, OutcomeJournal, Ready,
    Resume, RunBatch, RunRefused, RunSpec, SteppedTask, Tasks, Workers, all_threads, drawn_seed, host,
    start_assorted_on,
};
pub use shell::shell_word;
pub use table::{MatchOrder, Opinion, Remembered, Session, Solo, Table, Thought};
pub use unique::{CountedSolutions, count_solutions};
pub use weights::{WeightsRefused, network_header, read_weights, weights_header, weights_of_games};

type Open = Box<dyn Fn(&str, Reach) -> Result<Box<dyn Instance>, OpenError> + Send + Sync>;

struct Entry {
    name: String,
    summary: String,
    reads: Reads,
    open: Open,
    meaning: fn(f64, bool) -> Option<Meaning>,
}

/// The files that a problem reads, given its parameters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// Unknown: the problem was added by another program.
    Anything,
    /// None.
    Nothing,
    /// Files of puzzles, no further than [`Reach`] allows, or their text inside the name.
    Puzzles,
}

/// The problems known by name, and the searches that can be made on them.
///
/// ```
/// use nestling_registry::Registry;
/// let problem = Registry::standard().open("morpion-5d").unwrap();
/// assert_eq!(problem.record().unwrap().score, 82.0);
/// ```
///
/// Problems and searches meet when a problem is added, games and players when a game is: `Registry<S, W>` adds them for the searches of
/// the set `S` and the players of the set `W`. A registry with searches or players of your own begins with
/// [`Registry::with_searches`] or [`Registry::with_sets`].
pub struct Registry<S = Standard, W = StandardPlayers> {
    entries: Vec<Entry>,
    own_formats: Vec<Box<dyn Format>>,
    searches: Catalogue,
    players: PlayerCatalogue,
    /// Whether names may not lead to files.
    sealed: bool,
    sets: PhantomData<fn() -> (S, W)>,
}

impl Registry {
    /// Nestling's own problems, searches and players.
    pub fn standard() -> Self {
        Registry::all()
    }

    /// The problems that have a page of their own in the app, with the same searches and players: for a small program.
    pub fn of_pages() -> Self {
        problems::register_pages(Registry::empty())
    }

    /// Nestling's own problems, for the searches of a set beside Nestling's own.
    ///
    /// ```
    /// use nestling::search::Beam;
    /// use nestling_registry::Registry;
    /// // A set is a tuple of algorithms; yours would be among them.
    /// let registry = Registry::with_searches::<(Beam,)>();
    /// assert!(registry.searches().parse("beam(10)").is_ok());
    /// ```
    pub fn with_searches<S: Searches>() -> Registry<And<S, Standard>> {
        Registry::all()
    }

    /// The same for two sets that are complete in themselves, one of searches and one of players of games for two.
    pub fn with_sets<S: Searches, W: Players>() -> Registry<S, W> {
        Registry::all()
    }
}

impl<S: Searches, W: Players> Default for Registry<S, W> {
    /// No problems yet.
    fn default() -> Self {
        Registry {
            entries: Vec::new(),
            own_formats: Vec::new(),
            searches: Catalogue::of::<S>(),
            players: PlayerCatalogue::of::<W>(),
            sealed: false,
            sets: PhantomData,
        }
    }
}

impl<S: Searches, W: Players> Registry<S, W> {
    fn all() -> Self {
        problems::register(Registry::empty())
    }

    /// The formats of files, and no problems.
    fn empty() -> Self {
        let registry = morpion::formats().fold(Registry::<S, W>::default(), Registry::with_format);
        Import::ALL.into_iter().map(morpion::Imported).fold(registry, Registry::with_format)
    }

    /// The same registry with the types of its sets erased, for code that only uses it: problems that are added afterwards know
    /// Nestling's own searches alone.
    #[must_use]
    pub fn closed(self) -> Registry {
        let Registry { entries, own_formats, searches, players, sealed, .. } = self;
        Registry { entries, own_formats, searches, players, sealed, sets: PhantomData }
    }
}

impl<S, W> Registry<S, W> {
    /// The searches that expressions may name.
    pub fn searches(&self) -> &Catalogue {
        &self.searches
    }

    /// The players that people may name.
    pub fn players(&self) -> &PlayerCatalogue {
        &self.players
    }

    /// The same registry for names that come from elsewhere, and must not make it read files: parameters that are more than
    /// numbers and options such as `seed=7` are refused, in the names that files of games hold too. The collections in the
    /// problem's folder of `NESTLING_DATA` are there for everybody.
    ///
    /// ```
    /// use nestling_registry::Registry;
    /// let registry = Registry::standard().without_files();
    /// assert!(registry.open("samegame:seed=7,size=5x5").is_ok());
    /// assert!(registry.open("quarto:squares").is_ok());
    /// assert!(registry.open("samegame:/etc/passwd").is_err());
    /// ```
    #[must_use]
    pub fn without_files(self) -> Self {
        Registry { sealed: true, ..self }
    }

    /// The names and summaries of all problems.
    pub fn list(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|entry| (entry.name.as_str(), entry.summary.as_str()))
    }
}
