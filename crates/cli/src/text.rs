//! Numbers, times and lines as people read them.

use std::ffi::OsString;
use std::sync::OnceLock;

use comfy_table::{CellAlignment, Table, presets};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::HumanCount;
pub(crate) use nestling_registry::shell_word;
use nestling_registry::{Canvas, Instance};

/// Whether people get nothing but ASCII characters.
static ASCII: AtomicBool = AtomicBool::new(false);

/// Lets people have nothing but ASCII characters from now on, if that is wanted.
pub(crate) fn use_ascii(wanted: bool) {
    ASCII.fetch_or(wanted, Ordering::Relaxed);
}

/// Whether only ASCII can be relied on in the user's locale. The first of the variables that is set decides; if none is
/// set, the locale is unknown, and the answer is no.
pub(crate) fn has_plain_locale(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set =
        ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| variable(name).filter(|value| !value.is_empty()));
    set.is_some_and(|locale| !locale.to_lowercase().replace('-', "").contains("utf8"))
}

pub(crate) fn is_ascii() -> bool {
    ASCII.load(Ordering::Relaxed)
}

/// Writes to standard output, for people; colours are dropped if they are not wanted.
pub(crate) fn print(text: &str) -> std::io::Result<()> {
    if is_ascii() { print_as_it_is(&in_ascii(text)) } else { print_as_it_is(text) }
}

/// The same for programs.
pub(crate) fn print_as_it_is(text: &str) -> std::io::Result<()> {
    let mut out = anstream::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The letters from À to ÿ without what ASCII does not have.
const LATIN: &[u8; 64] = b"AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty";

/// A text as ASCII can show it.
fn in_ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '█' => plain.push('#'),
            '±' => plain.push_str("+-"),
            '×' => plain.push('x'),
            '²' => plain.push_str("^2"),
            '∞' => plain.push_str("infinity"),
            '…' => plain.push_str("..."),
            '–' | '—' | '−' => plain.push('-'),
            'À'..='ÿ' => plain.push(char::from(LATIN[character as usize - 'À' as usize])),
            character if character.is_ascii() => plain.push(character),
            _ => plain.push('?'),
        }
    }
    plain
}

/// The canvas of a picture: the terminal, or a page wide enough for any game if there is no terminal.
pub(crate) fn canvas() -> Canvas {
    let width = match terminal_size::terminal_size() {
        Some((width, _)) if std::io::stdout().is_terminal() => usize::from(width.0),
        _ => 160,
    };
    let color = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    Canvas { width, color, ascii: is_ascii() }
}

/// Prints notes on how a file was understood to standard error.
pub(crate) fn notes(name: &str, notes: &[String]) {
    for note in notes {
        anstream::eprintln!("{}: {name}: note: {note}", program());
    }
}

/// Rows in columns, the first of them the header; columns of numbers are set to the right.
pub(crate) fn table<const N: usize>(header: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut numeric = [true; N];
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.to_vec());
    for row in rows {
        for (numeric, cell) in numeric.iter_mut().zip(&row) {
            *numeric &= cell.starts_with(|first: char| first.is_ascii_digit() || first == '-');
        }
        table.add_row(row.to_vec());
    }
    for (column, numeric) in table.column_iter_mut().zip(numeric) {
        column.set_padding((0, 2));
        if numeric {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// A whole number with its thousands apart.
pub(crate) fn count(number: u64) -> String {
    HumanCount(number).to_string()
}

/// A large number, roughly: 950, 12,000, 3.4 million, 10^15.
pub(crate) fn roughly(number: f64) -> String {
    match number {
        n if n < 1e3 => format!("{n:.0}"),
        n if n < 1e6 => count((n / 100.0).round() as u64 * 100),
        n if n < 1e9 => format!("{:.1} million", n / 1e6),
        n if n < 1e12 => format!("{:.1} billion", n / 1e9),
        n => format!("10^{:.0}", n.log10()),
    }
}

/// A time, roughly: 0.3 s, 45 s, 12 min, 3.1 h, 17 days, 240 years.
pub(crate) fn about(seconds: f64) -> String {
    const YEAR: f64 = 365.25 * 86_400.0;
    match seconds {
        s if s < 0.01 => "under 0.01 s".to_owned(),
        s if s < 10.0 => format!("{s:.2} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3_600.0),
        s if s < 2.0 * YEAR => format!("{:.0} days", s / 86_400.0),
        s if s < 1e6 * YEAR => format!("{} years", count((s / YEAR) as u64)),
        s => format!("10^{:.0} years", (s / YEAR).log10()),
    }
}

/// A time that was measured: 30.00 s, 4 min 10 s.
pub(crate) fn measured(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..=119 => format!("{:.2} s", time.as_secs_f64()),
        120..=7_199 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds / 60 % 60),
    }
}

/// A message of several lines as one: the paragraphs before the usage, joined.
pub(crate) fn one_line(message: &str) -> String {
    let lines = message.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let kept: Vec<_> = lines.filter(|line| !line.is_empty() && !line.starts_with("For more information")).collect();
    let joined = kept.join("; ").replace(":; ", ": ");
    joined.trim_start_matches("error: ").chars().flat_map(visible).collect()
}

/// A message without the numbers that Rust puts behind what the system says, as in "No such file or directory (os error 2)".
pub(crate) fn without_codes(message: &str) -> String {
    let mut parts = message.split(" (os error ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| match part.split_once(')') {
        Some((code, rest)) if code.chars().all(|digit| digit.is_ascii_digit()) => text + rest,
        _ => format!("{text} (os error {part}"),
    })
}

/// A character as it can be shown: control characters are spelt out.
fn visible(character: char) -> Vec<char> {
    if character.is_control() { character.escape_debug().collect() } else { vec![character] }
}

/// The words this program was started with, if they are not those of the process.
static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// Takes these words for those of the command line.
pub(crate) fn use_words(words: Vec<OsString>) {
    let _ = WORDS.set(words);
}

/// The words this program was started with.
pub(crate) fn words() -> Vec<OsString> {
    WORDS.get().cloned().unwrap_or_else(|| std::env::args_os().collect())
}

/// The name this program was started by, which need not be nestling.
pub(crate) fn program() -> String {
    let started = words().into_iter().next().map(std::path::PathBuf::from);
    let name = started.as_deref().and_then(|path| path.file_stem()).map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "nestling".to_owned())
}

/// A score for places with little room: its meaning, or just the number.
pub(crate) fn figure(problem: &dyn Instance, score: f64) -> String {
    problem.meaning(score, false).map_or_else(|| (score + 0.0).to_string(), |meaning| meaning.words)
}

/// One thing, or several.
pub(crate) fn plural(number: u64, thing: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {thing}{ending}", count(number))
}

/// A file name, control characters spelt out.
pub(crate) fn name(path: &std::path::Path) -> String {
    path.to_string_lossy().chars().flat_map(visible).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!((count(0), count(999), count(1_234_567)), ("0".into(), "999".into(), "1,234,567".into()));
        assert_eq!((roughly(12_345.0), roughly(3.42e6)), ("12,300".into(), "3.4 million".into()));
        assert_eq!((about(45.2), about(9e9), about(1e30)), ("45 s".into(), "285 years".into(), "10^23 years".into()));
        assert_eq!(
            (measured(Duration::from_secs(250)), measured(Duration::from_millis(30_010))),
            ("4 min 10 s".into(), "30.01 s".into())
        );
    }

    #[test]
    fn names_can_be_read_in_ascii() {
        assert_eq!(in_ascii("Hyyrö, École, straße, 3 × 4 ± 1…, 中"), "Hyyro, Ecole, strase, 3 x 4 +- 1..., ?");
    }

    #[test]
    fn locales_without_utf8_are_plain() {
        let plain = |set: &[(&str, &str)]| {
            has_plain_locale(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
        };
        assert!(plain(&[("LC_ALL", "C")]) && plain(&[("LANG", "POSIX")]) && plain(&[("LC_CTYPE", "de_DE.ISO-8859-1")]));
        assert!(plain(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]), "the first that is set decides");
        assert!(
            !plain(&[])
                && !plain(&[("LC_ALL", "")])
                && !plain(&[("LC_ALL", "C.utf8")])
                && !plain(&[("LANG", "en_US.UTF-8")])
        );
        assert!(!plain(&[("LC_ALL", ""), ("LC_CTYPE", "C.UTF-8"), ("LANG", "C")]));
    }

    #[test]
    fn the_system_speaks_without_numbers() {
        assert_eq!(without_codes("a: No such file (os error 2); b (os error 28)"), "a: No such file; b");
        assert_eq!(without_codes("my (os error file)"), "my (os error file)");
    }

    #[test]
    fn messages_become_one_line() {
        let message =
            "error: invalid value 'x'\n\n  tip: try y\n\nUsage: nestling\n\nFor more information, try '--help'.\n";
        assert_eq!(one_line(message), "invalid value 'x'; tip: try y");
    }
}
