//! The words of bylines in one place: `blocks` chooses by them the lines that are kept of a page, `metadata` reads names in
//! those lines. A line that begins otherwise is not seen by `metadata` unless it has a number or is the title.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::text::beginning;

/// Longest line that is read as a byline, in characters.
pub(super) const MAX_BYLINE: usize = 120;

/// Words at the start of a line that announce an author, in lower case.
pub(super) const ANNOUNCE: [&str; 44] = [
    "by ",
    "by: ",
    "von ",
    "von: ",
    "par ",
    "par: ",
    "por ",
    "por: ",
    "di ",
    "a cura di ",
    "door ",
    "door: ",
    "od ",
    "av ",
    "af ",
    "autor ",
    "autor: ",
    "autor:in: ",
    "autorin: ",
    "autor/in: ",
    "autoren: ",
    "author: ",
    "authors: ",
    "auteur : ",
    "auteur: ",
    "autore: ",
    "auteurs : ",
    "автор: ",
    "автор ",
    "автори: ",
    "авторы: ",
    "written by ",
    "posted by ",
    "published by ",
    "geschrieben von ",
    "verfasst von ",
    "text: ",
    "text von ",
    "redakteur: ",
    "written by: ",
    "writer: ",
    "yazar: ",
    "ein beitrag von ",
    "erstellt von ",
];

/// Beginnings of lines in which an author may stand further on (`Verfasst am Montag von Jane Doe`), in lower case.
pub(super) const BEGINNINGS: [&str; 13] = [
    "autor",
    "author",
    "auteur",
    "автор",
    "written",
    "posted",
    "text",
    "foto",
    "geschrieben",
    "verfasst",
    "redak",
    "publi",
    "yazar",
];

/// Words that announce an author with a colon behind them, in any line, in lower case. They are [`BYLINE_LEADS`], too.
pub(super) const LABELS: &[&str] = words![
    "بقلم" "الكاتب" "الكاتبة" "تأليف" "نویسنده" "به قلم" "מאת" "लेखक" "लेखिका" "লেখক" "লিখেছেন" "લેખક" "ਲੇਖਕ"
    "எழுதியவர்" "రచయిత" "ಲೇಖಕರು" "എഴുതിയത്" "ผู้เขียน" "เขียนโดย" "ຂຽນໂດຍ" "អ្នកនិពន្ធ" "စာရေးသူ" "tác giả" "người viết" "ავტორი"
    "հեղինակ" "autors" "autorius" "avtor" "аутор" "аўтар" "piše" "пише" "napsal" "napsala" "napisał" "napisała" "συντάκτης"
    "συντάκτρια" "γράφει" "γράφει ο" "γράφει η" "müəllif" "muallif" "зохиогч" "forfatter" "författare" "höfundur" "kirjoittaja"
    "kirjoittanut" "szerző" "írta" "egilea" "penulis" "ditulis oleh" "mwandishi"
];

/// What stands behind one of these words and its colon, and before the next word with a colon, that for a photographer, say.
pub(super) fn behind_label(line: &str) -> Option<&str> {
    /// Characters of the longest label and its colon.
    const LONGEST: usize = 20;
    let near = beginning(line, MAX_BYLINE);
    if near.is_ascii() && memchr::memchr(b':', near.as_bytes()).is_none() {
        return None;
    }
    // The Armenian mark is one, too.
    let (at, colon) = line.char_indices().take(LONGEST).find(|(_, c)| matches!(c, ':' | '：' | '՝'))?;
    let label = line.get(..at)?.trim().to_lowercase();
    let names = line.get(at + colon.len_utf8()..).filter(|_| LABELS.contains(&label.as_str()))?;
    let next = names.find([':', '：']).and_then(|next| names.get(..next)?.rfind(char::is_whitespace));
    names.get(..next.unwrap_or(names.len()))
}

/// Labels of authors in Chinese and Japanese, which stand anywhere in a line.
pub(super) const CJK_LABELS: [&str; 11] = [
    "作者：",
    "作者:",
    "撰文：",
    "記者：",
    "记者：",
    "執筆者：",
    "執筆：",
    "著者：",
    "ライター：",
    "投稿者：",
    "投稿者:",
];

/// What stands behind the name of a Korean reporter at the end of a line.
pub(super) const REPORTER: &str = " 기자";

/// Words that announce an author inside a line with a date, in lower case.
pub(super) const INSIDE: [&str; 15] = [
    " by ",
    " von ",
    " par ",
    " por ",
    " door ",
    " von: ",
    " by: ",
    " author: ",
    " autor: ",
    " autorin: ",
    " auteur: ",
    " auteur : ",
    " autore: ",
    " yazar: ",
    " автор: ",
];

/// Words for submitting a text to a site.
pub(super) const SUBMITTED: [&str; 6] =
    ["gespeichert", "geschrieben", "eingestellt", "submitted", "verfasst", "started"];

/// Words that precede a name, in lower case.
pub(super) const LEADS: [&str; 32] = [
    "post by ",
    "vom ",
    "written by ",
    "posted by ",
    "published by ",
    "submitted by ",
    "by: ",
    "by ",
    "von: ",
    "von ",
    "from ",
    "par ",
    "por ",
    "autor: ",
    "autor:in: ",
    "author: ",
    "text: ",
    // What Blogger and its like write before the name, in the languages of their users.
    "eingestellt von ",
    "gepostet von ",
    "veröffentlicht von ",
    "zum profil von ",
    "publicado por ",
    "postado por ",
    "publié par ",
    "pubblicato da ",
    "postato da ",
    "gepost door ",
    "geplaatst door ",
    "upplagd av ",
    "inlagd av ",
    "lagt inn av ",
    "indsendt af ",
];

/// Beginnings of the part of an address that names an author.
const AUTHOR_PATHS: [&str; 3] = ["/author", "/autor", "/auteur"];

/// Whether an address has a part that begins with the word for an author, and not with one for authorisation.
pub(super) fn leads_to_author(href: &str) -> bool {
    static START: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("/aut"));
    let is_author =
        |rest: &str| AUTHOR_PATHS.iter().any(|part| rest.starts_with(part)) && !rest.starts_with("/authori");
    href.len() >= "/autor".len() && START.find_iter(href.as_bytes()).any(|at| href.get(at..).is_some_and(is_author))
}

/// Words that announce the names in an element that is marked as a byline, in lower case. Elsewhere many of them are words of a
/// sentence. A blank or a mark stands behind them ([`super::metadata`] has the rule); those with a blank at their end may stand
/// before a single word though they are short.
pub(super) const BYLINE_LEADS: &[&str] = words![
    // Arabic, Persian, Urdu, Pashto, Kurdish, Uyghur, Hebrew
    "كتب" "كتبت" "كتبه" "إعداد" "نوشته" "تحریر" "از"
    "لیکوال" "نووسەر" "نووسینی" "ئاپتورى" "ئاپتور" "כתב" "נכתב על ידי"
    // Indian languages
    "द्वारा" "రచన" "ಬರೆದವರು"
    "ලියුවේ" "ලේඛක"
    // Thai, Lao, Khmer, Burmese, Tibetan, Vietnamese
    "โดย" "โพสต์โดย" "ໂດຍ" "ដោយ" "ရေးသားသူ" "རྩོམ་པ་པོ"
    "bởi" "viết bởi" "đăng bởi" "được viết bởi"
    // Amharic, Georgian, Armenian
    "ጸሐፊ" "ጸሀፊ" "ደራሲ"
    // Chinese, Japanese, Korean
    "作者" "撰文" "撰稿" "撰稿人" "文" "文字" "图文" "圖文" "记者" "記者" "本报记者" "本報記者" "本刊记者" "本刊記者" "本网记者" "本网讯记者" "本台记者" "特约记者"
    "见习记者" "实习记者" "新华社记者" "通讯员" "通訊員" "執筆" "執筆者" "著者" "筆者" "ライター" "取材・文" "取材・執筆" "文・写真" "글" "글 " "글쓴이" "작성자" "필자"
    "기자" "글·사진" "글·사진 " "글ㆍ사진" "글ㆍ사진 "
    // Slavic and Baltic languages
    "napsali" "napsal(a)" "napísal" "napísala" "napísal(a)" "napisał(a)"
    "napisali" "napisane przez" "przez" "napisao" "napisala" "pišu" "автор" "автори" "авторы"
    "написал" "написала" "написав" "написао" "пишува" "от" "parašė"
    // Greek
    "από τον" "από την" "από το" "από τους" "από" "του" "της" "των" "γράφουν"
    "κείμενο"
    // Turkic languages
    "yazan" "yazar"
    // Nordic and Baltic Finnic languages, Hungarian
    "skrevet af" "skrevet av" "skriven av" "av" "af"
    "kirjutas"
    // Romance languages, Dutch, Afrikaans, Albanian, Basque
    "escrito por" "redactado por" "escrit per" "redactat per" "écrit par" "rédigé par" "scritto da" "scris de"
    "publicat de" "geschreven door" "deur" "shkruar nga" "nga"
    // Languages of Indonesia, the Philippines and Africa
    "oleh" "diposting oleh" "isinulat ni" "sinulat ni" "na" "imeandikwa na"
    "daga" "láti ọwọ́" "site n'aka" "ngu"
];

/// What stands between those words and the names.
pub(super) const LEAD_MARKS: [char; 14] = [':', '：', '/', '／', '|', '｜', '丨', '・', '፦', '፡', '՝', '`', '៖', '།'];

/// Words behind a name that say that the person wrote the text.
pub(super) const BEHIND_NAMES: [&str; 6] = ["기자", "선임기자", "특파원", "द्वारा", "tarafından", "著"];

/// Ends of words beside a name that say where a report is from (`台北報導`).
pub(super) const REPORTED: [&str; 3] = ["報導", "报道", "報道"];

/// What stands before the names of those who made the site or edited the text, in lower case.
pub(super) const MAKERS: [&str; 11] = [
    "developed by ",
    "designed by ",
    "powered by ",
    "责任编辑",
    "責任編輯",
    "责编",
    "编辑：",
    "編輯：",
    "編集：",
    "校对：",
    "校對：",
];

/// Beginnings of labels that announce an author.
pub(super) const AUTHOR_LABELS: [&str; 14] = [
    "written by",
    "author",
    "autor",
    "auteur",
    "verfasst von",
    "geschrieben von",
    "escrito por",
    "écrit par",
    "rédigé par",
    "scritto da",
    "geschreven door",
    "napsal",
    "napisane przez",
    "автор",
];

/// Parts of the names of offices and professions.
pub(super) const ROLES: [&str; 32] = [
    "expert",
    "editor",
    "writer",
    "founder",
    "educator",
    "reporter",
    "journalis",
    "redakt",
    "contribut",
    "director",
    "manager",
    "professor",
    "specialist",
    "correspondent",
    "author",
    "autor",
    "consultant",
    "analyst",
    "posts",
    "president",
    "officer",
    "chef",
    "sleiter",
    "leiterin",
    "grader",
    "critic",
    "engineer",
    "columnist",
    "producer",
    "architect",
    "developer",
    "scientist",
];

/// Whole words of their names, which are parts of names of persons too (`Stafford`, `Maceo`).
pub(super) const ROLE_WORDS: [&str; 3] = ["staff", "ceo", "leiter"];

/// Words with which buttons and headings beside authors begin.
pub(super) const BUTTONS: [&str; 14] = [
    "more", "about", "view", "read", "see", "meet", "follow", "learn", "all", "mehr", "alle", "weitere", "send",
    "contact",
];

/// Words on buttons and headings beside authors.
pub(super) const BUTTON_LABELS: [&str; 36] = [
    "posts",
    "read",
    "updated",
    "redakteur",
    "author",
    "authors",
    "autor",
    "autoren",
    "about the author",
    "about",
    "über den autor",
    "share",
    "follow",
    "by",
    "von",
    "read more",
    "more",
    "mehr",
    "profile",
    "profil",
    "website",
    "all posts",
    "view all posts",
    "contributor",
    "written",
    "posted",
    "kommentare",
    "comments",
    "email",
    "e-mail",
    "mail",
    "phone",
    "post",
    "telefon",
    "twitter",
    "不详",
];
