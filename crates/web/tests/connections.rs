//! A client cannot lock others out by keeping connections open, and no connection is closed without need.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use nestling_web::Options;
use tempfile::TempDir;

use crate::common::{Serving, order};

/// A server with options of its own, and the folder of its store.
fn serving(choose: impl FnOnce(&mut Options)) -> (Serving, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut options = Options::new(&folder.path().join("runs.db"));
    choose(&mut options);
    (Serving::with(&options), folder)
}

/// A connection on which this was sent. Reading from it waits for a minute at most.
fn sent(serving: &Serving, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&serving.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream
}

/// The first line of what comes next, or nothing when the server has closed the connection.
fn first_line(stream: &mut TcpStream) -> Option<String> {
    let (mut line, mut byte) = (String::new(), [0]);
    while !line.ends_with("\r\n") {
        match stream.read(&mut byte) {
            Ok(0) => return None,
            Ok(_) => line.push(byte[0].into()),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return None,
            Err(error) => panic!("the server neither answers nor closes the connection: {error}"),
        }
    }
    Some(line)
}

/// Reads a whole answer of which only the status matters.
fn status(stream: &mut TcpStream) -> u16 {
    let status = first_line(stream).expect("there is an answer").split(' ').nth(1).unwrap().parse().unwrap();
    let (mut length, mut line) = (0, String::new());
    while line != "\r\n" {
        line = first_line(stream).unwrap().to_lowercase();
        length = line.strip_prefix("content-length: ").map_or(length, |length| length.trim().parse().unwrap());
    }
    stream.read_exact(&mut vec![0; length]).unwrap();
    status
}

const HALF: &str = "GET / HTTP/1.1\r\nHost: loc";

fn whole(serving: &Serving, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", serving.address)
}

#[test]
fn headers_that_do_not_come_are_not_waited_for() {
    let (serving, _folder) = serving(|options| options.header_time = Duration::from_millis(200));
    assert_eq!(first_line(&mut sent(&serving, HALF)), None);
    assert_eq!(first_line(&mut sent(&serving, "G")), None);
    let mut second = sent(&serving, &whole(&serving, "/api/about"));
    assert_eq!(status(&mut second), 200);
    second.write_all(HALF.as_bytes()).unwrap();
    assert_eq!(first_line(&mut second), None, "the second request of a connection has no more time than the first");
}

/// Connections on which nothing is asked, and pages that listen, stay for longer than headers may take.
#[test]
fn silent_connections_stay() {
    let (serving, _folder) = serving(|options| options.header_time = Duration::from_millis(50));
    let mut events = serving.events();
    assert_eq!(events.next().unwrap()["event"], "state");
    let mut asked = sent(&serving, &whole(&serving, "/api/about"));
    assert_eq!(status(&mut asked), 200);
    let mut fresh = sent(&serving, "");
    std::thread::sleep(Duration::from_millis(500));
    for stream in [&mut asked, &mut fresh] {
        stream.write_all(whole(&serving, "/api/about").as_bytes()).unwrap();
        assert_eq!(status(stream), 200);
    }
    serving.begin(order("nested(1)", 100));
    assert!(events.next().is_some(), "the page still listens");
}

/// A client that opens connections without requests loses the oldest of them, and does not block others.
#[test]
fn unfinished_requests_make_room() {
    let (serving, _folder) = serving(|options| {
        options.connections = 20;
        options.header_time = Duration::from_secs(3600);
    });
    let mut silent = sent(&serving, &whole(&serving, "/api/about"));
    assert_eq!(status(&mut silent), 200);
    let mut open: Vec<TcpStream> = (0..30).map(|_| sent(&serving, HALF)).collect();
    assert_eq!(serving.get("/api/about").status, 200);
    assert_eq!(first_line(&mut open[0]), None, "the oldest has made room");
    silent.write_all(whole(&serving, "/api/about").as_bytes()).unwrap();
    assert_eq!(status(&mut silent), 200, "unfinished requests make room before silent connections do");
}

/// A connection from another address of this machine.
#[cfg(target_os = "linux")]
fn from_elsewhere(serving: &Serving, text: &str) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
        socket.connect(serving.address.parse().unwrap()).await.unwrap().into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    (&stream).write_all(text.as_bytes()).unwrap();
    stream
}

/// Pages that listen are never closed for others. An address that has its share of them is told so, and others are answered.
#[cfg(target_os = "linux")]
#[test]
fn an_address_has_its_share() {
    let (serving, _folder) = serving(|options| options.connections = 8);
    let mut pages: Vec<_> = (0..4).map(|_| serving.events()).collect();
    pages.iter_mut().for_each(|page| assert_eq!(page.next().unwrap()["event"], "state"));
    let refused = serving.get("/api/about");
    refused.refused(429, &["too many connections"]);
    assert_eq!(refused.header("connection"), Some("close"));
    // People get a page, on a connection that is closed too.
    let page = serving.ask("GET", "/", &[("Accept", "text/html")], b"");
    assert_eq!((page.status, page.header("connection")), (429, Some("close")));
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(page.text().contains("too many connections"), "{}", page.text());
    assert_eq!(status(&mut from_elsewhere(&serving, &whole(&serving, "/api/about"))), 200);
    pages.pop();
    // The server hears of it a moment later.
    let answered = (0..6000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        serving.get("/api/about").status == 200
    });
    assert!(answered, "a page was closed, and its place is still taken");
}
