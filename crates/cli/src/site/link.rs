//! Games as links, as the pages read them (`core/address.js`, `morpion/ranks.js`).

use anyhow::{Context, Result};
use nestling_registry::Instance;

/// The letters of a link, each worth six bits.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// What stands behind the `#`: the moves, and the problem.
pub(super) fn packed(problem: &dyn Instance, moves: &[String]) -> Result<String> {
    match problem.name().strip_prefix("morpion-") {
        Some(variant) => Ok(format!("{variant}~{}", ranks(problem, moves)?)),
        None => Ok(format!("{}~{}", percent(problem.name()), percent(&moves.join("\n")))),
    }
}

/// A game of Morpion Solitaire as few letters: the number of moves, two letters, and one large number. Its digits are the ranks of the moves
/// among the legal ones, the first move last; the base of each digit is how many moves are legal.
fn ranks(problem: &dyn Instance, moves: &[String]) -> Result<String> {
    let mut digits = Vec::new();
    for (index, played) in moves.iter().enumerate() {
        let before = problem.certify(&moves[..index])?;
        let mut legal = problem.legal_moves(&before)?;
        legal.sort_by_key(|text| place(text));
        let rank = legal.iter().position(|text| text == played).context("the move is legal")?;
        digits.push((rank as u32, legal.len() as u32));
    }
    let mut number = Number::default();
    for &(rank, base) in digits.iter().rev() {
        number.append(rank, base);
    }
    let count = moves.len();
    let count = [LETTERS[count >> 6 & 63], LETTERS[count & 63]];
    Ok(count.into_iter().chain(number.letters()).map(char::from).collect())
}

/// What legal moves are sorted by: row, column, direction, and where in its line the new dot is.
fn place(text: &str) -> Option<(i32, i32, usize, i32)> {
    let (cell, line) = text.strip_prefix('(')?.split_once(") ")?;
    let (column, row) = cell.split_once(',')?;
    let (sign, shift) = line.split_once(' ')?;
    let direction = ["-", "|", "\\", "/"].iter().position(|known| *known == sign)?;
    Some((row.parse().ok()?, column.parse().ok()?, direction, -shift.parse::<i32>().ok()?))
}

/// A large number, six bits in each digit, the lowest first.
#[derive(Default)]
struct Number(Vec<u8>);

impl Number {
    /// Multiplies by the base and adds a digit.
    fn append(&mut self, digit: u32, base: u32) {
        let mut carry = digit;
        for place in &mut self.0 {
            let value = u32::from(*place) * base + carry;
            (*place, carry) = ((value & 63) as u8, value >> 6);
        }
        while carry > 0 {
            self.0.push((carry & 63) as u8);
            carry >>= 6;
        }
    }

    /// The highest digit first.
    fn letters(&self) -> impl Iterator<Item = u8> {
        self.0.iter().rev().map(|&place| LETTERS[usize::from(place)])
    }
}

/// As `encodeURIComponent` writes it.
fn percent(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
