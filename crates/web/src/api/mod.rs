//! What can be asked for. `openapi.json` describes it, and a test holds the two together.

mod about;
mod games;
mod problems;
mod puzzles;
mod runs;
mod searches;
mod tables;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, delete, get, post};

use crate::app::App;
use crate::{events, limits};

/// One thing that can be asked for.
pub(crate) struct Route {
    pub method: &'static str,
    pub path: &'static str,
    pub handler: MethodRouter<Arc<App>>,
}

/// All of them.
pub(crate) fn routes() -> Vec<Route> {
    let route = |method, path, handler| Route { method, path, handler };
    let large = || DefaultBodyLimit::max(limits::FILE);
    vec![
        route("get", "/api/openapi.json", get(description)),
        route("get", "/api/about", get(about::about)),
        route("get", "/report", get(about::report)),
        route("get", "/api/problems", get(problems::list)),
        route("get", "/api/problem", get(problems::one)),
        route("get", "/api/records", get(problems::records)),
        route("get", "/api/best", get(problems::best)),
        route("get", "/api/searches", get(searches::list)),
        route("post", "/api/puzzles", post(puzzles::open)),
        route("get", "/api/puzzles/solutions", get(puzzles::solutions)),
        route("get", "/api/collections", get(puzzles::collections)),
        route("get", "/api/table", get(tables::levels)),
        route("post", "/api/table/reply", post(tables::reply)),
        route("post", "/api/table/analysis", post(tables::analysis)),
        route("post", "/api/games/position", post(games::position)),
        route("post", "/api/games/open", post(games::open).layer(large())),
        route("post", "/api/games/export", post(games::export)),
        route("post", "/api/hint", post(searches::hint)),
        route("post", "/api/explain", post(searches::explain)),
        route("get", "/api/runs", get(runs::list)),
        route("post", "/api/runs", post(searches::begin)),
        route("get", "/api/runs/{id}", get(runs::one)),
        route("delete", "/api/runs/{id}", delete(runs::delete)),
        route("get", "/api/runs/{id}/export", get(runs::export)),
        route("post", "/api/runs/{id}/pause", post(searches::pause)),
        route("post", "/api/runs/{id}/resume", post(searches::resume)),
        route("post", "/api/runs/{id}/cancel", post(searches::cancel)),
        route("get", "/api/events", get(events::events)),
    ]
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
