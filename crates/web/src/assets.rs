//! The pages, inside the binary. (A debug build reads them from the source, so that they can be worked on.)

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::refusal::Refusal;

#[derive(RustEmbed)]
#[folder = "assets"]
struct Assets;

/// The folder of the parts that pages share.
const PARTS: &str = "parts/";

/// The texts of all pages, a module of JavaScript.
const WORDS: &str = "words/en.js";

/// The page that opens first.
const FIRST: &str = "home";

/// The names of all pages, in order.
pub(crate) fn pages() -> Vec<String> {
    let page =
        |file: Cow<'static, str>| file.strip_suffix(".html").filter(|name| !name.contains('/')).map(str::to_owned);
    let mut names: Vec<String> = Assets::iter().filter_map(page).collect();
    names.sort_unstable();
    names
}

/// Whether it is the page that opens first, whose address has no name.
pub(crate) fn is_first(name: &str) -> bool {
    name == FIRST
}

/// The paths of all files that pages ask for.
pub(crate) fn files() -> impl Iterator<Item = Cow<'static, str>> {
    let is_page = |path: &str| path.ends_with(".html");
    Assets::iter().filter(move |path| !is_page(path) && !path.starts_with(PARTS))
}

/// The contents of a file.
pub(crate) fn data(path: &str) -> Option<Cow<'static, [u8]>> {
    Some(Assets::get(path)?.data)
}

/// Who answers the pages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Backend {
    /// This program.
    Server,
    /// The browser itself: the module `tab/backend.js`.
    Tab,
}

/// Whether there is a page of this name.
pub(crate) fn is_page(name: &str) -> bool {
    !name.contains('/') && Assets::get(&format!("{name}.html")).is_some()
}

/// The page that shows games of a problem, by the list of pages in `parts/site.html`; see `core/address.js`.
pub(crate) fn page_of(problem: &str) -> Option<String> {
    let name = problem.split(':').next().unwrap_or_default();
    let list = text("parts/site.html")?;
    let quoted = |line: &str, key: &str| {
        line.split_once(&format!("{key}=\""))
            .and_then(|(_, rest)| rest.split_once('"'))
            .map(|(value, _)| value.to_owned())
    };
    let links = list.lines().filter_map(|line| Some((quoted(line, "data-problems")?, quoted(line, "href")?)));
    let links: Vec<(String, String)> = links.collect();
    let shows = |listed: &str| if listed.ends_with('-') { name.starts_with(listed) } else { name == listed };
    let own = links.iter().find(|(problems, _)| problems.split(' ').any(|listed| !listed.is_empty() && shows(listed)));
    let (_, address) = own.or_else(|| links.iter().find(|(problems, _)| problems.is_empty()))?;
    Some(address.trim_start_matches('/').to_owned())
}

/// A page or a part of one. Pages have addresses without an ending.
pub(crate) async fn asset(uri: Uri, headers: HeaderMap) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => FIRST,
        path => path,
    };
    let page = |path| Some((page(path, Backend::Server)?.into_bytes().into(), "text/html; charset=utf-8"));
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

/// The bytes of a file, and their media type.
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
pub(crate) fn page(name: &str, backend: Backend) -> Option<String> {
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
    let html = worded(&html);
    Some(
        html.replace(&link, &format!("{link} aria-current=\"page\""))
            .replace("<!-- modules -->\n", &modules(name, backend).into_iter().map(preload).collect::<String>())
            .replace("{page}", name),
    )
}

/// A template with the texts in the places of their `{{names}}`.
fn worded(html: &str) -> String {
    let module = text(WORDS).unwrap_or_default();
    let word = |line: &'_ str| -> Option<(String, String)> {
        let (name, text) = line.trim().strip_prefix('\'')?.strip_suffix("',")?.split_once("': '")?;
        Some((name.to_owned(), text.to_owned()))
    };
    let words: HashMap<String, String> = module.lines().filter_map(word).collect();
    let mut pieces = html.split("{{");
    let mut worded = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").unwrap_or((piece, ""));
        worded += words.get(name).map_or(name, String::as_str);
        worded += rest;
    }
    worded
}

/// The contents of a file as text.
pub(crate) fn text(path: &str) -> Option<String> {
    String::from_utf8(Assets::get(path)?.data.into_owned()).ok()
}

/// The modules that a page imports, and those that they import. It names them in its head, so that the browser need not find them one
/// after the other.
fn modules(page: &str, backend: Backend) -> Vec<String> {
    let mut found = vec![format!("{page}/main.js")];
    let mut next = 0;
    while let Some(module) = found.get(next).cloned() {
        next += 1;
        // A page of the folder asks its browser instead of the server.
        if module == "core/backend.js" && backend == Backend::Tab {
            found.push("tab/backend.js".to_owned());
        }
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
