//! The bytes of a checkpoint: the identity of the run, and the stack of frames with its state.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::problem::{Move, Problem};
use crate::sealed::{SealedKind, Unread, checksum};
use crate::search::plan::Files;
use crate::search::{Frame, accelerated, old};

/// Changes whenever the encoding of frames changes; the meaning of a search's frames has its own version.
const FORMAT: u32 = 3;
/// The previous format, which is still read.
const OLD_FORMAT: u32 = 2;
const KIND: SealedKind = SealedKind { magic: *b"nestling", noun: "checkpoint", formats: &[OLD_FORMAT, FORMAT] };

/// Why a run cannot continue from a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// Not a checkpoint, or a damaged one.
    #[error("the checkpoint is damaged: {0}")]
    Damaged(String),
    /// Written by a version whose frames mean something else.
    #[error(
        "the checkpoint has format {found}, this version reads formats {OLD_FORMAT} and {FORMAT}; resume it with the version that wrote it"
    )]
    Format {
        /// The format of the checkpoint.
        found: u32,
    },
    /// Written by a version in which the state of a search meant something else.
    #[error(
        "the checkpoint has the state of {search} in version {found}, this program reads version {wanted}; resume it with the program that wrote it"
    )]
    FrameVersion {
        /// The algorithm.
        search: String,
        /// The version in the checkpoint.
        found: u32,
        /// The version that is read.
        wanted: u32,
    },
    /// The checkpoint belongs to another search, seed or start.
    #[error("the checkpoint belongs to another run: its {what} is {found}, here it is {wanted}")]
    OtherRun {
        /// The difference.
        what: &'static str,
        /// The value in the checkpoint.
        found: String,
        /// The value of this run.
        wanted: String,
    },
}

/// The identity of a run, apart from its problem's name, which the caller checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    pub search: String,
    pub seed: u64,
    /// The moves the run starts after, as text.
    pub from: Vec<String>,
    /// A checksum of the files the search mentions.
    pub weights: u64,
    /// A checksum of the problem's first legal moves, to tell problems apart.
    pub problem: u64,
}

/// A number that changes with the names and contents of the files.
pub(crate) fn fingerprint<P: Problem>(problem: &P, files: &Files<P::Move>) -> u64 {
    let (weights, games): (BTreeMap<_, _>, BTreeMap<_, _>) =
        (files.weights.iter().collect(), files.games.iter().collect());
    let weights = weights.iter().map(|(name, weights)| format!("{name}\n{weights}\n"));
    let games = games.iter().map(|(name, games)| {
        let games = games.iter().map(|game| problem.texts(game).join(" ") + "\n");
        format!("{name}\n{}", games.collect::<String>())
    });
    checksum(weights.chain(games).collect::<String>().as_bytes())
}

/// A number that tells problems apart by the moves they begin with.
pub(crate) fn first_moves<P: Problem>(problem: &P) -> u64 {
    let mut moves = Vec::new();
    problem.legal_moves(&mut moves);
    checksum(moves.iter().map(|&played| problem.move_text(played) + "\n").collect::<String>().as_bytes())
}

/// Encodes the frame of a run that has announced games up to the score `best`.
pub(crate) fn encode<M>(identity: &Identity, best: Option<f64>, frame: &Frame<M>) -> Result<Vec<u8>, String> {
    KIND.seal(&(identity, best, frame))
}

/// Decodes the frame of the search with this `tag`, or that of an accelerator if `tag` is none.
pub(crate) fn decode<M: Move>(
    bytes: &[u8],
    wanted: &Identity,
    tag: Option<&str>,
) -> Result<(Frame<M>, Option<f64>), CheckpointError> {
    let (frame, best) = decode_any(bytes, wanted)?;
    let (found, wanted) = (frame.tag() == accelerated::TAG, tag.is_none());
    if found != wanted {
        let device = |accelerated: bool| (if accelerated { "a GPU" } else { "the processor" }).to_owned();
        return Err(CheckpointError::OtherRun { what: "device", found: device(found), wanted: device(wanted) });
    }
    // A search that was given another search's frame must not silently start from the beginning.
    if tag.is_some_and(|tag| frame.tag() != tag) {
        return Err(CheckpointError::Damaged("its frames are of another search".to_owned()));
    }
    Ok((frame, best))
}

/// Decodes the frame of a run, whichever search wrote it.
pub(crate) fn decode_any<M: Move>(bytes: &[u8], wanted: &Identity) -> Result<(Frame<M>, Option<f64>), CheckpointError> {
    let (format, body) = KIND.open(bytes).map_err(|unread| match unread {
        Unread::Damaged(what) => CheckpointError::Damaged(what),
        Unread::Format(found) => CheckpointError::Format { found },
    })?;
    let read = || postcard::from_bytes(body);
    let contents = if format == OLD_FORMAT { old::read(read) } else { read() };
    let (identity, best, frame): (Identity, Option<f64>, Frame<M>) =
        contents.map_err(|error| CheckpointError::Damaged(error.to_string()))?;
    identity.matches(wanted)?;
    Ok((frame, best))
}

impl Identity {
    /// A number that tells runs apart.
    pub fn checksum(&self) -> u64 {
        checksum(&postcard::to_stdvec(self).expect("an identity is plain data"))
    }

    fn matches(&self, wanted: &Identity) -> Result<(), CheckpointError> {
        match self.difference(wanted) {
            Some((what, found, wanted)) => Err(CheckpointError::OtherRun { what, found, wanted }),
            None => Ok(()),
        }
    }

    /// The first difference from another identity: its name, the value here, and the value there.
    pub fn difference(&self, wanted: &Identity) -> Option<(&'static str, String, String)> {
        let pairs = [
            ("search", self.search.clone(), wanted.search.clone()),
            ("seed", self.seed.to_string(), wanted.seed.to_string()),
            ("problem's checksum", self.problem.to_string(), wanted.problem.to_string()),
            ("files' checksum", self.weights.to_string(), wanted.weights.to_string()),
            ("start", self.from.join(" "), wanted.from.join(" ")),
        ];
        let (what, found, wanted) = pairs.into_iter().find(|(_, found, wanted)| found != wanted)?;
        // Anything may stand in a file, and people read it.
        Some((what, found.replace(char::is_control, "\u{fffd}"), wanted))
    }
}
