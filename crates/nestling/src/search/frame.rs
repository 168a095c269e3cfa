//! Where a search was interrupted.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::old;
use super::task::{SearchReport, Task};
use crate::checkpoint::CheckpointError;
use crate::problem::Move;

/// Where a search was interrupted: a tag that says what it is of, a version, and the search's own state, with its type forgotten.
///
/// In memory the state stays what it is; written down it becomes bytes, and is read again by the search that takes it up.
pub struct Frame<M> {
    tag: String,
    version: u32,
    state: State,
    moves: PhantomData<fn() -> M>,
}

enum State {
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
        Frame { tag: tag.into(), version, state: State::Live(Box::new(state)), moves: PhantomData }
    }

    /// What it is a frame of.
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
            State::Live(state) => match state.into_any().downcast() {
                Ok(state) => Ok(*state),
                Err(_) => Err(damaged(format!("its state of {tag} is of another type"))),
            },
            State::Bytes(bytes) => {
                postcard::from_bytes(&bytes).map_err(|error| damaged(format!("its state of {tag}: {error}")))
            }
        }
    }
}

impl<M: Copy> Frame<M> {
    /// The state in a frame, if there is a frame.
    ///
    /// # Errors
    ///
    /// Where it cannot be read: the run has been told, and ends; the report is all that is left to return.
    pub fn open<T: DeserializeOwned + 'static>(
        frame: Option<Self>,
        tag: &str,
        version: u32,
        task: &Task<'_, M>,
    ) -> Result<Option<T>, Box<SearchReport<M>>> {
        let Some(frame) = frame else { return Ok(None) };
        frame.into_state(tag, version).map(Some).map_err(|error| Box::new(task.fail(error.into())))
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
            State::Bytes(bytes) => Written { tag, version, state: bytes }.serialize(serializer),
            State::Live(state) => {
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
        if tag.is_empty() {
            return Err(D::Error::custom("a frame without a tag"));
        }
        Ok(Frame { tag, version, state: State::Bytes(state), moves: PhantomData })
    }
}
