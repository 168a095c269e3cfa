//! Searches on NVIDIA GPUs, thousands at once, for problems that have kernels for them.
//!
//! A problem says by the trait [`Kernels`] which program its kernels are and which searches they make. The rest is common to all
//! problems: [`check_support`] and [`open`] for the driver, the [`Gpu`] with a compiled [`Program`], and [`Machine`], which divides independent
//! runs among all devices. [`morpion`] has the kernels of Morpion Solitaire, [`snake`] those of snakes and coils.
//!
//! Kernels are CUDA C++, compiled when a device is opened, by libraries that are looked for at that moment; so everything builds and
//! runs on machines that have none of this, and [`available`] says what is missing.
//!
//! ```
//! use nestling::search::Files;
//! use nestling_gpu::{GpuError, available, open};
//! use nestling_morpion::{Board, Variant};
//!
//! match available() {
//!     Ok(_) => {
//!         let search = "repeat(100000, playout)".parse().expect("an expression");
//!         let mut accelerator = open(&Board::new(Variant::FiveD), &search, &Files::default(), 1)?;
//!         println!("{:?}", accelerator.round(u64::MAX));
//!     }
//!     Err(missing) => println!("{missing}"),
//! }
//! # Ok::<(), GpuError>(())
//! ```

// Kernels are started with bare pointers; every place says why its arguments are right.
#![allow(unsafe_code)]

mod device;
mod error;
mod kernels;
mod machine;
pub mod morpion;
pub mod pool;
mod program;
mod progress;
pub mod snake;

pub use cudarc;
pub use device::{Gpu, Kernel, available};
pub use error::GpuError;
pub use kernels::{Kernels, check_support, open};
pub use machine::{DeviceTask, Machine, MoveOf, Part};
pub use program::{Program, compile};
pub use progress::SearchTotals;
