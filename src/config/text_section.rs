//! The section `text`: repair of text that was read, and the form of text that is written.

use serde::{Deserialize, Serialize};

use crate::emit::plain_text;
use crate::text::mojibake::Mojibake;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextSection {
    /// What is done about text that was encoded twice. As with `quality`, left out where it is the default.
    #[serde(default, skip_serializing_if = "Mojibake::is_fix")]
    pub mojibake: Mojibake,
    /// Options of the format; they are keys of the section `text`.
    #[serde(flatten)]
    pub format: plain_text::Options,
}
