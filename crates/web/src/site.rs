//! The pages as a folder of static files: the browser answers by itself, with the engine in WebAssembly.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

use nestling_presentation::escaped;
use serde_json::{Value, json};

use crate::assets::{self, Backend};

/// Only what is in the folder, and nothing that would be written into a page. (What may embed the pages in frames only a server can say.)
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; object-src 'none'; \
                      base-uri 'none'; form-action 'none'";

/// The module that the pages ask.
const BACKEND: &str = "core/backend.js";

/// The engine with the problems that have a page of their own, and the one with all problems.
const ENGINE: &str = "nestling.wasm";
const OTHERS: &str = "others.wasm";

/// The widths of the icons that are wanted where the app is installed.
pub const ICONS: [u32; 2] = [192, 512];

/// A file of the folder: its path there, and its bytes.
pub type SiteFile = (String, Cow<'static, [u8]>);

/// A game with a page of its own, which programs can preview: it shows a picture, and leads to the board.
pub struct SiteGame {
    /// The name of its files, without an ending.
    pub name: String,
    /// What a preview says.
    pub title: String,
    /// The address of the board with the game, relative to the folder.
    pub link: String,
    /// The picture as PNG.
    pub picture: Vec<u8>,
    /// Where the folder will be on the network; most programs that preview pages want it.
    pub address: Option<String>,
}

/// Whether a file is the engine for these pages.
pub fn is_engine(bytes: &[u8]) -> bool {
    let text = concat!("nestling engine ", env!("CARGO_PKG_VERSION"), ";").as_bytes();
    bytes.starts_with(b"\0asm") && bytes.windows(text.len()).any(|window| window == text)
}

/// Whether a folder is one that [`site`] has made, of any version.
pub fn is_site(folder: &Path) -> bool {
    let service = std::fs::read_to_string(folder.join("service.js")).unwrap_or_default();
    assets::text("tab/service.js").is_some_and(|ours| service.lines().next() == ours.lines().next())
}

/// The file of the page that shows games of a problem.
pub fn page_of(problem: &str) -> Option<String> {
    let page = assets::page_of(problem)?;
    Some(if page.is_empty() { "./".to_owned() } else { file_of(&page) })
}

/// The icon of the pages, as SVG.
pub fn icon() -> String {
    assets::text("icon.svg").unwrap_or_default()
}

/// The files of the folder. `engine` has the problems that have a page of their own, `others` all problems; without it, only the former can be
/// used. `icons` are pictures of the [icon] as PNG, with their widths.
pub fn site(engine: Vec<u8>, others: Option<Vec<u8>>, icons: Vec<(u32, Vec<u8>)>, games: &[SiteGame]) -> Vec<SiteFile> {
    let mut files: Vec<SiteFile> = assets::pages().iter().filter_map(|name| page(name)).collect();
    for path in assets::files() {
        let bytes = match path.as_ref() {
            BACKEND => Some(Cow::from(b"export * from '../tab/backend.js'\n".to_vec())),
            "tab/service.js" => None,
            path => assets::data(path),
        };
        files.extend(bytes.map(|bytes| (path.into_owned(), bytes)));
    }
    files.push(("manifest.webmanifest".to_owned(), manifest(&icons).into_bytes().into()));
    files.extend(icons.into_iter().map(|(width, png)| (icon_name(width), png.into())));
    files.push((ENGINE.to_owned(), engine.into()));
    files.extend(others.map(|others| (OTHERS.to_owned(), others.into())));
    files.sort_by(|(one, _), (other, _)| one.cmp(other));
    // Pages of games are not kept: they are for those who come from elsewhere.
    files.push(("service.js".to_owned(), service(&files).into_bytes().into()));
    for game in games {
        files.push((format!("{}.html", game.name), game.page().into_bytes().into()));
        files.push((format!("{}.png", game.name), game.picture.clone().into()));
    }
    files
}

/// A page for any folder: relative addresses, and the policy that the server would send.
fn page(name: &str) -> Option<SiteFile> {
    let html = relative(&assets::page(name, Backend::Tab)?);
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n  <link rel=\"manifest\" href=\"manifest.webmanifest\">\n  \
         <link rel=\"preload\" href=\"{ENGINE}\" as=\"fetch\" type=\"application/wasm\" crossorigin>\n"
    );
    let begin = "<meta charset=\"utf-8\">\n";
    let html = html.replacen(begin, &format!("{begin}  {head}"), 1);
    Some((file_of(name), html.into_bytes().into()))
}

fn file_of(page: &str) -> String {
    if assets::is_first(page) { "index.html".to_owned() } else { format!("{page}.html") }
}

/// The same with addresses that begin at the folder, wherever it is.
fn relative(html: &str) -> String {
    let mut parts = html.split("=\"/");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |before, part| {
        let (address, rest) = part.split_once('"').unwrap_or((part, ""));
        let (path, place) = address.split_at(address.find('#').unwrap_or(address.len()));
        let path = match path {
            "" => "./".to_owned(),
            page if assets::is_page(page) => file_of(page),
            file => file.to_owned(),
        };
        format!("{before}=\"{path}{place}\"{rest}")
    })
}

fn icon_name(width: u32) -> String {
    format!("icon-{width}.png")
}

fn manifest(icons: &[(u32, Vec<u8>)]) -> String {
    let drawn = json!({ "src": "icon.svg", "sizes": "any", "type": "image/svg+xml" });
    let pictures = icons.iter().map(
        |(width, _)| json!({ "src": icon_name(*width), "sizes": format!("{width}x{width}"), "type": "image/png" }),
    );
    let icons: Vec<Value> = std::iter::once(drawn).chain(pictures).collect();
    let manifest = json!({
        "name": "Nestling",
        "description": "Monte-Carlo search for puzzles and games",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": "#1d2733",
        "icons": icons,
    });
    format!("{manifest:#}\n")
}

/// The service worker, which keeps all files of this version.
fn service(files: &[SiteFile]) -> String {
    let mut hasher = DefaultHasher::new();
    for (path, bytes) in files {
        hasher.write(path.as_bytes());
        hasher.write(bytes);
    }
    let mut paths = vec!["./"];
    paths.extend(files.iter().map(|(path, _)| path.as_str()));
    let version = format!("{} {:016x}", env!("CARGO_PKG_VERSION"), hasher.finish());
    assets::text("tab/service.js")
        .unwrap_or_default()
        .replace("const FILES = []", &format!("const FILES = {}", json!(paths)))
        .replace("const VERSION = ''", &format!("const VERSION = '{version}'"))
}

impl SiteGame {
    fn page(&self) -> String {
        let folder =
            self.address.as_deref().map_or_else(String::new, |address| format!("{}/", address.trim_end_matches('/')));
        let (title, link, name) = (escaped(&self.title), escaped(&self.link), escaped(&self.name));
        let picture = format!("{}{name}.png", escaped(&folder));
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n  <meta charset=\"utf-8\">\n  \
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src 'self'\">\n  \
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n  \
             <title>{title}</title>\n  \
             <meta property=\"og:title\" content=\"{title}\">\n  \
             <meta property=\"og:type\" content=\"website\">\n  \
             <meta property=\"og:image\" content=\"{picture}\">\n  \
             <meta name=\"twitter:card\" content=\"summary_large_image\">\n  \
             <meta http-equiv=\"refresh\" content=\"0; url={link}\">\n\
             </head>\n<body>\n  <p><a href=\"{link}\">{title}</a></p>\n  \
             <p><a href=\"{link}\"><img src=\"{name}.png\" alt=\"{title}\" width=\"600\"></a></p>\n</body>\n</html>\n"
        )
    }
}
