//! Why a request was not answered: a status, and one line that names culprit and remedy.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use nestling::Illegal;
use nestling_registry::{OpenError, ReadError, RunRefused, WriteError};
use nestling_store::{ResumeError, StoreError};
use serde_json::json;

/// The answer `{"error": reason}`.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub status: StatusCode,
    pub reason: String,
}

pub(crate) type Answer<T> = Result<T, Refusal>;

impl Refusal {
    pub fn new(status: StatusCode, reason: impl Into<String>) -> Self {
        Refusal { status, reason: reason.into() }
    }

    /// The request itself makes no sense.
    pub fn bad(reason: impl Into<String>) -> Self {
        Refusal::new(StatusCode::BAD_REQUEST, reason)
    }

    /// The request can be read, and asks for what cannot be done.
    pub fn impossible(reason: impl Into<String>) -> Self {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, reason)
    }

    pub fn missing(reason: impl Into<String>) -> Self {
        Refusal::new(StatusCode::NOT_FOUND, reason)
    }

    /// It does not go with the state things are in.
    pub fn conflict(reason: impl Into<String>) -> Self {
        Refusal::new(StatusCode::CONFLICT, reason)
    }

    /// There is too much of it already.
    pub fn busy(reason: impl Into<String>) -> Self {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, reason)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = format!("{}\n", json!({ "error": self.reason }));
        (self.status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
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

impl From<ResumeError> for Refusal {
    fn from(error: ResumeError) -> Self {
        match error {
            ResumeError::Store(error) => error.into(),
            error => Refusal::conflict(error.to_string()),
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

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NoRun { run, .. } => Refusal::missing(format!("there is no run {run}")),
            StoreError::Leased { .. } => Refusal::conflict(error.to_string()),
            StoreError::Busy { .. } => Refusal::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
            error => Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
        }
    }
}
