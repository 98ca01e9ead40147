//! The number of tokens that the tokenizer of the job makes of each document.

use std::path::PathBuf;
use std::sync::OnceLock;

use crate::document::{Document, Paragraph};
use crate::emit::document_text::DocumentText;
use crate::emit::model_tokens::{NOT_BUILT_IN, TokenCounter, is_stored};
use crate::error::{Error, Result};
use crate::hash::digest;
use crate::quality::Signals;
use crate::store::layout::Layout;
use crate::store::small_files;

/// Bytes of a tokenizer at most; the largest that are published have some 30 MB.
pub const LONGEST: u64 = 256 << 20;

/// The tokenizer of a file, which is read when it is first needed and shared by all threads.
#[derive(Debug, Default)]
pub struct TokenCounts {
    /// The file, and whether its name has its digest.
    file: Option<(PathBuf, bool)>,
    counter: OnceLock<TokenCounter>,
}

/// The name under which the directory of a job stores a tokenizer.
pub fn stored_name(bytes: &[u8]) -> String {
    format!("tokenizer-{:032x}.json", digest(bytes))
}

/// Refuses to count where the program was built without tokenizers.
pub fn check_built_in() -> Result<()> {
    match cfg!(feature = "tokenizers") {
        true => Ok(()),
        false => Err(Error::Usage(format!("output.tokenizer: {NOT_BUILT_IN}"))),
    }
}

impl TokenCounts {
    /// The tokenizer that a setting names: a stored one of a corpus, or any file.
    pub fn new(setting: &str, layout: &Layout) -> TokenCounts {
        let file = match is_stored(setting) {
            _ if setting.is_empty() => None,
            true => Some((layout.root().join(setting), true)),
            false => Some((PathBuf::from(setting), false)),
        };
        TokenCounts { file, counter: OnceLock::new() }
    }

    pub fn is_on(&self) -> bool {
        self.file.is_some()
    }

    /// The tokenizer; `None` if none is wanted.
    ///
    /// # Errors
    /// [`Error::Usage`] if the file is none or the program was built without tokenizers, [`Error::Damaged`] if it is not the
    /// one that the job was planned with.
    pub fn counter(&self) -> Result<Option<&TokenCounter>> {
        let Some((path, stored)) = &self.file else { return Ok(None) };
        if let Some(counter) = self.counter.get() {
            return Ok(Some(counter));
        }
        check_built_in()?;
        let bytes = small_files::read(path, LONGEST)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if *stored && name != stored_name(&bytes) {
            let told = "is not the tokenizer that the job was planned with; give output.tokenizer again";
            return Err(Error::damaged(path, told));
        }
        let refused = |why| Error::Usage(format!("output.tokenizer: {} is no tokenizer.json: {why}", path.display()));
        let counter = TokenCounter::parse(&bytes).map_err(refused)?;
        Ok(Some(self.counter.get_or_init(|| counter)))
    }

    /// Adds the number of tokens of a kept document to its signals. `rows` are its paragraphs, kept or not.
    pub fn add(&self, document: &Document, rows: &[Paragraph], signals: Option<Signals>) -> Result<Option<Signals>> {
        let Some(counter) = self.counter()?.filter(|_| document.kept) else { return Ok(signals) };
        let mut signals = signals.unwrap_or(Signals { doc: document.doc, ..Signals::default() });
        let kept = rows.iter().filter(|row| row.kept);
        let text = DocumentText::untokenized(document, kept).whole_text().unwrap_or_default();
        signals.token_count = counter.count(&text);
        Ok(Some(signals))
    }
}
