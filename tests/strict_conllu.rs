//! A strict reader of CoNLL-U: what the official validator asks of files without trees.

use std::collections::BTreeSet;

use unicode_normalization::is_nfc;

#[derive(Debug, Default, Clone, PartialEq)]
pub struct Sentence {
    pub comments: Vec<(String, String)>,
    /// The ten columns of each word.
    pub words: Vec<[String; 10]>,
}

impl Sentence {
    pub fn comment(&self, name: &str) -> Option<&str> {
        self.comments.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn touches(&self) -> bool {
        self.words.last().is_some_and(|word| word[9] == "SpaceAfter=No")
    }

    /// Rebuilt from the forms.
    fn text(&self) -> String {
        let last = self.words.len() - 1;
        let space = |n: usize| if n == last || self.words[n][9] == "SpaceAfter=No" { "" } else { " " };
        self.words.iter().enumerate().map(|(n, word)| word[1].clone() + space(n)).collect()
    }
}

/// Panics at what is wrong.
pub fn read(conllu: &str) -> Vec<Sentence> {
    assert!(
        is_nfc(conllu)
            && !conllu.contains('\u{FFFD}')
            && conllu.chars().all(|c| !c.is_control() || c == '\n' || c == '\t')
    );
    assert!(conllu.is_empty() || conllu.ends_with("\n\n"));
    let sentences: Vec<Sentence> = conllu.split_terminator("\n\n").map(sentence).collect();
    let mut ids = BTreeSet::new();
    for (n, sentence) in sentences.iter().enumerate() {
        assert_eq!(sentence.comment("text"), Some(sentence.text().as_str()));
        for name in ["newdoc id", "newpar id", "sent_id"] {
            let Some(id) = sentence.comment(name) else { continue };
            assert!(id.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c)), "{id}");
            assert!(ids.insert(id), "{id} twice");
        }
        assert!(sentence.comment("sent_id").is_some());
        let last = sentences.get(n + 1).is_none_or(|next| next.comment("newpar id").is_some());
        assert!(!(last && sentence.touches()), "nothing follows: {sentence:?}");
    }
    sentences
}

fn sentence(block: &str) -> Sentence {
    let mut sentence = Sentence::default();
    for line in block.split('\n') {
        assert!(!line.is_empty());
        if let Some(comment) = line.strip_prefix("# ") {
            assert!(sentence.words.is_empty(), "{line}");
            let (name, value) = comment.split_once(" = ").unwrap();
            assert!(!value.is_empty() && value.trim() == value);
            sentence.comments.push((name.into(), value.into()));
            continue;
        }
        let columns: Vec<String> = line.split('\t').map(String::from).collect();
        assert!(columns.iter().all(|column| !column.is_empty() && column.trim() == column), "{line}");
        sentence.words.push(columns.try_into().unwrap());
        assert_eq!(sentence.words.last().unwrap()[0], sentence.words.len().to_string());
    }
    sentence
}

/// Texts of the paragraphs.
pub fn paragraphs(sentences: &[Sentence]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let mut space = "";
    for sentence in sentences {
        if sentence.comment("newpar id").is_some() {
            texts.push(String::new());
            space = "";
        }
        let text = texts.last_mut().unwrap();
        [space, &sentence.text()].iter().for_each(|part| text.push_str(part));
        space = if sentence.touches() { "" } else { " " };
    }
    texts
}
