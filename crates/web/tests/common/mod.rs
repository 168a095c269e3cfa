//! A server with a store of its own, and the plainest client there is.

#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod browser;
pub mod files;
pub mod place;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use nestling_registry::Registry;
use nestling_web::{Options, Server, ServerStop};
use serde_json::{Value, json};

/// A server that runs until it is dropped.
pub struct Serving {
    pub address: String,
    pub token: Option<String>,
    pub store: PathBuf,
    stop: ServerStop,
    thread: Option<JoinHandle<()>>,
    /// The folder of the store, removed with the server unless the test brought its own.
    _folder: Option<tempfile::TempDir>,
}

impl Serving {
    /// One for this machine, with a new store.
    pub fn start() -> Self {
        Serving::offering(Registry::standard())
    }

    /// The same for the problems of a registry.
    pub fn offering(registry: Registry) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut serving = Serving::about(&Options::new(&folder.path().join("runs.db")), registry);
        serving._folder = Some(folder);
        serving
    }

    /// One for this machine, with a store that may have runs.
    pub fn on(store: &Path) -> Self {
        Serving::with(&Options::new(store))
    }

    /// One that wants a token.
    pub fn guarded() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = Options::new(&folder.path().join("runs.db")).listening(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let mut serving = Serving::with(&options);
        serving._folder = Some(folder);
        serving
    }

    pub fn with(options: &Options) -> Self {
        Serving::about(options, Registry::standard())
    }

    fn about(options: &Options, registry: Registry) -> Self {
        let server = Server::bind(options).unwrap();
        let (stop, address) = (server.stop(), server.address("").unwrap());
        let address = address.trim_start_matches("http://").split('/').next().unwrap().to_owned();
        let thread = Some(std::thread::spawn(move || server.run(registry).unwrap()));
        Serving { address, token: options.token.clone(), store: options.store.clone(), stop, thread, _folder: None }
    }

    pub fn stop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server does not panic");
        }
    }

    pub fn get(&self, path: &str) -> Response {
        self.ask("GET", path, &[], b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Response {
        self.ask("POST", path, &[("Content-Type", "application/json")], body.to_string().as_bytes())
    }

    /// Any request, well formed.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if headers.iter().all(|(name, _)| *name != "Host") {
            head += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        self.send(&[head.as_bytes(), b"\r\n", body].concat()).expect("a well-formed request is answered")
    }

    /// Any bytes; nothing if the server hangs up without a word.
    pub fn send(&self, bytes: &[u8]) -> Option<Response> {
        self.say(bytes, false)
    }

    /// Any bytes, and then a client that will send no more.
    pub fn send_and_leave(&self, bytes: &[u8]) -> Option<Response> {
        self.say(bytes, true)
    }

    fn say(&self, bytes: &[u8], leaves: bool) -> Option<Response> {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        // Whoever is refused early may find the door closed while still speaking.
        let _ = stream.write_all(bytes);
        if leaves {
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Response::read(&answer)
    }

    /// Begins a search and gives its number.
    pub fn begin(&self, order: Value) -> i64 {
        let response = self.post("/api/runs", &order);
        assert_eq!(response.status, 200, "{}", response.text());
        response.json()["id"].as_i64().unwrap()
    }

    /// Waits until a run is in a state, which it has to be soon.
    pub fn until(&self, run: i64, state: &str) -> Value {
        let began = Instant::now();
        loop {
            let account = self.get(&format!("/api/runs/{run}")).json();
            if account["state"] == state && account["here"] == (state == "running") {
                return account;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "run {run} is not {state}: {account}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The events from now on, one object each.
    pub fn events(&self) -> impl Iterator<Item = Value> + use<> {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        write!(stream, "GET /api/events HTTP/1.1\r\nHost: {}\r\n\r\n", self.address).unwrap();
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        lines.filter_map(|line| line.strip_prefix("data: ").map(|data| serde_json::from_str(data).unwrap()))
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.stop();
        }
    }
}

#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Response {
    fn read(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.split(' ').nth(1)?.parse().ok()?;
        let mut response = Response { status, head, body: bytes[end + 4..].to_vec() };
        // A request that was garbled may count as two, and have two answers.
        let length = response.header("content-length").and_then(|length| length.parse().ok());
        response.body.truncate(length.unwrap_or(usize::MAX));
        Some(response)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// Refused with this status, in one line with these words.
    pub fn refused(&self, status: u16, words: &[&str]) {
        assert_eq!(self.status, status, "{}", self.text());
        let reason = self.json()["error"].as_str().unwrap().to_owned();
        assert!(!reason.contains('\n') && reason.len() < 600, "{reason}");
        for word in words {
            assert!(reason.contains(word), "{word:?} is not in: {reason}");
        }
    }
}

/// A published record.
pub fn record(serving: &Serving, problem: &str, name: &str) -> Vec<String> {
    let records = serving.get(&format!("/api/records?problem={problem}")).json();
    let found = records.as_array().unwrap().iter().find(|record| record["name"] == name).unwrap();
    serde_json::from_value(found["moves"].clone()).unwrap()
}

/// An order with a budget in playouts, whose result is the same everywhere.
pub fn order(search: &str, playouts: u64) -> Value {
    json!({ "problem": "morpion-5d", "search": search, "playouts": playouts, "seed": 7 })
}
