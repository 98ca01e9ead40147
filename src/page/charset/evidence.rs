//! What a page and its HTTP header declare about its encoding, and by which bytes it is in one that has no decoder.

use encoding_rs::{Encoding, REPLACEMENT, UTF_16BE, UTF_16LE};
use memchr::{memchr, memmem};

use super::any_encoding::AnyEncoding;
use super::decoding::{Body, EncodingChoice};
use super::prescan::{Prescan, prescan, xml_declaration};
use super::source::CharsetSource;
use super::{Undecodable, labels};

/// What the page and its HTTP header declare.
pub(super) struct Evidence {
    /// The first usable declaration.
    pub(super) declared: Option<EncodingChoice>,
    /// The label of `declared`; if no label was usable, the first one met.
    pub(super) label: Option<String>,
    /// The encoding that the page declares where another one, of its HTTP header, counts.
    pub(super) overruled: Option<AnyEncoding>,
    /// The language the page declares.
    pub(super) language: Option<String>,
}

impl Evidence {
    pub(super) fn gather(body: &[u8], http: Option<&str>) -> Self {
        let of_http = http
            .and_then(|label| Some((labels::lookup(label)?, String::from(label))))
            .filter(|(encoding, _)| !refuted_utf16(*encoding, body));
        let of_xml = xml_declaration(body);
        let Prescan { meta, label, language } = prescan(body, of_http.is_none() && of_xml.is_none());
        let of_meta = meta.as_ref().map(|(encoding, _)| *encoding);
        let named = |source| move |(encoding, label)| (EncodingChoice { encoding, source }, label);
        let usable = of_http
            .map(named(CharsetSource::Http))
            .or_else(|| meta.map(named(CharsetSource::Meta)))
            .or_else(|| of_xml.map(named(CharsetSource::Xml)));
        let (declared, used) = usable.unzip();
        let overruled = of_meta.filter(|meta| declared.is_some_and(|choice| choice.encoding != *meta));
        Self { declared, label: used.or(http.map(String::from)).or(label), overruled, language }
    }
}

/// Markup in UTF-16 is half NUL bytes; without any, the declaration is false. Declarations of the page itself are never of
/// UTF-16 then (see [`super::prescan`]).
fn refuted_utf16(encoding: AnyEncoding, body: &[u8]) -> bool {
    (encoding == UTF_16LE || encoding == UTF_16BE) && memchr(0, body).is_none()
}

/// Encodings that decode to nothing but one U+FFFD by the standard. Their
/// labels are often false, so the marks of the encoding must be there as well.
pub(super) fn undecodable(body: &Body<'_>, label: Option<&str>) -> Option<Undecodable> {
    let has = |mark: &[u8]| memmem::find(body.bytes, mark).is_some();
    if body.has_seven_bit_escape() {
        if has(b"\x1B$)C") {
            return Some(Undecodable::Iso2022Kr);
        }
        if has(b"\x1B$)A") || has(b"\x1B$)G") {
            return Some(Undecodable::Iso2022Cn);
        }
    }
    let replaced = label.and_then(|label| Encoding::for_label(label.as_bytes())) == Some(REPLACEMENT);
    let hz = replaced && body.is_ascii() && has(b"~{");
    hz.then_some(Undecodable::Hz)
}
