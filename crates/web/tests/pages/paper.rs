//! Games and runs on paper, as pictures that move, and inside other pages.

use serde_json::json;

use crate::common::browser::{DESKTOP, PHONE, use_it};
use crate::common::order;
use crate::common::place::Place;

/// What is to be printed, instead of the system's window for it.
const CAUGHT: &str = "window.print = () => { window.printed = document.querySelector('#sheet').innerText; dispatchEvent(new Event('afterprint')) }";

#[test]
fn games_and_runs_are_printed() {
    use_it(&DESKTOP, "morpion", "document.querySelector('#board.ready') !== null", |page, place, _| {
        page.eval(CAUGHT);
        page.eval("document.querySelector('#board').focus()");
        page.key("ArrowDown", 0);
        page.key("Enter", 0);
        page.wait("document.querySelector('#score').textContent === '1'");
        page.click("#print");
        let sheet = page.wait("window.printed");
        assert!(
            sheet.as_str().unwrap().contains("morpion-5t") && sheet.as_str().unwrap().contains("1 move"),
            "{sheet}"
        );
        assert_eq!(page.eval("document.querySelector('#sheet')"), json!(null));
        let run = page.begin(order("repeat(nested(1))", 200));
        page.until(run, "done");
        page.open(&place.address(&format!("runs#{run}")));
        page.wait("!document.querySelector('#detail').hidden");
        page.eval(CAUGHT);
        page.click("#run-print");
        let sheet = page.wait("window.printed");
        assert!(sheet.as_str().unwrap().contains("repeat(nested(1))"), "{sheet}");
    });
}

#[test]
fn pictures_move_and_are_embedded() {
    use_it(&PHONE, "morpion", "document.querySelector('#board.ready') !== null", |page, place, _| {
        page.eval("document.querySelector('#board').focus()");
        for score in 1..=2 {
            page.key("ArrowDown", 0);
            page.key("Enter", 0);
            page.wait(&format!("document.querySelector('#score').textContent === '{score}'"));
        }
        page.click("#save");
        page.wait("document.querySelector('[data-format=html]') !== null");
        page.shoot("formats");
        // The engine of a tab writes no GIF, but SVG moves, too.
        let (format, begin) = match place {
            Place::Server(_) => ("gif", b"GIF89a".as_slice()),
            Place::Folder(_) => ("svg", b"<svg ".as_slice()),
        };
        assert_eq!(page.eval("document.querySelector('[data-format=gif]') !== null"), json!(format == "gif"));
        page.eval("document.querySelector('#save-animated').checked = true");
        page.tap(&format!("[data-format={format}]"));
        let picture = page.saved(&format!("morpion-5t-2.{format}"));
        assert!(picture.starts_with(begin) && picture.len() > 2000, "{} bytes", picture.len());
        page.eval("navigator.clipboard.writeText = async text => { window.copied = text }");
        page.click("[data-format=html]");
        page.wait("window.copied?.startsWith('<img alt=\"morpion-5t, 2 moves\"')");
        let loads = r#"new Promise((done, fail) => {
            const image = new Image()
            image.onload = () => done(image.naturalWidth)
            image.onerror = () => done(0)
            image.src = window.copied.match(/src="([^"]*)"/)[1]
        })"#;
        assert!(page.eval(loads).as_u64() > Some(100));
        // The picture is a game like any other file.
        page.key("Escape", 0);
        page.click("#fresh");
        page.wait("document.querySelector('#score').textContent === '0'");
        page.drop_file(&format!("again.{format}"), &picture);
        page.wait("document.querySelector('#score').textContent === '2'");
    });
}
