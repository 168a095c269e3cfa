//! Who may ask, and who may not; and that what can be asked for is described.

use std::net::{IpAddr, Ipv4Addr};

use nestling_web::{Options, ServeError, Server};
use serde_json::Value;

use crate::common::Serving;

/// A page elsewhere must not drive the server through a user's browser.
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

/// A list of the pages elsewhere than in parts/site.html has what that one has.
#[test]
fn every_list_of_the_pages_is_complete() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let links = |html: &str| -> Vec<String> {
        let targets = html.split("<a href=\"/").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
        targets.filter(|target| !target.is_empty()).collect()
    };
    let site = links(&read("assets/parts/site.html"));
    let mut sorted = site.clone();
    sorted.push("home".to_owned());
    sorted.sort_unstable();
    assert_eq!(sorted, nestling_web::Server::pages(), "the list of parts/site.html");
    let home = read("assets/home.html");
    let tiles = home.split_once("<ul class=\"tiles\">").unwrap().1.split("</ul>").next().unwrap();
    let games: Vec<&String> = site.iter().filter(|page| *page != "runs").collect();
    assert_eq!(links(tiles).iter().collect::<Vec<_>>(), games, "the tiles of home.html");
    let (last, others) = site.split_last().unwrap();
    let listed = format!("The page to open: {} or {last} [default", others.join(", "));
    assert!(read("../cli/src/play/args.rs").contains(&listed), "the help of `nestling play` should have {listed:?}");
    let seen: Vec<&str> =
        crate::common::browser::SEEN.split('"').filter(|word| site.iter().any(|page| page == word)).collect();
    let taught: Vec<&str> = games.iter().map(|page| page.as_str()).filter(|page| *page != "problems").collect();
    assert_eq!(seen, taught, "the pages that teach a game, in tests/common/browser.rs");
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
        let named: Vec<&str> = named.collect();
        let plain = html.len() + named.iter().map(|part| serving.get(part).body.len()).sum::<usize>();
        let sent = |path: &str| serving.ask("GET", path, &[("Accept-Encoding", "gzip")], b"").body.len();
        let sum = sent(&format!("/{page}")) + named.iter().map(|part| sent(part)).sum::<usize>();
        println!("/{page}: {sum} bytes sent, {plain} unpacked");
        assert!(sum < 170_000, "{page} and what it needs have {sum} bytes as they are sent");
    }
    for path in ["/..", "/../Cargo.toml", "/core/../../Cargo.toml", "/%2e%2e/Cargo.toml", "/core", "/nothing"] {
        serving.get(path).refused(404, &["no such page"]);
    }
}

/// A server that listens to all networks names the addresses that other machines can use; one for this machine has none.
#[test]
fn other_machines_get_addresses() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options::new(&folder.path().join("runs.db"));
    assert_eq!(Server::bind(&options).unwrap().addresses_elsewhere("quarto"), Vec::<String>::new());
    let server = Server::bind(&options.listening(IpAddr::V4(Ipv4Addr::UNSPECIFIED))).unwrap();
    let here = server.address("quarto").unwrap();
    let (_, end) = here.rsplit_once(':').unwrap();
    assert!(end.contains("/quarto?token="), "{here}");
    for address in server.addresses_elsewhere("quarto") {
        assert!(address.ends_with(&format!(":{end}")), "{address} is not as {here}");
        assert!(!["//0.0.0.0", "//127.", "//169.254."].iter().any(|useless| address.contains(useless)), "{address}");
    }
}

/// A report that is watched loads itself again.
#[test]
fn the_report_can_be_watched() {
    let folder = tempfile::tempdir().unwrap();
    let report: nestling_web::LabReport = std::sync::Arc::new(|_, _| Ok("<p>the report".to_owned()));
    let serving = Serving::with(&Options { report: Some(report), ..Options::new(&folder.path().join("runs.db")) });
    assert_eq!(serving.get("/report?watch=true").header("refresh"), Some("10"));
    assert_eq!(serving.get("/report").header("refresh"), None);
}

/// What people see who open a wrong address or have no token: a page in words. Programs get JSON.
#[test]
fn refusals_are_pages_for_people() {
    let (serving, guarded) = (Serving::start(), Serving::guarded());
    let html = [("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")];
    let missing = serving.ask("GET", "/nothing", &html, b"");
    assert_eq!((missing.status, missing.header("content-type")), (404, Some("text/html; charset=utf-8")));
    assert!(missing.text().contains("there is no such page") && missing.text().contains("href=\"/\""));
    let locked = guarded.ask("GET", "/", &html, b"");
    assert_eq!(locked.status, 401);
    assert!(locked.text().contains("the token is missing") && locked.text().contains("?token="), "{}", locked.text());
    serving.ask("GET", "/api/nothing", &html, b"").refused(404, &["no such page"]);
    serving.get("/api/runs?limit=many").refused(400, &["the address, behind the question mark: limit"]);
}

/// What is text is compressed for those who can read it.
#[test]
fn pages_are_compressed() {
    let serving = Serving::start();
    for path in ["/", "/base.css", "/core/api.js", "/icon.svg", "/api/problems", "/api/openapi.json"] {
        let (plain, packed) = (serving.get(path), serving.ask("GET", path, &[("Accept-Encoding", "gzip")], b""));
        assert_eq!(
            (plain.header("content-encoding"), packed.header("content-encoding")),
            (None, Some("gzip")),
            "{path}"
        );
        assert!(packed.body.len() < plain.body.len(), "{path}");
    }
    let font = serving.ask("GET", "/fonts/source-sans-3.woff2", &[("Accept-Encoding", "gzip")], b"");
    assert_eq!(font.header("content-encoding"), None, "fonts are compressed already");
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
