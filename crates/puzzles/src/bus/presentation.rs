//! Bus regulation as people see it.

use nestling::Problem;
use nestling_presentation::{Canvas, Picture, Presentation};

use super::{Bus, svg};

impl Presentation for Bus {
    /// A line for every wait beyond the first minute; the picture shows the day.
    fn draw(&self, moves: &[u8], _: Canvas) -> String {
        let (mut day, mut text) = (self.clone(), String::new());
        for &minutes in moves {
            if minutes > 1 {
                text += &format!("{}\n", day.move_text(minutes));
            }
            day.play(minutes);
        }
        let held = text.lines().count();
        format!("{text}{held} of {} stops last longer than a minute\n", moves.len())
    }

    fn picture(&self, moves: &[u8], picture: &Picture) -> Option<String> {
        Some(svg(self, moves, picture.still()?))
    }

    fn unit(&self) -> Option<&'static str> {
        Some("thousand passenger-minutes")
    }
}
