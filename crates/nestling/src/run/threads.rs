//! The threads that search, while the thread that started the run listens.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::RunError;

thread_local! {
    /// The searching thread of this thread's last run, to be reused: starting a thread takes longer than a short search.
    static SEARCHING: Cell<Option<rayon::ThreadPool>> = const { Cell::new(None) };
    /// Whether the last run of this thread was over before there could be news of it.
    static WAS_SHORT: Cell<bool> = const { Cell::new(false) };
}

/// A run that takes no longer is short: waking two threads for it would take longer than the search.
const SHORT: Duration = Duration::from_millis(1);

/// The threads of a run.
pub(super) struct Threads {
    began: Instant,
    /// Without a pool, the thread that started the run searches first, and listens afterwards.
    pool: Option<rayon::ThreadPool>,
}

impl Threads {
    /// So many threads, for a run that began at this time. A single playout that need not be interrupted uses no extra thread if the
    /// previous run was short.
    pub fn new(threads: usize, began: Instant, is_playout: bool) -> Result<Self, RunError> {
        let pool = if is_playout && WAS_SHORT.get() { None } else { Some(pool(threads)?) };
        Ok(Threads { began, pool })
    }

    /// Searches and listens. A panic of the search is passed on.
    pub fn run<R>(self, search: impl FnOnce() + Send, listen: impl FnOnce() -> R) -> R {
        let heard = match &self.pool {
            None => {
                search();
                listen()
            }
            Some(pool) => pool.in_place_scope(|scope| {
                scope.spawn(|_| search());
                listen()
            }),
        };
        WAS_SHORT.set(self.began.elapsed() < SHORT);
        if let Some(pool) = self.pool.filter(|pool| pool.current_num_threads() == 1) {
            SEARCHING.set(Some(pool));
        }
        heard
    }
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, RunError> {
    if threads == 1
        && let Some(kept) = SEARCHING.take()
    {
        return Ok(kept);
    }
    // Waiting threads run other tasks on their stacks; a deep expression needs room for that.
    let built = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(32 << 20).build();
    built.map_err(|error| RunError::Threads { threads, reason: error.to_string() })
}
