//! The progress bar: on standard error, and only on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nestling::Event;
use nestling_registry::Instance;

use crate::text;

/// The total that the bar measures.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Total {
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
    whole: Total,
}

impl Progress {
    /// A bar, hidden if standard error is not a terminal.
    pub fn new(whole: Total) -> Self {
        let length = match whole {
            Total::Time(time) => Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            Total::Playouts(count) | Total::Runs(count) => Some(count),
            Total::Unknown => None,
        };
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
        let narrow = terminal_size::terminal_size_of(std::io::stderr()).is_some_and(|(width, _)| width.0 < 80);
        let template = match whole {
            Total::Unknown => "{spinner} {elapsed}  {wide_msg}",
            _ if narrow => "{elapsed}, {eta} left  {wide_msg}",
            _ => "{bar:30} {elapsed}, {eta} left  {wide_msg}",
        };
        let style = ProgressStyle::with_template(template).expect("the template is a constant");
        bar.set_style(if text::is_ascii() { style.progress_chars("#>-").tick_chars("-\\|/ ") } else { style });
        if matches!(whole, Total::Runs(_) | Total::Unknown) {
            // Between two pieces of news nothing else would move the clock.
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Progress { bar, whole }
    }

    /// The same, hidden if it is not wanted.
    pub fn quiet(self, quiet: bool) -> Self {
        if quiet {
            self.bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        self
    }

    pub fn update(&self, event: &Event, problem: &dyn Instance, seen: &str) {
        let Event::Progress { elapsed, playouts, best } = event else { return };
        match self.whole {
            Total::Time(_) => self.bar.set_position(elapsed.as_millis() as u64),
            // An expectation may be exceeded; the bar then stays nearly full.
            Total::Playouts(count) => self.bar.set_position((*playouts).min(count.saturating_sub(1))),
            Total::Runs(_) => return,
            Total::Unknown => self.bar.tick(),
        }
        let rate = text::roughly(*playouts as f64 / elapsed.as_secs_f64().max(1e-3));
        let best = best.map_or(String::new(), |best| format!("best {}, ", text::figure(problem, best)));
        self.bar.set_message(format!("{best}{seen}{rate} playouts/s"));
    }

    /// The progress in time, and the current activity.
    pub fn at(&self, elapsed: Duration, message: String) {
        if matches!(self.whole, Total::Time(_)) {
            self.bar.set_position(elapsed.as_millis() as u64);
        }
        self.bar.set_message(message);
    }

    pub fn runs_done(&self, runs: u64, message: String) {
        self.bar.set_position(runs);
        self.bar.set_message(message);
    }

    /// A line above the bar, shown only with the bar.
    pub fn remark(&self, line: &str) {
        self.bar.println(line);
    }

    /// The current activity.
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
