//! Names of months in the languages that pages most often write dates in:
//! English, German, French, Spanish, Catalan, Galician, Italian, Portuguese, Dutch, Danish, Swedish, Norwegian,
//! Icelandic, Finnish, Estonian, Latvian, Lithuanian, Polish, Czech, Slovak, Slovene, Croatian, Serbian, Bulgarian,
//! Russian, Ukrainian, Belarusian, Hungarian, Romanian, Greek, Turkish, Georgian, Armenian, Arabic, Hebrew, Hindi,
//! Bengali, Marathi, Gujarati, Tamil, Telugu, Urdu, Persian, Thai, Indonesian, Malay, Albanian, Basque, Azerbaijani, Uzbek.
//! [`by_language`] has the names of further languages, and the short names.
//! Where two languages disagree (`listopad` is October in Croatian, November in Czech and Polish) the more written one counts.

use std::borrow::Cow;
use std::sync::LazyLock;

use fxhash::FxHashMap;

mod by_language;

/// Names that are whole words, with the numbers of their months.
static NAMES: LazyLock<FxHashMap<&str, u32>> = LazyLock::new(|| {
    let whole = (1..).zip(&MONTHS).flat_map(|(number, (_, names))| names.iter().map(move |name| (*name, number)));
    whole.chain(by_language::numbered(by_language::NAMES)).collect()
});

/// [`by_language::SHORT`] with the numbers of their months.
static SHORT: LazyLock<FxHashMap<&str, u32>> = LazyLock::new(|| by_language::numbered(by_language::SHORT).collect());

/// The number of the month a lower-case word names.
pub(super) fn month(word: &str) -> Option<u32> {
    let word = listed(word);
    NAMES.get(&*word).copied().or_else(|| by_stem(&word))
}

/// The number of the month a lower-case word names that stands between a day and a year: there short names are known, too.
pub(super) fn month_between(word: &str) -> Option<u32> {
    month(word).or_else(|| SHORT.get(&*listed(word)).copied())
}

/// A word as the tables have it: bare, and without the dot that a Turkish capital has left in it (`EKİM`).
fn listed(word: &str) -> Cow<'_, str> {
    const DOT_ABOVE: char = '\u{307}';
    if word.is_ascii() {
        return word.into();
    }
    let word = bare(word);
    if word.contains(DOT_ABOVE) { word.replace(DOT_ABOVE, "").into() } else { word.into() }
}

/// A name without what is written together with it: "in" in Hebrew, the words for month and year in Thai, Lao, Khmer and Burmese.
fn bare(word: &str) -> &str {
    let word = ["ב", "เดือน", "ເດືອນ", "ខែ"].iter().find_map(|before| word.strip_prefix(*before)).unwrap_or(word);
    ["ឆ្នាំ", "လ"].iter().find_map(|after| word.strip_suffix(*after)).unwrap_or(word)
}

/// The number of the month whose stem begins a word.
fn by_stem(word: &str) -> Option<u32> {
    let first = word.as_bytes().first()?;
    let begins = |stem: &&str| stem.as_bytes().first() == Some(first) && word.starts_with(*stem);
    let index = MONTHS.iter().position(|(stems, _)| stems.iter().any(begins))?;
    u32::try_from(index + 1).ok()
}

/// Whether a word names a month of the Ethiopian calendar, of which no date is read.
pub(super) fn is_ethiopian(word: &str) -> bool {
    ETHIOPIAN.contains(&word)
}

/// Its months in Amharic and Tigrinya; some have several spellings.
const ETHIOPIAN: &[&str] = words![
    "መስከረም" "ጥቅምት" "ጥቅምቲ" "ኅዳር" "ህዳር" "ሕዳር" "ታኅሣሥ" "ታህሳስ" "ታሕሳስ" "ጥር" "ጥሪ" "የካቲት" "ለካቲት" "መጋቢት" "ሚያዝያ" "ሚያዚያ"
    "ግንቦት" "ሰኔ" "ሰነ" "ሐምሌ" "ሓምለ" "ነሐሴ" "ጳጉሜ" "ጳጉሜን"
];

/// Stems that begin the names of a month, and whole words: its short names, and
/// names that begin other words too (`mart` begins `martes`, Tuesday).
type MonthNames = (&'static [&'static str], &'static [&'static str]);

/// Month names of all languages, from January to December.
static MONTHS: [MonthNames; 12] = [
    (
        words!["januar" "janvier" "jänner" "gennaio" "janeiro" "enero" "leden" "ledna" "stycz" "siječ" "январ"
            "січ" "ocak" "ιανουαρ" "ianuar" "tammiku" "يناير" "ژانویه" "ינואר" "јануар" "януари" "janvār"
            "janúar" "xaneiro" "студзен" "იანვ" "հունվ"],
        words!["jan" "janv" "ene" "gen" "led" "sty" "янв" "januára" "ian" "sausio" "jaanuar" "janar" "មករា" "yanvar"
            "جنوری" "ஜனவரி" "జనవరి" "जानेवारी" "જાન્યુઆરી" "urtarrilaren"
            "जनवरी" "জানুয়ারি" "มกราคม" "gener"],
    ),
    (
        words!["februar" "février" "fevrier" "febbraio" "fevereiro" "febrero" "únor" "lutego" "luty" "veljač"
            "феврал" "лют" "şubat" "φεβρουαρ" "helmiku" "فبراير" "פברואר" "фебруар" "феврува" "февруар"
            "febrer" "febrúar" "febrār" "თებ" "փետր"],
        words!["feb" "febr" "févr" "fév" "fev" "lut" "úno" "фев" "vasario" "veebruar" "फरवरी" "ফেব্রুয়ারি"
            "กุมภาพันธ์" "febbr" "fevral" "shkurt" "فروری" "فوریه" "شباط" "பிப்ரவரி" "ఫిబ్రవరి" "फेब्रुवारी" "ફેબ્રુઆરી" "otsailaren"],
    ),
    (
        words!["march" "märz" "maerz" "marzo" "março" "maart" "březn" "březen" "marca" "márci" "ožuj" "марта"
            "берез" "μαρτ" "μάρτ" "martie" "maalisku" "مارس" "מרץ" "març" "сакав" "მარტ"],
        words!["mar" "mär" "mars" "mart" "marts" "mrz" "bře" "marzec" "marec" "mrt" "март" "мар" "kovo" "märts"
            "मार्च" "মার্চ" "มีนาคม" "maret" "ožu" "márc" "مارچ" "آذار" "மார்ச்" "మార్చి" "માર્ચ" "martxoaren" "մարտ"],
    ),
    (
        words!["april" "avril" "aprile" "abril" "dubn" "duben" "kwie" "ápril" "travnj" "апрел" "квіт" "nisan"
            "απρ" "huhtiku" "أبريل" "ابريل" "אפריל" "април" "apríl" "aprīl" "красаві" "აპრ" "ապրիլ"],
        words!["apr" "avr" "abr" "dub" "апр" "balandžio" "travanj" "अप्रैल" "এপ্রিল" "เมษายน" "ápr" "aprel" "prill" "اپریل" "آوریل" "نيسان"
            "ஏப்ரல்" "ఏప్రిల్" "एप्रिल" "એપ્રિલ" "apirilaren"],
    ),
    (
        words!["maggio" "mayo" "květ" "maja" "svibn" "травн" "mayıs" "μαΐ" "μαϊ" "toukoku" "مايو" "מאי" "მაის"
            "մայիս"],
        words!["may" "mai" "maj" "mei" "mag" "maio" "mája" "máj" "május" "kvě" "мая" "май" "gegužės" "मई" "মে"
            "พฤษภาคม" "svi" "mayis" "трав" "мај" "maí" "maig" "maijs" "maijā" "مئی" "أيار"
            "மே" "మే" "मे" "મે" "maiatzaren"],
    ),
    (
        words!["juni" "june" "juin" "giugno" "junho" "června" "czerw" "lipnj" "június" "июн" "черв" "haziran"
            "ιουν" "iunie" "kesäku" "يونيو" "יוני" "jūnij" "чэрв" "ივნ" "հունիս"],
        words!["jun" "giu" "červen" "cze" "jún" "júna" "birželio" "जून" "জুন" "มิถุนายน" "giugn" "juny" "јун"
            "јуна" "юни" "júní" "xuño" "iyun" "qershor" "جون" "ژوئن" "حزيران" "ஜூன்" "జూన్" "જૂન" "ekainaren"],
    ),
    (
        words!["juli" "july" "juillet" "luglio" "julho" "červenc" "července" "lipca" "lipiec" "srpnj" "július"
            "июл" "лип" "temmuz" "ιουλ" "iulie" "heinäku" "يوليو" "יולי" "jūlij" "ліпен" "ივლ" "հուլիս"],
        words!["jul" "juil" "lug" "lip" "júl" "júla" "liepos" "जुलाई" "জুলাই" "กรกฎาคม" "јул" "јула" "юли"
            "júlí" "xullo" "iyul" "korrik" "جولائی" "ژوئیه" "تموز" "ஜூலை" "జూలై" "जुलै" "જુલાઈ" "uztailaren"],
    ),
    (
        words!["august" "août" "aout" "agosto" "srpna" "srpen" "sierp" "kolovoz" "augusztus" "авгус" "серп"
            "ağustos" "αυγ" "elokuu" "أغسطس" "اغسطس" "אוגוסט" "agust" "avgust" "ágúst" "жніў" "აგვ" "օգոստ"],
        words!["aug" "ago" "srp" "sie" "авг" "août" "rugpjūčio" "अगस्त" "আগস্ট" "สิงหาคม" "agost" "ogos" "avqust" "gusht" "اگست"
            "اوت" "آب" "ஆகஸ்ட்" "ఆగస్టు" "ऑगस्ट" "ઑગસ્ટ" "abuztuaren"],
    ),
    (
        words!["septemb" "settembre" "setembro" "septiembre" "září" "wrze" "rujn" "szeptember" "сентя" "верес"
            "eylül" "σεπτ" "syysku" "سبتمبر" "ספטמבר" "септем" "setembre" "верасн" "სექტ" "սեպտ"],
        words!["sep" "sept" "set" "zář" "wrz" "сен" "сент" "rugsėjo" "सितंबर" "সেপ্টেম্বর" "กันยายน" "eylul" "szept" "sentyabr"
            "sentabr" "shtator" "ستمبر" "سپتامبر" "أيلول" "செப்டம்பர்" "సెప్టెంబర్" "सप्टेंबर" "સપ્ટેમ્બર" "irailaren"],
    ),
    (
        words!["octob" "oktob" "octubre" "ottobre" "outubro" "říjn" "říjen" "paźdz" "október" "октяб" "жовт"
            "ekim" "οκτ" "octombr" "lokaku" "أكتوبر" "اكتوبر" "אוקטובר" "октом" "октоб" "кастрыч" "ოქტ"
            "հոկտ"],
        words!["oct" "okt" "ott" "out" "říj" "paź" "окт" "spalio" "अक्टूबर" "অক্টোবর" "ตุลาคม" "outubr" "oktyabr" "oktabr" "tetor"
            "اکتوبر" "اکتبر" "அக்டோபர்" "అక్టోబర్" "ऑक्टोबर" "ઑક્ટોબર" "urriaren"],
    ),
    (
        words!["novemb" "noviembre" "listopad" "studen" "ноябр" "листоп" "kasım" "νοε" "noiembr" "marrasku"
            "نوفمبر" "נובמבר" "ноем" "nóvemb" "лістап" "ნოემ" "նոյեմ"],
        words!["nov" "lis" "нов" "ноя" "lapkričio" "नवंबर" "নভেম্বর" "พฤศจิกายน" "kasim" "noyabr" "nëntor" "نومبر" "نوامبر"
            "நவம்பர்" "నవంబర్" "नोव्हेंबर" "નવેમ્બર" "azaroaren"],
    ),
    (
        words!["decemb" "dezemb" "dicembre" "dezembro" "diciembre" "prosin" "grud" "декаб" "груд" "aralık"
            "δεκ" "jouluku" "ديسمبر" "דצמבר" "desemb" "децем" "декем" "detsemb" "disember" "დეკ" "դեկտ"],
        words!["dec" "dez" "dic" "déc" "gru" "pro" "дек" "décembre" "gruodžio" "दिसंबर" "ডিসেম্বর" "ธันวาคม"
            "aralik" "des" "снежня" "dekabr" "dhjetor" "دسمبر" "دسامبر" "டிசம்பர்" "డిసెంబర్" "डिसेंबर" "ડિસેમ્બર" "abenduaren"],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_many_languages() {
        for (words, number) in [
            ("january januar gener janvārī јануара януари студзеня қаңтар ਜਨਵਰੀ ionawr január", 1),
            ("february február februára febreiro февр fewral", 2),
            ("march марта març сакавіка", 3),
            ("nisan ni\u{307}san travanj เมษายน เดือนเมษายน", 4),
            ("mai мај maig mayıs toukokuuta", 5),
            ("june јуна юни juny jūnijs червня чэрвеня juuni", 6),
            ("avgust август août agost ogos ágúst", 8),
            ("december декември децембра desember disember снежня aralık", 12),
        ] {
            for word in words.split(' ') {
                assert_eq!(month(word), Some(number), "{word}");
            }
        }
        for other in ["martes", "general", "novel", "юноша", "መጋቢት", "फागुन", ""] {
            assert_eq!(month_between(other), None, "{other}");
        }
    }

    #[test]
    fn no_month_takes_the_names_of_another() {
        for (at, (stems, names)) in MONTHS.iter().enumerate() {
            for word in stems.iter().chain(*names) {
                assert_eq!(month(word).map(|month| month as usize), Some(at + 1), "{word}");
            }
        }
        for (word, number) in by_language::numbered(by_language::NAMES) {
            assert_eq!(month(word), Some(number), "{word}");
        }
    }

    #[test]
    fn short_names_are_no_months_elsewhere() {
        for (word, number) in by_language::numbered(by_language::SHORT) {
            assert_eq!((month(word), month_between(word)), (None, Some(number)), "{word}");
        }
    }
}
