//! Workers of a cluster that Python knows.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use nestling::Cancel;
use nestling_registry::{Bundle, Delivery, Workers};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The message of a Python error.
pub fn words(py: Python<'_>, error: &PyErr) -> String {
    let value = error.value(py);
    let text = value.str().map(|text| text.to_string()).unwrap_or_default();
    if text.is_empty() { value.get_type().name().map_or_else(|_| String::new(), |name| name.to_string()) } else { text }
}

/// Signals that arrived while Python was running.
pub type PendingError = Arc<Mutex<Option<PyErr>>>;

/// An object of Python with the methods of [`Workers`].
pub struct PythonWorkers {
    object: Py<PyAny>,
    interrupted: Option<(Cancel, PendingError)>,
}

impl PythonWorkers {
    pub fn new(object: Py<PyAny>) -> Self {
        PythonWorkers { object, interrupted: None }
    }

    /// The same; Ctrl-C presses this switch.
    pub fn stopped_by(self, cancel: Cancel, pressed: PendingError) -> Self {
        PythonWorkers { interrupted: Some((cancel, pressed)), ..self }
    }

    /// Calls the object. Ctrl-C is no failure of the workers: then there is only `otherwise`.
    fn ask<R>(&self, otherwise: R, question: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<R>) -> Result<R, String> {
        Python::attach(|py| {
            question(self.object.bind(py)).or_else(|error| match &self.interrupted {
                Some((cancel, pressed)) if error.is_instance_of::<PyKeyboardInterrupt>(py) => {
                    cancel.cancel();
                    *pressed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    Ok(otherwise)
                }
                _ => Err(words(py, &error)),
            })
        })
    }
}

impl Workers for PythonWorkers {
    fn places(&mut self) -> Result<usize, String> {
        self.ask(1, |object| object.call_method0("places")?.extract())
    }

    fn hand_out(&mut self, bundle: Bundle) -> Result<(), String> {
        let stop_after = bundle.stop_after.map(|time| time.as_secs_f64());
        self.ask((), |object| {
            let tasks: Vec<&[u8]> = bundle.tasks.iter().map(Vec::as_slice).collect();
            let words = (bundle.number, tasks, bundle.report_every.as_secs_f64(), stop_after);
            object.call_method1("hand_out", words).map(drop)
        })
    }

    fn wait(&mut self, longest: Duration) -> Result<Vec<(u64, Delivery)>, String> {
        self.ask(Vec::new(), |object| {
            let mut deliveries = Vec::new();
            for delivery in object.call_method1("wait", (longest.as_secs_f64(),))?.try_iter()? {
                let (bundle, kind, contents): (u64, String, Bound<'_, PyAny>) = delivery?.extract()?;
                let delivery = match kind.as_str() {
                    "report" => Delivery::Report(contents.cast::<PyBytes>()?.as_bytes().to_vec()),
                    "done" => Delivery::Done,
                    "lost" => Delivery::Lost(contents.extract()?),
                    _ => Delivery::Failed(contents.extract()?),
                };
                deliveries.push((bundle, delivery));
            }
            Ok(deliveries)
        })
    }

    fn withdraw(&mut self, bundle: u64) {
        let _ = self.ask((), |object| object.call_method1("withdraw", (bundle,)).map(drop));
    }
}
