//! The requests of the app that need only the [registry](nestling_registry::Registry): problems, positions, files, puzzles, hints, games for
//! two. Bytes in, bytes out, with no network: the server answers with these functions, and so does the page that has no server.
//!
//! What needs a store (runs, records found here) is not here.

mod games;
mod limits;
mod problems;
mod puzzles;
mod refusal;
mod searches;
mod tables;

use std::collections::BTreeMap;

use nestling::{Cancel, Outcome, RunError};
use nestling_registry::{Ready, Registry};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

pub use limits::{check_search, check_spec};
pub use refusal::{Refusal, RequestResult};
pub use searches::{checked, decided};

/// Who answers: what a request needs beside its own words.
pub trait Host {
    /// The problems and searches.
    fn registry(&self) -> &Registry;
    /// How many threads an answer may take.
    fn threads(&self) -> usize;
    /// Pressed when nobody waits for the answer any more.
    fn cancel(&self) -> Cancel;
    /// Makes a short search with a budget in time.
    ///
    /// # Errors
    ///
    /// As [`Ready::start`].
    fn solve(&self, ready: &Ready) -> Result<Outcome, RunError>;
}

/// One request.
pub struct Request<'a> {
    /// What stands behind the question mark of its address.
    pub query: &'a BTreeMap<String, String>,
    /// JSON, or a file.
    pub body: &'a [u8],
}

impl Request<'_> {
    /// Its query as the fields of an object.
    fn asked<T: DeserializeOwned>(&self) -> RequestResult<T> {
        let fields = self.query.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str())));
        T::deserialize(Value::Object(fields.collect())).map_err(|error| Refusal::bad(format!("the address: {error}")))
    }

    /// Its body as JSON.
    fn json<T: DeserializeOwned>(&self) -> RequestResult<T> {
        read_json(self.body)
    }
}

/// Reads the body of a request.
///
/// # Errors
///
/// When it is not an object with these fields.
pub fn read_json<T: DeserializeOwned>(body: &[u8]) -> RequestResult<T> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let read = object(&mut json).and_then(|read| json.end().map(|()| read));
    read.map_err(|error| Refusal::bad(format!("the body cannot be understood: {error}")))
}

/// Reads an object. (Serde would accept a list of values for a struct too, whose meaning depends on their order.)
fn object<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<T, D::Error> {
    let object = Map::deserialize(from)?;
    T::deserialize(Value::Object(object)).map_err(D::Error::custom)
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    /// Its media type.
    pub kind: &'static str,
    /// The name of the file, if it is one to be saved.
    pub name: Option<String>,
    /// Its bytes.
    pub body: Vec<u8>,
}

impl From<Value> for Reply {
    fn from(value: Value) -> Self {
        Reply { kind: "application/json", name: None, body: format!("{value}\n").into_bytes() }
    }
}

impl Reply {
    /// A file to be saved.
    pub fn file(name: String, ending: &str, body: impl Into<Vec<u8>>) -> Self {
        let kind = match ending {
            "svg" => "image/svg+xml",
            "png" => "image/png",
            "gif" => "image/gif",
            "pdf" => "application/pdf",
            "json" | "msr" => "application/json",
            "csv" => "text/csv; charset=utf-8",
            _ => "text/plain; charset=utf-8",
        };
        Reply { kind, name: Some(name), body: body.into() }
    }
}

/// How much work an answer may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effort {
    /// Some milliseconds.
    Look,
    /// As long as somebody waits for it.
    Think,
    /// A short search.
    Search,
}

/// A request that can be made.
#[derive(Clone, Copy)]
pub struct Route {
    /// `get` or `post`.
    pub method: &'static str,
    /// The path of its address.
    pub path: &'static str,
    /// How much work the answer may be.
    pub effort: Effort,
    /// Whether its body is a file, and not JSON.
    pub takes_file: bool,
    /// Answers it.
    pub answer: fn(&dyn Host, &Request<'_>) -> RequestResult<Reply>,
}

/// All requests.
pub const ROUTES: &[Route] = &[
    route("get", "/api/problems", Effort::Look, problems::list),
    route("get", "/api/problem", Effort::Look, problems::one),
    route("get", "/api/searches", Effort::Look, searches::list),
    route("post", "/api/puzzles", Effort::Look, puzzles::open),
    route("get", "/api/puzzles/solutions", Effort::Look, puzzles::solutions),
    route("get", "/api/puzzles/new", Effort::Think, puzzles::generated),
    route("get", "/api/puzzles/book", Effort::Think, puzzles::bound),
    route("post", "/api/puzzles/mistakes", Effort::Think, puzzles::mistakes),
    route("post", "/api/puzzles/reasons", Effort::Think, puzzles::reasons),
    route("get", "/api/collections", Effort::Look, puzzles::collections),
    route("get", "/api/table", Effort::Look, tables::levels),
    route("post", "/api/table/reply", Effort::Think, tables::reply),
    route("post", "/api/table/analysis", Effort::Think, tables::analysis),
    route("post", "/api/games/position", Effort::Look, games::position),
    Route { takes_file: true, ..route("post", "/api/games/open", Effort::Look, games::open) },
    route("post", "/api/games/export", Effort::Look, games::export),
    route("post", "/api/hint", Effort::Search, searches::hint),
    route("post", "/api/explain", Effort::Look, searches::explain),
];

const fn route(
    method: &'static str,
    path: &'static str,
    effort: Effort,
    answer: fn(&dyn Host, &Request<'_>) -> RequestResult<Reply>,
) -> Route {
    Route { method, path, effort, takes_file: false, answer }
}
