//! All tests of the crate in one program: what they share is compiled once.

mod browser;
mod common;
mod connections;
mod games;
mod guard;
mod hostile;
mod load;
mod pages;
mod searches;
mod site;
mod tab;
mod words;
