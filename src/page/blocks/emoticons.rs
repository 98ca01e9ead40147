//! Pictures that stand for a character: emoji and the smileys of forums.

use super::tokenizer::StartTag;

/// Longest text of such a picture, in bytes: families of emoji have several characters and joiners.
const MAX_BYTES: usize = 40;

/// The text of an `<img>` that is an emoji or a smiley: `😳`, `:)`, `:thumbup:`. None for other pictures, whose `alt` describes what
/// they show.
pub fn text_of(image: &StartTag<'_>) -> Option<String> {
    // Paths and classes of vBulletin, phpBB, XenForo, WordPress, Discourse and GitHub.
    const NAMES: [&str; 4] = ["smiley", "smilie", "emoji", "emoticon"];
    let alt = image.attribute("alt").filter(|alt| !alt.is_empty() && alt.len() <= MAX_BYTES)?;
    let text = htmlize::unescape_attribute(alt);
    let text = text.trim();
    let is_named = || {
        let names = ["class", "src"].map(|name| image.attribute(name).unwrap_or_default());
        names.iter().any(|value| NAMES.iter().any(|name| value.contains(name)))
    };
    (is_emoji(text) || (is_smiley(text) || is_sign(text)) && is_named()).then(|| text.to_owned())
}

/// Whether a text is emoji alone. Older signs, such as stars and arrows, are emoji with a variation selector.
fn is_emoji(text: &str) -> bool {
    let is_old = |c| matches!(c, '\u{2190}'..='\u{2BFF}');
    let is_new = |c| matches!(c, '\u{1F1E6}'..='\u{1FAFF}');
    let has_selector = text.contains('\u{FE0F}');
    text.chars().any(|c| is_new(c) || has_selector && is_old(c))
        && text.chars().all(|c| is_new(c) || is_old(c) || matches!(c, '\u{FE0F}' | '\u{200D}'))
}

/// Whether a text is a sign that is typed nowhere: `⏰`, `1️⃣`, `©️`.
fn is_sign(text: &str) -> bool {
    let is_picture =
        |c| matches!(c, '©' | '®' | '\u{20E3}' | '\u{2100}'..='\u{2BFF}' | '\u{3030}'..='\u{32FF}' | '\u{1F000}'..);
    text.chars().count() <= 3 && text.chars().any(is_picture) && !text.chars().any(char::is_alphabetic)
}

/// Whether a text is a smiley as typed: a name between colons, or a short face with eyes.
fn is_smiley(text: &str) -> bool {
    let name = text.strip_prefix(':').and_then(|rest| rest.strip_suffix(':'));
    let is_name = name.is_some_and(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+'))
    });
    let has_eyes =
        text.contains([':', ';', '=', '^']) || text.ends_with([')', 'D']) && text.starts_with(['8', 'x', 'X', 'B']);
    let is_face = (2..=5).contains(&text.len())
        && has_eyes
        && text.bytes().all(|byte| byte.is_ascii_punctuation() || b"DPpOoSsXxBb830cC".contains(&byte));
    is_name || is_face
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::attributes::AttributeList;

    #[test]
    fn only_pictures_of_characters_have_a_text() {
        let text = |tag: &str| text_of(&StartTag::read(tag, &mut AttributeList::default()).unwrap());
        for (tag, want) in [
            ("<img class=emoji alt='😳'>", "😳"),
            ("<img alt='&#x1F44D;&#x1F3FD;'>", "👍🏽"),
            ("<img alt='🇨🇿'>", "🇨🇿"),
            ("<img src=/images/smilies/wink.gif alt=';)' title=Wink>", ";)"),
            ("<img class=smilie alt=':-D'>", ":-D"),
            ("<img src=/emoticons/t.gif alt=:thumbup:>", ":thumbup:"),
            ("<img class=smilie alt='8)'>", "8)"),
            ("<img class=emoji alt='1\u{FE0F}\u{20E3}'>", "1\u{FE0F}\u{20E3}"),
            ("<img alt='▶\u{FE0F}'>", "▶\u{FE0F}"),
        ] {
            assert_eq!(text(tag).as_deref(), Some(want), "{tag}");
        }
        for tag in [
            "<img>",
            "<img alt=''>",
            "<img alt=':)'>",
            "<img class=smiley alt='Smile'>",
            "<img class=emoji alt='8.5'>",
            "<img class=emoji alt='8.0'>",
            "<img class=emoji alt='&lt;b&gt;'>",
            "<img class=emoji alt='雪'>",
            "<img class=smiley alt='€ 5'>",
            "<img class=smiley alt=·>",
            "<img alt=➜>",
            "<img class=emoji alt='A girl smiling'>",
            "<img alt='★ 4 of 5'>",
        ] {
            assert_eq!(text(tag), None, "{tag}");
        }
    }
}
