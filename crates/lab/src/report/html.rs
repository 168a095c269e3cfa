//! The report as one page that needs nothing else.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use nestling_presentation::chart::Palette;

use super::{Report, Section, difference, plot};
use crate::experiment::{Claim, Measure};
use crate::judge::{Judgement, RULES, Subject};
use crate::papers::Paper;
use crate::results::Outcome;
use crate::rules::Verdict;
use crate::words::figure;

/// The title of the page, by which an earlier report is known.
const TITLE: &str = "Nestling: the papers' tables and figures, run again";

impl Report<'_> {
    /// Whether a page is one that [`html`](Report::html) has made.
    pub fn is_page(page: &str) -> bool {
        page.contains(&html! { title { (TITLE) } }.into_string())
    }

    /// The page.
    pub fn html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (TITLE) }
                    style { (PreEscaped(include_str!("style.css"))) }
                }
                body {
                    header { (self.header()) }
                    main {
                        h2 id="contents" { "Tables and figures" }
                        @for paper in &self.papers { (self.contents(paper)) }
                        @for paper in &self.papers { (self.paper(paper)) }
                        (self.others())
                    }
                    footer { (rules()) }
                }
            }
        };
        page.into_string()
    }

    fn header(&self) -> Markup {
        let counts = self.verdicts();
        html! {
            h1 { "The papers' tables and figures, run again" }
            p.soft {
                @match &self.origin {
                    Some((machine, version)) => { "Nestling " (version) " on " (machine) "; " },
                    None => "Nothing has been run yet; ",
                }
                "written " (super::date(self.written)) "."
            }
            p { (self.conclusion()) " Each of the others gives its reason. The rules for verdicts are " a href="#rules" { "at the end" } "." }
            table {
                tr { th { "verdict" } @for subject in Subject::ALL { th.number { (subject.words()) } } }
                @for verdict in Verdict::ALL {
                    tr {
                        td { (badge(verdict)) }
                        @for subject in Subject::ALL { td.number { (counts.get(&(subject, verdict)).copied().unwrap_or(0)) } }
                    }
                }
            }
            (self.needed())
        }
    }

    /// What would decide the undecided claims.
    fn needed(&self) -> Markup {
        let open = self.open();
        html! {
            @if !open.is_empty() { details {
                summary { "What would decide the undecided claims" }
                div.scroll { table {
                    tr { th { "experiment" } th { "claim" } th.number { "more runs" } th.number { "time" } }
                    @for (experiment, judgement, more) in open {
                        tr {
                            td { a href=(format!("#{}", experiment.id)) { (experiment.id) } }
                            td { (judgement.label) }
                            td.number { (figure(more.runs as f64)) }
                            td.number { (more.core_hours.map_or_else(|| "?".to_owned(), super::core_time)) }
                        }
                    }
                } }
            } }
        }
    }

    /// What there is of a paper, each with its experiments.
    fn contents(&self, paper: &Paper) -> Markup {
        html! {
            h4 { (paper.citation) }
            div.scroll { table {
                @for item in &paper.items {
                    tr {
                        td { (item.name) }
                        td {
                            @let mut sections = self.about(&paper.id, &item.name).peekable();
                            @if sections.peek().is_none() {
                                span.soft { (item.nothing.as_deref().unwrap_or("no experiment was chosen")) }
                            }
                            @for section in sections {
                                a href=(format!("#{}", section.experiment.id)) { (section.experiment.title) }
                                " " (tally(section)) br;
                            }
                        }
                    }
                }
            } }
        }
    }

    fn paper(&self, paper: &Paper) -> Markup {
        let mut sections = self.sections.iter().filter(|section| section.experiment.paper == paper.id).peekable();
        html! {
            @if sections.peek().is_some() {
                h2 { (paper.citation) }
                @for section in sections { (self.section(section)) }
            }
        }
    }

    /// Experiments of one's own.
    fn others(&self) -> Markup {
        let known = |section: &&Section<'_>| self.papers.iter().all(|paper| paper.id != section.experiment.paper);
        let mut sections = self.sections.iter().filter(known).peekable();
        html! {
            @if sections.peek().is_some() {
                h2 { "Other experiments" }
                @for section in sections { (self.section(section)) }
            }
        }
    }

    fn section(&self, section: &Section<'_>) -> Markup {
        let experiment = section.experiment;
        html! {
            section id=(experiment.id) {
                h3 { (experiment.sources.join(", ")) ": " (experiment.title) }
                p.soft { span.mono { "nestling lab run " (experiment.id) } }
                @if let Some(note) = &experiment.note { p { (note) } }
                @for (claim, judgements) in &section.claims {
                    @if is_grid(section, claim) { (grid(section, claim, judgements)) }
                }
                (claims(section))
                @if !experiment.plots.is_empty() { div.plots {
                    @for wanted in &experiment.plots {
                        @match plot::draw(experiment, wanted, &section.results, Palette::PAGE) {
                            Some(svg) => (PreEscaped(svg)),
                            None => p.soft { "Nothing to draw yet: " (wanted.title) },
                        }
                    }
                } }
                div.plots { @for game in &section.games {
                    figure {
                        img alt=(game.caption) src=(format!("data:image/svg+xml;base64,{}", BASE64.encode(&game.svg)));
                        figcaption { (game.caption) }
                    }
                } }
                (self.what_ran(section))
            }
        }
    }

    /// What exactly was run, row by row.
    fn what_ran(&self, section: &Section<'_>) -> Markup {
        let experiment = section.experiment;
        let rows = |series: usize| (0..experiment.series[series].rows.len()).map(move |row| (series, row));
        html! {
            details {
                summary { "What was run" }
                div.scroll { table {
                    tr { th { "row" } th { "what" } th.number { "runs" } th.number { "mean score" } th.number { "seconds a run" } th { "remarks" } }
                    @for (series, row) in (0..experiment.series.len()).flat_map(rows) {
                        tr {
                            td { (experiment.label(series, row)) }
                            @match section.results.get(series, row) {
                                Outcome::Missing(why) => { td colspan="4" { "not run" } td { (why) } },
                                Outcome::Measured(measured) => {
                                    td.mono { (measured.definition) }
                                    td.number { (super::made(measured.sample.count(), measured.runs)) }
                                    td.number { (mean(measured, Measure::Score)) }
                                    td.number { (mean(measured, Measure::Seconds)) }
                                    td { (self.remarks(measured)) }
                                },
                            }
                        }
                    }
                } }
            }
        }
    }
}

fn mean(measured: &crate::Measured, measure: Measure) -> String {
    measured.summary(measure).map_or(String::new(), |summary| figure(summary.mean))
}

fn badge(verdict: Verdict) -> Markup {
    html! { span.(format!("verdict {}", verdict.words().replace([' ', '\''], "-"))) { (super::symbol(verdict)) " " (verdict.words()) } }
}

/// How often each verdict came about in a section.
fn tally(section: &Section<'_>) -> Markup {
    html! {
        @for verdict in Verdict::ALL {
            @let count = section.verdicts().filter(|other| *other == verdict).count();
            @if count > 0 { (badge(verdict)) @if count > 1 { " ×" (count) } " " }
        }
        @if section.verdicts().next().is_none() { span.soft { "nothing was published to judge by" } }
    }
}

/// All claims that are no whole tables, one below the other.
fn claims(section: &Section<'_>) -> Markup {
    let listed = || section.claims.iter().filter(|(claim, _)| !is_grid(section, claim));
    if listed().next().is_none() {
        return html! {};
    }
    html! {
        div.scroll { table {
            tr {
                th { "claim" } th { "about" } th.number { "published" } th.number { "ours" } th.number { "difference" }
                th.number { "runs" } th { "verdict" } th { "why" }
            }
            @for (claim, judgements) in listed() {
                @for (index, judgement) in judgements.iter().enumerate() { (line(claim, index, judgement)) }
            }
        } }
    }
}

fn line(claim: &Claim, index: usize, judgement: &Judgement) -> Markup {
    html! {
        tr.first[index == 0] {
            td { (judgement.label) }
            td.soft { (super::heading(claim)) }
            td.number { (super::published(claim, judgement)) }
            td.number { (judgement.ours.as_deref().unwrap_or("—")) }
            td.number { (difference(judgement).unwrap_or_default()) }
            td.number { (super::runs(judgement)) }
            td {
                @if let Some(verdict) = judgement.verdict { (badge(verdict)) } @else { span.soft { "only shown" } }
                @if let Some(more) = &judgement.more { br; span.soft { (super::more(more)) } }
            }
            td.soft { (judgement.why) }
        }
    }
}

/// Whether a claim is about a whole table with two axes.
fn is_grid(section: &Section<'_>, claim: &Claim) -> bool {
    let series = &section.experiment.series[claim.of.series];
    !claim.kind.is_shape()
        && series.axes.len() == 2
        && claim.of.rows.len() == series.rows.len()
        && !claim.published.is_empty()
}

/// The published table with ours in the same cells.
fn grid(section: &Section<'_>, claim: &Claim, judgements: &[Judgement]) -> Markup {
    let series = &section.experiment.series[claim.of.series];
    let (down, across) = (&series.axes[0], &series.axes[1]);
    let width = series.rows.iter().take_while(|row| row.values[0] == series.rows[0].values[0]).count();
    html! {
        h4 { (series.name) ": " (super::heading(claim)) " (published, then ours)" }
        div.scroll { table.grid {
            tr { th { (down) " \\ " (across) } @for row in &series.rows[..width] { th { (row.values[1].words()) } } }
            @for (line, cells) in series.rows.chunks(width).zip(judgements.chunks(width)) {
                tr {
                    th { (line[0].values[0].words()) }
                    @for judgement in cells { td title=(judgement.why) {
                        (judgement.published.map_or("?".to_owned(), |published| figure(published.value)))
                        br; span.ours { (judgement.ours.as_deref().unwrap_or("—")) }
                        @if let Some(difference) = difference(judgement) { br; span.soft { (difference) } }
                        @if let Some(verdict) = judgement.verdict { br; (badge(verdict)) }
                    } }
                }
            }
        } }
    }
}

fn rules() -> Markup {
    html! {
        h2 id="rules" { "The rules for verdicts" }
        p { "The program applies these rules to the published and the measured numbers only." }
        div.scroll { table {
            @for (kind, rule) in RULES { tr { th { (kind) } td { (rule) } } }
        } }
    }
}
