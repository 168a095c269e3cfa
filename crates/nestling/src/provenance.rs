//! The origin of a game: what found it, when, and who published it.

use serde::{Deserialize, Serialize};

/// The longest text kept in one field, in characters.
const LONGEST: usize = 1000;

/// The most tags kept.
const MOST_TAGS: usize = 50;

/// The origin of a game. Every part is optional, and nothing in it is needed to replay the game.
///
/// Files come from anywhere, so a provenance that was read is [tidied](Provenance::tidied): then it can be shown, and written in every
/// format as one comment a line.
///
/// ```
/// use nestling::Provenance;
/// let mut provenance = Provenance { search: Some("nrpa(3)".into()), seed: Some(7), ..Provenance::default() };
/// assert!(provenance.set("playouts", "1000000"));
/// assert!(!provenance.set("colour", "blue"));
/// let fields: Vec<_> = provenance.fields().map(|(key, value)| format!("{key}: {value}")).collect();
/// assert_eq!(fields, ["search: nrpa(3)", "seed: 7", "playouts: 1000000"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Provenance {
    /// The search expression that found the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
    /// Its seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The playouts made when it was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
    /// The moves played in the search, which other programs call nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// How long the search took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The program that searched, with its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// When it was found, as in `2026-06-14T10:30:00Z`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The person or program that found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// A remark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where it was published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The author of the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcriber: Option<String>,
    /// Labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

impl Provenance {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.fields().next().is_none()
    }

    /// The known fields, as keys and values in a fixed order; `tag` may occur several times.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, String)> + '_ {
        let text = |key: &'static str, value: &Option<String>| value.clone().map(|value| (key, value));
        let number = |key: &'static str, value: Option<u64>| value.map(|value| (key, value.to_string()));
        let one = [
            text("search", &self.search),
            number("seed", self.seed),
            number("playouts", self.playouts),
            number("nodes", self.nodes),
            self.seconds.map(|seconds| ("seconds", seconds.to_string())),
            text("program", &self.program),
            text("date", &self.date),
            text("author", &self.author),
            text("description", &self.description),
            text("source", &self.source),
            text("transcriber", &self.transcriber),
        ];
        one.into_iter().flatten().chain(self.tags.iter().map(|tag| ("tag", tag.clone())))
    }

    /// Sets a field from its text, unless it is set already (a `tag` is added). Returns whether there is such a field and the text is valid
    /// for it; other comments are not part of a provenance.
    pub fn set(&mut self, key: &str, value: &str) -> bool {
        fn fill<T>(slot: &mut Option<T>, value: Option<T>) -> bool {
            let fits = value.is_some() && slot.is_none();
            *slot = slot.take().or(value);
            fits
        }
        let text = tidy(value);
        match key {
            "search" => fill(&mut self.search, text),
            "seed" => fill(&mut self.seed, value.parse().ok()),
            "playouts" => fill(&mut self.playouts, value.parse().ok()),
            "nodes" => fill(&mut self.nodes, value.parse().ok()),
            "seconds" => fill(&mut self.seconds, value.parse().ok().filter(is_time)),
            "program" => fill(&mut self.program, text),
            "date" => fill(&mut self.date, text),
            "author" => fill(&mut self.author, text),
            "description" => fill(&mut self.description, text),
            "source" => fill(&mut self.source, text),
            "transcriber" => fill(&mut self.transcriber, text),
            "tag" => match text.filter(|_| self.tags.len() < MOST_TAGS) {
                Some(tag) => {
                    self.tags.push(tag);
                    true
                }
                None => false,
            },
            _ => false,
        }
    }

    /// The same, ready to be shown and written anywhere: texts on one line, of limited length, none of them empty.
    #[must_use]
    pub fn tidied(mut self) -> Self {
        let texts = [
            &mut self.search,
            &mut self.program,
            &mut self.date,
            &mut self.author,
            &mut self.description,
            &mut self.source,
            &mut self.transcriber,
        ];
        for text in texts {
            *text = text.as_deref().and_then(tidy);
        }
        self.seconds = self.seconds.filter(is_time);
        self.tags = self.tags.iter().filter_map(|tag| tidy(tag)).take(MOST_TAGS).collect();
        self
    }

    /// Reads a comment `key: value` of a text format.
    pub fn read_comment(&mut self, comment: &str) -> bool {
        comment.split_once(':').is_some_and(|(key, value)| self.set(key.trim(), value.trim()))
    }

    /// The known fields as comments for a text format, one `# key: value` a line.
    pub fn comments(&self) -> String {
        self.fields().map(|(key, value)| format!("# {key}: {value}\n")).collect()
    }
}

fn is_time(seconds: &f64) -> bool {
    seconds.is_finite() && *seconds >= 0.0
}

/// A text with every run of blanks, control characters and those that XML forbids turned into one space; `None` if nothing
/// is left.
fn tidy(text: &str) -> Option<String> {
    let is_gap = |character: char| {
        character.is_whitespace() || character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}')
    };
    let words = text.split(is_gap);
    let joined = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let short: String = joined.chars().take(LONGEST).collect();
    Some(short.trim_end().to_owned()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_from_outside_are_tidied() {
        let wild = Provenance {
            author: Some(" two\nlines\t\u{1b}[31m ".into()),
            description: Some("\n".into()),
            seconds: Some(f64::NAN),
            tags: vec!["x".repeat(5000), " ".into()],
            ..Provenance::default()
        };
        let tidy = wild.tidied();
        assert_eq!(tidy.author.as_deref(), Some("two lines [31m"));
        assert_eq!((tidy.description.as_ref(), tidy.seconds, tidy.tags.len()), (None, None, 1));
        assert_eq!(tidy.tags[0].len(), LONGEST);
        assert_eq!(tidy.clone().tidied(), tidy);
    }

    #[test]
    fn comments_are_read_back() {
        let provenance = Provenance {
            search: Some("repeat(nrpa(3))".into()),
            seed: Some(u64::MAX),
            seconds: Some(0.1 + 0.2),
            source: Some("http://example.org/a: b".into()),
            tags: vec!["one".into(), "two".into()],
            ..Provenance::default()
        };
        let mut back = Provenance::default();
        for line in provenance.comments().lines() {
            assert!(back.read_comment(line.trim_start_matches('#')), "{line}");
        }
        assert_eq!(back, provenance);
        assert!(!back.read_comment(" seed: 5"), "the first one counts");
        assert!(!back.read_comment(" nothing of ours"));
    }
}
