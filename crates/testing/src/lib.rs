//! Shared code of all tests: benchmark data, and reports of what could not be tested.

use std::io::Write;
use std::path::PathBuf;

/// A need of a test that a machine may not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The benchmark data, in the folder `NESTLING_DATA`.
    Data,
    /// A browser.
    Browser,
    /// An NVIDIA GPU.
    Gpu,
    /// NVIDIA's run-time compiler.
    Nvrtc,
    /// A compiler of C++.
    Compiler,
    /// Valgrind.
    Valgrind,
    /// Slurm, the scheduler.
    Slurm,
    /// Permissions of the system: mounts, other users, identities.
    System,
    /// Python, and the packages that the tests of the Python package want (`scripts/python`).
    Python,
    /// The engines in WebAssembly, in the folder `NESTLING_ENGINE` (`scripts/wasm`).
    Engine,
}

impl Need {
    const ALL: [Need; 10] = [
        Need::Data,
        Need::Browser,
        Need::Gpu,
        Need::Nvrtc,
        Need::Compiler,
        Need::Valgrind,
        Need::Slurm,
        Need::System,
        Need::Python,
        Need::Engine,
    ];

    /// The word for it in `NESTLING_REQUIRE`.
    pub fn word(self) -> &'static str {
        match self {
            Need::Data => "data",
            Need::Browser => "browser",
            Need::Gpu => "gpu",
            Need::Nvrtc => "nvrtc",
            Need::Compiler => "compiler",
            Need::Valgrind => "valgrind",
            Need::Slurm => "slurm",
            Need::System => "system",
            Need::Python => "python",
            Need::Engine => "engine",
        }
    }
}

/// Says that something is not tested here, and why. It is heard although the test passes.
///
/// # Panics
///
/// Where `NESTLING_REQUIRE`, a list such as `browser,data`, says that this machine has what is needed.
pub fn skip(need: Need, reason: &str) {
    let required = std::env::var("NESTLING_REQUIRE").unwrap_or_default();
    if let Err(refusal) = may_skip(need, reason, &required) {
        panic!("{refusal}");
    }
    // The test harness swallows what `eprintln` writes.
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    writeln!(std::io::stderr(), "skipped: {test}: {reason}").expect("standard error takes a line");
}

fn may_skip(need: Need, reason: &str, required: &str) -> Result<(), String> {
    let words: Vec<&str> = required.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
    if let Some(unknown) = words.iter().find(|word| Need::ALL.iter().all(|need| need.word() != **word)) {
        return Err(format!(
            "NESTLING_REQUIRE: there is no {unknown:?}; there are {}",
            Need::ALL.map(Need::word).join(", ")
        ));
    }
    match words.contains(&need.word()) {
        true => Err(format!("{reason}; NESTLING_REQUIRE says that there is {}", need.word())),
        false => Ok(()),
    }
}

/// The folder with the benchmark data; without it the test prints a message.
///
/// # Panics
///
/// Where `NESTLING_REQUIRE` names `data`.
pub fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("NESTLING_DATA").map(PathBuf::from);
    if folder.is_none() {
        skip(Need::Data, "NESTLING_DATA is not set");
    }
    folder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_required_is_not_skipped() {
        assert_eq!(may_skip(Need::Gpu, "no driver", ""), Ok(()));
        assert_eq!(may_skip(Need::Gpu, "no driver", "browser, data"), Ok(()));
        let refusal = may_skip(Need::Data, "NESTLING_DATA is not set", "browser,data").unwrap_err();
        assert_eq!(refusal, "NESTLING_DATA is not set; NESTLING_REQUIRE says that there is data");
        assert!(may_skip(Need::Gpu, "no driver", "browsers").unwrap_err().contains("there is no \"browsers\""));
    }
}
