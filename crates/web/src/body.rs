//! Requests in, JSON out. What cannot be read is refused in the same words everywhere.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::limits;
use crate::refusal::{Answer, Refusal};

/// A body with the content type JSON, which a form on another site's page cannot send.
pub(crate) struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        must_be_json(&request)?;
        let File(bytes) = File::from_request(request, state).await?;
        Ok(Body(nestling_api::read_json(&bytes)?))
    }
}

/// Refuses a body that does not say that it is JSON.
pub(crate) fn must_be_json(request: &Request) -> Answer<()> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().map(str::trim) == Some("application/json") {
        return Ok(());
    }
    let reason = "the body must be JSON, and the header Content-Type application/json";
    Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, reason))
}

/// A body as it is.
pub(crate) struct File(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for File {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let read = tokio::time::timeout(limits::PATIENCE, Bytes::from_request(request, state)).await;
        let read = read.map_err(|_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time"))?;
        read.map(File).map_err(|error| Refusal::new(error.status(), format!("the body: {}", error.body_text())))
    }
}

/// The text behind the question mark.
pub(crate) struct QueryParameters<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for QueryParameters<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let read = Query::from_request_parts(parts, state).await;
        read.map(|Query(asked)| QueryParameters(asked)).map_err(|error| {
            // The library's own words come after the first colon.
            let text = error.body_text();
            let reason = text.split_once(": ").map_or(text.as_str(), |(_, reason)| reason);
            Refusal::bad(format!("the address, behind the question mark: {reason}"))
        })
    }
}

/// The number of a run in the path.
pub(crate) struct RunId(pub i64);

impl<S: Send + Sync> FromRequestParts<S> for RunId {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let text = Path::<String>::from_request_parts(parts, state).await;
        let number = text.ok().and_then(|Path(text)| text.parse().ok());
        number.map(RunId).ok_or_else(|| Refusal::missing("there is no such run; give the number of a run"))
    }
}

/// An answer as JSON.
pub(crate) struct Json(pub Value);

impl IntoResponse for Json {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], format!("{}\n", self.0)).into_response()
    }
}
