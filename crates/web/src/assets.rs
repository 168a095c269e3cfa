//! The pages, inside the binary. (A debug build reads them from the source, so that they can be worked on.)

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hasher};

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::refusal::Refusal;

#[derive(RustEmbed)]
#[folder = "assets"]
struct Assets;

/// Where the parts are that pages share.
const PARTS: &str = "parts/";

/// The page that opens first.
const FIRST: &str = "morpion";

/// The names of all pages, in order.
pub(crate) fn pages() -> Vec<String> {
    let page =
        |file: Cow<'static, str>| file.strip_suffix(".html").filter(|name| !name.contains('/')).map(str::to_owned);
    let mut names: Vec<String> = Assets::iter().filter_map(page).collect();
    names.sort_unstable();
    names
}

/// Whether there is a page of this name.
pub(crate) fn is_page(name: &str) -> bool {
    !name.contains('/') && Assets::get(&format!("{name}.html")).is_some()
}

/// A page or a part of one. Pages have addresses without an ending.
pub(crate) async fn asset(uri: Uri, headers: HeaderMap) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => FIRST,
        path => path,
    };
    let Some((data, kind)) = page(path).or_else(|| file(path)) else {
        return Refusal::missing("there is no such page; start at /").into_response();
    };
    let mut hasher = DefaultHasher::new();
    hasher.write(&data);
    let tag = format!("\"{:016x}\"", hasher.finish());
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let about = [(header::ETAG, tag.as_str()), (header::CACHE_CONTROL, "no-cache"), (header::CONTENT_TYPE, kind)];
    if known { (StatusCode::NOT_MODIFIED, about).into_response() } else { (about, data).into_response() }
}

/// What is sent, and what it is.
type Sent = (Cow<'static, [u8]>, &'static str);

fn file(path: &str) -> Option<Sent> {
    let kind = match path.rsplit_once('.')?.1 {
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => return None,
    };
    Some((Assets::get(path)?.data, kind))
}

/// A page put together: its lines, with what it shares in place of `<!-- parts/… -->`.
fn page(name: &str) -> Option<Sent> {
    let own = is_page(name).then(|| text(&format!("{name}.html")))??;
    let mut html = String::new();
    for line in own.lines() {
        let part = line.trim().strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->"));
        match part.filter(|part| part.starts_with(PARTS)).and_then(text) {
            Some(part) => html += &part,
            None => html.extend([line, "\n"]),
        }
    }
    let address = if name == FIRST { "" } else { name };
    let link = format!("<a href=\"/{address}\"");
    let preload = |module: String| format!("<link rel=\"modulepreload\" href=\"/{module}\">\n");
    let html = html
        .replace(&link, &format!("{link} aria-current=\"page\""))
        .replace("<!-- modules -->\n", &modules(name).into_iter().map(preload).collect::<String>())
        .replace("{page}", name);
    Some((html.into_bytes().into(), "text/html; charset=utf-8"))
}

fn text(path: &str) -> Option<String> {
    String::from_utf8(Assets::get(path)?.data.into_owned()).ok()
}

/// The modules that a page imports, and those that they import. It names them in its head, so that the browser need not find them one
/// after the other.
fn modules(page: &str) -> Vec<String> {
    let mut found = vec![format!("{page}/main.js")];
    let mut next = 0;
    while let Some(module) = found.get(next).cloned() {
        next += 1;
        let folder = module.rsplit_once('/').map_or("", |(folder, _)| folder);
        for line in text(&module).unwrap_or_default().lines() {
            let path = line.split_once(" from '").and_then(|(_, rest)| rest.split_once('\'')).map(|(path, _)| path);
            let imported = path.and_then(|path| match path.strip_prefix("./") {
                Some(beside) => Some(format!("{folder}/{beside}")),
                None => path.strip_prefix("../").map(str::to_owned),
            });
            found.extend(imported.filter(|imported| !found.contains(imported)));
        }
    }
    found.split_off(1)
}
