//! `nestling play` starts, answers, keeps what it was told, and stops.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use common::{nestling, refused};

/// A server, and the address it printed.
fn play(arguments: &[&str], store: &std::path::Path) -> (Child, String) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("nestling"))
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
    write!(stream, "{request}\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
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
    assert!(common::stdout(&list).contains(r#""state":"interrupted""#), "{}", common::stdout(&list));
}

#[test]
fn other_machines_get_a_token() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, address) = play(&["--port", "0", "--listen", "127.0.0.1"], &folder.path().join("runs.db"));
    let (host, token) = address.strip_prefix("http://").unwrap().split_once("/morpion?token=").unwrap();
    assert_eq!(token.len(), 32);
    assert!(ask(host, "GET / HTTP/1.1").starts_with("HTTP/1.1 401"));
    assert!(ask(host, &format!("GET / HTTP/1.1\r\nAuthorization: Bearer {token}")).starts_with("HTTP/1.1 200"));
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
