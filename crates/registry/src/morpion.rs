//! Morpion Solitaire's own formats, and those of other programs.

use nestling::{Certified, Problem};
use nestling_morpion::notation::{self, FileContent, Import, Notation, pentasol};
use nestling_morpion::{Board, MorpionGame, Move, Variant};
use nestling_presentation::Picture;

use crate::format::{Format, GameFile, ReadError, WriteError};
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

    fn split<'a>(&self, bytes: &'a [u8]) -> Vec<&'a [u8]> {
        self.0.split(bytes)
    }

    fn read(&self, bytes: &[u8], wanted: Option<&str>) -> Result<GameFile, ReadError> {
        self.0.read(bytes, wanted.and_then(variant)).map(sheet).map_err(unreadable)
    }

    fn write(&self, sheet: &GameFile, game: &Certified, _: &dyn Instance, _: &Picture) -> Result<Vec<u8>, WriteError> {
        let unsuitable = || WriteError::Unsuitable { problem: sheet.problem.clone(), format: self.name() };
        let variant = variant(&sheet.problem).ok_or_else(unsuitable)?;
        let moves = match game.moves_of::<Move>() {
            Some(moves) => moves.to_vec(),
            None => pentasol::read_moves(variant, &sheet.moves)?,
        };
        Ok(self.0.write(&MorpionGame { variant, moves }, &sheet.provenance))
    }
}

/// Files of other programs, which are only read.
pub(crate) struct Imported(pub Import);

impl Format for Imported {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn suits(&self, _: &dyn Instance) -> bool {
        false
    }

    fn recognises(&self, bytes: &[u8]) -> bool {
        self.0.recognises(bytes)
    }

    fn read(&self, bytes: &[u8], wanted: Option<&str>) -> Result<GameFile, ReadError> {
        self.0.read(bytes, wanted.and_then(variant)).map(sheet).map_err(unreadable)
    }

    fn write(&self, sheet: &GameFile, _: &Certified, _: &dyn Instance, _: &Picture) -> Result<Vec<u8>, WriteError> {
        Err(WriteError::Unsuitable { problem: sheet.problem.clone(), format: self.name() })
    }
}

fn sheet(reading: FileContent) -> GameFile {
    let MorpionGame { variant, moves } = reading.game;
    GameFile {
        problem: name(variant).to_owned(),
        moves: Board::new(variant).texts(&moves),
        score: None,
        provenance: reading.provenance,
        notes: reading.note.into_iter().collect(),
    }
}

fn unreadable(error: notation::ReadError) -> ReadError {
    match error {
        notation::ReadError::Illegal { illegal, .. } => ReadError::Illegal(illegal),
        notation::ReadError::Variant { found, wanted } => {
            ReadError::Unreadable(format!("a game of {}, not of {}", name(found), name(wanted)))
        }
        other => ReadError::unreadable(other.to_string()),
    }
}
