//! Weak Schur partitions as people see them.

use nestling::Illegal;
use nestling_presentation::{Canvas, Colours, Picture, Presentation, Record, Sheet, shown};

use super::{BEST, PROVEN, WeakSchur};

/// The numbers in a row of a picture.
const COLUMNS: usize = 50;

/// The side of a number's square.
const CELL: usize = 18;

impl WeakSchur {
    /// The set of every number after some moves.
    fn all<'a>(&'a self, moves: &'a [u8]) -> impl Iterator<Item = (usize, u8)> + 'a {
        self.placed().iter().chain(moves).enumerate().map(|(index, &set)| (index + 1, set))
    }
}

/// Ascending numbers, runs of neighbours as `5-9`.
fn ranges(numbers: impl Iterator<Item = usize>) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let text = |&(first, last): &(usize, usize)| match last - first {
        0 => first.to_string(),
        1 => format!("{first} {last}"),
        _ => format!("{first}-{last}"),
    };
    runs.iter().map(text).collect::<Vec<_>>().join(" ")
}

impl Presentation for WeakSchur {
    /// The numbers of every set.
    fn draw(&self, moves: &[u8], _canvas: Canvas) -> String {
        let numbers =
            |set: u8| ranges(self.all(moves).filter(move |&(_, other)| other == set).map(|(number, _)| number));
        (0..self.sets()).map(|set| format!("set {}: {}\n", set + 1, numbers(set)).replace(": \n", ":\n")).collect()
    }

    /// The numbers row by row, each in the colour of its set.
    fn picture(&self, moves: &[u8], picture: &Picture) -> Option<String> {
        let options = picture.still()?;
        let shown = options.shown(moves);
        let last = self.placed().len() + shown.len();
        let Colours { paper, .. } = options.theme.colours();
        let (width, height) = (COLUMNS * CELL, last.div_ceil(COLUMNS).max(1) * CELL);
        let title = format!("1 to {last} in {} weakly sum-free sets", self.sets());
        let mut sheet = Sheet::new(width as f64, height as f64, &title, options);
        for (number, set) in self.all(shown) {
            let (x, y) = ((number - 1) % COLUMNS * CELL, (number - 1) / COLUMNS * CELL);
            let hue = 360 * usize::from(set) / usize::from(self.sets());
            sheet.put(format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"hsl({hue},60%,50%)\" stroke=\"{paper}\"/>\n\
                 <text x=\"{}\" y=\"{}\" font-size=\"10\" text-anchor=\"middle\" fill=\"#fff\">{}</text>\n",
                x + CELL / 2,
                y + 13,
                set + 1
            ));
        }
        Some(sheet.finished())
    }

    fn record(&self) -> Option<Record> {
        let (index, holder) = match self.sets() {
            sets @ 1..=4 => (sets, "proven; see Eliahou, Marín, Revuelta and Sanz, 2012"),
            sets @ 5 => (sets, "Walker, 1952; Eliahou, Marín, Revuelta and Sanz, 2012"),
            sets => (sets, "Rowley, 2020"),
        };
        let index = usize::from(index) - 1;
        let score = f64::from(*BEST.get(index)?);
        Some(Record { score, holder: holder.to_owned(), proven: index < PROVEN, bound: None })
    }

    fn worth(&self, score: f64, _complete: bool) -> String {
        format!("1 to {score} in {} sets", self.sets())
    }

    fn parse(&self, texts: &[&str]) -> Result<Vec<u8>, Illegal> {
        let set = |(index, text): (usize, &&str)| {
            let set = text.parse::<u8>().ok().filter(|set| (1..=self.sets()).contains(set));
            let reason = || format!("{} is not a set; sets have the numbers 1 to {}", shown(text, 40), self.sets());
            set.map(|set| set - 1).ok_or_else(|| Illegal { index, reason: reason() })
        };
        texts.iter().enumerate().map(set).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_written_as_ranges() {
        assert_eq!(ranges([1, 2, 4, 8, 9, 10, 20].into_iter()), "1 2 4 8-10 20");
        assert_eq!(ranges([].into_iter()), "");
    }
}
