//! How the tab answers requests: on its only thread.

use std::time::{Duration, Instant};

use nestling::{Cancel, Outcome, RunError};
use nestling_api::Host;
use nestling_registry::{Ready, Registry, SteppedTask};

pub(crate) struct Tab<'a>(pub &'a Registry);

impl Host for Tab<'_> {
    fn registry(&self) -> &Registry {
        self.0
    }

    fn threads(&self) -> usize {
        1
    }

    /// A request that nobody waits for is ended by ending its worker.
    fn cancel(&self) -> Cancel {
        Cancel::new()
    }

    fn solve(&self, ready: &Ready) -> Result<Outcome, RunError> {
        let (began, time) = (Instant::now(), ready.spec().time.unwrap_or(Duration::MAX));
        let mut tasks = ready.own_tasks(None)?;
        while let Some(task) = tasks.next_task()? {
            let mut stepper = ready.task_stepper(&task.bytes, None)?;
            let mut pace = Pace::default();
            while !stepper.is_over() && began.elapsed() < time {
                pace.steps(stepper.as_mut(), SLICE.min(time.saturating_sub(began.elapsed())))?;
            }
            tasks.take(task.index, &stepper.report("this tab", began.elapsed())?)?;
            if began.elapsed() >= time {
                tasks.time_is_over()?;
                break;
            }
        }
        tasks.outcome()
    }
}

/// How long a step takes, about.
const SLICE: Duration = Duration::from_millis(20);

/// How many playouts are a step, so that it takes the time it may.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    playouts: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { playouts: 1 }
    }
}

impl Pace {
    /// Steps that take about this time together; the time they took.
    pub fn steps(&mut self, task: &mut dyn SteppedTask, time: Duration) -> Result<Duration, RunError> {
        let began = Instant::now();
        while !task.is_over() && began.elapsed() < time {
            self.step(task, time.saturating_sub(began.elapsed()))?;
        }
        Ok(began.elapsed())
    }

    /// A step that takes about this time.
    fn step(&mut self, task: &mut dyn SteppedTask, time: Duration) -> Result<(), RunError> {
        let began = Instant::now();
        task.step(self.playouts)?;
        // A task that has ended did not play them all: nothing was measured.
        if !task.is_over() {
            // At most four times as many as in the step before: what was measured may have been the exception.
            let taken = began.elapsed().max(Duration::from_micros(50));
            let wanted = self.playouts as f64 * (time.as_secs_f64() / taken.as_secs_f64()).min(4.0);
            self.playouts = (wanted as u64).clamp(1, 1 << 30);
        }
        Ok(())
    }
}
