//! Line breaks inside a block (`<br>`, line ends of plain text): which of them end a line of the text, as in a poem, an
//! address or behind a title in bold, and which only fit it to the width of a screen.
//!
//! `docs/cleaning.md` has the figures.

use crate::text::char_classes::{
    is_alphabetic, is_chinese_or_japanese, is_georgian, is_hangul, is_letter_or_mark, is_mark,
};
use crate::text::segments::{ETHIOPIC_COLON, is_own_mark};

/// One of so many lines may go on in small letters, or all are those of a narrow page.
const LINES_FOR_ONE_SMALL: usize = 4;
/// So many lines that begin with capitals or without case, none of them longer than so many letters, are verse: those that end
/// with a comma end too.
const LINES_OF_VERSE: usize = 4;
const LONGEST_VERSE: usize = 60;
/// One of so many lines without case may have a mark inside and none at its end, or the text is prose.
const LINES_FOR_ONE_RUN_ON: usize = 4;
/// Most characters of a label with its colon: `電話：`.
const LONGEST_LABEL: usize = 12;
/// Characters before the first word of a line.
const OPENING: [char; 12] = ['"', '\'', '“', '„', '‘', '‚', '«', '»', '(', '[', '¿', '¡'];
/// Signs before the items of a list.
const BULLETS: [char; 16] = ['•', '·', '●', '▪', '■', '◦', '‣', '➤', '✓', '✔', '►', '★', '*', '–', '—', '-'];
/// Digits of Chinese and Japanese, and their bytes.
const NUMERALS: [char; 10] = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];
const NUMERAL: usize = 3;
/// What a line ends with that goes on.
const UNFINISHED: [char; 9] = [',', ';', '-', '–', '—', '，', '、', '；', '،'];
/// What a line ends with in a script without capital letters, if another begins behind it; or with the script's own mark.
const FINISHED: [char; 12] = ['.', '!', '?', ':', '…', '。', '！', '？', '：', '．', '։', '།'];
/// Marks between the sentences and clauses of scripts without capital letters, beside full stops and the script's own marks.
const INNER: [char; 15] = [',', ';', '!', '?', '，', '、', '；', '。', '！', '？', '،', '؛', '፣', '፤', '፥'];
/// Quotes and brackets behind the last mark of a line.
const CLOSING: [char; 12] = ['"', '\'', '”', '’', '»', '«', ')', ']', '」', '』', '）', '】'];

/// Puts a line feed in the place of each blank at `breaks`, in ascending order, at which a line of the text ends. Takes away
/// those at which a line of Chinese or Japanese goes on, and gives their number.
pub fn keep_lines(text: &mut String, breaks: &[u32]) -> u32 {
    let breaks: Vec<usize> =
        breaks.iter().map(|&at| at as usize).filter(|&at| text.get(at..=at) == Some(" ")).collect();
    if breaks.is_empty() {
        return 0;
    }
    let form = Form::of(text, &breaks);
    let mut lines = String::with_capacity(text.len());
    let (mut from, mut gone) = (0, 0);
    let ends = breaks.iter().copied().skip(1).chain([text.len()]);
    for (&at, end) in breaks.iter().zip(ends) {
        let line = text.get(from..at).unwrap_or_default();
        let next = text.get(at + 1..).unwrap_or_default();
        let next_line = || text.get(at + 1..end).unwrap_or_default();
        lines.push_str(line);
        if is_item(next) || !form.is_wrapped && form.ends_line(line, next_line()) {
            lines.push('\n');
        } else if goes_on_behind_comma(line, next_line()) {
            gone += 1;
        } else {
            lines.push(' ');
        }
        from = at + 1;
    }
    lines.push_str(text.get(from..).unwrap_or_default());
    *text = lines;
    gone
}

/// What the lines of a text say together.
struct Form {
    /// The lines are those of a narrow page.
    is_wrapped: bool,
    is_verse: bool,
    /// In a script without case, sentences go on from line to line.
    is_prose: bool,
}

impl Form {
    /// Of a text with blanks in the place of its breaks.
    fn of(text: &str, breaks: &[usize]) -> Form {
        let small = lines_at_breaks(text, breaks).skip(1).filter(|line| begins_small(line)).count();
        let count = breaks.len() + 1;
        let is_short = || lines_at_breaks(text, breaks).all(|line| line_width(line) <= LONGEST_VERSE);
        let run_on = || lines_at_breaks(text, breaks).filter(|line| is_run_on(line)).count();
        Form {
            is_wrapped: small * LINES_FOR_ONE_SMALL > breaks.len(),
            is_verse: small == 0 && count >= LINES_OF_VERSE && is_short(),
            is_prose: !text.is_ascii() && run_on() * LINES_FOR_ONE_RUN_ON > count,
        }
    }

    /// Whether a line ends before a line that is no item of a list.
    fn ends_line(&self, line: &str, next: &str) -> bool {
        let last = line.trim_end_matches(CLOSING).chars().next_back();
        match next.trim_start_matches(OPENING).chars().next() {
            Some(_) if begins_small(next) => false,
            Some(c) if is_alphabetic(c) && !c.is_uppercase() && !is_small(c) => {
                self.is_verse && !self.is_prose
                    || last.is_some_and(|last| FINISHED.contains(&last) || is_own_mark(last))
            }
            _ => self.is_verse || last.is_some_and(|last| !UNFINISHED.contains(&last)),
        }
    }
}

/// Whether a line goes on in the next one without a blank: behind a comma of Chinese or Japanese, which have no blanks between
/// words. Without a comma these could be two headlines, names or items.
fn goes_on_behind_comma(line: &str, next: &str) -> bool {
    let comma = line.chars().next_back().is_some_and(|c| is_chinese_or_japanese(c) && UNFINISHED.contains(&c));
    comma && next.starts_with(|c| is_chinese_or_japanese(c) && is_alphabetic(c)) && !has_label(next)
}

/// The lines of a text with blanks in the place of its breaks.
fn lines_at_breaks<'t>(text: &'t str, breaks: &[usize]) -> impl Iterator<Item = &'t str> {
    let ends = breaks.iter().copied().chain([text.len()]);
    ends.scan(0, move |from, end| text.get(std::mem::replace(from, end + 1)..end))
}

fn line_width(line: &str) -> usize {
    if line.is_ascii() { line.len() } else { line.chars().map(width).sum() }
}

/// How many Latin letters say as much as a character, roughly.
fn width(c: char) -> usize {
    match c {
        _ if c.is_ascii() => 1,
        _ if is_mark(c) => 0,
        _ if is_chinese_or_japanese(c) => 3,
        // Thai and Lao, which leave out blanks, and Korean.
        '\u{E00}'..='\u{EFF}' => 2,
        _ if is_hangul(c) => 2,
        _ => 1,
    }
}

/// Whether a sentence or clause ends inside a line, and another one goes on in the next line.
fn is_run_on(line: &str) -> bool {
    let line = line.trim_end_matches(CLOSING);
    let is_last = |c: char| INNER.contains(&c) || UNFINISHED.contains(&c) || FINISHED.contains(&c) || is_own_mark(c);
    let inner = |(at, c): (usize, char)| match c {
        '.' => is_full_stop(line, at),
        // It parts words in old texts, though two of them end a sentence.
        ETHIOPIC_COLON => false,
        _ => INNER.contains(&c) || is_own_mark(c),
    };
    !line.ends_with(is_last) && !has_label(line) && line.char_indices().any(inner)
}

/// Whether a full stop inside a line ends a sentence: a word of two letters stands before it and a blank behind it.
fn is_full_stop(line: &str, at: usize) -> bool {
    let mut before = line.get(..at).unwrap_or_default().chars().rev();
    let is_word = before.next().is_some_and(is_letter_or_mark) && before.next().is_some_and(is_letter_or_mark);
    is_word && line.get(at + 1..).is_some_and(|behind| behind.starts_with(' '))
}

/// Whether a line begins with a label and a colon.
fn has_label(line: &str) -> bool {
    line.chars().take(LONGEST_LABEL).any(|c| matches!(c, ':' | '：'))
}

/// Whether a line begins with a small letter. That of an address alone is none, and so is that of a name (`iPhone`).
fn begins_small(line: &str) -> bool {
    let line = line.trim_start_matches(OPENING);
    let is_address = || !line.contains(' ') && (line.contains('@') || line.contains("://") || line.starts_with("www."));
    line.starts_with(is_small) && !is_address() && !line.chars().nth(1).is_some_and(char::is_uppercase)
}

/// Whether a letter is small, in a script that has capital ones: Georgian has them for headings alone.
fn is_small(c: char) -> bool {
    c.is_lowercase() && !is_georgian(c)
}

/// Whether a text begins with the sign or number of a list item, and a blank; or with a Chinese number and a comma (`一、`).
fn is_item(text: &str) -> bool {
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = match text.len() - number.len() {
        0 => text.strip_prefix(BULLETS),
        1 | 2 => number.strip_prefix(['.', ')']),
        _ => None,
    };
    let number = text.trim_start_matches(NUMERALS);
    let mut behind_number = number.chars();
    let is_chinese = matches!((text.len() - number.len()) / NUMERAL, 1..=3)
        && behind_number.next().is_some_and(|mark| matches!(mark, '、' | '．' | '.'))
        // `三、四月` are two numbers.
        && !behind_number.as_str().starts_with(NUMERALS);
    is_chinese || behind.is_some_and(|behind| behind.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with ` / ` in place of the breaks that are kept. The number of blanks that go is right.
    fn kept(lines: &[&str]) -> String {
        let mut text = lines.join(" ");
        let ends = lines.iter().scan(0, |end, line| {
            *end += line.len() + 1;
            Some(*end as u32 - 1)
        });
        let breaks: Vec<u32> = ends.take(lines.len() - 1).collect();
        let before = text.chars().count();
        let gone = keep_lines(&mut text, &breaks);
        assert_eq!(before - text.chars().count(), gone as usize);
        text.replace('\n', " / ")
    }

    #[test]
    fn lines_are_kept_where_the_next_one_begins_anew() {
        for (lines, want) in [
            (
                &["Opening hours", "Monday to Friday", "9 am to 5 pm"][..],
                "Opening hours / Monday to Friday / 9 am to 5 pm",
            ),
            (&["The tide", "“Ebb and flow” is what it is."], "The tide / “Ebb and flow” is what it is."),
            (&["It ends here.", "Then it begins."], "It ends here. / Then it begins."),
            (
                &["Tyger Tyger, burning bright,", "In the forests of the night;", "What immortal hand"],
                "Tyger Tyger, burning bright, In the forests of the night; What immortal hand",
            ),
            (
                &[
                    "Tyger Tyger, burning bright,",
                    "In the forests of the night;",
                    "What immortal hand or eye,",
                    "Could frame",
                ],
                "Tyger Tyger, burning bright, / In the forests of the night; / What immortal hand or eye, / Could frame",
            ),
            (&["We need:", "• bread and", "• butter"], "We need: / • bread and / • butter"),
            (&["Steps", "1. open it", "2) close it", "2024 it was"], "Steps / 1. open it / 2) close it / 2024 it was"),
        ] {
            assert_eq!(kept(lines), want);
        }
    }

    #[test]
    fn addresses_are_no_small_letters() {
        let office = ["Harbour Office", "12 Quay Street", "info@harbour.example", "www.harbour.example"];
        assert_eq!(kept(&office), office.join(" / "));
        let two = ["Call us", "iPhone users too"];
        assert_eq!(kept(&two), two.join(" / "));
        let sentence = ["You can write to us at", "info@harbour.example at any time."];
        assert_eq!(kept(&sentence), sentence.join(" "));
    }

    #[test]
    fn lines_of_verse_are_short() {
        let poem = |first: usize, last: usize| {
            let lines = [first, 9, 9, last].map(|length| format!("T{},", "y".repeat(length - 2)));
            kept(&lines.each_ref().map(String::as_str)).contains(" / ")
        };
        assert!(poem(LONGEST_VERSE, LONGEST_VERSE));
        assert!(!poem(LONGEST_VERSE + 1, 9) && !poem(9, LONGEST_VERSE + 1));
    }

    #[test]
    fn wrapped_text_has_no_lines() {
        let letter = [
            "The committee met on Tuesday in",
            "Vienna and decided that all of",
            "the members be asked. It will",
            "Meet again in May.",
        ];
        assert_eq!(kept(&letter), letter.join(" "));
        // Items are lines nevertheless.
        assert_eq!(
            kept(&["- one that goes", "on here", "- two that", "goes on"]),
            "- one that goes on here / - two that goes on"
        );
    }

    #[test]
    fn scripts_without_capitals_need_a_mark() {
        assert_eq!(kept(&["今日は", "とても寒い。", "明日も"]), "今日は とても寒い。 / 明日も");
        assert_eq!(kept(&["שלום", "עולם."]), "שלום עולם.");
        assert_eq!(kept(&["თბილისი", "ქალაქი.", "ტელეფონი 555."]), "თბილისი ქალაქი. / ტელეფონი 555.");
    }

    #[test]
    fn verse_needs_no_capitals() {
        for lines in [
            &[
                "على قدر أهل العزم تأتي العزائم",
                "وتأتي على قدر الكرام المكارم",
                "وتعظم في عين الصغير صغارها",
                "وتصغر في عين",
            ][..],
            &["काल करे सो आज कर", "आज करे सो अब,", "पल में परलय होएगी", "बहुरि करेगा कब"],
            &["แล้วสอนว่าอย่าไว้ใจมนุษย์", "มันแสนสุดลึกล้ำเหลือกำหนด", "ถึงเถาวัลย์พันเกี่ยวที่เลี้ยวลด", "ก็ไม่คดเหมือนหนึ่งในน้ำใจคน"],
            &["床前明月光，", "疑是地上霜。", "举头望明月，", "低头思故乡。"],
            &["雨ニモマケズ", "風ニモマケズ", "雪ニモ夏ノ暑サニモマケヌ", "丈夫ナカラダヲモチ"],
            &["나 보기가 역겨워", "가실 때에는", "말없이 고이 보내 드리우리다", "영변에 약산"],
            &["მე მიყვარს ჩემი", "მისი მინდვრები", "მისი მდინარე", "და მისი სიმღერა"],
            // Labels and names are no prose.
            &["出演：山田、佐藤", "監督：鈴木、田中", "脚本：高橋、伊藤", "東京"],
        ] {
            assert_eq!(kept(lines), lines.join(" / "));
        }
        let three = ["나 보기가 역겨워", "가실 때에는", "말없이"];
        assert_eq!(kept(&three), three.join(" "));
    }

    #[test]
    fn prose_without_capitals_is_joined() {
        let wrapped = ["אתמול הלכנו, כל המשפחה", "אל הים. היה חם מאוד", "והמים היו קרים, אבל", "נהנינו כל היום כולו"];
        assert_eq!(kept(&wrapped), wrapped.join(" "));
        let wrapped = ["今日はとても天気が", "良かったので、公園まで", "散歩に行くことにし", "ました。桜がきれい"];
        assert_eq!(kept(&wrapped), wrapped.join(" "));
        // Without blanks behind a comma of Chinese and Japanese.
        assert_eq!(kept(&["他来了，", "我走了"]), "他来了，我走了");
        assert_eq!(kept(&["You need", "•", "a hammer", "•", "a saw"]), "You need / • a hammer / • a saw");
        assert_eq!(kept(&["他说，", "我走", "时间：三点"]), "他说，我走 时间：三点");
        // Names, labels, headlines and items are not glued.
        assert_eq!(kept(&["东京、大阪", "北京、上海"]), "东京、大阪 北京、上海");
        assert_eq!(kept(&["他来了。我走了", "电话：五"]), "他来了。我走了 电话：五");
        assert_eq!(kept(&["说明，如下。再", "一、苹果，梨", "十二、桃"]), "说明，如下。再 / 一、苹果，梨 / 十二、桃");
        assert_eq!(kept(&["我有，", "・苹果"]), "我有， ・苹果");
        assert_eq!(kept(&["每年", "三、四月间"]), "每年 三、四月间");
        let headlines = ["中国队夺冠，创造历史", "美国大选，结果揭晓", "油价上涨！车主叫苦"];
        assert_eq!(kept(&headlines), headlines.join(" "));
    }

    #[test]
    fn places_that_are_no_blanks_are_left() {
        let mut text = "é b".to_string();
        keep_lines(&mut text, &[0, 1, 2, 3, 99]);
        assert_eq!(text, "é b");
        keep_lines(&mut text, &[]);
        assert_eq!(text, "é b");
    }
}
