//! The requests. `openapi.json` describes them; a test compares both.

mod about;
mod problems;
mod runs;
mod searches;
mod shared;

use std::sync::Arc;

use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, delete, get, post};

use crate::app::App;
use crate::events;

/// One thing that can be asked for.
pub(crate) struct Route {
    pub method: &'static str,
    pub path: &'static str,
    pub handler: MethodRouter<Arc<App>>,
}

/// All of them.
pub(crate) fn routes() -> Vec<Route> {
    let route = |method, path, handler| Route { method, path, handler };
    let own = vec![
        route("get", "/api/openapi.json", get(description)),
        route("get", "/api/about", get(about::about)),
        route("get", "/report", get(about::report)),
        route("get", "/api/records", get(problems::records)),
        route("get", "/api/best", get(problems::best)),
        route("get", "/api/runs", get(runs::list)),
        route("post", "/api/runs", post(searches::begin)),
        route("get", "/api/runs/{id}", get(runs::one)),
        route("delete", "/api/runs/{id}", delete(runs::delete)),
        route("get", "/api/runs/{id}/export", get(runs::export)),
        route("get", "/api/runs/{id}/finds", get(runs::finds)),
        route("post", "/api/runs/{id}/pause", post(searches::pause)),
        route("post", "/api/runs/{id}/resume", post(searches::resume)),
        route("post", "/api/runs/{id}/cancel", post(searches::cancel)),
        route("get", "/api/events", get(events::events)),
    ];
    own.into_iter().chain(nestling_api::ROUTES.iter().map(shared::route)).collect()
}

/// The method and path of everything that can be asked for.
///
/// ```
/// assert!(nestling_web::endpoints().contains(&("get", "/api/openapi.json")));
/// ```
pub fn endpoints() -> Vec<(&'static str, &'static str)> {
    routes().iter().map(|route| (route.method, route.path)).collect()
}

async fn description() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], include_str!("../../openapi.json"))
}
