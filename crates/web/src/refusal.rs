//! Why a request was not answered: a status, and one line that names culprit and remedy.

use axum::Extension;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use nestling_registry::{OpenError, RunRefused};
use nestling_store::{ResumeError, StoreError};

/// The answer `{"error": reason}`.
#[derive(Debug)]
pub(crate) struct Refusal(nestling_api::Refusal);

pub(crate) type Answer<T> = Result<T, Refusal>;

impl Refusal {
    pub fn new(status: StatusCode, reason: impl Into<String>) -> Self {
        Refusal(nestling_api::Refusal::new(status.as_u16(), reason))
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

    /// It contradicts the present state.
    pub fn conflict(reason: impl Into<String>) -> Self {
        Refusal::new(StatusCode::CONFLICT, reason)
    }

    /// Too much is going on already.
    pub fn busy(reason: impl Into<String>) -> Self {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, reason)
    }
}

/// Why a response is a refusal: for people, who get a page instead of JSON.
#[derive(Clone, Debug)]
pub(crate) struct RefusalReason(pub String);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = self.0.body();
        (status, [(header::CONTENT_TYPE, "application/json")], Extension(RefusalReason(self.0.reason)), body)
            .into_response()
    }
}

impl From<nestling_api::Refusal> for Refusal {
    fn from(refusal: nestling_api::Refusal) -> Self {
        Refusal(refusal)
    }
}

impl From<OpenError> for Refusal {
    fn from(error: OpenError) -> Self {
        Refusal(error.into())
    }
}

impl From<RunRefused> for Refusal {
    fn from(refused: RunRefused) -> Self {
        Refusal(refused.into())
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
