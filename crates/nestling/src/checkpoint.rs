//! The bytes of a checkpoint: what ran, and the stack of frames where it stands.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::problem::{Move, Problem};
use crate::search::plan::Files;
use crate::search::{Frame, accelerated, old};

/// Changes whenever the way frames are written does; their meaning has versions of its own.
const FORMAT: u32 = 3;
/// The format before, which is still read.
const OLD_FORMAT: u32 = 2;
const MAGIC: [u8; 8] = *b"nestling";

/// A checkpoint that this run cannot go on from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
    /// Of another search, seed or start.
    #[error("the checkpoint is of another run: its {what} is {found}, here it is {wanted}")]
    OtherRun {
        /// What differs.
        what: &'static str,
        /// What the checkpoint says.
        found: String,
        /// What the run says.
        wanted: String,
    },
}

/// What identifies a run, apart from its problem's name, which the caller knows.
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

/// The frame of a run that has announced games up to the score `best`.
pub(crate) fn encode<M>(identity: &Identity, best: Option<f64>, frame: &Frame<M>) -> Result<Vec<u8>, String> {
    let mut header = MAGIC.to_vec();
    header.extend(FORMAT.to_le_bytes());
    let sum = header.len()..header.len() + size_of::<u64>();
    header.resize(sum.end, 0);
    // A tree takes many megabytes, so its bytes are written once and in their place.
    let mut bytes = postcard::to_extend(&(identity, best, frame), header).map_err(|error| error.to_string())?;
    let found = checksum(&bytes[sum.end..]);
    bytes[sum].copy_from_slice(&found.to_le_bytes());
    Ok(bytes)
}

/// The frame of a search known by `tag`, or that of an accelerator where there is none.
pub(crate) fn decode<M: Move>(
    bytes: &[u8],
    wanted: &Identity,
    tag: Option<&str>,
) -> Result<(Frame<M>, Option<f64>), CheckpointError> {
    let damaged = |what: &str| CheckpointError::Damaged(what.to_owned());
    let rest = bytes.strip_prefix(&MAGIC).ok_or_else(|| damaged("it does not begin like a checkpoint"))?;
    let (format, rest) = rest.split_first_chunk().ok_or_else(|| damaged("it ends in its header"))?;
    let format = u32::from_le_bytes(*format);
    if ![OLD_FORMAT, FORMAT].contains(&format) {
        return Err(CheckpointError::Format { found: format });
    }
    let (sum, body) = rest.split_first_chunk().ok_or_else(|| damaged("it ends in its header"))?;
    if u64::from_le_bytes(*sum) != checksum(body) {
        return Err(damaged("its checksum does not match"));
    }
    let read = || postcard::from_bytes(body);
    let contents = if format == OLD_FORMAT { old::read(read) } else { read() };
    let (identity, best, frame): (Identity, Option<f64>, Frame<M>) =
        contents.map_err(|error| CheckpointError::Damaged(error.to_string()))?;
    identity.matches(wanted)?;
    let (found, wanted) = (frame.tag() == accelerated::TAG, tag.is_none());
    if found != wanted {
        let device = |accelerated: bool| (if accelerated { "a GPU" } else { "the processor" }).to_owned();
        return Err(CheckpointError::OtherRun { what: "device", found: device(found), wanted: device(wanted) });
    }
    // A search that was handed another's frame must not silently start again.
    if tag.is_some_and(|tag| frame.tag() != tag) {
        return Err(damaged("its frames are of another search"));
    }
    Ok((frame, best))
}

impl Identity {
    fn matches(&self, wanted: &Identity) -> Result<(), CheckpointError> {
        let differs = |what, found: &dyn ToString, wanted: &dyn ToString| {
            Err(CheckpointError::OtherRun { what, found: found.to_string(), wanted: wanted.to_string() })
        };
        if self.search != wanted.search {
            return differs("search", &self.search, &wanted.search);
        }
        if self.seed != wanted.seed {
            return differs("seed", &self.seed, &wanted.seed);
        }
        if self.problem != wanted.problem {
            return differs("problem's checksum", &self.problem, &wanted.problem);
        }
        if self.weights != wanted.weights {
            return differs("files' checksum", &self.weights, &wanted.weights);
        }
        if self.from != wanted.from {
            return differs("start", &self.from.join(" "), &wanted.from.join(" "));
        }
        Ok(())
    }
}

/// FNV-1a, 64 bits: against accidents, not against malice.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
