//! Nestling in a browser tab. One module serves three roles, each in a Web Worker of its own: it answers the app's requests, drives a run,
//! and makes the tasks of a run. It has neither threads nor files; the page gives it the time and random numbers (WASI).
//!
//! Everything is a call: a line of JSON, and bytes behind it. The page writes it where [`room`] says, calls [`call`], and reads the reply,
//! of the same form, where [`reply`] says. `calls.rs` lists the calls.
//!
//! The driver of a run hands its tasks out as bytes ([`nestling_registry::Tasks`]); workers make them step by step. So the result is the one
//! of the command line with the same search, seed and playouts, whatever the number of workers.

mod calls;
mod driver;
mod host;
mod maker;
mod message;
mod parcel;

use std::cell::RefCell;

use calls::Calls;
use message::Message;

/// What answers calls.
pub struct TabEngine(Calls);

impl Default for TabEngine {
    fn default() -> Self {
        TabEngine(Calls::new())
    }
}

impl TabEngine {
    /// Carries out a call, and returns the reply.
    pub fn answer(&mut self, call: &[u8]) -> Vec<u8> {
        let reply = Message::read(call).and_then(|message| self.0.carry_out(&message));
        reply.unwrap_or_else(|reason| Message::failure(&reason)).write()
    }
}

thread_local! {
    static ENGINE: RefCell<TabEngine> = RefCell::default();
    /// The call, and then its reply.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The address of a buffer for a call of so many bytes.
#[allow(unsafe_code, reason = "the page finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

/// Carries out the call in the buffer, and returns the length of the reply.
#[allow(unsafe_code, reason = "the page finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    let call = BUFFER.take();
    let bytes = ENGINE.with_borrow_mut(|engine| engine.answer(&call));
    let length = bytes.len();
    BUFFER.set(bytes);
    length
}

/// The address of the reply.
#[allow(unsafe_code, reason = "the page finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn reply() -> *const u8 {
    BUFFER.with_borrow(|buffer| buffer.as_ptr())
}
