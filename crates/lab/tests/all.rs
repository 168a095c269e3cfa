//! All tests of the crate in one program: what they share is compiled and linked once.

mod baseline_legal;
mod baseline_means;
mod broken;
mod clusters;
mod common;
mod devices;
mod experiments;
mod report;
mod runner;
mod simulation;
mod verdicts;
