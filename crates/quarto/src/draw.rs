//! Positions as pictures for the terminal, in which pieces can be told apart without colour: tall pieces have two rows,
//! square ones have brackets, dark ones are filled, and hollow ones have a hole.

use std::fmt::Write;

use crate::piece::{Cell, Cells, Piece, Trait};
use crate::position::Position;

/// A picture of a position: the board, the pieces left beside it, the piece in hand below, or the lines that have won, which
/// are marked on the board too. It fits in 80 columns, and every row ends with a line break.
///
/// ```
/// let game: nestling_quarto::Transcript = "DTQF a1 DSRH b2 DTRH c3 DSQH d4".parse().unwrap();
/// let picture = nestling_quarto::draw(&game.position(), true);
/// assert_eq!(format!("\n{picture}"), "
///      a       b       c       d
///  +-------+-------+-------+-------+
/// 1|>[###]<|       |       |       |
///  |>[###]<|       |       |       |     ( o )    (   )    [ o ]    [   ]
///  +-------+-------+-------+-------+     LSRH     LSRF     LSQH     LSQF
/// 2|       |>     <|       |       |     ( o )    (   )    [ o ]    [   ]
///  |       |>(#o#)<|       |       |     (   )    (   )    [   ]    [   ]
///  +-------+-------+-------+-------+     LTRH     LTRF     LTQH     LTQF
/// 3|       |       |>(#o#)<|       |
///  |       |       |>(###)<|       |              (###)             [###]
///  +-------+-------+-------+-------+              DSRF              DSQF
/// 4|       |       |       |>     <|              (###)    [#o#]
///  |       |       |       |>[#o#]<|              (###)    [###]
///  +-------+-------+-------+-------+              DTRF     DTQH
/// a1 b2 c3 d4: all dark
/// ");
/// ```
pub fn draw(position: &Position, ascii: bool) -> String {
    let won = position.won_lines().into_iter().fold(0, |cells, (line, _)| cells | line.bits());
    let mut rows = vec![String::from("     a       b       c       d"), rule("┌┬┐")];
    for row in 0..4 {
        for half in 0..2 {
            let mut text = if half == 0 { format!("{}│", row + 1) } else { String::from(" │") };
            for cell in Cell::ALL.iter().filter(|cell| cell.row() == row) {
                let inside = position.at(cell).map_or_else(|| " ".repeat(5), |piece| half_of(piece, half));
                let [left, right] = if Cells::from_bits(won).contains(cell) { ['>', '<'] } else { [' ', ' '] };
                let _ = write!(text, "{left}{inside}{right}│");
            }
            rows.push(text);
        }
        rows.push(if row < 3 { rule("├┼┤") } else { rule("└┴┘") });
    }
    beside(&mut rows, position);
    below(&mut rows, position);
    let picture: String = rows.iter().flat_map(|row| [row.trim_end(), "\n"]).collect();
    if ascii { picture.chars().map(in_ascii).collect() } else { picture }
}

/// The lines that have won, each with what its pieces share: `a1 b2 c3 d4: all dark and hollow`.
pub fn won_text(position: &Position) -> Vec<String> {
    let describe = |(cells, traits): (Cells, Vec<Trait>)| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.to_string()).collect();
        let traits: Vec<&str> = traits.into_iter().map(Trait::name).collect();
        format!("{}: all {}", cells.join(" "), traits.join(" and "))
    };
    position.won_lines().into_iter().map(describe).collect()
}

/// A rule across the board, from its left, inner and right corners.
fn rule(corners: &str) -> String {
    let [left, inner, right] = [0, 1, 2].map(|index| corners.chars().nth(index).unwrap_or_default().to_string());
    format!(" {left}{}{right}", ["───────"; 4].join(&inner))
}

/// The upper or lower half of a piece, five columns wide.
fn half_of(piece: Piece, half: usize) -> String {
    let [is_dark, is_tall, is_square, is_flat] = piece.attributes();
    let is_top = half == usize::from(!is_tall);
    if half == 0 && !is_tall {
        return " ".repeat(5);
    }
    let body = if is_dark { '█' } else { ' ' };
    let middle = if is_top && !is_flat { '○' } else { body };
    let [left, right] = if is_square { ['[', ']'] } else { ['(', ')'] };
    [left, body, middle, body, right].into_iter().collect()
}

/// Adds the pieces left, four in a row and each in its own place, with their names.
fn beside(rows: &mut [String], position: &Position) {
    for (index, row) in rows.iter_mut().skip(2).take(12).enumerate() {
        *row += "   ";
        for piece in Piece::ALL.iter().skip(4 * (index / 3)).take(4) {
            let text = match index % 3 {
                _ if !position.left().contains(piece) => " ".repeat(5),
                2 => piece.to_string(),
                half => half_of(piece, half),
            };
            let _ = write!(row, "  {text:<7}");
        }
    }
}

/// Adds the piece in hand, or how the game was won.
fn below(rows: &mut Vec<String>, position: &Position) {
    if let Some(piece) = position.hand() {
        rows.push(format!("in hand:  {}", half_of(piece, 0)));
        rows.push(format!("          {}  {piece}", half_of(piece, 1)));
    }
    rows.extend(won_text(position));
}

fn in_ascii(character: char) -> char {
    match character {
        '█' => '#',
        '○' => 'o',
        '─' => '-',
        '│' => '|',
        '┌' | '┬' | '┐' | '├' | '┼' | '┤' | '└' | '┴' | '┘' => '+',
        other => other,
    }
}
