//! The searches without WebAssembly.

use tab::{SEARCHES, search};

fn main() {
    for (number, text) in (0..).zip(SEARCHES) {
        println!("{:016x} {text}", search(number, 7, 5_000, 64));
    }
}
