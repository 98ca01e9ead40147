use super::{Options, Scheme, Segmenter};

mod any_text;
mod full_stops;
mod tokens;

fn sentences(code: &str, paragraph: &str) -> Vec<String> {
    let segmenter = Segmenter::default();
    let found = segmenter.language(code).sentences(paragraph);
    found.into_iter().map(|range| paragraph[range].to_string()).collect()
}

/// `text` has | where sentences end.
fn are_cut(cases: &[(&str, &str)]) {
    for (code, text) in cases {
        assert_eq!(sentences(code, &text.replace(" | ", " ")).join(" | "), *text, "{code}");
    }
}

/// Tokens joined by spaces, sentences by bars.
fn cut_by(segmenter: &Segmenter, code: &str, paragraph: &str) -> String {
    let tokenizer = segmenter.language(code);
    let line = |range| {
        let mut tokens = Vec::new();
        tokenizer.tokens(paragraph, range, &mut tokens);
        tokens.iter().map(|token| &paragraph[token.range.clone()]).collect::<Vec<_>>().join(" ")
    };
    tokenizer.sentences(paragraph).into_iter().map(line).collect::<Vec<_>>().join(" | ")
}

fn cut(code: &str, paragraph: &str) -> String {
    cut_by(&Segmenter::default(), code, paragraph)
}

#[test]
fn english_sentences() {
    let text = "Mr. Smith went to Washington D.C. yesterday. He paid $3.50 (approx.). \"Really?\" she asked. Yes.";
    assert_eq!(
        sentences("eng", text),
        ["Mr. Smith went to Washington D.C. yesterday.", "He paid $3.50 (approx.).", "\"Really?\" she asked.", "Yes."]
    );
    assert_eq!(sentences("eng", "See https://x.org/a?b=1. It is here."), ["See https://x.org/a?b=1.", "It is here."]);
    assert_eq!(
        sentences("eng", "It was late (very late. Really.) and dark. So."),
        ["It was late (very late. Really.) and dark.", "So."]
    );
    assert_eq!(sentences("eng", "hi there. i am new. thanks"), ["hi there.", "i am new.", "thanks"]);
    assert_eq!(sentences("eng", "Use world.com or v1.No matter."), ["Use world.com or v1.No matter."]);
}

#[test]
fn marks_of_notes_belong_to_the_sentence_before() {
    for (code, one, two) in [
        ("ces", "Město založili osadníci.[1]", "Doly byly hlavním průmyslem."),
        ("rus", "Город основали переселенцы.[12][a]", "Сегодня здесь живут люди."),
        ("eng", "It was founded by settlers.[note 2][3]", "In 1990 the mine was closed."),
        ("eng", "It was founded by settlers.[citation needed]", "In 1990 the mine was closed."),
        ("deu", "Sie wurde gegründet.(4)", "Im Jahr 1990 wurde sie geschlossen."),
        ("fra", "Elle fut fondée par Paul.¹²", "Les mines furent fermées."),
    ] {
        assert_eq!(sentences(code, &format!("{one} {two}")), [one, two]);
    }
    assert_eq!(sentences("jpn", "町は古い。[1]今は人が住む。"), ["町は古い。[1]", "今は人が住む。"]);
    // Items of a list and names of speakers begin sentences.
    assert_eq!(sentences("zho", "价格低。(2)质量好。"), ["价格低。", "(2)质量好。"]);
    assert_eq!(sentences("zho", "您好。[专家]请说。"), ["您好。", "[专家]请说。"]);
    for one in ["The name of Jr.[1] was dropped.", "He wrote a.[b]c in the file.", "An array like x.[0].y is read."] {
        assert_eq!(sentences("eng", one), [one]);
    }
}

#[test]
fn degrees_end_sentences_and_years_before_an_era_do_not() {
    assert_eq!(sentences("ces", "Voda měla 20 °C. Lidé se koupali."), ["Voda měla 20 °C.", "Lidé se koupali."]);
    assert_eq!(sentences("eng", "Stored at 20 ° C. Samples were dried."), ["Stored at 20 ° C.", "Samples were dried."]);
    for (code, one) in [
        ("deu", "Im Jahr 70 n. Chr. wurde der Tempel zerstört."),
        ("deu", "Es gilt Art. 1 i.V.m. Art. 2 GG."),
        ("ita", "Il D.Lgs. 81/2008 vale."),
        ("ces", "Dům čp. 5 stojí."),
        ("pol", "Ustawa z dn. 5 maja."),
        ("ukr", "За ст. 5 ч. 2 КК України."),
    ] {
        assert_eq!(sentences(code, one), [one]);
    }
}

#[test]
fn sentences_without_a_mark_end_before_capitalised_function_words() {
    assert_eq!(
        sentences("deu", "Liebe Grüße Lutz und Heike Ich komme wieder Die Pizzeria Waldhorn ist gut"),
        ["Liebe Grüße Lutz und Heike", "Ich komme wieder", "Die Pizzeria Waldhorn ist gut"]
    );
    for one in [
        "Was haben Sie denn damit vor und wann kommen Ihre Gäste an?",
        "Er las im Spiegel und sah den Film Die Brücke.",
        "STELLT DIE VERANSTALTER ZUR REDE",
        "Negativ ist: Das zimmer war laut.",
    ] {
        assert_eq!(sentences("deu", one), [one]);
    }
    assert_eq!(
        sentences("deu", "Für den kommenden Dienstag steht noch eine Entscheidung bevor: Der Minister ist in Genf."),
        ["Für den kommenden Dienstag steht noch eine Entscheidung bevor:", "Der Minister ist in Genf."]
    );
    assert_eq!(
        sentences("eng", "It works for hot dogs and hamburgers They also offer fries"),
        ["It works for hot dogs and hamburgers", "They also offer fries"]
    );
    for one in ["He said I was VERY late.", "Breaking the record set in May of 1969."] {
        assert_eq!(sentences("eng", one), [one]);
    }
    assert_eq!(
        sentences("eng", "Sam3102.doc << File: Sam3102.doc >> I was late"),
        ["Sam3102.doc << File: Sam3102.doc >>", "I was late"]
    );
    assert_eq!(sentences("tur", "Topum, topacım, Bu her yerde var"), ["Topum, topacım,", "Bu her yerde var"]);
    assert_eq!(sentences("eng", "If it rains, I stay at home"), ["If it rains, I stay at home"]);
    // A participle is no name.
    assert_eq!(
        sentences("tur", "1 tatlı kaşığı tuz Uyandığımda dik bir yokuş"),
        ["1 tatlı kaşığı tuz", "Uyandığımda dik bir yokuş"]
    );
}

#[test]
fn an_abbreviation_before_a_noun_ends_no_sentence() {
    for one in ["Es waren 3 Std. Fahrt.", "Das kostet 5 Mio. Euro."] {
        assert_eq!(sentences("deu", one), [one]);
    }
    assert_eq!(sentences("deu", "Käse, Wurst etc. Das reicht."), ["Käse, Wurst etc.", "Das reicht."]);
}

#[test]
fn an_emoticon_and_a_ruler_of_hyphens_end_a_sentence() {
    assert_eq!(sentences("eng", "I like it :-) Posted by Ann"), ["I like it :-)", "Posted by Ann"]);
    assert_eq!(sentences("eng", "Ports (e.g. :D) Drive"), ["Ports (e.g. :D) Drive"]);
    assert_eq!(sentences("eng", "The end of it ------ The next one"), ["The end of it ------", "The next one"]);
}

#[test]
fn lines_of_messages_are_parted() {
    let text = "Email: \"Ann\"<ann@mail.test> Groups: alt.animals http://a.test/1.html http://a.test/2.html";
    let lines = ["Email: \"Ann\"<ann@mail.test>", "Groups: alt.animals http://a.test/1.html", "http://a.test/2.html"];
    assert_eq!(sentences("eng", text), lines);
    assert_eq!(sentences("eng", "It was late. -- Posted by Ann"), ["It was late. --", "Posted by Ann"]);
    assert_eq!(sentences("eng", "I stay four nights 1) what is it"), ["I stay four nights", "1) what is it"]);
    for one in
        ["The reasons are 1) it is late and 2) it is dark.", "One (see part 2) and more.", "At 10 Downing Street: no."]
    {
        assert_eq!(sentences("eng", one), [one]);
    }
}

#[test]
fn marks_without_a_space_part_words_but_no_names() {
    assert_eq!(sentences("eng", "That is the end.Next comes more."), ["That is the end.", "Next comes more."]);
    assert_eq!(sentences("eng", "they recruit foreigners?thanks all"), ["they recruit foreigners?", "thanks all"]);
    assert_eq!(sentences("eng", "A large Base...Miramar is north."), ["A large Base...", "Miramar is north."]);
    assert_eq!(sentences("eng", "i loved it. why not"), ["i loved it.", "why not"]);
    assert_eq!(sentences("kor", "집에 왔다.그리고 갔다."), ["집에 왔다.", "그리고 갔다."]);
    assert_eq!(sentences("ara", "إلى المدرسة.وعاد"), ["إلى المدرسة.", "وعاد"]);
    for one in [
        "Use node.Js or world.Com today",
        "Call list.Add(x) and java.Util.List here",
        "See index.php?id=home or yahoo!groups/x",
        "The pepper.no place",
    ] {
        assert_eq!(sentences("eng", one), [one]);
    }
}

#[test]
fn czech_sentences() {
    assert_eq!(
        sentences("ces", "Dne 5. 3. 2020 přijel např. prof. Novák. Byl to p. J. Novák, CSc. Ahoj!"),
        ["Dne 5. 3. 2020 přijel např. prof. Novák.", "Byl to p. J. Novák, CSc.", "Ahoj!"]
    );
    assert_eq!(
        sentences("ces", "To byl konec.Začátek přišel 9. října."),
        ["To byl konec.", "Začátek přišel 9. října."]
    );
    assert_eq!(
        sentences("ces", "„Přijde?“ ptal se. Ne… ale ano. V 19. století."),
        ["„Přijde?“ ptal se.", "Ne… ale ano.", "V 19. století."]
    );
}

#[test]
fn sentences_of_other_languages() {
    assert_eq!(
        sentences("deu", "Am 3. Mai kam Dr. Groß z. B. an. Er ging."),
        ["Am 3. Mai kam Dr. Groß z. B. an.", "Er ging."]
    );
    assert_eq!(
        sentences("rus", "Это было в 1990 г. в Москве и т.д. Он ушёл... потом. «Да!» И ушел."),
        ["Это было в 1990 г. в Москве и т.д.", "Он ушёл... потом.", "«Да!»", "И ушел."]
    );
    assert_eq!(
        sentences("jpn", "これは文です。次の文です！「はい。」と言った。"),
        ["これは文です。", "次の文です！", "「はい。」と言った。"]
    );
    let thai = "ทุกคนย่อมมีสิทธิและอิสรภาพบรรดาที่กำหนดไว้โดยปราศจากความแตกต่างไม่ว่าชนิดใด";
    assert_eq!(sentences("tha", &format!("{thai} ดังกล่าวแล้ว")), [thai, "ดังกล่าวแล้ว"]);
    let repeated = format!("{thai} ๆ ดังกล่าวแล้ว");
    assert_eq!(sentences("tha", &repeated), [repeated.as_str()]);
    assert_eq!(sentences("hin", "मैं घर गया। वह आया।"), ["मैं घर गया।", "वह आया।"]);
    assert_eq!(sentences("ara", "هل جاء؟ نعم جاء."), ["هل جاء؟", "نعم جاء."]);
    assert_eq!(sentences("ell", "Πού πας; Εδώ μένω."), ["Πού πας;", "Εδώ μένω."]);
    assert_eq!(sentences("xyz", "One. Two! three? Four"), ["One.", "Two! three?", "Four"]);
    assert!(sentences("eng", " \n ").is_empty());
    let lines = "We have ended!\n* Another star\n*** Three stars\n) closed\n” quoted";
    assert_eq!(sentences("eng", lines), lines.split('\n').collect::<Vec<_>>());
}

#[test]
fn a_korean_quotation_ends_no_sentence_before_its_particle() {
    for text in [
        "\"안 갑니다.\"라고 말했다. | 그는 집에 갔다.",
        "“안 갑니다.”라고 말했다. | 그는 ‘아니오.’라는 답을 들었다.",
        "김 장관은 \"대책을 마련하겠다. | 곧 발표할 것이다.\"라며 회의를 마쳤다. | 회의는 끝났다.",
        "그는 \"정말입니까?\"라고 물었다. | 나는 \"네!\" 하고 대답했다.",
        "그는 “갑니다.” | 그리고 갔다.",
    ] {
        assert_eq!(sentences("kor", &text.replace(" | ", " ")).join(" | "), text);
    }
    assert_eq!(cut("kor", "\"안 갑니다.\"라고 말했다."), "\" 안 갑니다 . \" 라고 말했다 .");
    // One that opens where a blank is missing.
    assert_eq!(sentences("kor", "그는 말했다.\"나는 갑니다.\"").len(), 2);
    assert_eq!(cut("kor", "(집에 갔다.)그는 왔다."), "( 집에 갔다 . ) | 그는 왔다 .");
    assert_eq!(sentences("jpn", "彼は\"Hello.\"と言った。"), ["彼は\"Hello.\"と言った。"]);
}

#[test]
fn addresses_end_before_marks_of_other_scripts() {
    assert_eq!(cut("zho", "www.a.com，看https://b.cn/c？"), "www.a.com ， 看 https://b.cn/c ？");
    assert_eq!(cut("ara", "www.a.com؟ نعم"), "www.a.com ؟ | نعم");
    assert_eq!(cut("kor", "www.a.com을 https://ko.b.org/wiki/한국"), "www.a.com 을 https://ko.b.org/wiki/한국");
    assert_eq!(
        cut("kor", "(www.a.kr)에서 https://a.kr/b(바로가기)를"),
        "( www.a.kr ) 에서 https://a.kr/b ( 바로가기 ) 를"
    );
    assert_eq!(cut("kor", "https://ko.b.org/wiki/수도_(도시)에서"), "https://ko.b.org/wiki/수도_(도시) 에서");
}
