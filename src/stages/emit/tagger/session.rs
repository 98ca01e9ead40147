//! A running tagger: documents go in, the lines of its answers come out.

use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::io::ioctl_fionread;
use rustix::process::{Pid, Signal, kill_process_group};

use super::answer::{compare, is_begin, is_end, read_lines};
use super::{Failure, Tagger, Tags};
use crate::error::{Error, Result};
use crate::threads::{self, CancelToken};

/// Most lines that are passed over to find the end of a document that was answered wrongly: this many, and a multiple of its
/// own lines.
const SPARE_LINES: usize = 10_000;
const SPARE_LINES_PER_LINE: usize = 4;

/// Most lines that were read of a program's output and not yet taken. Each may be as long as a line can be, so that they are
/// few.
const MOST_LINES: usize = 64;

/// Interval at which a task that waits for output checks for cancellation and timeout.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Time after which the input of a program is ended that has read all of it and writes nothing.
const SILENCE: Duration = Duration::from_secs(1);

/// What the program wrote for one document.
pub enum Answer {
    /// The document is tagged or its own lines differ; the next document can be read.
    Complete(std::result::Result<Tags, Failure>),
    /// The program exited, hung, wrote without end or did not begin this document, so it and those after it have no answer.
    Missing(Failure),
}

/// A running tagger with the threads that serve its pipes.
#[derive(Debug)]
pub struct Session {
    child: Child,
    /// The program's standard input and the thread that writes to it; `None` after the end of the input.
    input: Option<Input>,
    /// Lines of its standard output.
    lines: Receiver<String>,
    /// A line that was read and belongs to the next document.
    next_line: Option<String>,
    /// Bytes that were written to its standard input.
    bytes_written: Arc<AtomicU64>,
    /// The end of its standard error.
    stderr_tail: Arc<Mutex<Vec<u8>>>,
    /// Whether output may follow.
    in_step: bool,
    /// When the input was ended because no output came, and whether output came then.
    ended: Option<Instant>,
    held_back: bool,
}

#[derive(Debug)]
struct Input {
    documents: Sender<String>,
    pipe: Arc<ChildStdin>,
    /// Bytes of all documents so far.
    bytes: u64,
    /// Since when the program has read all of them.
    read_since: Option<Instant>,
}

impl Session {
    pub fn start(command: &str, language: &str, directory: Option<&Path>) -> Result<Session> {
        let mut child = Command::new("sh")
            .args(["-c", command])
            .current_dir(directory.unwrap_or(Path::new(".")))
            .env("WARCORPUS_LANGUAGE", language)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| Error::Refused(format!("emit.tagger: cannot start a shell: {error}")))?;
        let bytes_written = Arc::new(AtomicU64::new(0));
        let stderr_tail = Arc::new(Mutex::new(Vec::new()));
        let (send, lines) = sync_channel(MOST_LINES);
        let mut input = None;
        if let Some(pipe) = child.stdin.take() {
            let (pipe, bytes_written) = (Arc::new(pipe), bytes_written.clone());
            // The texts of a batch, and no more.
            let (documents, receive) = channel();
            input = Some(Input { documents, pipe: pipe.clone(), bytes: 0, read_since: None });
            spawn("tagger-in", move || feed(&pipe, &receive, &bytes_written))?;
        }
        if let Some(output) = child.stdout.take() {
            spawn("tagger-out", move || read_lines(output, |line| send.send(line).is_ok()))?;
        }
        if let Some(errors) = child.stderr.take() {
            // The thread's share of the bytes ends with it, which tells that all were read.
            let stderr_tail = stderr_tail.clone();
            spawn("tagger-err", move || collect_tail(errors, &stderr_tail))?;
        }
        let (next_line, in_step, ended, held_back) = (None, true, None, false);
        Ok(Session { child, input, lines, next_line, bytes_written, stderr_tail, in_step, ended, held_back })
    }

    /// Gives the program documents; `last` ends its input.
    pub fn send(&mut self, documents: &[String], last: bool) {
        if let Some(input) = &mut self.input {
            input.bytes += documents.iter().map(|document| document.len() as u64).sum::<u64>();
            input.read_since = None;
            // The missing answers reveal a program that reads no more.
            documents.iter().for_each(|document| drop(input.documents.send(document.clone())));
        }
        if last {
            self.input = None;
        }
    }

    /// Whether the program can be given more documents.
    pub fn takes_more(&self) -> bool {
        self.input.is_some() && self.in_step
    }

    /// Whether the program gave output at the end of its input and not before.
    pub fn held_back(&self) -> bool {
        self.held_back
    }

    /// Reads the answer to a document.
    pub fn answer(&mut self, document: &str, tagger: &Tagger, cancel: &CancelToken) -> Result<Answer> {
        let most = SPARE_LINES + SPARE_LINES_PER_LINE * document.lines().count();
        let mut lines = document.lines();
        if let Some(failure) = self.find(lines.next().unwrap_or_default(), most, tagger.patience, cancel)? {
            return Ok(Answer::Missing(failure));
        }
        let mut tags = Tags::new();
        for asked in lines {
            let got = match self.line(tagger.patience, cancel)? {
                Ok(got) => got,
                Err(ended) => return Ok(Answer::Missing(ended)),
            };
            if let Err(failure) = compare(asked, &got, tagger.columns, &mut tags) {
                let endless = self.pass_over(got, most, tagger.patience, cancel)?;
                return Ok(endless.map_or(Answer::Complete(Err(failure)), Answer::Missing));
            }
        }
        Ok(Answer::Complete(Ok(tags)))
    }

    /// Reads the first line of a document, which no other document has. Lines before it are left over from the document
    /// before. A failure need not be this document's own: that before may have been answered with a further one.
    fn find(&mut self, begin: &str, most: usize, patience: Duration, cancel: &CancelToken) -> Result<Option<Failure>> {
        let differs = |got: String| Failure::Differs { asked: begin.to_string(), got };
        let mut left_over = None;
        for _ in 0..=most {
            let got = match (self.line(patience, cancel)?, left_over.take()) {
                (Ok(got), _) if got.trim_end() == begin => return Ok(None),
                (Ok(got), _) if is_begin(&got) => return Ok(Some(differs(got))),
                (Ok(got), first) => first.unwrap_or(got),
                (Err(Failure::Died(_)), Some(first)) => return Ok(Some(differs(first))),
                (Err(ended), _) => return Ok(Some(ended)),
            };
            left_over = Some(got);
        }
        Ok(Some(Failure::Endless(most)))
    }

    /// Passes over the rest of a document from `line` on, so that the answer to the next one can be read. The result is a
    /// failure if it does not end.
    fn pass_over(
        &mut self,
        mut line: String,
        most: usize,
        patience: Duration,
        cancel: &CancelToken,
    ) -> Result<Option<Failure>> {
        for _ in 0..=most {
            if is_end(&line) {
                return Ok(None);
            }
            if is_begin(&line) {
                // The end of this document is missing.
                self.next_line = Some(line);
                return Ok(None);
            }
            line = match self.line(patience, cancel)? {
                Ok(line) => line,
                Err(_) => {
                    self.in_step = false;
                    return Ok(None);
                }
            };
        }
        Ok(Some(Failure::Endless(most)))
    }

    /// Reads a line of output. Waits as long as the program keeps reading its input.
    fn line(&mut self, patience: Duration, cancel: &CancelToken) -> Result<std::result::Result<String, Failure>> {
        if let Some(line) = self.next_line.take() {
            return Ok(Ok(line));
        }
        let (mut since, mut written_before) = (Instant::now(), self.bytes_written.load(Ordering::Relaxed));
        loop {
            if cancel.is_cancelled() {
                self.kill();
                return Err(Error::Interrupted);
            }
            match self.lines.recv_timeout(POLL_INTERVAL) {
                Ok(line) => {
                    self.held_back |= self.ended.take().is_some_and(|ended| ended.elapsed() < POLL_INTERVAL);
                    return Ok(Ok(line));
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(Err(Failure::Died(String::new()))),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.end_idle_input() {
                since = Instant::now();
            }
            let written = self.bytes_written.load(Ordering::Relaxed);
            if written != written_before {
                (since, written_before) = (Instant::now(), written);
            }
            if since.elapsed() >= patience {
                return Ok(Err(Failure::Silent(patience.as_secs())));
            }
        }
    }

    /// Ends the input of a program that has read all of it and writes nothing: it may wait for the end. Returns whether
    /// it did.
    fn end_idle_input(&mut self) -> bool {
        let Some(input) = &mut self.input else { return false };
        let written = self.bytes_written.load(Ordering::Relaxed) == input.bytes;
        // A system that cannot tell how much is left in a pipe counts as one that has read all.
        if !written || ioctl_fionread(&*input.pipe).unwrap_or(0) > 0 {
            input.read_since = None;
        } else if input.read_since.get_or_insert_with(Instant::now).elapsed() >= SILENCE {
            self.input = None;
            self.ended = Some(Instant::now());
            return true;
        }
        false
    }

    /// Kills the program and its child processes if they are still running. Returns the program's exit status.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        // A program that has closed its output is about to exit. A short wait yields its own exit status.
        for _ in 0..20 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if !matches!(self.lines.try_recv(), Err(TryRecvError::Disconnected)) {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        if let Some(group) = Pid::from_raw(self.child.id() as i32) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        self.child.wait().ok()
    }

    pub fn stderr_text(&self) -> String {
        // The program has ended, but its last words may still be on their way.
        for _ in 0..50 {
            if Arc::strong_count(&self.stderr_tail) == 1 {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.stderr_tail.lock().map(|tail| String::from_utf8_lossy(&tail).into_owned()).unwrap_or_default()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Starts a thread that serves one pipe of the tagger.
fn spawn(name: &str, serve: impl FnOnce() + Send + 'static) -> Result<()> {
    threads::spawn(name, serve)
        .map_err(|error| Error::Refused(format!("emit.tagger: cannot start a thread for it: {error}")))
}

/// Writes documents to the program. Write errors are ignored here because the missing answers reveal them.
fn feed(mut input: &ChildStdin, documents: &Receiver<String>, bytes_written: &AtomicU64) {
    const PIECE: usize = 1 << 12;
    for document in documents {
        for piece in document.as_bytes().chunks(PIECE) {
            if input.write_all(piece).is_err() {
                return;
            }
            bytes_written.fetch_add(piece.len() as u64, Ordering::Relaxed);
        }
    }
}

/// Reads the program's standard error and keeps its last bytes.
fn collect_tail(mut errors: impl Read, tail: &Mutex<Vec<u8>>) {
    const TAIL_BYTES: usize = 300;
    let mut piece = [0; 1 << 12];
    while let Ok(length) = errors.read(&mut piece) {
        let Some(new) = piece.get(..length).filter(|new| !new.is_empty()) else { return };
        if let Ok(mut tail) = tail.lock() {
            tail.extend_from_slice(new);
            let surplus = tail.len().saturating_sub(TAIL_BYTES);
            tail.drain(..surplus);
        }
    }
}

/// Describes the exit status of a program, with the last line of its standard error.
pub fn describe_exit(status: Option<ExitStatus>, stderr: &str) -> String {
    let how = match status.map(|status| (status.code(), status.signal())) {
        Some((Some(code), _)) => format!("exit code {code}"),
        Some((_, Some(signal))) => format!("signal {signal}"),
        _ => "no exit code".to_string(),
    };
    match stderr.trim().lines().next_back() {
        Some(last) => format!("{how}: {last}"),
        None => how,
    }
}
