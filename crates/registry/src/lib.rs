//! Problems by name.
//!
//! A [`Registry`] turns a text such as `morpion-5d` or `left-move:60` into an [`Instance`], through which the command line
//! searches, draws, reads and writes without knowing the problem's type. It is open: add your own with
//! [`Registry::with`].

mod device;
mod format;
mod gpu;
mod instance;
pub mod json;
mod morpion;
mod parameters;
mod pasted;
mod problems;
mod replay;
mod run;
mod shell;
mod table;
mod weights;

use std::marker::PhantomData;
use std::sync::Arc;

use nestling::duel::{PlayerCatalogue, Players, StandardPlayers};
use nestling::search::{And, Catalogue, Searches, Standard};
use nestling_morpion::notation::Import;

use format::shown;
use instance::{Hooks, Named};
use parameters::Reach;

pub use device::Device;
pub use format::{Format, GameFile, ReadError, WriteError};
pub use gpu::GpuSearches;
pub use instance::{CodedMove, Instance};
pub use nestling_presentation::{
    Canvas, Comparison, GamePresentation, Level, Likeness, Meaning, Picture, Presentation,
};
pub use nestling_presentation::{Published, Record, Solutions, Theme};
pub use pasted::{pasted, shortened, with_input};
pub use replay::VerifiedGame;
pub use run::{
    Assorted, AssortedRun, BatchKeeper, BatchListener, Bundle, Controls, Delivery, KeptBatch, OutcomeJournal, Ready,
    Resume, RunBatch, RunRefused, RunSpec, Tasks, Workers, all_threads, drawn_seed, host, start_assorted_on,
};
pub use shell::shell_word;
pub use table::{MatchOrder, Opinion, Remembered, Session, Solo, Table, Thought};
pub use weights::{WeightsRefused, network_header, read_weights, weights_header, weights_of_games};

type Open = Box<dyn Fn(&str, Reach) -> Result<Box<dyn Instance>, OpenError> + Send + Sync>;

/// Why a name does not lead to a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// There is no problem of that name.
    #[error("there is no problem \"{name}\"; {}", hint(nearest, known))]
    Unknown {
        /// The name asked for.
        name: String,
        /// The names that look like it.
        nearest: Vec<String>,
        /// All names.
        known: Vec<String>,
    },
    /// The problem exists, its parameters make no sense.
    #[error("{name}: {reason}")]
    Parameters {
        /// The name of the problem.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// The problem is well posed, and it is known that it has no solution.
    #[error("{name}: {reason}")]
    Unsolvable {
        /// The name of the problem.
        name: String,
        /// Why there is none.
        reason: String,
    },
}

/// Why parameters do not lead to a problem. A text alone says what is wrong with them, so that `?` and `into` turn texts into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The parameters make no sense, or what they name cannot be read.
    Parameters(String),
    /// They make sense, and what they pose has no solution.
    Unsolvable(String),
}

impl From<&str> for Refusal {
    fn from(reason: &str) -> Self {
        Refusal::Parameters(reason.to_owned())
    }
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Refusal::Parameters(reason)
    }
}

fn hint(nearest: &[String], known: &[String]) -> String {
    match nearest {
        [] => format!("there are {}", known.join(", ")),
        names => format!("did you mean {}?", names.join(" or ")),
    }
}

/// As many instances of a collection as people choose from.
const MOST: usize = 100;

struct Entry {
    name: String,
    summary: String,
    reads: Reads,
    open: Open,
    meaning: fn(f64, bool) -> Option<Meaning>,
}

/// What a problem reads, given its parameters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// Nobody knows.
    Anything,
    /// Nothing.
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
        let registry = morpion::formats().fold(Registry::<S, W>::default(), Registry::with_format);
        problems::register(Import::ALL.into_iter().map(morpion::Imported).fold(registry, Registry::with_format))
    }

    /// The same registry with one more problem. `open` makes it from its parameters, the text behind the colon in
    /// `name:parameters` (empty if there is none), or says what is wrong with them. It takes the place of one of the same name.
    ///
    /// # Panics
    ///
    /// If the name has a colon in it.
    #[must_use]
    pub fn with<P: Presentation + 'static>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.add(name, summary, Reads::Anything, Hooks::default(), move |parameters, _| open(parameters))
    }

    /// The same for a problem that GPUs can search.
    ///
    /// # Panics
    ///
    /// If the name has a colon in it.
    #[must_use]
    pub fn with_gpu<P: Presentation + 'static>(
        self,
        name: &str,
        summary: &str,
        gpu: impl GpuSearches<P> + 'static,
        open: impl Fn(&str) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        let hooks = Hooks { gpu: Some(Arc::new(gpu)), ..Hooks::default() };
        self.add(name, summary, Reads::Anything, hooks, move |parameters, _| open(parameters))
    }

    /// The same for a problem that has kernels for GPUs.
    ///
    /// # Panics
    ///
    /// If the name has a colon in it.
    #[cfg(feature = "gpu")]
    #[must_use]
    pub fn with_kernels<P: Presentation + nestling_gpu::Kernels + 'static>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.with_gpu(name, summary, gpu::KernelSearches, open)
    }

    /// The same in a program without GPUs.
    #[cfg(not(feature = "gpu"))]
    #[must_use]
    fn with_kernels<P: Presentation + 'static>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.with(name, summary, open)
    }

    /// The same for problems of ours, which read files no further than they may.
    #[must_use]
    fn with_files<P: Presentation + 'static>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str, Reach) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.add(name, summary, Reads::Puzzles, Hooks::default(), open)
    }

    fn add<P: Presentation + 'static>(
        mut self,
        name: &str,
        summary: &str,
        reads: Reads,
        hooks: Hooks<P>,
        open: impl Fn(&str, Reach) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        assert!(!name.contains(':'), "a colon parts a name from its parameters");
        self.entries.retain(|entry| entry.name != name);
        let own_name = name.to_owned();
        let open: Open = Box::new(move |parameters, reach| {
            let full_name = if parameters.is_empty() { own_name.clone() } else { format!("{own_name}:{parameters}") };
            match open(parameters, reach) {
                Ok(problem) => {
                    let hooks = Hooks { reads_puzzles: reads == Reads::Puzzles, ..hooks.clone() };
                    Ok(Box::new(Named::<P, S> { name: full_name, problem, hooks, searches: PhantomData }))
                }
                Err(Refusal::Parameters(reason)) => Err(OpenError::Parameters { name: own_name.clone(), reason }),
                Err(Refusal::Unsolvable(reason)) => Err(OpenError::Unsolvable { name: own_name.clone(), reason }),
            }
        });
        let (name, summary) = (name.to_owned(), summary.to_owned());
        self.entries.push(Entry { name, summary, reads, open, meaning: P::meaning });
        self
    }

    /// The same registry with one more game for two; see [`Registry::with`].
    ///
    /// # Panics
    ///
    /// If the name has a colon in it.
    #[must_use]
    pub fn with_game<G: GamePresentation>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str) -> Result<G, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.add_game(name, summary, Reads::Anything, open)
    }

    /// The same for a game of ours, which reads no files.
    #[must_use]
    fn with_own_game<G: GamePresentation>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str) -> Result<G, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.add_game(name, summary, Reads::Nothing, open)
    }

    fn add_game<G: GamePresentation>(
        self,
        name: &str,
        summary: &str,
        reads: Reads,
        open: impl Fn(&str) -> Result<G, Refusal> + Send + Sync + 'static,
    ) -> Self {
        let hooks = Hooks { table: Some(|solo: &Solo<G, W>| solo as &dyn Table), ..Hooks::default() };
        self.add(name, summary, reads, hooks, move |parameters, _| open(parameters).map(Solo::<_, W>::new))
    }

    /// The same registry with the types of its sets forgotten, for whoever only uses it: problems that are added afterwards know
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

    /// Opens `name` or `name:parameters`.
    pub fn open(&self, text: &str) -> Result<Box<dyn Instance>, OpenError> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let entry = self.entries.iter().find(|entry| entry.name == name);
        let is_unknown = entry.is_none_or(|entry| entry.reads == Reads::Anything);
        if self.sealed && is_unknown && !parameters::are_options(parameters) {
            let (name, reason) = (shown(name, 60), parameters::NO_FILES.to_owned());
            return Err(OpenError::Parameters { name, reason });
        }
        let reach = if self.sealed { Reach::Collections } else { Reach::Anywhere };
        entry.map_or_else(|| Err(self.unknown(name)), |entry| (entry.open)(parameters, reach))
    }

    /// Whether a name stands for a puzzle on standard input: `sudoku:-`, `sudoku:-#2`, `samegame:-,penalty=on`. Whoever opens it reads
    /// that first, and makes it part of the name by [`with_input`].
    ///
    /// ```
    /// use nestling_registry::Registry;
    /// let registry = Registry::standard();
    /// assert!(registry.asks_for_input("sudoku:-") && registry.asks_for_input("samegame:-#2,penalty=on"));
    /// assert!(!registry.asks_for_input("sudoku:-x.txt") && !registry.asks_for_input("left-move:-"));
    /// ```
    pub fn asks_for_input(&self, name: &str) -> bool {
        let (problem, parameters) = name.split_once(':').unwrap_or((name, ""));
        let reads_puzzles = self.entries.iter().any(|entry| entry.name == problem && entry.reads == Reads::Puzzles);
        let rest = parameters.strip_prefix('-');
        reads_puzzles && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([',', '#']))
    }

    /// What a score of `name` or `name:parameters` means, where the number alone says little; `proven` if nothing is better. The problem
    /// is not opened: the file that it is in may be gone.
    ///
    /// ```
    /// use nestling_registry::Registry;
    /// let meaning = Registry::standard().meaning("tsptw:gone.csv", 3_000_170.7107, false).unwrap();
    /// assert_eq!(meaning.words, "3 windows missed, length 170.71");
    /// ```
    pub fn meaning(&self, name: &str, score: f64, proven: bool) -> Option<Meaning> {
        let name = name.split(':').next().unwrap_or(name);
        self.entries.iter().find(|entry| entry.name == name).and_then(|entry| (entry.meaning)(score, proven))
    }

    /// The names of the collections of a problem's instances among the benchmark data, and how many each has.
    pub fn collections(&self, problem: &str) -> Vec<(String, usize)> {
        let names = parameters::collections(problem);
        let count =
            |name: &String| (1..=MOST).take_while(|n| self.open(&format!("{problem}:{name}#{n}")).is_ok()).count();
        names.into_iter().map(|name| (count(&name), name)).filter(|(n, _)| *n > 0).map(|(n, name)| (name, n)).collect()
    }

    fn unknown(&self, name: &str) -> OpenError {
        let name: String = name.chars().take(60).flat_map(char::escape_debug).collect();
        let lower = name.to_lowercase();
        let known: Vec<String> = self.entries.iter().map(|entry| entry.name.clone()).collect();
        let distance = |known: &String| match strsim::damerau_levenshtein(&lower, known) {
            far if far > 2 && lower.len() > 1 && known.contains(&lower) => 2,
            distance => distance,
        };
        let least = known.iter().map(distance).min().filter(|&least| least <= 2);
        let nearest = known.iter().filter(|known| Some(distance(known)) == least).cloned().collect();
        OpenError::Unknown { name, nearest, known }
    }

    /// The same registry with one more format: a problem's own, offered before those that every problem has.
    #[must_use]
    pub fn with_format(mut self, format: impl Format + 'static) -> Self {
        self.own_formats.push(Box::new(format));
        self
    }

    /// The formats that a game of a problem can be written in, the usual one first.
    pub fn formats<'a>(&'a self, problem: &'a dyn Instance) -> impl Iterator<Item = &'a dyn Format> {
        self.all_formats().filter(move |format| format.suits(problem))
    }

    fn all_formats(&self) -> impl Iterator<Item = &dyn Format> {
        self.own_formats.iter().map(Box::as_ref).chain(format::COMMON)
    }

    /// The format of a name or an extension (with a dot it can be nothing else); the problem's usual one for the empty text.
    ///
    /// ```
    /// use nestling_registry::Registry;
    /// let registry = Registry::standard();
    /// let problem = registry.open("morpion-5d").unwrap();
    /// assert_eq!(registry.format(problem.as_ref(), ".msr").unwrap().name(), "msr");
    /// assert_eq!(registry.format(problem.as_ref(), "").unwrap().name(), "pentasol");
    /// assert!(registry.format(problem.as_ref(), ".doc").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// When the problem has no such format.
    pub fn format<'a>(&'a self, problem: &'a dyn Instance, wanted: &str) -> Result<&'a dyn Format, WriteError> {
        let lower = wanted.to_lowercase();
        let fits = |format: &&dyn Format| match lower.strip_prefix('.') {
            Some(extension) => format.extensions().contains(&extension),
            None => lower.is_empty() || format.name() == lower || format.extensions().contains(&lower.as_str()),
        };
        self.formats(problem).find(fits).ok_or_else(|| {
            if cfg!(not(feature = "pictures")) && lower.trim_start_matches('.') == "png" {
                return WriteError::WithoutPng;
            }
            let names = |format: &dyn Format| -> Vec<String> {
                match wanted.starts_with('.') {
                    true => format.extensions().iter().map(|extension| format!(".{extension}")).collect(),
                    false => vec![format.name().to_owned()],
                }
            };
            let mut known: Vec<String> = Vec::new();
            for name in self.formats(problem).flat_map(names) {
                if !known.contains(&name) {
                    known.push(name);
                }
            }
            let (wanted, problem) = (format::shown(wanted, 20), problem.name().to_owned());
            WriteError::Unknown { wanted, problem, known: known.join(", ") }
        })
    }
}
