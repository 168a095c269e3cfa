//! Several tasks or reports in one message: the header lists their numbers and lengths, and the body has them one after the other.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::message::Message;

/// A task or a report: the number of the task, and how many bytes of the body are its own.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) struct Parcel {
    index: u64,
    length: usize,
}

/// The parcels of a message, taken apart.
pub(crate) fn unpacked<'b>(parcels: &[Parcel], mut body: &'b [u8]) -> Result<Vec<(u64, &'b [u8])>, String> {
    let mut unpacked = Vec::with_capacity(parcels.len());
    for &Parcel { index, length } in parcels {
        let (first, rest) = body.split_at_checked(length).ok_or("the call: its body is too short")?;
        unpacked.push((index, first));
        body = rest;
    }
    Ok(unpacked)
}

/// The parcels of a message that is being written.
#[derive(Default)]
pub(crate) struct Parcels {
    parcels: Vec<Parcel>,
    body: Vec<u8>,
}

impl Parcels {
    pub fn add(&mut self, index: u64, bytes: &[u8]) {
        self.parcels.push(Parcel { index, length: bytes.len() });
        self.body.extend_from_slice(bytes);
    }

    /// The message with this header.
    pub fn message(self, mut header: Value) -> Message {
        header["parcels"] = json!(self.parcels);
        Message { header, body: self.body }
    }
}
