//! External taggers: documents go through a user's program as vertical text and come back with more columns.
//!
//! The program reads one token a line and structures on lines of their own, and must write the same lines in the
//! same order, each token with its further columns after a TAB. It may keep all its output until its input ends. What
//! comes back is compared line by line; a document whose lines differ stays untagged, and so does one at which the
//! program dies or falls silent; the others do not suffer.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::error::{Error, Result};
use crate::threads::{self, CancelToken};

/// A program that tags.
#[derive(Debug, Clone)]
pub struct Tagger {
    /// For the shell; `{lang}` stands for the language's code.
    pub command: String,
    /// Columns that it adds to every token.
    pub columns: usize,
    /// How long it may neither take nor give a line.
    pub patience: Duration,
}

/// The added columns of a document's tokens, a line for each.
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
    #[error("the tagger failed too often on the documents before")]
    GivenUp,
}

impl Failure {
    /// The name under which it is counted.
    pub fn name(&self) -> &'static str {
        match self {
            Failure::Died(_) => "died",
            Failure::Silent(_) => "silent",
            Failure::Differs { .. } => "differs",
            Failure::Columns { .. } => "columns",
            Failure::GivenUp => "given_up",
        }
    }
}

/// Times that the program may die or hang on the documents of one batch before the rest goes without it.
const MOST_FAILURES: usize = 20;

/// Bytes of a line that the program may write.
const LONGEST_LINE: u64 = 1 << 20;

/// How often a waiting job looks whether it is to stop.
const HEARTBEAT: Duration = Duration::from_millis(200);

/// What a shell says of a program that is not there, or is none.
const NO_PROGRAM: [i32; 2] = [126, 127];

impl Tagger {
    /// Tags documents of one language. Each is vertical text that ends with `</doc>`.
    pub fn tag(
        &self,
        language: &str,
        documents: &[String],
        cancel: &CancelToken,
    ) -> Result<Vec<std::result::Result<Tags, Failure>>> {
        let mut answers = Vec::with_capacity(documents.len());
        let mut failures = 0;
        while let Some(rest) = documents.get(answers.len()..).filter(|rest| !rest.is_empty()) {
            if failures == MOST_FAILURES {
                answers.extend(rest.iter().map(|_| Err(Failure::GivenUp)));
                break;
            }
            let whole = self.run(language, rest, cancel)?;
            answers.extend(whole.answers);
            let Some(failure) = whole.ended_by else { continue };
            failures += 1;
            // What it had read of the documents before may have gone with it: it gets the next one alone.
            let Some(next) = documents.get(answers.len()..answers.len() + 1).filter(|_| rest.len() > 1) else {
                answers.extend(documents.get(answers.len()..).into_iter().flatten().map(|_| Err(failure.clone())));
                continue;
            };
            let mut alone = self.run(language, next, cancel)?;
            answers.push(alone.answers.pop().unwrap_or(Err(failure)));
        }
        Ok(answers)
    }

    fn run(&self, language: &str, documents: &[String], cancel: &CancelToken) -> Result<Run> {
        let mut session = Session::start(&self.command.replace("{lang}", language), language, documents)?;
        let mut answers = Vec::with_capacity(documents.len());
        for document in documents {
            match session.answer(document, self, cancel)? {
                Answer::Is(answer) => answers.push(answer),
                Answer::None(failure) => {
                    let status = session.kill();
                    if status.and_then(|s| s.code()).is_some_and(|code| NO_PROGRAM.contains(&code)) {
                        let said = session.said();
                        return Err(Error::Refused(format!("emit.tagger cannot be run: {}", said.trim())));
                    }
                    let failure = match (failure, status) {
                        (Failure::Died(_), status) => Failure::Died(ending(status, &session.said())),
                        (failure, _) => failure,
                    };
                    return Ok(Run { answers, ended_by: Some(failure) });
                }
            }
        }
        session.kill();
        Ok(Run { answers, ended_by: None })
    }
}

/// Answers to the first documents, and why there are none to the rest.
struct Run {
    answers: Vec<std::result::Result<Tags, Failure>>,
    ended_by: Option<Failure>,
}

enum Answer {
    Is(std::result::Result<Tags, Failure>),
    /// And none to those that follow.
    None(Failure),
}

/// A running program.
struct Session {
    child: Child,
    lines: Receiver<String>,
    /// Bytes it has taken.
    taken: Arc<AtomicU64>,
    /// The end of what it wrote on standard error.
    said: Arc<Mutex<Vec<u8>>>,
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
        let taken = Arc::new(AtomicU64::new(0));
        let said = Arc::new(Mutex::new(Vec::new()));
        let (send, lines) = sync_channel(1 << 10);
        if let Some(input) = child.stdin.take() {
            let (documents, taken) = (documents.to_vec(), taken.clone());
            spawn("tagger-in", move || feed(input, &documents, &taken))?;
        }
        if let Some(output) = child.stdout.take() {
            spawn("tagger-out", move || read(output, &send))?;
        }
        if let Some(errors) = child.stderr.take() {
            let said = said.clone();
            spawn("tagger-err", move || listen(errors, &said))?;
        }
        Ok(Session { child, lines, taken, said })
    }

    fn answer(&mut self, document: &str, tagger: &Tagger, cancel: &CancelToken) -> Result<Answer> {
        let mut tags = Tags::new();
        let mut failure = None;
        for asked in document.lines() {
            let got = match self.line(tagger.patience, cancel)? {
                Ok(got) => got,
                Err(ended) => return Ok(Answer::None(ended)),
            };
            failure = compare(asked, &got, tagger.columns, &mut tags).err();
            if failure.is_some() {
                // The next document begins after the end of this one.
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
        Ok(Answer::Is(failure.map_or(Ok(tags), Err)))
    }

    fn line(&mut self, patience: Duration, cancel: &CancelToken) -> Result<std::result::Result<String, Failure>> {
        let (mut since, mut taken) = (Instant::now(), self.taken.load(Ordering::Relaxed));
        loop {
            match self.lines.recv_timeout(HEARTBEAT) {
                Ok(line) => return Ok(Ok(line)),
                Err(RecvTimeoutError::Disconnected) => return Ok(Err(Failure::Died(String::new()))),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if cancel.is_cancelled() {
                self.kill();
                return Err(Error::Interrupted);
            }
            let now = self.taken.load(Ordering::Relaxed);
            if now != taken {
                (since, taken) = (Instant::now(), now);
            }
            if since.elapsed() >= patience {
                return Ok(Err(Failure::Silent(patience.as_secs())));
            }
        }
    }

    /// Ends the program and whatever it started, if they have not ended by themselves; how it ended.
    fn kill(&mut self) -> Option<ExitStatus> {
        // One that has closed its output is about to end: how is worth a moment.
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

    fn said(&self) -> String {
        self.said.lock().map(|said| String::from_utf8_lossy(&said).into_owned()).unwrap_or_default()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.kill();
    }
}

/// One line asked, one line given.
fn compare(asked: &str, got: &str, columns: usize, tags: &mut Tags) -> std::result::Result<(), Failure> {
    let differs = || Failure::Differs { asked: asked.to_string(), got: got.to_string() };
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

/// A token that begins so has a zero-width space after it, or is that character alone.
fn is_structure(line: &str) -> bool {
    line.len() > 1 && line.starts_with('<') && line.ends_with('>') && !line.starts_with("<\u{200B}")
}

fn is_end(line: &str) -> bool {
    line.trim_end() == "</doc>"
}

/// Starts a thread that serves one pipe of the tagger.
fn spawn(name: &str, serve: impl FnOnce() + Send + 'static) -> Result<()> {
    threads::spawn(name, serve)
        .map_err(|error| Error::Refused(format!("emit.tagger: cannot start a thread for it: {error}")))
}

/// A program that stops reading is dealt with where its answers are missing.
fn feed(mut input: impl Write, documents: &[String], taken: &AtomicU64) {
    const PIECE: usize = 1 << 12;
    for piece in documents.iter().flat_map(|document| document.as_bytes().chunks(PIECE)) {
        if input.write_all(piece).is_err() {
            return;
        }
        taken.fetch_add(piece.len() as u64, Ordering::Relaxed);
    }
}

fn read(output: impl Read, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
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

fn listen(mut errors: impl Read, said: &Mutex<Vec<u8>>) {
    const KEPT: usize = 300;
    let mut piece = [0; 1 << 12];
    while let Ok(length) = errors.read(&mut piece) {
        let Some(new) = piece.get(..length).filter(|new| !new.is_empty()) else { return };
        if let Ok(mut said) = said.lock() {
            said.extend_from_slice(new);
            let surplus = said.len().saturating_sub(KEPT);
            said.drain(..surplus);
        }
    }
}

/// How a program ended, for people.
fn ending(status: Option<ExitStatus>, said: &str) -> String {
    let how = match status.map(|status| (status.code(), status.signal())) {
        Some((Some(code), _)) => format!("exit code {code}"),
        Some((_, Some(signal))) => format!("signal {signal}"),
        _ => "no exit code".to_string(),
    };
    match said.trim().lines().next_back() {
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
