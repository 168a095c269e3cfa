//! Several games as JSON in one file.

use serde::de::IgnoredAny;

/// An object that is not closed is only found out at the end of the text. After so many, only objects of one line are looked for, so that
/// the time to read a text stays linear.
const MOST_BROKEN: usize = 16;

/// The objects of a JSON text that follow each other, or are in one list; the whole text if it is something else. A broken object
/// extends to the next line that begins with an object, so that one broken game does not hide the others.
pub(crate) fn objects(text: &[u8]) -> Vec<&[u8]> {
    let begin = text.len() - text.trim_ascii_start().len();
    if text[begin..].starts_with(b"[") {
        return listed(text, begin + 1).unwrap_or_else(|| vec![text]);
    }
    let mut games: Vec<(usize, usize)> = Vec::new();
    let (mut at, mut line_end, mut broken) = (begin, 0, 0);
    while at < text.len() {
        let rest = &text[at..];
        if line_end <= at {
            line_end = at + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        }
        let length = value_end(if broken < MOST_BROKEN { rest } else { &text[at..line_end] });
        let next_object = || rest.windows(2).position(|pair| pair == b"\n{").map_or(rest.len(), |next| next + 1);
        let end = at + length.unwrap_or_else(next_object);
        broken += usize::from(length.is_none() && rest.starts_with(b"{"));
        match games.last_mut().filter(|_| !rest.starts_with(b"{")) {
            // Text after an object that is not an object is reported as part of its error.
            Some((_, last)) => *last = end,
            None => games.push((at, end)),
        }
        at = end + text[end..].len() - text[end..].trim_ascii_start().len();
    }
    match games[..] {
        [] | [_] => vec![text],
        _ => games.into_iter().map(|(start, end)| &text[start..end]).collect(),
    }
}

/// The objects of a list, from behind its bracket.
fn listed(text: &[u8], mut at: usize) -> Option<Vec<&[u8]>> {
    let mut games = Vec::new();
    loop {
        let rest = text[at..].trim_ascii_start();
        let length = value_end(rest)?;
        games.push(&rest[..length]);
        let rest = rest[length..].trim_ascii_start();
        match rest.split_first()? {
            (b',', rest) => at = text.len() - rest.len(),
            (b']', rest) if rest.trim_ascii().is_empty() => return Some(games),
            _ => return None,
        }
    }
}

/// The length of the object that a text begins with.
fn value_end(text: &[u8]) -> Option<usize> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    let is_whole = text.starts_with(b"{") && values.next()?.is_ok();
    is_whole.then(|| values.byte_offset())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        objects(text.as_bytes()).into_iter().map(|part| std::str::from_utf8(part).unwrap()).collect()
    }

    #[test]
    fn objects_are_found_one_after_another() {
        assert_eq!(parts("{}"), ["{}"]);
        assert_eq!(parts(" {\"a\":[1,{}]} \n{}\n\n{\n}\n"), ["{\"a\":[1,{}]}", "{}", "{\n}"]);
        assert_eq!(parts("{}{}{}"), ["{}", "{}", "{}"]);
        assert_eq!(parts("[ {} , {\"a\": 1}]\n"), ["{}", "{\"a\": 1}"]);
    }

    #[test]
    fn broken_objects_do_not_hide_the_others() {
        assert_eq!(parts("{}\n{\"a\":\n{\"b\":1}\n"), ["{}", "{\"a\":\n", "{\"b\":1}"]);
        assert_eq!(parts("{} rubbish\n{}"), ["{} rubbish\n", "{}"]);
        for whole in ["{\n\"a\": oops\n}", "{} rubbish", "[{}, 1]", "[{},]", "[", "[]", "[{}] {}", "", "hello"] {
            assert_eq!(parts(whole), [whole]);
        }
    }

    /// Objects that are never closed, and are tried from every line.
    #[test]
    fn hostile_objects_come_to_an_end() {
        for filler in ["{\"a\":\n", "{\"a\":[\n", "{}\n,", "{", "{}", "\n{", "[{\n"] {
            assert!(!objects(filler.repeat((1 << 20) / filler.len()).as_bytes()).is_empty());
        }
    }
}
