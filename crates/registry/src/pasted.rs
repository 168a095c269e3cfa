//! Puzzles inside their names, for those that come with a request or through the clipboard rather than from a file. Whatever
//! mentions such a name carries the puzzle along: a run that is resumed, a game that is saved, a link.

use std::borrow::Cow;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::parameters;

/// The longest text that a name carries, and the longest name, in bytes: names are shown, stored and sent around.
const LARGEST: usize = 1 << 20;
const LONGEST: usize = 48 << 10;

/// The name under which a problem of the registry opens the puzzle of a text. Blanks at the ends of lines do not count, so that the same
/// puzzle has the same name.
///
/// ```
/// use nestling_registry::{Registry, pasted};
/// let name = pasted("sudoku", "1...\n..3.\n.4..\n...2\n").unwrap();
/// assert_eq!(name, pasted("sudoku", "1...  \r\n..3.\r\n.4..\r\n...2").unwrap());
/// assert!(Registry::standard().without_files().open(&name).is_ok());
/// ```
///
/// # Errors
///
/// When the text is too large for a name; the reason is a line.
pub fn pasted(problem: &str, text: &str) -> Result<String, String> {
    let packed = packed(text).filter(|packed| packed.len() <= LONGEST);
    let packed = packed
        .ok_or_else(|| "the text is too large to paste; save it to a file and use the command line".to_owned())?;
    Ok(format!("{problem}:text={packed}"))
}

/// The name of a problem that reads puzzles, with the file that it names inside: it means the same anywhere.
///
/// # Errors
///
/// When the file cannot be read, or is too large.
pub(crate) fn contained(name: &str) -> Result<String, String> {
    let Some((problem, parameters)) = name.split_once(':') else { return Ok(name.to_owned()) };
    let Some((text, rest)) = parameters::file_of(problem, parameters)? else { return Ok(name.to_owned()) };
    let large = || format!("{}: the file is too large to be sent along with every task", shortened(name));
    Ok(format!("{problem}:text={}{rest}", packed(&text).ok_or_else(large)?))
}

/// The text as a part of a name, unless it is too large.
fn packed(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let tidy = lines.join("\n");
    let packed = BASE64_URL_SAFE_NO_PAD.encode(compress_to_vec(tidy.trim_end().as_bytes(), 9));
    (tidy.len() <= LARGEST).then_some(packed)
}

/// The name of a problem that [asks for input](crate::Registry::asks_for_input), with the text that it asks for.
///
/// ```
/// use nestling_registry::{Registry, with_input};
/// let name = with_input("samegame:-#2,penalty=on", "00\n00\n\n11\n11\n").unwrap();
/// assert!(name.starts_with("samegame:text=") && name.ends_with("#2,penalty=on"));
/// assert!(Registry::standard().without_files().open(&name).is_ok());
/// ```
///
/// # Errors
///
/// When the text is too large for a name; the reason is a line.
pub fn with_input(name: &str, text: &str) -> Result<String, String> {
    let (problem, rest) = name.split_once(":-").unwrap_or((name, ""));
    Ok(pasted(problem, text)? + rest)
}

/// A name for people to read: without the puzzle that it may carry.
///
/// ```
/// use nestling_registry::{pasted, shortened};
/// assert_eq!(shortened(&pasted("kakuro", "3 4\n4\n3").unwrap()), "kakuro:text=…");
/// assert_eq!(shortened("kakuro:text=AAAA#2,values=7"), "kakuro:text=…#2,values=7");
/// assert_eq!(shortened("kakuro:seed=7"), "kakuro:seed=7");
/// ```
pub fn shortened(name: &str) -> Cow<'_, str> {
    match name.split_once("text=") {
        Some((before, packed)) if before.ends_with([':', ',']) => {
            let after = packed.find([',', '#']).map_or("", |end| &packed[end..]);
            format!("{before}text=…{after}").into()
        }
        _ => name.into(),
    }
}

/// The text inside a name.
pub(crate) fn unpacked(packed: &str) -> Result<String, String> {
    let damaged = || "text=: the puzzle in the name is damaged; paste it again".to_owned();
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(packed).map_err(|_| damaged())?;
    let bytes = decompress_to_vec_with_limit(&bytes, LARGEST).map_err(|_| damaged())?;
    String::from_utf8(bytes).map_err(|_| damaged())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back() {
        let text = "name,x,y,earliest,latest\nhome,0,0,0,900\n\n  indented: stays";
        let name = pasted("tsptw", &format!("{text} \r\n\n")).unwrap();
        assert_eq!(unpacked(name.strip_prefix("tsptw:text=").unwrap()).unwrap(), text);
    }

    #[test]
    fn what_is_no_puzzle_is_refused() {
        let bomb = BASE64_URL_SAFE_NO_PAD.encode(compress_to_vec(&vec![b' '; 100 << 20], 9));
        for packed in ["!", "AAAA", "eJw", bomb.as_str()] {
            assert!(unpacked(packed).unwrap_err().contains("damaged"), "{packed:.20}");
        }
        let mut rng = nestling::Stream::new(1).rng();
        let noise: String = (0..200_000).map(|_| char::from(b'!' + rng.below(90) as u8)).collect();
        assert!(pasted("sudoku", &noise).unwrap_err().contains("too large"));
    }
}
