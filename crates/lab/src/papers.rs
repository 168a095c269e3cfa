//! The papers, and what there is in them.

use serde::Deserialize;

/// A paper.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// Its short name, which experiments use.
    pub id: String,
    /// Who wrote it, what it is called, where it is.
    pub citation: String,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// What it is called.
    pub title: String,
    /// The year, where it is known.
    pub year: Option<u16>,
    /// What it claims, for a reader who does not know it.
    pub about: String,
    /// Its tables and figures, and statements that are checked like one.
    pub items: Vec<Item>,
}

/// A table, a figure or a statement of a paper.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// What the paper calls it.
    pub name: String,
    /// Why there is no experiment about it.
    pub nothing: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Papers {
    paper: Vec<Paper>,
}

/// The papers that the standard experiments are about, the oldest first.
///
/// ```
/// let papers = nestling_lab::papers();
/// assert!(papers.iter().any(|paper| paper.id == "reflexive"));
/// ```
pub fn papers() -> Vec<Paper> {
    let papers: Papers =
        toml::from_str(include_str!("../papers.toml")).expect("the list of papers is checked by a test");
    papers.paper
}
