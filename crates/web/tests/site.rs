//! The folder of static files: what is in it, and its addresses.

use nestling_registry::Registry;
use nestling_web::{is_engine, page_of, site};

fn engine(version: &str) -> Vec<u8> {
    [b"\0asm....".as_slice(), format!("nestling engine {version};").as_bytes()].concat()
}

#[test]
fn only_an_engine_of_this_version_is_one() {
    assert!(is_engine(&engine(env!("CARGO_PKG_VERSION"))));
    assert!(!is_engine(&engine("0.0.1")) && !is_engine(b"\0asm") && !is_engine(b""));
}

#[test]
fn every_address_is_in_the_folder() {
    let files = site(
        engine(env!("CARGO_PKG_VERSION")),
        Some(engine(env!("CARGO_PKG_VERSION"))),
        vec![(192, b"png".to_vec())],
        &[],
    );
    let text = |path: &str| {
        let (_, bytes) = files.iter().find(|(name, _)| name == path).unwrap_or_else(|| panic!("there is no {path}"));
        String::from_utf8(bytes.to_vec()).unwrap()
    };
    let mut pages = 0;
    for (name, _) in files.iter().filter(|(name, _)| name.ends_with(".html")) {
        let html = text(name);
        assert!(html.contains("Content-Security-Policy") && html.contains("tab/backend.js"), "{name}");
        for part in html.split(['<', '>']).filter(|part| !part.starts_with('/')) {
            for key in ["href=\"", "src=\""] {
                let Some((address, _)) = part.split_once(key).and_then(|(_, rest)| rest.split_once('"')) else {
                    continue;
                };
                let path = address.split(['#', '?']).next().unwrap();
                // The lab's report is the server's; its links are hidden here.
                if path.is_empty() || path == "report" {
                    continue;
                }
                let path = if path == "./" { "index.html" } else { path };
                assert!(files.iter().any(|(name, _)| name == path), "{name}: {address}");
            }
        }
        pages += 1;
    }
    assert!(pages >= 7);
    let service = text("service.js");
    assert!(
        service.contains("\"nestling.wasm\"")
            && service.contains("\"others.wasm\"")
            && service.contains("\"index.html\"")
    );
    assert_eq!(text("core/backend.js"), "export * from '../tab/backend.js'\n");
    assert!(text("manifest.webmanifest").contains("icon-192.png"));
}

#[test]
fn problems_have_pages() {
    for (problem, page) in [
        ("morpion-5d", "morpion.html"),
        ("quarto:squares", "quarto.html"),
        ("kakuro:3", "sudoku.html"),
        ("bus", "problems.html"),
    ] {
        assert_eq!(page_of(problem).as_deref(), Some(page));
    }
}

/// The engine that is loaded first has the problems of all pages but that of the others.
#[test]
fn the_first_engine_has_the_problems_with_a_page() {
    let (pages, all) = (Registry::of_pages(), Registry::standard());
    let with_page = |name: &&str| page_of(name).is_some_and(|page| page != "problems.html");
    let expected: Vec<&str> = all.list().map(|(name, _)| name).filter(with_page).collect();
    assert_eq!(pages.list().map(|(name, _)| name).collect::<Vec<_>>(), expected);
}
