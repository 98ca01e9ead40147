//! Names of months in the languages that pages most often write dates in:
//! English, German, French, Spanish, Italian, Portuguese, Dutch, Danish,
//! Swedish, Czech, Slovak, Polish, Croatian, Russian, Ukrainian, Hungarian,
//! Turkish, Greek. Where two languages disagree (`listopad` is October in
//! Croatian, November in Czech and Polish) the more written one counts.

/// The number of the month a lower-case word names.
pub(super) fn month(word: &str) -> Option<u32> {
    let known =
        |(stems, exact): &(&[&str], &[&str])| exact.contains(&word) || stems.iter().any(|stem| word.starts_with(stem));
    let index = MONTHS.iter().position(known)?;
    u32::try_from(index + 1).ok()
}

/// Stems that begin the names of a month, and whole words: its short names, and
/// names that begin other words too (`mart` begins `martes`, Tuesday).
type Names = (&'static [&'static str], &'static [&'static str]);

/// January first.
const MONTHS: [Names; 12] = [
    (
        &[
            "januar",
            "janvier",
            "jänner",
            "gennaio",
            "janeiro",
            "enero",
            "leden",
            "ledna",
            "stycz",
            "siječ",
            "январ",
            "січ",
            "ocak",
            "ιανουαρ",
        ],
        &["jan", "janv", "ene", "gen", "led", "sty", "янв"],
    ),
    (
        &[
            "februar",
            "février",
            "fevrier",
            "febbraio",
            "fevereiro",
            "febrero",
            "únor",
            "lutego",
            "luty",
            "veljač",
            "феврал",
            "лют",
            "şubat",
            "φεβρουαρ",
        ],
        &["feb", "febr", "févr", "fév", "fev", "lut", "úno", "фев"],
    ),
    (
        &[
            "march",
            "märz",
            "maerz",
            "marzo",
            "março",
            "maart",
            "březn",
            "březen",
            "marca",
            "márci",
            "ožuj",
            "марта",
            "берез",
            "μαρτ",
            "μάρτ",
        ],
        &["mar", "mär", "mars", "mart", "marts", "mrz", "bře", "marzec", "marec", "mrt", "март", "мар"],
    ),
    (
        &[
            "april",
            "avril",
            "aprile",
            "abril",
            "dubn",
            "duben",
            "kwie",
            "ápril",
            "travnj",
            "апрел",
            "квіт",
            "nisan",
            "απρ",
        ],
        &["apr", "avr", "abr", "dub", "апр"],
    ),
    (
        &["maggio", "mayo", "květ", "maja", "svibn", "травн", "mayıs", "μαΐ", "μαϊ"],
        &["may", "mai", "maj", "mei", "mag", "maio", "mája", "máj", "május", "kvě", "мая", "май"],
    ),
    (
        &[
            "juni", "june", "juin", "giugno", "junho", "června", "czerw", "lipnj", "június", "июн", "черв", "haziran",
            "ιουν",
        ],
        &["jun", "giu", "červen", "cze", "jún", "júna"],
    ),
    (
        &[
            "juli",
            "july",
            "juillet",
            "luglio",
            "julho",
            "červenc",
            "července",
            "lipca",
            "lipiec",
            "srpnj",
            "július",
            "июл",
            "лип",
            "temmuz",
            "ιουλ",
        ],
        &["jul", "juil", "lug", "lip", "júl", "júla"],
    ),
    (
        &[
            "august",
            "août",
            "aout",
            "agosto",
            "srpna",
            "srpen",
            "sierp",
            "kolovoz",
            "augusztus",
            "авгус",
            "серп",
            "ağustos",
            "αυγ",
        ],
        &["aug", "ago", "srp", "sie", "авг", "août"],
    ),
    (
        &[
            "septemb",
            "settembre",
            "setembro",
            "septiembre",
            "září",
            "wrze",
            "rujn",
            "szeptember",
            "сентя",
            "верес",
            "eylül",
            "σεπτ",
        ],
        &["sep", "sept", "set", "zář", "wrz", "сен", "сент"],
    ),
    (
        &[
            "octob",
            "oktob",
            "octubre",
            "ottobre",
            "outubro",
            "říjn",
            "říjen",
            "paźdz",
            "október",
            "октяб",
            "жовт",
            "ekim",
            "οκτ",
        ],
        &["oct", "okt", "ott", "out", "říj", "paź", "окт"],
    ),
    (&["novemb", "noviembre", "listopad", "studen", "ноябр", "листоп", "kasım", "νοε"], &["nov", "lis", "нов", "ноя"]),
    (
        &["decemb", "dezemb", "dicembre", "dezembro", "diciembre", "prosin", "grud", "декаб", "груд", "aralık", "δεκ"],
        &["dec", "dez", "dic", "déc", "gru", "pro", "дек", "décembre"],
    ),
];
