//! The decision about an encoding: a declaration against the bytes.

use encoding_rs::{ISO_8859_2, UTF_8, WINDOWS_1250, WINDOWS_1252};

use super::decoding::{Body, DecodedBody, EncodingChoice};
use super::detect;
use super::refine::{is_not_western, is_windows_1250};
use super::source::CharsetSource;
use super::utf8::tolerable;

/// Weighs the declaration against the bytes and decodes.
///
/// * UTF-8 bytes are UTF-8, whatever was declared: legacy text that is valid
///   UTF-8 by chance does not occur.
/// * ISO-8859-1, which editors and servers declare unasked, is dropped where
///   letters stand at the places of another script.
/// * ISO-8859-2 is dropped for windows-1250 where the letters stand at the
///   places of the latter.
/// * A declared encoding in which many sequences are malformed is dropped for
///   a detected one, if that does better.
pub(super) fn decode_by_evidence<'a>(
    body: &Body<'a>,
    declared: Option<EncodingChoice>,
    hint: Option<&str>,
) -> DecodedBody<'a> {
    let utf8 = body.utf8_count();
    let detect = || EncodingChoice {
        encoding: detect::detect(body.bytes, hint, !body.truncated),
        source: CharsetSource::Detected,
    };
    match declared {
        Some(choice) if choice.encoding == UTF_8 => {
            if utf8.is_tolerable() {
                return choice.decode(body);
            }
            detect().decode(body)
        }
        Some(_) if utf8.is_certain() => {
            EncodingChoice { encoding: UTF_8, source: CharsetSource::Utf8Override }.decode(body)
        }
        Some(choice) => {
            let text = choice.decode(body);
            if choice.encoding == WINDOWS_1252 && !body.is_ascii() && is_not_western(body.bytes) {
                let other = detect().decode(body);
                return if other.malformed == 0 && !other.survey.c1 { other } else { text };
            }
            if choice.encoding == ISO_8859_2 && text.survey.c1 && is_windows_1250(body.bytes) {
                return EncodingChoice { encoding: WINDOWS_1250, source: CharsetSource::Detected }.decode(body);
            }
            if tolerable(text.malformed, text.non_ascii()) {
                return text;
            }
            let other = detect().decode(body);
            if other.malformed < text.malformed { other } else { text }
        }
        None if utf8.is_valid() && !body.has_seven_bit_escape() || utf8.is_certain() => {
            EncodingChoice { encoding: UTF_8, source: CharsetSource::Utf8 }.decode(body)
        }
        None => detect().decode(body),
    }
}
