//! The plainest file server: it sends the files of the folder, below a path, and knows nothing else.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Where the folder is.
pub const FOLDER: &str = "/some/where/";

pub struct Files {
    pub address: String,
    /// What was asked for, and not found.
    pub missing: Arc<Mutex<Vec<String>>>,
    is_down: Arc<AtomicBool>,
}

impl Files {
    pub fn serve(files: Vec<(String, Cow<'static, [u8]>)>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = format!("http://{}{FOLDER}", listener.local_addr().unwrap());
        let (missing, is_down) = (Arc::<Mutex<Vec<String>>>::default(), Arc::new(AtomicBool::new(false)));
        let shared =
            (Arc::new(files.into_iter().collect::<HashMap<_, _>>()), Arc::clone(&missing), Arc::clone(&is_down));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (files, missing, is_down) = shared.clone();
                if !is_down.load(Ordering::Relaxed) {
                    std::thread::spawn(move || answer(&stream, &files, &missing));
                }
            }
        });
        Files { address, missing, is_down }
    }

    /// As if the network were gone.
    pub fn go_down(&self) {
        self.is_down.store(true, Ordering::Relaxed);
    }
}

fn answer(stream: &TcpStream, files: &HashMap<String, Cow<'static, [u8]>>, missing: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    lines.find(String::is_empty);
    let asked = first.split(' ').nth(1).unwrap_or_default();
    let path = asked.split('?').next().unwrap_or_default();
    let file = path.strip_prefix(FOLDER).map(|path| if path.is_empty() { "index.html" } else { path });
    let kind = match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("wasm") => "application/wasm",
        Some("woff2") => "font/woff2",
        Some("webmanifest") => "application/manifest+json",
        _ => "text/html",
    };
    let (status, body) = match file.and_then(|file| files.get(file)) {
        Some(body) => ("200 OK", body.as_ref()),
        None => {
            missing.lock().unwrap().push(asked.to_owned());
            ("404 Not Found", b"".as_slice())
        }
    };
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    let mut stream = stream;
    // A browser that has gone does not matter.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}
