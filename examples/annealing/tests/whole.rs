//! The command line and the app know the search, and nothing of it is lost when a run is killed.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

fn annealing(store: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_annealing"));
    command.args(arguments).env("NESTLING_STORE", store).stderr(Stdio::null());
    command
}

/// The last object that a command prints, without what depends on the clock.
fn result(command: &mut Command) -> Value {
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let last = text.lines().filter(|line| line.contains(r#""event":"result""#)).last();
    let mut object: Value = serde_json::from_str(last.expect("a run has a result")).unwrap();
    object["seconds"] = Value::Null;
    object
}

/// Lines of a process that is being watched.
fn lines(child: &mut Child) -> impl Iterator<Item = String> {
    BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok)
}

#[test]
fn a_killed_run_is_resumed_on_two_threads() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    let search = ["solve", "left-move:60", "-s", "repeat(anneal(3000, heat=2))", "--seed", "7", "--playouts", "600000"];
    let on_two = [&search[..], &["--threads", "2", "--json", "--checkpoint", "50ms"]].concat();
    let whole = result(&mut annealing(&store, &[&on_two[..], &["--no-store"]].concat()));
    let mut child = annealing(&store, &on_two).stdout(Stdio::piped()).spawn().unwrap();
    lines(&mut child).find(|line| line.contains(r#""event":"stored""#)).expect("the run is kept");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(result(&mut annealing(&store, &["runs", "resume", "--json", "--threads", "2"])), whole);
}

struct Serving(Child, String);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Serving {
    fn ask(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(&self.1).unwrap();
        let (host, length) = (&self.1, body.len());
        let head = "Content-Type: application/json\r\nConnection: close";
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}\r\n{head}\r\nContent-Length: {length}\r\n\r\n{body}")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let start = answer.find(['{', '[']).unwrap_or_else(|| panic!("{answer}"));
        let end = answer.rfind(['}', ']']).unwrap();
        serde_json::from_str(&answer[start..=end]).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }
}

#[test]
fn the_app_has_it_in_its_menu_and_runs_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    let mut child = annealing(&store, &["play", "--no-browser", "--port", "0"]).stdout(Stdio::piped()).spawn().unwrap();
    let address = lines(&mut child).find_map(|line| Some(line.strip_prefix("http://")?.split('/').next()?.to_owned()));
    let serving = Serving(child, address.unwrap());
    let first = &serving.ask("GET", "/api/searches", "")[0];
    assert_eq!((&first["name"], &first["menu"]["title"]), (&json!("anneal"), &json!("Simulated annealing")));
    assert_eq!(first["menu"]["choices"][0]["expression"], "repeat(anneal(1000))");
    let asked = json!({ "problem": "left-move:20", "search": "anneal(500)", "seed": 1 });
    let run = serving.ask("POST", "/api/runs", &asked.to_string())["id"].as_i64().expect("it has begun");
    loop {
        let account = serving.ask("GET", &format!("/api/runs/{run}"), "");
        if account["state"] == "done" {
            assert!(account["best"].as_f64() > Some(15.0), "{account}");
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}
