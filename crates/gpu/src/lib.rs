//! Morpion Solitaire on NVIDIA GPUs: thousands of games, or of whole searches by nesting or NRPA, at once.
//!
//! The kernels are CUDA C++ (`kernels/`), compiled when a device is opened, by libraries that are looked for at that moment; so
//! everything builds and runs on machines that have none of this, and [`Device::open`] says what is missing.
//!
//! ```
//! use nestling_gpu::{Device, GpuError, Playouts};
//! use nestling_morpion::{Board, Variant};
//!
//! match Device::open(0, Variant::FiveD) {
//!     Ok(device) => {
//!         let sample = Playouts::new(&device, &Board::new(Variant::FiveD))?.play(1, 0, 100_000)?;
//!         assert!((42.0..44.0).contains(&(sample.moves() as f64 / sample.games() as f64)));
//!     }
//!     Err(missing) => println!("{missing}"),
//! }
//! # Ok::<(), GpuError>(())
//! ```

// Kernels are started with bare pointers; every place says why its arguments are right.
#![allow(unsafe_code)]

mod device;
mod engine;
mod layout;
mod machine;
mod nested;
mod nrpa;
mod playouts;
mod strays;
mod tally;

pub use device::{Device, GpuError, available, compile};
pub use engine::{check, open};
pub use nested::{Nested, Nesting};
pub use nrpa::{Nrpa, Schedule, Settings};
pub use playouts::{Playouts, Sample};
pub use tally::Progress;
