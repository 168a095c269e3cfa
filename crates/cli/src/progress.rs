//! The progress bar: on standard error, and only on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nestling::Event;

use crate::text;

/// What the bar measures.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Whole {
    /// A budget in time.
    Time(Duration),
    /// A number of playouts, exact or expected.
    Playouts(u64),
    /// A number of runs.
    Runs(u64),
    /// Nobody knows.
    Unknown,
}

pub(crate) struct Progress {
    bar: ProgressBar,
    whole: Whole,
}

impl Progress {
    /// A bar, hidden where standard error is no terminal.
    pub fn new(whole: Whole) -> Self {
        let length = match whole {
            Whole::Time(time) => Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            Whole::Playouts(count) | Whole::Runs(count) => Some(count),
            Whole::Unknown => None,
        };
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
        let narrow = terminal_size::terminal_size_of(std::io::stderr()).is_some_and(|(width, _)| width.0 < 80);
        let template = match whole {
            Whole::Unknown => "{spinner} {elapsed}  {wide_msg}",
            _ if narrow => "{elapsed}, {eta} left  {wide_msg}",
            _ => "{bar:30} {elapsed}, {eta} left  {wide_msg}",
        };
        bar.set_style(ProgressStyle::with_template(template).expect("the template is a constant"));
        if matches!(whole, Whole::Runs(_) | Whole::Unknown) {
            // Between two pieces of news nothing else would move the clock.
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Progress { bar, whole }
    }

    pub fn update(&self, event: &Event) {
        let Event::Progress { elapsed, playouts, best } = event else { return };
        match self.whole {
            Whole::Time(_) => self.bar.set_position(elapsed.as_millis() as u64),
            // An expectation may be exceeded; the bar then stays nearly full.
            Whole::Playouts(count) => self.bar.set_position((*playouts).min(count.saturating_sub(1))),
            Whole::Runs(_) => return,
            Whole::Unknown => self.bar.tick(),
        }
        let rate = text::roughly(*playouts as f64 / elapsed.as_secs_f64().max(1e-3));
        let best = best.map_or(String::new(), |best| format!("best {best}, "));
        self.bar.set_message(format!("{best}{rate} playouts/s"));
    }

    /// How far it is in time, and what is being done.
    pub fn at(&self, elapsed: Duration, message: String) {
        if matches!(self.whole, Whole::Time(_)) {
            self.bar.set_position(elapsed.as_millis() as u64);
        }
        self.bar.set_message(message);
    }

    pub fn run_done(&self, message: String) {
        self.bar.inc(1);
        self.bar.set_message(message);
    }

    /// A line above the bar that only somebody who watches cares for.
    pub fn remark(&self, line: &str) {
        self.bar.println(line);
    }

    /// What is being done now.
    pub fn doing(&self, what: String) {
        self.bar.set_message(what);
    }

    /// Does something that writes to the terminal while the bar is out of the way.
    pub fn aside<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }

    /// A line above the bar.
    pub fn say(&self, line: &str) {
        self.aside(|| anstream::eprintln!("{}: {line}", text::program()));
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
