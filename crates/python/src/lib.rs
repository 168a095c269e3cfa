//! The native module of the Python package `nestling`: problems, runs, games, matches and the store, as bytes and JSON. The package itself, in
//! `python/nestling`, gives them the form that people use.

mod batch;
mod games;
mod job;
mod matches;
mod opened;
mod problem;
mod store;
mod tasks;
mod workers;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

use nestling::ParseError;
use nestling_registry::{Device, Registry, RunRefused, Workers};
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(nestling, Error, PyValueError, "What Nestling refuses, and why.");

/// Nestling's own problems.
static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

/// A refusal as people are told it.
fn refused(error: impl std::fmt::Display) -> PyErr {
    Error::new_err(error.to_string())
}

/// The same of a search that cannot be read, with a mark below the mistake.
fn misread(error: &ParseError) -> PyErr {
    Error::new_err(format!("the search: {error}\n{}", error.picture()))
}

fn refused_run(error: RunRefused) -> PyErr {
    match error {
        RunRefused::Search(error) => misread(&error),
        error => refused(error),
    }
}

/// Does something without the interpreter's lock. A panic, which is a mistake of ours, becomes an error like any other.
fn detached<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    py.detach(|| guarded(work))
}

/// The same with the lock, for what calls a problem in Python all the time.
fn guarded<R>(work: impl FnOnce() -> R) -> PyResult<R> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
        let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Error::new_err(format!("Nestling has a defect, please report it: {words}"))
    })
}

/// Holds the interpreter's lock while a search on a problem in Python works: taking it at every move would take longer than the move.
fn with_lock(work: &mut dyn FnMut()) {
    Python::attach(|_| work());
}

/// The command `nestling` with these words, the first being its name; returns the exit code. `open_cluster(name, device)` gives the
/// workers for `--on`.
#[pyfunction]
fn main(py: Python<'_>, words: Vec<OsString>, open_cluster: Py<PyAny>) -> u8 {
    let open = move |name: &str, device: Device| {
        Python::attach(|py| match open_cluster.call1(py, (name, device.to_string())) {
            Ok(workers) => Ok(Box::new(workers::PythonWorkers::new(workers)) as Box<dyn Workers>),
            Err(error) => Err(workers::words(py, &error)),
        })
    };
    py.detach(|| nestling_cli::main_inside(Registry::standard(), words, Some(Box::new(open))))
}

/// The searches by name, each with what it does.
#[pyfunction]
fn searches() -> Vec<(&'static str, &'static str)> {
    REGISTRY.searches().forms().map(|form| (form.name, form.about)).collect()
}

/// A search expression as Nestling writes it.
#[pyfunction]
fn parse(text: &str) -> PyResult<String> {
    REGISTRY.searches().parse(text).map(|search| search.to_string()).map_err(|error| misread(&error))
}

/// The problems by name, each with a line about it.
#[pyfunction]
fn problems() -> Vec<(&'static str, &'static str)> {
    REGISTRY.list().collect()
}

#[pymodule(gil_used = true)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("Error", module.py().get_type::<Error>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<opened::Opened>()?;
    module.add_class::<job::Job>()?;
    module.add_class::<job::Cancel>()?;
    module.add_class::<store::Store>()?;
    for function in [
        wrap_pyfunction!(main, module)?,
        wrap_pyfunction!(searches, module)?,
        wrap_pyfunction!(parse, module)?,
        wrap_pyfunction!(problems, module)?,
        wrap_pyfunction!(tasks::make_tasks, module)?,
        wrap_pyfunction!(games::games, module)?,
        wrap_pyfunction!(games::verify, module)?,
        wrap_pyfunction!(games::pasted, module)?,
        wrap_pyfunction!(games::curve, module)?,
        wrap_pyfunction!(games::histogram, module)?,
        wrap_pyfunction!(matches::play_match, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}
