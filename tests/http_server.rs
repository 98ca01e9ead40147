//! A web server for tests: the files of a folder with ranges and ETags, and the faults of real servers on demand.
//! Its folders are also S3 buckets for who reads without looking for signatures, listed two keys a page.
//!
//! `Server::start(folder)`, `server.url("a.warc.gz")`, `server.set(|faults| faults.fail_every = 20)`; the counters tell
//! what it was asked. It stops when dropped.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, UNIX_EPOCH};

/// What goes wrong; nothing by default. "Every" counts requests, 0 is never.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    /// Every so many requests get [`Faults::status`] instead of an answer.
    pub fail_every: usize,
    /// 503 when 0.
    pub status: u16,
    /// Every so many requests lose the connection in the middle of the body.
    pub cut_every: usize,
    /// Every so many requests lose the connection before any answer.
    pub drop_every: usize,
    /// Before each answer.
    pub delay: Duration,
    /// Every so many requests get no answer until the server stops.
    pub hang_every: usize,
    /// Always 200 and everything.
    pub ignore_range: bool,
    /// No ETag, only the date.
    pub no_etag: bool,
    /// Instead of the tag made of size and date.
    pub etag: Option<String>,
    /// Do not look at If-Match and If-Unmodified-Since.
    pub ignore_conditions: bool,
    /// Send at most this many bytes of a range, and say so; 0 is all.
    pub short: u64,
}

/// One request as it came.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Names in small letters.
    pub headers: Vec<(String, String)>,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// First and last byte asked for.
    pub fn range(&self) -> Option<(u64, u64)> {
        let (first, last) = self.header("range")?.strip_prefix("bytes=")?.split_once('-')?;
        Some((first.parse().ok()?, last.parse().unwrap_or(u64::MAX)))
    }
}

struct Shared {
    folder: PathBuf,
    faults: Mutex<Faults>,
    requests: Mutex<Vec<Request>>,
    connections: AtomicUsize,
    now: AtomicUsize,
    most: AtomicUsize,
    stop: AtomicBool,
}

pub struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
    accepting: Option<JoinHandle<()>>,
}

impl Server {
    pub fn start(folder: &Path) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            folder: folder.to_path_buf(),
            faults: Mutex::default(),
            requests: Mutex::default(),
            connections: AtomicUsize::new(0),
            now: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
        });
        let served = shared.clone();
        let accepting = std::thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                if served.stop.load(Ordering::SeqCst) {
                    return;
                }
                served.connections.fetch_add(1, Ordering::SeqCst);
                let served = served.clone();
                std::thread::spawn(move || serve(&served, connection));
            }
        });
        Server { shared, address, accepting: Some(accepting) }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    pub fn set(&self, change: impl FnOnce(&mut Faults)) {
        change(&mut self.shared.faults.lock().unwrap());
    }

    /// All requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// Forgets the requests so far.
    pub fn reset(&self) {
        self.shared.requests.lock().unwrap().clear();
        self.shared.most.store(0, Ordering::SeqCst);
    }

    /// Connections since the start.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// Most requests that were answered at the same time.
    pub fn most_at_once(&self) -> usize {
        self.shared.most.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        let _ = self.accepting.take().map(JoinHandle::join);
    }
}

/// Requests of one connection, until it or the server ends.
fn serve(shared: &Shared, connection: TcpStream) {
    let _ = connection.set_nodelay(true);
    let _ = connection.set_read_timeout(Some(Duration::from_millis(100)));
    let mut reader = BufReader::new(connection.try_clone().unwrap());
    while let Some(request) = read_request(shared, &mut reader) {
        let now = shared.now.fetch_add(1, Ordering::SeqCst) + 1;
        shared.most.fetch_max(now, Ordering::SeqCst);
        let number = {
            let mut requests = shared.requests.lock().unwrap();
            requests.push(request.clone());
            requests.len()
        };
        let answer = answer(shared, &request, number);
        // The client may send its next request as soon as it has the last byte: no longer busy before that.
        let sent = answer.and_then(|answer| answer.send(&connection, || _ = shared.now.fetch_sub(1, Ordering::SeqCst)));
        if sent.is_none() {
            let _ = connection.shutdown(Shutdown::Both);
            return;
        }
    }
}

fn read_request(shared: &Shared, reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut lines: Vec<String> = vec![];
    let mut line = String::new();
    loop {
        match reader.read_line(&mut line) {
            Ok(0) => return None,
            Ok(_) if line.trim().is_empty() => break,
            Ok(_) => lines.push(std::mem::take(&mut line).trim().to_string()),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                if shared.stop.load(Ordering::SeqCst) {
                    return None;
                }
            }
            Err(_) => return None,
        }
    }
    let mut words = lines.first()?.split(' ').map(String::from);
    let (method, target) = (words.next()?, words.next()?);
    let header = |line: &String| line.split_once(':').map(|(n, v)| (n.to_lowercase(), v.trim().to_string()));
    Some(Request { method, target, headers: lines.iter().skip(1).filter_map(header).collect() })
}

struct Answer {
    head: String,
    body: Box<dyn Read>,
    length: u64,
    cut: bool,
}

impl Answer {
    fn text(head: &str, body: String) -> Answer {
        let length = body.len() as u64;
        let head = format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\n\r\n");
        Answer { head, body: Box::new(std::io::Cursor::new(body)), length, cut: false }
    }

    /// `None` ends the connection.
    fn send(mut self, mut to: &TcpStream, almost_done: impl FnOnce()) -> Option<()> {
        let begun = if self.length > 0 { to.write_all(self.head.as_bytes()) } else { Ok(()) };
        let sent = std::io::copy(&mut (&mut self.body).take(self.length.saturating_sub(1)), &mut to);
        almost_done();
        begun.and(sent).ok()?;
        if self.length == 0 {
            to.write_all(self.head.as_bytes()).ok()?;
        }
        std::io::copy(&mut self.body, &mut to).ok()?;
        (!self.cut).then_some(())
    }
}

/// `None` ends the connection.
fn answer(shared: &Shared, request: &Request, number: usize) -> Option<Answer> {
    let faults = shared.faults.lock().unwrap().clone();
    let every = |n: usize| n > 0 && number.is_multiple_of(n);
    std::thread::sleep(faults.delay);
    while every(faults.hang_every) && !shared.stop.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(20));
    }
    if every(faults.drop_every) || every(faults.hang_every) {
        shared.now.fetch_sub(1, Ordering::SeqCst);
        return None;
    }
    if every(faults.fail_every) {
        return Some(status(if faults.status == 0 { 503 } else { faults.status }));
    }
    if request.target.contains("list-type=2") {
        return Some(list(shared, &request.target).unwrap_or_else(|| status(404)));
    }
    let path = request.target.split('?').next().unwrap_or_default().trim_start_matches('/');
    let file = File::open(shared.folder.join(path)).ok().filter(|file| file.metadata().unwrap().is_file());
    let Some(file) = file else { return Some(status(404)) };
    let mut answer = from_file(&faults, request, file);
    if every(faults.cut_every) {
        answer.length /= 2;
        answer.body = Box::new(answer.body.take(answer.length));
        answer.cut = true;
    }
    Some(answer)
}

fn from_file(faults: &Faults, request: &Request, mut file: File) -> Answer {
    let about = file.metadata().unwrap();
    let size = about.len();
    let modified = about.modified().unwrap().duration_since(UNIX_EPOCH).unwrap();
    let tag = faults.etag.clone().unwrap_or(format!("\"{size:x}-{:x}\"", modified.as_nanos()));
    // Not a calendar date, but as opaque as one to clients.
    let date = format!("Thu, 01 Jan 1970 {:010} GMT", modified.as_secs());
    let is = |name, now: &str| request.header(name).is_none_or(|wanted| wanted == now);
    let same = is("if-match", &tag) && is("if-unmodified-since", &date);
    if !same && !faults.ignore_conditions {
        return status(412);
    }
    let tag = if faults.no_etag { String::new() } else { format!("ETag: {tag}\r\n") };
    let (head, first, mut length) = match request.range().filter(|_| !faults.ignore_range) {
        Some((first, _)) if first >= size => {
            return Answer::text(&format!("416 Range Not Satisfiable\r\nContent-Range: bytes */{size}"), String::new());
        }
        Some((first, last)) => {
            let most = if faults.short > 0 { faults.short } else { u64::MAX };
            let last = last.min(size - 1).min(first.saturating_add(most - 1));
            (format!("206 Partial Content\r\nContent-Range: bytes {first}-{last}/{size}"), first, last + 1 - first)
        }
        None => ("200 OK".to_string(), 0, size),
    };
    let head = format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\nLast-Modified: {date}\r\n{tag}\r\n");
    if request.method == "HEAD" {
        length = 0;
    }
    file.seek(SeekFrom::Start(first)).unwrap();
    Answer { head, body: Box::new(file.take(length)), length, cut: false }
}

fn status(code: u16) -> Answer {
    Answer::text(&format!("{code} Fault"), String::new())
}

/// A page of S3's ListObjectsV2, of the files directly in the bucket's folder.
fn list(shared: &Shared, target: &str) -> Option<Answer> {
    let (bucket, query) = target.trim_start_matches('/').split_once('?')?;
    let value = |name| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).unwrap_or_default();
    let files = std::fs::read_dir(shared.folder.join(bucket.trim_end_matches('/'))).ok()?.map_while(Result::ok);
    let mut keys: Vec<_> =
        files.map(|file| (file.file_name().into_string().unwrap(), file.metadata().unwrap().len())).collect();
    keys.retain(|(key, _)| key.starts_with(value("prefix")) && key.as_str() > value("continuation-token"));
    keys.sort();
    let content = |(key, size): &(String, u64)| {
        format!(
            "<Contents><Key>{key}</Key><Size>{size}</Size><LastModified>2020-01-01T00:00:00Z</LastModified></Contents>"
        )
    };
    let more = keys.get(1).filter(|_| keys.len() > 2);
    let more = more.map(|(key, _)| format!("<NextContinuationToken>{key}</NextContinuationToken>")).unwrap_or_default();
    let contents: String = keys.iter().take(2).map(content).collect();
    let body = format!("<ListBucketResult>{contents}{more}</ListBucketResult>");
    Some(Answer::text("200 OK", body))
}
