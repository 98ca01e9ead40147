//! Why a configuration is rejected.

/// Why a configuration is rejected; detected before any work starts.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum ConfigError {
    #[error("{origin}: unknown key `{key}`; the nearest is `{nearest}` (all keys: warcorpus config)")]
    UnknownKey { origin: String, key: String, nearest: String },
    #[error("{origin}: `{key}` = {got} should be {want}, as in `{key} = {default}`")]
    WrongType { origin: String, key: String, got: String, want: &'static str, default: String },
    #[error("{origin}: {message}")]
    Syntax { origin: String, message: String },
    #[error("`{key}` = {got}: {want}")]
    OutOfRange { key: String, got: String, want: String },
    /// Of `[quality]`: the setting, and what is wrong with it.
    #[error("{0}")]
    Recipe(String),
}

impl From<ConfigError> for crate::error::Error {
    fn from(error: ConfigError) -> Self {
        crate::error::Error::Usage(error.to_string())
    }
}
