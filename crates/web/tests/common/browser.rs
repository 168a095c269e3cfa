//! Chromium, driven over its DevTools protocol.

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
    profile: tempfile::TempDir,
}

/// A page of a browser.
pub struct Page<'a> {
    browser: &'a mut Browser,
    session: String,
    /// Before the names of screenshots.
    name: String,
    shots: u32,
}

/// What a page is looked at with.
pub struct Device {
    pub name: &'static str,
    pub width: u32,
    pub height: u32,
    pub phone: bool,
}

pub const DESKTOP: Device = Device { name: "desktop", width: 1280, height: 800, phone: false };
pub const PHONE: Device = Device { name: "phone", width: 390, height: 844, phone: true };

/// Opens a page, goes through steps once an expression is true, and sees to it that nothing complained. Screenshots carry the names
/// of device and page.
pub fn use_it(device: &Device, path: &str, ready: &str, steps: fn(&mut Page, &Serving, bool)) {
    use_with(Serving::start(), device, path, ready, steps);
}

/// The same with a server of one's own.
pub fn use_with(serving: Serving, device: &Device, path: &str, ready: &str, steps: fn(&mut Page, &Serving, bool)) {
    let Some(program) = installed() else { return };
    let mut browser = Browser::start(&program);
    let name = format!("{}{}{path}", device.name, if path.is_empty() { "" } else { "-" });
    let mut page = browser.page(&name, device.width, device.height, device.phone);
    page.open(&format!("http://{}/{path}", serving.address));
    page.wait(ready);
    steps(&mut page, &serving, device.phone);
    page.is_content();
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
        Browser { process, socket, next: 0, complaints: Vec::new(), begun: Vec::new(), completed: Vec::new(), profile }
    }

    /// Sends a command and gives its result.
    fn call(&mut self, session: Option<&str>, method: &str, parameters: Value) -> Value {
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
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.listen(&message);
        }
    }

    fn listen(&mut self, message: &Value) {
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
        let mut page = Page { browser: self, session, name: name.to_owned(), shots: 0 };
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
        let scale = if phone { 2 } else { 1 };
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": phone });
        self.call("Emulation.setDeviceMetricsOverride", size);
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": phone, "maxTouchPoints": 2 }));
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
        self.wait("document.readyState === 'complete' && !document.body.dataset.old");
    }

    /// Runs a script before those of every page that is loaded from now on.
    pub fn before(&mut self, script: &str) {
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
    }

    /// The value of an expression, awaited.
    pub fn eval(&mut self, expression: &str) -> Value {
        let parameters =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true });
        let result = self.call("Runtime.evaluate", parameters);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    /// Waits until an expression is true, and gives its value.
    pub fn wait(&mut self, expression: &str) -> Value {
        let began = Instant::now();
        loop {
            let value = self.eval(expression);
            if value != Value::Null && value != false {
                return value;
            }
            if began.elapsed() > PATIENCE {
                self.shoot("stuck");
                panic!("never true: {expression}");
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// The text of an element.
    pub fn text(&mut self, selector: &str) -> String {
        let text = self.eval(&format!("document.querySelector({selector:?}).textContent"));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Where an element is on the screen, after it has been scrolled there and nothing moves it any more.
    fn middle(&mut self, selector: &str) -> (f64, f64) {
        let mut place = self.look_for(selector);
        loop {
            std::thread::sleep(Duration::from_millis(40));
            let again = self.look_for(selector);
            if again == place {
                return place;
            }
            place = again;
        }
    }

    fn look_for(&mut self, selector: &str) -> (f64, f64) {
        let place = self.wait(&format!(
            "(() => {{
                const element = document.querySelector({selector:?})
                if (!element || element.checkVisibility?.() === false) return false
                if (!element.closest('svg#board')) element.scrollIntoView({{ block: 'center', behavior: 'instant' }})
                const box = element.getBoundingClientRect()
                return [box.x + box.width / 2, box.y + box.height / 2]
            }})()"
        ));
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    pub fn click(&mut self, selector: &str) {
        let (x, y) = self.middle(selector);
        self.click_at(x, y);
    }

    pub fn point_at(&mut self, x: f64, y: f64) {
        self.call("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": x, "y": y }));
    }

    pub fn click_at(&mut self, x: f64, y: f64) {
        self.point_at(x, y);
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    pub fn wheel_at(&mut self, x: f64, y: f64, delta: f64) {
        let event = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": delta });
        self.call("Input.dispatchMouseEvent", event);
    }

    pub fn tap_at(&mut self, x: f64, y: f64) {
        self.touch("touchStart", &[(x, y)]);
        self.touch("touchEnd", &[]);
    }

    /// Fingers on the screen.
    pub fn touch(&mut self, kind: &str, fingers: &[(f64, f64)]) {
        let points: Vec<Value> =
            fingers.iter().zip(0..).map(|((x, y), id)| json!({ "x": x, "y": y, "id": id })).collect();
        self.call("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
    }

    /// Presses a key; `modifiers` is 2 for Ctrl, 8 for Shift.
    pub fn key(&mut self, key: &str, modifiers: u32) {
        let text = match key {
            "Enter" => "\r",
            key if key.chars().count() == 1 && modifiers & 2 == 0 => key,
            _ => "",
        };
        let code = match key {
            "Enter" => 13,
            "Backspace" => 8,
            "Escape" => 27,
            " " => 32,
            "Home" => 36,
            "End" => 35,
            _ => 0,
        };
        let event = json!({ "key": key, "text": text, "modifiers": modifiers, "windowsVirtualKeyCode": code });
        for kind in ["keyDown", "keyUp"] {
            let mut event = event.clone();
            event["type"] = json!(kind);
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Drops a file on the page.
    pub fn drop_file(&mut self, name: &str, bytes: &[u8]) {
        let data = BASE64_STANDARD.encode(bytes);
        self.eval(&format!(
            "(() => {{
                const bytes = Uint8Array.from(atob({data:?}), letter => letter.charCodeAt(0))
                const carried = new DataTransfer()
                carried.items.add(new File([bytes], {name:?}))
                dispatchEvent(new DragEvent('dragenter', {{ dataTransfer: carried }}))
                dispatchEvent(new DragEvent('drop', {{ dataTransfer: carried, cancelable: true }}))
            }})()"
        ));
    }

    /// Drags from one element to another.
    pub fn drag(&mut self, from: &str, to: &str) {
        let ((x, y), (to_x, to_y)) = (self.middle(from), self.middle(to));
        let mut mouse = |kind: &str, x: f64, y: f64| {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        };
        mouse("mousePressed", x, y);
        for step in 1..=5 {
            let share = f64::from(step) / 5.0;
            mouse("mouseMoved", x + share * (to_x - x), y + share * (to_y - y));
        }
        mouse("mouseReleased", to_x, to_y);
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

    /// Pastes a text.
    pub fn paste(&mut self, text: &str) {
        self.eval(&format!(
            "(() => {{
                const carried = new DataTransfer()
                carried.setData('text/plain', {text:?})
                dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: carried, bubbles: true }}))
            }})()"
        ));
    }

    /// Chooses an option of a menu.
    pub fn choose(&mut self, selector: &str, value: &str) {
        self.eval(&format!(
            "(() => {{
                const menu = document.querySelector({selector:?})
                menu.value = {value:?}
                menu.dispatchEvent(new Event('change', {{ bubbles: true }}))
            }})()"
        ));
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
