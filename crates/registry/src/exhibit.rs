//! How people see a problem: pictures, records, and when two games are the same.

use nestling::{Accelerator, Certificate, Illegal, Problem, Provenance, Search, Weights, texts};
use nestling_morpion::Theme;
use nestling_puzzles::{Colours, Solutions, Style};
use serde_json::Value;

use crate::format;
use crate::instance::Instance;
use crate::table::Table;

/// What the command line shows of a problem beyond its moves and scores. Every method has a default, so
/// `impl Exhibit for MyProblem {}` is enough to start with.
pub trait Exhibit: Problem {
    /// A picture of a game for the terminal. The default lists the moves.
    fn draw(&self, moves: &[Self::Move], canvas: Canvas) -> String {
        format::list(&texts(self, moves), canvas.width)
    }

    /// A picture of a game as SVG, for problems that have one.
    fn picture(&self, _moves: &[Self::Move], _picture: &Picture) -> Option<String> {
        None
    }

    /// What programs need to show the state after some moves, as JSON with the problem's own words.
    fn view(&self, _moves: &[Self::Move]) -> Option<Value> {
        None
    }

    /// How many solutions there are, for problems that are solved or not; `None` too where that takes too long to find out.
    fn solutions(&self) -> Option<Solutions> {
        None
    }

    /// The best result known, to compare with.
    fn record(&self) -> Option<Record> {
        None
    }

    /// The games that were published as records, this problem's best first.
    fn published(&self) -> Vec<Published> {
        Vec::new()
    }

    /// What the score counts, as in "82 moves". The default says "score 82".
    fn unit(&self) -> Option<&'static str> {
        None
    }

    /// What a score means, for problems where the number alone says little; `proven` if nothing is better. The default says nothing.
    fn verdict(&self, _score: f64, _proven: bool) -> Option<String> {
        None
    }

    /// What the score of a game means, in words. The default takes the [`verdict`](Exhibit::verdict) on a complete game, or names the
    /// [`unit`](Exhibit::unit).
    fn worth(&self, score: f64, complete: bool) -> String {
        self.verdict(score, false).filter(|_| complete).unwrap_or_else(|| match self.unit() {
            Some(unit) => format!("{score} {unit}"),
            None => format!("score {score}"),
        })
    }

    /// The game for two that this is, if it is one; [`Registry::with_game`](crate::Registry::with_game) makes it.
    fn table(&self) -> Option<&dyn Table> {
        None
    }

    /// Turns texts into moves. The default looks each up among the legal moves of its state; a problem that can parse its
    /// moves is faster, and can say better what is wrong with one.
    fn parse(&self, texts: &[&str]) -> Result<Vec<Self::Move>, Illegal> {
        format::find_moves(self, texts.iter().copied())
    }

    /// Bytes that are the same for two games that people would call the same: those of a collection of distinct games. The
    /// default is the texts of the moves; replace it where games have symmetries, or can be played in several orders.
    fn identity(&self, moves: &[Self::Move]) -> Vec<u8> {
        texts(self, moves).join("\n").into_bytes()
    }

    /// Whether the GPUs of this machine can make a search, and in words why not. The default has nothing for them.
    fn gpu_check(&self, _search: &Search) -> Result<(), String> {
        Err("only Morpion Solitaire can be searched on a GPU".to_owned())
    }

    /// Opens the GPUs for a search from this state, one that [`gpu_check`](Exhibit::gpu_check) allows, with the weights that it mentions.
    fn gpu_open(
        &self,
        search: &Search,
        _weights: &[(String, Weights)],
        _seed: u64,
    ) -> Result<Box<dyn Accelerator<Self::Move>>, String> {
        Err(self.gpu_check(search).err().unwrap_or_else(|| "this problem opens no GPU".to_owned()))
    }

    /// How much two games have in common. The default knows the same moves, in the same order or another.
    fn compare(&self, one: &[Self::Move], other: &[Self::Move]) -> Comparison {
        let (mut one, mut other) = (texts(self, one), texts(self, other));
        if one == other {
            return Comparison::new(Likeness::SameGame, "the same game");
        }
        one.sort_unstable();
        other.sort_unstable();
        if one == other {
            return Comparison::new(Likeness::SameMoves, "the same moves in another order");
        }
        Comparison::new(Likeness::Different, "another game")
    }
}

/// What a picture for the terminal is drawn on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// The width in characters.
    pub width: usize,
    /// Whether colours may be used.
    pub color: bool,
    /// Whether there is nothing but ASCII.
    pub ascii: bool,
}

/// How a picture should look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The width in pixels.
    pub width: u32,
    /// The colours.
    pub theme: Theme,
    /// Show only so many moves. The file carries the whole game all the same.
    pub up_to: Option<usize>,
    /// Play the moves one by one.
    pub animated: bool,
    /// A text below the picture; without it, who or what found the game.
    pub caption: Option<String>,
}

impl Picture {
    /// The same for the pictures of the puzzles, which stand still: nothing if it is to move.
    pub(crate) fn style(&self) -> Option<Style> {
        let Picture { width, up_to, ref caption, .. } = *self;
        let colours = match self.theme {
            Theme::Light | Theme::Age => Colours::LIGHT,
            Theme::Dark => Colours::DARK,
            Theme::Print => Colours::PRINT,
        };
        (!self.animated).then(|| Style { width, colours, up_to, caption: caption.clone() })
    }
}

impl Default for Picture {
    fn default() -> Self {
        Picture { width: 1000, theme: Theme::default(), up_to: None, animated: false, caption: None }
    }
}

/// The states that counting solutions may look at: about a second.
pub(crate) const NODES: u64 = 500_000;

/// The verdict on a constraint problem, whose score is 0 or 1 + its free cells.
pub(crate) fn cells_left(score: f64, proven: bool) -> String {
    match (score, proven) {
        (0.0, _) => "solved".to_owned(),
        (_, true) => "has no solution: every way was tried".to_owned(),
        (score, false) => format!("not solved; score {score} (1 + the cells that were free)"),
    }
}

/// A published result.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The score.
    pub score: f64,
    /// Who found it and when.
    pub holder: String,
    /// Whether it is proven that nothing is better.
    pub proven: bool,
    /// A proven bound: its score, and who proved it.
    pub bound: Option<(f64, String)>,
}

/// A game that was published as a record of its time or kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// A short name without blanks.
    pub id: String,
    /// The name people use.
    pub name: String,
    /// When it was found, if that is known.
    pub date: Option<String>,
    /// Its score.
    pub score: f64,
    /// Its moves, as people write them.
    pub moves: Vec<String>,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// How much two games have in common; symmetries, where a problem has them, are disregarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// None of the following.
    Different,
    /// Another way to the same position, or nearly so: the same dots of Morpion, joined by other lines.
    SamePosition,
    /// The same moves in another order.
    SameMoves,
    /// The same moves in the same order.
    SameGame,
}

impl Likeness {
    /// One word for programs: `game`, `moves`, `position` or `different`.
    pub fn word(self) -> &'static str {
        match self {
            Likeness::Different => "different",
            Likeness::SamePosition => "position",
            Likeness::SameMoves => "moves",
            Likeness::SameGame => "game",
        }
    }
}

/// What two games have in common, and the same in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How much.
    pub likeness: Likeness,
    /// In words, as in "the same lines in another order, turned by half".
    pub words: String,
}

impl Comparison {
    /// A comparison.
    pub fn new(likeness: Likeness, words: impl Into<String>) -> Self {
        Comparison { likeness, words: words.into() }
    }
}

/// What the rules say of a game that was read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The problem it is a game of.
    pub problem: String,
    /// Its moves, as people write them.
    pub moves: Vec<String>,
    /// What it is worth.
    pub certificate: Certificate,
    /// The format it was read from.
    pub format: &'static str,
    /// What the file says of its origin.
    pub provenance: Provenance,
    /// What a person should know of how the file was understood.
    pub notes: Vec<String>,
}

impl Verdict {
    /// The published record that the game equals, up to symmetry and the order of moves.
    pub fn record(&self, problem: &dyn Instance) -> Result<Option<(Published, Comparison)>, Illegal> {
        let candidates = problem.published().into_iter().filter(|game| game.score == self.certificate.score);
        for game in candidates {
            let comparison = problem.compare(&game.moves, &self.moves)?;
            if comparison.likeness >= Likeness::SameMoves {
                return Ok(Some((game, comparison)));
            }
        }
        Ok(None)
    }
}
