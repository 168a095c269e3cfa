//! The steps of a beam by a program that runs the kernels on the processor, for tests.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use nestling_puzzles::Snake;
use nestling_testing::{Need, skip};
use tempfile::TempDir;

use super::beams::{Expanded, Steps};
use super::{SOURCE, definitions};
use crate::GpuError;

/// The program, without the kernels.
const EMULATOR: &str = include_str!("emulator.cpp");

/// The compiled program; the folder is removed with it.
pub(super) struct Emulator {
    folder: TempDir,
}

impl Emulator {
    /// Compiles the program for a dimension, and for snakes or coils; nothing where no compiler is.
    pub fn compile(snake: &Snake) -> Option<Self> {
        let has =
            |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
        let Some(compiler) = ["c++", "g++", "clang++"].into_iter().find(has) else {
            skip(Need::Compiler, "there is no compiler of C++ here, so the kernels are not run on the processor");
            return None;
        };
        let emulator = Emulator { folder: tempfile::tempdir().unwrap() };
        let source = emulator.folder.path().join("emulator.cpp");
        std::fs::write(&source, EMULATOR.replacen("\nINSERT\n", SOURCE, 1)).unwrap();
        let mut command = Command::new(compiler);
        command.args(definitions(snake).map(|(name, value)| format!("-D{name}={value}")));
        command.args(["-std=c++17", "-O2", "-w", "-o"]).arg(emulator.folder.path().join("emulator")).arg(source);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(emulator)
    }

    /// Starts the program for beams of this width.
    pub fn steps(&self, width: u32) -> EmulatedSteps {
        let mut command = Command::new(self.folder.path().join("emulator"));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        EmulatedSteps { child, input, output, width }
    }
}

/// A program that makes a step for each line.
pub(super) struct EmulatedSteps {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    width: u32,
}

impl EmulatedSteps {
    fn answer(&mut self) -> Vec<u32> {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.split_whitespace().map(|number| number.parse().unwrap()).collect()
    }
}

impl Steps for EmulatedSteps {
    fn begin(&mut self, blocked: &[u64], head: u16, used: u8) -> Result<(), GpuError> {
        let words: Vec<String> = blocked.iter().map(u64::to_string).collect();
        let head = u32::from(used) << 16 | u32::from(head);
        writeln!(self.input, "begin {} {head} {}", self.width, words.join(" ")).unwrap();
        Ok(())
    }

    fn expand(&mut self, vertices: u32, seed: u64) -> Result<Expanded, GpuError> {
        writeln!(self.input, "expand {vertices} {seed}").unwrap();
        let counts = self.answer();
        Ok(Expanded { candidates: counts[0], ends: counts[1], first_end: counts[2] })
    }

    fn sort(&mut self, candidates: u32, mask: u32) -> Result<(), GpuError> {
        writeln!(self.input, "sort {candidates} {mask}").unwrap();
        Ok(())
    }

    fn keep(&mut self, candidates: u32) -> Result<Vec<u32>, GpuError> {
        writeln!(self.input, "keep {candidates}").unwrap();
        Ok(self.answer())
    }
}

impl Drop for EmulatedSteps {
    fn drop(&mut self) {
        // Without a parent the program would wait for the next line for ever.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
