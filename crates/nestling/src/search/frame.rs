//! The state of an interrupted search.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::old;
use super::report::SearchReport;
use super::task::Task;
use crate::checkpoint::CheckpointError;
use crate::problem::Move;

/// Whether a state can be that of an interrupted search; if not, what is wrong with it.
pub type FrameCheck = Result<(), &'static str>;

/// An error of [`FrameCheck`].
pub(super) const ILLEGAL: &str = "one of its moves is not legal";

/// An error unless a condition holds.
pub(super) fn require(holds: bool, otherwise: &'static str) -> FrameCheck {
    if holds { Ok(()) } else { Err(otherwise) }
}

/// The state of an interrupted search: the tag of the search, a version, and the search's own state, whose type is erased.
///
/// In memory the state keeps its type; in a checkpoint it is bytes, which the resumed search reads again.
pub struct Frame<M> {
    tag: String,
    version: u32,
    state: FrameState,
    moves: PhantomData<fn() -> M>,
}

enum FrameState {
    Live(Box<dyn AnyState>),
    Bytes(Vec<u8>),
}

trait AnyState: Send + Sync {
    fn bytes(&self) -> postcard::Result<Vec<u8>>;
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

impl<T: Serialize + Send + Sync + 'static> AnyState for T {
    fn bytes(&self) -> postcard::Result<Vec<u8>> {
        postcard::to_stdvec(self)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

impl<M> Frame<M> {
    /// The frame of a state.
    pub fn new<T: Serialize + Send + Sync + 'static>(tag: impl Into<String>, version: u32, state: T) -> Self {
        Frame { tag: tag.into(), version, state: FrameState::Live(Box::new(state)), moves: PhantomData }
    }

    /// The tag of its search.
    pub(crate) fn tag(&self) -> &str {
        &self.tag
    }

    /// The state, or why it cannot be read.
    pub(crate) fn into_state<T: DeserializeOwned + 'static>(
        self,
        tag: &str,
        wanted: u32,
    ) -> Result<T, CheckpointError> {
        let damaged = |what: String| CheckpointError::Damaged(what);
        if self.tag != tag {
            return Err(damaged(format!("it has the state of {}, where that of {tag} is expected", self.tag)));
        }
        if self.version != wanted {
            return Err(CheckpointError::FrameVersion { search: self.tag, found: self.version, wanted });
        }
        match self.state {
            FrameState::Live(state) => match state.into_any().downcast() {
                Ok(state) => Ok(*state),
                Err(_) => Err(damaged(format!("its state of {tag} is of another type"))),
            },
            FrameState::Bytes(bytes) => {
                postcard::from_bytes(&bytes).map_err(|error| damaged(format!("its state of {tag}: {error}")))
            }
        }
    }
}

impl<M: Copy> Frame<M> {
    /// The state in a frame, if there is a frame. A state that comes from bytes is only returned if it passes the `check`: whoever can
    /// write a checkpoint can also give it the right checksum.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is not one that a search can have. The run was told and ends; the caller only has to return the report.
    pub fn open<T: DeserializeOwned + 'static>(
        frame: Option<Self>,
        tag: &str,
        version: u32,
        task: &Task<'_, M>,
        check: impl FnOnce(&T) -> FrameCheck,
    ) -> Result<Option<T>, Box<SearchReport<M>>> {
        let Some(frame) = frame else { return Ok(None) };
        let is_foreign = matches!(frame.state, FrameState::Bytes(_));
        let damaged = |what| CheckpointError::Damaged(format!("its state of {tag}: {what}"));
        let checked = frame.into_state(tag, version).and_then(|state| {
            if is_foreign {
                check(&state).map_err(damaged)?;
            }
            Ok(Some(state))
        });
        checked.map_err(|error| Box::new(task.fail(error.into())))
    }
}

impl<M> fmt::Debug for Frame<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "frame of {}", self.tag)
    }
}

#[derive(Serialize)]
struct Written<'a> {
    tag: &'a str,
    version: u32,
    #[serde(serialize_with = "as_bytes")]
    state: &'a [u8],
}

#[derive(Deserialize)]
struct Read {
    tag: String,
    version: u32,
    #[serde(deserialize_with = "from_bytes")]
    state: Vec<u8>,
}

fn as_bytes<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

fn from_bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    struct Bytes;
    impl serde::de::Visitor<'_> for Bytes {
        type Value = Vec<u8>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("bytes")
        }

        fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }

        fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
            Ok(bytes)
        }
    }
    deserializer.deserialize_byte_buf(Bytes)
}

impl<M> Serialize for Frame<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (tag, version) = (self.tag.as_str(), self.version);
        match &self.state {
            FrameState::Bytes(bytes) => Written { tag, version, state: bytes }.serialize(serializer),
            FrameState::Live(state) => {
                let bytes = state.bytes().map_err(S::Error::custom)?;
                Written { tag, version, state: &bytes }.serialize(serializer)
            }
        }
    }
}

impl<'de, M: Move> Deserialize<'de> for Frame<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if old::is_read() {
            return old::frame(deserializer);
        }
        let Read { tag, version, state } = Read::deserialize(deserializer)?;
        if tag.is_empty() || tag.contains(char::is_control) {
            return Err(D::Error::custom("a frame without a tag"));
        }
        Ok(Frame { tag, version, state: FrameState::Bytes(state), moves: PhantomData })
    }
}
