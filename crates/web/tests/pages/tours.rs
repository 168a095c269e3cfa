//! Tours: places pasted and dropped, a tour by clicks, a search that improves it, tables and pictures of it.

use serde_json::json;

use crate::common::browser::{DESKTOP, PHONE, Page, use_it};
use crate::common::place::Place;

const READY: &str = "document.body.classList.contains('ready')";

const PLACES: &str = "name,x,y,earliest,latest\ndepot,0,0,0,100\nbakery,3,4,0,10\n\"school, old\",3,0,20,30\n";

#[test]
fn on_a_desktop() {
    use_it(&DESKTOP, "tours", READY, everything);
}

#[test]
fn on_a_phone() {
    use_it(&PHONE, "tours", READY, everything);
}

fn everything(page: &mut Page, _: &Place, phone: bool) {
    page.wait("document.querySelectorAll('.stop').length === 20");
    page.shoot("first-sight");
    by_keys(page);
    without_coordinates(page);
    by_clicks(page);
    improve(page);
    nonsense(page);
    page.prefer("prefers-color-scheme", "dark");
    page.shoot("dark");
    page.prefer("prefers-color-scheme", "light");
    page.fits(if phone { &[(320, 568)] } else { &[(3840, 2160), (900, 700)] }, phone);
}

/// Arrows go from place to place, Enter goes there; names and windows can be read.
fn by_keys(page: &mut Page) {
    page.eval("document.querySelector('.stop[tabindex=\"0\"]').focus()");
    let first = page.text("#place-about");
    assert!(first.contains(" to "), "{first}");
    page.key("ArrowRight", 0);
    page.key("ArrowDown", 0);
    page.wait(&format!("document.querySelector('#place-about').textContent !== {first:?}"));
    page.eval("document.querySelector('.stop:nth-child(5)').focus()");
    page.key("Enter", 0);
    page.wait("document.querySelector('#place').textContent === '1 / 1'");
    page.wait("document.activeElement.ariaLabel.includes('stop 1')");
    page.click("#unvisited button");
    page.wait("document.querySelector('#place').textContent === '2 / 2'");
    let size = page.eval("document.querySelector('.stop .name').getBoundingClientRect().height");
    assert!(size.as_f64().unwrap() >= 12.0, "names are {size} pixels high");
    page.shoot("by-keys");
    page.click("#fresh");
    page.wait("document.querySelector('#place').textContent === '0 / 0'");
}

/// Cells of a spreadsheet, with times of the day, and travel times instead of coordinates: the map is made up from them.
fn without_coordinates(page: &mut Page) {
    page.paste("name\tearliest\tlatest\thome\tmill\tpub\tinn\nhome\t08:00\t\t0\t30\t40\t50\nmill\t08:30\t9:00\t30\t0\t50\t40\npub\t\t\t40\t50\t0\t30\ninn\t\t\t50\t40\t30\t0\n");
    page.wait("document.querySelectorAll('.stop').length === 4");
    page.wait("!document.querySelector('#no-map').hidden");
    assert!(page.eval("(box => box.bottom <= innerHeight && box.width > 200)(document.querySelector('#no-map').getBoundingClientRect())") == true, "the note is cut off");
    page.wait("(left => left.includes('08:30 to 09:00') && left.includes('always open'))(document.querySelector('#unvisited').textContent)");
    // The sides of the rectangle and its diagonal are as 30 : 40 : 50.
    let sides = page.eval(
        "(points => [[0, 1], [0, 2], [1, 2]].map(([a, b]) => Math.hypot(points[a].x - points[b].x, points[a].y - points[b].y)))(
            [...document.querySelectorAll('.stop')].map(stop => stop.transform.baseVal[0].matrix).map(({ e, f }) => ({ x: e, y: f })))",
    );
    let side = |index: usize| sides[index].as_f64().unwrap();
    assert!((side(1) / side(0) - 4.0 / 3.0).abs() < 0.05 && (side(2) / side(0) - 5.0 / 3.0).abs() < 0.05, "{sides}");
    page.shoot("made-up");
}

fn by_clicks(page: &mut Page) {
    page.drop_file("places.csv", PLACES.as_bytes());
    page.wait("document.querySelectorAll('.stop').length === 3");
    // The school first is too late for the bakery.
    page.eval("document.querySelector('#board').scrollIntoView({ block: 'center', behavior: 'instant' })");
    for stop in [3, 2] {
        let at = page.eval(&format!(
            "(() => {{ const box = document.querySelector('.stop:nth-child({stop}) circle').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2] }})()"
        ));
        page.click_at(at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
    }
    page.wait("document.querySelector('#late').textContent === 'Too late at bakery.'");
    page.shoot("too-late");
    page.click("#undo");
    page.click("#undo");
    page.wait("document.querySelector('#place').textContent === '0 / 2'");
    page.click("#finish");
    page.wait("document.querySelector('#place').textContent === '2 / 2'");
    page.wait(
        "document.querySelector('#score').textContent === '12.0' && document.querySelector('#late').textContent === ''",
    );
    assert_eq!(page.text("#visits li:first-child .who"), "bakery");
    page.shoot("found");
    page.click("#table");
    let table = String::from_utf8(page.saved("tour.csv")).unwrap();
    assert_eq!(
        table,
        "stop,name,arrival,begin,earliest,latest,late\n1,bakery,5,5,0,10,false\n2,\"school, old\",9,20,20,30,false\n3,depot,23,23,0,100,false\n"
    );
}

fn improve(page: &mut Page) {
    page.eval("document.querySelector('#count').value = '30'");
    page.click("#places [type='submit']");
    page.wait("document.querySelectorAll('.stop').length === 30");
    page.eval("document.querySelector('#another').open = true");
    page.click("#start");
    page.wait("document.querySelectorAll('.stop.visited').length === 30");
    page.wait("document.querySelectorAll('#visits li').length === 30");
    let meaning = "/^(all windows kept|\\d+ windows? missed), length \\d+\\.\\d\\d$/";
    page.wait(&format!("{meaning}.test(document.querySelector('#live-best').textContent)"));
    assert_eq!(page.text("#live-unit"), "", "the words say it all");
    page.shoot("watching");
    page.click("#stop");
    page.wait("document.querySelector('#live-state').textContent.startsWith('Done')");
    let run = &page.get("/api/runs")[0];
    assert_eq!(run["problem"], json!("tsptw:places=30,seed=1"));
    assert_eq!(run["meaning"]["words"], json!(page.text("#live-best")));
    page.click("#take");
    page.wait("document.querySelector('#place').textContent === '29 / 29'");
    page.click("#save");
    page.wait("document.querySelector('[data-format=svg]') !== null");
    page.click("[data-format='svg']");
    let picture = String::from_utf8(page.saved("tsptw-places-30-seed-1-29.svg")).unwrap();
    assert!(picture.contains("30 places, ") && picture.contains(", length "));
    page.key("Escape", 0);
}

fn nonsense(page: &mut Page) {
    for (text, reason) in [
        (
            "name,x,y,earliest,latest\ndepot,0,0,0,100\nbakery,3,4,10,5\n",
            "line 3: the window closes at 5, before it opens at 10",
        ),
        ("hello", "is neither a number of places nor the column names of a table"),
        (
            "name,earliest,latest\ndepot,0,9\nb,0,9\n",
            "expected columns x and y, or columns of travel times; found neither",
        ),
    ] {
        page.click("#paste-places");
        page.eval(&format!("document.querySelector('#paste-text').value = {text:?}"));
        page.click("#paste-form .main");
        page.wait(&format!("document.querySelector('#paste-error').textContent.includes({reason:?})"));
        page.shoot("nonsense");
        page.key("Escape", 0);
        assert_eq!(page.text("#place"), "29 / 29");
    }
    page.forgive(&["422"]);
}
