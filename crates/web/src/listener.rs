//! Accepting connections, and ending those that take too long over the headers of a request.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Sleep;

use crate::connections::{Connection, Connections, End};

/// A listener that knows who is connected.
pub(crate) struct LimitedListener {
    pub listener: TcpListener,
    pub connections: Arc<Connections>,
    /// How long the headers of a request may take.
    pub header_time: Duration,
}

/// How long to wait where the system has no file handle left, or no memory.
const PAUSE: Duration = Duration::from_millis(100);

impl Listener for LimitedListener {
    type Io = LimitedStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (LimitedStream, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    // Whoever finds no place, and cannot even be told so, is hung up on.
                    if let Some(connection) = self.connections.admit(address.ip()) {
                        let (connections, header_time) = (Arc::clone(&self.connections), self.header_time);
                        let timer = Box::pin(tokio::time::sleep(header_time));
                        return (LimitedStream { stream, connection, connections, header_time, timer }, address);
                    }
                }
                Err(error) if is_of_one_connection(&error) => {}
                Err(_) => {
                    self.connections.make_room();
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// Whether the fault lies with a connection that has ended before it was accepted; the next one may be sound.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// A stream that ends when its connection has to.
pub(crate) struct LimitedStream {
    stream: TcpStream,
    connection: Arc<Connection>,
    connections: Arc<Connections>,
    header_time: Duration,
    timer: Pin<Box<Sleep>>,
}

impl LimitedStream {
    /// Fails where the connection has to end; otherwise the task is woken when that may have changed.
    fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if let Some(deadline) = self.connection.deadline(self.header_time) {
            self.timer.as_mut().reset(deadline.into());
            // Only to be woken: the connection knows whether it is overdue.
            let _ = self.timer.as_mut().poll(context);
        }
        match self.connection.end(self.header_time, context.waker()) {
            None => Ok(()),
            Some(End::Closed) => Err(io::ErrorKind::ConnectionAborted.into()),
            Some(End::Overdue) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

impl Drop for LimitedStream {
    fn drop(&mut self) {
        self.connections.leave(&self.connection);
    }
}

impl AsyncRead for LimitedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.connection.has_read();
        }
        self.check(context)?;
        read
    }
}

impl AsyncWrite for LimitedStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.check(context)?;
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if written.is_ready() {
            self.connection.has_written();
        }
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check(context)?;
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        if written.is_ready() {
            self.connection.has_written();
        }
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// A request's view of its connection.
#[derive(Clone, Debug)]
pub(crate) struct Visitor(pub Arc<Connection>);

impl Connected<IncomingStream<'_, LimitedListener>> for Visitor {
    fn connect_info(stream: IncomingStream<'_, LimitedListener>) -> Self {
        Visitor(Arc::clone(&stream.io().connection))
    }
}
