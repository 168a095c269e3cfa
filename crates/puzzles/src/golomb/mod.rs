//! Golomb rulers: marks at whole numbers whose distances are all different, on a ruler as short as possible.

mod presentation;

use nestling::{Allowance, Certificate, Goal, Illegal, Problem, Search, Suggestion};

use crate::grown::{Bits, exclude_sums};

/// The lengths of the shortest rulers with 1, 2, 3, … marks, all of them proven (OEIS A003022).
pub const SHORTEST: [u32; 28] = [
    0, 1, 3, 6, 11, 17, 25, 34, 44, 55, 72, 85, 106, 127, 151, 177, 199, 216, 246, 283, 333, 356, 372, 425, 480, 492,
    553, 585,
];

/// The largest number of marks.
pub const MOST_MARKS: u16 = 100;

/// A ruler that gets its marks from left to right, beginning with one at 0; a move is the position of the next mark.
///
/// All marks lie at positions up to the square of their number; the shortest rulers are shorter than that as far as anyone knows. The score
/// is the position of the last mark. Every mark that no longer fits counts as much as the longest ruler.
///
/// | policy | a playout considers |
/// |---|---|
/// | `near` (the default) | as many of the next possible positions as the ruler has marks |
///
/// ```
/// use nestling::Run;
/// use nestling_puzzles::Golomb;
/// let outcome = Run::new(&Golomb::with_marks(6), "repeat(nested(1))".parse()?).seed(1).playouts(1_000_000).start()?;
/// assert_eq!(outcome.score(), Some(17.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Golomb {
    order: u16,
    marks: Vec<u16>,
    /// The positions of which no distance to a mark, or between marks, would occur twice.
    free: Bits,
}

impl Clone for Golomb {
    fn clone(&self) -> Self {
        Golomb { order: self.order, marks: self.marks.clone(), free: self.free.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.order = source.order;
        self.marks.clone_from(&source.marks);
        self.free.clone_from(&source.free);
    }
}

impl Golomb {
    /// A ruler that will have so many marks, with one at 0.
    ///
    /// # Panics
    ///
    /// When the number is not between 2 and [`MOST_MARKS`].
    pub fn with_marks(order: u16) -> Self {
        assert!((2..=MOST_MARKS).contains(&order), "{order} marks");
        let mut free = Bits::all_below(usize::from(order * order) + 1);
        free.remove(0);
        Golomb { order, marks: vec![0], free }
    }

    /// How many marks the ruler will have.
    pub fn order(&self) -> u16 {
        self.order
    }

    /// The positions of the marks.
    pub fn marks(&self) -> &[u16] {
        &self.marks
    }

    /// The last position that a mark may have.
    pub fn limit(&self) -> u16 {
        self.order * self.order
    }

    fn last(&self) -> u16 {
        *self.marks.last().expect("there is a mark at 0")
    }
}

/// The score of marks of a ruler with `order` marks.
fn score(order: u16, marks: &[u16]) -> f64 {
    let missing = usize::from(order) - marks.len();
    f64::from(marks[marks.len() - 1]) + missing as f64 * f64::from(order) * f64::from(order)
}

impl Problem for Golomb {
    type Move = u16;

    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<u16>) {
        moves.clear();
        if self.marks.len() < usize::from(self.order) {
            moves.extend(self.free.iter().map(|position| position as u16));
        }
    }

    fn play(&mut self, position: u16) {
        let limit = usize::from(self.limit()) + 1;
        for passed in self.last() + 1..=position {
            self.free.remove(passed.into());
        }
        exclude_sums(limit, &self.marks, position, &mut self.free);
        self.marks.push(position);
    }

    fn score(&self) -> f64 {
        score(self.order, &self.marks)
    }

    fn goal(&self) -> Goal {
        Goal::Min
    }

    fn code(&self, position: u16) -> u64 {
        position.into()
    }

    fn dense_codes(&self) -> usize {
        usize::from(self.limit()) + 1
    }

    fn policies(&self) -> &'static [&'static str] {
        &["near"]
    }

    fn default_policy(&self) -> &'static str {
        "near"
    }

    fn prefer(&self, _policy: usize, moves: &mut Vec<u16>, _weights: &mut Vec<f64>) {
        moves.truncate(self.order.into());
    }

    fn bound(&self) -> Option<f64> {
        SHORTEST.get(usize::from(self.order) - 1).map(|&length| length.into())
    }

    fn default_search(&self, _allowance: Allowance) -> Suggestion {
        let search = Search::portfolio([Search::dfs(), Search::nested(1).forever()]);
        Suggestion::new(
            search,
            "depth-first search finds the shortest rulers of few marks soonest, nested search does better on longer ones",
        )
    }

    fn move_text(&self, position: u16) -> String {
        position.to_string()
    }

    /// Lists all distances, for every mark anew.
    fn certify(&self, moves: &[u16]) -> Result<Certificate, Illegal> {
        let (order, limit) = (usize::from(self.order), self.limit());
        let mut marks = self.marks.clone();
        for (index, &position) in moves.iter().enumerate() {
            let illegal = |reason: String| Illegal { index, reason };
            if marks.len() == order {
                return Err(illegal(format!("{position} comes after the end: the ruler has its {order} marks")));
            }
            if position <= marks[marks.len() - 1] || position > limit {
                return Err(illegal(format!("{position} is not between the last mark and {limit}")));
            }
            if let Some(distance) = repeated_distance(&marks, position) {
                return Err(illegal(format!("with {position} the distance {distance} occurs twice")));
            }
            marks.push(position);
        }
        let may_follow = |position: u16| repeated_distance(&marks, position).is_none();
        let terminal = marks.len() == order || !(marks[marks.len() - 1] + 1..=limit).any(may_follow);
        Ok(Certificate { score: score(self.order, &marks), terminal })
    }
}

/// A distance that occurs twice between the marks and another position.
fn repeated_distance(marks: &[u16], position: u16) -> Option<u16> {
    let mut distances = std::collections::HashSet::new();
    let all: Vec<u16> = marks.iter().copied().chain([position]).collect();
    all.iter()
        .enumerate()
        .flat_map(|(index, &mark)| all[..index].iter().map(move |&before| mark - before))
        .find(|&distance| !distances.insert(distance))
}
