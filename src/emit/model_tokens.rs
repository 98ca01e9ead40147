//! Tokens of a language model: how many the tokenizer of a file (`tokenizer.json` of Hugging Face) makes of a text. Built with
//! the feature `tokenizers` only.

pub use counter::TokenCounter;

/// What is said where the program was built without tokenizers.
pub const NOT_BUILT_IN: &str =
    "this program was built without tokenizers; build it with `cargo build --release --features tokenizers`";

/// Whether a setting is the name of a tokenizer that the directory of a job holds. A program without tokenizers reads
/// such a corpus, too.
pub fn is_stored(setting: &str) -> bool {
    let digest = setting.strip_prefix("tokenizer-").and_then(|rest| rest.strip_suffix(".json"));
    digest.is_some_and(|digest| digest.len() == 32 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Bytes of text that are counted at once: a tokenizer holds some hundred bytes for each token until it is done.
#[cfg(any(feature = "tokenizers", test))]
const PIECE_BYTES: usize = 1 << 20;

/// Parts of a text of at most [`PIECE_BYTES`] bytes, cut behind line ends where there are any.
#[cfg(any(feature = "tokenizers", test))]
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let most = rest.floor_char_boundary(PIECE_BYTES);
        let whole = rest.len() <= PIECE_BYTES;
        let head = rest.get(..most)?;
        let end = if whole { most } else { head.rfind('\n').map_or(most, |at| at + 1) };
        let (piece, tail) = rest.split_at_checked(end)?;
        rest = tail;
        (!piece.is_empty()).then_some(piece)
    })
}

#[cfg(feature = "tokenizers")]
mod counter {
    use std::fmt;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use tokenizers::Tokenizer;

    use super::pieces;

    /// A tokenizer. Threads share it.
    pub struct TokenCounter(Tokenizer);

    impl fmt::Debug for TokenCounter {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("TokenCounter")
        }
    }

    impl TokenCounter {
        /// Reads a `tokenizer.json`. Padding and the cutting of long texts, which a file can ask for, are switched off.
        ///
        /// # Errors
        /// What is wrong with the file.
        pub fn parse(json: &[u8]) -> Result<TokenCounter, String> {
            let read = catch_unwind(|| Tokenizer::from_bytes(json).map_err(|error| error.to_string()));
            let mut tokenizer = read.unwrap_or_else(|_| Err("its parts contradict each other".into()))?;
            tokenizer.with_padding(None);
            tokenizer.with_truncation(None).map_err(|error| error.to_string())?;
            Ok(TokenCounter(tokenizer))
        }

        /// Number of tokens of a text, without tokens that a model adds at its ends. A text of more than a mebibyte is
        /// counted in parts of lines. `None` where the tokenizer fails.
        pub fn count(&self, text: &str) -> Option<u32> {
            pieces(text).try_fold(0u32, |sum, piece| {
                let count = self.encode(piece, |ids| ids.len())?;
                Some(sum.saturating_add(u32::try_from(count).unwrap_or(u32::MAX)))
            })
        }

        /// Ids of the tokens that are counted.
        pub fn ids(&self, text: &str) -> Option<Vec<u32>> {
            pieces(text).try_fold(Vec::new(), |mut all, piece| {
                self.encode(piece, |ids| all.extend_from_slice(ids))?;
                Some(all)
            })
        }

        fn encode<T>(&self, text: &str, take: impl FnOnce(&[u32]) -> T) -> Option<T> {
            // The crate panics where parts of a file do not fit each other.
            let encoded = catch_unwind(AssertUnwindSafe(|| self.0.encode_fast(text, false)));
            encoded.ok()?.ok().map(|encoding| take(encoding.get_ids()))
        }
    }
}

#[cfg(not(feature = "tokenizers"))]
mod counter {
    use std::convert::Infallible;

    /// No tokenizer: the program was built without them.
    #[derive(Debug)]
    pub struct TokenCounter(Infallible);

    impl TokenCounter {
        /// # Errors
        /// Always: how to build a program that can.
        pub fn parse(_: &[u8]) -> Result<TokenCounter, String> {
            Err(super::NOT_BUILT_IN.into())
        }

        pub fn count(&self, _: &str) -> Option<u32> {
            match self.0 {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_behind_lines() {
        assert_eq!(pieces("").count(), 0);
        assert_eq!(pieces("a\nb").collect::<Vec<_>>(), ["a\nb"]);
        let line = "é".repeat(300_000) + "\n";
        let text = line.repeat(4) + &"x".repeat(2 * PIECE_BYTES + 1);
        let parts: Vec<&str> = pieces(&text).collect();
        assert_eq!(parts.concat(), text);
        assert!(parts.iter().all(|part| part.len() <= PIECE_BYTES));
        assert_eq!(parts.iter().filter(|part| **part == line).count(), 4);
    }
}
