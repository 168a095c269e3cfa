//! Workers on other machines: the interface of a cluster.

use std::time::Duration;

/// Tasks for one worker, who makes them one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    /// Its number, by which its deliveries are known.
    pub number: u64,
    /// The tasks, each as [`Ready::make_task`](super::Ready::make_task) takes it.
    pub tasks: Vec<Vec<u8>>,
    /// The worker stops after this time, wherever it is, and reports that.
    pub stop_after: Option<Duration>,
    /// How often the worker reports how far it is.
    pub report_every: Duration,
}

/// A delivery of the workers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// A report of one of the bundle's tasks, finished or not.
    Report(Vec<u8>),
    /// The worker has made all tasks of the bundle, or was stopped, and all its reports are delivered.
    Done,
    /// The worker is gone, and why.
    Lost(String),
    /// The worker says why it cannot make the tasks.
    Failed(String),
}

/// Workers that make the tasks of a run: other processes, or a cluster. [`Ready::start`](super::Ready::start) with [`Controls::workers`](super::Controls::workers) is the driver, and
/// believes nothing they say.
pub trait Workers: Send {
    /// How many bundles can be worked on at the same time. It may change.
    ///
    /// # Errors
    ///
    /// When there are no workers, and why.
    fn places(&mut self) -> Result<usize, String>;

    /// Hands out a bundle.
    ///
    /// # Errors
    ///
    /// When no worker can take it, now or later.
    fn hand_out(&mut self, bundle: Bundle) -> Result<(), String>;

    /// The deliveries that have arrived, by the number of their bundle. It waits for one, but no longer than this.
    ///
    /// # Errors
    ///
    /// When nothing will come any more.
    fn wait(&mut self, longest: Duration) -> Result<Vec<(u64, Delivery)>, String>;

    /// Nobody needs this bundle any more. Its deliveries may come all the same.
    fn withdraw(&mut self, bundle: u64);
}
