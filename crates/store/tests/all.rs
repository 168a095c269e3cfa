//! All tests of the crate in one program: what they share is compiled and linked once.

mod before;
mod common;
mod damage;
mod devices;
mod hostile;
mod leases;
mod old;
mod runs;
