//! Problems by name.
//!
//! A [`Registry`] turns a text such as `morpion-5d` or `left-move:60` into an [`Instance`], through which the command line
//! searches, draws, reads and writes without knowing the problem's type. It is open: add your own with
//! [`Registry::with`].

mod bus;
mod device;
mod exhibit;
mod format;
mod instance;
pub mod json;
mod kakuro;
mod left_move;
mod morpion;
mod parameters;
mod pasted;
mod quarto;
mod samegame;
mod sudoku;
mod table;
mod tsptw;

use nestling::Provenance;
use nestling_morpion::{Board, Variant};

use format::shown;
use parameters::Reach;

pub use device::Device;
pub use exhibit::{Canvas, Comparison, Exhibit, Likeness, Picture, Published, Record, Verdict};
pub use format::{Format, ReadError, Sheet, WriteError};
pub use instance::{Instance, Order, Solved};
pub use nestling_morpion::Theme;
pub use nestling_puzzles::Solutions;
pub use pasted::{pasted, shortened};
pub use table::{Level, MatchOrder, Opinion, Remembered, Session, Solo, Table, Tabletop, Thought};

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
    /// Whether it reads files only through [`Reach`].
    keeps_reach: bool,
    open: Open,
}

/// The problems known by name.
///
/// ```
/// use nestling_registry::Registry;
/// let problem = Registry::standard().open("morpion-5d").unwrap();
/// assert_eq!(problem.record().unwrap().score, 82.0);
/// ```
#[derive(Default)]
pub struct Registry {
    entries: Vec<Entry>,
    own_formats: Vec<Box<dyn Format>>,
    /// Whether names may not lead to files.
    sealed: bool,
}

impl Registry {
    /// Nestling's own problems.
    pub fn standard() -> Self {
        let lines = |variant: Variant| if variant.touching() { "may touch" } else { "may not touch" };
        let registry = morpion::formats().fold(Registry::default(), Registry::with_format);
        let registry = Variant::ALL.into_iter().fold(registry, |registry, variant| {
            let summary = format!("Morpion Solitaire, lines of {} that {}", variant.line_length(), lines(variant));
            registry.with(morpion::name(variant), &summary, move |parameters| match parameters {
                "" => Ok(Board::new(variant)),
                _ => Err("it takes no parameters".into()),
            })
        });
        let problems = [
            samegame::register,
            sudoku::register,
            kakuro::register,
            tsptw::register,
            left_move::register,
            bus::register,
        ];
        let registry = problems.into_iter().fold(registry, |registry, register| register(registry));
        let summary = "Quarto, a game for two; quarto:squares counts squares too";
        registry.with_files("quarto", summary, |parameters, _| quarto::open(parameters).map(Solo))
    }

    /// The same registry with one more problem. `open` makes it from its parameters, the text behind the colon in
    /// `name:parameters` (empty if there is none), or says what is wrong with them. It takes the place of one of the same name.
    ///
    /// # Panics
    ///
    /// If the name has a colon in it.
    #[must_use]
    pub fn with<P: Exhibit + 'static>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.add(name, summary, false, move |parameters, _| open(parameters))
    }

    /// The same for problems of ours, which read files no further than they may.
    #[must_use]
    fn with_files<P: Exhibit + 'static>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str, Reach) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.add(name, summary, true, open)
    }

    fn add<P: Exhibit + 'static>(
        mut self,
        name: &str,
        summary: &str,
        keeps_reach: bool,
        open: impl Fn(&str, Reach) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> Self {
        assert!(!name.contains(':'), "a colon parts a name from its parameters");
        self.entries.retain(|entry| entry.name != name);
        let own_name = name.to_owned();
        let open: Open = Box::new(move |parameters, reach| {
            let full_name = if parameters.is_empty() { own_name.clone() } else { format!("{own_name}:{parameters}") };
            match open(parameters, reach) {
                Ok(problem) => Ok(Box::new(instance::Named { name: full_name, problem })),
                Err(Refusal::Parameters(reason)) => Err(OpenError::Parameters { name: own_name.clone(), reason }),
                Err(Refusal::Unsolvable(reason)) => Err(OpenError::Unsolvable { name: own_name.clone(), reason }),
            }
        });
        self.entries.push(Entry { name: name.to_owned(), summary: summary.to_owned(), keeps_reach, open });
        self
    }

    /// The same registry with one more game for two; see [`Registry::with`].
    ///
    /// # Panics
    ///
    /// If the name has a colon in it.
    #[must_use]
    pub fn with_game<G: Tabletop>(
        self,
        name: &str,
        summary: &str,
        open: impl Fn(&str) -> Result<G, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.with(name, summary, move |parameters| open(parameters).map(Solo))
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
        let keeps_reach = entry.is_some_and(|entry| entry.keeps_reach);
        if self.sealed && !keeps_reach && !parameters::are_options(parameters) {
            let (name, reason) = (shown(name, 60), parameters::NO_FILES.to_owned());
            return Err(OpenError::Parameters { name, reason });
        }
        let reach = if self.sealed { Reach::Collections } else { Reach::Anywhere };
        entry.map_or_else(|| Err(self.unknown(name)), |entry| (entry.open)(parameters, reach))
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

    /// Finds out what a file is a game of, and replays it by that problem's plain rules.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or the game is illegal.
    pub fn verify(&self, bytes: &[u8]) -> Result<Verdict, ReadError> {
        let format = self.recognise(bytes)?;
        let sheet = format.read(bytes, None)?;
        if sheet.problem.contains(char::is_control) {
            return Err(ReadError::unreadable(format!("there is no problem {:?}", sheet.problem)));
        }
        let problem = self.open(&sheet.problem).map_err(|error| ReadError::unreadable(error.to_string()))?;
        judged(problem.as_ref(), format, sheet)
    }

    /// Reads a file as a game of this problem, where the file leaves that open, and replays it.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is a game of another problem, or the game is illegal.
    pub fn verify_as(&self, bytes: &[u8], problem: &dyn Instance) -> Result<Verdict, ReadError> {
        let format = self.recognise(bytes)?;
        let sheet = format.read(bytes, Some(problem.name()))?;
        if sheet.problem != problem.name() {
            let reason = format!("a game of {}, not of {}", sheet.problem, problem.name());
            return Err(ReadError::unreadable(reason));
        }
        judged(problem, format, sheet)
    }

    fn recognise(&self, bytes: &[u8]) -> Result<&dyn Format, ReadError> {
        // Ours names its problem in the first line; the rest of it may look like anyone's.
        let [named, others @ ..] = format::COMMON;
        let own = self.own_formats.iter().map(Box::as_ref);
        let mut order = std::iter::once(named).chain(own).chain(others);
        order.find(|format| format.recognises(bytes)).ok_or_else(|| {
            if bytes.trim_ascii().is_empty() {
                return ReadError::Unreadable("there is nothing in it".to_owned());
            }
            let names: Vec<_> = self.all_formats().map(Format::name).collect();
            ReadError::Unreadable(format!("line 1: not the beginning of a game; readable are {}", names.join(", ")))
        })
    }

    /// Writes a game, after replaying it by the plain rules.
    ///
    /// # Errors
    ///
    /// When the game is illegal, or the problem cannot be written in this format.
    pub fn write(
        &self,
        format: &dyn Format,
        problem: &dyn Instance,
        moves: &[String],
        provenance: &Provenance,
        picture: &Picture,
    ) -> Result<Vec<u8>, WriteError> {
        let (moves, certificate) = problem.certify(moves)?;
        let sheet = Sheet {
            problem: problem.name().to_owned(),
            moves,
            score: Some(certificate.score),
            provenance: provenance.clone().tidied(),
            notes: Vec::new(),
        };
        format.write(&sheet, problem, picture)
    }
}

/// What the rules say of a sheet. A score that contradicts the moves is a mistake that nobody should build on.
fn judged(problem: &dyn Instance, format: &dyn Format, sheet: Sheet) -> Result<Verdict, ReadError> {
    let (moves, certificate) = problem.certify(&sheet.moves)?;
    if let Some(claimed) = sheet.score.filter(|&claimed| claimed != certificate.score) {
        let score = certificate.score;
        return Err(ReadError::Unreadable(format!("the file says score {claimed}, but its moves are worth {score}")));
    }
    let (problem, format) = (problem.name().to_owned(), format.name());
    Ok(Verdict { problem, moves, certificate, format, provenance: sheet.provenance, notes: sheet.notes })
}
