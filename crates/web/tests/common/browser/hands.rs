//! What people do to a page: they click, tap, type, drag, drop files, paste and choose.

use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::{PATIENCE, Page};

/// How long the click of a tap may take before the tap counts as lost.
const LATE: Duration = Duration::from_secs(5);

/// Looks at the next press of the mouse, or tap: where the element is not under it (any more), or something else is in front of it, such as a message,
/// the page does not hear of it. `watchedClick` ends the watch and says whether the click arrived: an element that moved away between press
/// and release was not clicked, nor one whose page was too busy to hear of it. In a drawing, what is in front of a shape may be what takes its clicks.
/// The click of a tap comes after the finger has left: until then, and unless it is `late`, the watch goes on and says nothing.
const WATCHED_CLICK: &str = r#"(() => {
    const kinds = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']
    let arrived = null
    let pressed = null
    let over = !TOUCH
    const isHit = (element, target) =>
        element.closest('svg') || element.contains(target) || target.contains(element) || [...(element.labels ?? [])].some(label => label.contains(target))
    const look = event => {
        const element = document.querySelector(SELECTOR)
        const box = element?.getBoundingClientRect()
        const inside = !!box && event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom && !!isHit(element, event.target)
        if (arrived === null) pressed = element
        arrived ??= inside
        if (event.type === 'pointerup' && element === pressed && !inside) arrived = false
        // A page may keep the click to itself; what comes right before it tells as much.
        if (event.type === 'mouseup' || event.type === 'click') over = true
        if (arrived) return
        event.preventDefault()
        event.stopImmediatePropagation()
    }
    for (const kind of kinds) addEventListener(kind, look, { capture: true })
    window.watchedClick = late => {
        if (!over && !late) return null
        for (const kind of kinds) removeEventListener(kind, look, { capture: true })
        delete window.watchedClick
        return arrived === true && over
    }
})()"#;

impl Page<'_> {
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

    /// Clicks on an element, or taps it where people touch. A page may move it at the last moment: a click that would land elsewhere is kept
    /// from the page, and tried again.
    pub fn click(&mut self, selector: &str) {
        let began = Instant::now();
        let watch =
            WATCHED_CLICK.replace("SELECTOR", &format!("{selector:?}")).replace("TOUCH", &self.touch.to_string());
        loop {
            let (x, y) = self.middle(selector);
            self.eval(&watch);
            self.click_at(x, y);
            if self.has_clicked() {
                return;
            }
            if began.elapsed() > PATIENCE {
                self.shoot("covered");
                panic!("no click reaches {selector}");
            }
        }
    }

    /// Whether the click that is watched has arrived.
    fn has_clicked(&mut self) -> bool {
        let began = Instant::now();
        loop {
            let late = began.elapsed() > LATE;
            // Where the click has opened another page nothing is left of the watch.
            let arrived = self.eval(&format!("window.watchedClick ? window.watchedClick({late}) : true"));
            if let Some(arrived) = arrived.as_bool() {
                return arrived;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn point_at(&mut self, x: f64, y: f64) {
        self.call("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": x, "y": y }));
    }

    pub fn click_at(&mut self, x: f64, y: f64) {
        if self.touch {
            return self.tap_at(x, y);
        }
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

    /// Touches an element.
    pub fn tap(&mut self, selector: &str) {
        let (x, y) = self.middle(selector);
        self.tap_at(x, y);
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
            "Tab" => 9,
            "Escape" => 27,
            " " => 32,
            "Home" => 36,
            "End" => 35,
            _ => 0,
        };
        // Where the key is on the keyboard, as far as pages ask.
        let place = if key.parse::<u8>().is_ok() { format!("Digit{key}") } else { String::new() };
        let event =
            json!({ "key": key, "code": place, "text": text, "modifiers": modifiers, "windowsVirtualKeyCode": code });
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
        if self.touch {
            self.touch("touchStart", &[(x, y)]);
            for step in 1..=5 {
                let share = f64::from(step) / 5.0;
                self.touch("touchMove", &[(x + share * (to_x - x), y + share * (to_y - y))]);
            }
            return self.touch("touchEnd", &[]);
        }
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
}
