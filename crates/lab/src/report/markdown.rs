//! The report as Markdown, its plots beside it.

use nestling_presentation::chart::Palette;

use super::{Report, ReportFile, Section, TITLE, difference, open, plot};
use crate::experiment::Claim;
use crate::judge::{Judgement, RULES, Subject};
use crate::results::RowOutcome;
use crate::rules::Verdict;

impl Report<'_> {
    pub(super) fn markdown(&self) -> Vec<ReportFile> {
        let (mut text, mut pictures) = (format!("# {TITLE}\n\n"), Vec::new());
        match &self.origin {
            Some((machine, version)) => text += &format!("Nestling {version} on {}; ", cell(machine)),
            None => text += "Nothing has been run yet; ",
        }
        text += &format!("written {}.\n\n{}\n\n", super::date(self.written), Self::INTRODUCTION);
        text += &format!("**{}**\n\n", self.conclusion());
        self.counts(&mut text);
        self.list_needed(&mut text);
        for paper in &self.papers {
            text += &format!("\n## {}\n\n{}\n\n{}\n\n", paper.citation, paper.about, self.summary(paper));
            for item in paper.items.iter().filter(|item| self.about(&paper.id, &item.name).next().is_none()) {
                let why = item.nothing.as_deref().unwrap_or("no experiment was chosen");
                text += &format!("- {}: {why}\n", item.name);
            }
            for section in self.sections.iter().filter(|section| section.experiment.paper == paper.id) {
                self.chapter(section, &mut text, &mut pictures);
            }
        }
        let known = |section: &&Section<'_>| self.papers.iter().all(|paper| paper.id != section.experiment.paper);
        for (index, section) in self.sections.iter().filter(known).enumerate() {
            if index == 0 {
                text += "\n## Other experiments\n";
            }
            self.chapter(section, &mut text, &mut pictures);
        }
        text += "\n## The rules for verdicts\n\n";
        for (kind, rule) in RULES {
            text += &format!("- **{kind}**: {rule}\n");
        }
        pictures.insert(0, ReportFile { name: "report.md".to_owned(), contents: text });
        pictures
    }

    /// How many claims have each verdict.
    fn counts(&self, text: &mut String) {
        let counts = self.verdicts();
        let heads = Subject::ALL.map(Subject::words).join(" | ");
        *text += &format!("| verdict | {heads} | meaning |\n|---|{}---|\n", "--:|".repeat(Subject::ALL.len()));
        for verdict in Verdict::ALL {
            let of = |subject| counts.get(&(subject, verdict)).copied().unwrap_or(0).to_string();
            *text += &format!("| {verdict} | {} | {} |\n", Subject::ALL.map(of).join(" | "), verdict.meaning());
        }
    }

    /// The runs that would decide the undecided claims.
    fn list_needed(&self, text: &mut String) {
        let open = self.open();
        if open.is_empty() {
            return;
        }
        *text += &format!("\n## What would decide the claims without a verdict\n\n{}\n\n", self.needed_in_words());
        *text += &format!("| {} |\n|---|---|---|--:|--:|--:|\n", open::HEADS.join(" | "));
        for (experiment, judgement, more) in open {
            let cells = open::cells(judgement, &more).join(" | ");
            *text += &format!("| {} | {} | {cells} |\n", experiment.id, cell(&judgement.label));
        }
    }

    fn chapter(&self, section: &Section<'_>, text: &mut String, pictures: &mut Vec<ReportFile>) {
        let experiment = section.experiment;
        *text += &format!("\n### {}: {}\n\n", experiment.sources.join(", "), experiment.title);
        *text += &format!("`nestling lab run {}`\n", experiment.id);
        if let Some(note) = &experiment.note {
            *text += &format!("\n{note}\n");
        }
        if !section.claims.is_empty() {
            *text += "\n| claim | about | published | ours | difference | runs | verdict | why |\n";
            *text += "|---|---|--:|--:|--:|--:|---|---|\n";
        }
        for (claim, judgements) in &section.claims {
            judgements.iter().for_each(|judgement| *text += &line(claim, judgement));
        }
        for (index, wanted) in experiment.plots.iter().enumerate() {
            match plot::draw(experiment, wanted, &section.results, Palette::LIGHT) {
                Some(svg) => {
                    let name = format!("plots/{}-{}.svg", experiment.id, index + 1);
                    *text += &format!("\n![{}]({name})\n", cell(&wanted.title));
                    pictures.push(ReportFile { name, contents: svg });
                }
                None => *text += &format!("\nNothing to draw yet: {}\n", wanted.title),
            }
        }
        for (index, game) in section.games.iter().enumerate() {
            let name = format!("games/{}-{}.svg", experiment.id, index + 1);
            *text += &format!("\n![{}]({name})\n", cell(&game.caption));
            pictures.push(ReportFile { name, contents: game.svg.clone() });
        }
        *text += "\n| row | what was run | runs | remarks |\n|---|---|--:|---|\n";
        for (series, rows) in experiment.series.iter().enumerate() {
            for row in 0..rows.rows.len() {
                let label = cell(&experiment.label(series, row));
                *text += &match section.results.get(series, row) {
                    RowOutcome::Missing(why) => format!("| {label} | not run | | {} |\n", cell(why)),
                    RowOutcome::Measured(measured) => format!(
                        "| {label} | `{}` | {} | {} |\n",
                        measured.definition,
                        super::made(measured.sample.count(), measured.runs),
                        cell(&self.remarks(measured))
                    ),
                };
            }
        }
    }
}

fn line(claim: &Claim, judgement: &Judgement) -> String {
    let published = super::published(claim, judgement);
    let mut verdict = judgement.verdict.map_or("only shown", Verdict::words).to_owned();
    if let Some(more) = judgement.more.as_ref().filter(|_| judgement.verdict == Some(Verdict::Undecided)) {
        verdict += &format!(" ({})", super::more(more));
    }
    format!(
        "| {} | {} | {published} | {} | {} | {} | {verdict} | {} |\n",
        cell(&judgement.label),
        super::heading(claim),
        judgement.ours.as_deref().unwrap_or("—"),
        difference(judgement).unwrap_or_default(),
        super::runs(judgement),
        cell(&judgement.why)
    )
}

/// A text as a cell of a table takes it.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
