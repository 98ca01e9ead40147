//! The corpus configuration ("registry") with which Manatee compiles the vertical files.

use super::vertical::{DOC_ATTRIBUTES, P_ATTRIBUTES};

/// A registry file for the corpus `name` (Manatee's rule: ASCII letters, digits, `_`). Paths are
/// relative to the file itself, which stands in `registry/`.
pub fn registry(name: &str) -> String {
    let mut out = format!(
        "# Compile from the folder of this file: the pipe reads relative to the current one.\n\
         NAME \"{name}\"\n\
         INFO \"Web corpus built by warcorpus {version}\"\n\
         MAINTAINER \"\"\n\
         PATH \"../manatee/{name}/\"\n\
         VERTICAL \"| zcat ../vertical/part-*.vert.gz\"\n\
         ENCODING \"UTF-8\"\n\
         DOCSTRUCTURE doc\n\
         DEFAULTATTR word\n\
         SHORTREF \"=doc.website\"\n\
         FULLREF \"doc.id,doc.url,doc.title,doc.date\"\n\
         SUBCORPATTRS \"doc.lang|doc.tld|doc.website,doc.date|doc.year\"\n\
         MAXCONTEXT 100\n\n\
         ATTRIBUTE word\n\n\
         ATTRIBUTE lc {{\n    LABEL \"word (lowercase)\"\n    DYNAMIC utf8lowercase\n    DYNLIB internal\n    ARG1 \"C\"\n    FUNTYPE s\n    FROMATTR word\n    TYPE index\n    TRANSQUERY yes\n}}\n\n",
        version = env!("CARGO_PKG_VERSION"),
    );
    structure(&mut out, "doc", DOC_ATTRIBUTES);
    structure(&mut out, "p", P_ATTRIBUTES);
    out.push_str("STRUCTURE s\n\nSTRUCTURE g {\n    DISPLAYTAG 0\n    DISPLAYBEGIN \"_EMPTY_\"\n}\n");
    out
}

fn structure(out: &mut String, name: &str, attributes: &[&str]) {
    out.push_str(&format!("STRUCTURE {name} {{\n"));
    for attribute in attributes {
        match *attribute {
            "keywords" => {
                out.push_str("    ATTRIBUTE keywords {\n        MULTIVALUE yes\n        MULTISEP \"|\"\n    }\n")
            }
            "id" if name == "doc" => out.push_str("    ATTRIBUTE id {\n        TYPE UNIQUE\n    }\n"),
            other => out.push_str(&format!("    ATTRIBUTE {other}\n")),
        }
    }
    out.push_str("}\n\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_balance_and_every_attribute_is_declared() {
        let text = registry("sample");
        assert_eq!(text.matches('{').count(), text.matches('}').count());
        for attribute in DOC_ATTRIBUTES.iter().chain(P_ATTRIBUTES) {
            assert!(text.contains(&format!("ATTRIBUTE {attribute}")), "{attribute}");
        }
    }
}
