//! Morpion Solitaire as people see it.

use nestling::{Illegal, Problem};
use nestling_presentation::{Canvas, Comparison, Likeness, Picture, Presentation, Published, Record};

use crate::notation::pentasol;
use crate::{Board, DrawOptions, Figure, FigureLikeness as Alike, Move, Symmetry, compare, dots, draw, svg};

impl Presentation for Board {
    fn draw(&self, moves: &[Move], canvas: Canvas) -> String {
        let options = DrawOptions { width: canvas.width, ascii: canvas.ascii, color: canvas.color };
        draw(self.variant(), moves, &options)
    }

    fn picture(&self, moves: &[Move], picture: &Picture) -> Option<String> {
        Some(svg(self.variant(), moves, picture))
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
        let own = crate::published().into_iter().filter(|record| record.reading.game.variant == self.variant());
        own.map(|record| Published {
            id: record.id.to_owned(),
            name: record.name.to_owned(),
            date: record.date.map(str::to_owned),
            score: record.reading.game.moves.len() as f64,
            moves: self.texts(&record.reading.game.moves),
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

    /// A line has its code wherever it is drawn, and whichever of its dots is the new one.
    fn code_of(&self, text: &str) -> Result<u64, String> {
        pentasol::read_move(self.variant(), text).map(|played| self.code(played))
    }

    fn identity(&self, moves: &[Move]) -> Vec<u8> {
        Figure::new(self.variant(), moves).key()
    }

    /// The dots, whatever lines join them.
    fn family(&self, moves: &[Move]) -> Vec<u8> {
        let dots = dots(self.variant(), moves);
        dots.iter().flat_map(|dot| [dot.x.to_be_bytes(), dot.y.to_be_bytes()].concat()).collect()
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
