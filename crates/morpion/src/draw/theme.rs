//! The colours of pictures of Morpion Solitaire.

use std::fmt;

use nestling_presentation::{Colours, Theme};

/// The colours of a theme.
pub(super) const fn palette(theme: Theme) -> BoardColours {
    let black = Colours { faint: "#000", ..Colours::PRINT };
    let (colours, dot, on_last) = match theme {
        Theme::Light => (Colours::LIGHT, "#fff", "#fff"),
        Theme::Dark => (Colours::DARK, "#1b2430", "#12171e"),
        Theme::Print => (black, "#fff", "#fff"),
        Theme::Age => (Colours { grid: "#e6e6e6", ink: "#1a1a1a", faint: "#666", ..black }, "#fff", "#fff"),
    };
    let Colours { paper, grid: lattice, ink, faint, line, accent: last } = colours;
    BoardColours { paper, lattice, ink, faint, line, dot, last, on_last }
}

/// The colours of the parts of a picture.
#[derive(Clone, Copy)]
pub(super) struct BoardColours {
    pub(super) paper: &'static str,
    pub(super) lattice: &'static str,
    /// The cross, the numbers and the title.
    pub(super) ink: &'static str,
    /// The caption.
    pub(super) faint: &'static str,
    /// The lines and the rims of the dots.
    pub(super) line: &'static str,
    /// Inside the dots.
    pub(super) dot: &'static str,
    /// The last move, if it is pointed out.
    pub(super) last: &'static str,
    pub(super) on_last: &'static str,
}

/// A colour between the oldest and the newest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Colour {
    red: u8,
    green: u8,
    blue: u8,
}

impl Colour {
    /// The ramp of the theme `age`: the darker seven ninths of matplotlib's "plasma" (in the public domain), whose steps look
    /// equally large and whose lightness only grows, so that it can be read in grey. The light end would fade on white paper.
    pub(super) const RAMP: [Colour; 8] = [
        Colour::new(0x0d0887),
        Colour::new(0x46039f),
        Colour::new(0x7201a8),
        Colour::new(0x9c179e),
        Colour::new(0xbd3786),
        Colour::new(0xd8576b),
        Colour::new(0xed7953),
        Colour::new(0xfb9f3a),
    ];

    const fn new(code: u32) -> Colour {
        Colour { red: (code >> 16) as u8, green: (code >> 8) as u8, blue: code as u8 }
    }

    /// The colour of one of some moves, in whole numbers so that it is the same everywhere.
    pub(super) fn of_age(index: usize, count: usize) -> Colour {
        let (steps, last) = (Colour::RAMP.len() - 1, count.saturating_sub(1).max(1));
        let (step, rest) = (index * steps / last, index * steps % last);
        let (from, to) = (Colour::RAMP[step], Colour::RAMP[(step + 1).min(steps)]);
        let mixed = |from: u8, to: u8| ((usize::from(from) * (last - rest) + usize::from(to) * rest) / last) as u8;
        Colour { red: mixed(from.red, to.red), green: mixed(from.green, to.green), blue: mixed(from.blue, to.blue) }
    }

    /// How light it looks, of 255.
    fn lightness(self) -> u32 {
        (299 * u32::from(self.red) + 587 * u32::from(self.green) + 114 * u32::from(self.blue)) / 1000
    }

    /// Black or white, whichever can be read on it.
    pub(super) fn text_colour(self) -> &'static str {
        if self.lightness() < 125 { "#fff" } else { "#000" }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn age_shows_in_grey() {
        for count in [2, 3, 8, 82, 178] {
            let lightness: Vec<u32> = (0..count).map(|index| Colour::of_age(index, count).lightness()).collect();
            assert!(lightness.is_sorted(), "{lightness:?}");
            assert!(lightness[count - 1] > lightness[0] + 100);
        }
        assert_eq!(Colour::of_age(0, 178), Colour::RAMP[0]);
        assert_eq!(Colour::of_age(177, 178), Colour::RAMP[7]);
        assert_eq!(Colour::of_age(0, 1), Colour::RAMP[0]);
    }
}
