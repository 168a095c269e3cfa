//! Snakes and coils as people see them.

use nestling::{Illegal, state_after};
use nestling_presentation::{Canvas, Colours, Picture, Presentation, Record, Sheet, shown};

use super::{Snake, known};

/// The width of the drawing in a picture.
const WIDTH: f64 = 720.0;

/// The place of a number in the Gray code, where neighbours differ in one bit.
fn gray_place(number: u16) -> usize {
    (0..16).map(|shift| number >> shift).fold(0, |place, part| place ^ part).into()
}

impl Snake {
    /// Where a vertex is in pictures: its column from half of its bits, its row from the others.
    fn place(&self, vertex: u16) -> (usize, usize) {
        let columns = self.dimensions().div_ceil(2);
        (gray_place(vertex & ((1 << columns) - 1)), gray_place(vertex >> columns))
    }

    fn grid(&self) -> (usize, usize) {
        let columns = self.dimensions().div_ceil(2);
        (1 << columns, 1 << (self.dimensions() - columns))
    }
}

impl Presentation for Snake {
    /// The dimensions one after the other, and the vertices in a grid whose columns and rows are in the order of the Gray code.
    fn draw(&self, moves: &[u8], canvas: Canvas) -> String {
        let path = state_after(self, moves).path;
        let letters: Vec<char> = moves.iter().filter_map(|&dimension| char::from_digit(dimension.into(), 36)).collect();
        let lines = letters.chunks(canvas.width.max(1)).map(|line| line.iter().collect::<String>() + "\n");
        let (columns, rows) = self.grid();
        let text: String = lines.collect();
        if 2 * columns > canvas.width + 1 {
            return text;
        }
        let (dot, none) = if canvas.ascii { ("o", ".") } else { ("●", "·") };
        let mut grid = vec![vec![none; columns]; rows];
        for &vertex in &path {
            let (column, row) = self.place(vertex);
            grid[row][column] = dot;
        }
        text + &grid.iter().map(|row| row.join(" ") + "\n").collect::<String>()
    }

    /// The same grid, with a line along the path.
    fn picture(&self, moves: &[u8], picture: &Picture) -> Option<String> {
        let options = picture.still()?;
        let state = state_after(self, options.shown(moves));
        let (columns, rows) = self.grid();
        let cell = (WIDTH / columns as f64).min(60.0);
        let Colours { grid, line, accent, .. } = options.theme.colours();
        let kind = if self.is_coil() { "Coil" } else { "Snake" };
        let edges = state.path.len() - usize::from(!state.is_closed());
        let title = format!("{kind} in dimension {}: {edges} edges", self.dimensions());
        let mut sheet = Sheet::new((cell * columns as f64).max(360.0), cell * rows as f64, &title, options);
        let centre = |vertex: u16| {
            let (column, row) = self.place(vertex);
            ((column as f64 + 0.5) * cell, (row as f64 + 0.5) * cell)
        };
        for vertex in 0..1_u16 << self.dimensions() {
            let (x, y) = centre(vertex);
            let radius = 0.12 * cell;
            sheet.put(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{grid}\"/>\n"));
        }
        let points: Vec<String> = state
            .path
            .iter()
            .chain(state.is_closed().then_some(&state.path[0]))
            .map(|&vertex| centre(vertex))
            .map(|(x, y)| format!("{x:.1} {y:.1}"))
            .collect();
        let width = 0.1 * cell;
        sheet.put(format_args!(
            "<path d=\"M{}\" fill=\"none\" stroke=\"{line}\" stroke-width=\"{width:.1}\" stroke-linejoin=\"round\"/>\n",
            points.join("L")
        ));
        for (index, &vertex) in state.path.iter().enumerate() {
            let ((x, y), radius) = (centre(vertex), 0.2 * cell);
            let colour = if index == 0 { accent } else { line };
            sheet.put(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{colour}\"/>\n"));
        }
        Some(sheet.finished())
    }

    fn record(&self) -> Option<Record> {
        known::record(self.dimensions(), self.is_coil())
    }

    fn unit(&self) -> Option<&'static str> {
        Some("edges")
    }

    fn parse(&self, texts: &[&str]) -> Result<Vec<u8>, Illegal> {
        let dimension = |(index, text): (usize, &&str)| {
            let dimension = text.parse::<u8>().ok().filter(|&dimension| dimension < self.dimensions());
            let last = self.dimensions() - 1;
            let reason = || format!("{} is not a dimension; they have the numbers 0 to {last}", shown(text, 40));
            dimension.ok_or_else(|| Illegal { index, reason: reason() })
        };
        texts.iter().enumerate().map(dimension).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_in_the_gray_code_differ_in_one_bit() {
        let gray = |place: u16| place ^ place >> 1;
        assert!((0..256).all(|place| gray_place(gray(place)) == usize::from(place)));
    }
}
