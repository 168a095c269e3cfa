//! A run as it goes on: its boards, its families, what was found today.

use std::time::Duration;

use nestling::Cancel;
use nestling_registry::{Controls, Registry, RunSpec};
use nestling_store::{Recorder, RecorderSettings, Store};
use serde_json::json;

use crate::common::browser::{DESKTOP, PHONE, Page, TABLET, use_with};
use crate::common::place::Place;
use crate::common::{Serving, order};

const READY: &str = "document.querySelector('#list') !== null";

#[test]
fn on_a_desktop() {
    use_with(Serving::start(), &DESKTOP, "runs", READY, boards);
}

#[test]
fn on_a_tablet() {
    use_with(Serving::start(), &TABLET, "runs", READY, boards);
}

#[test]
fn on_a_phone() {
    use_with(Serving::start(), &PHONE, "runs", READY, boards);
}

fn boards(page: &mut Page, place: &Place, phone: bool) {
    let serving = place.server();
    let run = serving.begin(order("repeat(nested(1))", 2000));
    serving.until(run, "done");
    page.open(&format!("http://{}/runs#{run}", serving.address));
    page.wait("document.querySelectorAll('#boards-list img').length > 1");
    page.wait("[...document.querySelectorAll('#boards-list img')].every(image => image.naturalWidth > 0)");
    let steps = serving.get(&format!("/api/runs/{run}")).json()["improvements"].as_array().unwrap().len();
    let boards = page.eval("document.querySelectorAll('#boards-list img').length");
    assert_eq!(boards, json!(steps.min(12)));
    let titles = "[...document.querySelectorAll('#boards-list figcaption')].map(title => parseInt(title.textContent))";
    assert_eq!(
        page.eval(&format!("(titles => titles.every((title, at) => at === 0 || title < titles[at - 1]))({titles})")),
        json!(true)
    );
    page.wait(
        "/^\\d+ games within 3 of the best, in \\d+ famil/.test(document.querySelector('#families').textContent)",
    );
    page.wait("/^Found today: \\d+ game/.test(document.querySelector('#found-today').textContent)");
    page.prefer("prefers-color-scheme", "dark");
    page.shoot("boards");
    page.prefer("prefers-color-scheme", "light");
    page.fits(if phone { &[(320, 568)] } else { &[(900, 700)] }, phone);
    // While a run goes on, its boards become more.
    let going = serving.begin(json!({ "problem": "morpion-5d", "search": "repeat(nested(2))", "seconds": 600 }));
    page.open(&format!("http://{}/runs#{going}", serving.address));
    page.wait(&format!("document.querySelector('#run-name').textContent.startsWith('Run {going}')"));
    page.wait("document.querySelectorAll('#boards-list img').length > 1");
    assert_eq!(serving.post(&format!("/api/runs/{going}/cancel"), &json!({})).status, 200);
    serving.until(going, "done");
}

/// A hunt of another process: what it has kept is seen by family, more of it while it goes on, and its improvements are a moving picture.
#[test]
fn of_another_process() {
    use_with(Serving::start(), &TABLET, "runs", READY, |page, place, _| {
        let serving = place.server();
        let run = hunt(&serving.store);
        page.open(&format!("http://{}/runs#{run}", serving.address));
        page.wait("document.querySelector('#boards-title').textContent.startsWith('A game of each family')");
        let kept = serving.get(&format!("/api/runs/{run}/finds")).json()["finds"].as_array().unwrap().clone();
        assert!(
            kept.len() > 2 && kept.iter().all(|game| game["score"].as_f64().unwrap() >= 60.0),
            "{} are kept",
            kept.len()
        );
        page.wait(&format!("document.querySelectorAll('#boards-list img').length === {}", kept.len().min(12)));
        let scores = kept.iter().take(12).map(|game| game["score"].to_string()).collect::<Vec<_>>();
        let shown = page.eval(
            "[...document.querySelectorAll('#boards-list figcaption')].map(title => title.textContent.split(' ')[0])",
        );
        assert_eq!(shown, json!(scores));
        assert_eq!(page.text("#families"), format!("{} families have been kept.", kept.len()));
        page.shoot("hunt");
        page.click("#as-gif");
        assert!(page.saved(&format!("run-{run}.gif")).starts_with(b"GIF89a"));
        let plain = serving.begin(order("repeat(nested(1))", 200));
        serving.until(plain, "done");
        assert_eq!(serving.get(&format!("/api/runs/{plain}/finds")).json()["finds"], json!([]));
    });
}

/// A short hunt, as the command line makes it; its number.
fn hunt(store: &std::path::Path) -> i64 {
    let spec =
        RunSpec { keep: Some(60.0), playouts: Some(200_000), ..RunSpec::new("morpion-5d").search("repeat(nested(1))") };
    let ready = Registry::standard().ready(RunSpec { seed: Some(3), ..spec.clone() }).unwrap();
    let settings = RecorderSettings {
        min_duration: Duration::ZERO,
        ..RecorderSettings::new(Duration::from_secs(1), Cancel::new())
    };
    let recorder = Recorder::begin(Store::open(store).unwrap(), ready.spec().clone(), settings);
    recorder.solve(&ready, 0, None, Controls::default()).unwrap();
    recorder.finish(true).unwrap().unwrap()
}
