use std::io::{Read, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use self::http_server::Server;
use super::*;
use crate::archive::Bytes;

mod failures;

#[allow(dead_code, reason = "shared with the integration tests")]
#[path = "../../tests/http_server.rs"]
mod http_server;

const NAME: &str = "a b%2B.warc.gz";

struct Fixture {
    folder: tempfile::TempDir,
    bytes: Vec<u8>,
    server: Server,
}

impl Fixture {
    fn new(size: usize) -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        // Consecutive numbers, so that no two places of the file are equal.
        let bytes: Vec<u8> = (0..size / 4 + 1).flat_map(|i| (i as u32).to_le_bytes()).take(size).collect();
        std::fs::write(folder.path().join("file"), &bytes).unwrap();
        let server = Server::start(folder.path());
        Fixture { folder, bytes, server }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("file")
    }

    fn open(&self, remote: &Remote) -> RemoteFile {
        let file = remote.open(&self.server.url("file")).unwrap();
        self.server.reset();
        file
    }

    fn asked(&self) -> u64 {
        self.server.requests().iter().filter_map(|r| r.range()).map(|(first, last)| last + 1 - first).sum()
    }
}

/// Settings so small that files of some 100 KiB use pieces, runs, eviction and read-ahead.
fn small() -> Settings {
    Settings { chunk: 16 << 10, memory: 256 << 10, retry_seconds: 20, timeout_seconds: 5, ..Settings::default() }
}

fn read(file: &RemoteFile, offset: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut got = Vec::new();
    file.read_from(offset)?.take(length as u64).read_to_end(&mut got)?;
    Ok(got)
}

fn part(bytes: &[u8], offset: u64, length: usize) -> &[u8] {
    let from = (offset as usize).min(bytes.len());
    &bytes[from..from.saturating_add(length).min(bytes.len())]
}

#[test]
fn reads_the_file_in_few_requests() {
    let fixture = Fixture::new(3 << 20);
    let remote = Remote::new(&Settings { chunk: 256 << 10, memory: 2 << 20, ..small() }).unwrap();
    let file = fixture.open(&remote);
    assert_eq!(file.len(), fixture.bytes.len() as u64);
    assert!(file.identity().starts_with("etag \""), "{}", file.identity());
    assert_eq!(read(&file, 0, usize::MAX).unwrap(), fixture.bytes);
    assert_eq!(fixture.asked(), 3 << 20, "every byte is asked for once");
    assert_eq!(fixture.server.requests().len(), 12);
}

#[test]
fn a_read_costs_one_request_and_the_next_one_nearby_none() {
    let fixture = Fixture::new(1 << 20);
    let remote = Remote::new(&small()).unwrap();
    let file = fixture.open(&remote);
    for offset in [500_000, 500_512, 499_900, 500_001] {
        assert_eq!(read(&file, offset, 512).unwrap(), part(&fixture.bytes, offset, 512));
    }
    std::thread::sleep(Duration::from_millis(50));
    let requests = fixture.server.requests();
    assert_eq!(requests.len(), 1, "{requests:?}");
    assert_eq!(fixture.asked(), 16 << 10);
    assert_eq!(requests[0].header("accept-encoding"), Some("identity"));
    let agent = requests[0].header("user-agent").unwrap();
    assert!(agent.starts_with(concat!("warcorpus/", env!("CARGO_PKG_VERSION"), " (+https://")), "{agent}");
}

#[test]
fn reading_ahead_stays_below_what_was_read_and_stops_where_announced() {
    let fixture = Fixture::new(4 << 20);
    let remote = Remote::new(&Settings { memory: 8 << 20, ..small() }).unwrap();
    let file = fixture.open(&remote);
    let mut reader = file.read_from(1 << 20).unwrap();
    reader.read_exact(&mut vec![0; 400 << 10]).unwrap();
    let deadline = Instant::now() + Duration::from_secs(5);
    while fixture.asked() <= 450 << 10 {
        assert!(Instant::now() < deadline, "nothing ahead: {}", fixture.asked());
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(100));
    assert!(fixture.asked() <= 620 << 10, "too far ahead: {}", fixture.asked());
    drop(reader);

    let file = fixture.open(&remote);
    let range = (2 << 20) + 5000..(3 << 20) - 5000;
    read(&file, range.start, 10).unwrap();
    file.expect(range.clone());
    let length = (range.end - range.start) as usize;
    assert_eq!(read(&file, range.start, length).unwrap(), part(&fixture.bytes, range.start, length));
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(fixture.asked(), 1 << 20);
}

#[test]
fn an_announced_range_is_fetched_in_parallel_but_not_more() {
    let fixture = Fixture::new(1 << 20);
    let remote = Remote::new(&Settings { parallel: 3, memory: 8 << 20, ..small() }).unwrap();
    let file = fixture.open(&remote);
    fixture.server.set(|faults| faults.delay = Duration::from_millis(10));
    file.expect(0..1 << 20);
    assert_eq!(read(&file, 0, usize::MAX).unwrap(), fixture.bytes);
    assert_eq!(fixture.server.most_at_once(), 3);
    assert!(fixture.server.connections() <= 4, "{} connections for 65 requests", fixture.server.connections());
}

/// Runs 16 threads that read in sequence and at other places; returns the peak number of concurrent requests.
fn crowd(settings: &Settings) -> usize {
    let fixture = Fixture::new(1 << 20);
    let remote = Remote::new(settings).unwrap();
    let file = fixture.open(&remote);
    fixture.server.set(|faults| faults.delay = Duration::from_millis(1));
    std::thread::scope(|scope| {
        for thread in 0..16_u64 {
            let (file, fixture) = (&file, &fixture);
            scope.spawn(move || {
                let offset = thread * 50_000;
                let mut reader = file.read_from(offset).unwrap();
                let mut got = vec![0; 40_000];
                for piece in got.chunks_mut(7000) {
                    reader.read_exact(piece).unwrap();
                    let place = (offset * 7) % 1_000_000;
                    assert_eq!(read(file, place, 100).unwrap(), part(&fixture.bytes, place, 100));
                }
                assert_eq!(got, part(&fixture.bytes, offset, 40_000));
            });
        }
    });
    assert!(remote.counts().most_memory <= settings.memory, "{:?}", remote.counts());
    fixture.server.most_at_once()
}

#[test]
fn many_readers_on_little_memory_all_get_on() {
    let two_pieces = Settings { chunk: 16 << 10, memory: 32 << 10, parallel: 4, ..small() };
    assert!(crowd(&two_pieces) <= 2);
    assert_eq!(crowd(&Settings { memory: 160 << 10, ..two_pieces }), 4, "the limit of requests, not of memory");
}

#[test]
fn lists_of_ranges_do_not_stand_in_each_others_way() {
    let fixture = Fixture::new(1 << 20);
    let settings = Settings { memory: 64 << 10, ..small() };
    let remote = Remote::new(&settings).unwrap();
    let file = fixture.open(&remote);
    std::thread::scope(|scope| {
        for thread in 0..8_u64 {
            let (file, fixture) = (&file, &fixture);
            scope.spawn(move || {
                let ranges: Vec<Range<u64>> = (0..40).map(|i| (i * 23_000 + thread)..(i * 23_000 + 3000)).collect();
                // Half of the ranges stay cached while other ranges are waited for.
                let mut first = file.ranges(ranges.clone().into_iter());
                for range in &ranges[..20] {
                    assert_eq!(
                        first.next().unwrap().unwrap(),
                        part(&fixture.bytes, range.start, 3000 - thread as usize)
                    );
                }
                let all: Vec<_> = file.ranges(ranges.iter().cloned()).map(|got| got.unwrap()).collect();
                assert!(
                    all.iter().zip(&ranges).all(|(got, range)| got == part(&fixture.bytes, range.start, got.len()))
                );
                assert_eq!(all.len(), 40);
                assert_eq!(first.count(), 20);
            });
        }
    });
    assert!(remote.counts().most_memory <= settings.memory, "{:?}", remote.counts());
}

#[test]
fn neighbouring_ranges_share_a_request() {
    let fixture = Fixture::new(100_000);
    let remote = Remote::new(&small()).unwrap();
    let file = fixture.open(&remote);
    let ranges = [0..1000, 1000..1500, 1500..1500, 1500..2000, 50_000..60_000, 99_000..200_000, 300_000..400_000];
    let got: Vec<_> = file.ranges(ranges.iter().cloned()).map(|got| got.unwrap()).collect();
    let want: Vec<&[u8]> =
        ranges.iter().map(|r| part(&fixture.bytes, r.start, r.end.saturating_sub(r.start) as usize)).collect();
    assert_eq!(got, want);
    assert!(fixture.server.requests().len() <= 4, "{:?}", fixture.server.requests());
    assert_eq!(file.slice(99_990, 100).unwrap(), part(&fixture.bytes, 99_990, 100));
    assert_eq!(file.slice(10, 90_000).unwrap(), part(&fixture.bytes, 10, 90_000));
    assert_eq!(file.slice(500_000, 9).unwrap(), b"");
    let file = Remote::new(&Settings { memory: 40_000, ..small() }).unwrap();
    let file = fixture.open(&file);
    let error = file.ranges(std::iter::once(0..30_000)).next().unwrap().unwrap_err();
    assert!(error.to_string().contains("remote.memory"), "{error}");
}

#[test]
fn closed_files_leave_no_memory_and_stop_fetching() {
    let fixture = Fixture::new(4 << 20);
    let remote = Remote::new(&Settings { memory: 2 << 20, ..small() }).unwrap();
    for _ in 0..20 {
        let file = fixture.open(&remote);
        file.expect(0..4 << 20);
        assert_eq!(read(&file, 0, 10).unwrap(), part(&fixture.bytes, 0, 10));
    }
    let deadline = Instant::now() + Duration::from_secs(5);
    while remote.shared.pool.bytes() > 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(remote.shared.pool.bytes(), 0);
}

#[test]
fn a_run_ends_with_its_file() {
    let fixture = Fixture::new(4 << 20);
    let remote = Remote::new(&Settings { chunk: 4 << 20, memory: 16 << 20, ..small() }).unwrap();
    let file = fixture.open(&remote);
    fixture.server.set(|faults| (faults.short, faults.delay) = (64 << 10, Duration::from_millis(5)));
    file.expect(0..4 << 20);
    assert_eq!(read(&file, 0, 10).unwrap(), part(&fixture.bytes, 0, 10));
    drop(file);
    let deadline = Instant::now() + Duration::from_secs(5);
    while remote.shared.pool.bytes() > 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(fixture.server.requests().len() < 20, "{} of 64 requests", fixture.server.requests().len());
    assert_eq!(remote.shared.pool.bytes(), 0);
}

#[test]
fn whole_objects_are_fetched_up_to_a_limit() {
    let fixture = Fixture::new(100_000);
    std::fs::write(fixture.folder.path().join("empty"), b"").unwrap();
    let remote = Remote::new(&small()).unwrap();
    fixture.server.set(|faults| (faults.fail_every, faults.cut_every) = (3, 2));
    assert_eq!(remote.fetch(&fixture.server.url("file?a=b&c=%2F"), 100_000).unwrap(), fixture.bytes);
    assert_eq!(fixture.server.requests()[0].target, "/file?a=b&c=%2F");
    let error = remote.fetch(&fixture.server.url("file"), 99_999).unwrap_err().to_string();
    assert!(error.contains("more than 99999 bytes"), "{error}");
    fixture.server.set(|faults| *faults = http_server::Faults::default());
    let empty = remote.open(&fixture.server.url("empty")).unwrap();
    assert!(empty.is_empty() && read(&empty, 0, 10).unwrap().is_empty());
}

/// A whole error text would take minutes.
#[test]
fn of_an_error_text_that_drips_what_arrives_in_time_is_read() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/file", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.read_exact(&mut [0; 4]).unwrap();
        let head = "HTTP/1.1 403 Forbidden\r\nContent-Length: 9999\r\n\r\n<Code>AccessDenied</Code>";
        stream.write_all(head.as_bytes()).unwrap();
        while stream.write_all(b".").is_ok() {
            std::thread::sleep(Duration::from_millis(100));
        }
    });
    let remote = Remote::new(&Settings { timeout_seconds: 1, ..small() }).unwrap();
    let begun = Instant::now();
    let error = remote.open(&url).err().unwrap().to_string();
    assert!(error.ends_with("403 Forbidden AccessDenied"), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn odd_names_go_to_the_server_as_they_are() {
    let fixture = Fixture::new(10);
    std::fs::write(fixture.folder.path().join("a%20b%2B.warc.gz"), b"odd").unwrap();
    let remote = Remote::new(&small()).unwrap();
    // The server compares names as they arrive; only the space must be encoded in a URL.
    let file = remote.open(&fixture.server.url(NAME)).unwrap();
    assert_eq!(file.slice(0, 10).unwrap(), b"odd");
}

#[test]
fn public_buckets_are_read_and_listed_without_signatures() {
    let fixture = Fixture::new(100_000);
    let bucket = fixture.folder.path().join("bucket");
    std::fs::create_dir(&bucket).unwrap();
    for name in ["b2", "b1", "a", "b3", "b4"] {
        std::fs::write(bucket.join(name), &fixture.bytes).unwrap();
    }
    std::fs::write(bucket.join("b"), b"").unwrap();
    let endpoint = fixture.server.url("");
    let remote = Remote::new(&Settings { endpoint, anonymous: true, ..small() }).unwrap();
    let listed = remote.list("s3://bucket/b").unwrap();
    assert_eq!(listed, ["s3://bucket/b1", "s3://bucket/b2", "s3://bucket/b3", "s3://bucket/b4"]);
    let file = remote.open(&listed[1]).unwrap();
    fixture.server.set(|faults| (faults.fail_every, faults.cut_every) = (3, 5));
    assert_eq!(read(&file, 0, usize::MAX).unwrap(), fixture.bytes);
    let plain =
        |request: &http_server::Request| request.header("authorization").is_none() && !request.target.contains("X-Amz");
    assert!(fixture.server.requests().iter().all(plain));
    let error = remote.open("s3://bucket/none").err().unwrap().to_string();
    assert_eq!(error, "cannot open s3://bucket/none: 404 Not Found");
    fixture.server.set(|faults| *faults = http_server::Faults::default());
    let error = remote.list("s3://none/").unwrap_err().to_string();
    assert!(error.starts_with("cannot list s3://none/: ") && error.ends_with("404 Not Found"), "{error}");
}

#[test]
fn wrong_urls_and_settings_are_refused_with_a_reason() {
    for (settings, part) in [
        (Settings { memory: 1 << 20, ..Settings::default() }, "at least two chunks"),
        (Settings { chunk: 100, ..Settings::default() }, "at least 4096"),
        (Settings { parallel: 0, ..Settings::default() }, "1 to 1024"),
        (Settings { endpoint: "minio:9000".into(), ..Settings::default() }, "http://"),
    ] {
        let error = Remote::new(&settings).err().unwrap();
        assert!(matches!(&error, Error::Usage(message) if message.contains(part)), "{error}");
    }
    let remote = Remote::new(&Settings { anonymous: true, ..Settings::default() }).unwrap();
    for (url, part) in [
        ("ftp://host/file", "https:// and s3:// are"),
        ("no url", "no URL"),
        ("s3://bucket", "names no object"),
        ("s3:///key", "names no bucket"),
        ("s3://bucket/a//b", "//"),
    ] {
        let error = remote.open(url).err().unwrap();
        assert!(matches!(&error, Error::Usage(message) if message.contains(part)), "{error}");
    }
    let error = remote.list("https://host/folder/").unwrap_err().to_string();
    assert!(error.contains("list of paths"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_pattern_of_reading_gives_the_bytes_of_the_file(
        size in 0_usize..300_000,
        (chunk, chunks) in (4096_u64..70_000, 2_u64..20),
        reads in proptest::collection::vec((0_u64..310_000, 0_usize..100_000), 1..12),
        (fail, cut, short) in (2_usize..9, 2_usize..9, prop_oneof![Just(0_u64), 20_000..50_000_u64]),
        expected in any::<bool>(),
    ) {
        let fixture = Fixture::new(size);
        let settings = Settings { chunk, memory: chunk * chunks, parallel: 3, ..small() };
        let remote = Remote::new(&settings).unwrap();
        let file = fixture.open(&remote);
        fixture.server.set(|faults| (faults.fail_every, faults.cut_every, faults.short) = (fail * 3, cut * 5, short));
        for (offset, length) in &reads {
            if expected {
                file.expect(*offset..*offset + *length as u64);
            }
            prop_assert_eq!(&read(&file, *offset, *length).unwrap()[..], part(&fixture.bytes, *offset, *length));
        }
        let fitting = |(offset, length): &(u64, usize)| *offset..*offset + (*length as u64).min(settings.memory / 2);
        for (range, got) in reads.iter().map(fitting).zip(file.ranges(reads.iter().map(fitting))) {
            prop_assert_eq!(&got.unwrap()[..], part(&fixture.bytes, range.start, (range.end - range.start) as usize));
        }
        prop_assert!(remote.counts().most_memory <= settings.memory);
        prop_assert!(fixture.server.most_at_once() <= 3);
    }
}
