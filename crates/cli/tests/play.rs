//! `nestling play` starts, answers, keeps what it was told, and stops.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::common::{nestling, refused};

/// A server, and the address it printed.
fn play(arguments: &[&str], store: &std::path::Path) -> (Child, String) {
    play_by(Command::new(assert_cmd::cargo::cargo_bin("nestling")), arguments, store)
}

/// The same, started by a command of one's own.
fn play_by(mut program: Command, arguments: &[&str], store: &std::path::Path) -> (Child, String) {
    let mut child = program
        .args(["play", "--no-browser"])
        .args(arguments)
        .env("NESTLING_STORE", store)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    (child, address.trim().to_owned())
}

fn ask(host: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(std::time::Duration::from_secs(60))).unwrap();
    write!(stream, "{request}\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the server answers");
    answer
}

/// What Ctrl-C does.
fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn it_plays_and_stops() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    let (mut child, address) = play(&["runs", "--port", "0"], &store);
    let host = address.strip_prefix("http://").unwrap().strip_suffix("/runs").unwrap().to_owned();
    assert!(ask(&host, "GET /runs HTTP/1.1").contains("<title>Runs"));
    assert!(ask(&host, "GET /report HTTP/1.1").contains("Table 1"));
    let order = r#"{"problem":"morpion-5d","search":"repeat(nested(3))","seconds":600}"#;
    let head = format!("POST /api/runs HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {}", order.len());
    let mut stream = TcpStream::connect(&host).unwrap();
    write!(stream, "{head}\r\nHost: {host}\r\nConnection: close\r\n\r\n{order}").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.contains(r#""state":"running""#), "{answer}");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let store = store.to_str().unwrap();
    let list = nestling(&["runs", "list", "--json", "--store", store]);
    assert!(crate::common::stdout(&list).contains(r#""state":"interrupted""#), "{}", crate::common::stdout(&list));
}

#[test]
fn other_machines_get_a_token() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, address) = play(&["--port", "0", "--listen", "127.0.0.1"], &folder.path().join("runs.db"));
    let (host, token) = address.strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
    assert_eq!(token.len(), 32);
    assert!(ask(host, "GET / HTTP/1.1").starts_with("HTTP/1.1 401"));
    assert!(ask(host, &format!("GET / HTTP/1.1\r\nAuthorization: Bearer {token}")).starts_with("HTTP/1.1 200"));
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// The address without the page.
fn host_of(address: &str) -> &str {
    address.strip_prefix("http://").unwrap().strip_suffix('/').unwrap()
}

/// A client that begins requests and does not end them locks no other client out, even if there are fewer file handles than such requests.
#[cfg(unix)]
#[test]
fn unfinished_requests_lock_nobody_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"ulimit -n 256; exec "$0" "$@""#]).arg(assert_cmd::cargo::cargo_bin("nestling"));
    let (mut child, address) = play_by(shell, &["--port", "0"], &folder.path().join("runs.db"));
    let host = host_of(&address);
    let begun = |_| {
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET / HTTP/1.1\r\nHost: ").unwrap();
        stream
    };
    let unfinished: Vec<TcpStream> = (0..300).map(begun).collect();
    assert!(ask(host, "GET /api/about HTTP/1.1").starts_with("HTTP/1.1 200"));
    drop(unfinished);
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A server without a file handle to spare answers when it has one again.
#[cfg(target_os = "linux")]
#[test]
fn connections_wait_for_file_handles() {
    use rustix::process::{Pid, Resource, getrlimit, prlimit};
    let folder = tempfile::tempdir().unwrap();
    let (mut child, address) = play(&["--port", "0"], &folder.path().join("runs.db"));
    let host = host_of(&address);
    assert!(ask(host, "GET /api/about HTTP/1.1").starts_with("HTTP/1.1 200"));
    let limit = |current| {
        let limit = rustix::process::Rlimit { current, ..getrlimit(Resource::Nofile) };
        prlimit(Some(Pid::from_child(&child)), Resource::Nofile, limit).unwrap();
    };
    let usual = getrlimit(Resource::Nofile).current;
    limit(Some(3));
    let waiting = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| ask(host, "GET /api/about HTTP/1.1"));
        std::thread::sleep(std::time::Duration::from_millis(500));
        assert!(!waiting.is_finished(), "there was no file handle for it");
        limit(usual);
        waiting.join().unwrap()
    });
    assert!(waiting.starts_with("HTTP/1.1 200"), "{waiting}");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_cannot_be_served_is_named() {
    refused(&nestling(&["play", "chess", "--port", "0", "--no-browser"]), 2, &["no page \"chess\"", "morpion"]);
    refused(&nestling(&["play", "--listen", "here", "--no-browser"]), 2, &["here", "--listen"]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    refused(&nestling(&["play", "--port", &port, "--no-browser"]), 2, &[&port, "choose another with --port"]);
    refused(&nestling(&["play", "--store", "/dev/null", "--port", "0", "--no-browser"]), 2, &["/dev/null"]);
}
