//! Archives on a real web server: nginx with ranges, and one that turns most requests away. Skips where
//! nginx is not installed, unless `WARCORPUS_REQUIRE_NGINX` is set.

use std::env;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{Corpus, expect, root, sample};

/// nginx serving `data-samples`; ends when dropped.
struct Nginx {
    child: Child,
    port: u16,
    folder: tempfile::TempDir,
}

impl Nginx {
    fn start() -> Option<Nginx> {
        let program =
            ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx"].into_iter().find(|p| fs::exists(p).unwrap());
        let Some(program) = program else {
            assert!(env::var_os("WARCORPUS_REQUIRE_NGINX").is_none(), "nginx is not installed");
            println!("skipped: no nginx");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let (here, data) = (folder.path().display(), root().join("data-samples"));
        let data = data.display();
        // As root the workers would be another user, who cannot read a home directory.
        let user = if fs::metadata("/proc/self").is_ok_and(|m| std::os::unix::fs::MetadataExt::uid(&m) == 0) {
            "user root;"
        } else {
            ""
        };
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .iter()
            .map(|name| format!("{name}_temp_path {here}/{name};\n"))
            .collect();
        let configuration = format!(
            "{user} daemon off; pid {here}/pid; error_log {here}/error.log;\nevents {{}}\nhttp {{\n\
             access_log {here}/access.log; {temporary}\
             limit_req_zone $binary_remote_addr zone=few:1m rate=25r/s;\n\
             server {{ listen 127.0.0.1:{port}; root \"{data}\";\n\
             location /busy/ {{ alias \"{data}/\"; limit_req zone=few; limit_req_status 503; }}\n\
             location /whole/ {{ alias \"{data}/\"; max_ranges 0; }} }}\n}}\n"
        );
        let file = folder.path().join("nginx.conf");
        fs::write(&file, configuration).unwrap();
        let error = folder.path().join("error.log");
        let child = Command::new(program).arg("-c").arg(&file).arg("-e").arg(error).spawn().unwrap();
        let nginx = Nginx { child, port, folder };
        for _ in 0..200 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Some(nginx);
            }
            sleep(Duration::from_millis(50));
        }
        panic!("{}", fs::read_to_string(nginx.folder.path().join("error.log")).unwrap_or_default());
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}", self.port)
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("access.log")).unwrap()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // The master ends its workers, if it may.
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}

#[test]
fn nginx_is_as_good_as_a_folder_even_if_it_turns_requests_away() {
    let Some(nginx) = Nginx::start() else { return };
    let options = ["--set", "plan.shard_bytes=30000", "--set", "remote.chunk=8192"];
    let names = ["web.warc.gz", "damaged.warc.gz", "sample.warc.zst", "sample.arc.gz"];
    let local: Vec<String> = names.iter().map(|name| sample(name)).collect();
    let local = Corpus::build(3, &local.iter().map(String::as_str).collect::<Vec<_>>(), &options);
    for folder in ["", "busy/"] {
        let urls: Vec<String> = names.iter().map(|name| nginx.url(&format!("{folder}{name}"))).collect();
        let remote = Corpus::build(3, &urls.iter().map(String::as_str).collect::<Vec<_>>(), &options);
        assert_eq!(remote.vertical(), local.vertical());
        assert!(remote.blocks() == local.blocks());
    }
    let log = nginx.log();
    let answers = |code: &str| log.lines().filter(|line| line.contains(code)).count();
    assert!(answers("\" 206 ") > 30 && answers("\" 503 ") > 5 && answers("\" 200 ") == 0, "{log}");
    let out = tempfile::tempdir().unwrap();
    let arguments = ["build", &nginx.url("whole/web.warc.gz"), "--out", &out.path().display().to_string()];
    assert!(expect(1, &arguments).1.contains("download"));
}
