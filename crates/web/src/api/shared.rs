//! The requests that need only the registry, which the page without a server answers by itself with the same functions.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use nestling::{Cancel, Outcome, RunError};
use nestling_api::{Effort, Host, Reply};
use nestling_registry::{Controls, Ready, Registry};

use super::Route;
use crate::app::{App, CancelOnDrop, spawn_blocking};
use crate::body::{File, QueryParameters, must_be_json};
use crate::jobs;
use crate::limits;
use crate::refusal::{Answer, Refusal};

/// Such a request as one of the server's.
pub(super) fn route(shared: &'static nestling_api::Route) -> Route {
    let answer = move |State(app): State<Arc<App>>,
                       asked: QueryParameters<BTreeMap<String, String>>,
                       request: Request| async move { answered(shared, app, asked, request).await };
    let handler = if shared.method == "get" { get(answer) } else { post(answer) };
    let handler = if shared.takes_file { handler.layer(DefaultBodyLimit::max(limits::FILE)) } else { handler };
    Route { method: shared.method, path: shared.path, handler }
}

async fn answered(
    shared: &'static nestling_api::Route,
    app: Arc<App>,
    QueryParameters(query): QueryParameters<BTreeMap<String, String>>,
    request: Request,
) -> Answer<Response> {
    if shared.method == "post" && !shared.takes_file {
        must_be_json(&request)?;
    }
    let File(body) = File::from_request(request, &()).await?;
    let wanted = CancelOnDrop::default();
    let cancel = wanted.cancel();
    let answer = move |app: &App| {
        let request = nestling_api::Request { query: &query, body: &body };
        (shared.answer)(&Desk { app, cancel }, &request)
    };
    let reply = match shared.effort {
        Effort::Look => app.work(move |app| Ok(answer(app)?)).await?,
        Effort::Think => app.work(move |app| Ok(jobs::at_low_priority(|| answer(app))?)).await?,
        // A search, and whatever else may take longer.
        _ => {
            let busy = "several hints are being computed already; wait a second";
            let _permit = app.hints.try_acquire().map_err(|_| Refusal::busy(busy))?;
            let app = Arc::clone(&app);
            spawn_blocking(move || Ok(jobs::at_low_priority(|| answer(&app))?)).await?
        }
    };
    Ok(sent(reply))
}

/// A reply as the server sends it.
pub(super) fn sent(Reply { kind, name, body }: Reply) -> Response {
    let kind = [(header::CONTENT_TYPE, kind)];
    match name {
        Some(name) => {
            (kind, [(header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""))], body).into_response()
        }
        None => (kind, body).into_response(),
    }
}

/// The server, while it answers one request.
struct Desk<'a> {
    app: &'a App,
    cancel: Cancel,
}

impl Host for Desk<'_> {
    fn registry(&self) -> &Registry {
        &self.app.registry
    }

    fn threads(&self) -> usize {
        jobs::threads()
    }

    fn cancel(&self) -> Cancel {
        self.cancel.clone()
    }

    fn solve(&self, ready: &Ready) -> Result<Outcome, RunError> {
        ready.start(Controls { cancel: self.cancel(), ..Controls::default() })
    }
}
