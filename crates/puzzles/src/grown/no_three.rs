//! No three in line: points of a square grid of which no three are on a straight line.

use nestling_presentation::Record;

use super::{Bits, GrownSet, SetRules};

/// The largest side of a grid.
pub const LARGEST_GRID: u16 = 200;

/// For every side up to this one, 2n points are known (Prellberg, 2026).
const SOLVED: u16 = 60;

/// Points of a grid of which no three are in line; the score is their number.
///
/// ```
/// use nestling::Run;
/// use nestling_puzzles::NoThreeInLine;
/// let outcome = Run::new(&NoThreeInLine::on_grid(5), "repeat(pool)".parse()?).seed(1).playouts(1_000_000).start()?;
/// assert_eq!(outcome.score(), Some(10.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type NoThreeInLine = GrownSet<NoThreeRules>;

/// The rules of points on one grid.
#[derive(Debug)]
pub struct NoThreeRules {
    side: u16,
    /// The greatest common divisors of two numbers below the side.
    divisors: Vec<u8>,
}

impl NoThreeInLine {
    /// The empty grid with this side.
    ///
    /// # Panics
    ///
    /// When the side is not between 1 and [`LARGEST_GRID`].
    pub fn on_grid(side: u16) -> Self {
        assert!((1..=LARGEST_GRID).contains(&side), "side {side}");
        let divisors = (0..side).flat_map(|one| (0..side).map(move |other| divisor(one, other) as u8)).collect();
        GrownSet::empty(NoThreeRules { side, divisors })
    }
}

fn divisor(one: u16, other: u16) -> u16 {
    if other == 0 { one } else { divisor(other, one % other) }
}

impl NoThreeRules {
    #[inline]
    fn coordinates(&self, point: u16) -> (i32, i32) {
        (i32::from(point % self.side), i32::from(point / self.side))
    }
}

impl SetRules for NoThreeRules {
    fn points(&self) -> usize {
        usize::from(self.side) * usize::from(self.side)
    }

    /// Walks along the line through the new point and each other one, in both directions.
    fn exclude(&self, members: &[u16], added: u16, free: &mut Bits) {
        let side = i32::from(self.side);
        let (x, y) = self.coordinates(added);
        for &member in members {
            let (other_x, other_y) = self.coordinates(member);
            let (right, up) = (other_x - x, other_y - y);
            let divisor = i32::from(self.divisors[(right.abs() * side + up.abs()) as usize]);
            for (right, up) in [(right / divisor, up / divisor), (-right / divisor, -up / divisor)] {
                let (mut at_x, mut at_y) = (x + right, y + up);
                while (0..side).contains(&at_x) && (0..side).contains(&at_y) {
                    free.remove((at_y * side + at_x) as usize);
                    at_x += right;
                    at_y += up;
                }
            }
        }
    }

    fn conflict(&self, members: &[u16], point: u16) -> Option<String> {
        let place = |point: u16| (i64::from(point % self.side), i64::from(point / self.side));
        let (x, y) = place(point);
        for (index, &one) in members.iter().enumerate() {
            for &other in &members[..index] {
                let ((one_x, one_y), (other_x, other_y)) = (place(one), place(other));
                if (one_x - x) * (other_y - y) == (other_x - x) * (one_y - y) {
                    return Some(format!("is in line with {} and {}", self.text(other), self.text(one)));
                }
            }
        }
        None
    }

    /// Two points are in line with a third if they are in the same direction from it, or in opposite ones.
    fn conflicts(&self, members: &[u16]) -> Vec<bool> {
        let place = |point: u16| (i64::from(point % self.side), i64::from(point / self.side));
        let mut slopes = Vec::new();
        let mut is_in_line = |point: u16| {
            let (x, y) = place(point);
            slopes.clear();
            for (right, up) in members
                .iter()
                .filter(|&&member| member != point)
                .map(|&member| place(member))
                .map(|(a, b)| (a - x, b - y))
            {
                let divisor = i64::from(divisor(right.unsigned_abs() as u16, up.unsigned_abs() as u16));
                let sign = if (right, up) < (0, 0) { -1 } else { 1 };
                slopes.push((sign * right / divisor, sign * up / divisor));
            }
            slopes.sort_unstable();
            slopes.windows(2).any(|pair| pair[0] == pair[1])
        };
        (0..self.points() as u16).map(&mut is_in_line).collect()
    }

    /// Column and row, from 1.
    fn text(&self, point: u16) -> String {
        format!("{},{}", point % self.side + 1, point / self.side + 1)
    }

    fn read(&self, text: &str) -> Option<u16> {
        let (column, row) = text.split_once(',')?;
        let within = |number: &str| number.parse().ok().filter(|number| (1..=self.side).contains(number));
        let point = (within(row)? - 1) * self.side + within(column)? - 1;
        Some(point).filter(|&point| self.text(point) == text)
    }

    /// Every row has at most two points.
    fn bound(&self) -> Option<f64> {
        Some((2.0 * f64::from(self.side)).min(self.points() as f64))
    }

    fn record(&self) -> Option<Record> {
        (self.side <= SOLVED).then(|| Record {
            score: (2.0 * f64::from(self.side)).min(self.points() as f64),
            holder: "two points in every row; known for all sides up to 60 (Flammenkamp, 1998; Prellberg, 2026)"
                .to_owned(),
            proven: true,
            bound: None,
        })
    }

    fn title(&self) -> String {
        format!("No three in line on {0} × {0}", self.side)
    }

    fn grid(&self) -> (usize, usize) {
        (self.side.into(), self.side.into())
    }

    fn place(&self, point: u16) -> (usize, usize) {
        (usize::from(point % self.side), usize::from(point / self.side))
    }

    fn unit(&self) -> &'static str {
        "points"
    }
}
