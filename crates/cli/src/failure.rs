//! How commands end.

use std::process::ExitCode;

/// The exit codes every command uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// The verdict is negative.
    Negative = 1,
    /// Bad usage or unreadable input.
    Bad = 2,
    /// Interrupted by the user.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
