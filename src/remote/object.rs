//! What requests for a file need to know, its identity above all.

use std::sync::atomic::{AtomicBool, Ordering};

use reqwest::header::{ETAG, HeaderMap, HeaderName, IF_MATCH, IF_UNMODIFIED_SINCE, LAST_MODIFIED};

use super::site::Site;

/// What tells one state of an object from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Identity {
    Etag(String),
    /// HTTP date of the last change; together with the size.
    Modified(String),
    Unknown,
}

impl Identity {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let text = |name| headers.get(name).and_then(|v| v.to_str().ok()).map(|v: &str| v.trim().to_string());
        let modified = || text(LAST_MODIFIED).map_or(Self::Unknown, Self::Modified);
        text(ETAG).map_or_else(modified, Self::Etag)
    }

    pub(super) fn parse(text: &str) -> Self {
        match text.split_once(' ') {
            Some(("etag", rest)) => Self::Etag(rest.into()),
            Some(("modified", rest)) => Self::Modified(rest.into()),
            _ => Self::Unknown,
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Self::Etag(etag) => format!("etag {etag}"),
            Self::Modified(date) => format!("modified {date}"),
            Self::Unknown => String::new(),
        }
    }

    /// Whether both say something and it is not the same. Weak and strong tags of one state count as the same: some
    /// servers weaken a tag on the way.
    pub(super) fn differs(&self, now: &Self) -> bool {
        let strong = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_string();
        match (self, now) {
            (Self::Etag(a), Self::Etag(b)) => strong(a) != strong(b),
            (Self::Modified(a), Self::Modified(b)) => a != b,
            _ => false,
        }
    }

    /// The request header that lets the server check it. A weak tag never matches there.
    pub(super) fn condition(&self) -> Option<(HeaderName, &str)> {
        match self {
            Self::Etag(etag) if etag.starts_with('"') => Some((IF_MATCH, etag)),
            Self::Modified(date) => Some((IF_UNMODIFIED_SINCE, date)),
            Self::Etag(_) | Self::Unknown => None,
        }
    }
}

/// What requests for a file need to know.
pub(super) struct Object {
    /// Number of the open file.
    pub(super) id: u64,
    pub(super) site: Site,
    pub(super) size: u64,
    pub(super) identity: Identity,
    closed: AtomicBool,
}

impl Object {
    pub(super) fn new(id: u64, site: Site, size: u64, identity: Identity) -> Self {
        Self { id, site, size, identity, closed: AtomicBool::new(false) }
    }

    /// Nothing of it is wanted any more.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}
