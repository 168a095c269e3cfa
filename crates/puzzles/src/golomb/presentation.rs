//! Golomb rulers as people see them.

use nestling::{Illegal, state_after};
use nestling_presentation::{Canvas, Colours, Picture, Presentation, Record, Sheet, shown};

use super::{Golomb, SHORTEST};

impl Presentation for Golomb {
    /// The ruler, and the distances of neighbouring marks.
    fn draw(&self, moves: &[u16], canvas: Canvas) -> String {
        let marks = state_after(self, moves).marks;
        let (mark, gap) = if canvas.ascii { ('|', '.') } else { ('┃', '·') };
        let last = marks[marks.len() - 1];
        let ruler: Vec<char> = (0..=last).map(|position| if marks.contains(&position) { mark } else { gap }).collect();
        let lines = ruler.chunks(canvas.width.max(1)).map(|line| line.iter().collect::<String>() + "\n");
        let words = |numbers: Vec<u16>| numbers.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
        let gaps = marks.windows(2).map(|pair| pair[1] - pair[0]).collect();
        lines.collect::<String>() + &format!("marks {}\ngaps {}\n", words(marks), words(gaps))
    }

    fn picture(&self, moves: &[u16], picture: &Picture) -> Option<String> {
        let options = picture.still()?;
        let marks = state_after(self, options.shown(moves)).marks;
        let last = marks[marks.len() - 1].max(1);
        let Colours { ink, line, grid, .. } = options.theme.colours();
        let title = format!("Golomb ruler with {} marks, length {}", marks.len(), marks[marks.len() - 1]);
        let scale = 900.0 / f64::from(last);
        let mut sheet = Sheet::new(900.0, 120.0, &title, options);
        sheet.put(format_args!("<rect x=\"0\" y=\"20\" width=\"900\" height=\"50\" fill=\"{grid}\"/>\n"));
        for (index, &mark) in marks.iter().enumerate() {
            let x = f64::from(mark) * scale;
            sheet.put(format_args!(
                "<path d=\"M{x:.1} 20V70\" stroke=\"{line}\" stroke-width=\"3\"/>\n\
                 <text x=\"{x:.1}\" y=\"{}\" font-size=\"14\" text-anchor=\"middle\" fill=\"{ink}\">{mark}</text>\n",
                if index % 2 == 0 { 90 } else { 108 }
            ));
        }
        Some(sheet.finished())
    }

    fn record(&self) -> Option<Record> {
        let score = f64::from(*SHORTEST.get(usize::from(self.order()) - 1)?);
        let holder = match self.order() {
            0..=19 => "shortest, proven by exhaustive searches, 1967 to 1994",
            20..=23 => "shortest, proven by exhaustive searches, 1997 to 1999",
            _ => "shortest, proven by distributed.net, 2004 to 2022",
        };
        Some(Record { score, holder: holder.to_owned(), proven: true, bound: None })
    }

    fn worth(&self, score: f64, _complete: bool) -> String {
        let limit = f64::from(self.limit());
        match ((score - 1.0) / limit).floor() {
            missing if missing >= 1.0 => format!("score {score}, marks missing: {missing}"),
            _ => format!("length {score}"),
        }
    }

    fn parse(&self, texts: &[&str]) -> Result<Vec<u16>, Illegal> {
        let position = |(index, text): (usize, &&str)| {
            let position = text.parse::<u16>().ok().filter(|position| (1..=self.limit()).contains(position));
            let reason = || format!("{} is not a position; they are 1 to {}", shown(text, 40), self.limit());
            position.ok_or_else(|| Illegal { index, reason: reason() })
        };
        texts.iter().enumerate().map(position).collect()
    }

    fn code_of(&self, text: &str) -> Result<u64, String> {
        self.parse(&[text]).map(|positions| positions[0].into()).map_err(|illegal| illegal.reason)
    }
}
