//! HTML: one self-contained page.

use std::io::{self, Write};

use super::record::escaped;
use crate::concord::hit::Hit;
use crate::concord::options::HitContext;
use crate::text::counted;

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;margin:1.5rem;color:#222;background:#fff}
h1{font-size:1.2rem}
.hit{display:flex;gap:1rem;border-bottom:1px solid #eee}
.hit a{flex:0 0 13rem;overflow:hidden;white-space:nowrap;text-overflow:ellipsis;font-size:.8rem;color:#567}
.hit p{flex:1;margin:0;min-width:0}
.kwic{display:flex;white-space:pre}
.kwic span{flex:1 1 0;overflow:hidden}
.kwic span:first-child{display:flex;justify-content:flex-end}
mark{background:#fe9;color:inherit}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#191919}.hit{border-color:#333}.hit a{color:#9bd}mark{background:#640}}";

/// Writes the head of the page.
pub fn begin(out: &mut impl Write, keyword: &str) -> io::Result<()> {
    let keyword = escaped(keyword);
    writeln!(
        out,
        "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"viewport\" content=\"width=device-width\">\n<title>{keyword}</title>\n\
        <style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1 dir=\"auto\">{keyword}</h1>"
    )
}

/// Writes a row with the address and the text. The text has its own direction, so that in Arabic or Hebrew the context
/// before the hit is on its right.
pub fn hit(out: &mut impl Write, hit: &Hit, context: HitContext) -> io::Result<()> {
    let url = escaped(&hit.document.url);
    // Addresses with other schemes, such as javascript:, are not linked.
    let link = match url.starts_with("http://") || url.starts_with("https://") {
        true => format!(" href=\"{url}\" rel=\"noreferrer\""),
        false => String::new(),
    };
    let class = if context == HitContext::Sentence { "" } else { " class=\"kwic\"" };
    writeln!(
        out,
        "<div class=\"hit\"><a{link} title=\"{}:{} {url}\"><bdi>{url}</bdi></a>\
        <p{class} dir=\"auto\"><span>{}</span><mark>{}</mark><span>{}</span></p></div>",
        hit.document.doc,
        hit.paragraph,
        escaped(hit.left()),
        escaped(hit.form()),
        escaped(hit.right()),
    )
}

/// Writes the end of the page.
pub fn end(out: &mut impl Write, printed: u64) -> io::Result<()> {
    writeln!(out, "<p>{}</p>\n</body>\n</html>", counted(printed as usize, "hit"))
}
