//! A job array on a cluster: one node, which is this machine, where Slurm is installed.
#![cfg(unix)]

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::tasks::Array;
use nestling_testing::{Need, skip};
use tempfile::TempDir;

#[test]
fn slurm_makes_a_job_array() {
    let Some(slurm) = Slurm::start() else { return skip(Need::Slurm, "Slurm is not installed, or does not start") };
    let array = Array::new();
    let solve = ["solve", "morpion-5d", "-s", "repeat(12, nrpa(1))", "--seed", "7"];
    let expected = Array::result(&array.nestling(&[&solve[..], &["--json", "-q", "--no-store"]].concat()));
    assert_eq!(array.divide(&solve, "4"), 4);
    let program = assert_cmd::cargo::cargo_bin("nestling");
    let line = format!("{} task tasks/$SLURM_ARRAY_TASK_ID.task", program.display());
    let mut batch = slurm.command("sbatch");
    let batch = batch.args(["--wait", "--array=0-3", "--wrap", &line]).current_dir(array.path("")).output().unwrap();
    assert!(batch.status.success(), "{}", String::from_utf8_lossy(&batch.stderr));
    assert_eq!(expected, Array::result(&array.nestling(&["runs", "collect", "1", "tasks", "--json"])));
}

/// Slurm's daemons.
struct Slurm {
    folder: TempDir,
    daemons: Vec<Child>,
}

impl Slurm {
    /// Starts them, unless they are not there or no node comes up.
    fn start() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("slurm.conf"), configuration(folder.path())?).unwrap();
        let mut slurm = Slurm { folder, daemons: Vec::new() };
        for (daemon, options) in [("slurmctld", ["-D", "-c"]), ("slurmd", ["-D", "-c"])] {
            let daemon =
                slurm.command(daemon).args(options).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
            slurm.daemons.push(daemon);
        }
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(20) {
            let nodes = slurm.command("sinfo").args(["--noheader", "--format=%T"]).output().ok()?;
            if nodes.stdout.starts_with(b"idle") {
                return Some(slurm);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        None
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.folder.path().join("slurm.conf"));
        command
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        for daemon in &mut self.daemons {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// A cluster of this machine alone, without secrets, on ports that are free.
fn configuration(folder: &Path) -> Option<String> {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    let host = host.trim().split('.').next()?.to_owned();
    let free = [0, 0].map(|port| TcpListener::bind(("127.0.0.1", port)).unwrap());
    let [control, node] = free.map(|listener| listener.local_addr().unwrap().port());
    let user = Command::new("id").arg("-un").output().ok()?;
    let (user, folder) = (String::from_utf8_lossy(&user.stdout).trim().to_owned(), folder.display());
    Some(format!(
        "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser={user}\nSlurmdUser={user}\n\
         AuthType=auth/none\nCredType=cred/none\nSlurmctldPort={control}\nSlurmdPort={node}\n\
         StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\nSlurmctldPidFile={folder}/ctld.pid\n\
         SlurmdPidFile={folder}/d.pid\nSlurmctldLogFile={folder}/ctld.log\nSlurmdLogFile={folder}/d.log\n\
         ProctrackType=proctrack/pgid\nTaskPlugin=task/none\nSwitchType=switch/none\nMpiDefault=none\n\
         SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nReturnToService=2\nSlurmdParameters=config_overrides\n\
         NodeName={host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN\n\
         PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
    ))
}
