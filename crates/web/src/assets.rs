//! The pages, inside the binary. (A debug build reads them from the source, so that they can be worked on.)

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::refusal::Refusal;

#[derive(RustEmbed)]
#[folder = "assets"]
struct Assets;

/// The names of all pages, in order.
pub(crate) fn pages() -> Vec<String> {
    let mut names: Vec<String> =
        Assets::iter().filter_map(|file| file.strip_suffix(".html").map(str::to_owned)).collect();
    names.sort_unstable();
    names
}

/// Whether there is a page of this name.
pub(crate) fn is_page(name: &str) -> bool {
    Assets::get(&format!("{name}.html")).is_some()
}

/// A page or a part of one. Pages have addresses without an ending.
pub(crate) async fn asset(uri: Uri, headers: HeaderMap) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "morpion.html".to_owned(),
        path if path.contains('.') => path.to_owned(),
        path => format!("{path}.html"),
    };
    let Some(file) = Assets::get(&path) else {
        return Refusal::missing("there is no such page; / is the first").into_response();
    };
    let hash: String = file.metadata.sha256_hash()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}\"");
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let about =
        [(header::ETAG, tag.as_str()), (header::CACHE_CONTROL, "no-cache"), (header::CONTENT_TYPE, kind(&path))];
    if known { (StatusCode::NOT_MODIFIED, about).into_response() } else { (about, file.data).into_response() }
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        Some("webmanifest") => "application/manifest+json",
        _ => "text/plain; charset=utf-8",
    }
}
