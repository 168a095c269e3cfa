//! The server itself, and the lab's report.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::app::App;
use crate::body::Json;
use crate::jobs;
use crate::refusal::{Answer, Refusal};

/// A page that somebody else has written: styles of its own, and nothing that runs.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

pub(crate) async fn about(State(app): State<Arc<App>>) -> Json {
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "threads": jobs::threads(),
        "report": app.report.is_some(),
    }))
}

/// The lab's report, as it stands now.
pub(crate) async fn report(State(app): State<Arc<App>>) -> Answer<Response> {
    let report = app.report.clone().ok_or_else(|| Refusal::missing("there is no report here"))?;
    let page = app.work(move |app| Ok(report(&app.connect()?, &app.registry)?)).await?;
    let about = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)];
    Ok((about, page).into_response())
}
