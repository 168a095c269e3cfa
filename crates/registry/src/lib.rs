//! Problems by name.
//!
//! A [`Registry`] turns a text such as `morpion-5d` or `left-move:60` into an [`Instance`], through which the command line
//! searches, draws, reads and writes without knowing the problem's type. It is open: add your own with
//! [`Registry::with`].

mod exhibit;
mod game;
mod instance;
mod morpion;

use nestling_morpion::{Board, Variant};

pub use exhibit::{Canvas, Exhibit, Record, Verdict};
pub use game::ReadError;
pub use instance::{Instance, Order, Solved};

type Open = Box<dyn Fn(&str) -> Result<Box<dyn Instance>, OpenError> + Send + Sync>;

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
}

fn hint(nearest: &[String], known: &[String]) -> String {
    match nearest {
        [] => format!("there are {}", known.join(", ")),
        names => format!("did you mean {}?", names.join(" or ")),
    }
}

struct Entry {
    name: String,
    summary: String,
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
}

impl Registry {
    /// Nestling's own problems.
    pub fn standard() -> Self {
        let lines = |variant: Variant| if variant.touching() { "may touch" } else { "may not touch" };
        Variant::ALL.into_iter().fold(Registry::default(), |registry, variant| {
            let summary = format!("Morpion Solitaire, lines of {} that {}", variant.line_length(), lines(variant));
            registry.with(morpion::name(variant), &summary, move |parameters| match parameters {
                "" => Ok(Board::new(variant)),
                _ => Err("it takes no parameters".to_owned()),
            })
        })
    }

    /// The same registry with one more problem. `open` makes it from its parameters, the text behind the colon in
    /// `name:parameters` (empty if there is none), or says what is wrong with them. It takes the place of one of the same name.
    ///
    /// # Panics
    ///
    /// If the name has a colon in it.
    #[must_use]
    pub fn with<P: Exhibit + 'static>(
        mut self,
        name: &str,
        summary: &str,
        open: impl Fn(&str) -> Result<P, String> + Send + Sync + 'static,
    ) -> Self {
        assert!(!name.contains(':'), "a colon parts a name from its parameters");
        self.entries.retain(|entry| entry.name != name);
        let own_name = name.to_owned();
        let open: Open = Box::new(move |parameters| {
            let full_name = if parameters.is_empty() { own_name.clone() } else { format!("{own_name}:{parameters}") };
            match open(parameters) {
                Ok(problem) => Ok(Box::new(instance::Named { name: full_name, problem })),
                Err(reason) => Err(OpenError::Parameters { name: own_name.clone(), reason }),
            }
        });
        self.entries.push(Entry { name: name.to_owned(), summary: summary.to_owned(), open });
        self
    }

    /// The names and summaries of all problems.
    pub fn list(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|entry| (entry.name.as_str(), entry.summary.as_str()))
    }

    /// Opens `name` or `name:parameters`.
    pub fn open(&self, text: &str) -> Result<Box<dyn Instance>, OpenError> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        match self.entries.iter().find(|entry| entry.name == name) {
            Some(entry) => (entry.open)(parameters),
            None => Err(self.unknown(name)),
        }
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

    /// Finds out what a file is a game of, and replays it by that problem's plain rules.
    pub fn verify(&self, bytes: &[u8]) -> Result<Verdict, ReadError> {
        match game::named_problem(bytes) {
            Some(name) => {
                let problem = self.open(name).map_err(|error| ReadError::Unreadable(format!("line 1: {error}")))?;
                problem.verify(bytes)
            }
            None => {
                let variant = morpion::recognise(bytes)?;
                let problem = self.open(morpion::name(variant));
                problem.map_err(|error| ReadError::Unreadable(error.to_string()))?.verify(bytes)
            }
        }
    }
}
