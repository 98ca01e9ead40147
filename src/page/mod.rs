//! Record → page: decoded text, blocks, and what the page says about itself.
//!
//! Contract: bytes and their evidence in, values out; nothing here fails on bad input.
//! Border: archives are `archive`'s, what is content and what is not is `clean`'s.

pub mod charset;

pub mod blocks;

pub mod head;

pub mod metadata;

pub mod payload;

pub mod rules;

pub mod url;
