//! Reads games from files and writes them: which games a file has, in which format, and whether they are legal.

use std::borrow::Cow;

use nestling::{Certified, Illegal, Provenance};
use nestling_presentation::{Comparison, Likeness, Picture, Published};

use crate::Registry;
use crate::format::{self, Format, GameFile, ReadError, WriteError};
use crate::instance::Instance;

/// A game that was read from a file and verified by the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifiedGame {
    /// The problem it is a game of.
    pub problem: String,
    /// The game.
    pub game: Certified,
    /// The format it was read from.
    pub format: &'static str,
    /// The origin of the game, as the file gives it.
    pub provenance: Provenance,
    /// Notes on how the file was understood.
    pub notes: Vec<String>,
}

impl VerifiedGame {
    /// The published record that the game equals, up to symmetry and the order of moves.
    pub fn record(&self, problem: &dyn Instance) -> Result<Option<(Published, Comparison)>, Illegal> {
        let candidates = problem.published().into_iter().filter(|game| game.score == self.game.score());
        for game in candidates {
            let comparison = problem.compare(&problem.certify(&game.moves)?, &self.game)?;
            if comparison.likeness >= Likeness::SameMoves {
                return Ok(Some((game, comparison)));
            }
        }
        Ok(None)
    }
}

impl<S, W> Registry<S, W> {
    /// The games of a file: those that stand in it one after another, or all of it. Whether each can be read is for
    /// [`verify`](Registry::verify) to say.
    ///
    /// ```
    /// use nestling_registry::Registry;
    /// let file = b"(28,28)\n(28,24) | +2\n(28,28)\n(29,28) - -2\n";
    /// assert_eq!(Registry::standard().games(file), [&file[..21], &file[21..]]);
    /// ```
    pub fn games<'a>(&self, bytes: &'a [u8]) -> Vec<&'a [u8]> {
        // Several objects are not one JSON text, so that no format would recognise them.
        if format::is_json(bytes) {
            return format::objects(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
        }
        self.recognise(bytes).map_or_else(|_| vec![bytes], |format| format.split(bytes))
    }

    /// Finds the problem of a game file, and verifies the game by that problem's plain rules.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or holds several games, or the game is illegal.
    pub fn verify(&self, bytes: &[u8]) -> Result<VerifiedGame, ReadError> {
        let (format, game) = self.only_game(bytes)?;
        let sheet = format.read(game, None)?;
        if sheet.problem.contains(char::is_control) {
            return Err(ReadError::unreadable(format!("there is no problem {:?}", sheet.problem)));
        }
        let problem = self.open(&sheet.problem).map_err(|error| ReadError::unreadable(error.to_string()))?;
        judged(problem.as_ref(), format, sheet)
    }

    /// Reads a file as a game of this problem, where the file leaves that open, and replays it.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is a game of another problem, or the game is illegal.
    pub fn verify_as(&self, bytes: &[u8], problem: &dyn Instance) -> Result<VerifiedGame, ReadError> {
        let (format, game) = self.only_game(bytes)?;
        let sheet = format.read(game, Some(problem.name()))?;
        if sheet.problem != problem.name() {
            let reason = format!("a game of {}, not of {}", sheet.problem, problem.name());
            return Err(ReadError::unreadable(reason));
        }
        judged(problem, format, sheet)
    }

    /// The game of a file with one game, and its format.
    fn only_game<'a>(&self, bytes: &'a [u8]) -> Result<(&dyn Format, &'a [u8]), ReadError> {
        match self.games(bytes)[..] {
            [game] => Ok((self.recognise(game)?, game)),
            ref games => {
                let count = games.len();
                Err(ReadError::Unreadable(format!("contains {count} games; expected only one")))
            }
        }
    }

    pub(crate) fn recognise(&self, bytes: &[u8]) -> Result<&dyn Format, ReadError> {
        // Ours names its problem in the first line; the rest of it may look like anyone's.
        let [named, others @ ..] = format::COMMON;
        let own = self.own_formats.iter().map(Box::as_ref);
        let mut order = std::iter::once(named).chain(own).chain(others);
        order.find(|format| format.recognises(bytes)).ok_or_else(|| {
            if bytes.trim_ascii().is_empty() {
                return ReadError::Unreadable("the text is empty".to_owned());
            }
            let names: Vec<_> = self.all_formats().map(Format::name).collect();
            let what = format::looks(bytes).unwrap_or_else(|| "line 1: not the beginning of a game".to_owned());
            ReadError::Unreadable(format!("{what}; known formats: {}", names.join(", ")))
        })
    }

    /// Writes a game. One that was kept as texts is replayed first.
    ///
    /// # Errors
    ///
    /// When the problem cannot be written in this format, or the rules refuse the game.
    pub fn write(
        &self,
        format: &dyn Format,
        problem: &dyn Instance,
        game: &Certified,
        provenance: &Provenance,
        picture: &Picture,
    ) -> Result<Vec<u8>, WriteError> {
        let game = replayed(problem, game)?;
        let sheet = GameFile {
            problem: problem.name().to_owned(),
            moves: game.texts().to_vec(),
            score: Some(game.score()),
            provenance: provenance.clone().tidied(),
            notes: Vec::new(),
        };
        format.write(&sheet, &game, problem, picture)
    }
}

/// A game that this process has replayed, itself or now.
fn replayed<'a>(problem: &dyn Instance, game: &'a Certified) -> Result<Cow<'a, Certified>, WriteError> {
    if game.is_replayed() {
        return Ok(Cow::Borrowed(game));
    }
    let again = problem.certify(game.texts())?;
    if again.score() != game.score() {
        return Err(WriteError::Score { claimed: game.score(), found: again.score() });
    }
    Ok(Cow::Owned(again))
}

/// Verifies a sheet by the rules. A score that contradicts the moves is an error.
fn judged(problem: &dyn Instance, format: &dyn Format, sheet: GameFile) -> Result<VerifiedGame, ReadError> {
    let game = problem.certify(&sheet.moves)?;
    if let Some(claimed) = sheet.score.filter(|&claimed| claimed != game.score()) {
        let score = game.score();
        return Err(ReadError::Unreadable(format!("the file claims score {claimed}, but its moves score {score}")));
    }
    let (problem, format) = (problem.name().to_owned(), format.name());
    Ok(VerifiedGame { problem, game, format, provenance: sheet.provenance, notes: sheet.notes })
}
