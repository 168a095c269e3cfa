//! Searches begin, are reported, stop and continue.

use std::time::{Duration, Instant};

use nestling::Run;
use nestling_morpion::{Board, Variant};
use serde_json::{Value, json};

use crate::common::{Serving, order, record};

/// A search that takes some seconds.
const LONG: (&str, u64) = ("repeat(nrpa(2))", 150_000);

/// What the library finds with the same order.
fn expected((search, playouts): (&str, u64)) -> (f64, u64) {
    let problem = Board::new(Variant::FiveD);
    let run = Run::new(&problem, search.parse().unwrap()).seed(7).playouts(playouts).threads(2);
    let outcome = run.start().unwrap();
    (outcome.score().unwrap(), outcome.counts.playouts)
}

fn result(account: &Value) -> (f64, u64) {
    let result = &account["results"][0];
    (result["score"].as_f64().unwrap(), result["playouts"].as_u64().unwrap())
}

#[test]
fn news_come_as_they_happen() {
    let serving = Serving::start();
    let mut events = serving.events();
    let first = events.next().unwrap();
    assert_eq!(first, json!({ "event": "state", "runs": [] }));
    let run = serving.begin(order("repeat(nrpa(1))", 20_000));
    let news: Vec<Value> = events.take_while(|news| news["event"] != "run" || news["here"] != false).collect();
    assert!(news.iter().all(|news| news["id"] == run));
    let of = |kind: &str| news.iter().filter(|news| news["event"] == kind).collect::<Vec<_>>();
    let scores: Vec<i64> = of("improvement").iter().map(|news| news["score"].as_i64().unwrap()).collect();
    assert!(scores.len() > 2 && scores.is_sorted(), "{scores:?}");
    let results = of("result");
    assert_eq!((results.len(), &results[0]["stop"]), (1, &json!("playouts")));
    assert_eq!(results[0]["score"].as_i64(), scores.last().copied());
    let account = serving.until(run, "done");
    assert_eq!(result(&account), expected(("repeat(nrpa(1))", 20_000)));
    assert_eq!(account["improvements"].as_array().unwrap().len(), scores.len());
    let best = serving.get("/api/best?problem=morpion-5d").json();
    assert_eq!(best, json!([{ "search": "repeat(nrpa(1))", "best": scores.last(), "run": run }]));
    let found = serving.get("/api/records?own=true").json();
    assert_eq!((found[0]["score"].as_i64(), found[0]["own"].as_bool()), (scores.last().copied(), Some(true)));
}

/// However often a search is paused, it has the result of an uninterrupted one.
#[test]
fn pausing_changes_nothing() {
    let serving = Serving::start();
    let run = serving.begin(order(LONG.0, LONG.1));
    for _ in 0..3 {
        let paused = serving.post(&format!("/api/runs/{run}/pause"), &json!({}));
        if paused.status == 409 {
            break; // It was quicker.
        }
        assert_eq!((paused.status, &paused.json()["state"]), (200, &json!("interrupted")), "{}", paused.text());
        serving.post(&format!("/api/runs/{run}/pause"), &json!({})).refused(409, &["is not running here"]);
        let resumed = serving.post(&format!("/api/runs/{run}/resume"), &json!({}));
        assert_eq!((resumed.status, &resumed.json()["here"]), (200, &json!(true)), "{}", resumed.text());
    }
    assert_eq!(result(&serving.until(run, "done")), expected(LONG));
}

/// Somebody who does not wait for the answer to a pause resumes the run as soon as everything is written, before the search that has ended
/// has left the list.
#[test]
fn runs_are_resumed_at_the_first_moment() {
    let serving = Serving::start();
    let run = serving.begin(json!({ "problem": "morpion-5d", "search": "repeat(nested(2))", "seconds": 600 }));
    let began = Instant::now();
    for _ in 0..20 {
        std::thread::scope(|scope| {
            scope.spawn(|| serving.post(&format!("/api/runs/{run}/pause"), &json!({})));
            while serving.post(&format!("/api/runs/{run}/resume"), &json!({})).status != 200 {
                assert!(began.elapsed() < Duration::from_secs(60), "run {run} is lost");
            }
        });
        assert_eq!(serving.until(run, "running")["here"], json!(true));
    }
    assert_eq!(serving.post(&format!("/api/runs/{run}/cancel"), &json!({})).status, 200);
}

/// Nothing is lost when the server stops.
#[test]
fn a_restart_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    let run = {
        let serving = Serving::on(&store);
        let run = serving.begin(order(LONG.0, LONG.1));
        serving.until(run, "running");
        run
    };
    let serving = Serving::on(&store);
    assert_eq!(serving.until(run, "interrupted")["here"], json!(false));
    assert_eq!(serving.post(&format!("/api/runs/{run}/resume"), &json!({})).status, 200);
    assert_eq!(result(&serving.until(run, "done")), expected(LONG));
}

#[test]
fn searches_are_stopped_deleted_and_given_more() {
    let serving = Serving::start();
    let endless = json!({ "problem": "morpion-5d", "search": "repeat(nested(2))", "seconds": 600 });
    let run = serving.begin(endless.clone());
    serving.ask("DELETE", &format!("/api/runs/{run}"), &[], b"").refused(409, &["is in use by"]);
    let stopped = serving.post(&format!("/api/runs/{run}/cancel"), &json!({})).json();
    assert_eq!((&stopped["state"], &stopped["id"]), (&json!("done"), &json!(run)));
    // Somebody thinks better of it.
    assert_eq!(serving.post(&format!("/api/runs/{run}/resume"), &json!({})).status, 200);
    assert_eq!(serving.post(&format!("/api/runs/{run}/cancel"), &json!({})).status, 200);
    assert_eq!(serving.ask("DELETE", &format!("/api/runs/{run}"), &[], b"").status, 200);
    serving.get(&format!("/api/runs/{run}")).refused(404, &["there is no run"]);

    let run = serving.begin(order("repeat(nrpa(1))", 1000));
    serving.until(run, "done");
    let more = |body: Value| serving.post(&format!("/api/runs/{run}/resume"), &body);
    more(json!({})).refused(409, &["are used up; give it more"]);
    more(json!({ "playouts": 1000 })).refused(409, &["are used up; give it more"]);
    assert_eq!(more(json!({ "playouts": 2000 })).status, 200);
    assert_eq!(result(&serving.until(run, "done")), expected(("repeat(nrpa(1))", 2000)));

    let runs: Vec<i64> = (0..4).map(|_| serving.begin(endless.clone())).collect();
    serving.post("/api/runs", &endless).refused(429, &["4 searches are running already"]);
    for run in runs {
        assert_eq!(serving.post(&format!("/api/runs/{run}/cancel"), &json!({})).status, 200);
    }
}

#[test]
fn senseless_searches_are_refused() {
    let serving = Serving::start();
    let begin = |search: &str, more: Value| {
        let mut order = json!({ "problem": "morpion-5d", "search": search });
        order.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serving.post("/api/runs", &order)
    };
    begin("nested(", json!({ "seconds": 1 })).refused(422, &["the search, "]);
    begin("nested(40)", json!({ "seconds": 1 })).refused(422, &["at most 32"]);
    begin("repeat(nested(1))", json!({})).refused(422, &["never ends by itself"]);
    begin("nested(9)", json!({})).refused(422, &["would take more than ten years on morpion-5d"]);
    begin("uct(100000000, memory=1000)", json!({ "seconds": 1 })).refused(422, &["may take 1000 MiB of memory"]);
    let inside = begin("step(repeat(3, uct(1000000, trees=12)))", json!({ "seconds": 1 }));
    inside.refused(422, &["uct(1000000, trees=12) may take", "MiB of memory"]);
    begin("beam(1000000)", json!({ "seconds": 1 })).refused(422, &["beam(1000000) may take", "MiB of memory"]);
    begin("playout(chess)", json!({ "seconds": 1 })).refused(422, &["no playout policy"]);
    begin("uct(9)", json!({ "seconds": 1, "device": "cuda" })).refused(422, &["GPUs do not support uct(9)"]);
    begin("nested(1)", json!({ "seconds": 1, "device": "abacus" })).refused(400, &["cannot be understood"]);
    begin(&"x".repeat(3000), json!({ "seconds": 1 })).refused(422, &["longer than 2000"]);
    for seconds in [json!(-1), json!(0), json!(1e300)] {
        begin("nested(1)", json!({ "seconds": seconds })).refused(422, &["the time must be"]);
    }
    begin("nested(1)", json!({ "seconds": "1" })).refused(400, &["cannot be understood"]);
    begin("nested(1)", json!({ "playouts": 0 })).refused(422, &["at least one playout"]);
    for (field, value) in
        [("output", json!("/tmp/x")), ("checkpoint", json!({ "secs": 0, "nanos": 1 })), ("runs", json!(9))]
    {
        begin("nested(1)", json!({ "seconds": 1, field: value })).refused(422, &[field, "only on the command line"]);
    }
    begin("nested(1)", json!({ "from": ["nonsense"] })).refused(422, &["illegal"]);
    let over = record(&serving, "morpion-5d", "rosin82");
    begin("nested(1)", json!({ "from": over, "seconds": 1 })).refused(422, &["the game is over"]);
    assert_eq!(serving.get("/api/runs").json(), json!([]), "what is refused leaves no trace");
}

/// What the menus of the pages offer can be begun, and their usual choice is one of them.
#[test]
fn searches_are_listed() {
    let serving = Serving::start();
    let listed = serving.get("/api/searches").json();
    let names: Vec<&str> = listed.as_array().unwrap().iter().map(|search| search["name"].as_str().unwrap()).collect();
    assert!(["playout", "repeat", "nested", "nrpa", "uct", "dfs"].iter().all(|name| names.contains(name)), "{names:?}");
    let mut menus = 0;
    for search in listed.as_array().unwrap().iter().filter(|search| !search["menu"].is_null()) {
        let choices = search["menu"]["choices"].as_array().unwrap();
        assert!(choices.iter().any(|choice| choice["choice"] == search["menu"]["usual"]), "{search}");
        for choice in choices {
            let order = json!({ "problem": "morpion-5d", "search": choice["expression"] });
            let explained = serving.post("/api/explain", &order);
            assert_eq!(explained.status, 200, "{choice}: {}", explained.text());
            assert_eq!(explained.json()["search"], choice["expression"]);
        }
        menus += 1;
    }
    assert!(menus >= 6, "{names:?}");
}

#[test]
fn searches_are_explained() {
    let serving = Serving::start();
    let explain = |search: &str| serving.post("/api/explain", &json!({ "problem": "morpion-5d", "search": search }));
    let reflexive = explain("reflexive(10)").json();
    assert_eq!(reflexive["means"], "step(repeat(10, playout))");
    assert!(reflexive["playouts"].as_f64().unwrap() > 100.0 && reflexive["seconds"].as_f64().unwrap() > 0.0);
    let endless = explain("repeat(nested(1))").json();
    assert_eq!((&endless["endless"], &endless["playouts"]), (&json!(true), &Value::Null));
    explain("nested(1").refused(422, &["the search, "]);
    let gpu = json!({ "problem": "morpion-5d", "search": "uct(9)", "device": "cuda" });
    serving.post("/api/explain", &gpu).refused(422, &["GPUs do not support uct(9)"]);
}

#[test]
fn hints_are_legal_and_say_what_they_promise() {
    let serving = Serving::start();
    let moves = &record(&serving, "morpion-5d", "rosin82")[..60];
    let ask = json!({ "problem": "morpion-5d", "moves": moves, "seconds": 0.2 });
    let hint = serving.post("/api/hint", &ask).json();
    let position = serving.post("/api/games/position", &json!({ "problem": "morpion-5d", "moves": moves })).json();
    assert!(position["legal_moves"].as_array().unwrap().contains(&hint["move"]), "{hint}");
    let whole = serving.post("/api/games/position", &json!({ "problem": "morpion-5d", "moves": hint["moves"] })).json();
    assert_eq!((&whole["score"], &whole["complete"]), (&hint["score"], &json!(true)));
    assert!(hint["score"].as_i64().unwrap() > 60);
    serving
        .post("/api/hint", &json!({ "problem": "morpion-5d", "moves": [], "seconds": 3600 }))
        .refused(422, &["0.05 to 10"]);
    let over = record(&serving, "morpion-5d", "rosin82");
    serving.post("/api/hint", &json!({ "problem": "morpion-5d", "moves": over })).refused(422, &["the game is over"]);
}

/// The same files as `nestling runs export`.
#[test]
fn runs_are_exported() {
    let serving = Serving::start();
    let run = serving.begin(order("repeat(nrpa(1))", 1000));
    serving.until(run, "done");
    let export = |form: &str| serving.get(&format!("/api/runs/{run}/export?as={form}"));
    assert_eq!(export("json").json()["id"], json!(run));
    assert!(export("csv").text().starts_with("run,seconds,playouts,score,found,moves\n"));
    assert!(export("svg").text().starts_with("<svg") && export("svg").text().contains("moves"));
    export("pdf").refused(422, &["json, csv, svg or gif"]);
    serving.get(&format!("/api/runs/{run}/export")).refused(400, &["as"]);
    for run in ["0", "99", "-1", "x", "99999999999999999999"] {
        serving.get(&format!("/api/runs/{run}")).refused(404, &["there is no"]);
    }
}
