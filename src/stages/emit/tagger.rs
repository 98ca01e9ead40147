//! External taggers: a user's program reads documents as vertical text and adds columns to their tokens.
//!
//! The program reads one token per line, with structure tags on lines of their own. It must write the same lines in the
//! same order and add its columns to each token after a TAB. It may buffer all its output until its input ends. The
//! output is compared with the input line by line. A document whose lines differ stays untagged, and so does a document
//! on which the program exits or hangs. Other documents are not affected.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::config::{Config, EmitSection};
use crate::error::{Error, Result};
use crate::threads::{self, CancelToken};

/// The configuration of a tagger program.
#[derive(Debug, Clone)]
pub struct Tagger {
    /// Shell command. `{lang}` is replaced by the language code.
    pub command: String,
    /// Number of columns that the program adds to every token.
    pub columns: usize,
    /// Timeout: the longest time for which the program may neither read nor write.
    pub patience: Duration,
}

/// The added columns of a document's tokens, one line per token.
pub type Tags = String;

/// Why a document is not tagged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    #[error("the tagger ended ({0}) before the document did")]
    Died(String),
    #[error("the tagger neither read nor wrote for {0} s")]
    Silent(u64),
    #[error("the tagger answered `{got}` to `{asked}`")]
    Differs { asked: String, got: String },
    #[error("the tagger gave {got} columns to `{asked}` instead of {columns}")]
    Columns { asked: String, got: usize, columns: usize },
    #[error("the tagger's answer to `{asked}` is not UTF-8")]
    NotUtf8 { asked: String },
    #[error("the tagger failed too often on the documents before")]
    GivenUp,
}

impl Failure {
    /// Name of the failure in the counters.
    pub fn name(&self) -> &'static str {
        match self {
            Failure::Died(_) => "died",
            Failure::Silent(_) => "silent",
            Failure::Differs { .. } => "differs",
            Failure::Columns { .. } => "columns",
            Failure::NotUtf8 { .. } => "not_utf8",
            Failure::GivenUp => "given_up",
        }
    }
}

/// Number of times that the program may exit or hang in one batch. After that, the rest of the batch stays untagged.
const MAX_FAILURES: usize = 20;

/// Most bytes that are read as one line of the program's output.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// Interval at which a task that waits for output checks for cancellation and timeout.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Exit codes of a shell if a command is not executable (126) or not found (127).
const NOT_RUNNABLE: [i32; 2] = [126, 127];

impl Tagger {
    /// The tagger of a configuration; `None` if it names none.
    pub fn of(emit: &EmitSection) -> Option<Tagger> {
        let tagger = Tagger {
            command: emit.tagger.clone(),
            columns: emit.tagger_columns.len(),
            patience: Duration::from_secs(emit.tagger_seconds),
        };
        Some(tagger).filter(|tagger| !tagger.command.is_empty())
    }

    /// Tags a sentence, so that a tagger that cannot work is known before a job begins. A failure in a language that
    /// the configuration does not name is only a warning.
    ///
    /// # Errors
    /// [`Error::Usage`] if the program cannot be run, does not answer, or answers in another form.
    pub fn try_out(&self, config: &Config, cancel: &CancelToken) -> Result<()> {
        let named = config.emit.tagger_languages.first().or(config.language.keep.first());
        let language = named.map_or("eng", String::as_str);
        let document = "<doc>\n<p>\n<s>\nThis\nworks\n.\n</s>\n</p>\n</doc>\n".to_string();
        let answers = self.tag(language, &[document], cancel).map_err(|error| match error {
            Error::Refused(message) => Error::Usage(message),
            other => other,
        })?;
        let Some(Err(failure)) = answers.into_iter().next() else { return Ok(()) };
        let message = format!("emit.tagger failed on a trial sentence in {language}: {failure}");
        if named.is_some() {
            return Err(Error::Usage(message));
        }
        tracing::warn!("{message}");
        Ok(())
    }

    /// Tags documents of one language. Each is vertical text that ends with `</doc>`. Returns one result per document.
    ///
    /// # Errors
    /// [`Error::Refused`] if the program cannot be run, [`Error::Interrupted`] if the job was cancelled.
    pub fn tag(
        &self,
        language: &str,
        documents: &[String],
        cancel: &CancelToken,
    ) -> Result<Vec<std::result::Result<Tags, Failure>>> {
        let mut answers = Vec::with_capacity(documents.len());
        let mut failures = 0;
        while let Some(rest) = documents.get(answers.len()..).filter(|rest| !rest.is_empty()) {
            if failures == MAX_FAILURES {
                answers.extend(rest.iter().map(|_| Err(Failure::GivenUp)));
                break;
            }
            let run = self.run(language, rest, cancel)?;
            answers.extend(run.answers);
            let Some(failure) = run.ended_by else { continue };
            failures += 1;
            // The program may have lost output for a document that is not the cause of the failure. A run with the next
            // document alone tells whether that one is the cause.
            let Some(next) = documents.get(answers.len()..answers.len() + 1).filter(|_| rest.len() > 1) else {
                answers.extend(documents.get(answers.len()..).into_iter().flatten().map(|_| Err(failure.clone())));
                continue;
            };
            let mut alone = self.run(language, next, cancel)?;
            answers.push(alone.answers.pop().unwrap_or(Err(failure)));
        }
        Ok(answers)
    }

    /// Runs the program on documents until all are answered or the program fails.
    fn run(&self, language: &str, documents: &[String], cancel: &CancelToken) -> Result<TaggerRun> {
        let mut session = Session::start(&self.command.replace("{lang}", language), language, documents)?;
        let mut answers = Vec::with_capacity(documents.len());
        for document in documents {
            match session.answer(document, self, cancel)? {
                Answer::Complete(answer) => answers.push(answer),
                Answer::Missing(failure) => {
                    let status = session.kill();
                    if status.and_then(|s| s.code()).is_some_and(|code| NOT_RUNNABLE.contains(&code)) {
                        let message = session.stderr_text();
                        return Err(Error::Refused(format!("emit.tagger cannot be run: {}", message.trim())));
                    }
                    let failure = match (failure, status) {
                        (Failure::Died(_), status) => Failure::Died(describe_exit(status, &session.stderr_text())),
                        (failure, _) => failure,
                    };
                    return Ok(TaggerRun { answers, ended_by: Some(failure) });
                }
            }
        }
        session.kill();
        Ok(TaggerRun { answers, ended_by: None })
    }
}

/// The result of one run: answers for the first documents, and the failure if the others have none.
struct TaggerRun {
    answers: Vec<std::result::Result<Tags, Failure>>,
    ended_by: Option<Failure>,
}

/// What the program wrote for one document.
enum Answer {
    /// The document is tagged or its lines differ; the next document can be read.
    Complete(std::result::Result<Tags, Failure>),
    /// The program exited or hung, so this document and those after it have no answer.
    Missing(Failure),
}

/// A running tagger with the threads that serve its pipes.
struct Session {
    child: Child,
    /// Lines of its standard output.
    lines: Receiver<String>,
    /// Bytes that were written to its standard input.
    bytes_written: Arc<AtomicU64>,
    /// The end of its standard error.
    stderr_tail: Arc<Mutex<Vec<u8>>>,
}

impl Session {
    fn start(command: &str, language: &str, documents: &[String]) -> Result<Session> {
        let mut child = Command::new("sh")
            .args(["-c", command])
            .env("WARCORPUS_LANGUAGE", language)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| Error::Refused(format!("emit.tagger: cannot start a shell: {error}")))?;
        let bytes_written = Arc::new(AtomicU64::new(0));
        let stderr_tail = Arc::new(Mutex::new(Vec::new()));
        let (send, lines) = sync_channel(1 << 10);
        if let Some(input) = child.stdin.take() {
            let (documents, bytes_written) = (documents.to_vec(), bytes_written.clone());
            spawn("tagger-in", move || feed(input, &documents, &bytes_written))?;
        }
        if let Some(output) = child.stdout.take() {
            spawn("tagger-out", move || read(output, &send))?;
        }
        if let Some(errors) = child.stderr.take() {
            // The thread's share of the bytes ends with it, which tells that all were read.
            let stderr_tail = stderr_tail.clone();
            spawn("tagger-err", move || collect_tail(errors, &stderr_tail))?;
        }
        Ok(Session { child, lines, bytes_written, stderr_tail })
    }

    /// Reads the answer to a document.
    fn answer(&mut self, document: &str, tagger: &Tagger, cancel: &CancelToken) -> Result<Answer> {
        let mut tags = Tags::new();
        let mut failure = None;
        for asked in document.lines() {
            let got = match self.line(tagger.patience, cancel)? {
                Ok(got) => got,
                Err(ended) => return Ok(Answer::Missing(ended)),
            };
            failure = compare(asked, &got, tagger.columns, &mut tags).err();
            if failure.is_some() {
                // Skips the rest of this document, so that the answer to the next one can be read.
                let mut at_end = is_end(&got);
                while !at_end {
                    match self.line(tagger.patience, cancel)? {
                        Ok(line) => at_end = is_end(&line),
                        Err(_) => break,
                    }
                }
                break;
            }
        }
        Ok(Answer::Complete(failure.map_or(Ok(tags), Err)))
    }

    /// Reads a line of output. Waits as long as the program keeps reading its input.
    fn line(&mut self, patience: Duration, cancel: &CancelToken) -> Result<std::result::Result<String, Failure>> {
        let (mut since, mut written_before) = (Instant::now(), self.bytes_written.load(Ordering::Relaxed));
        loop {
            match self.lines.recv_timeout(POLL_INTERVAL) {
                Ok(line) => return Ok(Ok(line)),
                Err(RecvTimeoutError::Disconnected) => return Ok(Err(Failure::Died(String::new()))),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if cancel.is_cancelled() {
                self.kill();
                return Err(Error::Interrupted);
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

    /// Kills the program and its child processes if they are still running. Returns the program's exit status.
    fn kill(&mut self) -> Option<ExitStatus> {
        // A program that has closed its output is about to exit. A short wait yields its own exit status.
        for _ in 0..20 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if !matches!(self.lines.try_recv(), Err(std::sync::mpsc::TryRecvError::Disconnected)) {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        if let Some(group) = Pid::from_raw(self.child.id() as i32) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        self.child.wait().ok()
    }

    fn stderr_text(&self) -> String {
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

/// Compares a line of input with the line that the program wrote for it, and adds its tags to `tags`.
fn compare(asked: &str, got: &str, columns: usize, tags: &mut Tags) -> std::result::Result<(), Failure> {
    let differs = || Failure::Differs { asked: asked.to_string(), got: got.to_string() };
    // `read` put it in place of what is not UTF-8.
    if got.contains(char::REPLACEMENT_CHARACTER) && !asked.contains(char::REPLACEMENT_CHARACTER) {
        return Err(Failure::NotUtf8 { asked: asked.to_string() });
    }
    if is_structure(asked) {
        return if got.trim_end() == asked { Ok(()) } else { Err(differs()) };
    }
    let (word, rest) = got.split_once('\t').unwrap_or((got, ""));
    if word != asked {
        return Err(differs());
    }
    let given = if rest.is_empty() { 0 } else { rest.split('\t').count() };
    if given != columns {
        return Err(Failure::Columns { asked: asked.to_string(), got: given, columns });
    }
    tags.push_str(rest);
    tags.push('\n');
    Ok(())
}

/// Whether a line is a structure tag. A token that starts with `<` is either this character alone or has a zero-width
/// space after it.
fn is_structure(line: &str) -> bool {
    line.len() > 1 && line.starts_with('<') && line.ends_with('>') && !line.starts_with("<\u{200B}")
}

/// Whether a line is the end tag of a document.
fn is_end(line: &str) -> bool {
    line.trim_end() == "</doc>"
}

/// Starts a thread that serves one pipe of the tagger.
fn spawn(name: &str, serve: impl FnOnce() + Send + 'static) -> Result<()> {
    threads::spawn(name, serve)
        .map_err(|error| Error::Refused(format!("emit.tagger: cannot start a thread for it: {error}")))
}

/// Writes the documents to the program. Write errors are ignored here because the missing answers reveal them.
fn feed(mut input: impl Write, documents: &[String], bytes_written: &AtomicU64) {
    const PIECE: usize = 1 << 12;
    for piece in documents.iter().flat_map(|document| document.as_bytes().chunks(PIECE)) {
        if input.write_all(piece).is_err() {
            return;
        }
        bytes_written.fetch_add(piece.len() as u64, Ordering::Relaxed);
    }
}

/// Reads the program's output into the channel, line by line.
fn read(output: impl Read, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(length) if length > 0 => {}
            _ => return,
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        if lines.send(text.strip_suffix('\r').unwrap_or(text).to_string()).is_err() {
            return;
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
fn describe_exit(status: Option<ExitStatus>, stderr: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn documents(texts: &[&str]) -> Vec<String> {
        let document = |(i, text): (usize, &&str)| {
            let tokens: String = text.split(' ').map(|token| format!("{token}\n")).collect();
            format!("<doc id=\"{i}\">\n<s>\n{tokens}</s>\n</doc>\n")
        };
        texts.iter().enumerate().map(document).collect()
    }

    fn tag(command: &str, texts: &[&str]) -> Result<Vec<std::result::Result<Tags, Failure>>> {
        let tagger = Tagger { command: command.into(), columns: 2, patience: Duration::from_secs(1) };
        tagger.tag("ces", &documents(texts), &CancelToken::default())
    }

    const TAGS: &str = r#"awk '/^<./ { print; next } { print $0 "\tX\t" tolower($0) }'"#;

    #[test]
    fn columns_come_back_for_every_token() {
        let tags = tag(TAGS, &["Ahoj světe", "<"]).unwrap();
        assert_eq!(tags, [Ok("X\tahoj\nX\tsvěte\n".into()), Ok("X\t<\n".into())]);
        let language = tag(
            r#"awk -v l={lang} '/^<./ { print; next } { print $0 "\t" l "\t" ENVIRON["WARCORPUS_LANGUAGE"] }'"#,
            &["a"],
        );
        assert_eq!(language.unwrap(), [Ok("ces\tces\n".into())]);
    }

    #[test]
    fn lost_tokens_cost_their_document_alone() {
        let tags = tag(&format!("grep -v lost | {TAGS}"), &["a", "b lost c", "d"]).unwrap();
        assert_eq!(tags[0], Ok("X\ta\n".into()));
        assert_eq!(tags[1], Err(Failure::Differs { asked: "lost".into(), got: "c\tX\tc".into() }));
        assert_eq!(tags[2], Ok("X\td\n".into()));
        let tags = tag("sed 's/$/\tX/'", &["a"]).unwrap();
        assert_eq!(tags[0].as_ref().unwrap_err().name(), "differs");
        let tags = tag("sed '/^</!s/$/\tX/'", &["a"]).unwrap();
        assert_eq!(tags[0], Err(Failure::Columns { asked: "a".into(), got: 1, columns: 2 }));
    }

    #[test]
    fn a_program_that_dies_or_hangs_is_started_again() {
        let dies =
            r#"awk '/poison/ { print "too much" > "/dev/stderr"; exit 3 } /^</ { print; next } { print $0 "\tX\tY" }'"#;
        let tags = tag(dies, &["a", "b", "poison", "d"]).unwrap();
        let ok = |text: &str| Ok(text.to_string());
        assert_eq!(tags[..2], [ok("X\tY\n"), ok("X\tY\n")]);
        assert_eq!(tags[2], Err(Failure::Died("exit code 3: too much".into())));
        assert_eq!(tags[3], ok("X\tY\n"));
        let hangs = r#"awk '/poison/ { while (1) system("sleep 9") } /^</ { print; fflush(); next } { print $0 "\tX\tY"; fflush() }'"#;
        let tags = tag(hangs, &["a", "poison", "c"]).unwrap();
        assert_eq!(tags, [ok("X\tY\n"), Err(Failure::Silent(1)), ok("X\tY\n")]);
    }

    #[test]
    fn a_program_that_is_not_there_is_refused() {
        assert!(
            tag("warcorpus-has-no-such-tagger", &["a"]).is_err_and(|error| error.to_string().contains("emit.tagger"))
        );
    }

    #[test]
    fn a_program_that_always_dies_is_given_up() {
        let tags = tag("exit 1", &["a"; 30]).unwrap();
        assert_eq!(tags.len(), 30);
        assert_eq!(tags[0].as_ref().unwrap_err().name(), "died");
        assert_eq!(tags[29], Err(Failure::GivenUp));
    }
}
