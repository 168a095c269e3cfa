//! Cap sets: points of the space with n coordinates modulo 3 of which no three are on a line.
//!
//! Three different points are on a line if in every coordinate their sum is 0 modulo 3: all three are the same there, or all different.

use nestling::Suggestion;
use nestling_presentation::Record;

use super::{Bits, GrownSet, SetRules};

/// More dimensions would have more points than fit in 16 bits.
pub const MOST_CAP_DIMENSIONS: u32 = 10;

/// The largest sizes for dimensions 1 to 6, and the largest known for 7 and 8.
const SIZES: [u32; 8] = [2, 4, 9, 20, 45, 112, 236, 512];

/// For which dimensions the sizes are proven.
const PROVEN: usize = 6;

/// A cap set that grows point by point; the score is its size.
///
/// ```
/// use nestling::Run;
/// use nestling_puzzles::CapSet;
/// let outcome = Run::new(&CapSet::in_dimension(3), "repeat(pool)".parse()?).seed(1).playouts(1_000_000).start()?;
/// assert_eq!(outcome.score(), Some(9.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type CapSet = GrownSet<CapRules>;

/// The rules of cap sets in one dimension.
#[derive(Debug)]
pub struct CapRules {
    dimension: u32,
    /// The coordinates of a point: a bit for each that is 1, and a bit for each that is 2.
    coordinates: Vec<(u16, u16)>,
    /// The number of the point whose coordinates with these bits are 1 and all others 0.
    number: Vec<u16>,
}

impl CapSet {
    /// The empty set.
    ///
    /// # Panics
    ///
    /// When the dimension is not between 1 and [`MOST_CAP_DIMENSIONS`].
    pub fn in_dimension(dimension: u32) -> Self {
        GrownSet::empty(CapRules::new(dimension))
    }
}

impl CapRules {
    fn new(dimension: u32) -> Self {
        assert!((1..=MOST_CAP_DIMENSIONS).contains(&dimension), "dimension {dimension}");
        // The first coordinate that people read is the largest power of three.
        let power = |coordinate: u32| 3_u16.pow(dimension - 1 - coordinate);
        let bits = |point: u16, digit: u16| {
            let has = |&coordinate: &u32| point / power(coordinate) % 3 == digit;
            (0..dimension).filter(has).fold(0, |bits, coordinate| bits | 1 << coordinate)
        };
        let number = |bits: u16| (0..dimension).filter(|coordinate| bits >> coordinate & 1 == 1).map(power).sum();
        CapRules {
            dimension,
            coordinates: (0..3_u16.pow(dimension)).map(|point| (bits(point, 1), bits(point, 2))).collect(),
            number: (0..1 << dimension).map(number).collect(),
        }
    }

    /// The third point of the line through two points: minus their sum.
    #[inline]
    fn third(&self, (ones, twos): (u16, u16), (other_ones, other_twos): (u16, u16)) -> usize {
        let (zero, other_zero) = (!(ones | twos), !(other_ones | other_twos));
        // The third coordinate is 1 for 0 + 2 and 1 + 1, and 2 for 0 + 1 and 2 + 2.
        let third_ones = (zero & other_twos) | (twos & other_zero) | (ones & other_ones);
        let third_twos = (zero & other_ones) | (ones & other_zero) | (twos & other_twos);
        usize::from(self.number[usize::from(third_ones)]) + 2 * usize::from(self.number[usize::from(third_twos)])
    }
}

impl SetRules for CapRules {
    fn points(&self) -> usize {
        self.coordinates.len()
    }

    #[inline]
    fn exclude(&self, members: &[u16], added: u16, free: &mut Bits) {
        let point = self.coordinates[usize::from(added)];
        for &member in members {
            free.remove(self.third(point, self.coordinates[usize::from(member)]));
        }
    }

    fn conflict(&self, members: &[u16], point: u16) -> Option<String> {
        let digits = |point: u16| (0..self.dimension).map(move |place| u32::from(point) / 3_u32.pow(place) % 3);
        let mut pairs = members
            .iter()
            .enumerate()
            .flat_map(|(index, &one)| members[..index].iter().map(move |&other| (other, one)));
        let on_line = |&(one, other): &(u16, u16)| {
            digits(one)
                .zip(digits(other))
                .zip(digits(point))
                .all(|((one, other), third)| (one + other + third) % 3 == 0)
        };
        let (one, other) = pairs.find(on_line)?;
        Some(format!("is on a line with {} and {}", self.text(one), self.text(other)))
    }

    fn conflicts(&self, members: &[u16]) -> Vec<bool> {
        let mut conflicts = vec![false; self.points()];
        for (index, &one) in members.iter().enumerate() {
            for &other in &members[..index] {
                let digit = |point: u16, place: u32| u32::from(point) / 3_u32.pow(place) % 3;
                let third = |place: u32| (6 - digit(one, place) - digit(other, place)) % 3 * 3_u32.pow(place);
                conflicts[(0..self.dimension).map(third).sum::<u32>() as usize] = true;
            }
        }
        conflicts
    }

    fn text(&self, point: u16) -> String {
        (0..self.dimension).rev().map(|place| (b'0' + (point / 3_u16.pow(place) % 3) as u8) as char).collect()
    }

    fn read(&self, text: &str) -> Option<u16> {
        let is_one = text.len() == self.dimension as usize && text.bytes().all(|digit| (b'0'..=b'2').contains(&digit));
        is_one.then(|| u16::from_str_radix(text, 3).ok()).flatten()
    }

    fn bound(&self) -> Option<f64> {
        SIZES[..PROVEN].get(self.dimension as usize - 1).map(|&size| size.into())
    }

    fn record(&self) -> Option<Record> {
        let score = f64::from(*SIZES.get(self.dimension as usize - 1)?);
        let holder = match self.dimension {
            1..=4 => "proven by Pellegrino, 1970, or before",
            5 => "proven by Edel, Ferret, Landjev and Storme, 2002",
            6 => "proven by Potechin, 2008",
            7 => "Calderbank and Fishburn, 1994",
            _ => "FunSearch, 2023",
        };
        Some(Record { score, holder: holder.to_owned(), proven: self.dimension as usize <= PROVEN, bound: None })
    }

    fn title(&self) -> String {
        format!("Cap set in dimension {}", self.dimension)
    }

    fn grid(&self) -> (usize, usize) {
        let columns = self.dimension.div_ceil(2);
        (3_usize.pow(columns), 3_usize.pow(self.dimension - columns))
    }

    fn place(&self, point: u16) -> (usize, usize) {
        let columns = self.grid().0;
        (usize::from(point) % columns, usize::from(point) / columns)
    }

    fn unit(&self) -> &'static str {
        "points"
    }

    fn default_search(&self) -> Option<Suggestion> {
        let search = "repeat(pool)".parse().expect("it is a search");
        Some(Suggestion::new(search, "it found 45 points in dimension 5 soonest of four searches"))
    }
}
