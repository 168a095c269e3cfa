//! Morpion Solitaire as people see it.

use nestling_morpion::notation::pentasol;
use nestling_morpion::{Board, DrawOptions, Game, Move, Variant, draw};

use crate::exhibit::{Canvas, Exhibit, Record};
use crate::game::ReadError;

/// The name of a variant in the registry.
pub(crate) fn name(variant: Variant) -> &'static str {
    match variant {
        Variant::FiveT => "morpion-5t",
        Variant::FiveD => "morpion-5d",
        Variant::FourT => "morpion-4t",
        Variant::FourD => "morpion-4d",
    }
}

/// The variant of a Pentasol file, if it is one.
pub(crate) fn recognise(bytes: &[u8]) -> Result<Variant, ReadError> {
    pentasol::read(bytes).map(|game| game.variant).map_err(read_error)
}

fn read_error(error: pentasol::ReadError) -> ReadError {
    match error {
        pentasol::ReadError::Illegal { illegal, .. } => ReadError::Illegal(illegal),
        other => ReadError::Unreadable(other.to_string()),
    }
}

impl Exhibit for Board {
    fn draw(&self, moves: &[Move], canvas: Canvas) -> String {
        let options = DrawOptions { width: canvas.width, ascii: false, color: canvas.color };
        draw(self.variant(), moves, &options)
    }

    fn record(&self) -> Option<Record> {
        let (record, bound) = (self.variant().record(), self.variant().bound());
        let proven = record.moves == bound.moves;
        Some(Record { score: f64::from(record.moves), holder: record.source.to_owned(), proven })
    }

    fn unit(&self) -> Option<&'static str> {
        Some("moves")
    }

    fn write(&self, _: &str, moves: &[Move]) -> String {
        pentasol::write(&Game { variant: self.variant(), moves: moves.to_vec() })
    }

    fn read(&self, bytes: &[u8]) -> Result<Vec<Move>, ReadError> {
        pentasol::read_as(bytes, self.variant()).map(|game| game.moves).map_err(read_error)
    }
}
