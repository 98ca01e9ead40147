//! External taggers: a user's program reads documents as vertical text and adds columns to their tokens.
//!
//! The program reads one token per line, with structure tags on lines of their own. It must write the same lines in the
//! same order and add its columns to each token after a TAB. The output is compared with the input line by line. A
//! document whose lines differ stays untagged, and so does a document on which the program exits or hangs. Other
//! documents are not affected: the first line of a document, which has its number, tells where its answer begins. If it does
//! not come, the document is given to the program again, alone.
//!
//! A program that answers before its input ends is kept for further documents of its language; so it is started once
//! for each language and thread. One that buffers its output is started for each batch.

pub mod answer;
mod session;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use session::{Answer, Session};

use crate::config::{Config, EmitSection};
use crate::error::{Error, Result};
use crate::text::shortened;
use crate::threads::CancelToken;

/// A tagger program, with its processes that wait for documents.
#[derive(Debug, Default)]
pub struct Tagger {
    /// Shell command. `{lang}` is replaced by the language code.
    pub command: String,
    /// Folder in which the program runs; the current one if absent.
    pub directory: Option<PathBuf>,
    /// Number of columns that the program adds to every token.
    pub columns: usize,
    /// Timeout: the longest time for which the program may neither read nor write.
    pub patience: Duration,
    /// Running programs without work, with their languages; the one that waits longest is the first.
    idle: Mutex<Vec<(String, Session)>>,
    /// Whether the program answers only after the end of its input.
    buffers: AtomicBool,
    /// How often the program has hung since it last answered.
    hangs: AtomicUsize,
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
    #[error("the tagger answered `{}` to `{}`", shortened(.got, SHOWN), shortened(.asked, SHOWN))]
    Differs { asked: String, got: String },
    #[error("the tagger gave {got} columns to `{}` instead of {columns}", shortened(.asked, SHOWN))]
    Columns { asked: String, got: usize, columns: usize },
    #[error("the tagger wrote {0} lines for a document and did not end it")]
    Endless(usize),
    #[error("the tagger's answer to `{}` is not UTF-8", shortened(.asked, SHOWN))]
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
            Failure::Endless(_) => "endless",
            Failure::NotUtf8 { .. } => "not_utf8",
            Failure::GivenUp => "given_up",
        }
    }
}

/// Characters of a line that a log shows.
const SHOWN: usize = 100;

/// Number of times that the program may exit, hang or not begin a document in one batch. After that, the rest of the batch
/// stays untagged.
const MAX_FAILURES: usize = 20;

/// Number of times in a row that the program may hang. A document may make it hang, and is given to it twice; a program that
/// hangs at all of them would take days.
const MAX_HANGS: usize = 8;

/// Most programs that wait for documents; each may hold a large model in memory.
const MAX_IDLE: usize = 32;

/// Exit codes of a shell if a command is not executable (126) or not found (127).
const NOT_RUNNABLE: [i32; 2] = [126, 127];

impl Tagger {
    /// The tagger of a configuration, with the folder in which its relative paths begin; `None` if it names none.
    pub fn of(emit: &EmitSection, directory: &Path) -> Option<Tagger> {
        let tagger = Tagger {
            command: emit.tagger.clone(),
            // A command without relative paths needs no folder that is gone by now.
            directory: directory.is_dir().then(|| directory.into()),
            columns: emit.tagger_columns.len(),
            patience: Duration::from_secs(emit.tagger_seconds),
            ..Tagger::default()
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
        let message = format!("emit.tagger failed on a trial sentence (English, tagged as {language}): {failure}");
        if named.is_some() {
            return Err(Error::Usage(message));
        }
        tracing::warn!("{message}");
        Ok(())
    }

    /// Tags documents of one language. Each is vertical text that ends with `</doc>`. Returns one result per document.
    ///
    /// # Errors
    /// [`Error::Refused`] if the program cannot be run or hangs at all documents, [`Error::Interrupted`] if the job was
    /// cancelled.
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
            let alone = self.exchange(self.start(language)?, language, next, cancel)?;
            let answer = alone.answers.into_iter().next();
            answers.push(answer.unwrap_or(Err(alone.ended_by.unwrap_or(failure))));
        }
        Ok(answers)
    }

    /// Gives documents to a program until all are answered or the program fails.
    fn run(&self, language: &str, documents: &[String], cancel: &CancelToken) -> Result<TaggerRun> {
        if let Some(waiting) = self.take(language) {
            let run = self.exchange(waiting, language, documents, cancel)?;
            // A program that ended while it waited failed on none of the documents, and neither did one that still wrote
            // about an earlier document.
            if run.ended_by.is_none() || !run.answers.is_empty() {
                return Ok(run);
            }
        }
        self.exchange(self.start(language)?, language, documents, cancel)
    }

    fn start(&self, language: &str) -> Result<Session> {
        Session::start(&self.command.replace("{lang}", language), language, self.directory.as_deref())
    }

    fn exchange(
        &self,
        mut session: Session,
        language: &str,
        documents: &[String],
        cancel: &CancelToken,
    ) -> Result<TaggerRun> {
        session.send(documents, self.buffers.load(Ordering::Relaxed));
        let mut answers = Vec::with_capacity(documents.len());
        for document in documents {
            match session.answer(document, self, cancel)? {
                Answer::Complete(answer) => {
                    self.hangs.store(0, Ordering::Relaxed);
                    answers.push(answer);
                }
                Answer::Missing(failure) => {
                    self.learn(&session);
                    let status = session.kill();
                    if status.and_then(|s| s.code()).is_some_and(|code| NOT_RUNNABLE.contains(&code)) {
                        let place = self.directory.iter().map(|folder| format!(" in {}", folder.display()));
                        let (place, message) = (place.collect::<String>(), session.stderr_text());
                        return Err(Error::Refused(format!("emit.tagger cannot be run{place}: {}", message.trim())));
                    }
                    if let Failure::Silent(seconds) = failure
                        && self.hangs.fetch_add(1, Ordering::Relaxed) + 1 >= MAX_HANGS
                    {
                        return Err(Error::Refused(format!(
                            "emit.tagger neither read nor wrote for {seconds} s, {MAX_HANGS} times in a row; mend it or raise \
                             emit.tagger_seconds"
                        )));
                    }
                    let failure = match failure {
                        Failure::Died(_) => Failure::Died(session::describe_exit(status, &session.stderr_text())),
                        failure => failure,
                    };
                    return Ok(TaggerRun { answers, ended_by: Some(failure) });
                }
            }
        }
        self.put(language, session);
        Ok(TaggerRun { answers, ended_by: None })
    }

    /// Remembers of a program, also of one that failed, that it answers only after the end of its input. Otherwise the input
    /// of each further one would be ended only after some silence.
    fn learn(&self, session: &Session) {
        if session.held_back() {
            self.buffers.store(true, Ordering::Relaxed);
        }
    }

    /// A program that waits for documents of the language.
    fn take(&self, language: &str) -> Option<Session> {
        let mut idle = self.idle.lock().ok()?;
        let last = idle.iter().rposition(|(known, _)| known == language)?;
        Some(idle.remove(last).1)
    }

    /// Keeps a program that has answered all its documents.
    fn put(&self, language: &str, session: Session) {
        self.learn(&session);
        let Ok(mut idle) = self.idle.lock() else { return };
        if session.takes_more() {
            idle.push((language.to_string(), session));
        }
        let surplus = idle.len().saturating_sub(MAX_IDLE);
        let surplus: Vec<_> = idle.drain(..surplus).collect();
        drop(idle);
        // Ending a program takes time, for which no other thread waits.
        drop(surplus);
    }
}

/// The result of a run: answers for the first documents, and the failure if the others have none.
struct TaggerRun {
    answers: Vec<std::result::Result<Tags, Failure>>,
    ended_by: Option<Failure>,
}

#[cfg(test)]
mod tests;
