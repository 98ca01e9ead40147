//! Servers and connections that fail.

use std::io::ErrorKind;

use super::*;

#[test]
fn failing_and_cutting_servers_lose_nothing() {
    let fixture = Fixture::new(4 << 20);
    let remote = Remote::new(&small()).unwrap();
    let file = fixture.open(&remote);
    fixture.server.set(|faults| (faults.fail_every, faults.cut_every, faults.drop_every) = (20, 50, 33));
    assert_eq!(read(&file, 0, usize::MAX).unwrap(), fixture.bytes);
    assert!(remote.counts().retries >= 15, "{:?}", remote.counts());
    let (asked, size) = (fixture.asked(), fixture.bytes.len() as u64);
    assert!(asked < size + size / 4, "{asked} asked for");
}

#[test]
fn short_answers_are_continued() {
    let fixture = Fixture::new(100_000);
    // Progress resets the failure count: four responses for a piece are three failures.
    let remote = Remote::new(&Settings { chunk: 64 << 10, retries: 1, ..small() }).unwrap();
    let file = fixture.open(&remote);
    fixture.server.set(|faults| faults.short = 20_000);
    assert_eq!(read(&file, 0, usize::MAX).unwrap(), fixture.bytes);
}

#[test]
fn giving_up_says_what_where_and_how_often() {
    let fixture = Fixture::new(100_000);
    let remote = Remote::new(&Settings { retries: 2, ..small() }).unwrap();
    let file = fixture.open(&remote);
    fixture.server.set(|faults| (faults.fail_every, faults.status) = (1, 429));
    let error = read(&file, 20_000, 10).unwrap_err().to_string();
    let want = format!("{}: bytes 16384-32767: gave up after 3 tries in 0 s: 429", fixture.server.url("file"));
    assert!(error.starts_with(&want), "{error}");
    fixture.server.set(|faults| faults.fail_every = 0);
    assert_eq!(read(&file, 20_000, 10).unwrap(), part(&fixture.bytes, 20_000, 10), "a later try is a new one");
}

#[test]
fn silence_is_a_lost_connection() {
    let fixture = Fixture::new(50_000);
    let remote = Remote::new(&Settings { timeout_seconds: 1, ..small() }).unwrap();
    let file = fixture.open(&remote);
    fixture.server.set(|faults| faults.hang_every = 2);
    assert_eq!(read(&file, 0, usize::MAX).unwrap(), fixture.bytes);
}

#[test]
fn lasting_refusals_are_not_tried_again() {
    let fixture = Fixture::new(10);
    let remote = Remote::new(&small()).unwrap();
    let error = remote.open(&fixture.server.url("none?page=2&X-Signature=secret")).err().unwrap().to_string();
    assert!(error.ends_with("/none?page=2: 404 Not Found"), "{error}");
    fixture.server.set(|faults| (faults.fail_every, faults.status) = (1, 403));
    let error = remote.open(&fixture.server.url("file")).err().unwrap().to_string();
    assert!(error.ends_with("/file: 403 Forbidden"), "{error}");
    assert_eq!(fixture.server.requests().len(), 2);
}

#[test]
fn a_server_without_ranges_is_refused() {
    let fixture = Fixture::new(1000);
    fixture.server.set(|faults| faults.ignore_range = true);
    let remote = Remote::new(&small()).unwrap();
    let error = remote.open(&fixture.server.url("file")).err().unwrap().to_string();
    assert!(error.contains("ignores Range") && error.contains("download"), "{error}");
}

#[test]
fn a_changed_object_is_an_error() {
    for (etags, conditions) in [(true, true), (true, false), (false, true), (false, false)] {
        let fixture = Fixture::new(100_000);
        fixture.server.set(|faults| (faults.no_etag, faults.ignore_conditions) = (!etags, !conditions));
        let remote = Remote::new(&small()).unwrap();
        let file = fixture.open(&remote);
        assert_eq!(file.identity().starts_with("etag "), etags, "{}", file.identity());
        assert_eq!(read(&file, 0, 10).unwrap(), part(&fixture.bytes, 0, 10));
        let written = std::fs::File::options().write(true).open(fixture.path()).unwrap();
        written.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(5)).unwrap();
        let error = read(&file, 50_000, 10).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert!(error.to_string().contains("changed while it was read"), "{error}");

        let known = remote.open_known(&fixture.server.url("file"), 100_000, file.identity()).unwrap();
        assert!(read(&known, 0, 10).unwrap_err().to_string().contains("changed"));
        let shrunk = remote.open_known(&fixture.server.url("file"), 200_000, "").unwrap();
        assert!(read(&shrunk, 0, 10).unwrap_err().to_string().contains("200000 bytes are now 100000"));
    }
}

#[test]
fn weak_tags_are_compared_here() {
    let fixture = Fixture::new(100_000);
    fixture.server.set(|faults| faults.etag = Some("W/\"one\"".into()));
    let remote = Remote::new(&small()).unwrap();
    let file = fixture.open(&remote);
    assert_eq!(read(&file, 0, 10).unwrap(), part(&fixture.bytes, 0, 10));
    assert_eq!(fixture.server.requests()[0].header("if-match"), None);
    fixture.server.set(|faults| faults.etag = Some("W/\"two\"".into()));
    assert!(read(&file, 50_000, 10).unwrap_err().to_string().contains("changed"));
}

/// Its address may be signed.
#[test]
fn where_a_redirect_leads_to_is_not_told_where_it_comes_from() {
    let fixture = Fixture::new(10);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/file?X-Amz-Signature=secret", listener.local_addr().unwrap());
    let target = fixture.server.url("file");
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.read_exact(&mut [0; 4]).unwrap();
        write!(stream, "HTTP/1.1 302 Found\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n").unwrap();
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let file = Remote::new(&small()).unwrap().open(&url).unwrap();
    assert_eq!(file.len(), 10);
    let requests = fixture.server.requests();
    assert_eq!((requests.len(), requests[0].header("referer")), (1, None));
}

#[test]
fn a_port_without_tls_is_not_tried_again() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/file", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            // All of the greeting: bytes that are left unread would reset the connection.
            assert!(stream.read(&mut [0; 1 << 14]).unwrap() > 5);
            stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").unwrap();
            let _ = stream.read_to_end(&mut Vec::new());
        }
    });
    let error = Remote::new(&small()).unwrap().open(&url).err().unwrap().to_string();
    assert!(error.contains("InvalidContentType") && !error.contains("gave up"), "{error}");
}
