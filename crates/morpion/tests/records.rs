//! The record games, where the data is at hand.

use crate::common;

use crate::common::data;
use nestling::Problem;
use nestling_morpion::{Board, DrawOptions, Variant, draw, notation::pentasol};

const RECORDS: [(&str, Variant, usize); 4] = [
    ("morpion/5T-178-rosin.psol", Variant::FiveT, 178),
    ("morpion/5T-170-bruneau.psol", Variant::FiveT, 170),
    ("morpion/5D-82-rosin.psol", Variant::FiveD, 82),
    ("morpion/5D-80-gillioz-68245.psol", Variant::FiveD, 80),
];

#[test]
fn record_games_are_read_certified_played_and_written_back() {
    for (path, variant, score) in RECORDS {
        let Some(bytes) = data(path) else { return };
        let game = pentasol::read(&bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!((game.variant, game.moves.len()), (variant, score), "{path}");
        let certificate = Board::new(variant).certify(&game.moves).unwrap();
        assert_eq!((certificate.score, certificate.terminal), (score as f64, true), "{path}");
        let board = Board::after(variant, &game.moves).unwrap();
        assert!(common::legal(&board).is_empty(), "{path}");
        // Only lines that touch say by themselves which variant it is.
        let named = if variant == Variant::FiveD { "# variant: 5D\n" } else { "" };
        assert_eq!(pentasol::write(&game).as_bytes(), [named.as_bytes(), &bytes].concat(), "{path}");
    }
}

#[test]
fn record_games_fit_where_they_say() {
    for (path, variant, score) in RECORDS {
        let Some(bytes) = data(path) else { return };
        let game = pentasol::read(&bytes).unwrap();
        for width in [40, 80, 120] {
            let picture = draw(variant, &game.moves, &DrawOptions { width, ascii: false, color: false });
            let widest = picture.lines().map(|row| row.chars().count()).max().unwrap();
            assert!(widest <= width.max(50), "{path} at {width}");
            assert_eq!(picture.matches('●').count(), variant.cross().len(), "{path} at {width}");
            assert!(picture.contains(&score.to_string()) || picture.matches('○').count() == score, "{path} at {width}");
        }
    }
}
