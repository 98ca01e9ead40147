//! Record → page: decoded text, blocks, and what the page says about itself.
//!
//! Contract: a record's bytes in, values out; bad input gives a reason, never a failure.
//! Border: records belong to `archive`, the decision what is content to `clean`. Nothing here knows the configuration:
//! [`payload::Options`] and [`blocks::Options`] are filled by the caller.

pub mod charset;

pub mod blocks;

pub mod head;

pub mod metadata;

pub mod payload;

pub mod rules;

pub mod url;
