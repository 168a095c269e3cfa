//! The server of the app, with a store: all of its requests, as a program on this machine sends them.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::OnceLock;
use std::time::Duration;

use nestling_registry::Registry;
use nestling_web::{Options, Server};
use serde_json::Value;

/// The address of a server that runs as long as this process, with an empty store.
fn address() -> &'static str {
    static ADDRESS: OnceLock<String> = OnceLock::new();
    ADDRESS.get_or_init(|| {
        let folder = crate::stores::folder().keep();
        let server = Server::bind(&Options::new(&folder.join("runs.db"))).expect("a port");
        let address = server.address("").expect("there is a first page");
        std::thread::spawn(move || server.run(Registry::standard().without_files()).expect("it goes on"));
        address.trim_start_matches("http://").split('/').next().expect("a host").to_owned()
    })
}

/// A line with method and path, and the body. Behind a zero byte, any bytes are sent as they are.
pub fn server(bytes: &[u8]) {
    if let [0, raw @ ..] = bytes {
        send(raw);
        return;
    }
    let line = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let body = bytes.get(line + 1..).unwrap_or_default();
    let (method, path) = match std::str::from_utf8(&bytes[..line]).ok().and_then(|line| line.split_once(' ')) {
        // A stream of events has no end.
        Some((method, path)) if !path.starts_with("/api/events") => (method, path),
        _ => return,
    };
    let Some((status, answer)) = ask(method, path, body) else { return };
    assert!(status < 500, "{}", String::from_utf8_lossy(&answer));
    // A search that has begun would take the time of all others.
    if (method, status) == ("POST", 200)
        && let Some(run) = serde_json::from_slice::<Value>(&answer).ok().and_then(|answer| answer["id"].as_i64())
    {
        for (method, path) in [("POST", format!("/api/runs/{run}/cancel")), ("DELETE", format!("/api/runs/{run}"))] {
            let (status, answer) = ask(method, &path, b"{}").expect("it answers");
            assert!(status < 500, "{}", String::from_utf8_lossy(&answer));
        }
    }
}

fn ask(method: &str, path: &str, body: &[u8]) -> Option<(u16, Vec<u8>)> {
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        address(),
        body.len()
    );
    send(&[head.as_bytes(), body].concat())
}

/// The status and the body of the answer; nothing if there is none.
fn send(bytes: &[u8]) -> Option<(u16, Vec<u8>)> {
    let mut stream = TcpStream::connect(address()).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("it can be set");
    // Whoever is refused early may find the connection closed.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let status = std::str::from_utf8(answer.get(9..12)?).ok()?.parse().ok()?;
    Some((status, answer.split_off(end + 4)))
}
