//! The colours and fonts of a chart.

/// Colours and dashes. Curves differ in both, so that a chart can be read by the colour-blind and printed in black and white.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// The background.
    pub paper: &'static str,
    /// Text and axes.
    pub ink: &'static str,
    /// The lines behind the plot.
    pub grid: &'static str,
    /// The curves, one after the other.
    pub curves: [&'static str; 7],
}

/// How the curves are dashed, one after the other.
const DASHES: [&str; 7] = ["", "7 3", "2 2.5", "9 3 2 3", "12 4", "5 2 2 2 2 2", "1 3"];

impl Palette {
    /// On white, in colours that stay apart for nearly everybody (Okabe and Ito 2008).
    pub const LIGHT: Palette = Palette {
        paper: "#fff",
        ink: "#222",
        grid: "#ddd",
        curves: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"],
    };

    /// In the colours of the page that the chart is part of: its style sheet defines `--paper`, `--ink`, `--grid` and
    /// `--curve-0` to `--curve-6`.
    pub const PAGE: Palette = Palette {
        paper: "var(--paper)",
        ink: "var(--ink)",
        grid: "var(--grid)",
        curves: [
            "var(--curve-0)",
            "var(--curve-1)",
            "var(--curve-2)",
            "var(--curve-3)",
            "var(--curve-4)",
            "var(--curve-5)",
            "var(--curve-6)",
        ],
    };

    pub(crate) fn curve(&self, index: usize) -> &'static str {
        self.curves[index % self.curves.len()]
    }
}

/// The dashes of a curve, as an attribute.
pub(crate) fn dashes(index: usize) -> String {
    match DASHES[index % DASHES.len()] {
        "" => String::new(),
        dashes => format!(" stroke-dasharray=\"{dashes}\""),
    }
}
