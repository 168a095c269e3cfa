//! Nestling in the browser: play, watch searches think, look at runs.
//!
//! A [`Server`] has everything inside: the pages, the problems of a registry, and the store in which searches live. It answers
//! this machine only, unless it is given another address and a token.
//!
//! ```no_run
//! use nestling_registry::Registry;
//! use nestling_web::{Options, Server};
//! let server = Server::bind(&Options::new("runs.db".as_ref()))?;
//! println!("{}", server.address("").expect("there is a first page"));
//! let stop = server.stop();
//! std::thread::spawn(move || { /* … */ stop.stop() });
//! server.run(Registry::standard())?;
//! # Ok::<(), nestling_web::ServeError>(())
//! ```

mod api;
mod app;
mod assets;
mod body;
mod connections;
mod events;
mod guard;
mod jobs;
mod limits;
mod listener;
mod refusal;
mod server;
mod site;

pub use api::endpoints;
pub use server::{LabReport, Options, ServeError, Server, ServerStop};
pub use site::{ICONS, SiteFile, SiteGame, icon, is_engine, is_site, page_of, site};
