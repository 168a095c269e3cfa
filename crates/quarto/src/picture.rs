//! Positions of Quarto as pictures: the board with the pieces as they stand on it, those that are left and the one in hand beside it.

use nestling::Ending;
use nestling_presentation::{Colours, Picture, Sheet};

use crate::{Cell, Move, Piece, Position, won_text};

/// The side of a cell, and where the board begins below and behind its names.
const CELL: f64 = 110.0;
const BOARD: f64 = 26.0;

/// Where the pieces that are left begin, and the room for each.
const BESIDE: f64 = BOARD + 4.0 * CELL + 44.0;
const SMALL: (f64, f64) = (58.0, 82.0);

/// Where a piece stands in its room, 100 by 124 before it is scaled.
const MIDDLE: f64 = 50.0;
const FOOT: f64 = 102.0;

/// The colours of a piece.
struct PieceColours {
    name: &'static str,
    top: &'static str,
    left: &'static str,
    right: &'static str,
    hole: &'static str,
    edge: &'static str,
}

/// Light and dark wood; for print, white and grey.
fn woods(colours: Colours) -> [PieceColours; 2] {
    let wood =
        |name, [top, left, right, hole, edge]: [&'static str; 5]| PieceColours { name, top, left, right, hole, edge };
    if colours == Colours::PRINT {
        return [
            wood("light", ["#fff", "#fff", "#e8e8e8", "#999", "#000"]),
            wood("dark", ["#777", "#666", "#444", "#000", "#000"]),
        ];
    }
    let dark_edge = if colours == Colours::DARK { "#b98a66" } else { "#341d12" };
    [
        wood("light", ["#f7e3ba", "#ecce98", "#d9b375", "#7d5a2c", "#a17f49"]),
        wood("dark", ["#8a5a3a", "#68402a", "#4d2d1d", "#27150c", dark_edge]),
    ]
}

/// The position after some moves.
pub(crate) fn svg(start: &Position, moves: &[Move], picture: &Picture) -> String {
    let (moves, colours) = (picture.shown(moves), picture.theme.colours());
    let mut position = *start;
    moves.iter().for_each(|&played| position.play(played));
    let won = won_text(&position);
    let height = BOARD + 4.0 * CELL + if won.is_empty() { 0.0 } else { 34.0 };
    let mut sheet = Sheet::new(BESIDE + 4.0 * SMALL.0, height, &title(&position), picture);
    let woods = woods(colours);
    for PieceColours { name, left, top, right, .. } in &woods {
        sheet.put(format_args!(
            "<linearGradient id=\"quarto-{name}\"><stop stop-color=\"{left}\"/><stop offset=\"0.3\" stop-color=\"{top}\"/>\
             <stop offset=\"1\" stop-color=\"{right}\"/></linearGradient>\n"
        ));
    }
    board(&mut sheet, &position, moves, colours);
    for cell in Cell::ALL.iter() {
        if let Some(piece) = position.at(cell) {
            let (x, y) = corner(cell);
            draw(&mut sheet, piece, (x + 15.0, y + 6.0), 0.8, &woods);
        }
    }
    beside(&mut sheet, &position, &woods);
    if !won.is_empty() {
        sheet.text((BOARD, height - 6.0), 18, "start", &won.join("; "));
    }
    sheet.finished()
}

/// A description of the position.
fn title(position: &Position) -> String {
    match position.ending() {
        Some(Ending::Win(player)) => format!("Quarto: the {player} player wins"),
        Some(Ending::Draw) => "Quarto: a draw".to_owned(),
        None => {
            let task = if position.hand().is_some() { "places" } else { "gives" };
            format!("Quarto: the {} player {task} a piece", position.turn())
        }
    }
}

/// The upper left corner of a cell.
fn corner(cell: Cell) -> (f64, f64) {
    (BOARD + cell.column() as f64 * CELL, BOARD + cell.row() as f64 * CELL)
}

/// The cells with their names, those of a line that has won marked, and in which order they were filled.
fn board(sheet: &mut Sheet, position: &Position, moves: &[Move], colours: Colours) {
    let Colours { grid, faint, accent, .. } = colours;
    let won: Vec<Cell> = position.won_lines().iter().flat_map(|(cells, _)| cells.iter()).collect();
    let placed: Vec<Cell> =
        moves.iter().filter_map(|&played| if let Move::Place(cell) = played { Some(cell) } else { None }).collect();
    for (index, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let middle = BOARD + (index as f64 + 0.5) * CELL;
        sheet.text((middle, 16.0), 18, "middle", name);
        sheet.text((6.0, middle + 6.0), 18, "middle", &(index + 1).to_string());
    }
    for cell in Cell::ALL.iter() {
        let (x, y) = corner(cell);
        let (stroke, width) = if won.contains(&cell) { (accent, 4) } else { (faint, 1) };
        sheet.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"{grid}\" stroke=\"{stroke}\" stroke-width=\"{width}\"/>\n",
            x + 3.0, y + 3.0, CELL - 6.0, CELL - 6.0
        ));
        if let Some(number) = placed.iter().position(|&other| other == cell) {
            sheet.put(format_args!(
                "<text x=\"{}\" y=\"{}\" font-size=\"13\" fill=\"{faint}\">{}</text>\n",
                x + 9.0,
                y + 18.0,
                number + 1
            ));
        }
    }
}

/// The pieces left, each in its own place, and the one in hand.
fn beside(sheet: &mut Sheet, position: &Position, woods: &[PieceColours; 2]) {
    for (index, piece) in Piece::ALL.iter().enumerate().filter(|(_, piece)| position.left().contains(*piece)) {
        let place = (BESIDE + (index % 4) as f64 * SMALL.0, BOARD + (index / 4) as f64 * SMALL.1);
        draw(sheet, piece, place, 0.5, woods);
        sheet.text((place.0 + 25.0, place.1 + 74.0), 12, "middle", &piece.to_string());
    }
    if let Some(piece) = position.hand() {
        let y = BOARD + 4.0 * SMALL.1;
        sheet.text((BESIDE, y + 60.0), 18, "start", &format!("in hand: {piece}"));
        draw(sheet, piece, (BESIDE + 130.0, y), 0.85, woods);
    }
}

/// A piece with its upper left corner here: light or dark, tall or short, square or round, with a hole or without.
fn draw(sheet: &mut Sheet, piece: Piece, (x, y): (f64, f64), scale: f64, woods: &[PieceColours; 2]) {
    let [is_dark, is_tall, is_square, is_flat] = piece.attributes();
    let wood = &woods[usize::from(is_dark)];
    let top = if is_tall { 34.0 } else { 70.0 };
    sheet.put(format_args!(
        "<g transform=\"translate({x:.1} {y:.1}) scale({scale})\" stroke=\"{}\" stroke-width=\"1.6\" stroke-linejoin=\"round\">\n",
        wood.edge
    ));
    let holes = if is_flat { &[][..] } else { &[(0.56, wood.hole)] };
    let roofs = [(1.0, wood.top)].iter().chain(holes).copied().collect::<Vec<_>>();
    if is_square {
        cuboid(sheet, top, wood, &roofs)
    } else {
        drum(sheet, top, wood, &roofs)
    }
    sheet.put(format_args!("</g>\n"));
}

/// The sides and the roofs, each with its share of the width, of a square piece.
fn cuboid(sheet: &mut Sheet, top: f64, wood: &PieceColours, roofs: &[(f64, &str)]) {
    let (wide, deep) = (36.0, 17.0);
    for (edge, colour) in [(MIDDLE - wide, wood.left), (MIDDLE + wide, wood.right)] {
        let (front, below) = (top + deep, FOOT + deep);
        sheet.put(format_args!(
            "<polygon points=\"{edge},{top} {MIDDLE},{front} {MIDDLE},{below} {edge},{FOOT}\" fill=\"{colour}\"/>\n"
        ));
    }
    for &(share, colour) in roofs {
        let (wide, deep) = (wide * share, deep * share);
        let (left, back, right, front) = (MIDDLE - wide, top - deep, MIDDLE + wide, top + deep);
        sheet.put(format_args!(
            "<polygon points=\"{left:.2},{top} {MIDDLE},{back:.2} {right:.2},{top} {MIDDLE},{front:.2}\" fill=\"{colour}\"/>\n"
        ));
    }
}

/// The side and the roofs of a round piece.
fn drum(sheet: &mut Sheet, top: f64, wood: &PieceColours, roofs: &[(f64, &str)]) {
    let (wide, deep) = (33.0, 15.5);
    let (left, right) = (MIDDLE - wide, MIDDLE + wide);
    sheet.put(format_args!(
        "<path d=\"M{left} {top}V{FOOT}A{wide} {deep} 0 0 0 {right} {FOOT}V{top}z\" fill=\"url(#quarto-{})\"/>\n",
        wood.name
    ));
    for &(share, colour) in roofs {
        let (wide, deep) = (wide * share, deep * share);
        sheet.put(format_args!(
            "<ellipse cx=\"{MIDDLE}\" cy=\"{top}\" rx=\"{wide:.2}\" ry=\"{deep:.2}\" fill=\"{colour}\"/>\n"
        ));
    }
}
