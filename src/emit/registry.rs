//! The corpus configuration ("registry") with which Manatee compiles the vertical files.

use super::vertical::{DOC_ATTRIBUTES, Options, P_ATTRIBUTES, StructureAttribute};
use super::{FormatCounts, Languages};
use crate::document::labels::LabelColumn;
use crate::language::Language;

/// Tokens up to which Manatee's default storage of a positional attribute will do.
const MAX_DEFAULT_STORAGE: u64 = 250_000_000;
/// Tokens up to which its default storage of a structure will do.
const MAX_POSITIONS: u64 = (1 << 31) - 1;

/// A registry file for the corpus `name` (Manatee's rule: ASCII letters, digits, `_`). A corpus of one language names it.
/// Attributes of structures that never have a value are not declared. Paths are relative to the folder of the file,
/// `registry/`.
pub fn registry(name: &str, options: &Options, labels: &[LabelColumn], counts: &FormatCounts) -> String {
    let has = |attribute: &str| {
        let (structure, attribute) = attribute.trim_start_matches('=').split_once('.').unwrap_or_default();
        structure == "doc" && present(DOC_ATTRIBUTES, counts.doc).any(|known| known.name == attribute)
    };
    let list = |attributes: &[&str], separator: &str| {
        attributes.iter().copied().filter(|attribute| has(attribute)).collect::<Vec<_>>().join(separator)
    };
    let subcorpora = [
        ["doc.lang", "doc.tld", "doc.website"].as_slice(),
        &["doc.date", "doc.year", "doc.month"],
        &["doc.page_type", "doc.confidence"],
    ];
    let subcorpora: Vec<String> =
        subcorpora.map(|group| list(group, "|")).into_iter().filter(|g| !g.is_empty()).collect();
    let language = match counts.languages {
        Languages::One(language) if language != Language::UNDETERMINED => language.name(),
        _ => "",
    };
    let named = [("LANGUAGE", language), ("MAINTAINER", &options.maintainer), ("INFOHREF", &options.info_url)];
    let named = named.into_iter().filter(|(_, value)| !value.is_empty());
    let named: String = named.map(|(key, value)| format!("{key} \"{value}\"\n")).collect();
    let mut out = format!(
        "# Compile from the folder of this file: the pipe reads relative to the current one.\n\
         NAME \"{name}\"\n\
         INFO \"Web corpus built by warcorpus {version}\"\n\
         {named}\
         PATH \"../manatee/{name}/\"\n\
         VERTICAL \"| ls -v ../vertical/part-*.vert.gz | xargs zcat\"\n\
         ENCODING \"UTF-8\"\n\
         DOCSTRUCTURE doc\n\
         DEFAULTATTR word\n\
         SHORTREF \"{short}\"\n\
         FULLREF \"{full}\"\n\
         SUBCORPATTRS \"{subcorpora}\"\n\
         MAXCONTEXT 100\n\n",
        version = env!("CARGO_PKG_VERSION"),
        short = list(&["=doc.website"], ""),
        full = list(&["doc.id", "doc.url", "doc.title", "doc.date"], ","),
        subcorpora = subcorpora.join(","),
    );
    options.columns.iter().for_each(|column| positional(&mut out, column, counts.tokens));
    if !options.columns.iter().any(|column| column == "lc") {
        out.push_str(LC);
    }
    let large = counts.tokens > MAX_POSITIONS;
    structure(&mut out, "doc", present(DOC_ATTRIBUTES, counts.doc), labels, large);
    structure(&mut out, "p", present(P_ATTRIBUTES, counts.p), &[], large);
    structure(&mut out, "s", present::<()>(&[], 0), &[], large);
    if counts.gaps > 0 {
        out.push_str(GAP);
        out.push_str(if large { "    TYPE \"file64\"\n}\n\n" } else { "}\n\n" });
    }
    out.push_str("STRUCTURE g {\n    DISPLAYTAG 0\n    DISPLAYBEGIN \"_EMPTY_\"\n");
    out.push_str(if large { "    TYPE \"file64\"\n}\n" } else { "}\n" });
    out
}

/// The attribute `lc` as Manatee computes it from `word`, for files without a column of that name.
const LC: &str = "ATTRIBUTE lc {\n    LABEL \"word (lowercase)\"\n    DYNAMIC utf8lowercase\n    DYNLIB internal\n    \
    ARG1 \"C\"\n    FUNTYPE s\n    FROMATTR word\n    TYPE index\n    TRANSQUERY yes\n}\n\n";

/// The structure `gap`, without the end of its block.
const GAP: &str = "STRUCTURE gap {\n    ATTRIBUTE n\n    ATTRIBUTE reason {\n        MULTIVALUE yes\n        \
    MULTISEP \"|\"\n    }\n";

fn positional(out: &mut String, name: &str, tokens: u64) {
    let storage = if tokens > MAX_DEFAULT_STORAGE { " {\n    TYPE \"FD_FGD\"\n}" } else { "" };
    out.push_str(&format!("ATTRIBUTE {name}{storage}\n\n"));
}

/// The attributes whose bits are set.
fn present<T>(attributes: &[StructureAttribute<T>], bits: u32) -> impl Iterator<Item = &StructureAttribute<T>> {
    attributes.iter().enumerate().filter(move |(n, _)| bits >> n & 1 == 1).map(|(_, attribute)| attribute)
}

fn structure<'a, T: 'a>(
    out: &mut String,
    name: &str,
    attributes: impl Iterator<Item = &'a StructureAttribute<T>>,
    labels: &[LabelColumn],
    large: bool,
) {
    out.push_str(&format!("STRUCTURE {name} {{\n"));
    if large {
        out.push_str("    TYPE \"file64\"\n");
    }
    for attribute in attributes {
        out.push_str(&format!("    ATTRIBUTE {}", attribute.name));
        if !attribute.registry_lines.is_empty() {
            out.push_str(" {\n");
            attribute.registry_lines.iter().for_each(|line| out.push_str(&format!("        {line}\n")));
            out.push_str("    }");
        }
        out.push('\n');
    }
    labels.iter().for_each(|label| out.push_str(&format!("    ATTRIBUTE {}\n", label.name)));
    out.push_str("}\n\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::labels::LabelKind;

    fn options(columns: &[&str]) -> Options {
        Options { columns: columns.iter().map(ToString::to_string).collect(), ..Options::default() }
    }

    #[test]
    fn a_corpus_of_one_language_names_it() {
        let one = |code| FormatCounts {
            languages: Languages::One(Language::by_code(code).unwrap()),
            ..FormatCounts::default()
        };
        let maintained = Options { maintainer: "corpora@example.org".into(), ..Options::default() };
        let text = registry("sample", &maintained, &[], &one("ces"));
        assert!(text.contains("\nLANGUAGE \"Czech\"\nMAINTAINER \"corpora@example.org\"\nPATH"), "{text}");
        let mut both = one("ces");
        both += FormatCounts::default();
        assert_eq!(both, one("ces"));
        both += one("deu");
        assert!(!registry("sample", &maintained, &[], &both).contains("LANGUAGE"));
    }

    #[test]
    fn only_what_occurs_is_declared() {
        let counts = FormatCounts { tokens: 1, doc: 0b100_0000_0000_0011, p: 0b10, ..FormatCounts::default() };
        let text = registry(
            "sample",
            &options(&["word", "tag"]),
            &[LabelColumn { name: "edu".into(), kind: LabelKind::Score }],
            &counts,
        );
        assert_eq!(text.matches('{').count(), text.matches('}').count());
        let declared: Vec<_> = text.lines().filter_map(|line| line.trim().strip_prefix("ATTRIBUTE ")).collect();
        assert_eq!(declared, ["word", "tag", "lc {", "id {", "url", "keywords {", "edu", "heading"]);
        assert!(text.contains("FULLREF \"doc.id,doc.url\"\nSUBCORPATTRS \"\"\n"), "{text}");
        assert!(!text.contains("TYPE \"") && !text.contains("STRUCTURE gap"));
        let with_gaps = registry("sample", &options(&["word"]), &[], &FormatCounts { gaps: 1, ..counts });
        assert!(with_gaps.contains("\nSTRUCTURE gap {\n    ATTRIBUTE n\n    ATTRIBUTE reason {\n"), "{with_gaps}");
        assert_eq!(with_gaps.matches('{').count(), with_gaps.matches('}').count());
    }

    #[test]
    fn columns_of_large_corpora_are_stored_otherwise() {
        let of =
            |tokens| registry("sample", &options(&["word", "lc"]), &[], &FormatCounts { tokens, ..Default::default() });
        assert!(!of(250_000_000).contains("TYPE"));
        assert_eq!(of(250_000_001).matches("TYPE \"FD_FGD\"").count(), 2);
        assert_eq!(of((1 << 31) - 1).matches("file64").count(), 0);
        assert_eq!(of(1 << 31).matches("file64").count(), 4);
    }
}
