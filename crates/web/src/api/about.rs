//! The server itself, and the lab's report.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;

use crate::app::App;
use crate::body::{Json, QueryParameters};
use crate::jobs;
use crate::refusal::{Answer, Refusal};

/// A page from outside: it may have its own styles, but no scripts.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

pub(crate) async fn about(State(app): State<Arc<App>>) -> Json {
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "threads": jobs::threads(),
        "report": app.report.is_some(),
    }))
}

/// Seconds until a report that is watched is made again.
const PULSE: u32 = 10;

#[derive(Deserialize)]
pub(crate) struct Watched {
    /// Whether the page loads itself again, for those who watch `lab run`.
    #[serde(default)]
    watch: bool,
}

/// The lab's report, as it stands now.
pub(crate) async fn report(
    State(app): State<Arc<App>>,
    QueryParameters(Watched { watch }): QueryParameters<Watched>,
) -> Answer<Response> {
    let report = app.report.clone().ok_or_else(|| Refusal::missing("there is no report here"))?;
    let page = app.work(move |app| Ok(report(&app.connect()?, &app.registry)?)).await?;
    let about = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)];
    let mut response = (about, page).into_response();
    if watch {
        response.headers_mut().insert(header::REFRESH, PULSE.into());
    }
    Ok(response)
}
