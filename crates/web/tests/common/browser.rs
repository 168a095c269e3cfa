//! Chromium, driven over its DevTools protocol.

mod hands;
mod trace;

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

use super::Serving;
use super::place::Place;

/// How long anything on a page may take; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// A browser with a profile of its own.
pub struct Browser {
    process: Child,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    next: u64,
    /// What pages complained of.
    complaints: Vec<String>,
    /// Downloads that began, by the browser's identifier, with their file names.
    begun: Vec<(Value, Value)>,
    /// The file names of completed downloads.
    completed: Vec<Value>,
    trace: trace::Trace,
    profile: tempfile::TempDir,
}

/// A page of a browser.
pub struct Page<'a> {
    browser: &'a mut Browser,
    session: String,
    target: Value,
    /// Before the names of screenshots.
    name: String,
    shots: u32,
    /// Whether people touch it: then clicks are taps.
    touch: bool,
    /// What the system prefers, light or dark.
    theme: &'static str,
    /// Whether axe looks at it wherever a picture is taken.
    is_watched: bool,
}

/// What a page is looked at with.
#[derive(Clone, Copy)]
pub struct Device {
    pub name: &'static str,
    pub width: u32,
    pub height: u32,
    pub phone: bool,
}

pub const DESKTOP: Device = Device { name: "desktop", width: 1280, height: 800, phone: false };
pub const TABLET: Device = Device { name: "tablet", width: 820, height: 1180, phone: true };
pub const PHONE: Device = Device { name: "phone", width: 390, height: 844, phone: true };

/// Who has been on all pages before needs no lesson.
pub const SEEN: &str = r#"localStorage["nestling.seen"] ??= '["morpion", "quarto", "samegame", "sudoku", "tours"]'"#;

/// Names a device and a theme, such as `tablet dark`, with which all tests of pages are made instead of their own; then axe looks at the page
/// wherever a picture is taken of it.
const SWEEP: &str = "NESTLING_SWEEP";

/// What axe finds wrong with the page: rules, and the elements that break them. What fades in has other colours meanwhile.
const AXE: &str = "Promise.all(document.getAnimations().filter(one => one.effect.getTiming().iterations < 9).map(one => one.finished.catch(() => null)))
    .then(() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }))
    .then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(node => node.target.join(' ')).join(', ')}`))";

/// Opens a page, goes through steps once an expression is true, and sees to it that nothing complained. Screenshots carry the names
/// of device and page.
pub fn use_it(device: &Device, path: &str, ready: &str, steps: fn(&mut Page, &Place, bool)) {
    use_as(SEEN, Place::start(), device, path, ready, steps);
}

/// As somebody who has never been here: the page teaches the game.
pub fn use_first(device: &Device, path: &str, ready: &str, steps: fn(&mut Page, &Place, bool)) {
    use_as("", Place::start(), device, path, ready, steps);
}

/// The same as [`use_it`] with a server of one's own: what the folder cannot do, such as PNG pictures, is tried there only.
pub fn use_with(serving: Serving, device: &Device, path: &str, ready: &str, steps: fn(&mut Page, &Place, bool)) {
    use_as(SEEN, Place::Server(serving), device, path, ready, steps);
}

/// With a script that runs before those of the pages.
fn use_as(script: &str, place: Place, device: &Device, path: &str, ready: &str, steps: fn(&mut Page, &Place, bool)) {
    let Some(program) = installed() else { return };
    let mut browser = Browser::start(&program);
    let sweep = std::env::var(SWEEP).unwrap_or_default();
    let swept = sweep.split(' ').next().unwrap_or_default();
    let device = [DESKTOP, TABLET, PHONE].into_iter().find(|one| one.name == swept).unwrap_or(*device);
    let begin = if matches!(place, Place::Folder(_)) { "tab-" } else { "" };
    let dark = if sweep.ends_with(" dark") { "-dark" } else { "" };
    let name = format!("{begin}{}{dark}{}{path}", device.name, if path.is_empty() { "" } else { "-" });
    let mut page = browser.page(&name, device.width, device.height, device.phone);
    page.theme = if dark.is_empty() { "light" } else { "dark" };
    page.prefer("prefers-color-scheme", page.theme);
    page.is_watched = !sweep.is_empty();
    if !script.is_empty() {
        page.before(script);
    }
    page.open(&place.address(path));
    page.wait(ready);
    steps(&mut page, &place, device.phone);
    page.is_content();
    place.is_complete();
}

/// The script of axe; says so if it is not installed.
pub fn axe() -> Option<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/npm/node_modules/axe-core/axe.min.js");
    let script = std::fs::read_to_string(script).ok();
    if script.is_none() {
        nestling_testing::skip(nestling_testing::Need::Browser, "there is no axe-core; scripts/setup installs it");
    }
    script
}

/// The browser of this machine; says so if there is none.
pub fn installed() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let found = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = found.into_iter().find(|path| path.is_file());
    if found.is_none() {
        nestling_testing::skip(nestling_testing::Need::Browser, "there is no Chromium");
    }
    found
}

impl Browser {
    pub fn start(program: &Path) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut process = Command::new(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
            .args(["--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines().map_while(Result::ok);
        let address = lines.find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned)).unwrap();
        std::thread::spawn(move || lines.for_each(drop));
        let (socket, _) = tungstenite::connect(address).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
        }
        let (complaints, begun, completed) = (Vec::new(), Vec::new(), Vec::new());
        Browser { process, socket, next: 0, complaints, begun, completed, trace: trace::Trace::default(), profile }
    }

    /// Sends a command and gives its result.
    fn call(&mut self, session: Option<&str>, method: &str, parameters: Value) -> Value {
        self.try_call(session, method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The same, or what the browser says is wrong.
    fn try_call(&mut self, session: Option<&str>, method: &str, parameters: Value) -> Result<Value, Value> {
        self.next += 1;
        let mut command = json!({ "id": self.next, "method": method, "params": parameters });
        if let Some(session) = session {
            command["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(command.to_string())).unwrap();
        loop {
            let message = self.socket.read().unwrap_or_else(|error| panic!("{method}: {error}"));
            let Message::Text(text) = message else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["id"] == self.next {
                let error = &message["error"];
                return if error.is_null() { Ok(message["result"].clone()) } else { Err(error.clone()) };
            }
            self.listen(&message);
        }
    }

    fn listen(&mut self, message: &Value) {
        if self.trace.hear(message) {
            return;
        }
        let about = &message["params"];
        let complaint = match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => about["exceptionDetails"].to_string(),
            Some("Runtime.consoleAPICalled") if about["type"] == "error" => about["args"].to_string(),
            Some("Log.entryAdded") if about["entry"]["level"] == "error" => about["entry"].to_string(),
            Some("Browser.downloadWillBegin") => {
                return self.begun.push((about["guid"].clone(), about["suggestedFilename"].clone()));
            }
            Some("Browser.downloadProgress") if about["state"] == "completed" => {
                let download = self.begun.iter().find(|(guid, _)| *guid == about["guid"]);
                return self.completed.extend(download.map(|(_, name)| name.clone()));
            }
            _ => return,
        };
        self.complaints.push(complaint);
    }

    /// A page of this size; a small one is a phone's.
    pub fn page(&mut self, name: &str, width: u32, height: u32, phone: bool) -> Page<'_> {
        let target = self.call(None, "Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.call(None, "Target.attachToTarget", attach)["sessionId"].as_str().unwrap().to_owned();
        let downloads = self.profile.path().join("downloads");
        std::fs::create_dir_all(&downloads).unwrap();
        let allow = json!({ "behavior": "allow", "downloadPath": downloads, "eventsEnabled": true });
        self.call(None, "Browser.setDownloadBehavior", allow);
        let target = target["targetId"].clone();
        let mut page = Page {
            browser: self,
            session,
            target,
            name: name.to_owned(),
            shots: 0,
            touch: phone,
            theme: "light",
            is_watched: false,
        };
        for domain in ["Page", "Runtime", "Log"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page.resize(width, height, phone);
        page
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Page<'_> {
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        let session = self.session.clone();
        self.browser.call(Some(&session), method, parameters)
    }

    /// Closes it, as people close a tab.
    pub fn close(self) {
        let Page { browser, target, .. } = self;
        browser.call(None, "Target.closeTarget", json!({ "targetId": target }));
        let is_there = |browser: &mut Browser| {
            let targets = browser.call(None, "Target.getTargets", json!({}));
            targets["targetInfos"].as_array().is_some_and(|all| all.iter().any(|one| one["targetId"] == target))
        };
        while is_there(browser) {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The answer to a request of the app, whoever answers the page.
    pub fn get(&mut self, path: &str) -> Value {
        self.ask(path, &json!({}))
    }

    /// The answer to an order.
    pub fn post(&mut self, path: &str, body: &Value) -> Value {
        let headers = json!({ "Content-Type": "application/json" });
        self.ask(path, &json!({ "method": "POST", "headers": headers, "body": body.to_string() }))
    }

    fn ask(&mut self, path: &str, request: &Value) -> Value {
        self.eval(&format!(
            "import('./core/backend.js').then(({{ answer }}) => answer({path:?}, {request})).then(answer => answer.json())"
        ))
    }

    /// Begins a search and gives its number.
    pub fn begin(&mut self, order: Value) -> i64 {
        let begun = self.post("/api/runs", &order);
        begun["id"].as_i64().unwrap_or_else(|| panic!("{order}: {begun}"))
    }

    /// Waits until a run is in a state, which it has to be soon.
    pub fn until(&mut self, run: i64, state: &str) -> Value {
        let began = Instant::now();
        loop {
            let account = self.get(&format!("/api/runs/{run}"));
            if account["state"] == state && account["here"] == (state == "running") {
                return account;
            }
            assert!(began.elapsed() < 2 * PATIENCE, "run {run} is not {state}: {account}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A file that was saved, once the browser reports it complete: before that, an empty file of this name may be there.
    pub fn saved(&mut self, name: &str) -> Vec<u8> {
        let began = Instant::now();
        while !self.browser.completed.iter().any(|completed| completed == name) {
            assert!(began.elapsed() < PATIENCE, "{name} was not saved");
            std::thread::sleep(Duration::from_millis(20));
            // Any call reads the events that came before its answer.
            self.browser.call(None, "Browser.getVersion", json!({}));
        }
        std::fs::read(self.browser.profile.path().join("downloads").join(name)).unwrap()
    }

    pub fn resize(&mut self, width: u32, height: u32, phone: bool) {
        self.touch = phone;
        let scale = if phone { 2 } else { 1 };
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": phone });
        self.call("Emulation.setDeviceMetricsOverride", size);
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": phone, "maxTouchPoints": 2 }));
    }

    /// What axe finds wrong with the page as it is now.
    pub fn violations(&mut self, axe: &str) -> Value {
        self.eval(&format!("window.axe ? 0 : ({{ run() {{ {axe} }} }}).run()"));
        self.eval(AXE)
    }

    /// Presses the key Tab until an element has the focus, as whoever has no mouse.
    pub fn reach(&mut self, selector: &str) {
        self.wait(&format!("document.querySelector({selector:?})?.checkVisibility()"));
        for _ in 0..200 {
            if self.eval(&format!("document.activeElement.matches({selector:?})")) == json!(true) {
                return;
            }
            self.key("Tab", 0);
        }
        self.shoot("unreachable");
        panic!("the key Tab does not lead to {selector}");
    }

    /// Presses a button without a mouse.
    pub fn press(&mut self, selector: &str) {
        self.reach(selector);
        self.key("Enter", 0);
    }

    /// Sets a preference of the system, such as `prefers-color-scheme`.
    pub fn prefer(&mut self, name: &str, value: &str) {
        self.call("Emulation.setEmulatedMedia", json!({ "features": [{ "name": name, "value": value }] }));
    }

    pub fn open(&mut self, address: &str) {
        self.call("Page.navigate", json!({ "url": address }));
        self.wait("document.readyState === 'complete'");
    }

    pub fn reload(&mut self) {
        self.eval("document.body.dataset.old = '1'");
        self.call("Page.reload", json!({}));
        self.wait(
            "document.readyState === 'complete' && !document.body.dataset.old && document.body.childElementCount > 0",
        );
    }

    /// Runs a script before those of every page that is loaded from now on.
    pub fn before(&mut self, script: &str) {
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
    }

    /// The value of an expression, awaited.
    pub fn eval(&mut self, expression: &str) -> Value {
        self.try_eval(expression).unwrap_or_else(|thrown| panic!("{expression}: {thrown}"))
    }

    /// The same, or what it throws.
    fn try_eval(&mut self, expression: &str) -> Result<Value, Value> {
        let session = self.session.clone();
        let parameters =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true });
        let result = match self.browser.try_call(Some(&session), "Runtime.evaluate", parameters) {
            Ok(result) => result,
            // The page was left meanwhile; whoever waits asks the next one.
            Err(error) if error.to_string().contains("navigated") => return Ok(Value::Null),
            Err(error) => panic!("{expression}: {error}"),
        };
        let thrown = &result["exceptionDetails"];
        if thrown.is_null() { Ok(result["result"]["value"].clone()) } else { Err(thrown.clone()) }
    }

    /// Waits until an expression is true, and gives its value. One that throws asks for an element that is not there yet.
    pub fn wait(&mut self, expression: &str) -> Value {
        let began = Instant::now();
        loop {
            let value = self.try_eval(expression);
            if let Ok(value) = &value
                && *value != Value::Null
                && *value != false
            {
                return value.clone();
            }
            if began.elapsed() > PATIENCE {
                self.shoot("stuck");
                panic!("never true: {expression}: {value:?}");
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// The text of an element.
    pub fn text(&mut self, selector: &str) -> String {
        let text = self.eval(&format!("document.querySelector({selector:?}).textContent"));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Lets what waits for a while on the page wait less.
    pub fn hurry(&mut self) {
        self.eval("(() => { const wait = setTimeout; window.setTimeout = (f, time, ...rest) => wait(f, time / 20, ...rest) })()");
    }

    /// The page is not wider than the screen, at these sizes too.
    pub fn fits(&mut self, sizes: &[(u32, u32)], phone: bool) {
        for &(width, height) in sizes {
            self.resize(width, height, phone);
            self.shoot(&format!("{width}"));
            assert_eq!(self.eval("document.documentElement.scrollWidth <= innerWidth"), json!(true), "{width}");
            assert_eq!(self.eval("innerWidth"), json!(width), "something is wider than {width}");
        }
    }

    /// Keeps a picture of the page in the target folder, once nothing on it moves.
    pub fn shoot(&mut self, what: &str) {
        std::thread::sleep(Duration::from_millis(450));
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let bytes = BASE64_STANDARD.decode(shot["data"].as_str().unwrap()).unwrap();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        self.shots += 1;
        std::fs::write(folder.join(format!("{}-{:02}-{what}.png", self.name, self.shots)), bytes).unwrap();
        if let Some(axe) = axe().filter(|_| self.is_watched && !["stuck", "covered"].contains(&what)) {
            let found = self.violations(&axe);
            if found != json!([]) {
                self.browser.complaints.push(format!("{what}: {found}"));
            }
        }
    }

    /// Forgets complaints that were called for: those of the browser about refusals with these numbers.
    pub fn forgive(&mut self, statuses: &[&str]) {
        self.eval("1");
        let expected =
            |complaint: &String| statuses.iter().any(|status| complaint.contains(&format!("status of {status}")));
        self.browser.complaints.retain(|complaint| !expected(complaint));
    }

    /// Nothing on the page complained.
    pub fn is_content(&mut self) {
        // What was said before this answer has been heard by now.
        self.eval("1");
        assert!(self.browser.complaints.is_empty(), "{:#?}", self.browser.complaints);
    }
}
