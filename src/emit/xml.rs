//! XML 1.0: escaped text, and a writer whose elements always nest.

/// Whether a character may stand in XML 1.0 without harm: of the control characters only TAB, LF and CR may.
pub fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r') || !(c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}'))
}

/// The replacement of a character in text and in attributes with double quotes, empty if XML excludes the character;
/// `None` if it needs none.
pub fn replacement(c: char) -> Option<&'static str> {
    match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\r' => Some("&#13;"),
        c if !is_allowed(c) => Some(""),
        _ => None,
    }
}

/// Appends elements to a text and keeps track of the open ones.
#[derive(Debug)]
pub struct Writer<'o> {
    out: &'o mut String,
    open: Vec<&'static str>,
}

impl<'o> Writer<'o> {
    /// A writer without open elements.
    pub fn new(out: &'o mut String) -> Writer<'o> {
        Writer { out, open: Vec::new() }
    }

    /// Number of open elements.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Appends a start tag. Attributes with an empty value are left out.
    pub fn start(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.out.push('<');
        self.out.push_str(name);
        for (key, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
            [" ", key, "=\""].iter().for_each(|part| self.out.push_str(part));
            self.push_words(value, true);
            self.out.push('"');
        }
        self.out.push('>');
        self.open.push(name);
    }

    /// Appends the end tag of the innermost open element, if there is one.
    pub fn end(&mut self) {
        if let Some(name) = self.open.pop() {
            ["</", name, ">"].iter().for_each(|part| self.out.push_str(part));
        }
    }

    /// Appends an element with its text, in which runs of white space become one blank.
    pub fn element(&mut self, name: &'static str, attributes: &[(&str, &str)], text: &str) {
        self.start(name, attributes);
        self.collapsed(text);
        self.end();
    }

    /// Appends text with its white space.
    pub fn exact(&mut self, text: &str) {
        text.chars().for_each(|c| self.push(c, false));
    }

    /// Appends text, in which runs of white space become one blank.
    pub fn collapsed(&mut self, text: &str) {
        self.push_words(text, false);
    }

    fn push_words(&mut self, text: &str, quoted: bool) {
        for (n, word) in text.split_whitespace().enumerate() {
            if n > 0 {
                self.out.push(' ');
            }
            word.chars().for_each(|c| self.push(c, quoted));
        }
    }

    fn push(&mut self, c: char, quoted: bool) {
        match replacement(c).filter(|_| quoted || c != '"') {
            Some(replacement) => self.out.push_str(replacement),
            None => self.out.push(c),
        }
    }

    /// Appends a line break, for places where white space has no meaning.
    pub fn line(&mut self) {
        self.out.push('\n');
    }

    /// Appends a blank between elements of running text.
    pub fn blank(&mut self) {
        self.out.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_attributes_are_escaped_and_cleaned() {
        let mut out = String::new();
        let mut writer = Writer::new(&mut out);
        writer.start("a", &[("b", "x\t\"<\u{1}"), ("c", "")]);
        writer.exact("1 < 2 ]]>\n\u{FFFF}\u{B}");
        writer.element("d", &[], " e \n f&");
        writer.end();
        writer.end();
        assert_eq!(out, "<a b=\"x &quot;&lt;\">1 &lt; 2 ]]&gt;\n<d>e f&amp;</d></a>");
    }
    #[test]
    fn text_is_escaped_where_no_element_is_written() {
        let escape = |text: &str| {
            let mut out = String::new();
            Writer::new(&mut out).exact(text);
            out
        };
        assert_eq!(escape("a <b> & \"c\"\n \u{1} d"), "a &lt;b&gt; &amp; \"c\"\n  d");
    }
}
