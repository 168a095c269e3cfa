//! `nestling help PAGE` shows a page of the documentation. All other help is clap's.

mod markdown;

use std::ffi::OsString;

use nestling_docs::{PAGES, Page};

use crate::failure::Exit;
use crate::text;

/// The pages, a line each.
pub(crate) fn pages() -> String {
    let width = PAGES.iter().map(|page| page.topic.len()).max().unwrap_or(0);
    PAGES.iter().map(|page| format!("  {:width$}  {}\n", page.topic, page.about)).collect()
}

/// The page that a command line asks for, if it asks for one.
pub(crate) fn page(words: &[OsString]) -> Option<&'static Page> {
    let [_, help, topic] = words else { return None };
    PAGES.iter().find(|page| help == "help" && topic == page.topic)
}

pub(crate) fn show(page: &Page) -> std::io::Result<Exit> {
    text::print(&markdown::on_terminal(page.text, text::canvas().width))?;
    Ok(Exit::Done)
}
