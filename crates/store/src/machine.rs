//! The identity of this process, and whether another one still lives.

use std::fs;
use std::time::Duration;

use nestling_registry::host;

/// A process, told apart from all others that ever had its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    /// Its number.
    pub number: u32,
    /// When it started, in the kernel's ticks since the boot.
    pub born: i64,
    /// The host's name, for people.
    pub host: String,
    /// The identity of the host; empty if the system does not give it.
    pub machine: String,
    /// The identity of the boot of a machine; empty if the system does not give it.
    pub boot: String,
    /// The identity of the space of process numbers: containers on one machine have their own.
    pub space: String,
}

impl Process {
    /// This one.
    pub fn here() -> Self {
        let number = std::process::id();
        Process {
            number,
            born: born(number).unwrap_or(0),
            host: host(),
            machine: line("/etc/machine-id"),
            boot: line("/proc/sys/kernel/random/boot_id"),
            space: fs::read_link("/proc/self/ns/pid").map_or(String::new(), |link| link.to_string_lossy().into_owned()),
        }
    }

    /// The state of another process, as far as it is known without waiting.
    pub fn sees(&self, other: &Process) -> Visibility {
        if self.boot.is_empty() || other.boot.is_empty() {
            return Visibility::Unknown;
        }
        if self.boot != other.boot {
            // The same machine has been started again since.
            return if self.machine == other.machine && !self.machine.is_empty() {
                Visibility::Gone
            } else {
                Visibility::Unknown
            };
        }
        if self.space != other.space {
            return Visibility::Unknown;
        }
        // If another process has the number now, the process itself has ended.
        if born(other.number) == Some(other.born) { Visibility::There } else { Visibility::Gone }
    }
}

/// The visibility of one process to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visibility {
    /// It lives.
    There,
    /// It has ended.
    Gone,
    /// It is, or was, on another machine or in another container.
    Unknown,
}

/// Time since the boot, sleep included; a clock that cannot be set.
pub(crate) fn uptime() -> Duration {
    let seconds = line("/proc/uptime").split(' ').next().and_then(|text| text.parse().ok());
    Duration::from_secs_f64(seconds.unwrap_or(0.0))
}

/// The host and its processor, for people.
pub(crate) fn description() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let information = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        information.lines().find_map(|line| line.strip_prefix("model name")).and_then(|rest| rest.split(": ").nth(1));
    let model = model.map_or(std::env::consts::ARCH, str::trim);
    format!("{}, {model}, {cores} threads", host())
}

/// When a living process started.
fn born(number: u32) -> Option<i64> {
    let text = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    // The name, in parentheses, may contain anything; the state follows it, and 19 fields later the start.
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X") { None } else { fields.nth(18)?.parse().ok() }
}

fn line(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn processes_are_told_apart() {
        let here = Process::here();
        assert_eq!(here.sees(&here), Visibility::There);
        let reused = Process { born: here.born + 1, ..here.clone() };
        assert_eq!(here.sees(&reused), Visibility::Gone);
        let elsewhere = Process { boot: "other".into(), machine: "other".into(), ..here.clone() };
        assert_eq!(here.sees(&elsewhere), Visibility::Unknown);
        let contained = Process { space: "pid:[1]".into(), ..here.clone() };
        assert_eq!(here.sees(&contained), Visibility::Unknown);
        let machine = Process { machine: "this".into(), ..here };
        let before_the_reboot = Process { boot: "other".into(), ..machine.clone() };
        assert_eq!(machine.sees(&before_the_reboot), Visibility::Gone);
    }

    #[test]
    fn the_dead_are_gone() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let other = Process { number: child.id(), born: born(child.id()).unwrap(), ..Process::here() };
        assert_eq!(Process::here().sees(&other), Visibility::There);
        child.kill().unwrap();
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(Process::here().sees(&other), Visibility::Gone, "a zombie works on nothing");
        child.wait().unwrap();
        assert_eq!(Process::here().sees(&other), Visibility::Gone);
    }
}
