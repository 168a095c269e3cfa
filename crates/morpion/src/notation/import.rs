//! JSON of other programs, which can be read but is not written.
//!
//! PyMorpionSolitaire: `LineLength` (the steps of a line, so 4 for five dots), `Disjoint`, `InitialDots` as `[x, y]`, and `Moves` as
//! `[x1, y1, x2, y2, x, y]`: the ends of the line and the new dot. Older files count three units to a step.
//!
//! MorpionSolitaire for .NET, by the same author: `SegmentLength`, `NoTouchingRule`, and `Grid`, a list of steps with `Elements`: dots
//! for the cross, then a line and a dot for every move.

use nestling::Provenance;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{FileContent, MorpionGame, ReadError, Reference, scan};
use crate::geometry::{Cell, Direction, Line, Move};
use crate::rules::Rules;
use crate::variant::Variant;

/// A program whose files can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Import {
    /// PyMorpionSolitaire, a Python module.
    PyMorpionSolitaire,
    /// MorpionSolitaire, a program for .NET.
    MorpionSolitaireNet,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct PyFile {
    line_length: i64,
    disjoint: bool,
    initial_dots: Vec<ImportedPoint>,
    moves: Vec<[i32; 6]>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct NetFile {
    segment_length: i64,
    no_touching_rule: bool,
    grid: Vec<NetAction>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct NetAction {
    elements: Vec<NetElement>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct NetElement {
    r#type: String,
    coordinates: Vec<NetPoint>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct NetPoint {
    x: i32,
    y: i32,
}

/// A column and a row, from wherever the program counts.
type ImportedPoint = [i32; 2];

/// The common content of the files.
struct Drawn {
    /// From one end of a line to the other.
    steps: i64,
    disjoint: bool,
    dots: Vec<ImportedPoint>,
    /// The ends of the line and the new dot.
    moves: Vec<[ImportedPoint; 3]>,
}

impl Import {
    /// All of them.
    pub const ALL: [Import; 2] = [Import::PyMorpionSolitaire, Import::MorpionSolitaireNet];

    /// A name for its format.
    pub fn name(self) -> &'static str {
        match self {
            Import::PyMorpionSolitaire => "pymorpionsolitaire",
            Import::MorpionSolitaireNet => "morpionsolitaire-net",
        }
    }

    /// The program, as people call it.
    fn program(self) -> &'static str {
        match self {
            Import::PyMorpionSolitaire => "PyMorpionSolitaire",
            Import::MorpionSolitaireNet => "MorpionSolitaire for .NET",
        }
    }

    /// Whether a file looks like one of this program.
    pub fn recognises(self, bytes: &[u8]) -> bool {
        #[derive(Deserialize)]
        #[serde(rename_all = "PascalCase")]
        struct Probe {
            initial_dots: Option<IgnoredAny>,
            segment_length: Option<IgnoredAny>,
        }
        let text = scan::without_mark(bytes).trim_ascii_start();
        let Ok(probe) = serde_json::from_slice::<Probe>(text) else { return false };
        match self {
            Import::PyMorpionSolitaire => text.starts_with(b"{") && probe.initial_dots.is_some(),
            Import::MorpionSolitaireNet => text.starts_with(b"{") && probe.segment_length.is_some(),
        }
    }

    /// Reads a legal game; `wanted` must not contradict the file.
    ///
    /// # Errors
    ///
    /// When the bytes are no such file, the game does not start from the cross, or it is illegal. Any bytes may be given; none make
    /// it panic.
    pub fn read(self, bytes: &[u8], wanted: Option<Variant>) -> Result<FileContent, ReadError> {
        let refused = |reason: String| {
            let reason = scan::shown(reason.as_bytes(), 160);
            ReadError::Record(format!("looks like a file of {}, but {reason}", self.program()))
        };
        let text = scan::without_mark(bytes);
        let drawn = match self {
            Import::PyMorpionSolitaire => {
                serde_json::from_slice(text).map_err(|error| error.to_string()).map(PyFile::drawn)
            }
            Import::MorpionSolitaireNet => {
                serde_json::from_slice(text).map_err(|error| error.to_string()).and_then(NetFile::drawn)
            }
        };
        let game = drawn.and_then(|drawn| drawn.game()).map_err(refused)?;
        let MorpionGame { variant: found, moves } = &game;
        if let Some(wanted) = wanted.filter(|wanted| wanted != found) {
            return Err(ReadError::Variant { found: *found, wanted });
        }
        let replayed = Rules::new(*found).replay(moves, Reference::STANDARD);
        replayed.map_err(|illegal| ReadError::Illegal { line: 0, illegal })?;
        Ok(FileContent { game, provenance: Provenance::default(), note: None })
    }
}

impl PyFile {
    fn drawn(self) -> Drawn {
        let moves = self.moves.into_iter().map(|[a, b, c, d, x, y]| [[a, b], [c, d], [x, y]]);
        Drawn { steps: self.line_length, disjoint: self.disjoint, dots: self.initial_dots, moves: moves.collect() }
    }
}

impl NetFile {
    fn drawn(self) -> Result<Drawn, String> {
        let (mut dots, mut moves) = (Vec::new(), Vec::new());
        for (number, action) in self.grid.into_iter().enumerate() {
            let points = |kind: &str| -> Vec<ImportedPoint> {
                let elements = action.elements.iter().filter(|element| element.r#type.eq_ignore_ascii_case(kind));
                elements.flat_map(|element| &element.coordinates).map(|point| [point.x, point.y]).collect()
            };
            match (&points("line")[..], &points("dot")[..]) {
                ([], cross) if moves.is_empty() => dots.extend(cross),
                (&[one, other], &[dot]) => moves.push([one, other, dot]),
                _ => return Err(format!("step {} of the grid is not a line with one new dot", number + 1)),
            }
        }
        Ok(Drawn { steps: self.segment_length, disjoint: self.no_touching_rule, dots, moves })
    }
}

impl Drawn {
    fn game(&self) -> Result<MorpionGame, String> {
        let variant = match (self.steps, self.disjoint) {
            (4, false) => Variant::FiveT,
            (4, true) => Variant::FiveD,
            (3, false) => Variant::FourT,
            (3, true) => Variant::FourD,
            (steps, _) => {
                return Err(format!("its lines have {steps} steps; 4 (five dots) or 3 (four dots) can be read"));
            }
        };
        let lattice = Lattice::new(&self.dots, variant)?;
        let moves = self.moves.iter().zip(1..).map(|(points, number): (_, usize)| {
            let [[a, b], [c, d], [x, y]] = *points;
            lattice.located(variant, points).ok_or_else(|| {
                let dots = variant.line_length();
                format!(
                    "move {number}: from ({a},{b}) to ({c},{d}) with the dot ({x},{y}) is not a line of {dots} dots"
                )
            })
        });
        Ok(MorpionGame { variant, moves: moves.collect::<Result<_, _>>()? })
    }
}

/// Where the program's lattice begins, seen from ours, and how long its steps are.
struct Lattice {
    left: i64,
    top: i64,
    step: i64,
}

impl Lattice {
    /// Finds the cross among the dots of the start.
    fn new(dots: &[ImportedPoint], variant: Variant) -> Result<Self, String> {
        let mut cross = variant.cross();
        let refused = || format!("it does not start from the cross of {} dots", variant.cross().len());
        let side = |axis: usize| dots.iter().map(move |dot| i64::from(dot[axis]));
        let (Some(left), Some(right), Some(top)) = (side(0).min(), side(0).max(), side(1).min()) else {
            return Err(refused());
        };
        let steps = i64::from(cross.iter().map(|cell| cell.x).max().unwrap_or(0));
        let lattice = Lattice { left, top, step: ((right - left) / steps).max(1) };
        let mut found = dots.iter().filter_map(|&dot| lattice.cell(dot)).collect::<Vec<Cell>>();
        cross.sort_unstable();
        found.sort_unstable();
        if found == cross && dots.len() == cross.len() { Ok(lattice) } else { Err(refused()) }
    }

    /// The cell of a point; `None` where there is none, or no game can reach.
    fn cell(&self, [x, y]: ImportedPoint) -> Option<Cell> {
        let coordinate = |at: i32, start: i64| {
            let steps = i64::from(at) - start;
            i16::try_from(steps / self.step)
                .ok()
                .filter(|cells| steps % self.step == 0 && cells.unsigned_abs() < 16_000)
        };
        Some(Cell { x: coordinate(x, self.left)?, y: coordinate(y, self.top)? })
    }

    fn located(&self, variant: Variant, &[one, other, dot]: &[ImportedPoint; 3]) -> Option<Move> {
        let (one, other, dot) = (self.cell(one)?, self.cell(other)?, self.cell(dot)?);
        let steps = variant.line_length() as i16 - 1;
        let ends = [(one, other), (other, one)].into_iter();
        let mut lines = ends.flat_map(|ends| Direction::ALL.map(|direction| (ends, direction)));
        let ((start, _), direction) = lines.find(|((start, end), direction)| start.along(*direction, steps) == *end)?;
        let hole = (0..=steps).find(|&hole| start.along(direction, hole) == dot)?;
        Some(Move { line: Line { start, direction }, hole: hole as u8 })
    }
}
