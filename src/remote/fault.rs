//! Why requests fail, and which failures are transient.

use std::error::Error as _;
use std::fmt::Display;
use std::io::{self, ErrorKind};
use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use rustls::InvalidMessage;

/// Most bytes that are read of the body of an error response.
const ERROR_TEXT: usize = 4096;
/// Error codes of S3 that are transient whatever the HTTP status.
const TRANSIENT_CODES: [&str; 4] = ["SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable"];
/// Seconds above which a `Retry-After` is not believed: a day. Servers send any number.
const LONGEST_RETRY_AFTER: u64 = 86_400;

/// Longest error code of S3 that is shown, in bytes. The longest ones of Amazon have some 50.
const LONGEST_CODE: usize = 100;

/// Why a request failed.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    pub(super) kind: ErrorKind,
    pub(super) cause: String,
    /// Whether the failure is transient, so that a retry may succeed.
    pub(super) passing: bool,
    /// The server's `Retry-After`.
    pub(super) pause: Option<Duration>,
}

impl Fault {
    /// A permanent failure, which is not retried.
    pub(super) fn last(kind: ErrorKind, cause: impl Display) -> Self {
        Self { kind, cause: cause.to_string(), passing: false, pause: None }
    }

    /// A transient failure, which is retried.
    pub(super) fn passing(kind: ErrorKind, cause: impl Display) -> Self {
        Self { passing: true, ..Self::last(kind, cause) }
    }

    /// The failure for an object that is not the one that was opened; `what` names the difference.
    pub(super) fn changed(what: impl Display) -> Self {
        Self::last(ErrorKind::InvalidData, format!("the object changed while it was read ({what}); start over"))
    }

    /// Prefixes the cause with the place where the failure happened.
    pub(super) fn at(self, place: &str) -> Self {
        Self { cause: format!("{place}: {}", self.cause), ..self }
    }

    pub(super) fn ignored_range() -> Self {
        let cause = "the server ignores Range and sends whole objects only; download the file and read it locally";
        Self::last(ErrorKind::Unsupported, cause)
    }
}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        io::Error::new(fault.kind, fault.cause)
    }
}

/// The failure that an error response means. Its text is read for at most `timeout`: a server that sends a byte now and
/// then would hold a request slot for hours, and a part of the text serves as well.
pub(super) async fn error_of(mut response: Response, timeout: Duration) -> Fault {
    let status = response.status();
    let pause = retry_after(response.headers());
    let mut text = Vec::new();
    let read = async {
        while let Ok(Some(more)) = response.chunk().await {
            text.extend_from_slice(&more);
            if text.len() > ERROR_TEXT {
                break;
            }
        }
    };
    let _ = tokio::time::timeout(timeout, read).await;
    let text = String::from_utf8_lossy(&text);
    // Only the error codes of S3 are shown: other servers send an HTML page.
    let code = s3_code(&text);
    let cause = code.map_or(status.to_string(), |code| format!("{status} {code}"));
    let passing = status.is_server_error()
        || [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT].contains(&status)
        || code.is_some_and(|code| TRANSIENT_CODES.contains(&code));
    let (kind, hint) = match status {
        StatusCode::NOT_FOUND | StatusCode::GONE => (ErrorKind::NotFound, ""),
        StatusCode::FORBIDDEN | StatusCode::UNAUTHORIZED => (ErrorKind::PermissionDenied, ""),
        _ if status.is_redirection() => (ErrorKind::Other, " (the bucket may be in another region: remote.region)"),
        _ => (ErrorKind::Other, ""),
    };
    Fault { kind, cause: format!("{cause}{hint}"), passing, pause }
}

/// The pause that a server asks for, in seconds; dates are not read.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds: u64 = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds.min(LONGEST_RETRY_AFTER)))
}

/// The `<Code>` of an S3 error document. A server may send any text; what is no code would go to the terminal.
pub(super) fn s3_code(text: &str) -> Option<&str> {
    let code = text.split_once("<Code>")?.1.split_once("</Code>")?.0;
    Some(code).filter(|code| code.len() <= LONGEST_CODE && code.bytes().all(|byte| byte.is_ascii_graphic()))
}

/// The failure of a request without a complete response. Certificate, redirect and request errors are permanent, and so is
/// a port without TLS.
pub(super) fn transport_fault(error: reqwest::Error) -> Fault {
    let kind = if error.is_timeout() { ErrorKind::TimedOut } else { ErrorKind::ConnectionAborted };
    let error = error.without_url();
    let mut cause = error.to_string();
    let mut lasting = error.is_builder() || error.is_redirect();
    let connecting = error.is_connect();
    let mut source = error.source();
    while let Some(inner) = source {
        cause = format!("{cause}: {inner}");
        lasting |= match tls_error(inner) {
            Some(rustls::Error::InvalidCertificate(_)) => true,
            // The port does not speak TLS. Amid a response it is the connection that is damaged, which passes.
            Some(rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType)) => connecting,
            _ => false,
        };
        source = inner.source();
    }
    Fault { kind, cause, passing: !lasting, pause: None }
}

/// The error of TLS that is the cause. TLS errors are wrapped in I/O errors, which do not list them as sources.
fn tls_error<'a>(mut error: &'a (dyn std::error::Error + 'static)) -> Option<&'a rustls::Error> {
    while let Some(inner) = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        error = inner;
    }
    error.downcast_ref()
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    #[test]
    fn a_pause_that_a_server_asks_for_has_a_limit() {
        for (value, seconds) in [
            ("120", Some(120)),
            (" 7 ", Some(7)),
            ("18446744073709551615", Some(LONGEST_RETRY_AFTER)),
            ("18446744073709551616", None),
            ("-1", None),
            ("Fri, 31 Dec 1999 23:59:59 GMT", None),
        ] {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_static(value))]);
            assert_eq!(retry_after(&headers), seconds.map(Duration::from_secs), "{value}");
        }
    }

    #[test]
    fn only_codes_are_shown() {
        let code = |text: &str| s3_code(&format!("<Error><Code>{text}</Code></Error>")).map(String::from);
        assert_eq!(code("SlowDown").as_deref(), Some("SlowDown"));
        for text in ["\u{1b}[2J", "a code", "x\ny", "x".repeat(101).as_str()] {
            assert_eq!(code(text), None, "{text:?}");
        }
    }
}
