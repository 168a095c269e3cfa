//! Pentasol text, the format of morpionsolitaire.com.
//!
//! The first line, `(28,28)`, is the reference point: the column and row that stand for the inner corner of the cross at
//! the top left, cell (3,3) of the box. Then comes one move a line, `(28,24) | +2`: the new dot, the direction (`-`, `|`,
//! `\` or `/`) and k, with **centre of the line = dot + k steps in the direction**. Lines that begin with `#` are
//! comments; ours tell the [`Provenance`].
//!
//! The format knows only lines of five. Nestling writes lines of four in the same way: the reference point stands for
//! *their* cross's inner corner, cell (2,2), and the second cell of a line counts as its centre, so that k runs from −2
//! to 1. A comment `# variant: 4T` tells such a file from the others.
//!
//! A Pentasol text does not say whether its lines may touch. A game in which two lines touch is 5T. One in which none do is legal as
//! 5D and as 5T: it is taken as 5D, and [`FileContent::note`] says so. [`write()`] therefore adds the comment to every game but those
//! in which lines touch. [`read_as`] is told the variant.
//!
//! There are files with the opposite sign of k, without a reference point, or both. Of all these readings the first is
//! taken that replays legally, the genuine one before the others, and [`FileContent::note`] says so when it is not genuine.

use std::cmp::Ordering;

use nestling::{Illegal, Problem, Provenance};

pub use super::ReadError;
use super::reference::{Reference, centre};
use super::scan::{self, Mismatch, Scanner};
use super::{FileContent, MorpionGame, Notation};
use crate::geometry::{Direction, Line, Move};
use crate::rules::Rules;
use crate::variant::Variant;

const SYMBOLS: [u8; 4] = *b"-|\\/";

/// Pentasol text.
#[derive(Clone, Copy, Debug)]
pub struct Pentasol;

impl Notation for Pentasol {
    fn name(&self) -> &'static str {
        "pentasol"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["psol", "txt"]
    }

    fn recognises(&self, bytes: &[u8]) -> bool {
        let mut lines = scan::without_mark(bytes).split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        lines.find(|line| !line.is_empty() && !line.starts_with(b"#")).is_some_and(|line| line.starts_with(b"("))
    }

    /// A game begins at its reference point, and with the comments between that and the last move before it.
    fn split<'a>(&self, bytes: &'a [u8]) -> Vec<&'a [u8]> {
        let (mut games, mut start, mut at) = (Vec::new(), 0, 0);
        let mut last_end = None;
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            at += line.len();
            let content = scan::without_mark(line).trim_ascii();
            if content.is_empty() || content.starts_with(b"#") {
                continue;
            }
            if let Some(end) = last_end.filter(|_| is_reference(content)) {
                games.push(&bytes[start..end]);
                start = end;
            }
            last_end = Some(at);
        }
        games.push(&bytes[start..]);
        games
    }

    fn read(&self, bytes: &[u8], variant: Option<Variant>) -> Result<FileContent, ReadError> {
        let parsed = parse(bytes)?;
        match (variant, parsed.variant) {
            (Some(wanted), Some(found)) if wanted != found => Err(ReadError::Variant { found, wanted }),
            (Some(variant), _) | (None, Some(variant)) => parsed.understood(&[variant]),
            (None, None) => parsed.understood(&[Variant::FiveD, Variant::FiveT]).map(noted_if_ambiguous),
        }
    }

    fn write(&self, game: &MorpionGame, provenance: &Provenance) -> Vec<u8> {
        format!("{}{}", provenance.comments(), write(game)).into_bytes()
    }
}

/// Reads a game, and finds out its variant: the one that a comment names, else 5D if the game is legal as that, else 5T.
///
/// ```
/// use nestling_morpion::{Variant, notation::pentasol};
/// let game = pentasol::read("(28,28)\n(28,24) | +2\n(29,28) - -2\n").unwrap();
/// assert_eq!((game.variant, game.moves.len()), (Variant::FiveD, 2));
///
/// let error = pentasol::read("(28,28)\n(28,24) | +2\n(28,29) | -2\n").unwrap_err();
/// assert_eq!(error.to_string(), "move 2: (28,29) | -2 overlaps line 1 (28,24) | +2");
/// ```
///
/// # Errors
///
/// When the text is not Pentasol, or the game is illegal. Any bytes may be given; none make it panic.
pub fn read(text: impl AsRef<[u8]>) -> Result<MorpionGame, ReadError> {
    Pentasol.read(text.as_ref(), None).map(|reading| reading.game)
}

/// Reads a game that is known to be of a variant, where the text leaves that open.
///
/// # Errors
///
/// As [`read`].
pub fn read_as(text: impl AsRef<[u8]>, variant: Variant) -> Result<MorpionGame, ReadError> {
    Pentasol.read(text.as_ref(), Some(variant)).map(|reading| reading.game)
}

/// Writes a game, with (28,28) as the reference point.
///
/// ```
/// use nestling_morpion::notation::pentasol;
/// let text = "# variant: 5D\n(28,28)\n(28,24) | +2\n(29,28) - -2\n";
/// assert_eq!(pentasol::write(&pentasol::read(text).unwrap()), text);
/// ```
pub fn write(game: &MorpionGame) -> String {
    let mut text = String::new();
    // Only lines that touch say by themselves which variant it is.
    let touch = || Rules::new(Variant::FiveD).certify(&game.moves).is_err();
    if game.variant != Variant::FiveT || !touch() {
        text += &format!("# variant: {}\n", game.variant);
    }
    text += &format!("({},{})\n", Reference::STANDARD.column, Reference::STANDARD.row);
    for &played in &game.moves {
        text += &Reference::STANDARD.move_text(game.variant, played);
        text.push('\n');
    }
    text
}

/// Says of a game that was taken as 5D, though the text leaves the variant open, that it is legal as 5T too.
fn noted_if_ambiguous(mut reading: FileContent) -> FileContent {
    let MorpionGame { variant, moves } = &reading.game;
    if *variant == Variant::FiveD {
        let state = |variant: Variant| match Rules::new(variant).certify(moves) {
            Ok(certificate) if certificate.terminal => "complete",
            _ => "moves are left",
        };
        let states = [Variant::FiveD, Variant::FiveT].map(|variant| format!("{variant} ({})", state(variant)));
        let note = format!(
            "the file names no variant, and the game is legal as {}: read as {variant}; add a line such as \"# variant: 5T\" to choose another",
            states.join(" and as ")
        );
        reading.note = Some(reading.note.map_or(note.clone(), |first| format!("{first}; {note}")));
    }
    reading
}

/// Reads moves that are written one by one, relative to (28,28), and replays them.
///
/// ```
/// use nestling_morpion::{Variant, notation::pentasol};
/// let error = pentasol::read_moves(Variant::FiveD, &["(28,24) | +2", "(28,29) | -2"]).unwrap_err();
/// assert_eq!(error.to_string(), "move 2: (28,29) | -2 overlaps line 1 (28,24) | +2");
/// ```
///
/// # Errors
///
/// When a text is not a move, or the move is illegal.
pub fn read_moves(variant: Variant, texts: &[impl AsRef<str>]) -> Result<Vec<Move>, Illegal> {
    let mut moves = Vec::with_capacity(texts.len());
    for (text, index) in texts.iter().map(AsRef::as_ref).zip(0..) {
        moves.push(read_move(variant, text).map_err(|reason| Illegal { index, reason })?);
    }
    Rules::new(variant).replay(&moves, Reference::STANDARD)?;
    Ok(moves)
}

/// Reads one such move, which may be legal or not.
///
/// # Errors
///
/// When the text is not a move: a message.
pub fn read_move(variant: Variant, text: &str) -> Result<Move, String> {
    let surprised = |(byte, expected, found): Mismatch| format!("byte {byte}: expected {expected}, found {found}");
    let (dot, direction, k) = parse_move(text.as_bytes()).map_err(surprised)?;
    let written = Written { line: 0, column: dot.column, row: dot.row, direction, k };
    let located = written.located(variant, Reference::STANDARD, Sign::Genuine);
    located.map_err(|_| format!("{} is on no line of this game", scan::shown(text.as_bytes(), 40)))
}

/// The meaning of k: centre = dot + k steps, or dot − k steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Genuine,
    Opposite,
}

/// A well-formed text, before anyone knows by which rules to judge it.
struct Parsed {
    variant: Option<Variant>,
    reference: Option<Reference>,
    moves: Vec<Written>,
    provenance: Provenance,
}

/// A move as it is written in some line of the text.
struct Written {
    line: usize,
    column: i32,
    row: i32,
    direction: Direction,
    k: i32,
}

fn parse(text: &[u8]) -> Result<Parsed, ReadError> {
    let mut parsed = Parsed { variant: None, reference: None, moves: Vec::new(), provenance: Provenance::default() };
    for (content, line) in scan::without_mark(text).split(|byte| *byte == b'\n').zip(1..) {
        let trimmed = content.trim_ascii();
        let syntax = |(byte, expected, found): Mismatch| ReadError::Syntax { line, byte, expected, found };
        if let Some(comment) = trimmed.strip_prefix(b"#") {
            parsed.comment(&String::from_utf8_lossy(comment));
        } else if trimmed.is_empty() {
            continue;
        } else if parsed.reference.is_none() && parsed.moves.is_empty() {
            parsed.first(line, content).map_err(syntax)?;
        } else {
            parsed.push(line, content).map_err(syntax)?;
        }
    }
    if parsed.reference.is_none() && parsed.moves.is_empty() { Err(ReadError::Empty) } else { Ok(parsed) }
}

fn parse_move(content: &[u8]) -> Result<(Reference, Direction, i32), Mismatch> {
    let mut scanner = Scanner::new(content);
    scanner.one_of(b"(", "a move \"(col,row) dir k\"")?;
    let dot = parse_pair(&mut scanner)?;
    let direction = Direction::ALL[scanner.one_of(&SYMBOLS, "a direction - | \\ / in \"(col,row) dir k\"")?];
    let k = scanner.number("the number k in \"(col,row) dir k\"")?;
    scanner.end()?;
    Ok((dot, direction, k))
}

/// Whether a line is a reference point and nothing else.
fn is_reference(content: &[u8]) -> bool {
    let mut scanner = Scanner::new(content);
    scanner.one_of(b"(", "").and_then(|_| parse_pair(&mut scanner)).and_then(|_| scanner.end()).is_ok()
}

/// The rest of a column and a row in brackets.
fn parse_pair(scanner: &mut Scanner<'_>) -> Result<Reference, Mismatch> {
    let column = scanner.number("a column number of at most 9 digits")?;
    scanner.one_of(b",", "\",\" and a row number")?;
    let row = scanner.number("a row number of at most 9 digits")?;
    scanner.one_of(b")", "\")\"")?;
    Ok(Reference { column, row })
}

impl Parsed {
    /// A comment `variant: 4T`, or a part of the provenance. Other comments are ignored.
    fn comment(&mut self, comment: &str) {
        match comment.trim().strip_prefix("variant:") {
            Some(name) => self.variant = self.variant.or_else(|| name.trim().parse().ok()),
            None => {
                self.provenance.read_comment(comment);
            }
        }
    }

    /// The first line: the reference point, or a move if there is none.
    fn first(&mut self, line: usize, content: &[u8]) -> Result<(), Mismatch> {
        let mut scanner = Scanner::new(content);
        scanner.one_of(b"(", "the reference point, like (28,28)")?;
        let pair = parse_pair(&mut scanner)?;
        if scanner.end().is_err() {
            return self.push(line, content);
        }
        self.reference = Some(pair);
        Ok(())
    }

    fn push(&mut self, line: usize, content: &[u8]) -> Result<(), Mismatch> {
        let (dot, direction, k) = parse_move(content)?;
        self.moves.push(Written { line, column: dot.column, row: dot.row, direction, k });
        Ok(())
    }

    /// The first reading that is legal; else the error of the one that went furthest.
    fn understood(&self, variants: &[Variant]) -> Result<FileContent, ReadError> {
        let references = self.references(variants[0]);
        let mut furthest: Option<ReadError> = None;
        for (&reference, sign) in references.iter().flat_map(|point| [(point, Sign::Genuine), (point, Sign::Opposite)])
        {
            // Between equals the genuine reading counts, and of its variants the last, which allows most.
            let is_genuine = sign == Sign::Genuine && reference == references[0];
            for &variant in variants {
                let error = match self.replay(variant, reference, sign) {
                    Ok(game) => {
                        let note = self.note(reference, sign);
                        return Ok(FileContent { game, provenance: self.provenance.clone(), note });
                    }
                    Err(error) => error,
                };
                let gain = furthest.as_ref().map_or(Ordering::Greater, |best| progress(&error).cmp(&progress(best)));
                if gain.is_gt() || gain.is_eq() && is_genuine {
                    furthest = Some(error);
                }
            }
        }
        Err(furthest.expect("there is always the genuine reading"))
    }

    /// The reference point of the text, or those that make its first move a possible one.
    fn references(&self, variant: Variant) -> Vec<Reference> {
        if let Some(reference) = self.reference {
            return vec![reference];
        }
        let mut references = vec![Reference::STANDARD];
        let mut starts = Vec::new();
        Rules::new(variant).legal_moves(&mut starts);
        let first = self.moves.first().expect("a text without a reference point has a move");
        for start in starts.iter().filter(|start| start.line.direction == first.direction) {
            let reference = Reference::for_cell(variant, start.dot(), first.column, first.row);
            if !references.contains(&reference) {
                references.push(reference);
            }
        }
        references
    }

    fn note(&self, reference: Reference, sign: Sign) -> Option<String> {
        let Reference { column, row } = reference;
        let point = format!("there is no reference point; the moves fit ({column},{row})");
        let opposite = "k has the opposite sign: the game is legal only with it";
        match (self.reference, sign) {
            (Some(_), Sign::Genuine) => None,
            (None, Sign::Genuine) => Some(point),
            (Some(_), Sign::Opposite) => Some(opposite.to_owned()),
            (None, Sign::Opposite) => Some(format!("{opposite}; {point}")),
        }
    }

    fn replay(&self, variant: Variant, reference: Reference, sign: Sign) -> Result<MorpionGame, ReadError> {
        let located = self.moves.iter().map(|written| written.located(variant, reference, sign));
        let moves = located.collect::<Result<Vec<Move>, _>>()?;
        let replayed = Rules::new(variant).replay(&moves, reference);
        replayed.map_err(|mut illegal| {
            if sign == Sign::Opposite {
                illegal.reason += "; k read with the opposite sign";
            }
            ReadError::Illegal { line: self.moves[illegal.index].line, illegal }
        })?;
        Ok(MorpionGame { variant, moves })
    }
}

/// How many moves were legal before the error.
fn progress(error: &ReadError) -> usize {
    if let ReadError::Illegal { illegal, .. } = error { illegal.index } else { 0 }
}

impl Written {
    /// The move on the lattice. Whether it is legal is for the rules to say.
    fn located(&self, variant: Variant, reference: Reference, sign: Sign) -> Result<Move, ReadError> {
        let &Written { line, column, row, direction, k } = self;
        let steps = if sign == Sign::Genuine { k } else { -k };
        let hole = u8::try_from(centre(variant) - steps).ok().filter(|hole| usize::from(*hole) < variant.line_length());
        let hole = hole.ok_or(ReadError::Offset { line, k, largest: centre(variant), variant })?;
        let dot = reference.cell(variant, column, row).ok_or(ReadError::OutOfReach { line, column, row })?;
        Ok(Move { line: Line { start: dot.along(direction, -i16::from(hole)), direction }, hole })
    }
}
