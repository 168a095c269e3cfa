//! The report as one page that needs nothing else.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use nestling_presentation::chart::Palette;

use super::{Report, Section, TITLE, difference, open, plot};
use crate::experiment::{Claim, Measure};
use crate::judge::{Judgement, RULES, Subject};
use crate::papers::Paper;
use crate::results::RowOutcome;
use crate::rules::Verdict;
use crate::words::figure;

/// The title of the page, by which an earlier report is known.
fn title() -> Markup {
    html! { title { "Nestling: " (TITLE) } }
}

impl Report<'_> {
    /// Whether a page is one that [`html`](Report::html) has made.
    pub fn is_page(page: &str) -> bool {
        page.contains(&title().into_string())
    }

    /// The page.
    pub fn html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    (title())
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
            h1 { (TITLE) }
            p.soft {
                @match &self.origin {
                    Some((machine, version)) => { "Nestling " (version) " on " (machine) "; " },
                    None => "Nothing has been run yet; ",
                }
                "written " (super::date(self.written)) "."
            }
            p { (Self::INTRODUCTION) }
            p { b { (self.conclusion()) } " Every other claim gives its reason. The rules for verdicts are " a href="#rules" { "at the end" } "." }
            div.scroll { table {
                tr { th { "verdict" } @for subject in Subject::ALL { th.number { (subject.words()) } } th { "meaning" } }
                @for verdict in Verdict::ALL {
                    tr {
                        td { (badge(verdict)) }
                        @for subject in Subject::ALL { td.number { (counts.get(&(subject, verdict)).copied().unwrap_or(0)) } }
                        td.soft { (verdict.meaning()) }
                    }
                }
            } }
            p.soft {
                span.mono { "nestling lab export -o readings.csv" }
                " writes every run behind these numbers, with its seed and the command that makes it again. "
                span.mono { "CITATION.cff" } " in this folder says how to cite the report."
            }
            (self.needed())
        }
    }

    /// What would decide the claims without a verdict.
    fn needed(&self) -> Markup {
        let open = self.open();
        html! {
            @if !open.is_empty() {
                h2 { "What would decide the claims without a verdict" }
                p { (self.needed_in_words()) }
                details {
                    summary { "All " (open.len()) " of them, the cheapest first" }
                    div.scroll { table {
                        tr { @for head in &open::HEADS[..3] { th { (head) } } @for head in &open::HEADS[3..] { th.number { (head) } } }
                        @for (experiment, judgement, more) in open {
                            @let [verdict, cells @ ..] = open::cells(judgement, &more);
                            tr {
                                td { a href=(format!("#{}", experiment.id)) { (experiment.id) } }
                                td { (judgement.label) }
                                td.soft { (verdict) }
                                @for cell in cells { td.number { (cell) } }
                            }
                        }
                    } }
                }
            }
        }
    }

    /// How the claims of a paper stand, as one bar.
    fn bar(&self, paper: &Paper) -> Markup {
        let sections = self.sections.iter().filter(|section| section.experiment.paper == paper.id);
        let verdicts: Vec<Verdict> = sections.flat_map(Section::verdicts).collect();
        html! {
            @if !verdicts.is_empty() { div.bar {
                @for verdict in Verdict::ALL {
                    @let count = verdicts.iter().filter(|other| **other == verdict).count();
                    @if count > 0 {
                        @let words = format!("{count} {verdict}");
                        span.(class(verdict)) style=(format!("flex-grow: {count}")) title=(words) { (super::symbol(verdict)) " " (count) }
                    }
                }
            } }
        }
    }

    /// What there is of a paper, each with its experiments.
    fn contents(&self, paper: &Paper) -> Markup {
        html! {
            h3 { (paper.citation) }
            p { (with_code(&paper.about)) }
            p.soft { (self.summary(paper)) }
            (self.bar(paper))
            div.scroll { table {
                @for item in &paper.items {
                    tr {
                        td { (item.name) }
                        td {
                            @let mut sections = self.about(&paper.id, &item.name).peekable();
                            @if sections.peek().is_none() {
                                span.soft { (with_code(item.nothing.as_deref().unwrap_or("no experiment was chosen"))) }
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
                @if let Some(note) = &experiment.note { p { (with_code(note)) } }
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
                                RowOutcome::Missing(why) => { td colspan="4" { "not run" } td { (why) } },
                                RowOutcome::Measured(measured) => {
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
    html! { span.verdict.(class(verdict)) { (super::symbol(verdict)) " " (verdict.words()) } }
}

fn class(verdict: Verdict) -> String {
    verdict.words().replace([' ', '\''], "-")
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

/// A text in which what stands between backticks is code.
fn with_code(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split('`').enumerate() {
            @if index % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// As many rows that no verdict is about as a table shows before they are asked for.
const MOST_SHOWN: usize = 12;

/// All claims that are no whole tables, one below the other; long lists without verdicts fold.
fn claims(section: &Section<'_>) -> Markup {
    let listed = section.claims.iter().filter(|(claim, _)| !is_grid(section, claim));
    let (long, short): (Vec<_>, Vec<_>) = listed.partition(|(_, judgements)| {
        judgements.len() > MOST_SHOWN && judgements.iter().all(|judgement| judgement.verdict.is_none())
    });
    html! {
        @if !short.is_empty() { (lines(&short)) }
        @for claim in long {
            details {
                summary { (super::heading(claim.0)) ": " (claim.1.len()) " rows beside the paper's value, without a verdict" }
                (lines(&[claim]))
            }
        }
    }
}

fn lines(claims: &[&(&Claim, Vec<Judgement>)]) -> Markup {
    html! {
        div.scroll { table {
            tr {
                th { "claim" } th { "about" } th.number { "published" } th.number { "ours" } th.number { "difference" }
                th.number { "runs" } th { "verdict" } th { "why" }
            }
            @for (claim, judgements) in claims {
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
                @if let Some(more) = judgement.more.as_ref().filter(|_| judgement.verdict == Some(Verdict::Undecided)) { br; span.soft { (super::more(more)) } }
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
