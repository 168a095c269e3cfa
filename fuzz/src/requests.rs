//! Requests of the app.

use std::collections::BTreeMap;
use std::time::Duration;

use nestling::{Cancel, Outcome, RunError};
use nestling_api::{Host, ROUTES, Request};
use nestling_registry::{Ready, Registry};

use crate::presentable;
use crate::readers::registry;

/// A byte for the route, a line with the query, and the body.
pub fn requests(bytes: &[u8]) {
    let Some((&route, rest)) = bytes.split_first() else { return };
    let line = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    let query = String::from_utf8_lossy(&rest[..line]);
    let query: BTreeMap<String, String> = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(key, value)| (key.into(), value.into()))
        .collect();
    let body = rest.get(line + 1..).unwrap_or_default();
    let route = &ROUTES[usize::from(route) % ROUTES.len()];
    if let Err(refusal) = (route.answer)(&Impatient, &Request { query: &query, body }) {
        presentable(&refusal.reason);
    }
}

/// A host that waits for an answer only for a moment.
struct Impatient;

impl Host for Impatient {
    fn registry(&self) -> &Registry {
        registry()
    }

    fn threads(&self) -> usize {
        1
    }

    fn cancel(&self) -> Cancel {
        let cancel = Cancel::new();
        let later = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            later.cancel();
        });
        cancel
    }

    /// Ten playouts of the first task.
    fn solve(&self, ready: &Ready) -> Result<Outcome, RunError> {
        let mut tasks = ready.own_tasks(None)?;
        if let Some(task) = tasks.next_task()? {
            let mut stepper = ready.task_stepper(&task.bytes, None)?;
            stepper.step(10)?;
            tasks.take(task.index, &stepper.report("nobody", Duration::ZERO)?)?;
        }
        tasks.time_is_over()?;
        tasks.outcome()
    }
}
