//! News of the searches, as they come: server-sent events, one object each.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{ConnectInfo, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, watch};

use crate::app::App;
use crate::connections::Answering;
use crate::listener::Visitor;
use crate::refusal::{Answer, Refusal};

/// `GET /api/events`: first the state of all running searches, then the changes.
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    ConnectInfo(Visitor(connection)): ConnectInfo<Visitor>,
) -> Answer<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let permit = Arc::clone(&app.streams).try_acquire_owned();
    let permit = permit.map_err(|_| Refusal::busy("too many pages are listening already; close one"))?;
    let listening = Listening {
        news: app.jobs.listen(),
        first: Some(state(&app)),
        stopping: app.stopping.clone(),
        app,
        _permit: permit,
        _answering: connection.answering(),
    };
    let stream = stream::unfold(listening, |mut listening| async move {
        let data = listening.next().await?;
        Some((Ok(Event::default().data(data)), listening))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

/// One page that listens.
struct Listening {
    app: Arc<App>,
    news: Receiver<Arc<str>>,
    first: Option<Value>,
    stopping: watch::Receiver<bool>,
    _permit: OwnedSemaphorePermit,
    /// The connection is not silent as long as the page listens.
    _answering: Answering,
}

impl Listening {
    /// The next event; none when the server stops.
    async fn next(&mut self) -> Option<String> {
        if let Some(first) = self.first.take() {
            return Some(first.to_string());
        }
        let news = tokio::select! {
            biased;
            _ = self.stopping.wait_for(|stopping| *stopping) => return None,
            news = self.news.recv() => news,
        };
        match news {
            Ok(news) => Some(news.to_string()),
            // The page was too slow to receive all events; it gets the complete state again.
            Err(RecvError::Lagged(_)) => Some(state(&self.app).to_string()),
            Err(RecvError::Closed) => None,
        }
    }
}

fn state(app: &App) -> Value {
    let explained = |run: Value| {
        let problem = run["problem"].as_str().unwrap_or_default().to_owned();
        app.explained(&problem, run)
    };
    json!({ "event": "state", "runs": app.jobs.all().into_iter().map(explained).collect::<Vec<_>>() })
}
