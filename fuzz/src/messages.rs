//! Calls of the engine in a browser tab: several, one after another, as the worker of a page makes them.

use std::sync::atomic::{AtomicU32, Ordering};

use nestling_wasm::TabEngine;
use serde_json::{Value, json};

use crate::sealed::changed;

/// Between two calls.
const NEXT: &[u8] = b"\n--\n";

/// An engine keeps its run to the end of its worker; no more than so many runs are therefore begun here.
const MOST_RUNS: u32 = 3_000;

/// The calls. `"@"` in the place of `tasks` or `taken` stands for the parcels of the reply before; a body that begins with `@` is the body of
/// that reply, changed: each three bytes behind the `@` are a place (two of them) and a value, and the checksum is right again.
pub fn messages(bytes: &[u8]) {
    let mut engine = TabEngine::default();
    let (mut parcels, mut last) = (json!([]), Vec::new());
    for call in split(bytes) {
        let (header, body) = parts(call);
        let Ok(mut header) = serde_json::from_slice::<Value>(header) else {
            engine.answer(call);
            continue;
        };
        if !bounded(&mut header) {
            continue;
        }
        for name in ["tasks", "taken"].into_iter().filter(|name| header[name] == "@").collect::<Vec<_>>() {
            header[name] = parcels.clone();
        }
        let body = match body {
            [b'@', changes @ ..] if !last.is_empty() => changed(&last, changes),
            _ => body.to_vec(),
        };
        let reply = engine.answer(&[header.to_string().as_bytes(), b"\n", &body].concat());
        let (header, body) = parts(&reply);
        let header: Value = serde_json::from_slice(header).expect("a reply begins with an object");
        if header["parcels"].is_array() {
            parcels = header["parcels"].clone();
        }
        if !body.is_empty() {
            last = body.to_vec();
        }
    }
}

fn split(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut calls = Vec::new();
    while let Some(place) = bytes.windows(NEXT.len()).position(|window| window == NEXT) {
        calls.push(&bytes[..place]);
        bytes = &bytes[place + NEXT.len()..];
    }
    calls.push(bytes);
    calls
}

/// The line, and the bytes behind it.
fn parts(message: &[u8]) -> (&[u8], &[u8]) {
    let line = message.iter().position(|&byte| byte == b'\n').unwrap_or(message.len());
    (&message[..line], message.get(line + 1..).unwrap_or_default())
}

/// Asks for less work than a page may; false if a call is left out.
fn bounded(header: &mut Value) -> bool {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let Some(call) = header["call"].as_str().map(str::to_owned) else { return true };
    for (name, most) in [("wants", 3), ("workers", 3), ("games", 1)] {
        if header[name].as_u64().is_some_and(|number| number > most) {
            header[name] = json!(most);
        }
    }
    if header["seconds"].as_f64().is_some_and(|seconds| seconds > 0.002) && call != "chart" {
        header["seconds"] = json!(0.002);
    }
    match &call[..] {
        // `requests` is for these; a match has no end but that of its games.
        "request" => false,
        "match" => {
            let is_quick = |player: &Value| ["random", "first", "second"].iter().any(|quick| player == quick);
            header["players"].as_array().is_none_or(|players| players.iter().all(is_quick))
        }
        "begin" | "resume" => RUNS.fetch_add(1, Ordering::Relaxed) < MOST_RUNS,
        _ => true,
    }
}
