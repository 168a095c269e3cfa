//! Growing sets as people see them.

use nestling::{Illegal, state_after};
use nestling_presentation::{Canvas, Colours, Picture, Presentation, Record, Sheet, shown};

use super::{GrownSet, SetRules};

/// The width of the drawing in a picture.
const WIDTH: f64 = 720.0;

impl<R: SetRules> Presentation for GrownSet<R> {
    /// All points in their places, those of the set as dots, and then the list of the set.
    fn draw(&self, moves: &[u16], canvas: Canvas) -> String {
        let (columns, rows) = self.rules().grid();
        let members = state_after(self, moves).members;
        let texts: Vec<String> = members.iter().map(|&point| self.rules().text(point)).collect();
        let list = format!("{}\n", texts.join(" "));
        if 2 * columns > canvas.width + 1 {
            return list;
        }
        let (dot, none) = if canvas.ascii { ("o", ".") } else { ("●", "·") };
        let mut grid = vec![vec![" "; columns]; rows];
        for point in 0..self.rules().points() as u16 {
            let (column, row) = self.rules().place(point);
            grid[row][column] = if members.contains(&point) { dot } else { none };
        }
        grid.iter().map(|row| row.join(" ").trim_end().to_owned() + "\n").collect::<String>() + &list
    }

    fn picture(&self, moves: &[u16], picture: &Picture) -> Option<String> {
        let options = picture.still()?;
        let (columns, rows) = self.rules().grid();
        let members = state_after(self, options.shown(moves)).members;
        let Colours { grid, line, .. } = options.theme.colours();
        let cell = (WIDTH / columns as f64).min(40.0);
        let title = format!("{}: {} {}", self.rules().title(), members.len(), self.rules().unit());
        let mut sheet = Sheet::new(WIDTH.min(cell * columns as f64).max(360.0), cell * rows as f64, &title, options);
        for point in 0..self.rules().points() as u16 {
            let (column, row) = self.rules().place(point);
            let is_member = members.contains(&point);
            let (colour, radius) = if is_member { (line, 0.4 * cell) } else { (grid, 0.15 * cell) };
            let (x, y) = ((column as f64 + 0.5) * cell, (row as f64 + 0.5) * cell);
            sheet.put(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{colour}\"/>\n"));
        }
        Some(sheet.finished())
    }

    fn record(&self) -> Option<Record> {
        self.rules().record()
    }

    fn unit(&self) -> Option<&'static str> {
        Some(self.rules().unit())
    }

    fn parse(&self, texts: &[&str]) -> Result<Vec<u16>, Illegal> {
        let point = |(index, text): (usize, &&str)| {
            let missing = || Illegal {
                index,
                reason: format!("{} is not a point, such as {}", shown(text, 40), self.rules().text(0)),
            };
            self.rules().read(text).ok_or_else(missing)
        };
        texts.iter().enumerate().map(point).collect()
    }

    fn code_of(&self, text: &str) -> Result<u64, String> {
        self.parse(&[text]).map(|points| points[0].into()).map_err(|illegal| illegal.reason)
    }

    /// The set, in whatever order its points joined it.
    fn identity(&self, moves: &[u16]) -> Vec<u8> {
        let mut points = moves.to_vec();
        points.sort_unstable();
        self.rules().title().bytes().chain(points.iter().flat_map(|point| point.to_be_bytes())).collect()
    }
}
