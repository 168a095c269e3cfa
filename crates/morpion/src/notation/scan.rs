//! Reads one line of an untrusted text: any bytes, any length. Errors have a position and a reason.

/// The text that the reader expected, the text that it found, and the place: the number of the byte in its line, from 1.
pub(super) type Mismatch = (usize, &'static str, String);

/// A line of text and how far it has been read.
pub(super) struct Scanner<'a> {
    text: &'a [u8],
    position: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Scanner { text, position: 0 }
    }

    pub(super) fn surprise(&mut self, expected: &'static str) -> Mismatch {
        self.skip_blanks();
        let rest = &self.text[self.position..];
        let found = if rest.is_empty() { "the end of the line".to_owned() } else { format!("\"{}\"", shown(rest, 40)) };
        (self.position + 1, expected, found)
    }

    fn skip_blanks(&mut self) {
        while self.text.get(self.position).is_some_and(u8::is_ascii_whitespace) {
            self.position += 1;
        }
    }

    fn peek(&mut self) -> Option<u8> {
        self.skip_blanks();
        self.text.get(self.position).copied()
    }

    /// Reads one of several characters, and says which.
    pub(super) fn one_of(&mut self, characters: &[u8], expected: &'static str) -> Result<usize, Mismatch> {
        let found = self.peek().and_then(|byte| characters.iter().position(|character| *character == byte));
        let index = found.ok_or_else(|| self.surprise(expected))?;
        self.position += 1;
        Ok(index)
    }

    /// Reads a whole number with or without a sign. More than nine digits are no coordinates of any game.
    pub(super) fn number(&mut self, expected: &'static str) -> Result<i32, Mismatch> {
        let first = self.peek();
        let before = self.position;
        let signed = matches!(first, Some(b'+' | b'-'));
        self.position += usize::from(signed);
        let digits = self.text[self.position..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if !(1..=9).contains(&digits) {
            self.position = before;
            return Err(self.surprise(expected));
        }
        let value =
            self.text[self.position..][..digits].iter().fold(0, |value, digit| 10 * value + i32::from(digit - b'0'));
        self.position += digits;
        Ok(if first == Some(b'-') { -value } else { value })
    }

    /// Makes sure that nothing follows.
    pub(super) fn end(&mut self) -> Result<(), Mismatch> {
        if self.peek().is_some() { Err(self.surprise("the end of the line")) } else { Ok(()) }
    }
}

/// The beginning of some bytes, fit to be shown: at most `limit` characters, everything but printable ASCII escaped.
pub(super) fn shown(bytes: &[u8], limit: usize) -> String {
    let mut shown = String::new();
    for &byte in bytes {
        let character = match byte {
            b' '..=b'~' => char::from(byte).to_string(),
            _ => byte.escape_ascii().to_string(),
        };
        if shown.len() + character.len() > limit {
            return shown + "…";
        }
        shown += &character;
    }
    shown
}

/// A text without the mark that some editors put at its beginning.
pub(super) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// Cuts a file with several games before every line with which a game begins. What stands before the first belongs to it.
///
/// ```
/// use nestling_morpion::notation::cut_at_lines;
/// let parts = cut_at_lines(b"# two games\n>1\na\n>2\nb\n", |line| line.starts_with(b">"));
/// assert_eq!(parts, [&b"# two games\n>1\na\n"[..], b">2\nb\n"]);
/// ```
pub fn cut_at_lines(bytes: &[u8], begins: impl Fn(&[u8]) -> bool) -> Vec<&[u8]> {
    let (mut games, mut start, mut at, mut found) = (Vec::new(), 0, 0, false);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        if begins(if at == 0 { without_mark(line) } else { line }) {
            if found {
                games.push(&bytes[start..at]);
                start = at;
            }
            found = true;
        }
        at += line.len();
    }
    games.push(&bytes[start..]);
    games
}
