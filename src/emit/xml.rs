//! XML 1.0: text that is safe in it, and elements that close in the order in which they were opened.

/// Whether XML 1.0 may hold it, and a reader should: of the control characters only TAB, LF and CR.
pub fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r') || !(c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}'))
}

/// What stands for a character in text and in attributes with double quotes; `None` if it stands for itself.
pub fn escaped(c: char) -> Option<&'static str> {
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

/// Writes elements; closes only what is open.
pub struct Writer<'o> {
    out: &'o mut String,
    open: Vec<&'static str>,
}

impl<'o> Writer<'o> {
    pub fn new(out: &'o mut String) -> Writer<'o> {
        Writer { out, open: Vec::new() }
    }

    /// Number of open elements.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// A start tag; attributes with an empty value are left out.
    pub fn start(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.out.push('<');
        self.out.push_str(name);
        for (key, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
            [" ", key, "=\""].iter().for_each(|part| self.out.push_str(part));
            self.words(value, true);
            self.out.push('"');
        }
        self.out.push('>');
        self.open.push(name);
    }

    /// The end tag of the innermost element.
    pub fn end(&mut self) {
        if let Some(name) = self.open.pop() {
            ["</", name, ">"].iter().for_each(|part| self.out.push_str(part));
        }
    }

    /// A whole element with its text.
    pub fn element(&mut self, name: &'static str, attributes: &[(&str, &str)], text: &str) {
        self.start(name, attributes);
        self.collapsed(text);
        self.end();
    }

    /// Text as it stands.
    pub fn exact(&mut self, text: &str) {
        text.chars().for_each(|c| self.push(c, false));
    }

    /// Text, runs of white space as one blank.
    pub fn collapsed(&mut self, text: &str) {
        self.words(text, false);
    }

    fn words(&mut self, text: &str, quoted: bool) {
        for (n, word) in text.split_whitespace().enumerate() {
            if n > 0 {
                self.out.push(' ');
            }
            word.chars().for_each(|c| self.push(c, quoted));
        }
    }

    fn push(&mut self, c: char, quoted: bool) {
        match escaped(c).filter(|_| quoted || c != '"') {
            Some(entity) => self.out.push_str(entity),
            None => self.out.push(c),
        }
    }

    /// A line break, where white space means nothing.
    pub fn line(&mut self) {
        self.out.push('\n');
    }

    /// A blank between elements of one line of text.
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
}
