//! Why a request was not answered: a status, and one line that names culprit and remedy.

use nestling::Illegal;
use nestling_registry::{OpenError, ReadError, RunRefused, WriteError};
use serde_json::json;

/// A request that is not answered.
#[derive(Debug)]
pub struct Refusal {
    /// The status of HTTP.
    pub status: u16,
    /// One line for people.
    pub reason: String,
}

/// The most characters of a reason.
const LONGEST: usize = 1_500;

/// An answer, or why there is none.
pub type RequestResult<T> = Result<T, Refusal>;

impl Refusal {
    /// A refusal with a status of HTTP. The reason may quote what was sent: it is shortened, and control characters are replaced.
    pub fn new(status: u16, reason: impl Into<String>) -> Self {
        let mut reason = reason.into().replace(|letter: char| letter.is_control() && letter != '\n', "\u{fffd}");
        if let Some((end, _)) = reason.char_indices().nth(LONGEST) {
            reason.truncate(end);
            reason.push('…');
        }
        Refusal { status, reason }
    }

    /// The request itself makes no sense.
    pub fn bad(reason: impl Into<String>) -> Self {
        Refusal::new(400, reason)
    }

    /// The request can be read, and asks for what cannot be done.
    pub fn impossible(reason: impl Into<String>) -> Self {
        Refusal::new(422, reason)
    }

    /// What it asks for does not exist.
    pub fn missing(reason: impl Into<String>) -> Self {
        Refusal::new(404, reason)
    }

    /// It contradicts the present state.
    pub fn conflict(reason: impl Into<String>) -> Self {
        Refusal::new(409, reason)
    }

    /// Too much is going on already.
    pub fn busy(reason: impl Into<String>) -> Self {
        Refusal::new(429, reason)
    }

    /// The body of the reply: `{"error": reason}`.
    pub fn body(&self) -> String {
        format!("{}\n", json!({ "error": self.reason }))
    }
}

impl From<OpenError> for Refusal {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Unknown { .. } => Refusal::missing(error.to_string()),
            _ => Refusal::impossible(error.to_string()),
        }
    }
}

impl From<Illegal> for Refusal {
    fn from(illegal: Illegal) -> Self {
        Refusal::impossible(format!("illegal, {illegal}"))
    }
}

impl From<RunRefused> for Refusal {
    fn from(refused: RunRefused) -> Self {
        match refused {
            RunRefused::Problem(error) => error.into(),
            RunRefused::From(illegal) => illegal.into(),
            RunRefused::Device { reason, .. } => Refusal::impossible(reason),
            refused => Refusal::impossible(refused.to_string()),
        }
    }
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Illegal(illegal) => illegal.into(),
            error => Refusal::impossible(error.to_string()),
        }
    }
}

impl From<WriteError> for Refusal {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Illegal(illegal) => illegal.into(),
            error => Refusal::impossible(error.to_string()),
        }
    }
}
