//! Full stops that end a sentence, and those of abbreviations, initials, numbers and dates.

use super::*;

#[test]
fn initials_end_no_sentence() {
    for (code, text) in [
        ("rus", "Президент В.В. Путин и М. Мишустин. | А. С. Пушкин в г. Москве. | Это было в 2018 г. | Потом."),
        ("pol", "Przyszedł R. Nowak. | W. Kowalski w XX w. | Urodził się w 1990 r. | Potem."),
        ("eng", "I met D. A. Novak and D. I. Novak. | A. B. Smith left the U.S. | The end."),
        ("spa", "El 44 a. C. murió en EE. UU. | El s. XIX y el vol. III de D. A. García."),
        ("lit", "2020 m. kovo 1 d. Seimas priėmė. | Gimė 1990 m. | Tai yra."),
        ("fin", "Hän on Oy:n. | Se on nro 5."),
        ("vie", "TP. Hồ Chí Minh có PGS. TS. Nguyễn. | Ông đi."),
        ("ind", "Jl. Sudirman, Kab. Bogor, Rp. 50.000. | Ia pergi."),
    ] {
        assert_eq!(sentences(code, &text.replace(" | ", " ")).join(" | "), text, "{code}");
    }
}

#[test]
fn titles_and_shortened_words_end_no_sentence() {
    for (code, text) in [
        ("hrv", "Dr. sc. Ivan Horvat je stigao. | Prof. dr. sc. Ana i prim. dr. Marko idu. | To je sve."),
        ("deu", "Er wohnt Bahnhofstr. 12 in Bonn. | Sie wohnt Goethestr. 5. | Sie sucht die Hauptstr. | Dort ist er."),
        ("lav", "Sākas plkst. 10.00 rītā. | Tas ir viss."),
        ("fra", "Il cite les art. L. 123-4 et art. R. 4127. | Voir p. 5. | Lui aussi."),
        ("slv", "Stane pribl. 10 evrov. | To je vse."),
        ("swa", "Dkt. Ali na Bw. Juma walikuja. | Bi. Asha na Mhe. Rais wako hapa."),
        ("tgl", "Si Gng. Santos at si G. Cruz ay dumating. | Si Atty. Reyes ay narito."),
        ("hye", "Նա ծնվել է 1950 թ. Երևանում։ | Ապրել է Աբովյան փ. 5 տանը։"),
        ("urd", "وہ آئے۔ | ایم۔ اے۔ جناح روڈ کراچی میں ہے۔ | بی۔بی۔سی نے کہا۔ | ڈاکٹر اے۔ پی۔ جے۔ عبدالکلام۔"),
        ("urd", "اس نے چائے پی۔ | وہ آئی۔ | وہ گیا۔"),
        ("lao", "ປີ ຄ.ສ. 1990 ດຣ. ສົມສັກ ມາ."),
        ("khm", "ឆ្នាំ គ.ស. 1990 ។"),
    ] {
        assert_eq!(sentences(code, &text.replace(" | ", " ")).join(" | "), text, "{code}");
    }
}

#[test]
fn the_number_of_an_item_ends_no_sentence() {
    for (code, text) in [
        ("eng", "A. The creation of a system."),
        ("eng", "a. Personal Information."),
        ("eng", "(40) The others followed."),
        ("fra", "3) La farine."),
        ("deu", "c) Da die Beklagte schwieg."),
        ("deu", "III. Die Revision ist unzulässig."),
    ] {
        assert_eq!(sentences(code, text), [text], "{code}");
    }
    for (code, text) in [
        ("kor", "네. 알겠습니다."),
        ("rus", "Кто там? Я. Он ушёл."),
        ("eng", "The disc is on a CD. The cover is lost."),
        ("fra", "M. Le Pen a parlé. Il a fini."),
    ] {
        assert!(sentences(code, text).len() > 1, "{text}");
    }
    assert_eq!(sentences("fra", "Le discours de M. Le Pen a duré."), ["Le discours de M. Le Pen a duré."]);
    assert_eq!(sentences("eng", "They chose plan B. The others left (all of them) and he stayed.").len(), 2);
}

#[test]
fn a_disc_is_no_number() {
    for (code, text) in [
        ("deu", "Er hat jetzt eine DVD. | Peter lacht."),
        ("ces", "Koupil nové CD. | Petr odešel za Karlem IV. Lucemburským."),
    ] {
        assert_eq!(sentences(code, &text.replace(" | ", " ")).join(" | "), text, "{code}");
    }
}

#[test]
fn what_follows_an_hour_or_a_party_begins_no_sentence() {
    for (code, text) in [
        ("eng", "It ends at 6:30 p.m. Monday and begins at 1 a.m. EST."),
        ("eng", "It is known as the Eldred v. Ashcroft case."),
        ("hun", "Megnyílt a 18. TIFF fesztivál."),
    ] {
        assert_eq!(sentences(code, text), [text], "{code}");
    }
    assert_eq!(sentences("eng", "It ends at 6 p.m. The doors open early.").len(), 2);
}

#[test]
fn dates_with_the_year_first_end_no_sentence() {
    for (code, text) in [
        (
            "kor",
            "행사는 2020. 3. 15. 서울에서 열렸다. | 2021. 1. 1.부터 시행한다. | 기간은 2020.3.15. ~ 4. 1. 이다. | 끝.",
        ),
        ("kor", "그는 2020. 3. 졸업했다. | 평점은 4.5. | 좋다. | 작성일 2020. 3. 15."),
        ("hun", "A kiadás 2020. 03. 15. napján lesz. | Határidő 2020.03.15. 10 óra. | Ez a vége."),
    ] {
        assert_eq!(sentences(code, &text.replace(" | ", " ")).join(" | "), text, "{code}");
    }
}

#[test]
fn abbreviations_are_known_with_blanks_between_their_parts() {
    for (code, text) in [
        ("deu", "Es gibt u. a. Bücher und Hefte."),
        ("deu", "Vgl. i. V. m. Art. 5 des Gesetzes."),
        ("dan", "Han har set bl. a. København og Aarhus."),
        ("eng", "It was written by A. M. Rosenthal in 1990."),
        ("rus", "Книгу передали Т. Д. Иванову вчера."),
        ("spa", "Lo dijo A. C. Milán ayer."),
    ] {
        assert_eq!(sentences(code, text), [text]);
    }
    assert_eq!(sentences("deu", "Er lief 3000 m. Am Ende gewann er.").len(), 2);
}

#[test]
fn paths_of_identifiers_and_time_zones_end_no_sentence() {
    assert_eq!(sentences("eng", "Use django.db.models.Model for the tables. It works.").len(), 2);
    for text in ["She said no to that.Then she left the room.", "It is on google.com.The next day we slept."] {
        assert_eq!(sentences("eng", text).len(), 2, "{text}");
    }
    let stamps = "posted on 12/20/2004 12:19:30 PM PST by Jim";
    assert!(sentences("eng", stamps).iter().all(|sentence| !sentence.starts_with("PST")), "{stamps}");
    assert_eq!(sentences("eng", "Common Mistakes and How to Fix Them").len(), 1);
    assert_eq!(sentences("deu", "Siehe §§ 305 ff. BGB und den Vertrag.").len(), 1);
}
