//! `nestling play`: the app in the browser.

use std::io::ErrorKind;

use anyhow::{Context, Result, anyhow};
use nestling_registry::Registry;
use nestling_web::{Options, ServeError, Server};

use super::args::BrowserArgs;
use crate::failure::Exit;
use crate::{stored, text};

/// The port when nobody wishes another, so that links stay good.
const PORT: u16 = 8178;

pub(super) fn play(page: &str, args: &BrowserArgs, registry: Registry) -> Result<Exit> {
    let mut options = Options::new(&stored::path(&args.store)?);
    if let Some(address) = args.listen {
        options = options.listening(address);
    }
    options.address.set_port(args.port.unwrap_or(PORT));
    #[cfg(feature = "lab")]
    {
        use nestling_lab::{Report, standard};
        options.report =
            Some(std::sync::Arc::new(|store, registry| Ok(Report::new(store, registry, &standard())?.html())));
    }
    let server = match Server::bind(&options) {
        Err(ServeError::Address { source, .. }) if args.port.is_none() && source.kind() == ErrorKind::AddrInUse => {
            options.address.set_port(0);
            Server::bind(&options)?
        }
        Err(error @ ServeError::Address { .. }) => return Err(anyhow!("{error}; choose another with --port")),
        server => server?,
    };
    let address = server.address(page);
    let address =
        address.ok_or_else(|| anyhow!("there is no page {page:?}; there are {}", Server::pages().join(", ")))?;
    let stop = server.stop();
    ctrlc::set_handler(move || stop.stop()).context("cannot listen for Ctrl-C")?;
    text::print(&format!("{address}\n"))?;
    if !args.no_browser && open::that_detached(&address).is_err() {
        anstream::eprintln!("{}: no browser could be opened; open {address} in one", text::program());
    }
    server.run(registry)?;
    Ok(Exit::Done)
}
