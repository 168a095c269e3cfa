//! Who may ask, and who may not; and that what can be asked for is described.

use nestling_web::{Options, ServeError, Server};
use serde_json::Value;

use crate::common::Serving;

/// A page elsewhere must not drive the server through somebody's browser.
#[test]
fn pages_elsewhere_are_refused() {
    let serving = Serving::start();
    let host = &serving.address;
    let port = host.rsplit(':').next().unwrap();
    let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("LOCALHOST:{port}")];
    for host in &own {
        assert_eq!(serving.ask("GET", "/api/problems", &[("Host", host)], b"").status, 200, "{host}");
    }
    for host in ["evil.example", "evil.example:80", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example", ""] {
        serving.ask("GET", "/", &[("Host", host)], b"").refused(403, &["another host"]);
    }
    let origin = format!("http://{host}");
    assert_eq!(serving.ask("GET", "/api/problems", &[("Origin", &origin)], b"").status, 200);
    for origin in
        ["http://evil.example", "null", "http://localhost:1", "file://", &format!("http://{host}.evil.example")]
    {
        serving.ask("GET", "/api/problems", &[("Origin", origin)], b"").refused(403, &["a page of another site"]);
    }
    for site in ["cross-site", "same-site"] {
        let headers = [("Sec-Fetch-Site", site)];
        serving.ask("GET", "/api/problems", &headers, b"").refused(403, &["a page of another site"]);
        assert_eq!(serving.ask("GET", "/", &headers, b"").status, 200, "a link may lead to us");
    }
    let absolute = format!("GET http://evil.example/ HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    serving.send(absolute.as_bytes()).unwrap().refused(403, &["another host"]);
    let nameless = serving.send(b"GET / HTTP/1.0\r\n\r\n").unwrap();
    nameless.refused(403, &["names no host"]);
}

/// Nobody else's frame, script or guess at a type.
#[test]
fn every_answer_has_its_guards() {
    let serving = Serving::start();
    for path in ["/", "/runs", "/base.css", "/api/problems", "/nothing"] {
        let response = serving.get(path);
        assert!(response.header("content-security-policy").unwrap().contains("frame-ancestors 'none'"), "{path}");
        assert_eq!(response.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
}

#[test]
fn other_machines_need_the_token() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = Options::new(&folder.path().join("runs.db"));
    options.address.set_ip("0.0.0.0".parse().unwrap());
    assert!(matches!(Server::bind(&options), Err(ServeError::Open(_))));

    let serving = Serving::guarded();
    let token = serving.token.clone().unwrap();
    assert_eq!(token.len(), 32);
    serving.get("/").refused(401, &["the token is missing"]);
    serving.get("/?token=guess").refused(401, &["the token is missing"]);
    let bearer = format!("Bearer {token}");
    let named = [("Authorization", bearer.as_str()), ("Host", "nestling.example:9000")];
    assert_eq!(serving.ask("GET", "/api/problems", &named, b"").status, 200);
    let foreign = [("Authorization", bearer.as_str()), ("Origin", "http://evil.example")];
    serving.ask("GET", "/api/problems", &foreign, b"").refused(403, &["a page of another site"]);

    let welcome = serving.get(&format!("/runs?token={token}"));
    assert_eq!((welcome.status, welcome.header("location")), (303, Some("/runs")));
    let cookie = welcome.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(serving.ask("GET", "/api/problems", &[("Cookie", cookie)], b"").status, 200);
    let wrong = format!("{}0", &cookie[..cookie.len() - 1]);
    assert!(wrong != cookie || token.ends_with('0'));
    let status = serving.ask("GET", "/api/problems", &[("Cookie", &wrong)], b"").status;
    assert_eq!(status, if wrong == cookie { 200 } else { 401 });
}

/// Somebody else's page is shown as it is, and nothing in it runs.
#[test]
fn the_report_is_shown() {
    let serving = Serving::start();
    assert_eq!(serving.get("/api/about").json()["report"], false);
    serving.get("/report").refused(404, &["no report"]);
    let folder = tempfile::tempdir().unwrap();
    let report: nestling_web::LabReport = std::sync::Arc::new(|store, registry| {
        Ok(format!("<p>{} runs, {} problems", store.runs()?.len(), registry.list().count()))
    });
    let options = Options { report: Some(report), ..Options::new(&folder.path().join("runs.db")) };
    let serving = Serving::with(&options);
    assert_eq!(serving.get("/api/about").json()["report"], true);
    let page = serving.get("/report");
    assert!(page.text().starts_with("<p>0 runs, "), "{}", page.text());
    assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
}

/// Every page is small, and nothing of it is fetched twice.
#[test]
fn pages_are_light() {
    let serving = Serving::start();
    let assets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let mut folders = vec![assets.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = format!("/{}", path.strip_prefix(&assets).unwrap().display());
            if name.starts_with("/parts/") {
                serving.get(&name).refused(404, &["no such page"]);
                continue;
            }
            let page = name.strip_suffix(".html");
            let name = page.unwrap_or(&name);
            let response = serving.get(name);
            assert_eq!(response.status, 200, "{name}");
            assert!(page.is_some() || response.body.len() as u64 == path.metadata().unwrap().len(), "{name}");
            let tag = response.header("etag").unwrap();
            let again = serving.ask("GET", name, &[("If-None-Match", tag)], b"");
            assert_eq!((again.status, again.body.len()), (304, 0), "{name}");
        }
    }
    // What a page needs is named in its head, so that the browser need not find it module by module.
    for page in nestling_web::Server::pages() {
        let html = serving.get(&format!("/{page}")).text();
        let main = format!("/{page}/main.js");
        assert!(html.contains("aria-current=\"page\""), "{page} is not in the list of pages");
        assert!(html.contains(&format!("src=\"{main}\"")), "{page}");
        for module in modules(&assets, &main).into_iter().filter(|module| *module != main) {
            assert!(html.contains(&format!("href=\"{module}\"")), "{page}.html does not name {module}");
        }
        let named = html.split(['"']).filter(|part| part.starts_with('/') && part.contains('.'));
        let sum: usize = html.len() + named.map(|part| serving.get(part).body.len()).sum::<usize>();
        assert!(sum < 250_000, "{page} and what it needs have {sum} bytes");
    }
    for path in ["/..", "/../Cargo.toml", "/core/../../Cargo.toml", "/%2e%2e/Cargo.toml", "/core", "/nothing"] {
        serving.get(path).refused(404, &["no such page"]);
    }
}

/// A module and all that it imports, as addresses.
fn modules(assets: &std::path::Path, first: &str) -> Vec<String> {
    let mut found = vec![first.to_owned()];
    let mut next = 0;
    while let Some(module) = found.get(next).cloned() {
        next += 1;
        let folder = module.rsplit_once('/').unwrap().0;
        let text = std::fs::read_to_string(assets.join(&module[1..])).unwrap();
        for imported in
            text.lines().filter(|line| line.starts_with("import")).filter_map(|line| line.split('\'').nth(1))
        {
            let address = match imported.strip_prefix("../") {
                Some(beside) => format!("/{beside}"),
                None => format!("{folder}/{}", imported.trim_start_matches("./")),
            };
            if !found.contains(&address) {
                found.push(address);
            }
        }
    }
    found
}

/// The description of the interface names every endpoint, and no other.
#[test]
fn the_description_is_in_step() {
    let description: Value = serde_json::from_str(include_str!("../openapi.json")).unwrap();
    let paths = description["paths"].as_object().unwrap();
    let mut described: Vec<(&str, &str)> = paths
        .iter()
        .flat_map(|(path, methods)| methods.as_object().unwrap().keys().map(|method| (&**method, &**path)))
        .collect();
    let mut endpoints = nestling_web::endpoints();
    described.sort_unstable();
    endpoints.sort_unstable();
    assert_eq!(endpoints, described);
}
