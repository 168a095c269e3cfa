//! Requests in, JSON out. What cannot be read is refused in the same words everywhere.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::limits;
use crate::refusal::Refusal;

/// A body that is JSON and says so: a form on a page elsewhere cannot.
pub(crate) struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let kind =
            request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if kind.split(';').next().map(str::trim) != Some("application/json") {
            let reason = "the body must be JSON, and the header Content-Type application/json";
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, reason));
        }
        let File(bytes) = File::from_request(request, state).await?;
        let mut json = serde_json::Deserializer::from_slice(&bytes);
        let read = object(&mut json).and_then(|read| json.end().map(|()| read));
        read.map(Body).map_err(|error| Refusal::bad(format!("the body cannot be understood: {error}")))
    }
}

/// What an object says. (A list of values would do for a struct too, and mean nobody knows what.)
pub(crate) fn object<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<T, D::Error> {
    let object = Map::deserialize(from)?;
    T::deserialize(Value::Object(object)).map_err(D::Error::custom)
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

/// What stands behind the question mark.
pub(crate) struct Asked<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let read = Query::from_request_parts(parts, state).await;
        read.map(|Query(asked)| Asked(asked)).map_err(|error| Refusal::bad(error.body_text()))
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
