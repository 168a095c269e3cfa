//! How to cite a report: the Citation File Format, 1.2.0, which GitHub, Zenodo and reference managers read.

use super::{Report, ReportFile};
use crate::papers::Paper;

impl Report<'_> {
    /// The file, with the documents whose claims the report judges.
    pub(super) fn citation(&self) -> ReportFile {
        let (machine, version) = match &self.origin {
            Some((machine, version)) => (format!("Run on {machine}."), version.as_str()),
            None => ("Nothing has been run yet.".to_owned(), env!("CARGO_PKG_VERSION")),
        };
        let date = super::date(self.written);
        let mut text = format!(
            "cff-version: 1.2.0\nmessage: {}\ntype: dataset\ntitle: {}\nabstract: {}\nversion: {}\ndate-released: {}\nauthors:\n  - name: {}\n",
            quoted("If you use these results, please cite this report and the documents that it is about."),
            quoted(super::TITLE),
            quoted(&format!("{} {machine}", self.conclusion())),
            quoted(version),
            quoted(date.split(' ').next().unwrap_or(&date)),
            quoted("The Nestling contributors"),
        );
        let reported = |paper: &&Paper| self.sections.iter().any(|section| section.experiment.paper == paper.id);
        let references: String = self.papers.iter().filter(reported).map(reference).collect();
        if !references.is_empty() {
            text += &format!("references:\n{references}");
        }
        ReportFile { name: "CITATION.cff".to_owned(), contents: text }
    }
}

fn reference(paper: &Paper) -> String {
    let year = paper.year.map_or(String::new(), |year| format!("    year: {year}\n"));
    let authors: String = paper.authors.iter().map(|author| format!("      - name: {}\n", quoted(author))).collect();
    format!(
        "  - type: generic\n    title: {}\n{year}    notes: {}\n    authors:\n{authors}",
        quoted(&paper.title),
        quoted(&paper.citation)
    )
}

/// A text as YAML takes it, which takes the strings of JSON.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is a string of JSON")
}
