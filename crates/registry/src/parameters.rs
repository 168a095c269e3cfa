//! The parameters after the colon of a problem's name: a file or nothing, then options, as in `FILE#3,penalty=on` or `seed=7`.

use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::format::shown;
use crate::pasted;

/// Which files may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Those that the person who types could read too.
    Anywhere,
    /// Those among the benchmark data, by their names alone.
    Collections,
}

/// The message for a file where files are not read.
pub(crate) const NO_FILES: &str = "files cannot be read here; use options such as seed=7";

/// No collection of puzzles is this large; a larger file is a mistake.
const LARGEST: u64 = 16 << 20;

/// The option that carries a puzzle inside the name; see [`pasted`](crate::pasted).
const TEXT: &str = "text";

/// The parameters of a problem, taken apart.
pub(crate) struct Parameters<'a> {
    /// The folder under `NESTLING_DATA` where the problem's files are also looked for, named like the problem.
    folder: &'static str,
    known: &'static [&'static str],
    file: &'a str,
    options: Vec<(&'a str, &'a str)>,
}

impl<'a> Parameters<'a> {
    /// The options of a problem that has no files.
    pub fn options(text: &'a str, known: &'static [&'static str]) -> Result<Self, String> {
        let parameters = Parameters::new(text, "", known)?;
        match parameters.file.split(['=', ',']).next() {
            Some("") | None => Ok(parameters),
            Some(name) => Err(format!("there is no parameter \"{}\"; there are {}", shown(name, 30), known.join(", "))),
        }
    }

    /// Takes the options of these names off the end of the text; the rest is a file.
    pub fn new(text: &'a str, folder: &'static str, known: &'static [&'static str]) -> Result<Self, String> {
        let mut options: Vec<(&str, &str)> = Vec::new();
        let mut file = text;
        loop {
            let (before, last) = file.rsplit_once(',').unwrap_or(("", file));
            match last.split_once('=') {
                Some((name, value)) if known.contains(&name) || name == TEXT && !folder.is_empty() => {
                    if options.iter().any(|&(other, _)| other == name) {
                        return Err(format!("{name} is given twice"));
                    }
                    options.push((name, value));
                    file = before;
                }
                _ => return Ok(Parameters { folder, known, file, options }),
            }
        }
    }

    /// Whether a file is named, or the text of one is there.
    pub fn has_file(&self) -> bool {
        !self.file.is_empty() || self.option(TEXT).is_some()
    }

    /// The name of the file, if there is no file of that name: then it may mean something else.
    pub fn word(&self, reach: Reach) -> Option<&'a str> {
        (!self.file.is_empty() && self.option(TEXT).is_none() && self.find(self.file, reach).is_none())
            .then_some(self.file)
    }

    /// What messages call the file.
    fn source(&self) -> String {
        if self.option(TEXT).is_some() { "the text".to_owned() } else { shown(self.file, 150) }
    }

    /// The text of the file, and the number behind `#`, from 1 (1 if there is none), which says which of its puzzles is meant.
    pub fn read(&self, reach: Reach) -> Result<(String, usize), String> {
        if let Some(packed) = self.option(TEXT) {
            if !self.file.is_empty() {
                return Err(format!(
                    "{}: text= and a file cannot be used together; leave one out",
                    shown(self.file, 150)
                ));
            }
            let (packed, number) = with_number(packed)?;
            return Ok((pasted::unpacked(packed)?, number));
        }
        let (name, number) = with_number(self.file)?;
        let told = |reason: &str| format!("{}: {reason}", shown(name, 200));
        let path = self.find(name, reach).ok_or_else(|| self.missing(name, reach))?;
        Ok((read_file(&path).map_err(|reason| told(&reason))?, number))
    }

    fn unknown(&self, option: &str) -> String {
        format!("there is no parameter \"{}\"; there are {}", shown(option, 30), self.known.join(", "))
    }

    /// The message if no file has this name: perhaps it is meant as an option.
    fn missing(&self, name: &str, reach: Reach) -> String {
        let last = name.rsplit(',').next().and_then(|last| last.split_once('='));
        match last.filter(|(option, _)| option.chars().all(char::is_alphanumeric)) {
            Some((option, _)) => self.unknown(option),
            None if reach == Reach::Collections => NO_FILES.to_owned(),
            None => {
                let (name, folder, options) = (shown(name, 200), self.folder, self.known.join(", "));
                let instead = if options.is_empty() {
                    String::new()
                } else {
                    format!("; instead of a file you can give the options {options}")
                };
                format!("{name}: no such file, here or in {folder}/ of NESTLING_DATA{instead}")
            }
        }
    }

    fn find(&self, name: &str, reach: Reach) -> Option<PathBuf> {
        find(self.folder, name, reach)
    }

    /// An error inside the file, with the file's name.
    pub fn in_file(&self, reason: impl std::fmt::Display) -> String {
        format!("{}: {}", self.source(), shown(&reason.to_string(), 250))
    }

    /// Puzzle number `number` of those in the file.
    pub fn pick<T>(&self, mut puzzles: Vec<T>, number: usize) -> Result<T, String> {
        if number > puzzles.len() {
            let puzzles = if puzzles.len() == 1 { "1 puzzle".to_owned() } else { format!("{} puzzles", puzzles.len()) };
            return Err(self.in_file(format!("there is no #{number}; it contains {puzzles}")));
        }
        Ok(puzzles.swap_remove(number - 1))
    }

    /// The text of an option.
    pub fn option(&self, name: &str) -> Option<&'a str> {
        self.options.iter().find(|(other, _)| *other == name).map(|&(_, value)| value)
    }

    /// An option that is a whole number, or the default.
    pub fn number<T>(&self, name: &str, default: T, range: RangeInclusive<T>) -> Result<T, String>
    where
        T: FromStr + PartialOrd + Display,
    {
        self.option(name).map_or(Ok(default), |value| number(name, value, range))
    }

    /// An option that is one of several words; the first if it is not given.
    pub fn choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Result<T, String> {
        let wanted = self.option(name).unwrap_or(choices[0].0);
        let words = || choices.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" or ");
        let found = choices.iter().find(|(word, _)| *word == wanted);
        found.map(|&(_, choice)| choice).ok_or_else(|| format!("{name}={}: expected {}", shown(wanted, 40), words()))
    }

    /// Refuses options that contradict or repeat a file.
    pub fn only_without_file(&self, names: &[&str]) -> Result<(), String> {
        match names.iter().find(|name| self.has_file() && self.option(name).is_some()) {
            Some(name) => Err(format!("{name} applies only to generated puzzles; leave it out with {}", self.source())),
            None => Ok(()),
        }
    }
}

/// The file itself, or one of that name among the benchmark data of a problem, whose ending may be left out.
fn find(folder: &str, name: &str, reach: Reach) -> Option<PathBuf> {
    if reach == Reach::Collections && !is_collection(name) {
        return None;
    }
    let folder = data(folder);
    let places = folder.iter().flat_map(|folder| [folder.join(name), folder.join(format!("{name}.txt"))]);
    let here = (reach == Reach::Anywhere).then(|| PathBuf::from(name));
    here.into_iter().chain(places).find(|path| path.exists())
}

/// The text of a file of puzzles.
fn read_file(path: &Path) -> Result<String, String> {
    if !path.is_file() {
        return Err("not a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    let opened = File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
    opened.map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > LARGEST {
        return Err("larger than 16 MiB; too large for a file of puzzles".to_owned());
    }
    let text = String::from_utf8(bytes);
    text.map_err(|error| format!("byte {}: not UTF-8 text", error.utf8_error().valid_up_to() + 1))
}

/// The text of the file that a problem's parameters name, and the rest of the parameters; nothing if they name none. The folder of
/// the benchmark data is named like the problem.
pub(crate) fn file_of<'a>(problem: &str, parameters: &'a str) -> Result<Option<(String, &'a str)>, String> {
    let ends = parameters.match_indices(',').map(|(end, _)| end).chain([parameters.len()]);
    for end in ends.collect::<Vec<_>>().into_iter().rev() {
        let (name, _) = with_number(&parameters[..end])?;
        if let Some(path) = find(problem, name, Reach::Anywhere).filter(|_| !name.is_empty()) {
            let text = read_file(&path).map_err(|reason| format!("{}: {reason}", shown(name, 200)))?;
            return Ok(Some((text, &parameters[name.len()..])));
        }
    }
    Ok(None)
}

/// Splits the number of a puzzle, from 1, off the name of its file; 1 if there is none.
fn with_number(text: &str) -> Result<(&str, usize), String> {
    match text.rsplit_once('#') {
        Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty() => {
            let number = number.parse().ok().filter(|&number| number > 0);
            Ok((name, number.ok_or_else(|| format!("{}: the first puzzle is #1", shown(text, 200)))?))
        }
        _ => Ok((text, 1)),
    }
}

/// Whether parameters are nothing but numbers and options, and so name no file. (What a problem does not know as an option it
/// takes for a file; without a point or a slash in it that is none outside of the current folder.)
pub(crate) fn are_options(text: &str) -> bool {
    let word = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let option = |part: &str| match part.split_once('=') {
        Some((name, value)) => word(name) && word(value),
        None => part.bytes().all(|byte| byte.is_ascii_digit()),
    };
    text.split(',').all(option)
}

/// A problem's folder of the benchmark data.
fn data(folder: &str) -> Option<PathBuf> {
    std::env::var_os("NESTLING_DATA").map(|data| PathBuf::from(data).join(folder))
}

/// Whether a name leads nowhere but to a file of a folder.
fn is_collection(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !name.starts_with('.') && name.bytes().all(plain)
}

/// The names of the files in a problem's folder of the benchmark data that can be collections, in order.
pub(crate) fn collections(folder: &str) -> Vec<String> {
    let entries = data(folder).filter(|_| is_collection(folder)).and_then(|folder| folder.read_dir().ok());
    let files = entries.into_iter().flatten().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = files
        .filter_map(|name| name.strip_suffix(".txt").map(str::to_owned))
        .filter(|name| is_collection(name))
        .collect();
    names.sort_unstable();
    names
}

/// A whole number in a range.
pub(crate) fn number<T>(name: &str, value: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let (least, most) = (range.start(), range.end());
    let number = value.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("{name}={}: expected a whole number from {least} to {most}", shown(value, 30)))
}

/// Parameters that are one whole number; if there is none, the usual one. `what` names it, such as "a depth".
pub(crate) fn only_number<T>(text: &str, what: &str, usual: T, range: RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    if text.is_empty() {
        return Ok(usual);
    }
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        format!("\"{}\" is not {what}; give a whole number from {least} to {most}", shown(text, 30))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_or_refused() {
        let known = &["seed", "size"];
        let read = Parameters::options("size=4,seed=7", known).unwrap();
        assert_eq!((read.number("seed", 1, 0..=9), read.number("size", 1, 0..=9)), (Ok(7), Ok(4)));
        assert_eq!(Parameters::options("", known).unwrap().number("seed", 1, 0..=9), Ok(1));
        let refused =
            |text| Parameters::options(text, known).and_then(|read| read.number("size", 1, 0..=9)).err().unwrap();
        assert_eq!(refused("colour=3"), "there is no parameter \"colour\"; there are seed, size");
        assert_eq!(refused("colour=3,size=1"), "there is no parameter \"colour\"; there are seed, size");
        assert_eq!(refused("size"), "there is no parameter \"size\"; there are seed, size");
        assert_eq!(refused("size=3,size=4"), "size is given twice");
        for wrong in ["size=-1", "size=10", "size=", "size=four", "size=99999999999999"] {
            assert!(refused(wrong).ends_with("expected a whole number from 0 to 9"), "{wrong}");
        }
    }

    #[test]
    fn files_are_told_from_options() {
        for options in ["", "60", "seed=7", "seed=7,size=15x15,penalty=on", "seed=-1"] {
            assert!(are_options(options), "{options}");
        }
        for file in ["boards", "boards#3", "../x=1", "seed=../x", "boards.txt,penalty=on", "seed=7,/dev/zero", "a=b=c"]
        {
            assert!(!are_options(file), "{file}");
        }
    }

    #[test]
    fn files_are_found_in_parameters() {
        let folder = std::env::temp_dir().join(format!("nestling-parameters-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("mine, all.txt");
        std::fs::write(&file, "00\n11\n").unwrap();
        let name = file.to_str().unwrap();
        for rest in ["", "#2", ",penalty=on", "#2,penalty=on,seed=1"] {
            let found =
                file_of("samegame", &format!("{name}{rest}")).unwrap().map(|(text, rest)| (text, rest.to_owned()));
            assert_eq!(found, Some(("00\n11\n".to_owned(), rest.to_owned())));
        }
        assert_eq!(file_of("samegame", "seed=7,penalty=on"), Ok(None));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_may_stand_before_options() {
        let read = Parameters::new("boards, mine.txt#3,penalty=on", "samegame", &["penalty"]).unwrap();
        assert!(read.has_file());
        assert_eq!((read.file, read.option("penalty")), ("boards, mine.txt#3", Some("on")));
        assert!(read.read(Reach::Anywhere).unwrap_err().contains("no such file"));
        assert_eq!(read.read(Reach::Collections).unwrap_err(), NO_FILES);
        assert!(!Parameters::new("penalty=on", "samegame", &["penalty"]).unwrap().has_file());
    }
}
