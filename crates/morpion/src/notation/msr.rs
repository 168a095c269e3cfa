//! MSR, the Morpion Solitaire Record format, as JSON. Its data model is that of the crate `morpion-solitaire-record`;
//! whether a game is legal is for our own rules to say.
//!
//! MSR numbers cells as we do, from the corner of the box around the cross. Of a record we keep the moves and the
//! provenance; what can be computed (score, moves left, bounding box) is computed when writing, and a score that contradicts
//! the moves is an error. MSR has no field for playouts: they follow the search in `method`.

use ::msr::{Direction as Way, Record, RecordMove, Solver};
use nestling::{Problem, Provenance};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{FileContent, MorpionGame, Notation, ReadError, Reference, scan};
use crate::board::Board;
use crate::geometry::{Cell, Direction, Line, Move};
use crate::rules::Rules;
use crate::variant::Variant;

/// How `method` ends when it tells the number of playouts.
const PLAYOUTS: &str = " playouts";

/// MSR as JSON.
#[derive(Clone, Copy, Debug)]
pub struct Msr;

impl Notation for Msr {
    fn name(&self) -> &'static str {
        "msr"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["msr"]
    }

    fn recognises(&self, bytes: &[u8]) -> bool {
        #[derive(Deserialize)]
        struct Probe {
            #[serde(rename = "variant")]
            _variant: IgnoredAny,
            problem: Option<IgnoredAny>,
        }
        let text = scan::without_mark(bytes).trim_ascii_start();
        text.starts_with(b"{") && serde_json::from_slice::<Probe>(text).is_ok_and(|probe| probe.problem.is_none())
    }

    fn read(&self, bytes: &[u8], variant: Option<Variant>) -> Result<FileContent, ReadError> {
        let text = std::str::from_utf8(scan::without_mark(bytes))
            .map_err(|error| ReadError::Record(format!("byte {}: not UTF-8 text", error.valid_up_to() + 1)))?;
        read_json(text, variant)
    }

    fn write(&self, game: &MorpionGame, provenance: &Provenance) -> Vec<u8> {
        let json = ::msr::encode_json(&record(game, provenance)).expect("a record of numbers and texts is JSON");
        format!("{json}\n").into_bytes()
    }
}

/// Reads the JSON of either form.
pub(super) fn read_json(text: &str, wanted: Option<Variant>) -> Result<FileContent, ReadError> {
    // The compact form is unpacked by us: left to the crate, a few bytes could fill the memory.
    if text.trim_start().starts_with(::msr::PREFIX) {
        return Err(ReadError::Record("byte 1: expected JSON, found the compact form".to_owned()));
    }
    let record =
        ::msr::decode(text).map_err(|error| ReadError::Record(scan::shown(error.to_string().as_bytes(), 160)))?;
    let found = variant_of(&record);
    if let Some(wanted) = wanted.filter(|&wanted| wanted != found) {
        return Err(ReadError::Variant { found, wanted });
    }
    let moves: Vec<Move> = record.moves.iter().map(move_of).collect();
    let replayed = Rules::new(found).replay(&moves, Reference::STANDARD);
    replayed.map_err(|illegal| ReadError::Illegal { line: 0, illegal })?;
    if record.score != moves.len() {
        let (claimed, played) = (record.score, moves.len());
        return Err(ReadError::Record(format!("the record claims {claimed} moves, but has {played}")));
    }
    Ok(FileContent { game: MorpionGame { variant: found, moves }, provenance: provenance_of(record), note: None })
}

fn variant_of(record: &Record) -> Variant {
    record.variant.code().parse().expect("both know the same four variants")
}

fn move_of(written: &RecordMove) -> Move {
    let direction = match written.dir {
        Way::H => Direction::Horizontal,
        Way::V => Direction::Vertical,
        Way::DN => Direction::Falling,
        Way::DP => Direction::Rising,
    };
    let dot = Cell { x: written.x, y: written.y };
    Move { line: Line { start: dot.along(direction, -i16::from(written.pos)), direction }, hole: written.pos }
}

fn provenance_of(record: Record) -> Provenance {
    let solver = record.solver;
    let method = solver.as_ref().and_then(|solver| solver.method.as_deref());
    let (search, playouts) = method.map_or((None, None), search_and_playouts);
    let provenance = Provenance {
        search,
        seed: solver.as_ref().and_then(|solver| solver.seed),
        playouts,
        nodes: solver.as_ref().and_then(|solver| solver.nodes_explored),
        seconds: solver.as_ref().and_then(|solver| solver.elapsed_secs),
        program: solver.and_then(|solver| solver.tool),
        date: record.saved_at,
        author: record.author,
        description: record.description,
        source: record.source,
        transcriber: record.transcribed_by,
        tags: record.tags,
    };
    provenance.tidied()
}

/// Parts `nrpa(3), 1000 playouts` into its two halves.
fn search_and_playouts(method: &str) -> (Option<String>, Option<u64>) {
    let count = |text: &str| text.strip_suffix(PLAYOUTS)?.parse().ok();
    match method.rsplit_once(", ") {
        Some((search, last)) if count(last).is_some() => (Some(search.to_owned()), count(last)),
        _ => match count(method) {
            Some(playouts) => (None, Some(playouts)),
            None => (Some(method.to_owned()), None),
        },
    }
}

/// A game as the crate's record.
pub(super) fn record(game: &MorpionGame, provenance: &Provenance) -> Record {
    let MorpionGame { variant, moves } = game;
    let kind = ::msr::Variant::from_code(variant.name()).expect("both know the same four variants");
    let mut record = Record::new(kind, moves.iter().map(record_move).collect());
    if let Ok(board) = Board::after(*variant, moves) {
        let mut left = Vec::new();
        board.legal_moves(&mut left);
        record.available_moves = Some(left.len());
        record.terminal = Some(left.is_empty());
    }
    record.bbox = Some(bounding_box(game));
    let known = provenance.clone();
    record.saved_at = known.date;
    record.description = known.description;
    record.author = known.author;
    record.source = known.source;
    record.transcribed_by = known.transcriber;
    record.tags = known.tags;
    let playouts = known.playouts.map(|playouts| format!("{playouts}{PLAYOUTS}"));
    let method: Vec<String> = known.search.into_iter().chain(playouts).collect();
    let solver = Solver {
        tool: known.program,
        method: (!method.is_empty()).then(|| method.join(", ")),
        seed: known.seed,
        nodes_explored: known.nodes,
        elapsed_secs: known.seconds,
    };
    record.solver = (!solver.is_empty()).then_some(solver);
    record
}

fn record_move(played: &Move) -> RecordMove {
    let dir = match played.line.direction {
        Direction::Horizontal => Way::H,
        Direction::Vertical => Way::V,
        Direction::Falling => Way::DN,
        Direction::Rising => Way::DP,
    };
    let Cell { x, y } = played.dot();
    RecordMove { x, y, dir, pos: played.hole }
}

/// The least and greatest x and y of all dots.
fn bounding_box(game: &MorpionGame) -> [i16; 4] {
    let dots = game.variant.cross().into_iter().chain(game.moves.iter().map(|played| played.dot()));
    dots.fold([i16::MAX, i16::MAX, i16::MIN, i16::MIN], |[left, top, right, bottom], Cell { x, y }| {
        [left.min(x), top.min(y), right.max(x), bottom.max(y)]
    })
}
