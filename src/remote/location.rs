//! Resolves URLs of archives: web addresses, and S3 buckets and keys with signed addresses.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::client::{HttpClient, HttpConnector};
use object_store::list::{PaginatedListOptions, PaginatedListStore};
use object_store::path::Path;
use object_store::signer::Signer;
use object_store::{ClientOptions, RetryConfig};
use url::Url;

use super::address::{is_s3, public_message, public_name, split_scheme};
use super::fault::{Fault, s3_code};
use super::{Settings, failed};
use crate::error::{Error, Result};
use crate::threads::lock;

/// Validity of a signed address. Every request, retries included, gets a new one.
const SIGNED_FOR: Duration = Duration::from_secs(3600);
/// Bytes of addresses in one list of objects, and pages in which a server may send it: a million objects.
const LONGEST_LIST: usize = 256 << 20;
const MOST_PAGES: usize = 10_000;
/// Time-out for finding credentials.
const CREDENTIALS: Duration = Duration::from_secs(10);

/// The location of one object.
pub(super) struct ObjectLocation {
    /// The given URL without secrets, for messages.
    pub(super) shown: String,
    address: ObjectAddress,
}

/// How an object is addressed.
enum ObjectAddress {
    Http(Url),
    S3 { bucket: Arc<S3Bucket>, key: Path },
}

struct S3Bucket {
    store: AmazonS3,
    anonymous: bool,
}

impl ObjectLocation {
    /// The URL for the next request; for S3 it is newly signed.
    pub(super) async fn address(&self) -> std::result::Result<Url, Fault> {
        let (bucket, key) = match &self.address {
            ObjectAddress::Http(url) => return Ok(url.clone()),
            ObjectAddress::S3 { bucket, key } => (bucket, key),
        };
        let signed = bucket.store.signed_url(reqwest::Method::GET, key, SIGNED_FOR).await;
        let mut url = signed.map_err(|e| Fault::passing(io::ErrorKind::Other, error_summary(&e.to_string())))?;
        if bucket.anonymous {
            url.set_query(None);
        }
        Ok(url)
    }
}

/// Turns URLs into the locations of objects: the S3 buckets used so far, and the settings for new ones.
pub(super) struct ObjectLocator {
    settings: Settings,
    connector: Connector,
    buckets: Mutex<HashMap<String, Arc<S3Bucket>>>,
}

impl ObjectLocator {
    pub(super) fn new(settings: &Settings, http: &reqwest::Client) -> Self {
        let connector = Connector(HttpClient::new(http.clone()));
        Self { settings: settings.clone(), connector, buckets: Mutex::default() }
    }

    /// Resolves the URL of an object.
    pub(super) async fn location(&self, url: &str) -> Result<ObjectLocation> {
        let address = if let Some((bucket, key)) = s3_parts(url)? {
            let wrong = |why: String| Error::Usage(format!("{}: {why}", public_name(url)));
            if key.is_empty() || key.ends_with('/') {
                return Err(wrong("names no object; s3://BUCKET/KEY is expected".into()));
            }
            let path = Path::parse(key).map_err(|e| wrong(e.to_string()))?;
            ObjectAddress::S3 { bucket: self.bucket(bucket, url).await?, key: path }
        } else {
            ObjectAddress::Http(parse_web_url(url)?)
        };
        Ok(ObjectLocation { shown: public_name(url), address })
    }

    /// The URLs of all objects below a prefix, sorted.
    pub(super) async fn list(&self, url: &str) -> Result<Vec<String>> {
        let Some((name, prefix)) = s3_parts(url)? else {
            let shown = public_name(parse_web_url(url)?.as_str());
            let message = format!("{shown}: web servers cannot be listed; give a list of paths, one per line");
            return Err(Error::Usage(message));
        };
        let bucket = self.bucket(name, url).await?;
        let prefix = Some(prefix).filter(|prefix| !prefix.is_empty());
        let mut urls = Vec::new();
        let mut page_token = None;
        let (mut bytes, mut pages) = (0, 0);
        loop {
            let options = PaginatedListOptions { page_token: page_token.take(), ..Default::default() };
            let page = bucket.store.list_paginated(prefix, options).await;
            let page = page.map_err(|e| failed("list", url, io::Error::other(error_summary(&e.to_string()))))?;
            // Empty objects are skipped: most are folder placeholders of other tools, and none holds a record.
            let filled = page.result.objects.iter().filter(|object| object.size > 0);
            let before = urls.len();
            urls.extend(filled.map(|object| format!("s3://{name}/{}", object.location)));
            bytes += urls.iter().skip(before).map(String::len).sum::<usize>();
            pages += 1;
            if bytes > LONGEST_LIST || pages > MOST_PAGES {
                let why = "the list does not end; give a longer prefix, or a list of paths";
                return Err(failed("list", url, io::Error::new(io::ErrorKind::FileTooLarge, why)));
            }
            page_token = page.page_token;
            if page_token.is_none() {
                break;
            }
        }
        urls.sort_unstable();
        Ok(urls)
    }

    async fn bucket(&self, name: &str, url: &str) -> Result<Arc<S3Bucket>> {
        if let Some(bucket) = self.known(name) {
            return Ok(bucket);
        }
        let shown = public_name(url);
        let refused = |e: object_store::Error| Error::Usage(format!("{shown}: {}", error_summary(&e.to_string())));
        let bucket = Arc::new(self.build(name).map_err(refused)?);
        if !bucket.anonymous {
            let found = tokio::time::timeout(CREDENTIALS, bucket.store.credentials().get_credential()).await;
            if !matches!(found, Ok(Ok(_))) {
                return Err(Error::Usage(format!(
                    "{shown}: no S3 credentials found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or \
                     remote.anonymous = true for a public bucket"
                )));
            }
        }
        let mut buckets = lock(&self.buckets);
        Ok(buckets.entry(name.to_string()).or_insert(bucket).clone())
    }

    fn known(&self, name: &str) -> Option<Arc<S3Bucket>> {
        lock(&self.buckets).get(name).cloned()
    }

    fn build(&self, name: &str) -> object_store::Result<S3Bucket> {
        let settings = &self.settings;
        let mut builder = AmazonS3Builder::from_env();
        let skipped = builder.get_config_value(&AmazonS3ConfigKey::SkipSignature);
        let anonymous = settings.anonymous || skipped.is_some_and(|value| value == "true");
        if anonymous {
            // The store signs addresses even so. `ObjectLocation::address` removes the signature, so these credentials
            // are never sent.
            builder = builder
                .with_skip_signature(true)
                .with_credentials(Arc::new(object_store::StaticCredentialProvider::new(placeholder_credentials())));
        }
        if !settings.endpoint.is_empty() {
            // The more specific of the two endpoint keys, so that it overrides the environment.
            builder = builder.with_config(AmazonS3ConfigKey::S3Endpoint, &settings.endpoint);
        }
        if !settings.region.is_empty() {
            builder = builder.with_region(&settings.region);
        }
        let retry = RetryConfig {
            max_retries: settings.retries as usize,
            retry_timeout: Duration::from_secs(settings.retry_seconds),
            ..Default::default()
        };
        let builder = builder.with_bucket_name(name).with_retry(retry).with_http_connector(self.connector.clone());
        Ok(S3Bucket { store: builder.build()?, anonymous })
    }
}

/// The message of a store error without the XML document of the server, whose error code is kept, and without what grants
/// access in the address of the request: that of the endpoint may have a password.
fn error_summary(error: &str) -> String {
    let (said, _) = error.split_once(": <").unwrap_or((error, ""));
    let said = public_message(said.trim_end_matches([':', ' ']));
    match s3_code(error) {
        Some(code) => format!("{said} {code}"),
        None => said,
    }
}

/// Placeholder credentials for buckets that are read without signatures.
fn placeholder_credentials() -> object_store::aws::AwsCredential {
    object_store::aws::AwsCredential { key_id: "anonymous".into(), secret_key: "anonymous".into(), token: None }
}

/// Bucket and key of an S3 URL; `None` for other schemes.
fn s3_parts(url: &str) -> Result<Option<(&str, &str)>> {
    let Some((_, rest)) = split_scheme(url).filter(|(scheme, _)| is_s3(scheme)) else { return Ok(None) };
    let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
    if bucket.is_empty() {
        let shown = public_name(url);
        return Err(Error::Usage(format!("{shown}: names no bucket; s3://BUCKET/KEY is expected")));
    }
    Ok(Some((bucket, key)))
}

/// Parses an `http://` or `https://` URL.
fn parse_web_url(url: &str) -> Result<Url> {
    let parsed = Url::parse(url).map_err(|e| Error::Usage(format!("{}: no URL: {e}", public_name(url))))?;
    match parsed.scheme() {
        "http" | "https" => Ok(parsed),
        scheme => {
            let shown = public_name(url);
            Err(Error::Usage(format!("{shown}: {scheme}:// is not read; https:// and s3:// are")))
        }
    }
}

/// Makes object_store use the HTTP client of the process.
#[derive(Debug, Clone)]
struct Connector(HttpClient);

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(self.0.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_store_are_short_and_have_no_secrets() {
        let said = "Generic S3 error: Error performing GET http://u:pw@h/b?list-type=2 in 1s - Server returned non-2xx \
                    status code: 403 Forbidden: <?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>";
        let want = "Generic S3 error: Error performing GET http://h/b?list-type=2 in 1s - Server returned non-2xx \
                    status code: 403 Forbidden AccessDenied";
        assert_eq!(error_summary(said), want);
    }

    #[test]
    fn buckets_and_keys_are_told_apart() {
        assert_eq!(s3_parts("s3://b/k/l?m").unwrap(), Some(("b", "k/l?m")));
        assert_eq!(s3_parts("S3://b").unwrap(), Some(("b", "")));
        assert_eq!(s3_parts("https://b/k").unwrap(), None);
        assert!(s3_parts("s3:///k").unwrap_err().to_string().contains("names no bucket"));
    }
}
