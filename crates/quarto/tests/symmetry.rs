//! Symmetries: the groups, the classes, and the numbers of boards, which would be wrong if positions were merged that
//! differ or kept apart that are the same.

use std::collections::HashMap;

use crate::common::random_position;
use nestling::Stream;
use nestling_quarto::{Cell, Piece, Position, Variant};

/// Four cells each.
fn lines(variant: Variant) -> Vec<u16> {
    let rows = (0..4).map(|row| 0xF << (4 * row));
    let columns = (0..4).map(|column| 0x1111 << column);
    let squares = [0, 1, 2, 4, 5, 6, 8, 9, 10].map(|corner| 0x33 << corner);
    let squares = if variant == Variant::Squares { &squares[..] } else { &[] };
    rows.chain(columns).chain([0x8421, 0x1248]).chain(squares.iter().copied()).collect()
}

/// All permutations of cells that take lines to lines, found by trying: cell by cell, as long as full lines are lines.
fn board_symmetries(variant: Variant) -> Vec<[usize; 16]> {
    fn extend(lines: &[u16], images: &mut Vec<usize>, found: &mut Vec<[usize; 16]>) {
        if let Ok(whole) = <[usize; 16]>::try_from(&images[..]) {
            found.push(whole);
            return;
        }
        for image in 0..16 {
            if images.contains(&image) {
                continue;
            }
            images.push(image);
            let known = (1_u32 << images.len()) - 1;
            let image_of =
                |line: u16| (0..16).filter(|cell| line >> cell & 1 == 1).fold(0, |m, cell| m | 1 << images[cell]);
            if lines.iter().all(|&line| u32::from(line) & !known != 0 || lines.contains(&image_of(line))) {
                extend(lines, images, found);
            }
            images.pop();
        }
    }
    let mut found = Vec::new();
    extend(&lines(variant), &mut Vec::new(), &mut found);
    found
}

/// The 384 permutations of pieces: attributes exchanged, then some turned around.
fn piece_symmetries() -> Vec<[usize; 16]> {
    let orders = (0..256).map(|code| [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6]);
    let orders: Vec<[usize; 4]> = orders.filter(|order| (0..4).all(|bit| order.contains(&bit))).collect();
    let exchanged =
        |order: &[usize; 4], piece: usize| (0..4).map(|bit| (piece >> order[bit] & 1) << bit).sum::<usize>();
    let all = orders.iter().flat_map(|order| (0..16).map(move |turned| (order, turned)));
    all.map(|(order, turned)| std::array::from_fn(|piece| exchanged(order, piece) ^ turned)).collect()
}

/// The image of a position.
fn image(position: &Position, cells: &[usize; 16], pieces: &[usize; 16]) -> Position {
    let piece = |piece: Piece| Piece::new(pieces[piece.index()]).unwrap();
    let mut image = Position::new(position.variant());
    for cell in Cell::ALL {
        if let Some(there) = position.at(cell) {
            image.give(piece(there));
            image.place(Cell::new(cells[cell.index()]).unwrap());
        }
    }
    if let Some(hand) = position.hand() {
        image.give(piece(hand));
    }
    image
}

#[test]
fn the_groups_are_as_large_as_they_should_be() {
    assert_eq!(board_symmetries(Variant::Lines).len(), 32);
    assert_eq!(board_symmetries(Variant::Squares).len(), 8);
    assert_eq!(piece_symmetries().len(), 384);
}

#[test]
fn images_have_the_same_representative_and_it_is_one_of_them() {
    let pieces = piece_symmetries();
    for variant in Variant::ALL {
        let cells = board_symmetries(variant);
        for seed in 0..40 {
            let position = random_position(variant, seed as usize % 12, seed % 3 > 0, seed);
            let canonical = position.canonical();
            assert_eq!(canonical.canonical(), canonical);
            let mut rng = Stream::new(seed).rng();
            for _ in 0..50 {
                let other = image(&position, &cells[rng.below(cells.len())], &pieces[rng.below(pieces.len())]);
                assert_eq!(other.canonical(), canonical, "{variant:?}, seed {seed}");
            }
            let is_image = cells.iter().any(|c| pieces.iter().any(|p| image(&position, c, p) == canonical));
            assert!(is_image, "{variant:?}, seed {seed}");
        }
    }
}

/// The classes of boards with one piece more: a representative and the number of boards of each. Also the number of
/// (piece, cell) that win, over all boards.
fn grow(classes: &HashMap<Position, u64>, placed: u64) -> (HashMap<Position, u64>, u64) {
    let (mut grown, mut wins) = (HashMap::new(), 0);
    for (board, &boards) in classes {
        for piece in board.left() {
            for cell in board.empty() {
                let mut next = *board;
                next.give(piece);
                next.place(cell);
                if next.is_won() {
                    wins += boards;
                } else {
                    *grown.entry(next.canonical()).or_insert(0) += boards;
                }
            }
        }
    }
    // Each board has been counted once for every piece that can have been the last.
    grown.values_mut().for_each(|boards| *boards /= placed + 1);
    (grown, wins)
}

fn check_counts(variant: Variant, classes: &[usize], boards: &[u64], wins_at_fourth: u64) {
    let mut level = HashMap::from([(Position::new(variant), 1)]);
    assert_eq!(classes[0], 1);
    for placed in 0..boards.len() {
        let (next, wins) = grow(&level, placed as u64);
        match placed {
            0..3 => assert_eq!(wins, 0),
            // The first three pieces can come in any order.
            3 => assert_eq!(6 * wins, wins_at_fourth, "{variant:?}: games won at the fourth placement"),
            _ => {}
        }
        level = next;
        assert_eq!(level.len(), classes[placed + 1], "{variant:?}: classes with {} pieces", placed + 1);
        assert_eq!(level.values().sum::<u64>(), boards[placed], "{variant:?}: boards with {} pieces", placed + 1);
    }
}

#[test]
fn boards_and_classes_with_lines() {
    let boards = [256, 28_800, 1_881_600, 79_368_960, 2_271_006_720];
    check_counts(Variant::Lines, &[1, 2, 40, 454, 10_346, 214_800], &boards, 3_087_360);
}

#[test]
fn boards_and_classes_with_squares() {
    let boards = [256, 28_800, 1_881_600, 79_253_184];
    check_counts(Variant::Squares, &[1, 3, 84, 1_586, 39_055], &boards, 5_865_984);
}
