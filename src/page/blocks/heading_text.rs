//! Texts of headings that were collected apart from their blocks, with a blank wherever an inline element begins or ends.

/// Whether the text of a heading is that of its block with more blanks, and all of these stand beside marks (`The Pond : a story`) or are
/// missing in the `<title>` of the page, too (`Planning C ycle`). Elsewhere a blank may part two lines (`Title<span>Subtitle</span>`).
pub fn is_torn(heading: &str, block: &str, title: &str) -> bool {
    /// Bytes of the shortest block that is looked for in the title.
    const MIN_TITLED: usize = 8;
    let heading = heading.trim_end();
    let is_titled = block.len() >= MIN_TITLED && title.contains(block) && !title.contains(heading);
    let (mut torn, mut before, mut rest) = (false, [' '; 2], block.chars().peekable());
    for c in heading.chars() {
        if rest.next_if_eq(&c).is_some() || c == '\n' && rest.next_if_eq(&' ').is_some() {
            before = [c, before[0]];
            continue;
        }
        if c != ' ' || !is_titled && !is_beside_mark(before, rest.peek().copied().unwrap_or_default()) {
            return false;
        }
        torn = true;
    }
    torn && rest.next().is_none()
}

/// Whether a mark stands before or behind a place: closing ones behind it, opening ones before it, or the `::` of code. `before`: the last
/// character before it, and the one before that.
fn is_beside_mark([last, other]: [char; 2], next: char) -> bool {
    const CLOSING: &str = ":,.;!?)]}”’»%®™…，。、：；！？》」』）،؛؟";
    CLOSING.contains(next) || "([{“‘«¿¡《「『（".contains(last) || last == ':' && other == ':'
}

#[cfg(test)]
mod tests {
    use crate::page::blocks::{Options, page};

    #[test]
    fn words_of_headings_stay_whole() {
        let text = |html: &str| page(html, &Options::default()).head.candidates.remove(0).text;
        assert_eq!(
            text("<h1>The <em>Pond</em>: <b>a</b> story, in “<i>Parts</i>”</h1>"),
            "The Pond: a story, in “Parts”"
        );
        assert_eq!(text("<h1>Struct a::<wbr>b::<wbr><span>Heron</span></h1>"), "Struct a::b::Heron");
        assert_eq!(text("<h1>Title<span>Subtitle</span></h1>"), "Title Subtitle");
        assert_eq!(text("<title>Tales of H2O - Site</title><h1>Tales of H<sub>2</sub>O</h1>"), "Tales of H2O");
        assert_eq!(text("<h1>One<br>two</h1>"), "One\ntwo");
        assert_eq!(text("<title>Planning Cycle</title><h1>Planning <b>C</b>ycle</h1>"), "Planning Cycle");
        assert_eq!(text("<h1><i>Herons</i>®<i>，二</i></h1>"), "Herons®，二");
        let apart =
            "<title>Herons a study of birds | Site</title><h1><span>Herons</span><span>a study of birds</span></h1>";
        assert_eq!(text(apart), "Herons a study of birds");
        for (first, second) in
            [("बगुले का जीवन", "तालाब की कहानी"), ("Heron food", "$12"), ("The pond", "by Jane"), ("A", "12")]
        {
            assert_eq!(
                text(&format!("<h1><span>{first}</span><span>{second}</span></h1>")),
                format!("{first} {second}")
            );
        }
        assert_eq!(text("<div class=author><a>ann</a><a>bob</a></div>"), "ann bob");
    }
}
