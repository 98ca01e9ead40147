//! Names of months that are several tokens → one token each: of several words (`كانون الثاني`, `Tháng Mười Hai`), with full
//! stops or joiners inside (`มี.ค.`, `ഒക്‌ടോബർ`), or given twice (`آذار/مارس`).

use std::borrow::Cow;

use super::date_tokens::DateToken;
use super::months::month;

/// The tokens with one in place of those of each such name.
pub(super) fn with_whole_names<'a, 't>(tokens: &'t [DateToken<'a>]) -> Cow<'t, [DateToken<'a>]> {
    // Each of those names has a letter beyond ASCII.
    if tokens.iter().all(|token| token.word.is_ascii()) {
        return Cow::Borrowed(tokens);
    }
    let mut whole: Vec<DateToken<'a>> = Vec::with_capacity(tokens.len());
    let mut rest = tokens;
    while let [first, others @ ..] = rest {
        let (token, after) = parted_name(first, others).unwrap_or((*first, others));
        rest = after;
        if let Some(last) = whole.last_mut()
            && is_other_name(last, &token)
        {
            last.separator = token.separator;
        } else {
            whole.push(token);
        }
    }
    Cow::Owned(whole)
}

/// The name that begins with a token, as one token that is in the tables, and the tokens behind it.
fn parted_name<'a, 't>(
    first: &DateToken<'a>,
    others: &'t [DateToken<'a>],
) -> Option<(DateToken<'a>, &'t [DateToken<'a>])> {
    let (_, names) = PARTED.iter().find(|(begin, _)| is_word(first.word, begin))?;
    names.iter().find_map(|&(words, name)| {
        let (parts, after) = others.split_at_checked(words.split(' ').count())?;
        let is_name = words.split(' ').zip(parts).all(|(word, part)| is_word(part.word, word));
        let separator = parts.last()?.separator;
        // `12 tháng năm 2023` are twelve months of that year: "năm" is five, and year.
        let is_year = || separator.is_none() && after.first().is_some_and(|next| next.number_of(4..=4).is_some());
        (is_name && !(words == "năm" && is_year()))
            .then_some((DateToken { word: name, number: None, separator, is_joined: false }, after))
    })
}

/// Whether a word is one that is given in lower case.
fn is_word(word: &str, lower: &str) -> bool {
    word.len() == lower.len() && word.chars().flat_map(char::to_lowercase).eq(lower.chars())
}

/// Whether a token is a second name, behind a stroke or in a bracket, of the month that the token before names.
fn is_other_name(before: &DateToken, token: &DateToken) -> bool {
    let named = |token: &DateToken| month(&token.word.to_lowercase());
    matches!(before.separator, Some('/' | '(')) && named(before).is_some_and(|number| named(token) == Some(number))
}

/// First words, and for each what may follow with the name in the tables; what begins with another entry stands before that.
/// What has an empty name begins like a month and is none.
static PARTED: &[(&str, &[(&str, &str)])] = &[
    // Arabic of the Levant and Iraq.
    ("كانون", &[("الثاني", "يناير"), ("ثاني", "يناير"), ("الأول", "ديسمبر"), ("الاول", "ديسمبر"), ("أول", "ديسمبر")]),
    ("تشرين", &[("الأول", "أكتوبر"), ("الاول", "أكتوبر"), ("أول", "أكتوبر"), ("الثاني", "نوفمبر"), ("ثاني", "نوفمبر")]),
    // Sorani Kurdish.
    ("کانوونی", &[("دووەم", "يناير"), ("دووەمی", "يناير"), ("یەکەم", "ديسمبر"), ("یەکەمی", "ديسمبر")]),
    ("کانونی", &[("دووەم", "يناير"), ("دووەمی", "يناير"), ("یەکەم", "ديسمبر"), ("یەکەمی", "ديسمبر")]),
    ("تشرینی", &[("یەکەم", "أكتوبر"), ("یەکەمی", "أكتوبر"), ("دووەم", "نوفمبر"), ("دووەمی", "نوفمبر")]),
    // Thai: a commission (ก.ค.ศ.) and New Year's cards (ส.ค.ส.) begin like months.
    ("ม", &[("ค", "มกราคม")]),
    ("ก", &[("ค ศ", ""), ("พ", "กุมภาพันธ์"), ("ค", "กรกฎาคม"), ("ย", "กันยายน")]),
    ("มี", &[("ค", "มีนาคม")]),
    ("เม", &[("ย", "เมษายน")]),
    ("พ", &[("ค", "พฤษภาคม"), ("ย", "พฤศจิกายน")]),
    ("มิ", &[("ย", "มิถุนายน")]),
    ("ส", &[("ค ส", ""), ("ค", "สิงหาคม")]),
    ("ต", &[("ค", "ตุลาคม")]),
    ("ธ", &[("ค", "ธันวาคม")]),
    // Mongolian: eleven and twelve are ten and one, ten and two.
    ("нэгдүгээр", &[("сарын", "january")]),
    ("хоёрдугаар", &[("сарын", "february")]),
    ("гуравдугаар", &[("сарын", "march")]),
    ("дөрөвдүгээр", &[("сарын", "april")]),
    ("тавдугаар", &[("сарын", "may")]),
    ("зургаадугаар", &[("сарын", "june")]),
    ("долоодугаар", &[("сарын", "july")]),
    ("наймдугаар", &[("сарын", "august")]),
    ("есдүгээр", &[("сарын", "september")]),
    ("аравдугаар", &[("сарын", "october")]),
    ("арван", &[("нэгдүгээр сарын", "november"), ("хоёрдугаар сарын", "december")]),
    ("tháng", VIETNAMESE),
    ("oṣù", YORUBA),
    // Irish.
    ("meán", &[("fómhair", "september")]),
    ("deireadh", &[("fómhair", "october")]),
    // Malayalam and Sinhala, with a joiner.
    ("മാര്", &[("ച്ച്", "മാർച്ച്")]),
    ("ഒക്", &[("ടോബർ", "ഒക്ടോബർ"), ("ടോബര്", "ഒക്ടോബർ")]),
    ("අප්", &[("රේල්", "අප්රේල්"), ("රියෙල්", "අප්රේල්")]),
];

const VIETNAMESE: &[(&str, &str)] = &[
    ("giêng", "january"),
    ("một", "january"),
    ("hai", "february"),
    ("ba", "march"),
    ("tư", "april"),
    ("năm", "may"),
    ("sáu", "june"),
    ("bảy", "july"),
    ("bẩy", "july"),
    ("tám", "august"),
    ("chín", "september"),
    ("mười một", "november"),
    ("mười hai", "december"),
    ("mười", "october"),
    ("chạp", "december"),
];

const YORUBA: &[(&str, &str)] = &[
    ("kìíní", "january"),
    ("kínní", "january"),
    ("kejì", "february"),
    ("kẹta", "march"),
    ("kẹrin", "april"),
    ("karùn ún", "may"),
    ("kẹfà", "june"),
    ("keje", "july"),
    ("kẹjọ", "august"),
    ("kẹsàn án", "september"),
    ("kẹwàá", "october"),
    ("kọkànlá", "november"),
    ("kejìlá", "december"),
];

#[cfg(test)]
mod tests {
    use super::super::date_tokens::tokens_of;
    use super::*;

    #[test]
    fn every_parted_name_becomes_one_of_the_tables() {
        for (first, names) in PARTED {
            for (words, name) in *names {
                let text = format!("{first} {words}");
                let tokens = tokens_of(&text);
                let whole = with_whole_names(&tokens);
                assert_eq!(whole.iter().map(|token| token.word).collect::<Vec<_>>(), [*name], "{text}");
                assert_eq!(month(name).is_some(), !name.is_empty(), "{name}");
            }
        }
    }

    #[test]
    fn the_same_month_twice_is_one_token() {
        let joined = |text: &str| {
            let tokens = tokens_of(text);
            with_whole_names(&tokens).iter().map(|token| token.word).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(joined("آذار/مارس"), "آذار");
        assert_eq!(joined("تشرين الأول (أكتوبر)"), "أكتوبر");
        assert_eq!(joined("آذار/نيسان"), "آذار نيسان");
        assert_eq!(joined("آذار مارس"), "آذار مارس");
        assert_eq!(joined("كانون 5"), "كانون 5");
    }
}
