//! Names of months of further languages as whole words: a row for each spelling of a language, from January to December.
//! A `-` stands where another row or a stem of [`super`] has the name.

/// The names in the rows with the numbers of their months.
pub(super) fn numbered(rows: &'static [&'static str]) -> impl Iterator<Item = (&'static str, u32)> {
    let names = rows.iter().filter_map(|row| row.split_once(": ")).flat_map(|(_, names)| names.split(' ').zip(1..));
    names.filter(|(name, _)| *name != "-")
}

/// Names that are read wherever a month may stand.
///
/// Those of Ethiopia (`መጋቢት`, Oromo `bitootessa`) are months of another calendar, and so are left out.
pub(super) const NAMES: &[&str] = &[
    "Arabic of the Maghreb: جانفي فيفري - أفريل ماي - جويلية أوت - - - -",
    "Arabic of Morocco: - - - - ماي - - غشت شتنبر - نونبر دجنبر",
    "Arabic without hamza: - - اذار افريل ايار - - - ايلول - - -",
    "Persian: - فبروری - - - - جولای آگوست سپتمبر - - -",
    "Pashto: جنوري فبروري - - مۍ - - اګست سېپتمبر - - -",
    "Sindhi: - فيبروري - اپريل مئي - جولاء آگسٽ سيپٽمبر آڪٽوبر - ڊسمبر",
    "Uyghur: يانۋار فېۋرال مارت ئاپرېل ماي ئىيۇن ئىيۇل ئاۋغۇست سېنتەبىر ئۆكتەبىر نويابىر دېكابىر",
    "Sorani Kurdish: - شوبات ئازار نیسان ئایار حوزەیران تەمووز ئاب ئەیلوول - - -",
    "Sorani Kurdish, genitive: - شوباتی ئازاری نیسانی ئایاری حوزەیرانی تەمووزی ئابی ئەیلوولی - - -",
    "Kurmanji Kurdish: - sibat adar nîsan gulan hezîran tîrmeh tebax îlon cotmeh mijdar berfanbar",
    "Kurmanji Kurdish, genitive: - sibatê adarê nîsanê gulanê hezîranê tîrmehê tebaxê îlonê cotmehê mijdarê berfanbarê",
    "Yiddish: יאַנואַר פֿעברואַר מערץ אַפּריל מיי - - אויגוסט סעפּטעמבער אקטאבער נאוועמבער דעצעמבער",
    "Yiddish without points: יאנואר פעברואר - - - - - - סעפטעמבער אָקטאָבער נאָוועמבער -",
    "Hindi: - फ़रवरी - - - - - - सितम्बर अक्तूबर नवम्बर दिसम्बर",
    "Marathi and Nepali: - फेब्रुअरी - अप्रिल - जुन - अगस्ट सेप्टेम्बर अक्टोबर नोभेम्बर डिसेम्बर",
    "Bengali: জানুয়ারী ফেব্রুয়ারী - - - - - আগষ্ট - - - -",
    "Assamese: জানুৱাৰী ফেব্ৰুৱাৰী মাৰ্চ এপ্ৰিল - - - - ছেপ্তেম্বৰ অক্টোবৰ নৱেম্বৰ ডিচেম্বৰ",
    "Gujarati: - - - - - - - ઓગસ્ટ - ઓક્ટોબર - -",
    "Punjabi: ਜਨਵਰੀ ਫ਼ਰਵਰੀ ਮਾਰਚ ਅਪ੍ਰੈਲ ਮਈ ਜੂਨ ਜੁਲਾਈ ਅਗਸਤ ਸਤੰਬਰ ਅਕਤੂਬਰ ਨਵੰਬਰ ਦਸੰਬਰ",
    "Punjabi, second spelling: - ਫਰਵਰੀ - ਅਪਰੈਲ - - - - ਸਿਤੰਬਰ - - ਦਿਸੰਬਰ",
    "Odia: ଜାନୁଆରୀ ଫେବୃଆରୀ ମାର୍ଚ୍ଚ ଅପ୍ରେଲ ମଇ ଜୁନ ଜୁଲାଇ ଅଗଷ୍ଟ ସେପ୍ଟେମ୍ବର ଅକ୍ଟୋବର ନଭେମ୍ବର ଡିସେମ୍ବର",
    "Odia, second spelling: - ଫେବ୍ରୁଆରୀ - ଏପ୍ରିଲ - ଜୁନ୍ - - - - - -",
    "Tamil of Sri Lanka: சனவரி பெப்ரவரி - - - யூன் யூலை ஓகஸ்ட் செப்தெம்பர் ஒக்டோபர் - -",
    "Telugu: - - - - - - జులై ఆగష్టు సెప్టెంబరు అక్టోబరు నవంబరు డిసెంబరు",
    "Kannada: ಜನವರಿ ಫೆಬ್ರವರಿ ಮಾರ್ಚ್ ಏಪ್ರಿಲ್ ಮೇ ಜೂನ್ ಜುಲೈ ಆಗಸ್ಟ್ ಸೆಪ್ಟೆಂಬರ್ ಅಕ್ಟೋಬರ್ ನವೆಂಬರ್ ಡಿಸೆಂಬರ್",
    "Kannada, second spelling: - ಫೆಬ್ರುವರಿ - - - - - - ಸೆಪ್ಟಂಬರ್ - ನವಂಬರ್ ಡಿಸಂಬರ್",
    "Malayalam: ജനുവരി ഫെബ്രുവരി മാർച്ച് ഏപ്രിൽ മേയ് ജൂൺ ജൂലൈ ഓഗസ്റ്റ് സെപ്റ്റംബർ ഒക്ടോബർ നവംബർ ഡിസംബർ",
    "Malayalam, older spelling: - - - ഏപ്രില് മെയ് ജൂണ് - ആഗസ്റ്റ് സെപ്റ്റംബര് ഒക്ടോബര് നവംബര് ഡിസംബര്",
    "Sinhala: ජනවාරි පෙබරවාරි මාර්තු අප්රේල් මැයි ජූනි ජූලි අගෝස්තු සැප්තැම්බර් ඔක්තෝබර් නොවැම්බර් දෙසැම්බර්",
    "Divehi: ޖެނުއަރީ ފެބުރުއަރީ މާރިޗު އެޕްރީލް މެއި ޖޫން ޖުލައި އޯގަސްޓު ސެޕްޓެމްބަރު އޮކްޓޫބަރު ނޮވެންބަރު ޑިސެންބަރު",
    "Thai without the ending: มกรา กุมภา มีนา เมษา พฤษภา มิถุนา กรกฎา สิงหา กันยา ตุลา พฤศจิกา ธันวา",
    "Lao: ມັງກອນ ກຸມພາ ມີນາ ເມສາ ພຶດສະພາ ມິຖຸນາ ກໍລະກົດ ສິງຫາ ກັນຍາ ຕຸລາ ພະຈິກ ທັນວາ",
    "Khmer: - កុម្ភៈ មីនា មេសា ឧសភា មិថុនា កក្កដា សីហា កញ្ញា តុលា វិច្ឆិកា ធ្នូ",
    "Burmese: ဇန်နဝါရီ ဖေဖော်ဝါရီ မတ် ဧပြီ မေ ဇွန် ဇူလိုင် ဩဂုတ် စက်တင်ဘာ အောက်တိုဘာ နိုဝင်ဘာ ဒီဇင်ဘာ",
    "Burmese, second spelling: - - - - - - - သြဂုတ် - - - -",
    "Amharic, Gregorian: ጃንዋሪ ፌብሩዋሪ ማርች ኤፕሪል ሜይ ጁን ጁላይ ኦገስት ሴፕቴምበር ኦክቶበር ኖቬምበር ዲሴምበር",
    "Armenian, genitive: - - մարտի - - - - - - - - -",
    "Kazakh: қаңтар ақпан наурыз сәуір мамыр маусым шілде тамыз қыркүйек қазан қараша желтоқсан",
    "Kyrgyz: - - марты - - - - - - - - -",
    "Tajik: - - марти - майи - - - - - - -",
    "Tatar: гыйнвар - - - - - - - - - - -",
    "Bashkir: ғинуар - - - - - - - - - - -",
    "Turkmen: ýanwar fewral - - maý iýun iýul awgust sentýabr oktýabr noýabr -",
    "Turkmen, genitive: ýanwary fewraly - - maýy iýuny iýuly awgusty sentýabry oktýabry noýabry dekabry",
    "Russian, short: - февр - - - - - - - - нояб -",
    "Ukrainian: - - - - травень - - - - - - -",
    "Belarusian: - - - - траўня - - - жнівень - - снежань",
    "Bulgarian, short: яну - - - - - - - сеп - ное -",
    "Macedonian: - - - - - јуни јули - - - - -",
    "Serbian: јан феб - - - - - - - - новембар дец",
    "Croatian: - - - - svibanj lipanj srpanj - rujan - - -",
    "Czech: - - - - - čvn čvc - - - - -",
    "Czech, nominative: - - - - - - červenec - - - - -",
    "Greek, nominative: ιανουάριος φεβρουάριος - - μάιος - - αύγουστος - - νοέμβριος -",
    "Greek, short: ιαν φεβ μαρ - μαιου ιούν ιούλ αύγ σεπ - νοέ -",
    "Polish, short: - - - kwi - - - - - - - -",
    "Sorbian: - - měrca apryla - - - awgusta - - nowembra -",
    "Latvian: - februāris martā - - - - - - - - -",
    "Latvian, locative: - februārī - - - - - - - - - -",
    "Estonian: - - - - - juuni juuli - - oktoober - -",
    "Hungarian, Slovak: január február - - - - - - - - - -",
    "Slovak, genitive: - februára - - - - - - - - - -",
    "Galician: - febreiro - - - - - - - - - -",
    "Spanish of Peru and Uruguay: - - - - - - - - setiembre - - -",
    "Asturian: xineru - marzu - mayu xunu xunetu agostu - ochobre payares avientu",
    "Aragonese: chinero - - - - chunyo chuliol - - - - aviento",
    "Occitan: genièr febrièr - - - junh julhet - - octòbre - -",
    "Romansh: schaner favrer - avrigl matg zercladur fanadur avust settember - - -",
    "Corsican: ghjennaghju ferraghju - - maghju ghjugnu lugliu aostu sittembre - nuvembre -",
    "Luxembourgish: - - mäerz abrëll - - - - - - - -",
    "Frisian: jannewaris febrewaris - - maaie - - - septimber - novimber desimber",
    "Irish: eanáir feabhra márta aibreán bealtaine meitheamh iúil lúnasa - - samhain nollaig",
    "Scottish Gaelic: fhaoilleach ghearran mhàrt ghiblean chèitean ògmhios iuchar lùnastal sultain dàmhair - dùbhlachd",
    "Welsh: ionawr chwefror mawrth ebrill - mehefin gorffennaf awst - hydref tachwedd rhagfyr",
    "Breton: genver cʼhwevrer meurzh ebrel - mezheven gouere eost gwengolo - - kerzu",
    "Breton, other apostrophe: - hwevrer - - - - - - - - - -",
    "Basque: urtarrila otsaila martxoa apirila maiatza ekaina uztaila abuztua iraila urria azaroa abendua",
    "Basque, ergative: urtarrilak otsailak martxoak apirilak maiatzak ekainak uztailak abuztuak irailak urriak azaroak abenduak",
    "Maltese: jannar frar marzu - mejju ġunju lulju awwissu settembru ottubru - diċembru",
    "Esperanto: - - marto - majo - - aŭgusto - - - -",
    "Malay: - - - - - - julai - - - - -",
    "Filipino: - pebrero marso - - hunyo hulyo - setyembre oktubre nobyembre disyembre",
    "Swahili: - - machi - - - - agosti - - - -",
    "Hausa: janairu faburairu maris afirilu mayu yuni yuli - satumba - nuwamba disamba",
    "Igbo: jenụwarị febrụwarị maachị epreel - - julaị ọgọọst - ọktoba - disemba",
    "Igbo, second spelling: - - machị eprel - - - ọgọst - - - -",
    "Yoruba: ṣẹ́rẹ́ èrèlè ẹrẹ̀nà ìgbé ẹ̀bibi òkúdu agẹmọ ògún owewe ọ̀wàrà bélú ọ̀pẹ̀",
    "Zulu: januwari februwari mashi ephreli meyi - julayi agasti septhemba okthoba - -",
    "Xhosa: janyuwari - matshi epreli - - - - - okthobha - -",
    "Somali: janaayo febraayo maarso abriil maayo juun luulyo ogosto sebtembar oktoobar noofeembar diseembar",
    "Somali, second spelling: jannaayo - - - - - - - sebteembar - - -",
    "Ganda: janwaliyo febwaliyo marisi apuli maayi - julaayi agusito sebuttemba okitobba - -",
    "Kinyarwanda: mutarama gashyantare werurwe - gicurasi - nyakanga kanama nzeri ukwakira ugushyingo ukuboza",
    "Shona: ndira kukadzi kurume kubvumbi chivabvu chikumi chikunguru nyamavhuvhu gunyana gumiguru mbudzi zvita",
    "Malagasy: janoary febroary martsa - - - jolay aogositra septambra - novambra desambra",
];

/// Short names, and names that are common words of other languages (Portuguese `tem`, has; Dutch `mee`, along): between a day
/// and a year of four digits they are months.
pub(super) const SHORT: &[&str] = &[
    "Turkish: oca şub - nis - haz tem ağu eyl eki kas ara",
    "Azerbaijani, Uzbek: yan - - - - iyn iyl avq sen - noy dek",
    "Malay, Indonesian: - - - - - - - agu - - - dis",
    "Indonesian: - - - - - - - agt - - - -",
    "Malay: - - - - - - - ogo - - - -",
    "Slovene, Serbian: - - - - - - - avg - - - -",
    "Albanian: - shk - - - qer korr gush sht tet nën dhj",
    "Welsh: ion chwef maw ebr - meh gorff - medi hyd tach rhag",
    "Breton: - - - - mae - - - - - - -",
    "Igbo, Luxembourgish: - - - - mee - - - - - - -",
    "Kinyarwanda: - - - mata - kamena - - - - - -",
    "Turkmen: - - marty - - - - - - - - -",
    "Latvian, short: - - - - - jūn jūl - - - - -",
    "Estonian: - - - - - - - - - - - dets",
    "Ukrainian: - - бер - - - - - вер - лист -",
    "Kazakh: қаң ақп нау сәу мам мау шіл - қыр қаз қар жел",
    "Arabic of the Maghreb: - - - - - جوان - - - - - -",
    "Hindi: जन फ़र - - - - जुल अग सित अक्टू नव दिस",
    "Hindi, second spelling: - फर - - - - - - - अक्तू - -",
    "Marathi: जाने फेब्रु - एप्रि - - - ऑग सप्टें ऑक्टो नोव्हें डिसें",
    "Bengali: জানু ফেব - এপ্রি - - - - সেপ্ট অক্টো নভে ডিসে",
    "Gujarati: જાન્યુ ફેબ્રુ - - - - - - સપ્ટે ઑક્ટો નવે ડિસે",
    "Punjabi: ਜਨ ਫ਼ਰ - ਅਪ੍ਰੈ - - - - ਸਤੰ ਅਕਤੂ ਨਵੰ ਦਸੰ",
    "Kannada: ಜನ ಫೆಬ್ರ - ಏಪ್ರಿ - - - - ಸೆಪ್ಟೆಂ ಅಕ್ಟೋ ನವೆಂ ಡಿಸೆಂ",
    "Malayalam: ജനു ഫെബ്രു മാർ ഏപ്രി - - - ഓഗ സെപ്റ്റം ഒക്ടോ നവം ഡിസം",
    "Telugu: జన ఫిబ్ర - ఏప్రి - - - ఆగ సెప్టెం అక్టో నవం డిసెం",
    "Tamil: ஜன பிப் மார் ஏப் - - - ஆக செப் அக் நவ டிச",
    "Armenian: հնվ փտվ մրտ ապր մյս հնս հլս օգս սեպ հոկ նոյ դեկ",
    "Georgian: იან - მარ - მაი - - - სექ - ნოე -",
    "Hebrew: ינו פבר - אפר - - - אוג ספט אוק נוב דצמ",
    "Persian: - - - - می - - - - - - -",
    "Malagasy: - - - - - jona - - - - - -",
    "Sorbian: - - - - meje - - - - - - -",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_twelve_names_in_lower_case() {
        for row in NAMES.iter().chain(SHORT) {
            let names = row.split_once(": ").map(|(_, names)| names).unwrap_or_default();
            assert_eq!(names.split(' ').count(), 12, "{row}");
            assert_eq!(names, names.to_lowercase());
        }
    }
}
