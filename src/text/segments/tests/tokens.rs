//! Tokens, by language and by scheme.

use super::*;
use crate::text::char_classes::is_mark;

#[test]
fn marks_within_words_and_behind_them() {
    for (code, text) in [
        ("fin", "EU:n ja 5:n 1990:stä"),
        ("swe", "SVT:s 3:e 12:30"),
        ("eng", "Note : it is 12:30 and US$ 50"),
        ("por", "R$ 50 , 13.º n° 5"),
        ("heb", "צה\"ל וארה\"ב מנכ\"לית ח\"כ וכו' ג'ורג' \" כן \""),
        ("ita", "E' vero , la citta' e l' amico ' caro '"),
        ("ell", "σ' αυτό απ’ όλα"),
        ("tha", "พ.ศ. 2563 ดร. พล.อ."),
    ] {
        assert_eq!(cut(code, &text.replace(" ,", ",").replace(" :", ":")), text, "{code}");
    }
    assert_eq!(cut("heb", "ה\"הארץ\" כתב ש\"ח. הוא"), "ה \" הארץ \" כתב ש\"ח . | הוא");
    assert_eq!(cut("eng", "US$50 EU:n"), "US$ 50 EU : n");
}

#[test]
fn endings_of_any_gender_belong_to_the_word() {
    let text = "Die Athlet*innen und jede*r Leser:in sowie Leser:innen , 5*3 .";
    assert_eq!(
        cut("deu", "Die Athlet*innen und jede*r Leser:in sowie Leser:innen, 5*3."),
        text.replace("5*3", "5 * 3")
    );
    assert_eq!(cut("deu", "Motto:alle und Haus:inneres, *wichtig*"), "Motto : alle und Haus : inneres , * wichtig *");
    assert_eq!(cut("eng", "a*b Leser:in"), "a * b Leser : in");
}

#[test]
fn numbers_behind_articles_have_their_comma() {
    assert_eq!(cut("ita", "un calo dell'1,5% nell’11 settembre"), "un calo dell' 1,5 % nell’ 11 settembre");
    assert_eq!(cut("fra", "moins d'1,5 million, l'11 mai"), "moins d' 1,5 million , l' 11 mai");
    assert_eq!(cut("eng", "10⁶ km and 10⁻⁶"), "10⁶ km and 10⁻⁶");
}

#[test]
fn points_and_commas_of_wide_digits_belong_to_the_number() {
    assert_eq!(cut("jpn", "３．５％増の１，２３４億円。次。"), "３．５ ％ 増 の １，２３４ 億 円 。 | 次 。");
    assert_eq!(cut("zho", "增长３．５％，１，２，３，２０２４年"), "增长 ３．５％ ， １ ， ２ ， ３ ， ２０２４ 年");
    assert_eq!(cut("zho", "2020，2021"), "2020 ， 2021");
    assert_eq!(sentences("jpn", "３．はじめに").len(), 2);
}

#[test]
fn a_currency_is_a_token_before_its_number() {
    for (code, text, tokens) in [
        (
            "ind",
            "Rp1.234.567,00 Rp12,5 Rp.50.000,00 Rp. 5 RM12.50",
            "Rp 1.234.567,00 Rp 12,5 Rp. 50.000,00 Rp. 5 RM 12.50",
        ),
        ("ind", "Rp Rpa5 xRp5,5 $12,5 US$12.50", "Rp Rpa5 xRp5 , 5 $ 12,5 US$ 12.50"),
        ("ind", "RM10X2", "RM10X2"),
        ("eng", "Rs.5,000 Rs5,000 Rs5000 Rs5 RS232 RM101", "Rs. 5,000 Rs 5,000 Rs 5000 Rs5 RS232 RM101"),
        ("tam", "ரூ.5,000 ரூ. 5", "ரூ. 5,000 ரூ. 5"),
    ] {
        assert_eq!(cut(code, text), tokens, "{code}");
    }
}

#[test]
fn abbreviations_keep_their_stop() {
    for (code, text) in [
        ("deu", "Bahnhofstr. 12 , Hausnr. 3a"),
        ("lao", "ຄ.ສ. 1990 ດຣ. ສ.ປ.ປ. 5"),
        ("khm", "គ.ស. 1990"),
        ("tam", "எஸ். பி. பால"),
        ("tha", "5 มี.ค. 2567 เม.ย. มิ.ย. 67"),
        ("hye", "1950 թ. Երևանում"),
    ] {
        assert_eq!(cut(code, &text.replace(" ,", ",")), text, "{code}");
    }
}

#[test]
fn a_slash_shortens_words_of_ethiopic_script() {
    assert_eq!(
        cut("amh", "(ዶ/ር) የጠ/ሚ ሕ/ተ/ም/ቤት ወንድ/ሴት እኔ/አንተ ዶ/5 a/b"),
        "( ዶ/ር ) የጠ/ሚ ሕ/ተ/ም/ቤት ወንድ / ሴት እኔ / አንተ ዶ / 5 a / b"
    );
}

#[test]
fn tokens_of_the_web() {
    assert_eq!(
        cut(
            "eng",
            "See (https://x.org/a_(b)?c=1), www.a.com/b. or mail a.b+c@d-e.co.uk #tag @user.name :-) 👍🏽🇨🇿 <3 ..."
        ),
        "See ( https://x.org/a_(b)?c=1 ) , www.a.com/b . or mail a.b+c@d-e.co.uk #tag @user.name :-) 👍🏽 🇨🇿 <3 ..."
    );
    assert_eq!(
        cut("eng", "AT&amp;T &#39;&#39; a/b 5,000.50 12:05 2013-07-15"),
        "AT &amp; T &#39;&#39; a / b 5,000.50 12:05 2013-07-15"
    );
}

#[test]
fn tokens_by_language() {
    assert_eq!(
        cut("fra", "L'homme qu'il a vu viendra-t-il aujourd'hui ?"),
        "L' homme qu' il a vu viendra -t-il aujourd'hui ?"
    );
    assert_eq!(cut("ita", "Dell’arte c'è un po' d'acqua."), "Dell’ arte c' è un po' d' acqua .");
    assert_eq!(cut("ces", "Bude-li např. česko-polský 9. říjen"), "Bude -li např . česko-polský 9 . říjen");
    assert_eq!(cut("deu", "Der 3. Tag bzw. z.B. Kfz-Steuer"), "Der 3. Tag bzw. z.B. Kfz-Steuer");
    assert_eq!(cut("pol", "Chciałbym, zrobiłem pod stołem"), "Chciał by m , zrobił em pod stołem");
    assert_eq!(cut("tur", "İstanbul'da 1980'lerde"), "İstanbul'da 1980'lerde");
    assert_eq!(cut("jpn", "使われていました。"), "使わ れ て い まし た 。");
    assert_eq!(cut("zho", "他花费了许多时间"), "他 花费 了 许多 时间");
    assert_eq!(cut("zho", "这是第6届比赛，第 6 次"), "这 是 第6 届 比赛 ， 第 6 次");
    assert_eq!(cut("zho", "较弱的人迁到该届"), "较弱 的 人 迁到 该届");
    assert_eq!(cut("tha", "การเปลี่ยนแปลงของระบบ"), "การเปลี่ยนแปลง ของ ระบบ");
    assert_eq!(cut("tha", "ต่างๆในกรุงเทพฯ"), "ต่าง ๆ ใน กรุงเทพ ฯ");
    assert_eq!(cut("tha", "ผู้เชี่ยวชาญเรียนอย่างรวดเร็ว"), "ผู้ เชี่ยวชาญ เรียน อย่างรวดเร็ว");
}

#[test]
fn marks_stay_with_their_letters() {
    for (code, word) in [
        ("nqo", "ߒߞߏ߫"),
        ("ccp", "𑄌𑄋𑄴𑄟𑄳𑄦"),
        ("ff", "𞤀𞤣𞤤𞤢𞤥𞥆𞤢"),
        ("jav", "ꦄꦏ꧀ꦱꦫꦗꦮ"),
        ("nod", "ᨣᩴᩤᨾᩮᩬᩥᨦ"),
        ("syc", "ܫܠܳܡܳܐ"),
        ("mni", "ꯃꯩꯇꯩ"),
        ("ban", "ᬅᬓ᭄ᬱᬭ"),
        ("mvf", "ᠮᠣᠩᠭᠣᠯ\u{180E}ᠠ"),
        ("san", "𑌗𑍍𑌰𑌨𑍍𑌥"),
    ] {
        let text = format!("{word} {word}");
        assert_eq!(cut(code, &text), text, "{code}");
    }
    // What chooses the picture of a character is not one of its marks.
    assert_eq!(cut("eng", "ok ❤\u{FE0F}"), "ok ❤\u{FE0F}");
}

#[test]
fn tibetan_syllables_have_their_mark() {
    assert_eq!(cut("bod", "བཀྲ་ཤིས་བདེ་ལེགས།"), "བཀྲ་ ཤིས་ བདེ་ ལེགས །");
    assert_eq!(cut("bod", "CNBCཡི་ 1980པར་ ༢༠༡༢་ལོར BBC་ནི།"), "CNBC ཡི་ 1980 པར་ ༢༠༡༢་ ལོར BBC་ ནི །");
}

#[test]
fn marks_within_armenian_and_yiddish_words() {
    assert_eq!(cut("hyw", "կ՚ըլլայ ի՞նչ Վա՛խ դո՜ւն։"), "կ՚ըլլայ ի՞նչ Վա՛խ դո՜ւն ։");
    assert_eq!(cut("ydd", "כ׳בין צה״ל ג׳ „גוט״"), "כ׳בין צה״ל ג׳ „ גוט ״");
}

#[test]
fn no_word_of_an_unspaced_script_begins_with_a_mark() {
    assert_eq!(cut("shn", "တႆးႁဝ်းၶႃႈ"), "တႆး ႁဝ်း ၶႃႈ");
    for (code, text) in [
        ("lao", "ສະບາຍດີຂ້າພະເຈົ້າຢູ່ເມືອງວຽງຈັນໍ່"),
        ("khm", "ភាសាខ្មែរជាភាសារបស់ប្រជាជនកម្ពុជា"),
        ("mya", "မြန်မာနိုင်ငံသည်အရှေ့တောင်အာရှတွင်ရှိသည်"),
        ("tha", "กำลังกล่าวเรื่องนั้นน้ํา"),
        ("jpn", "葛\u{E0100}城か\u{3099}は"),
    ] {
        let tokens = cut(code, text);
        assert!(tokens.contains(' ') && !tokens.split(' ').any(|word| word.starts_with(is_mark)), "{tokens}");
    }
}

#[test]
fn the_corpus_scheme() {
    let users = Segmenter::new(Options { scheme: Scheme::UsersWay });
    assert_eq!(cut_by(&users, "eng", "Don't cut well-known John's words."), "Do n't cut well-known John 's words .");
    assert_eq!(cut("eng", "Don't cut well-known John's words."), "Don't cut well - known John's words .");
    assert_eq!(cut_by(&users, "ces", "Přišel např. 9. října."), "Přišel např. 9. října .");
    assert_eq!(cut_by(&users, "pol", "Chciałbym"), "Chciałbym");
}

#[test]
fn glue_within_and_across_sentences() {
    let text = "Ano, to.„Ne“ je.";
    let segmenter = Segmenter::default();
    let tokenizer = segmenter.language("ces");
    let mut tokens = Vec::new();
    let found = tokenizer.sentences(text);
    found.iter().for_each(|sentence| tokenizer.tokens(text, sentence.clone(), &mut tokens));
    let glued: Vec<&str> = tokens.iter().filter(|token| token.glued).map(|token| &text[token.range.clone()]).collect();
    assert_eq!(found.len(), 2);
    assert_eq!(glued, [",", ".", "„", "Ne", "“", "."]);
}

#[test]
fn signs_shown_as_pictures_are_one_token() {
    let segmenter = Segmenter::default();
    let tokenizer = segmenter.language("eng");
    for (text, wanted) in
        [("™️ ®️ ↔️ ▶️ 🅰️ ㊗️ Ⓜ️", "™️|®️|↔️|▶️|🅰️|㊗️|Ⓜ️"), ("1️⃣2️⃣ #️⃣ *️⃣", "1️⃣|2️⃣|#️⃣|*️⃣"), ("a \u{FE0F} b", "a|b")]
    {
        let mut tokens = Vec::new();
        tokenizer.tokens(text, 0..text.len(), &mut tokens);
        let forms: Vec<&str> = tokens.iter().map(|token| &text[token.range.clone()]).collect();
        assert_eq!(forms.join("|"), wanted);
    }
}

/// `text` has blanks where tokens end, as `|` where sentences do.
fn are_tokens(cases: &[(&str, &str, &str)]) {
    for (code, text, tokens) in cases {
        assert_eq!(cut(code, text), *tokens, "{code}");
    }
}

#[test]
fn numbers_behind_letters_have_their_commas() {
    are_tokens(&[
        ("heb", "לכ-1,500 איש, כ-2.5", "לכ-1,500 איש , כ-2.5"),
        ("ara", "بـ1,500 دولار", "بـ1,500 دولار"),
        (
            "xyz",
            "N1,500 P10,000.50 KSh1,500,000 a1,50 a1,5000 a1234,500",
            "N1,500 P10,000.50 KSh1,500,000 a1 , 50 a1 , 5000 a1234 , 500",
        ),
        ("hau", "N1,500 N5", "N 1,500 N5"),
        ("tgl", "P10,000.50", "P 10,000.50"),
        ("afr", "R1,500", "R 1,500"),
        ("eng", "KSh1,500", "KSh 1,500"),
        ("ben", "৳৫০০ ৳500", "৳ ৫০০ ৳ 500"),
    ]);
}

#[test]
fn initials_and_titles_of_india_keep_their_stop() {
    are_tokens(&[
        ("hin", "डॉ. शर्मा, पं. राम और प्रो. लाल आए।", "डॉ. शर्मा , पं. राम और प्रो. लाल आए ।"),
        ("mar", "पु. ल. देशपांडे आले.", "पु. ल. देशपांडे आले ."),
        ("ben", "আ. ফ. রহমান ও মো. আলী এলেন।", "আ. ফ. রহমান ও মো. আলী এলেন ।"),
        ("guj", "ડૉ. શાહ આવ્યા છે.", "ડૉ. શાહ આવ્યા છે ."),
        ("tel", "వై.ఎస్. రెడ్డి, ఎన్.టి.ఆర్. వచ్చారు.", "వై.ఎస్. రెడ్డి , ఎన్.టి.ఆర్. వచ్చారు ."),
        ("tam", "எம்.ஜி.ஆர். வந்தார்.", "எம்.ஜி.ஆர். வந்தார் ."),
        ("kan", "ಎಸ್.ಎಂ. ಕೃಷ್ಣ ಬಂದರು.", "ಎಸ್.ಎಂ. ಕೃಷ್ಣ ಬಂದರು ."),
        ("hin", "“वह है.” राम", "“ वह है . ” | राम"),
    ]);
}

#[test]
fn hyphens_and_apostrophes_attach_words_to_stops() {
    are_tokens(&[
        ("fra", "En 52 av. J.-C. avec J.-P. Martin, c.-à-d. lui", "En 52 av. J.-C. avec J.-P. Martin , c.-à-d. lui"),
        ("hun", "A Kft.-nek, az Rt.-vel és a 3. sz.-ban.", "A Kft.-nek , az Rt.-vel és a 3. sz.-ban ."),
        ("deu", "Dr.-Ing. Groß", "Dr.-Ing. Groß"),
        ("eng", "a U.S.-led plan", "a U.S. - led plan"),
        ("tur", "A.Ş.'nin T.C.’nin yy.'da dedi.'ve", "A.Ş.'nin T.C.’nin yy.'da dedi . ' ve"),
        ("uzb", "Navoiy ko‘ch. va G‘. Gulom, tog‘ va bog‘", "Navoiy ko‘ch. va G‘. Gulom , tog‘ va bog‘"),
        ("hun", "Szabó Gy. Pál", "Szabó Gy. Pál"),
    ]);
}

#[test]
fn an_abbreviation_behind_an_article_keeps_its_stop() {
    are_tokens(&[
        ("fra", "Voir l'art. 5 et l'av. Foch.", "Voir l' art. 5 et l' av. Foch ."),
        ("ita", "Ecco l'avv. Rossi dall'on. Bianchi.", "Ecco l' avv. Rossi dall' on. Bianchi ."),
        ("cat", "L'O.N.U. va venir.", "L' O.N.U. va venir ."),
        ("fra", "Il parle d'un. Oui, l'homme.", "Il parle d' un . | Oui , l' homme ."),
        ("mlt", "l-Onor. Borg u Il-Prof. Vella", "l-Onor. Borg u Il-Prof. Vella"),
        ("aze", "alma, armud və s. var, məs. bu", "alma , armud və s. var , məs. bu"),
    ]);
}

#[test]
fn elided_and_shortened_words_keep_their_apostrophe() {
    are_tokens(&[
        ("grc", "τί δ’ ἐστίν; ἀλλ᾽ οὐ", "τί δ’ ἐστίν ; | ἀλλ᾽ οὐ"),
        ("ell", "Ό,τι πεις, ό,τιδήποτε και αν", "Ό,τι πεις , ό,τιδήποτε και αν"),
        ("tgl", "'Di ko 'yung gusto, 'wag 'to 'yon 'pag", "'Di ko 'yung gusto , 'wag 'to 'yon 'pag"),
        ("nld", "in 's-Hertogenbosch en ’s-Gravenhage", "in 's-Hertogenbosch en ’s-Gravenhage"),
        ("cym", "'dwi'n mynd, 'sdim", "'dwi'n mynd , 'sdim"),
        ("ita", "negli anni '90 e ’68", "negli anni '90 e ’68"),
        ("eng", "in '68, not '2024", "in '68 , not ' 2024"),
        ("eng", "and '90 minutes'", "and ' 90 minutes '"),
    ]);
}

#[test]
fn numbers_with_an_ending_or_a_dot_are_one_token() {
    are_tokens(&[
        ("spa", "El 3.er piso del 1.er edificio, 5.ero", "El 3.er piso del 1.er edificio , 5 . ero"),
        ("spa", "En 44 a. C. murió Ud. en el s. X, sí", "En 44 a. C. murió Ud. en el s. X , sí"),
        ("kor", "3·1운동과 5·18 민주화", "3·1운동과 5·18 민주화"),
        ("amh", "ከ10፡30 ሰዓት", "ከ10፡30 ሰዓት"),
        ("amh", "10፡30 ሰዓት", "10፡30 ሰዓት"),
        ("khm", "ផ្លែឈើ ។ល។", "ផ្លែ ឈើ ។ល។"),
    ]);
}

#[test]
fn tags_have_letters_of_scripts_without_spaces() {
    are_tokens(&[
        ("tha", "#ข่าววันนี้ #BTSไทย", "#ข่าววันนี้ #BTSไทย"),
        ("jpn", "#桜 #花見#春2024、", "#桜 #花見 #春2024 、"),
        ("jpn", "色#桜", "色 # 桜"),
        ("zho", "#话题#", "# 话题 #"),
        ("zho", "有#A、#B", "有 #A 、 #B"),
    ]);
}
