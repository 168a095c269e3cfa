//! Calls and replies: a line of JSON, and bytes behind it.

use serde_json::{Value, json};

pub(crate) struct Message {
    pub header: Value,
    pub body: Vec<u8>,
}

impl Message {
    /// A reply without bytes.
    pub fn of(header: Value) -> Message {
        Message { header, body: Vec::new() }
    }

    /// The reply to a call that cannot be carried out.
    pub fn failure(reason: &str) -> Message {
        Message::of(json!({ "error": reason }))
    }

    pub fn read(bytes: &[u8]) -> Result<Message, String> {
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
        let header = serde_json::from_slice(&bytes[..end]).map_err(|error| format!("the call: {error}"))?;
        Ok(Message { header, body: bytes.get(end + 1..).unwrap_or_default().to_vec() })
    }

    pub fn write(&self) -> Vec<u8> {
        let mut bytes = self.header.to_string().into_bytes();
        bytes.push(b'\n');
        bytes.extend_from_slice(&self.body);
        bytes
    }
}
