//! Excerpts of untrusted texts for messages.

/// The beginning of a text, as long as a message has room for; to be shown with `{:?}`, which spells control characters out.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 30;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
