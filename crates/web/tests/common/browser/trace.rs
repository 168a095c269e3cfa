//! How long the tasks of a page keep a processor busy, as the browser itself notes it: other work on the machine does not count.

use serde_json::{Value, json};

use super::Page;

/// What the browser has noted so far.
#[derive(Default)]
pub(super) struct Trace {
    events: Vec<Value>,
    is_complete: bool,
}

impl Trace {
    /// Takes news about a trace; false if it is about something else.
    pub fn hear(&mut self, message: &Value) -> bool {
        match message["method"].as_str() {
            Some("Tracing.dataCollected") => {
                self.events.extend(message["params"]["value"].as_array().into_iter().flatten().cloned());
            }
            Some("Tracing.tracingComplete") => self.is_complete = true,
            _ => return false,
        }
        true
    }

    /// The milliseconds of processor time of all tasks on the main threads of pages, the longest first.
    fn tasks(&self) -> Vec<f64> {
        let thread = |event: &Value| (event["pid"].as_i64(), event["tid"].as_i64());
        let is_main = |event: &&Value| event["name"] == "thread_name" && event["args"]["name"] == "CrRendererMain";
        let main: Vec<_> = self.events.iter().filter(is_main).map(thread).collect();
        let is_task = |event: &&Value| event["name"].as_str().is_some_and(|name| name.ends_with("RunTask"));
        let tasks = self.events.iter().filter(is_task).filter(|event| main.contains(&thread(event)));
        let mut times: Vec<f64> = tasks.filter_map(|event| event["tdur"].as_f64()).map(|micros| micros / 1e3).collect();
        times.sort_by(|one, other| other.total_cmp(one));
        times
    }
}

impl Page<'_> {
    /// The milliseconds of processor time of all tasks of the page while something is done, the longest first.
    pub fn tasks_while(&mut self, act: impl FnOnce(&mut Self)) -> Vec<f64> {
        self.browser.trace = Trace::default();
        let config = json!({ "includedCategories": ["toplevel"] });
        self.browser.call(None, "Tracing.start", json!({ "transferMode": "ReportEvents", "traceConfig": config }));
        act(self);
        self.browser.call(None, "Tracing.end", json!({}));
        while !self.browser.trace.is_complete {
            std::thread::sleep(std::time::Duration::from_millis(50));
            // Any call reads the events that came before its answer.
            self.browser.call(None, "Browser.getVersion", json!({}));
        }
        self.browser.trace.tasks()
    }
}
