//! Morpion Solitaire as people see it.

use nestling::{Accelerator, Illegal, Search, Weights, texts};
use nestling_morpion::notation::{self, Notation, pentasol};
use nestling_morpion::{
    Board, DrawOptions, Figure, Game, Likeness as Alike, Move, SvgOptions, Symmetry, Variant, compare, draw, svg,
};

use crate::exhibit::{Canvas, Comparison, Exhibit, Likeness, Picture, Published, Record};
use crate::format::{Format, ReadError, Sheet, WriteError};
use crate::instance::Instance;

/// The name of a variant in the registry.
pub(crate) fn name(variant: Variant) -> &'static str {
    match variant {
        Variant::FiveT => "morpion-5t",
        Variant::FiveD => "morpion-5d",
        Variant::FourT => "morpion-4t",
        Variant::FourD => "morpion-4d",
    }
}

fn variant(name: &str) -> Option<Variant> {
    Variant::ALL.into_iter().find(|&variant| self::name(variant) == name)
}

/// The notations of Morpion Solitaire, the usual one first.
pub(crate) fn formats() -> impl Iterator<Item = Own> {
    notation::ALL.into_iter().rev().map(Own)
}

/// A notation of Morpion Solitaire as a format.
pub(crate) struct Own(&'static dyn Notation);

impl Format for Own {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.0.extensions()
    }

    fn suits(&self, problem: &dyn Instance) -> bool {
        variant(problem.name()).is_some()
    }

    fn recognises(&self, bytes: &[u8]) -> bool {
        self.0.recognises(bytes)
    }

    fn read(&self, bytes: &[u8], wanted: Option<&str>) -> Result<Sheet, ReadError> {
        let reading = self.0.read(bytes, wanted.and_then(variant)).map_err(|error| match error {
            notation::ReadError::Illegal { illegal, .. } => ReadError::Illegal(illegal),
            notation::ReadError::Variant { found, wanted } => {
                ReadError::Unreadable(format!("a game of {}, not of {}", name(found), name(wanted)))
            }
            other => ReadError::unreadable(other.to_string()),
        })?;
        let Game { variant, moves } = reading.game;
        Ok(Sheet {
            problem: name(variant).to_owned(),
            moves: texts(&Board::new(variant), &moves),
            score: None,
            provenance: reading.provenance,
            notes: reading.note.into_iter().collect(),
        })
    }

    fn write(&self, sheet: &Sheet, _: &dyn Instance, _: &Picture) -> Result<Vec<u8>, WriteError> {
        let unsuitable = || WriteError::Unsuitable { problem: sheet.problem.clone(), format: self.name() };
        let variant = variant(&sheet.problem).ok_or_else(unsuitable)?;
        let moves = pentasol::read_moves(variant, &sheet.moves)?;
        Ok(self.0.write(&Game { variant, moves }, &sheet.provenance))
    }
}

impl Exhibit for Board {
    fn draw(&self, moves: &[Move], canvas: Canvas) -> String {
        let options = DrawOptions { width: canvas.width, ascii: canvas.ascii, color: canvas.color };
        draw(self.variant(), moves, &options)
    }

    fn picture(&self, moves: &[Move], picture: &Picture) -> Option<String> {
        let Picture { width, theme, up_to, animated, caption } = picture.clone();
        Some(svg(self.variant(), moves, &SvgOptions { width, theme, up_to, animated, caption }))
    }

    fn record(&self) -> Option<Record> {
        let (record, bound) = (self.variant().record(), self.variant().bound());
        Some(Record {
            score: record.moves.into(),
            holder: record.source.to_owned(),
            proven: record.moves == bound.moves,
            bound: Some((bound.moves.into(), bound.source.to_owned())),
        })
    }

    fn published(&self) -> Vec<Published> {
        let own =
            nestling_morpion::published().into_iter().filter(|record| record.reading.game.variant == self.variant());
        own.map(|record| Published {
            id: record.id.to_owned(),
            name: record.name.to_owned(),
            date: record.date.map(str::to_owned),
            score: record.reading.game.moves.len() as f64,
            moves: texts(self, &record.reading.game.moves),
            provenance: record.reading.provenance,
        })
        .collect()
    }

    fn unit(&self) -> Option<&'static str> {
        Some("moves")
    }

    fn parse(&self, texts: &[&str]) -> Result<Vec<Move>, Illegal> {
        pentasol::read_moves(self.variant(), texts)
    }

    fn identity(&self, moves: &[Move]) -> Vec<u8> {
        Figure::new(self.variant(), moves).key()
    }

    fn gpu_check(&self, search: &Search) -> Result<(), String> {
        nestling_gpu::check(search)?;
        nestling_gpu::available().map(drop).map_err(|missing| missing.to_string())
    }

    fn gpu_open(
        &self,
        search: &Search,
        weights: &[(String, Weights)],
        seed: u64,
    ) -> Result<Box<dyn Accelerator<Move>>, String> {
        nestling_gpu::open(self, search, weights, seed).map_err(|error| error.to_string())
    }

    fn compare(&self, one: &[Move], other: &[Move]) -> Comparison {
        let words = |what: &str, symmetry: Symmetry| match symmetry {
            Symmetry::IDENTITY => what.to_owned(),
            _ => format!("{what}, {symmetry}"),
        };
        match compare(self.variant(), one, other) {
            Alike::SameGame(symmetry) => Comparison::new(Likeness::SameGame, words("the same game", symmetry)),
            Alike::SameLines(symmetry) => {
                Comparison::new(Likeness::SameMoves, words("the same lines in another order", symmetry))
            }
            Alike::SameDots(symmetry) => {
                Comparison::new(Likeness::SamePosition, words("the same dots, joined by other lines", symmetry))
            }
            Alike::Different => Comparison::new(Likeness::Different, "another game"),
        }
    }
}
