//! Files for `weights=` and `warm=`: weights, with moves by code or by text, or games to follow.

use nestling::{Certified, Illegal, MoveName, Weights, WeightsError, WeightsLine};

use crate::Registry;
use crate::format::{COMMON, is_json, shown, utf8};
use crate::instance::Instance;
use crate::pasted::shortened;

/// The first line of a file of weights may name the problem, so that weights of one problem are not taken for those of another.
const HEADER: &str = "# weights: ";

/// The same of a file with a network. A network that was trained on one problem may be used on others with the same features.
const NETWORK_HEADER: &str = "# network: ";

/// Why a file has no weights for a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsRefused {
    /// It looks like weights, and a line makes no sense.
    #[error("not a file of weights: {0}")]
    Line(#[from] WeightsError),
    /// It is not text.
    #[error("neither a file of weights nor of games: it is not text")]
    NotText,
    /// There is nothing in it.
    #[error("the file has neither weights nor games")]
    Empty,
    /// The weights are another problem's.
    #[error("weights of {found}, not of {wanted}; without its first line the file is read for any problem")]
    OtherProblem {
        /// The problem that the file names.
        found: String,
        /// The problem that is searched.
        wanted: String,
    },
    /// The network knows other features than the moves of the problem have.
    #[error("a network for {found} features, and moves of this problem have {}; train one on this problem with `nestling learn`", if *.wanted == 0 { "none".to_owned() } else { .wanted.to_string() })]
    OtherFeatures {
        /// The features that the network knows.
        found: usize,
        /// Those of the problem.
        wanted: usize,
    },
    /// No game has a move that can be played.
    #[error("none of its moves can be played from this start")]
    NothingToFollow,
    /// The game to start from is illegal.
    #[error("the game to start from is illegal: {0}")]
    Start(Illegal),
    /// A game to follow is illegal.
    #[error(transparent)]
    Illegal(#[from] Illegal),
}

impl<S, W> Registry<S, W> {
    /// Whether a file for `weights=` or `warm=` is to be read as [weights](read_weights); otherwise it is read as
    /// [games](Registry::games). A file contains weights if its first line says so, or if no format of games reads it. A text that some format of
    /// games recognises is weights all the same where a line is a move of the problem and a number: lines of Morpion's games begin
    /// like those of its weights.
    pub fn holds_weights(&self, bytes: &[u8], problem: &dyn Instance) -> bool {
        let Ok(text) = utf8(bytes) else { return !self.is_game(bytes) };
        let [named, ..] = COMMON;
        let is_weight = |line: &str| match WeightsLine::read(line) {
            Ok(Some(WeightsLine { name: MoveName::Text(text), .. })) => problem.code_of(&text).is_ok(),
            _ => false,
        };
        text.starts_with(HEADER)
            || text.starts_with(NETWORK_HEADER)
            || !self.is_game(bytes)
            || !named.recognises(bytes) && text.lines().any(is_weight)
    }

    fn is_game(&self, bytes: &[u8]) -> bool {
        is_json(bytes) || self.recognise(bytes).is_ok()
    }
}

/// Weights as files have them. A file may begin with the line `# weights: PROBLEM`.
///
/// ```
/// use nestling_registry::{Registry, read_weights, weights_header};
/// let problem = Registry::standard().open("sudoku:seed=1").unwrap();
/// let text = problem.legal_moves(&problem.certify(&[]).unwrap()).unwrap().remove(0);
/// let weights = read_weights(format!("{}{text} 2.5\n", weights_header(problem.as_ref())).as_bytes(), problem.as_ref())?;
/// assert_eq!(weights.get(problem.code_of(&text).unwrap()), 2.5);
/// # Ok::<(), nestling_registry::WeightsRefused>(())
/// ```
///
/// # Errors
///
/// When a line makes no sense, the weights or the network are another problem's, or there are none.
pub fn read_weights(bytes: &[u8], problem: &dyn Instance) -> Result<Weights, WeightsRefused> {
    let text = utf8(bytes).map_err(|_| WeightsRefused::NotText)?;
    let named = text.lines().next().and_then(|line| line.strip_prefix(HEADER)).map(str::trim);
    if let Some(found) = named.filter(|&found| found != problem.name()) {
        let (found, wanted) = (shown(&shortened(found), 80), shortened(problem.name()).into_owned());
        return Err(WeightsRefused::OtherProblem { found, wanted });
    }
    let weights = Weights::read(text, |text| problem.code_of(text))?;
    let wanted = problem.feature_count();
    if let Some(found) = weights.network().map(|network| network.features()).filter(|&found| found != wanted) {
        return Err(WeightsRefused::OtherFeatures { found, wanted });
    }
    if weights.is_empty() { Err(WeightsRefused::Empty) } else { Ok(weights) }
}

/// The weights of a policy that plays like some games, as far as their moves can be played after `start`.
///
/// # Errors
///
/// When a game or the start is illegal, or there is no game.
pub fn weights_of_games(
    games: &[Certified],
    problem: &dyn Instance,
    start: &[String],
) -> Result<Weights, WeightsRefused> {
    let start = problem.certify(start).map_err(WeightsRefused::Start)?;
    let weights = problem.weights_towards(games, &start)?;
    if weights.is_empty() { Err(WeightsRefused::NothingToFollow) } else { Ok(weights) }
}

/// The first line of a file with a network that was trained on a problem.
pub fn network_header(problem: &str) -> String {
    format!("{NETWORK_HEADER}{problem}\n")
}

/// The first line of a file of weights for a problem.
pub fn weights_header(problem: &dyn Instance) -> String {
    format!("{HEADER}{}\n", problem.name())
}
