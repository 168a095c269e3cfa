//! All tests of the crate in one program: what they share is compiled and linked once.

mod morpion;
mod pool;
mod toy;
mod toy_pool;
