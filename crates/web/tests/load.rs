//! Many pages at once while a search runs. For `scripts/soak`: it takes half a minute and wants the machine for itself.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::{Serving, order, record};

const STREAMS: usize = 50;
const READERS: u32 = 8;
const READS_A_SECOND: u32 = 200;
const TIME: Duration = Duration::from_secs(30);

/// Sends a request on a connection that stays open, and reads the whole answer; its status.
fn read(stream: &mut TcpStream, request: &str) -> u16 {
    stream.write_all(request.as_bytes()).unwrap();
    let (mut bytes, mut buffer) = (Vec::new(), [0; 65536]);
    loop {
        let count = stream.read(&mut buffer).unwrap();
        assert!(count > 0, "the server hung up");
        bytes.extend_from_slice(&buffer[..count]);
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length: usize = head.split("content-length: ").nth(1).unwrap().lines().next().unwrap().parse().unwrap();
        if bytes.len() >= end + 4 + length {
            return head.split(' ').nth(1).unwrap().parse().unwrap();
        }
    }
}

#[test]
#[ignore = "takes half a minute and the whole machine"]
fn fifty_pages_and_two_hundred_reads_a_second() {
    let serving = Serving::start();
    for _ in 0..20 {
        let run = serving.begin(order("repeat(nrpa(1))", 500));
        serving.until(run, "done");
    }
    serving.begin(json!({ "problem": "morpion-5d", "search": "repeat(nrpa(3))", "seconds": 600 }));
    let game = json!({ "problem": "morpion-5t", "moves": record(&serving, "morpion-5t", "rosin178") }).to_string();
    let host = &serving.address;
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let head = format!("Host: {host}\r\nContent-Type: application/json\r\nContent-Length: {}", game.len());
    let requests = [
        get("/api/runs"),
        get("/api/runs/7"),
        get("/api/records?problem=morpion-5d"),
        get("/"),
        get("/api/best?problem=morpion-5d"),
        format!("POST /api/games/position HTTP/1.1\r\n{head}\r\n\r\n{game}"),
    ];
    let (over, heard) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut times: Vec<Duration> = std::thread::scope(|scope| {
        for _ in 0..STREAMS {
            scope.spawn(|| {
                for _ in serving.events().take_while(|_| !over.load(Ordering::Relaxed)) {
                    heard.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let reader = |number: u32| {
            let mut stream = TcpStream::connect(host).unwrap();
            stream.set_nodelay(true).unwrap();
            let (began, pause) = (Instant::now(), Duration::from_secs(1) * READERS / READS_A_SECOND);
            let mut times = Vec::new();
            while began.elapsed() < TIME {
                let index = times.len() as u32;
                // All by the clock, so that a slow answer is not followed by fewer requests.
                std::thread::sleep((pause * index).saturating_sub(began.elapsed()));
                let asked = Instant::now();
                assert_eq!(read(&mut stream, &requests[(index + number) as usize % requests.len()]), 200);
                times.push(asked.elapsed());
            }
            times
        };
        let readers: Vec<_> = (0..READERS).map(|number| scope.spawn(move || reader(number))).collect();
        let times = readers.into_iter().flat_map(|reader| reader.join().unwrap()).collect();
        over.store(true, Ordering::Relaxed);
        times
    });
    times.sort();
    let at = |share: f64| times[(times.len() as f64 * share) as usize];
    let rate = times.len() as f64 / TIME.as_secs_f64();
    let heard = heard.load(Ordering::Relaxed) / STREAMS as u64;
    println!(
        "load: {rate:.0} reads a second; half within {:?}, 99 % within {:?}, all within {:?}; {heard} events for each of {STREAMS} pages",
        at(0.5),
        at(0.99),
        times[times.len() - 1]
    );
    assert!(heard > 0, "nothing was heard");
}
