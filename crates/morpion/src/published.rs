//! The published record games, from the crate `morpion-solitaire-records`.

use crate::notation::{FileContent, Msr, Notation};

/// A game that was published as a record of its time or kind.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedGame {
    /// A short name without blanks, such as `rosin178`.
    pub id: &'static str,
    /// The name people use, such as `Rosin 178`.
    pub name: &'static str,
    /// When it was found, if that is known to us.
    pub date: Option<&'static str>,
    /// The game and what is known of its origin.
    pub reading: FileContent,
}

/// The published record games: 5T, 5D, 4T, 4D, the longest first.
///
/// ```
/// let records = nestling_morpion::published();
/// assert_eq!((records[0].id, records[0].reading.game.moves.len()), ("rosin178", 178));
/// ```
pub fn published() -> Vec<PublishedGame> {
    let read = |json: &str| Msr.read(json.as_bytes(), None).expect("the tests read every one of them");
    let records = morpion_solitaire_records::RECORDS.iter();
    records.map(|&(name, id, json)| PublishedGame { id, name, date: date(id), reading: read(json) }).collect()
}

/// The corpus has no dates. These are the ones we can vouch for.
fn date(id: &str) -> Option<&'static str> {
    match id {
        "rosin178" => Some("August 2011"),
        "rosin82" => Some("August 2010"),
        "bruneau170" => Some("1976"),
        "hyyroporanen62" | "hyyroporanen35" => Some("October 2007"),
        "demaine56" | "demaine31" => Some("2006"),
        _ => None,
    }
}
