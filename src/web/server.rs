//! HTTP: connections become requests, and answers become bytes. The number of connections, the time of a request and
//! its size are bounded. hyper knows the protocol; this file knows no path.

use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::guard::Caller;
use super::routes::{Answer, Asked, House, most_bytes, too_large};

/// Connections at once. A browser opens six. (A guess: enough for the browsers of a classroom.)
const CONNECTIONS: usize = 256;

/// The longest time for the head of a request, and for its body. A connection without requests is closed after it, too.
const PATIENCE: Duration = Duration::from_secs(30);

/// Bytes of a request's head.
const HEAD: usize = 16 << 10;

/// Bytes that are read of a body that is too large.
const MOST_DISCARDED: usize = 32 << 20;

/// Threads that answer. An answer takes milliseconds; only a record that somebody loads may take longer.
const ANSWERING: usize = 4;

/// Time between two looks at the flag that ends the server.
const TICK: Duration = Duration::from_millis(100);

/// Headers of every answer. The page may use nothing but its own files, and no other page may frame it.
const ALWAYS: &[(&str, &str)] = &[
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// Takes the address.
///
/// # Errors
/// If the system refuses it.
pub(super) fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Answers until `stop` is set.
///
/// # Errors
/// If the system gives no threads.
pub(super) fn serve(listener: TcpListener, house: &Arc<House>, stop: &AtomicBool) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(ANSWERING)
        .build()
        .map_err(|error| error.to_string())?;
    let result = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).map_err(|error| error.to_string())?;
        let seats = Seats::default();
        while !stop.load(Relaxed) {
            match timeout(TICK, listener.accept()).await {
                Err(_) => {}
                Ok(Ok((stream, _))) => {
                    // Where there is no seat, the connection is closed at once.
                    if let Some(seat) = seats.take() {
                        tokio::spawn(connection(stream, Arc::clone(house), seat));
                    }
                }
                Ok(Err(error)) => {
                    log::warn!("a connection could not be accepted: {error}");
                    tokio::time::sleep(TICK).await;
                }
            }
        }
        Ok(())
    });
    runtime.shutdown_timeout(TICK);
    result
}

/// Connections in use.
#[derive(Debug, Default)]
struct Seats(Arc<AtomicUsize>);

/// A connection's place.
struct Seat(Arc<AtomicUsize>);

impl Seats {
    fn take(&self) -> Option<Seat> {
        // The seat is counted before the look, and dropped if there is none.
        let seat = Seat(Arc::clone(&self.0));
        (self.0.fetch_add(1, Relaxed) < CONNECTIONS).then_some(seat)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

async fn connection(stream: TcpStream, house: Arc<House>, seat: Seat) {
    // Small answers shall not wait for further bytes.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let house = Arc::clone(&house);
        async move { Ok::<_, Infallible>(response(answer(request, house).await)) }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .await;
    if let Err(error) = served {
        log::debug!("a connection ended: {error}");
    }
    drop(seat);
}

async fn answer(request: Request<Incoming>, house: Arc<House>) -> Answer {
    let (head, body) = request.into_parts();
    let (path, query) = (head.uri.path().to_owned(), head.uri.query().unwrap_or_default().to_owned());
    let asked = Asked { is_post: head.method == Method::POST, path, query, body: Vec::new() };
    // The library leaves the body of an answer to HEAD out.
    if !asked.is_post && head.method != Method::GET && head.method != Method::HEAD {
        return Answer::error(405, "only GET, HEAD and POST are known here");
    }
    let text = |name: HeaderName| one(&head.headers, &name);
    let caller = Caller {
        host: text(header::HOST),
        origin: text(header::ORIGIN),
        site: text(HeaderName::from_static("sec-fetch-site")),
        is_page: !asked.is_post && asked.path == "/",
        cookies: text(header::COOKIE),
        token: asked.value("token"),
    };
    if let Err(refusal) = house.guard.check(&caller) {
        return Answer::error(403, &refusal.to_string());
    }
    if let Some(cookie) = house.guard.cookie(&caller).filter(|_| caller.is_page) {
        // The token leaves the address, where others could read it.
        return Answer::moved("/").with("set-cookie", cookie);
    }
    let body = match timeout(PATIENCE, read(body, most_bytes(&asked.path))).await {
        Ok(Some(body)) => body,
        Ok(None) => return Answer::error(413, &too_large(&asked.path)),
        Err(_) => return Answer::error(408, "the request took too long"),
    };
    let answering = tokio::task::spawn_blocking(move || house.answer(&Asked { body, ..asked }));
    answering.await.unwrap_or_else(|error| {
        log::error!("a bug: a request failed: {error}");
        Answer::error(500, "something went wrong inside Kosumi")
    })
}

/// The body of a request; `None` if it is longer than this, or breaks off. A longer body is read to its end and thrown
/// away, up to a limit: a browser that is still sending would not look at the answer.
async fn read(mut body: Incoming, most: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame.ok()?;
        let Some(data) = frame.data_ref() else { continue };
        length += data.len();
        if length <= most {
            bytes.extend_from_slice(data);
        } else if length > MOST_DISCARDED {
            break;
        }
    }
    (length <= most).then_some(bytes)
}

/// The value of a header that is there once and is plain text. (Two hosts would be an attempt to cheat.)
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    match values.next() {
        None => Some(first.to_str().unwrap_or("?")),
        Some(_) => Some("?"),
    }
}

fn response(answer: Answer) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(answer.body)));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(answer.kind));
    for (name, value) in answer.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
    response
}
