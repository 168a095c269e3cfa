//! The colours of pictures.

use std::fmt;
use std::str::FromStr;

/// The look of an SVG picture.
///
/// ```
/// use nestling_presentation::Theme;
/// assert_eq!("dark".parse(), Ok(Theme::Dark));
/// let error = "neon".parse::<Theme>().unwrap_err();
/// assert_eq!(error.to_string(), "there is no theme \"neon\"; the themes are light, dark, print and age");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Blue ink on white squared paper.
    #[default]
    Light,
    /// The same for dark pages.
    Dark,
    /// Black and white, as large as a sheet of A4 paper allows.
    Print,
    /// Lines and dots coloured by age, from the first move to the last, dark to light.
    Age,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 4] = [Theme::Light, Theme::Dark, Theme::Print, Theme::Age];

    /// The name: `light`, `dark`, `print` or `age`.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
            Theme::Print => "print",
            Theme::Age => "age",
        }
    }

    /// The colours of pictures that have no others. Where age does not show, it looks like the light theme.
    pub const fn colours(self) -> Colours {
        match self {
            Theme::Light | Theme::Age => Colours::LIGHT,
            Theme::Dark => Colours::DARK,
            Theme::Print => Colours::PRINT,
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A text that names no theme.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no theme {0:?}; the themes are light, dark, print and age")]
pub struct UnknownTheme(String);

impl FromStr for Theme {
    type Err = UnknownTheme;

    /// Reads a name, in capitals or not.
    fn from_str(text: &str) -> Result<Self, UnknownTheme> {
        let named = Theme::ALL.into_iter().find(|theme| theme.name().eq_ignore_ascii_case(text));
        named.ok_or_else(|| UnknownTheme(text.to_owned()))
    }
}

/// The colours of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    /// The background.
    pub paper: &'static str,
    /// The colour of lines that help the eye and should not stand out.
    pub grid: &'static str,
    /// Writing.
    pub ink: &'static str,
    /// Writing that matters less.
    pub faint: &'static str,
    /// Lines.
    pub line: &'static str,
    /// The colour of parts that should stand out.
    pub accent: &'static str,
}

impl Colours {
    /// Blue on white.
    pub const LIGHT: Colours = Colours {
        paper: "#fff",
        grid: "#e3e8ee",
        ink: "#1d2733",
        faint: "#66727f",
        line: "#3f78b5",
        accent: "#d9480f",
    };

    /// The same for dark pages.
    pub const DARK: Colours = Colours {
        paper: "#12171e",
        grid: "#242c37",
        ink: "#e8eef4",
        faint: "#93a1af",
        line: "#5f9fd8",
        accent: "#ffb454",
    };

    /// Black on white.
    pub const PRINT: Colours =
        Colours { paper: "#fff", grid: "#ccc", ink: "#000", faint: "#666", line: "#000", accent: "#000" };
}
