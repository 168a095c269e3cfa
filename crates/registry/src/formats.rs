//! The file formats of a registry.

use super::Registry;
use crate::format::{self, Format, WriteError};
use crate::instance::Instance;

impl<S, W> Registry<S, W> {
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

    pub(crate) fn all_formats(&self) -> impl Iterator<Item = &dyn Format> {
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
            if cfg!(not(feature = "pictures")) && matches!(lower.trim_start_matches('.'), "png" | "gif") {
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
