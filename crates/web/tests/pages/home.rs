//! The first page: a search at work at once, ways into everything else, and little to be sent.

use serde_json::json;

use crate::common::browser::{DESKTOP, PHONE, Page, use_it, use_with};
use crate::common::place::Place;
use crate::common::{Serving, order};

const READY: &str = "document.body?.classList.contains('ready')";

#[test]
fn on_a_desktop() {
    use_it(&DESKTOP, "", READY, everything);
}

#[test]
fn on_a_phone() {
    use_it(&PHONE, "", READY, everything);
}

fn everything(page: &mut Page, place: &Place, phone: bool) {
    page.wait("Number(document.querySelector('#best').textContent) > 40");
    page.wait("document.querySelectorAll('#board .lines line').length > 40");
    assert_eq!(page.eval("document.querySelectorAll('#records li').length"), json!(4));
    assert!(page.text("#records li").contains("178"));
    assert_eq!(page.eval("document.querySelectorAll('#today li').length"), json!(6));
    page.shoot("at-work");
    // A plain file server does not compress.
    if matches!(place, Place::Server(_)) {
        weigh(page);
    }
    // A search of the server is seen while it goes on, and kept in the list.
    let run = page.begin(json!({ "problem": "morpion-5d", "search": "repeat(nested(2))", "seconds": 600 }));
    page.wait("!document.querySelector('#going').hidden");
    assert!(page.text("#going-list").contains("repeat(nested(2))"));
    assert_eq!(page.post(&format!("/api/runs/{run}/cancel"), &json!({}))["state"], json!("done"));
    page.wait("document.querySelector('#going').hidden");
    let done = page.begin(order("repeat(nested(1))", 200));
    page.until(done, "done");
    page.reload();
    page.wait(READY);
    page.wait("document.querySelector('#runs li') !== null");
    // Today's board opens, is played, and is remembered.
    page.click("#today li:nth-child(3) a");
    page.wait("document.body?.classList.contains('ready')");
    page.wait("document.querySelector('#board-name')?.textContent.includes('size=15x15')");
    page.click("#hint");
    page.click("#advice .link");
    page.wait("document.querySelector('#place').textContent === '1 / 1'");
    let address = place.address("");
    page.open(&address);
    page.wait(READY);
    page.wait("document.querySelector('#today li:nth-child(3)').textContent.includes('point')");
    page.wait("document.querySelector('#yours li') !== null");
    page.prefer("prefers-color-scheme", "dark");
    page.shoot("dark");
    page.prefer("prefers-color-scheme", "light");
    page.fits(if phone { &[(320, 568)] } else { &[(3840, 2160), (768, 1024)] }, phone);
    // Links to games led here once.
    page.open(&format!("{address}#5d-"));
    page.wait("/[/]morpion([.]html)?$/.test(location.pathname) && document.querySelector('#board.ready') !== null");
    page.wait("document.querySelector('[data-variant=\"5D\"]').ariaPressed === 'true'");
}

/// What the page has sent for, compressed, is not much.
fn weigh(page: &mut Page) {
    let sent = page.eval(
        "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
            .reduce((sum, entry) => sum + entry.transferSize, 0)",
    );
    let paint = page.eval("Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1)");
    println!("the first page: {sent} bytes sent, first contentful paint after {paint} ms");
    assert!((10_000..250_000).contains(&sent.as_u64().unwrap()), "{sent} bytes");
}

/// How soon a browser that has never been here shows something.
#[test]
#[ignore = "measures times; on an idle machine: scripts/soak"]
fn first_paints() {
    for _ in 0..5 {
        use_with(Serving::start(), &DESKTOP, "", READY, |page, _, _| weigh(page));
    }
}

/// The longest tasks of the pages while a search is watched for ten seconds: the one in the first page, and one of the server.
#[test]
#[ignore = "a minute: scripts/soak"]
fn no_task_is_long_while_a_search_is_watched() {
    use_with(Serving::start(), &DESKTOP, "", READY, |page, place, _| {
        let serving = place.server();
        page.wait("Number(document.querySelector('#best').textContent) > 40");
        quiet(page, "the first page");
        let run = serving.begin(json!({ "problem": "morpion-5d", "search": "repeat(nested(2))", "seconds": 600 }));
        page.open(&format!("http://{}/morpion#run-{run}", serving.address));
        page.wait("Number(document.querySelector('#live-best').textContent) > 40");
        quiet(page, "a search of the server");
        assert_eq!(serving.post(&format!("/api/runs/{run}/cancel"), &json!({})).status, 200);
    });
}

/// Nothing holds the page up for long: in processor time, so that it does not matter what else the machine does.
fn quiet(page: &mut Page, what: &str) {
    let tasks = page.tasks_while(|page| {
        let began = page.eval("performance.now()").as_f64().unwrap();
        page.wait(&format!("performance.now() > {}", began + 10_000.0));
    });
    assert!(tasks.len() > 100, "{what}: {} tasks are noted", tasks.len());
    println!("{what}: {} tasks, the longest of {:?} ms of processor time", tasks.len(), &tasks[..5]);
    assert!(tasks[0] < 50.0, "{what}: a task of {} ms", tasks[0]);
}
