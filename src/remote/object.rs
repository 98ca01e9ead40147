//! A remote object: its location, its size, and the identity by which changes are detected.

use std::sync::atomic::{AtomicBool, Ordering};

use reqwest::header::{ETAG, HeaderMap, HeaderName, IF_MATCH, IF_UNMODIFIED_SINCE, LAST_MODIFIED};

use super::location::ObjectLocation;

/// The identity of one version of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Identity {
    Etag(String),
    /// HTTP date of the last change; it is compared together with the size.
    Modified(String),
    /// The server sends neither ETag nor date.
    Unknown,
}

impl Identity {
    /// The identity in the headers of a response.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let text = |name| headers.get(name).and_then(|v| v.to_str().ok()).map(|v: &str| v.trim().to_string());
        let modified = || text(LAST_MODIFIED).map_or(Self::Unknown, Self::Modified);
        text(ETAG).map_or_else(modified, Self::Etag)
    }

    /// Parses the form that [`Identity::text`] writes.
    pub(super) fn parse(text: &str) -> Self {
        match text.split_once(' ') {
            Some(("etag", rest)) => Self::Etag(rest.into()),
            Some(("modified", rest)) => Self::Modified(rest.into()),
            _ => Self::Unknown,
        }
    }

    /// The identity as text, as plans store it; empty if unknown.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Etag(etag) => format!("etag {etag}"),
            Self::Modified(date) => format!("modified {date}"),
            Self::Unknown => String::new(),
        }
    }

    /// Whether both identities are known, of the same kind, and unequal. A weak and a strong tag with the same value are
    /// equal, because some servers weaken tags in transit.
    pub(super) fn differs(&self, now: &Self) -> bool {
        let strong = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_string();
        match (self, now) {
            (Self::Etag(a), Self::Etag(b)) => strong(a) != strong(b),
            (Self::Modified(a), Self::Modified(b)) => a != b,
            _ => false,
        }
    }

    /// The request header by which the server checks the identity; `None` for a weak tag, which never matches.
    pub(super) fn condition(&self) -> Option<(HeaderName, &str)> {
        match self {
            Self::Etag(etag) if etag.starts_with('"') => Some((IF_MATCH, etag)),
            Self::Modified(date) => Some((IF_UNMODIFIED_SINCE, date)),
            Self::Etag(_) | Self::Unknown => None,
        }
    }
}

/// An open remote object, as its requests need it.
pub(super) struct Object {
    /// Number of the open file.
    pub(super) id: u64,
    pub(super) location: ObjectLocation,
    pub(super) size: u64,
    pub(super) identity: Identity,
    closed: AtomicBool,
}

impl Object {
    pub(super) fn new(id: u64, location: ObjectLocation, size: u64, identity: Identity) -> Self {
        Self { id, location, size, identity, closed: AtomicBool::new(false) }
    }

    /// Abandons the requests of the object.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}
