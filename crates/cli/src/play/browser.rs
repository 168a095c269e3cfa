//! `nestling play`: the app in the browser.

use std::io::{ErrorKind, IsTerminal};

use anyhow::{Context, Result, anyhow};
use nestling_registry::Registry;
use nestling_web::{Options, ServeError, Server};

use super::args::BrowserArgs;
use crate::failure::Exit;
use crate::{stored, text};

/// The default port, fixed so that links stay valid.
const PORT: u16 = 8178;

/// The address for this machine; behind it those for other machines. On a terminal, the first of them as a QR code too, for a phone.
fn announcement(here: &str, elsewhere: &[String]) -> String {
    let mut text = format!("{here}\n");
    for address in elsewhere {
        text += &format!("{address}    from other machines\n");
    }
    let can_show = std::io::stdout().is_terminal() && !text::is_ascii() && text::canvas().color;
    if let Some(code) = elsewhere.first().filter(|_| can_show).and_then(|address| qr_code(address)) {
        text += &code;
    }
    text
}

/// A text as a QR code of half blocks, dark on light whatever the colours of the terminal are.
fn qr_code(text: &str) -> Option<String> {
    let code = qrcode::QrCode::with_error_correction_level(text, qrcode::EcLevel::L).ok()?;
    let (side, colours) = (code.width() as isize, code.to_colors());
    let quiet = 2;
    let is_dark = |row: isize, column: isize| {
        let inside = (0..side).contains(&row) && (0..side).contains(&column);
        inside && colours[(row * side + column) as usize] == qrcode::Color::Dark
    };
    let mut drawn = String::new();
    for row in (-quiet..side + quiet).step_by(2) {
        drawn += "\x1b[30;107m";
        drawn.extend((-quiet..side + quiet).map(|column| match (is_dark(row, column), is_dark(row + 1, column)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        }));
        drawn += "\x1b[0m\n";
    }
    Some(drawn)
}

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
    text::print(&announcement(&address, &server.addresses_elsewhere(page)))?;
    if !args.no_browser && open::that_detached(&address).is_err() {
        anstream::eprintln!("{}: no browser could be opened; open {address} in one", text::program());
    }
    server.run(registry)?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_machines_get_addresses_of_their_own() {
        let text = announcement("http://127.0.0.1:8178/", &["http://192.168.1.5:8178/?token=a".to_owned()]);
        assert!(text.starts_with("http://127.0.0.1:8178/\nhttp://192.168.1.5:8178/?token=a    from other machines\n"));
        assert_eq!(announcement("http://127.0.0.1:8178/", &[]), "http://127.0.0.1:8178/\n");
    }

    /// The code is framed by light cells, and has the dark squares of QR codes at three of its corners.
    #[test]
    fn addresses_are_drawn_as_qr_codes() {
        let drawn = qr_code("http://192.168.1.5:8178/?token=abcdefgh").unwrap();
        let rows: Vec<Vec<char>> = drawn
            .lines()
            .map(|line| line.trim_start_matches("\x1b[30;107m").trim_end_matches("\x1b[0m").chars().collect())
            .collect();
        let dark = |row: usize, column: usize| match rows[row / 2][column] {
            '█' => true,
            '▀' => row.is_multiple_of(2),
            '▄' => !row.is_multiple_of(2),
            _ => false,
        };
        let width = rows[0].len();
        assert!(
            rows.iter().all(|row| row.len() == width) && (0..width).all(|column| !dark(0, column) && !dark(1, column))
        );
        let side = width - 4;
        for (top, left) in [(2, 2), (2, side - 5), (side - 5, 2)] {
            for (row, column) in (0..7).flat_map(|row| (0..7).map(move |column| (row, column))) {
                let ring = row.min(column).min(6 - row).min(6 - column);
                assert_eq!(dark(top + row, left + column), ring != 1, "{row}, {column} of the corner at {top}, {left}");
            }
        }
        assert!(qr_code(&"a".repeat(5000)).is_none(), "too long for a code");
    }
}
