//! Who may ask. A page of another site must not use this server through its visitor's browser, so that a request has to be addressed to
//! us, and to come from our own pages or from no page at all. Where others can reach us, it has to bring the token.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};

use nestling_presentation::escaped;

use crate::app::App;
use crate::listener::Visitor;
use crate::refusal::{Answer, Refusal, RefusalReason};

/// Only our own scripts, styles, fonts and pictures, and no embedding in frames.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

pub(crate) struct Guard {
    /// The names this machine has for itself, with the port; empty if a token is required.
    hosts: Vec<String>,
    token: Option<String>,
    cookie: String,
}

impl Guard {
    pub fn new(address: SocketAddr, token: Option<String>) -> Self {
        let port = address.port();
        let names = ["127.0.0.1", "localhost", "[::1]"];
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        if port == 80 {
            hosts.extend(names.map(str::to_owned));
        }
        // A name may lead to us from anywhere; only who has the token knows us.
        if token.is_some() {
            hosts.clear();
        }
        Guard { hosts, token, cookie: format!("nestling-{port}=") }
    }

    /// Whether a request is addressed to us, and comes from us or from no page.
    fn admits(&self, uri: &Uri, headers: &HeaderMap) -> Answer<()> {
        let foreign = |reason| Refusal::new(StatusCode::FORBIDDEN, reason);
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let host = text(header::HOST).ok_or_else(|| foreign("the request names no host"))?;
        let named = |name: &str| self.token.is_some() || self.hosts.iter().any(|host| host.eq_ignore_ascii_case(name));
        let absolute = uri.authority().is_none_or(|authority| named(authority.as_str()));
        if !named(host) || !absolute {
            return Err(foreign("the request is addressed to another host; use the address that was printed"));
        }
        let origin = headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or("null"));
        if origin.is_some_and(|origin| !is_origin(origin, host)) {
            return Err(foreign("the request comes from a page of another site"));
        }
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        if uri.path().starts_with("/api/") && site.is_some_and(|site| site != b"same-origin" && site != b"none") {
            return Err(foreign("the request comes from a page of another site"));
        }
        Ok(())
    }

    /// Whether a request has the token.
    fn knows(&self, headers: &HeaderMap, token: &str) -> bool {
        let values = |name| headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
        let mut bearers = values(header::AUTHORIZATION).filter_map(|value| value.strip_prefix("Bearer "));
        let cookies = values(header::COOKIE).flat_map(|value| value.split(';'));
        let mut cookies = cookies.filter_map(|cookie| cookie.trim().strip_prefix(&self.cookie));
        bearers.any(|bearer| same(bearer, token)) || cookies.any(|cookie| same(cookie, token))
    }
}

/// Whether a page of this origin is ours.
fn is_origin(origin: &str, host: &str) -> bool {
    let name = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    name.is_some_and(|name| name.eq_ignore_ascii_case(host))
}

/// Compares without telling by the time it takes how much was right.
fn same(one: &str, other: &str) -> bool {
    let differing = one.bytes().zip(other.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
    one.len() == other.len() && differing == 0
}

pub(crate) async fn guard(
    State(app): State<Arc<App>>,
    ConnectInfo(Visitor(connection)): ConnectInfo<Visitor>,
    request: Request,
    next: Next,
) -> Response {
    let _answering = connection.answering();
    let wants_page = wants_page(&request);
    let mut response = match admitted(&app.guard, &request) {
        _ if connection.is_refused => crowded(),
        Ok(None) => next.run(request).await,
        Ok(Some(response)) => response,
        Err(refusal) => refusal.into_response(),
    };
    if wants_page && let Some(RefusalReason(reason)) = response.extensions().get() {
        let page = refused_page(response.status(), reason);
        response = in_place(response, page);
    }
    let headers = response.headers_mut();
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// Whether somebody looks at the answer in a browser's window.
fn wants_page(request: &Request) -> bool {
    let accepts = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepts.contains("text/html") && !request.uri().path().starts_with("/api/")
}

/// A refusal as a page. Where the token is missing nothing else may be asked for, so that the page has its style along.
fn refused_page(status: StatusCode, reason: &str) -> Response {
    let remedy = match status {
        StatusCode::UNAUTHORIZED => {
            "Nestling printed an address when it was started; it ends in <code>?token=…</code>. Open that address once, and this \
             browser is let in from then on."
        }
        StatusCode::NOT_FOUND => "<a href=\"/\">To the first page</a>",
        _ => "",
    };
    let page = include_str!("refused.html").replace("{reason}", &escaped(reason)).replace("{remedy}", remedy);
    let about = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
    ];
    (status, about, page).into_response()
}

/// The same answer with another page in it: headers that are about the connection or the request stay.
fn in_place(answer: Response, page: Response) -> Response {
    let (mut about, _) = answer.into_parts();
    let (page, body) = page.into_parts();
    about.headers.remove(header::CONTENT_LENGTH);
    about.headers.extend(page.headers);
    Response::from_parts(about, body)
}

/// What is told on a connection for which there was no place.
fn crowded() -> Response {
    let reason = "there are too many connections already; close some pages and try again";
    ([(header::CONNECTION, "close")], Refusal::busy(reason)).into_response()
}

/// Nothing if the request may proceed; a response if the token in a link becomes a cookie.
fn admitted(guard: &Guard, request: &Request) -> Answer<Option<Response>> {
    let (uri, headers) = (request.uri(), request.headers());
    guard.admits(uri, headers)?;
    let Some(token) = &guard.token else { return Ok(None) };
    let given = uri.query().unwrap_or_default().split('&').find_map(|part| part.strip_prefix("token="));
    if given.is_some_and(|given| same(given, token)) {
        let cookie = format!("{}{token}; Path=/; HttpOnly; SameSite=Strict", guard.cookie);
        return Ok(Some(([(header::SET_COOKIE, cookie)], Redirect::to(uri.path())).into_response()));
    }
    if guard.knows(headers, token) {
        return Ok(None);
    }
    Err(Refusal::new(StatusCode::UNAUTHORIZED, "the token is missing; use the address that was printed"))
}
