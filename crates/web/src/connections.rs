//! Connections: how many there may be at once, in all and from one address, and which one is closed to make room for another.
//!
//! A connection is being answered, or has begun a request whose headers are not complete, or waits for its next request. One that is
//! being answered is never closed for another's sake. The others are: idle connections stay open until others need the room.

use std::cmp::Reverse;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::{Duration, Instant};

use futures_util::task::AtomicWaker;

use crate::limits;

/// All connections of a server.
#[derive(Debug)]
pub(crate) struct Connections {
    /// How many there may be in all.
    most: usize,
    open: Mutex<Vec<Arc<Connection>>>,
}

impl Connections {
    /// At most so many, and at most as many as there are file handles for.
    pub fn new(most: usize) -> Self {
        Connections { most: limits::connections(most, open_files()), open: Mutex::default() }
    }

    /// Takes a new connection in. Where an address has its share, or all places are taken, another connection makes room. Where
    /// none can, the new one is refused: it comes in to be told so, or not at all if there are many of those already.
    pub fn admit(&self, address: IpAddr) -> Option<Arc<Connection>> {
        let mut open = locked(&self.open);
        let regular = |open: &[Arc<Connection>]| open.iter().filter(|other| !other.is_refused).count();
        let own = open.iter().filter(|other| !other.is_refused && other.address == address).count();
        let has_room = (own < limits::share(self.most) || make_room(&mut open, |other| other.address == address))
            && (regular(&open) < self.most || make_room(&mut open, |_| true));
        if !has_room && open.len() - regular(&open) >= limits::REFUSALS {
            return None;
        }
        let connection = Arc::new(Connection::new(address, !has_room));
        open.push(Arc::clone(&connection));
        Some(connection)
    }

    /// Closes a connection without a request in progress, if there is one.
    pub fn make_room(&self) {
        make_room(&mut locked(&self.open), |_| true);
    }

    /// Forgets a connection that has ended.
    pub fn leave(&self, connection: &Arc<Connection>) {
        locked(&self.open).retain(|other| !Arc::ptr_eq(other, connection));
    }
}

/// Closes one of the connections that may be closed: of the address that has most of them the one that has been silent longest, those
/// last that have asked something and are between two requests. Whether there was one.
fn make_room(open: &mut Vec<Arc<Connection>>, may_close: impl Fn(&Connection) -> bool) -> bool {
    let of_address = |address| open.iter().filter(|other| other.address == address).count();
    let rank = |connection: &Connection| {
        let state = locked(&connection.state);
        let is_between = state.has_asked && state.headers_since.is_none();
        (state.answers == 0).then(|| (Reverse(of_address(connection.address)), is_between, state.active))
    };
    let candidates = open.iter().enumerate().filter(|(_, other)| !other.is_refused && may_close(other));
    let ranked = candidates.filter_map(|(index, other)| rank(other).map(|rank| (rank, index)));
    let Some((_, index)) = ranked.min() else { return false };
    open.swap_remove(index).close();
    true
}

/// One connection.
#[derive(Debug)]
pub(crate) struct Connection {
    address: IpAddr,
    /// Whether there was no place for it: all that it is told is why.
    pub is_refused: bool,
    state: Mutex<ConnectionState>,
    /// The task that is woken when the connection is closed.
    reader: AtomicWaker,
}

#[derive(Debug)]
struct ConnectionState {
    /// How many answers are under way.
    answers: usize,
    /// Whether there ever was one.
    has_asked: bool,
    /// When the first byte of headers came that are not complete.
    headers_since: Option<Instant>,
    /// When something was last read or written.
    active: Instant,
    is_closed: bool,
}

/// Why a connection is closed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Another one needs its place.
    Closed,
    /// The headers of a request have not come in time.
    Overdue,
}

impl Connection {
    fn new(address: IpAddr, is_refused: bool) -> Self {
        let active = Instant::now();
        // Whoever is refused has to ask at once.
        let headers_since = is_refused.then_some(active);
        let state = ConnectionState { answers: 0, has_asked: false, headers_since, active, is_closed: false };
        Connection { address, is_refused, state: Mutex::new(state), reader: AtomicWaker::new() }
    }

    fn close(&self) {
        locked(&self.state).is_closed = true;
        self.reader.wake();
    }

    /// Something was read. Where no answer is under way, that is the beginning of a request, or more of it. (The rare beginning
    /// that comes together with the request before it counts as silence: it has no time limit, but makes room for others.)
    pub fn has_read(&self) {
        let mut state = locked(&self.state);
        state.active = Instant::now();
        if state.answers == 0 {
            state.headers_since = state.headers_since.or(Some(state.active));
        }
    }

    /// Something was written.
    pub fn has_written(&self) {
        locked(&self.state).active = Instant::now();
    }

    /// The request has been read as far as its headers go; the answer is under way as long as this is kept.
    pub fn answering(self: &Arc<Self>) -> Answering {
        let mut state = locked(&self.state);
        state.answers += 1;
        state.has_asked = true;
        state.headers_since = None;
        Answering(Arc::clone(self))
    }

    /// Whether the connection has to end now; `reader` is woken when that changes for another reason than time.
    pub fn end(&self, header_time: Duration, reader: &Waker) -> Option<End> {
        self.reader.register(reader);
        let state = locked(&self.state);
        let overdue = state.headers_since.is_some_and(|since| since.elapsed() >= header_time);
        if state.is_closed { Some(End::Closed) } else { overdue.then_some(End::Overdue) }
    }

    /// When the headers that have begun have to be there.
    pub fn deadline(&self, header_time: Duration) -> Option<Instant> {
        locked(&self.state).headers_since.map(|since| since + header_time)
    }
}

/// An answer that is under way.
#[derive(Debug)]
pub(crate) struct Answering(Arc<Connection>);

impl Drop for Answering {
    fn drop(&mut self) {
        let mut state = locked(&self.0.state);
        state.answers -= 1;
        state.active = Instant::now();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many files this process may have open; nothing if there is no limit.
#[cfg(unix)]
fn open_files() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

#[cfg(not(unix))]
fn open_files() -> Option<u64> {
    None
}
