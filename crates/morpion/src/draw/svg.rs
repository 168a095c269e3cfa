//! Games as SVG: numbered dots and lines on squared paper.
//!
//! Colours and fonts are attributes of groups, which every program that reads SVG understands; style sheets are used only
//! for what a program may leave out, the animation and the size of the printed page.

use std::fmt::Write;

use nestling_presentation::{Picture, Theme, escaped};

use super::theme::{BoardColours, Colour, palette};
use super::{animation, caption};
use super::{corners, near};
use crate::geometry::{Cell, Move};
use crate::variant::Variant;

/// The distance between two neighbouring cells in the units of the picture. Even, so that nearly all coordinates are whole.
const CELL: i32 = 40;

/// The radius of the dot of a move. Its number must fit inside, and the lines must be seen between two of them.
const DOT: i32 = 14;

/// The radius of the ring around the dot that is pointed out.
const RING: i32 = 18;

/// The radius of a dot of the cross.
const CROSS_DOT: i32 = 9;

/// Free paper beyond the outermost cells.
const MARGIN: i32 = 44;

/// The height of the title.
const HEADER: i32 = 34;

/// The length of the bar that shows all colours.
const LEGEND: i32 = 160;

/// The least width of a picture: room for the title.
const NARROWEST: i32 = 448;

/// The width and height of the sheet A4 less margins of 15 mm or more.
const SHEET: (f64, f64) = (180.0, 257.0);

/// A picture of a game as SVG text: squared paper, the cross, a line and a numbered dot for every move, variant and score.
/// The same game and options give the same text.
///
/// ```
/// use nestling_morpion::{notation::pentasol, svg};
/// use nestling_presentation::Picture;
/// let game = pentasol::read("(28,28)\n(28,24) | +2\n").unwrap();
/// let picture = svg(game.variant, &game.moves, &Picture::default());
/// assert!(picture.starts_with("<svg xmlns=") && picture.contains(">Morpion Solitaire 5D</text>"));
/// ```
///
/// Moves are drawn as they are, legal or not; those that lie hundreds of cells away from the cross are left out.
pub fn svg(variant: Variant, moves: &[Move], options: &Picture) -> String {
    // The dot of a move that no rule has seen need not be on its line.
    let cells = |played: Move| played.line.cells(variant.line_length()).chain([played.dot()]);
    let all = moves.iter().copied().enumerate().filter(|(_, played)| cells(*played).all(near));
    let (low, high) = corners(variant.cross().into_iter().chain(all.clone().flat_map(|(_, played)| cells(played))));
    let shown = options.up_to.map_or(moves.len(), |shown| shown.min(moves.len()));
    BoardDrawing::new(variant, moves.len(), shown, (low, high), options)
        .draw(all.take_while(|(index, _)| *index < shown).collect())
}

struct BoardDrawing<'a> {
    variant: Variant,
    /// The number of moves of the whole game.
    count: usize,
    /// The number of moves to be seen.
    shown: usize,
    low: Cell,
    /// The number of cells between the first and the last column, and row.
    size: (i32, i32),
    /// The width of the picture, and what of it is left of the first column.
    width: i32,
    left: i32,
    caption: Vec<String>,
    palette: BoardColours,
    options: &'a Picture,
    text: String,
}

/// Appends to the text of a picture. Writing to a string cannot fail.
macro_rules! put {
    ($picture:expr, $($format:tt)*) => { write!($picture.text, $($format)*).expect("strings take everything") };
}

impl<'a> BoardDrawing<'a> {
    fn new(
        variant: Variant,
        count: usize,
        shown: usize,
        (low, high): (Cell, Cell),
        options: &'a Picture,
    ) -> BoardDrawing<'a> {
        let size = (i32::from(high.x) - i32::from(low.x), i32::from(high.y) - i32::from(low.y));
        let width = (size.0 * CELL + 2 * MARGIN).max(NARROWEST);
        let caption = caption::lines(options.caption.as_deref().unwrap_or(""), width - 2 * MARGIN);
        let (left, palette) = ((width - size.0 * CELL) / 2, palette(options.theme));
        BoardDrawing { variant, count, shown, low, size, width, left, caption, palette, options, text: String::new() }
    }

    fn draw(mut self, moves: Vec<(usize, Move)>) -> String {
        self.open();
        self.lattice();
        let animated = self.options.animated && !moves.is_empty();
        self.text += if animated { "<g class=\"nestling-play\">\n" } else { "" };
        self.lines(&moves);
        self.cross();
        self.dots(&moves);
        self.numbers(&moves);
        self.ring(&moves);
        if animated {
            self.rings(&moves);
            self.text += "</g>\n";
            self.text += &animation::style(self.shown, self.palette.last);
        }
        self.writing();
        self.text += "</svg>\n";
        self.text
    }

    /// The place of a cell in the picture.
    fn place(&self, cell: Cell) -> (i32, i32) {
        let (right, down) = (i32::from(cell.x) - i32::from(self.low.x), i32::from(cell.y) - i32::from(self.low.y));
        (self.left + right * CELL, HEADER + MARGIN + down * CELL)
    }

    fn by_age(&self) -> bool {
        self.options.theme == Theme::Age
    }

    /// The colours need an explanation as soon as there are two.
    fn has_legend(&self) -> bool {
        self.by_age() && self.count > 1
    }

    /// The move that is pointed out.
    fn last(&self) -> Option<usize> {
        if self.options.up_to.is_some() && !self.options.animated { self.shown.checked_sub(1) } else { None }
    }

    fn below(&self) -> i32 {
        HEADER + 2 * MARGIN + self.size.1 * CELL
    }

    fn height(&self) -> i32 {
        let legend = if self.has_legend() { caption::LEADING } else { 0 };
        let caption = self.caption.len() as i32 * caption::LEADING;
        self.below() + legend + caption + if legend + caption > 0 { 8 } else { 0 }
    }

    fn open(&mut self) {
        let (width, height) = (self.width, self.height());
        let shape = f64::from(height) / f64::from(width);
        let (wide, high, unit) = if self.options.theme == Theme::Print {
            let wide = SHEET.0.min(SHEET.1 / shape);
            (wide, wide * shape, "mm")
        } else {
            (f64::from(self.options.width), f64::from(self.options.width) * shape, "")
        };
        let (wide, high) = ((wide * 100.0).round() / 100.0, (high * 100.0).round() / 100.0);
        put!(self, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}{unit}\" height=\"{high}{unit}\" ");
        put!(self, "viewBox=\"0 0 {width} {height}\" role=\"img\" ");
        put!(self, "font-family=\"Roboto Condensed,Arial Narrow,sans-serif\" font-weight=\"500\">\n");
        put!(self, "<title>Morpion Solitaire {}, {}</title>\n", self.variant, self.score());
        if self.options.theme == Theme::Print {
            self.text += "<style>@page{size:A4 portrait;margin:15mm}</style>\n";
        }
        put!(self, "<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n", self.palette.paper);
    }

    fn lattice(&mut self) {
        let (left, top) = self.place(self.low);
        let (right, bottom) = (left + self.size.0 * CELL, top + self.size.1 * CELL);
        let reach = CELL / 2;
        put!(self, "<path fill=\"none\" stroke=\"{}\" stroke-width=\"1\" d=\"", self.palette.lattice);
        for x in (left..=right).step_by(CELL as usize) {
            put!(self, "M{x} {}V{}", top - reach, bottom + reach);
        }
        for y in (top..=bottom).step_by(CELL as usize) {
            put!(self, "M{} {y}H{}", left - reach, right + reach);
        }
        self.text += "\"/>\n";
    }

    fn lines(&mut self, moves: &[(usize, Move)]) {
        let (group, colour) = (self.group(), self.palette.line);
        put!(self, "<g{group} fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.5\" stroke-linecap=\"round\">\n");
        for &(index, played) in moves {
            let (x, y) = self.place(played.line.start);
            let (dx, dy) = played.line.direction.step();
            let length = CELL * (self.variant.line_length() as i32 - 1);
            let (across, down) = (i32::from(dx) * length, i32::from(dy) * length);
            put!(self, "<path{}", self.turn(index));
            if self.by_age() {
                put!(self, " stroke=\"{}\"", Colour::of_age(index, self.count));
            }
            if self.last() == Some(index) {
                let stroke = if self.by_age() { "" } else { &format!(" stroke=\"{}\"", self.palette.last) };
                put!(self, "{stroke} stroke-width=\"6\"");
            }
            match (dx, dy) {
                (_, 0) => put!(self, " d=\"M{x} {y}h{across}\"/>\n"),
                (0, _) => put!(self, " d=\"M{x} {y}v{down}\"/>\n"),
                _ => put!(self, " d=\"M{x} {y}l{across} {down}\"/>\n"),
            }
        }
        self.text += "</g>\n";
    }

    fn cross(&mut self) {
        put!(self, "<g fill=\"{}\">\n", self.palette.ink);
        for cell in self.variant.cross() {
            let (x, y) = self.place(cell);
            put!(self, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{CROSS_DOT}\"/>\n");
        }
        self.text += "</g>\n";
    }

    fn dots(&mut self, moves: &[(usize, Move)]) {
        let BoardColours { line, dot, last, .. } = self.palette;
        put!(self, "<g{} fill=\"{dot}\" stroke=\"{line}\" stroke-width=\"2\">\n", self.group());
        for &(index, played) in moves {
            let (x, y) = self.place(played.dot());
            put!(self, "<circle{} cx=\"{x}\" cy=\"{y}\" r=\"{DOT}\"", self.turn(index));
            if self.by_age() {
                let colour = Colour::of_age(index, self.count);
                put!(self, " fill=\"{colour}\" stroke=\"{colour}\"");
            } else if self.last() == Some(index) {
                put!(self, " fill=\"{last}\" stroke=\"{last}\"");
            }
            self.text += "/>\n";
        }
        self.text += "</g>\n";
    }

    /// The numbers of the moves in the middle of their dots. Three digits get the width they have in our font whatever font a
    /// program takes instead: in a wider one they would not fit.
    fn numbers(&mut self, moves: &[(usize, Move)]) {
        let group = self.group();
        put!(self, "<g{group} fill=\"{}\" text-anchor=\"middle\" font-size=\"18\">\n", self.palette.ink);
        for &(index, played) in moves {
            let (x, y) = self.place(played.dot());
            let (down, size) = match index + 1 {
                0..100 => (6.4, ""),
                _ => (5.4, " font-size=\"15\" textLength=\"22.5\" lengthAdjust=\"spacingAndGlyphs\""),
            };
            put!(self, "<text{} x=\"{x}\" y=\"{}\"{size}", self.turn(index), f64::from(y) + down);
            if self.by_age() {
                put!(self, " fill=\"{}\"", Colour::of_age(index, self.count).text_colour());
            } else if self.last() == Some(index) {
                put!(self, " fill=\"{}\"", self.palette.on_last);
            }
            put!(self, ">{}</text>\n", index + 1);
        }
        self.text += "</g>\n";
    }

    /// A ring around the dot of the move that is pointed out.
    fn ring(&mut self, moves: &[(usize, Move)]) {
        let Some(&(_, played)) = moves.last().filter(|(index, _)| self.last() == Some(*index)) else { return };
        let (x, y) = self.place(played.dot());
        let colour = self.palette.last;
        put!(
            self,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RING}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n"
        );
    }

    /// The title above and what stands below.
    fn writing(&mut self) {
        let BoardColours { ink, faint, .. } = self.palette;
        let (left, right, line) = (MARGIN - CELL / 2, self.width - MARGIN + CELL / 2, HEADER + 2);
        put!(self, "<g fill=\"{ink}\" font-size=\"24\">\n");
        put!(self, "<text x=\"{left}\" y=\"{line}\">Morpion Solitaire {}</text>\n", self.variant);
        put!(self, "<text x=\"{right}\" y=\"{line}\" text-anchor=\"end\">{}</text>\n</g>\n", self.score());
        if self.caption.is_empty() && !self.has_legend() {
            return;
        }
        put!(self, "<g fill=\"{faint}\" font-size=\"{}\">\n", caption::SIZE);
        let mut line = self.below();
        if self.has_legend() {
            self.legend(left, line);
            line += caption::LEADING;
        }
        for row in std::mem::take(&mut self.caption) {
            if !row.is_empty() {
                put!(self, "<text x=\"{left}\" y=\"{line}\">{}</text>\n", escaped(&row));
            }
            line += caption::LEADING;
        }
        self.text += "</g>\n";
    }

    /// Which colour is how old.
    fn legend(&mut self, left: i32, line: i32) {
        self.text += "<linearGradient id=\"nestling-age\">\n";
        for (index, colour) in Colour::RAMP.iter().enumerate() {
            let offset = index * 1000 / (Colour::RAMP.len() - 1);
            put!(self, "<stop offset=\"{}%\" stop-color=\"{colour}\"/>\n", offset as f64 / 10.0);
        }
        self.text += "</linearGradient>\n";
        let (top, beside) = (line - 12, left + LEGEND + 10);
        put!(self, "<rect x=\"{left}\" y=\"{top}\" width=\"{LEGEND}\" height=\"12\" fill=\"url(#nestling-age)\"/>\n");
        put!(self, "<text x=\"{beside}\" y=\"{line}\">moves 1 to {}</text>\n", self.count);
    }

    fn score(&self) -> String {
        let plural = if self.count == 1 { "move" } else { "moves" };
        if self.options.up_to.is_some() {
            format!("{} of {} {plural}", self.shown, self.count)
        } else {
            format!("{} {plural}", self.count)
        }
    }

    /// Marks a group whose elements are animated.
    fn group(&self) -> &'static str {
        if self.options.animated { " class=\"nestling-moves\"" } else { "" }
    }

    /// Says when it is an animated element's turn.
    fn turn(&self, index: usize) -> String {
        if self.options.animated { format!(" style=\"--turn:{}\"", index + 1) } else { String::new() }
    }

    /// Rings around all dots, unseen but in the animation.
    fn rings(&mut self, moves: &[(usize, Move)]) {
        self.text += "<g class=\"nestling-rings\" fill=\"none\" stroke=\"none\" stroke-width=\"3\">\n";
        for &(index, played) in moves {
            let (x, y) = self.place(played.dot());
            put!(self, "<circle{} cx=\"{x}\" cy=\"{y}\" r=\"{RING}\"/>\n", self.turn(index));
        }
        self.text += "</g>\n";
    }
}
