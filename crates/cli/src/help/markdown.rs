//! Markdown as text for a terminal: paragraphs and tables fit its width; headings stand out where there are colours.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use nestling_docs::PAGES;
use pulldown_cmark::{Alignment, Event, Options, Parser, Tag, TagEnd};

const HEADING: &str = "\u{1b}[1m";
const PLAIN: &str = "\u{1b}[0m";

/// Longer lines are hard to read.
const LONGEST: usize = 110;

/// A document as lines of a limited width.
pub(super) fn on_terminal(document: &str, width: usize) -> String {
    let mut page = Page { width: width.min(LONGEST), ..Page::default() };
    for event in Parser::new_ext(document, Options::ENABLE_TABLES) {
        page.take(event);
    }
    page.out
}

#[derive(Default)]
struct Page {
    out: String,
    width: usize,
    /// The text of the paragraph, heading, list item or cell that has begun.
    text: String,
    /// The next number of every list that has begun, or nothing for a list without numbers.
    lists: Vec<Option<u64>>,
    /// The mark of a list item whose first line has not been written.
    mark: Option<String>,
    is_code: bool,
    /// The targets of the links that have begun.
    links: Vec<String>,
    alignments: Vec<Alignment>,
    rows: Vec<Vec<String>>,
}

impl Page {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.is_code => {
                text.lines().for_each(|line| self.line(&format!("    {line}")));
            }
            Event::Text(text) => self.text += &text,
            Event::Code(text) => self.text += &format!("`{text}`"),
            Event::SoftBreak | Event::HardBreak => self.text.push(' '),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::List(first) => {
                self.flush();
                self.lists.push(first);
            }
            Tag::Item => {
                self.flush();
                self.mark = Some(match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "- ".to_owned(),
                });
            }
            Tag::CodeBlock(_) => {
                self.flush();
                self.is_code = true;
            }
            Tag::Link { dest_url, .. } => self.links.push(dest_url.into_string()),
            Tag::Image { .. } => self.text += "[picture: ",
            Tag::Table(alignments) => {
                self.flush();
                self.alignments = alignments;
            }
            Tag::TableHead | Tag::TableRow => self.rows.push(Vec::new()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph if self.lists.is_empty() => {
                self.flush();
                self.line("");
            }
            TagEnd::Paragraph | TagEnd::Item => self.flush(),
            TagEnd::List(_) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.line("");
                }
            }
            TagEnd::Heading(_) => {
                let text = std::mem::take(&mut self.text);
                self.line(&format!("{HEADING}{text}{PLAIN}"));
                self.line("");
            }
            TagEnd::CodeBlock => {
                self.is_code = false;
                self.line("");
            }
            TagEnd::Link => self.end_link(),
            TagEnd::Image => self.text.push(']'),
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.text);
                self.rows.last_mut().expect("a cell is in a row").push(cell);
            }
            TagEnd::Table => self.end_table(),
            _ => {}
        }
    }

    /// Says where a link leads, if that can be followed on a terminal.
    fn end_link(&mut self) {
        let target = self.links.pop().expect("a link ends after its beginning");
        let file = target.split('#').next().unwrap_or_default();
        if let Some(page) = PAGES.iter().find(|page| page.file == file) {
            self.text += &format!(" (nestling help {})", page.topic);
        } else if target.starts_with("http") && !self.text.ends_with(&target) {
            self.text += &format!(" ({target})");
        }
    }

    fn end_table(&mut self) {
        let mut table = Table::new();
        table.load_style(presets::ASCII_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(u16::try_from(self.width).unwrap_or(u16::MAX));
        let mut rows = std::mem::take(&mut self.rows).into_iter();
        table.set_header(rows.next().unwrap_or_default());
        table.add_rows(rows);
        for (column, alignment) in table.column_iter_mut().zip(&self.alignments) {
            if *alignment == Alignment::Right {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.lines().for_each(|line| self.line(&line));
        self.line("");
    }

    /// Writes the text that has been collected, broken into lines.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        if text.is_empty() {
            return;
        }
        let indent = 2 * self.lists.len();
        let mark = self.mark.take().unwrap_or_default();
        let mut line = format!("{mark:>indent$}");
        let mut is_first = true;
        for word in text.split_whitespace() {
            if !is_first && line.chars().count() + 1 + word.chars().count() > self.width {
                self.line(&line);
                line = " ".repeat(indent);
            } else if !is_first {
                line.push(' ');
            }
            line += word;
            is_first = false;
        }
        self.line(&line);
    }

    fn line(&mut self, line: &str) {
        self.out += line.trim_end();
        self.out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_lists_are_broken_into_lines() {
        let document = "# Title\n\nSome *words* in\na `row`.\n\n- an item that is long\n  - inner\n\n1. one\n2. two\n";
        let shown = on_terminal(document, 16);
        let expected = "\u{1b}[1mTitle\u{1b}[0m\n\nSome words in a\n`row`.\n\n- an item that\n  is long\n  - inner\n\n1. one\n2. two\n\n";
        assert_eq!(shown, expected);
    }

    #[test]
    fn links_say_how_to_follow_them() {
        let document =
            "See [the ideas](CONCEPTS.md#x), [code](../src) and [Ray](https://www.ray.io).\n\n```sh\na  b\n```\n";
        let expected = "See the ideas (nestling help concepts), code and Ray (https://www.ray.io).\n\n    a  b\n\n";
        assert_eq!(on_terminal(document, 100), expected);
    }

    #[test]
    fn every_page_fits_the_width() {
        for page in PAGES {
            let shown = on_terminal(page.text, 80);
            // Code and headings are left as they are, and a word longer than a line cannot be broken.
            let mut text = shown.lines().filter(|line| !line.starts_with("    ") && !line.starts_with(HEADING));
            let long = text.find(|line| line.trim_start().contains(' ') && line.chars().count() > 80);
            assert_eq!(long, None, "{}", page.topic);
            assert!(shown.contains(HEADING), "{}", page.topic);
        }
    }
}
