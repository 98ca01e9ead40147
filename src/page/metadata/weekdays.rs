//! Full names of the days of the week, in the languages of [`super::months`] and some more. Short names are left out, for they
//! begin or are other words too, and so are names that are numbers without a further word (Portuguese `segunda`).

use crate::text::char_classes::is_mark;

/// Whether a text is the name of a day of the week, in any case and whatever marks stand around it.
pub(super) fn is_weekday(text: &str) -> bool {
    let word = text.trim_matches(|c: char| !c.is_alphabetic() && !is_mark(c)).to_lowercase();
    WEEKDAYS.contains(&word.as_str())
}

/// The names in lower case, language by language.
const WEEKDAYS: &[&str] = words![
    "monday" "tuesday" "wednesday" "thursday" "friday" "saturday" "sunday"
    "montag" "dienstag" "mittwoch" "donnerstag" "freitag" "samstag" "sonnabend" "sonntag"
    "lundi" "mardi" "mercredi" "jeudi" "vendredi" "samedi" "dimanche"
    "lunes" "martes" "miércoles" "jueves" "viernes" "sábado" "domingo"
    "dilluns" "dimarts" "dimecres" "dijous" "divendres" "dissabte" "diumenge"
    "luns" "mércores" "xoves" "venres"
    "lunedì" "martedì" "mercoledì" "giovedì" "venerdì" "sabato" "domenica"
    "segunda-feira" "terça-feira" "quarta-feira" "quinta-feira" "sexta-feira"
    "maandag" "dinsdag" "woensdag" "donderdag" "vrijdag" "zaterdag" "zondag"
    "mandag" "tirsdag" "onsdag" "torsdag" "fredag" "lørdag" "søndag"
    "måndag" "tisdag" "lördag" "söndag"
    "tysdag" "laurdag" "sundag"
    "mánudagur" "þriðjudagur" "miðvikudagur" "fimmtudagur" "föstudagur" "laugardagur" "sunnudagur"
    "maanantai" "tiistai" "keskiviikko" "torstai" "perjantai" "lauantai" "sunnuntai"
    "esmaspäev" "teisipäev" "kolmapäev" "neljapäev" "reede" "laupäev" "pühapäev"
    "pirmdiena" "otrdiena" "trešdiena" "ceturtdiena" "piektdiena" "sestdiena" "svētdiena"
    "pirmadienis" "antradienis" "trečiadienis" "ketvirtadienis" "penktadienis" "šeštadienis" "sekmadienis"
    "poniedziałek" "wtorek" "środa" "czwartek" "piątek" "sobota" "niedziela"
    "pondělí" "úterý" "středa" "čtvrtek" "pátek" "neděle"
    "pondelok" "utorok" "streda" "štvrtok" "piatok" "nedeľa"
    "ponedeljek" "torek" "sreda" "četrtek" "petek" "nedelja"
    "ponedjeljak" "utorak" "srijeda" "četvrtak" "petak" "subota" "nedjelja" "ponedeljak"
    "понедељак" "уторак" "среда" "четвртак" "петак" "субота" "недеља"
    "понеделник" "вторник" "сряда" "четвъртък" "петък" "събота" "неделя"
    "понедельник" "четверг" "пятница" "суббота" "воскресенье"
    "понеділок" "вівторок" "середа" "четвер" "п'ятниця" "п’ятниця" "неділя"
    "панядзелак" "аўторак" "серада" "чацвер" "пятніца" "нядзеля"
    "hétfő" "kedd" "szerda" "csütörtök" "péntek" "szombat" "vasárnap"
    "luni" "marți" "marţi" "miercuri" "joi" "vineri" "sâmbătă" "duminică"
    "δευτέρα" "τρίτη" "τετάρτη" "πέμπτη" "παρασκευή" "σάββατο" "κυριακή"
    "pazartesi" "salı" "çarşamba" "perşembe" "cuma" "cumartesi" "pazar"
    "ორშაბათი" "სამშაბათი" "ოთხშაბათი" "ხუთშაბათი" "პარასკევი" "შაბათი" "კვირა"
    "երկուշաբթի" "երեքշաբթի" "չորեքշաբթի" "հինգշաբթի" "ուրբաթ" "շաբաթ" "կիրակի"
    "الاثنين" "الإثنين" "الثلاثاء" "الأربعاء" "الاربعاء" "الخميس" "الجمعة" "السبت" "الأحد" "الاحد"
    "יום ראשון" "יום שני" "יום שלישי" "יום רביעי" "יום חמישי" "יום שישי" "יום שבת"
    "सोमवार" "मंगलवार" "बुधवार" "गुरुवार" "गुरूवार" "शुक्रवार" "शनिवार" "रविवार"
    "সোমবার" "মঙ্গলবার" "বুধবার" "বৃহস্পতিবার" "শুক্রবার" "শনিবার" "রবিবার"
    "मंगळवार"
    "સોમવાર" "મંગળવાર" "બુધવાર" "ગુરુવાર" "શુક્રવાર" "શનિવાર" "રવિવાર"
    "திங்கட்கிழமை" "செவ்வாய்க்கிழமை" "புதன்கிழமை" "வியாழக்கிழமை" "வெள்ளிக்கிழமை" "சனிக்கிழமை" "ஞாயிற்றுக்கிழமை"
    "సోమవారం" "మంగళవారం" "బుధవారం" "గురువారం" "శుక్రవారం" "శనివారం" "ఆదివారం"
    "منگل" "بدھ" "جمعرات" "جمعہ" "ہفتہ" "اتوار"
    "دوشنبه" "سه شنبه" "سه\u{200c}شنبه" "چهارشنبه" "پنجشنبه" "پنج\u{200c}شنبه" "جمعه" "شنبه" "یکشنبه"
    "วันจันทร์" "วันอังคาร" "วันพุธ" "วันพฤหัสบดี" "วันศุกร์" "วันเสาร์" "วันอาทิตย์"
    "senin" "selasa" "rabu" "kamis" "jumat" "sabtu" "minggu"
    "isnin" "khamis" "jumaat" "ahad"
    "e hënë" "e martë" "e mërkurë" "e enjte" "e premte" "e shtunë" "e diel"
    "astelehena" "asteartea" "asteazkena" "osteguna" "ostirala" "larunbata" "igandea"
    "bazar ertəsi" "çərşənbə axşamı" "çərşənbə" "cümə axşamı" "cümə" "şənbə"
    "dushanba" "seshanba" "chorshanba" "payshanba" "juma" "shanba" "yakshanba"
    "дүйсенбі" "сейсенбі" "сәрсенбі" "бейсенбі" "жұма" "сенбі" "жексенбі"
    "thứ hai" "thứ ba" "thứ tư" "thứ năm" "thứ sáu" "thứ bảy" "chủ nhật"
    "ថ្ងៃចន្ទ" "ថ្ងៃអង្គារ" "ថ្ងៃពុធ" "ថ្ងៃព្រហស្បតិ៍" "ថ្ងៃសុក្រ" "ថ្ងៃសៅរ៍" "ថ្ងៃអាទិត្យ"
    "ວັນຈັນ" "ວັນອັງຄານ" "ວັນພຸດ" "ວັນພະຫັດ" "ວັນສຸກ" "ວັນເສົາ" "ວັນອາທິດ"
    "ሰኞ" "ማክሰኞ" "ረቡዕ" "ሐሙስ" "ሀሙስ" "ዓርብ" "አርብ" "ቅዳሜ" "እሑድ" "እሁድ"
    "ሰኑይ" "ሰሉስ" "ሓሙስ" "ዓርቢ" "ቀዳም" "ሰንበት"
    "jumatatu" "jumanne" "jumatano" "alhamisi" "ijumaa" "jumamosi" "jumapili"
    "星期一" "星期二" "星期三" "星期四" "星期五" "星期六" "星期日" "星期天"
    "月曜日" "火曜日" "水曜日" "木曜日" "金曜日" "土曜日" "日曜日"
    "월요일" "화요일" "수요일" "목요일" "금요일" "토요일" "일요일"
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_many_languages() {
        for name in ["Friday", "WEDNESDAY,", "kedd", "(Środa)", "П’ятниця", "मंगलवार", "Thứ Ba"]
        {
            assert!(is_weekday(name), "{name}");
        }
        for other in ["", ",", "Fri", "Fridays", "segunda", "Nancy Friday", "May"] {
            assert!(!is_weekday(other), "{other}");
        }
    }

    #[test]
    fn every_name_is_found_as_it_is_written() {
        for name in WEEKDAYS {
            assert!(is_weekday(name), "{name}");
        }
    }
}
