//! Whether everybody can use the pages: axe finds nothing wrong, light and dark, on a desktop, a tablet and a phone, nor in what is opened.

use serde_json::json;

use crate::common::Serving;
use crate::common::browser::{Browser, DESKTOP, Device, PHONE, Page, TABLET, axe, installed};

/// What opens over a page.
const OPENS: &[&str] =
    &["#rules", "#save", "#records", "#yours", "#keys", "#paste-puzzle", "#paste-places", "#type-in"];

#[test]
fn axe_finds_nothing() {
    look_at(&[(DESKTOP, "light"), (TABLET, "dark"), (PHONE, "light")], false);
}

#[test]
fn axe_finds_nothing_in_what_opens() {
    look_at(&[(PHONE, "dark")], true);
}

#[test]
#[ignore = "a minute: scripts/soak"]
fn axe_finds_nothing_anywhere() {
    look_at(&[(DESKTOP, "dark"), (DESKTOP, "light"), (TABLET, "dark"), (TABLET, "light"), (PHONE, "light")], true);
}

fn look_at(combinations: &[(Device, &str)], opens: bool) {
    let (Some(script), Some(program)) = (axe(), installed()) else { return };
    let serving = Serving::start();
    let mut browser = Browser::start(&program);
    for (device, theme) in combinations {
        let mut page = browser.page(&format!("axe-{}-{theme}", device.name), device.width, device.height, device.phone);
        page.prefer("prefers-color-scheme", theme);
        for name in nestling_web::Server::pages() {
            page.open(&format!("http://{}/{name}", serving.address));
            page.wait(
                "document.body?.classList.contains('ready') || document.querySelector('#board.ready, #list') !== null",
            );
            assert_eq!(page.violations(&script), json!([]), "{name}, {}, {theme}", device.name);
            page.shoot(&name);
            let opens = if opens { OPENS } else { &[] };
            for selector in opens {
                open(&mut page, selector, |page| {
                    page.shoot(&format!("{name}-{}", &selector[1..]));
                    assert_eq!(page.violations(&script), json!([]), "{name} {selector}, {}, {theme}", device.name);
                });
            }
        }
        page.is_content();
    }
}

/// Opens something, if this page has it, looks, and closes it.
fn open(page: &mut Page, selector: &str, look: impl FnOnce(&mut Page)) {
    let button = format!("button{selector}");
    if page.eval(&format!("document.querySelector({button:?})?.checkVisibility() ?? false")) != json!(true) {
        return;
    }
    page.click(&button);
    page.wait("document.querySelector('dialog[open]') !== null || document.body.classList.contains('typing')");
    look(page);
    page.key("Escape", 0);
    page.wait("document.querySelector('dialog[open]') === null");
}
