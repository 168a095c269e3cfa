//! A problem that is written in Python.
//!
//! Its moves may be any values that can be told apart and written by `repr`. Searches want small numbers, the same in every process: an
//! integer is itself, any other move is a hash of its `repr`, and a table leads back. A move that comes from elsewhere, a checkpoint or
//! another process, is looked up among the legal moves of the state that it is played in.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use nestling::{Cancel, Goal, Problem};
use nestling_presentation::{Picture, Presentation};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};
use serde::{Deserialize, Serialize};

/// How many hashes of codes are kept; they can be computed again.
const MOST_CODES: usize = 1 << 20;

/// A move: an integer, or the hash of something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PythonMove {
    is_hash: bool,
    value: u64,
}

/// Which of the optional methods a problem has.
#[derive(Clone, Copy, Default, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Methods {
    code: bool,
    bias: bool,
    key: bool,
    svg: bool,
    text: bool,
}

/// One state of a problem that is written in Python.
pub struct PythonProblem {
    state: Py<PyAny>,
    shared: Arc<Shared>,
}

struct Shared {
    goal: Goal,
    bound: Option<f64>,
    methods: Methods,
    /// The hashes of codes and keys that are no integers.
    codes: Py<PyDict>,
    /// Moves that are no integers, and their hashes, both ways.
    hashes: Py<PyDict>,
    moves: Mutex<HashMap<u64, Py<PyAny>>>,
    failure: Mutex<Failure>,
}

/// The errors in the problem's methods, and the switch that then stops the run.
#[derive(Default)]
struct Failure {
    error: Option<PyErr>,
    cancel: Option<Cancel>,
}

impl PythonProblem {
    pub fn new(state: &Bound<'_, PyAny>, methods: Methods) -> PyResult<Self> {
        let goal = match state.getattr("goal")?.extract::<String>().as_deref() {
            Ok("max") => Goal::Max,
            Ok("min") => Goal::Min,
            _ => return Err(PyValueError::new_err("goal must be \"max\" or \"min\"")),
        };
        let bound = state.call_method0("bound")?.extract()?;
        let (moves, failure) = Default::default();
        let [codes, hashes] = [(); 2].map(|()| PyDict::new(state.py()).unbind());
        let shared = Shared { goal, bound, methods, codes, hashes, moves, failure };
        Ok(PythonProblem { state: state.clone().unbind(), shared: Arc::new(shared) })
    }

    /// From now on a mistake in the problem's methods stops what this switch stops.
    pub fn stop_by(&self, cancel: &Cancel) {
        *self.failure() = Failure { error: None, cancel: Some(cancel.clone()) };
    }

    /// The errors in the problem's methods.
    pub fn error(&self) -> Option<PyErr> {
        self.failure().error.take()
    }

    /// Whether something has gone wrong.
    pub fn has_error(&self) -> bool {
        self.failure().error.is_some()
    }

    fn failure(&self) -> std::sync::MutexGuard<'_, Failure> {
        self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls the problem. After an exception, which is kept, it only returns `otherwise`: the run is stopped.
    fn ask<R>(&self, otherwise: R, question: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<R>) -> R {
        Python::attach(|py| {
            if self.failure().error.is_some() {
                return otherwise;
            }
            question(self.state.bind(py)).unwrap_or_else(|error| {
                let mut failure = self.failure();
                if let Some(cancel) = &failure.cancel {
                    cancel.cancel();
                }
                failure.error.get_or_insert(error);
                otherwise
            })
        })
    }

    fn move_of(&self, object: &Bound<'_, PyAny>) -> PyResult<PythonMove> {
        if object.is_exact_instance_of::<PyInt>()
            && let Ok(value) = object.extract::<i64>()
        {
            return Ok(PythonMove { is_hash: false, value: value as u64 });
        }
        let py = object.py();
        let hashes = self.shared.hashes.bind(py);
        if let Some(known) = hashes.get_item(object)? {
            return Ok(PythonMove { is_hash: true, value: known.extract()? });
        }
        let value = stable_hash(object)?;
        hashes.set_item(object, value)?;
        // Python may hand its lock to another thread in `eq`, so ours is not held then.
        let other = {
            let mut moves = self.shared.moves.lock().unwrap_or_else(PoisonError::into_inner);
            moves.insert(value, object.clone().unbind())
        };
        if let Some(other) = other
            && !other.bind(py).eq(object)?
        {
            let (one, other) = (object.repr()?, other.bind(py).repr()?);
            return Err(PyValueError::new_err(format!(
                "the moves {one} and {other} have the same hash; change the repr of one"
            )));
        }
        Ok(PythonMove { is_hash: true, value })
    }

    /// A code or key: an integer as it is, or the hash of something else.
    fn number(&self, object: &Bound<'_, PyAny>) -> PyResult<u64> {
        if let Ok(value) = object.extract::<i64>() {
            return Ok(value as u64);
        }
        let codes = self.shared.codes.bind(object.py());
        if let Some(known) = codes.get_item(object)? {
            return known.extract();
        }
        let value = stable_hash(object)?;
        // A long search may have more codes than there is room for.
        if codes.len() >= MOST_CODES {
            codes.clear();
        }
        codes.set_item(object, value)?;
        Ok(value)
    }

    fn legal<'py>(&self, state: &Bound<'py, PyAny>, mut each: impl FnMut(PythonMove)) -> PyResult<()> {
        let legal = state.call_method0(intern!(state.py(), "legal_moves"))?;
        let kind = || legal.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
        let wrong = |_| PyTypeError::new_err(format!("legal_moves() must return a list of moves, not {}", kind()));
        for object in legal.try_iter().map_err(wrong)? {
            each(self.move_of(&object?)?);
        }
        Ok(())
    }

    /// The move as the problem knows it.
    fn object<'py>(&self, state: &Bound<'py, PyAny>, played: PythonMove) -> PyResult<Bound<'py, PyAny>> {
        let py = state.py();
        if !played.is_hash {
            return Ok((played.value as i64).into_pyobject(py)?.into_any());
        }
        let known = || {
            let moves = self.shared.moves.lock().unwrap_or_else(PoisonError::into_inner);
            moves.get(&played.value).map(|object| object.bind(py).clone())
        };
        if let Some(object) = known() {
            return Ok(object);
        }
        // It comes from another process.
        self.legal(state, |_| {})?;
        known()
            .ok_or_else(|| PyValueError::new_err("a move that was kept is not legal any more: the problem has changed"))
    }
}

/// A hash that is the same in every process, unlike Python's.
fn stable_hash(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    let text = object.repr()?;
    let text = text.to_cow()?;
    if text.contains(" at 0x") {
        let kind = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "the repr of a {kind} names its place in memory, which differs from process to process; give it a __repr__ or use tuples, strings or numbers"
        )));
    }
    // FNV-1a with a final mix, so that codes differ in all their bits.
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    Ok(nestling::Stream::new(hash).seed())
}

impl Clone for PythonProblem {
    fn clone(&self) -> Self {
        let copied = self.ask(None, |state| {
            let copy = state.call_method0(intern!(state.py(), "copy"))?;
            let (kind, wanted) = (copy.get_type(), state.get_type());
            match kind.is(&wanted) {
                true => Ok(Some(copy.unbind())),
                false => {
                    Err(PyTypeError::new_err(format!("copy() returned a {}, not a {}", kind.name()?, wanted.name()?)))
                }
            }
        });
        let state = copied.unwrap_or_else(|| Python::attach(|py| self.state.clone_ref(py)));
        PythonProblem { state, shared: Arc::clone(&self.shared) }
    }
}

impl Problem for PythonProblem {
    type Move = PythonMove;

    fn legal_moves(&self, moves: &mut Vec<PythonMove>) {
        moves.clear();
        self.ask((), |state| self.legal(state, |played| moves.push(played)));
    }

    fn play(&mut self, played: PythonMove) {
        self.ask((), |state| {
            let object = self.object(state, played)?;
            state.call_method1(intern!(state.py(), "play"), (object,)).map(drop)
        });
    }

    fn score(&self) -> f64 {
        self.ask(0.0, |state| {
            let score: f64 = state.call_method0(intern!(state.py(), "score"))?.extract()?;
            match score.is_finite() {
                true => Ok(score),
                false => Err(PyValueError::new_err(format!("score() returned {score}; it must be a finite number"))),
            }
        })
    }

    fn goal(&self) -> Goal {
        self.shared.goal
    }

    fn code(&self, played: PythonMove) -> u64 {
        if !self.shared.methods.code {
            return played.value;
        }
        self.ask(0, |state| {
            let object = self.object(state, played)?;
            self.number(&state.call_method1(intern!(state.py(), "code"), (object,))?)
        })
    }

    fn bias(&self, played: PythonMove) -> f64 {
        if !self.shared.methods.bias {
            return 0.0;
        }
        self.ask(0.0, |state| {
            let object = self.object(state, played)?;
            let bias: f64 = state.call_method1(intern!(state.py(), "bias"), (object,))?.extract()?;
            match bias.abs() <= 300.0 {
                true => Ok(bias),
                false => {
                    Err(PyValueError::new_err(format!("bias() returned {bias}; it must lie between -300 and 300")))
                }
            }
        })
    }

    fn bound(&self) -> Option<f64> {
        self.shared.bound
    }

    fn move_text(&self, played: PythonMove) -> String {
        self.ask(String::new(), |state| {
            let object = self.object(state, played)?;
            let text = match self.shared.methods.text {
                true => state.call_method1(intern!(state.py(), "text"), (object,))?.cast_into::<PyString>()?,
                false => object.str()?,
            };
            Ok(text.to_cow()?.into_owned())
        })
    }

    fn key(&self, moves: &[PythonMove]) -> u64 {
        if !self.shared.methods.key {
            return nestling::key_of_codes(self, moves);
        }
        let state = nestling::state_after(self, moves);
        state.ask(0, |state| self.number(&state.call_method0(intern!(state.py(), "key"))?))
    }
}

impl Presentation for PythonProblem {
    fn picture(&self, moves: &[PythonMove], picture: &Picture) -> Option<String> {
        if !self.shared.methods.svg {
            return None;
        }
        let state = nestling::state_after(self, picture.still()?.shown(moves));
        state.ask(None, |state| Ok(Some(state.call_method0("svg")?.extract()?)))
    }
}
