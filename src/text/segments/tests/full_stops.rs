//! Full stops that end a sentence, and those of abbreviations, initials, numbers and dates.

use super::*;

#[test]
fn initials_end_no_sentence() {
    are_cut(&[
        ("rus", "Президент В.В. Путин и М. Мишустин. | А. С. Пушкин в г. Москве. | Это было в 2018 г. | Потом."),
        ("pol", "Przyszedł R. Nowak. | W. Kowalski w XX w. | Urodził się w 1990 r. | Potem."),
        ("eng", "I met D. A. Novak and D. I. Novak. | A. B. Smith left the U.S. | The end."),
        ("spa", "El 44 a. C. murió en EE. UU. | El s. XIX y el vol. III de D. A. García."),
        ("lit", "2020 m. kovo 1 d. Seimas priėmė. | Gimė 1990 m. | Tai yra."),
        ("fin", "Hän on Oy:n. | Se on nro 5."),
        ("vie", "TP. Hồ Chí Minh có PGS. TS. Nguyễn. | Ông đi."),
        ("ind", "Jl. Sudirman, Kab. Bogor, Rp. 50.000. | Ia pergi."),
    ]);
}

#[test]
fn titles_and_shortened_words_end_no_sentence() {
    are_cut(&[
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
    ]);
}

#[test]
fn the_number_of_an_item_ends_no_sentence() {
    are_cut(&[
        ("eng", "A. The creation of a system."),
        ("eng", "a. Personal Information."),
        ("eng", "(40) The others followed."),
        ("fra", "3) La farine."),
        ("deu", "c) Da die Beklagte schwieg."),
        ("deu", "III. Die Revision ist unzulässig."),
    ]);
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
    are_cut(&[
        ("deu", "Er hat jetzt eine DVD. | Peter lacht."),
        ("ces", "Koupil nové CD. | Petr odešel za Karlem IV. Lucemburským."),
    ]);
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
    are_cut(&[
        (
            "kor",
            "행사는 2020. 3. 15. 서울에서 열렸다. | 2021. 1. 1.부터 시행한다. | 기간은 2020.3.15. ~ 4. 1. 이다. | 끝.",
        ),
        ("kor", "그는 2020. 3. 졸업했다. | 평점은 4.5. | 좋다. | 작성일 2020. 3. 15."),
        ("hun", "A kiadás 2020. 03. 15. napján lesz. | Határidő 2020.03.15. 10 óra. | Ez a vége."),
    ]);
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

#[test]
fn a_colon_of_armenian_looks_as_a_full_stop() {
    are_cut(&[
        ("hye", "Նա ասաց. «Ներկա պահին ամեն ինչ լավ է»։ | Հետո գնաց։"),
        ("hye", "Հանդիպումը ժ. 10:30-ին է"),
        ("hye", "Նա գնաց. | Ես եկա. | Մենք եկանք։"),
    ]);
}

#[test]
fn titles_of_india_end_no_sentence() {
    are_cut(&[
        ("mar", "प्रा. शिंदे आले. | श्री. शरद पवार बोलले."),
        ("guj", "પ્રો. શાહ આવ્યા. | શ્રી. પટેલ ગયા."),
        ("ben", "প্রফ. রহমান এলেন। | ডা. আলম গেলেন।"),
    ]);
}

#[test]
fn initials_of_two_letters_end_no_sentence() {
    are_cut(&[
        ("hrv", "Došli su Lj. Popović, Nj. Visost i Dž. Begić. | To je sve."),
        ("srp", "Дошли су Ст. Петровић и Љ. Поповић. | То је све."),
        ("hun", "Megjött Gy. Szabó, Cs. Nagy, Sz. Kiss és Zs. Tóth. | Ez a vége."),
        ("pol", "Przyszli Cz. Nowak, Sz. Kowalski i Ch. Adamski. | To koniec."),
        ("ces", "Přišel J. Ch. Novák. | To je konec."),
        ("uzb", "Keldi Sh. Rashidov, Ch. Aytmatov, G‘. G‘ulom va O‘. Hoshimov. | Bu hammasi."),
        ("cym", "Daeth Ll. Jones a Rh. Evans. | Aethant."),
        ("ell", "Ήρθε ο Χρ. Παπάς, ο Γρ. Λάμπρου, ο Αλ. Νίκου και ο Στ. Γεωργίου. | Αυτό είναι."),
        ("ell", "Θέλει 100 γρ. | Ζάχαρη όχι."),
        ("aze", "Prezident İ. Əliyev gəldi. | Bu son."),
        ("tur", "Başkan İ. Melih geldi."),
    ]);
}

#[test]
fn abbreviations_with_hyphens_and_apostrophes_end_no_sentence() {
    are_cut(&[
        ("fra", "Le chef, c.-à-d. Paul, est parti. | Il cite J.-P. Martin."),
        ("fra", "C’est lui, c.-à-d. Paul."),
        ("uzb", "Navoiy ko‘ch. 10-uyda. | Bu ko'ch. Navoiy."),
        ("mlt", "Ġie l-Onor. Borg u d-Dott. Vella. | Marru."),
        ("bul", "Дойде д-р. Петров."),
    ]);
}

#[test]
fn abbreviations_of_azerbaijani_and_uzbek() {
    are_cut(&[
        ("aze", "Nizami küç. 10 və Neftçilər pr. 10. | Bu ev."),
        ("aze", "Roma e.ə. V əsrdə böyüdü."),
        ("uzb", "Prof. Karimov keldi."),
        ("tur", "Demir Ltd. | Yeni ürün çıktı."),
        ("aze", "Bu kişi rus. | Həmin gün getdi."),
        ("uzb", "Hech gap yo'q. | Adabiyot bor."),
    ]);
}

#[test]
fn ancient_greek_asks_before_a_small_letter() {
    are_cut(&[("grc", "τί δ’ ἐστίν; | οὐκ οἶδα.")]);
}

#[test]
fn a_shortened_word_stands_before_the_number_of_a_century() {
    are_cut(&[
        ("cat", "Va ser al s. XIX. | Després no."),
        ("spa", "Vivió en el s. V antes de Cristo. | En el s. X, no."),
        ("spa", "Vino el Pdte. Gómez. | Lo dijo la cía. | Nadie sabe."),
        ("por", "Falou V. Exa. Ministro. | Veja inc. II, fls. 20. | Cozinhe por 10 min. | Retire do forno."),
        ("ukr", "Див. мал. 5. | Це все."),
        ("slv", "Slovenski c. 10 je hiša. | To je vse."),
        ("ell", "Κατά το άρθρ. Πέντε του ν. 4412."),
    ]);
}

#[test]
fn thousands_and_millions_end_a_sentence_before_its_first_word() {
    are_cut(&[
        ("lit", "Tai 5 proc. Lietuvos gyventojų. | Tai viskas."),
        ("fin", "Oli 5 milj. Suomen markkaa. | Oli 5 milj. | Se on."),
        ("swe", "Det var 5 milj. Svenska kronor. | Det var 5 milj. | Det är allt."),
    ]);
}

#[test]
fn a_verse_of_hebrew_ends_with_its_own_mark() {
    are_cut(&[("heb", "ויהי אור׃ | וירא אלהים׃"), ("hbo", "ויהי אור׃ | וירא׃")]);
}
