//! stub
use crate::error::{Error, Result};
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Settings {
    pub endpoint: String,
    pub region: String,
    pub anonymous: bool,
    pub memory: u64,
    pub parallel: usize,
    pub chunk: u64,
    pub retries: u32,
    pub retry_seconds: u64,
    pub timeout_seconds: u64,
}
#[derive(Clone)]
pub struct Remote;
impl Remote {
    pub fn new(_: &Settings) -> Result<Remote> {
        Ok(Remote)
    }
    pub fn list(&self, url: &str) -> Result<Vec<String>> {
        Err(Error::Usage(url.into()))
    }
    pub fn fetch(&self, url: &str, _: u64) -> Result<Vec<u8>> {
        Err(Error::Usage(url.into()))
    }
}
