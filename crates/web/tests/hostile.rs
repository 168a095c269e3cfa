//! Whatever is sent, the answer is never that the server is to blame, and it keeps working.

use nestling::{Rng, Stream};
use nestling_api::Refusal;
use serde_json::{Value, json};

use crate::common::{Serving, order};

/// How many requests are made; `scripts/soak` makes more.
fn count() -> u64 {
    std::env::var("NESTLING_REQUESTS").map_or(3000, |count| count.parse().expect("a number of requests"))
}

fn pick<'a, T>(rng: &mut Rng, all: &'a [T]) -> &'a T {
    &all[rng.below(all.len())]
}

/// One of the first `sound` mostly, or any.
fn mostly<'a, T>(rng: &mut Rng, all: &'a [T], sound: usize) -> &'a T {
    if rng.below(3) == 0 { pick(rng, all) } else { pick(rng, &all[..sound]) }
}

const PATHS: [&str; 27] = [
    "/api/openapi.json",
    "/api/problems",
    "/api/problem",
    "/api/records",
    "/api/best",
    "/api/puzzles",
    "/api/puzzles/solutions",
    "/api/puzzles/new",
    "/api/collections",
    "/api/table",
    "/api/games/position",
    "/api/games/open",
    "/api/games/export",
    "/api/hint",
    "/api/explain",
    "/api/runs",
    "/api/runs/1",
    "/api/runs/1/export",
    "/api/runs/1/pause",
    "/api/runs/1/resume",
    "/api/runs/1/cancel",
    "/api/runs/-9223372036854775808",
    "/api/runs/%00/pause",
    "/",
    "/runs",
    "/core/../../../../etc/passwd",
    "//evil.example/%ff%fe",
];

const PROBLEMS: [&str; 18] = [
    "morpion-5d",
    "morpion-4t",
    "samegame:seed=7,size=4x4",
    "left-move:6",
    "left-move:99999999999999999999",
    "sudoku:order=99999",
    "sudoku:order=2,empty=50",
    "kakuro:size=999999,values=3",
    "samegame:size=99999999x99999999",
    "tsptw:/etc/passwd",
    "bus",
    "quarto:squares",
    "sudoku:text=AAAA",
    "sudoku:text=MzE0AA,order=3",
    "samegame:../samegame/x#18446744073709551616",
    "morpion-5d:x",
    "\u{0}\u{202e}",
    "",
];

const SEARCHES: [&str; 14] = [
    "nested(1)",
    "repeat(nrpa(1))",
    "repeat(repeat(repeat(playout)))",
    "nrpa(32, iterations=18446744073709551615)",
    "nested(32)",
    "uct(99999999)",
    "beam(20000, samples=99999999)",
    "mean(3, playout)",
    "reflexive(1, 2, 3, 4, 5, 6, 7, 8, 9)",
    "dfs",
    "nrpa(2, warm=/dev/zero)",
    "playout(weights=x)",
    "((((((((((",
    "nested(1, ties=random, memory=off)",
];

const MOVES: [&str; 6] = ["(28,24) | +2", "(28,33) | -2", "(99999999,-99999999) / +9", "", "r1c1=1", "\u{ffff}"];

const QUERIES: [&str; 11] = [
    "",
    "?problem=morpion-5d",
    "?problem=",
    "?problem=morpion-5d&problem=x",
    "?limit=99999999999999999999",
    "?limit=-1",
    "?as=svg",
    "?%ff=%00",
    "?own=maybe",
    "?problem=quarto",
    "?problem=sudoku:text=_-_",
];

/// A value that a field might have, or should not.
fn value(rng: &mut Rng, depth: u32) -> Value {
    match rng.below(if depth > 3 { 8 } else { 10 }) {
        0 => Value::Null,
        1 => json!(rng.below(2) == 0),
        2 => json!(u64::MAX - rng.below(9) as u64),
        3 => json!(-(rng.below(1000) as i64)),
        4 => json!(*pick(rng, &[0.0, 0.05, 1e308, -1e-308, 0.3])),
        5 => json!(*pick(rng, &PROBLEMS)),
        6 => json!(*pick(rng, &MOVES)),
        7 => json!("x".repeat(rng.below(3000))),
        8 => (0..rng.below(4)).map(|_| value(rng, depth + 1)).collect(),
        _ => {
            let name = *pick(rng, &["problem", "moves", "__proto__", ""]);
            json!({ name: value(rng, depth + 1) })
        }
    }
}

type Route = (&'static str, &'static str, &'static [&'static str]);

/// What does most, so it is asked for most.
const BEGIN: Route =
    ("POST", "/api/runs", &["problem", "search", "from", "seconds", "playouts", "seed", "target", "device"]);

/// What can be asked for, and the fields it knows.
const ROUTES: [Route; 18] = [
    ("POST", "/api/games/position", &["problem", "moves"]),
    ("POST", "/api/games/export", &["problem", "moves", "format", "width", "theme"]),
    ("POST", "/api/games/open", &["problem", "moves", "format"]),
    ("POST", "/api/explain", &["problem", "search", "device"]),
    BEGIN,
    BEGIN,
    BEGIN,
    ("POST", "/api/runs/2/resume", &["seconds", "playouts"]),
    ("POST", "/api/runs/3/pause", &[]),
    ("POST", "/api/runs/4/cancel", &[]),
    ("DELETE", "/api/runs/5", &[]),
    ("GET", "/api/runs/6", &[]),
    ("POST", "/api/hint", &["problem", "moves", "seconds", "seed"]),
    ("POST", "/api/puzzles", &["problem", "text"]),
    ("POST", "/api/puzzles/mistakes", &["problem", "moves"]),
    ("POST", "/api/puzzles/reasons", &["problem", "moves"]),
    ("POST", "/api/table/reply", &["problem", "moves", "level", "seed"]),
    ("POST", "/api/table/analysis", &["problem", "moves", "seed"]),
];

/// A body with some of these fields, some of them wrong.
fn body(rng: &mut Rng, fields: &[&str]) -> Vec<u8> {
    let moves = |rng: &mut Rng| -> Value { (0..rng.below(3)).map(|_| json!(*mostly(rng, &MOVES, 1))).collect() };
    let mut object = json!({});
    for &field in fields {
        if rng.below(12) == 0 {
            continue;
        }
        object[field] = match (rng.below(12), field) {
            (0, _) => value(rng, 0),
            (_, "problem") => json!(*mostly(rng, &PROBLEMS, 2)),
            (_, "moves" | "from") => moves(rng),
            (_, "search") => json!(*mostly(rng, &SEARCHES, 3)),
            (_, "seconds") => json!(*pick(rng, &[0.05, 0.06, 0.1])),
            (_, "playouts") => json!(rng.below(300)),
            (_, "format") => json!(*pick(rng, &["png", ".svg", "json", "msr", "x", ""])),
            (_, "width") => json!(rng.below(500)),
            (_, "text") => {
                json!(*pick(rng, &["1...\n..3.\n.4..\n...2\n", "#", "9\n9 9\n", "\u{0}\u{feff}", "x,y\n\"1"]))
            }
            (_, "level") => json!(*pick(rng, &["beginner", "hard", "x", ""])),
            (_, "device") => json!(*mostly(rng, &["cpu", "auto", "cuda", "x"], 1)),
            (_, "theme") => json!(*pick(rng, &["light", "dark", "neon"])),
            (_, _) => json!(rng.below(100)),
        };
    }
    let mut bytes = object.to_string().into_bytes();
    for _ in 0..[0, 0, 0, 0, 0, 1, 4][rng.below(7)] {
        let (at, byte) = (rng.below(bytes.len()), rng.below(256) as u8);
        bytes[at] = byte;
    }
    bytes
}

/// A request, most of it well formed, and whether the server would wait for more of it.
fn request(rng: &mut Rng, host: &str) -> (Vec<u8>, bool) {
    let methods = ["GET", "GET", "POST", "DELETE", "PUT", "OPTIONS", "HEAD", "BREW"];
    let known = *pick(rng, &ROUTES);
    let anything = (*pick(rng, &methods), *pick(rng, &PATHS), known.2);
    let (method, path, fields) = if rng.below(3) == 0 { anything } else { known };
    let query = if rng.below(3) == 0 { *pick(rng, &QUERIES) } else { "" };
    let body = body(rng, fields);
    let json = "application/json";
    let kind = *pick(rng, &[json, json, json, "application/json; charset=utf-8", ""]);
    let mut head =
        format!("{method} {path}{query} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: {kind}\r\n");
    match rng.below(12) {
        0 => head += "Content-Length: 99999999999999999999\r\n",
        1 => head += "Transfer-Encoding: chunked\r\n",
        2 => head += &format!("X: {}\r\n", "y".repeat(rng.below(100_000))),
        _ => {}
    }
    if !head.contains("Content-Length") && !head.contains("chunked") {
        head += &format!("Content-Length: {}\r\n", body.len());
    }
    let mut bytes = [head.as_bytes(), b"\r\n", &body].concat();
    let mut is_short = !head.contains(&format!("Content-Length: {}\r\n", body.len()));
    if rng.below(20) == 0 {
        is_short = true;
        for _ in 0..8 {
            let (at, byte) = (rng.below(bytes.len()), rng.below(256) as u8);
            bytes[at] = byte;
        }
    }
    (bytes, is_short)
}

#[test]
fn no_request_is_the_servers_fault() {
    let serving = Serving::start();
    let mut answers = std::collections::BTreeMap::<u16, u64>::new();
    for number in 0..count() {
        let (bytes, is_short) = request(&mut Stream::new(9).child(number).rng(), &serving.address);
        let answer = if is_short { serving.send_and_leave(&bytes) } else { serving.send(&bytes) };
        let status = answer.map_or(0, |response| {
            let shown = String::from_utf8_lossy(&bytes).into_owned();
            assert!(response.status < 500, "{shown}\n{}", response.text());
            if response.status >= 400 && response.header("content-type") == Some("application/json") {
                assert!(
                    shown.starts_with("HEAD") || response.json()["error"].is_string(),
                    "{shown}\n{}",
                    response.text()
                );
            }
            response.status
        });
        *answers.entry(status).or_default() += 1;
    }
    println!("answers by status, 0 is a line that went dead: {answers:?}");
    assert!(answers[&200] > count() / 50 && answers[&422] > count() / 50, "{answers:?}");
    let runs = serving.get("/api/runs?limit=500").json();
    println!("{} searches were begun", runs.as_array().unwrap().len());
    assert!(runs.as_array().unwrap().len() > 5, "hardly a request made sense");
    for run in runs.as_array().unwrap() {
        if run["here"] == true {
            serving.post(&format!("/api/runs/{}/cancel", run["id"]), &json!({}));
        }
    }
    let run = serving.begin(order("nested(1)", 100));
    serving.until(run, "done");
}

/// A reason quotes what was sent: without control characters, and shortened to 1,500 characters and the sign that some are missing.
#[test]
fn what_was_sent_cannot_disturb_a_reason() {
    assert_eq!(Refusal::bad("unknown field `a\u{8}b`").reason, "unknown field `a\u{fffd}b`");
    let long = Refusal::bad("é".repeat(2_000)).reason;
    assert_eq!((long.chars().count(), long.chars().last()), (1_501, Some('…')));
    assert_eq!(Refusal::bad("é".repeat(1_500)).reason, "é".repeat(1_500));
}
