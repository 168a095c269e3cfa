//! Listening, answering, stopping.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use nestling_registry::Registry;
use nestling_store::{Store, StoreError};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

use crate::app::App;
use crate::connections::Connections;
use crate::guard::{Guard, guard};
use crate::listener::{LimitedListener, Visitor};
use crate::refusal::Refusal;
use crate::{api, assets, limits};

/// Makes a page of what the lab has measured, from what is in a store; it brings everything it needs along.
pub type LabReport = Arc<dyn Fn(&Store, &Registry) -> Result<String, StoreError> + Send + Sync>;

/// How a server is to be run.
#[derive(Clone)]
pub struct Options {
    /// The address to listen on; port 0 is any that is free.
    pub address: SocketAddr,
    /// The token that every request must have; needed if the address can be reached from other machines.
    pub token: Option<String>,
    /// The store that keeps the runs.
    pub store: PathBuf,
    /// The function that makes the page `/report`; without it there is no such page.
    pub report: Option<LabReport>,
    /// How long the headers of a request may take, from their first byte on. The connection is closed then.
    pub header_time: Duration,
    /// How many connections there may be at once; fewer where the process may not open so many files. Each address has half of them.
    pub connections: usize,
}

impl Options {
    /// For this machine only, on any free port.
    pub fn new(store: &Path) -> Self {
        Options {
            address: (Ipv4Addr::LOCALHOST, 0).into(),
            token: None,
            store: store.to_path_buf(),
            report: None,
            header_time: limits::PATIENCE,
            connections: limits::CONNECTIONS,
        }
    }

    /// For other machines too, with a new token.
    #[must_use]
    pub fn listening(self, address: IpAddr) -> Self {
        Options { address: (address, self.address.port()).into(), token: Some(drawn_token()), ..self }
    }
}

/// A token that cannot be guessed.
fn drawn_token() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Why the server could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Address {
        /// The address.
        address: SocketAddr,
        /// The system's message.
        source: std::io::Error,
    },
    /// Others can reach the address, and there is no token.
    #[error("{0} can be reached from other machines; a token is needed")]
    Open(SocketAddr),
    /// The runs cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system gives no threads.
    #[error("cannot start the server: {0}")]
    Threads(std::io::Error),
}

/// A server that listens, and answers once it [runs](Server::run).
pub struct Server {
    runtime: Runtime,
    listener: LimitedListener,
    address: SocketAddr,
    store: Store,
    token: Option<String>,
    report: Option<LabReport>,
    stop: watch::Sender<bool>,
}

/// Stops a server from another thread or a signal handler.
#[derive(Clone)]
pub struct ServerStop(watch::Sender<bool>);

impl ServerStop {
    /// Lets the server answer what it has begun to, keep what its searches have found, and leave.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Opens the store and the address.
    pub fn bind(options: &Options) -> Result<Self, ServeError> {
        if options.token.is_none() && !options.address.ip().is_loopback() {
            return Err(ServeError::Open(options.address));
        }
        let store = Store::open(&options.store)?;
        store.check()?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(ServeError::Threads)?;
        let failed = |source| ServeError::Address { address: options.address, source };
        let listener = runtime.block_on(TcpListener::bind(options.address)).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let connections = Arc::new(Connections::new(options.connections));
        let listener = LimitedListener { listener, connections, header_time: options.header_time };
        let (token, report) = (options.token.clone(), options.report.clone());
        Ok(Server { runtime, listener, address, store, token, report, stop: watch::channel(false).0 })
    }

    /// What to type into a browser of this machine to see a page, token included; none if there is no such page. The first page has no name.
    pub fn address(&self, page: &str) -> Option<String> {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        let known = page.is_empty() || assets::is_page(page);
        known.then(|| self.address_at(ip, page))
    }

    /// What to type into browsers of other machines, where the server listens on all addresses of this machine: one line for each
    /// of its networks. Empty where the server listens on one address, which [`Server::address`] names.
    pub fn addresses_elsewhere(&self, page: &str) -> Vec<String> {
        if !self.address.ip().is_unspecified() {
            return Vec::new();
        }
        // Without a list of the networks there is still the address for this machine.
        let networks = if_addrs::get_if_addrs().unwrap_or_default();
        let listens_to = |ip: &IpAddr| match ip {
            IpAddr::V4(ip) => !ip.is_loopback() && !ip.is_link_local(),
            IpAddr::V6(ip) => self.address.is_ipv6() && !ip.is_loopback() && !ip.is_unicast_link_local(),
        };
        let mut ips: Vec<IpAddr> = networks.iter().map(if_addrs::Interface::ip).filter(listens_to).collect();
        ips.sort();
        ips.dedup();
        ips.into_iter().map(|ip| self.address_at(ip, page)).collect()
    }

    fn address_at(&self, ip: IpAddr, page: &str) -> String {
        let token = self.token.as_ref().map_or_else(String::new, |token| format!("?token={token}"));
        format!("http://{}/{page}{token}", SocketAddr::new(ip, self.address.port()))
    }

    /// The names of the pages.
    pub fn pages() -> Vec<String> {
        assets::pages()
    }

    /// The switch that stops the server.
    pub fn stop(&self) -> ServerStop {
        ServerStop(self.stop.clone())
    }

    /// Answers requests about the problems of a registry until it is [stopped](Server::stop). Running searches are interrupted, and can be resumed.
    pub fn run(self, registry: Registry) -> Result<(), ServeError> {
        let Server { runtime, listener, address, store, token, report, stop } = self;
        let app = Arc::new(App::new(registry, store, Guard::new(address, token), report, stop.subscribe()));
        let mut stopping = stop.subscribe();
        let shutdown = async move {
            // An error means that every handle that could stop the server is gone.
            let _ = stopping.wait_for(|stopping| *stopping).await;
        };
        let served = runtime.block_on(async {
            let visited = router(Arc::clone(&app)).into_make_service_with_connect_info::<Visitor>();
            let serving = axum::serve(listener, visited).with_graceful_shutdown(shutdown);
            let mut stopping = stop.subscribe();
            tokio::select! {
                served = serving.into_future() => served,
                // The server does not wait for clients that never finish.
                () = async {
                    let _ = stopping.wait_for(|stopping| *stopping).await;
                    tokio::time::sleep(limits::FAREWELL).await;
                } => Ok(()),
            }
        });
        app.jobs.stop_all();
        runtime.shutdown_timeout(limits::FAREWELL);
        served.map_err(|source| ServeError::Address { address, source })
    }
}

/// What becomes smaller: not fonts and pictures, which are compressed already, and no streams of events.
fn worth_compressing() -> impl Predicate {
    DefaultPredicate::new().and(NotForContentType::const_new("font/"))
}

fn router(app: Arc<App>) -> Router {
    let routes = api::routes().into_iter().fold(Router::new(), |router, route| router.route(route.path, route.handler));
    routes
        .fallback(assets::asset)
        .method_not_allowed_fallback(async || {
            Refusal::new(
                axum::http::StatusCode::METHOD_NOT_ALLOWED,
                "this method is not allowed here; see /api/openapi.json",
            )
        })
        .layer(DefaultBodyLimit::max(limits::BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard))
        .layer(CompressionLayer::new().compress_when(worth_compressing()))
        .with_state(app)
}
