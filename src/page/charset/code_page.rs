//! Encodings of DOS and of the Mac that pages of the nineties have, and browsers and the Encoding Standard have not.
//!
//! The tables are those that the Unicode Consortium publishes for Microsoft (`MAPPINGS/VENDORS/MICSFT/PC`) and Apple
//! (`MAPPINGS/VENDORS/APPLE/CENTEURO.TXT`).

/// An encoding of one byte per character whose lower half is ASCII.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CodePage {
    /// By IANA; for that of the Mac, which is not registered, by uchardet.
    pub(super) name: &'static str,
    /// What pages call it, in lower case and without hyphens.
    labels: &'static [&'static str],
    /// The characters of the bytes 80 to FF; U+FFFD where there is none.
    pub(super) upper: &'static str,
}

impl CodePage {
    /// The code page of a label in lower case without hyphens.
    pub(super) fn for_label(label: &str) -> Option<&'static Self> {
        CODE_PAGES.into_iter().find(|page| page.labels.contains(&label))
    }

    /// The text of `bytes`, and how many of them are no character, each a U+FFFD in the text.
    pub(super) fn decode(&self, bytes: &[u8]) -> (String, usize) {
        let upper: Vec<char> = self.upper.chars().collect();
        let mut text = String::with_capacity(bytes.len() + bytes.len() / 4);
        let mut malformed = 0;
        for &byte in bytes {
            let character = match byte.checked_sub(0x80) {
                None => char::from(byte),
                Some(place) => upper.get(usize::from(place)).copied().unwrap_or(char::REPLACEMENT_CHARACTER),
            };
            malformed += usize::from(character == char::REPLACEMENT_CHARACTER);
            text.push(character);
        }
        (text, malformed)
    }
}

/// All of them. Where two read a page as well, the first one counts.
pub(super) static CODE_PAGES: [&CodePage; 8] =
    [&IBM850, &IBM852, &MAC_CENTRALEUROPE, &IBM437, &IBM855, &IBM857, &IBM775, &IBM737];

/// Western Europe.
static IBM850: CodePage = CodePage {
    name: "IBM850",
    labels: &["ibm850", "cp850", "dos850"],
    upper: "\
        ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
        └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
};

/// Central Europe.
static IBM852: CodePage = CodePage {
    name: "IBM852",
    labels: &["ibm852", "cp852", "dos852"],
    upper: "\
        ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐\
        └┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘§÷¸°¨˙űŘř■\u{a0}",
};

/// Central Europe and the Baltic states, on the Mac.
static MAC_CENTRALEUROPE: CodePage = CodePage {
    name: "mac-centraleurope",
    labels: &["maccentraleurope", "xmaccentraleurope", "xmacce", "macce", "xmaccentraleurroman"],
    upper: "\
        ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü†°Ę£§•¶ß®©™ę¨≠ģĮįĪ≤≥īĶ∂∑łĻļĽľĹĺŅ\
        ņŃ¬√ńŇ∆«»…\u{a0}ňŐÕőŌ–—“”‘’÷◊ōŔŕŘ‹›řŖŗŠ‚„šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ",
};

/// The first one: Western Europe, Greek letters as signs of mathematics.
static IBM437: CodePage = CodePage {
    name: "IBM437",
    labels: &["ibm437", "cp437", "dos437"],
    upper: "\
        ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
        └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
};

/// Cyrillic script.
static IBM855: CodePage = CodePage {
    name: "IBM855",
    labels: &["ibm855", "cp855", "dos855"],
    upper: "\
        ђЂѓЃёЁєЄѕЅіІїЇјЈљЉњЊћЋќЌўЎџЏюЮъЪаАбБцЦдДеЕфФгГ«»░▒▓│┤хХиИ╣║╗╝йЙ┐\
        └┴┬├─┼кК╚╔╩╦╠═╬¤лЛмМнНоОп┘┌█▄Пя▀ЯрРсСтТуУжЖвВьЬ№\u{ad}ыЫзЗшШэЭщЩчЧ§■\u{a0}",
};

/// Turkish.
static IBM857: CodePage = CodePage {
    name: "IBM857",
    labels: &["ibm857", "cp857", "dos857"],
    upper: "\
        ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
        └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ\u{fffd}ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµ\u{fffd}×ÚÛÙìÿ¯´\u{ad}±\u{fffd}¾¶§÷¸°¨·¹³²■\u{a0}",
};

/// The Baltic states.
static IBM775: CodePage = CodePage {
    name: "IBM775",
    labels: &["ibm775", "cp775", "dos775"],
    upper: "\
        ĆüéāäģåćłēŖŗīŹÄÅÉæÆōöĢ¢ŚśÖÜø£Ø×¤ĀĪóŻżź”¦©®¬½¼Ł«»░▒▓│┤ĄČĘĖ╣║╗╝ĮŠ┐\
        └┴┬├─┼ŲŪ╚╔╩╦╠═╬Žąčęėįšųūž┘┌█▄▌▐▀ÓßŌŃõÕµńĶķĻļņĒŅ’\u{ad}±“¾¶§÷„°∙·¹³²■\u{a0}",
};

/// Greek.
static IBM737: CodePage = CodePage {
    name: "IBM737",
    labels: &["ibm737", "cp737", "dos737"],
    upper: "\
        ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψ░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
        └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀ωάέήϊίόύϋώΆΈΉΊΌΎΏ±≥≤ΪΫ÷≈°∙·√ⁿ²■\u{a0}",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_character_of_its_own_for_every_byte() {
        for page in CODE_PAGES {
            assert_eq!(page.upper.chars().count(), 128, "{}", page.name);
            let mut characters: Vec<char> = page.upper.chars().filter(|c| *c != char::REPLACEMENT_CHARACTER).collect();
            assert!(characters.iter().all(|c| !c.is_ascii() && !c.is_control()), "{}", page.name);
            characters.sort_unstable();
            assert!(characters.is_sorted_by(|a, b| a < b), "{}", page.name);
        }
    }

    #[test]
    fn labels_and_texts() {
        let decoded = |label: &str, bytes: &[u8]| CodePage::for_label(label).map(|page| page.decode(bytes));
        for (label, bytes, text) in [
            ("cp850", b"Gr\x94\xE1e".as_slice(), "Größe"),
            ("ibm852", b"P\xFD\xA1li\xE7", "Příliš"),
            ("xmacce", b"P\xDE\x92li\xE4", "Příliš"),
            ("cp437", b"\xC9\xCD\xBB \xE0", "╔═╗ α"),
            ("ibm855", b"\xDD\xE1\xB7\xEB", "Прив"),
            ("cp857", b"\xA7\x8D\x9F", "ğış"),
            ("cp775", b"\xD0\xD1\xD2", "ąčę"),
            ("dos737", b"\x80\x98\xE0", "Ααω"),
        ] {
            assert_eq!(decoded(label, bytes), Some((String::from(text), 0)));
        }
        assert_eq!(decoded("cp857", b"a\xD5"), Some((String::from("a\u{fffd}"), 1)));
        assert_eq!(decoded("cp866", b"a"), None);
    }
}
