//! The n-gram models of lingua, one a language, as the bytes of finite state maps.

/// ISO 639-3 code and model of a language.
pub struct Model {
    pub code: &'static str,
    pub ngrams: &'static [u8],
    /// Text that the n-grams were not counted in. Of the sentences that lingua keeps apart to measure accuracy by, those of
    /// an even number of bytes; the others are there to measure this table by.
    pub sentences: Vec<&'static str>,
}

fn model(code: &'static str, ngrams: &'static [u8], sentences: &'static str) -> Model {
    Model { code, ngrams, sentences: sentences.lines().filter(|line| line.len().is_multiple_of(2)).collect() }
}

macro_rules! models {
    ($($code:literal $model:ident $directory:ident $test:ident)*) => {
        pub fn models() -> Vec<Model> {
            vec![$(model(
                $code,
                $model::$directory.get_file("ngrams.fst").map_or(&[], |file| file.contents()),
                $model::$test.get_file("sentences.txt").and_then(|file| file.contents_utf8()).unwrap_or(""),
            ),)*]
        }
    };
}

models! {
    "afr" lingua_afrikaans_language_model AFRIKAANS_MODELS_DIRECTORY AFRIKAANS_TESTDATA_DIRECTORY
    "ara" lingua_arabic_language_model ARABIC_MODELS_DIRECTORY ARABIC_TESTDATA_DIRECTORY
    "aze" lingua_azerbaijani_language_model AZERBAIJANI_MODELS_DIRECTORY AZERBAIJANI_TESTDATA_DIRECTORY
    "bel" lingua_belarusian_language_model BELARUSIAN_MODELS_DIRECTORY BELARUSIAN_TESTDATA_DIRECTORY
    "ben" lingua_bengali_language_model BENGALI_MODELS_DIRECTORY BENGALI_TESTDATA_DIRECTORY
    "bos" lingua_bosnian_language_model BOSNIAN_MODELS_DIRECTORY BOSNIAN_TESTDATA_DIRECTORY
    "bul" lingua_bulgarian_language_model BULGARIAN_MODELS_DIRECTORY BULGARIAN_TESTDATA_DIRECTORY
    "cat" lingua_catalan_language_model CATALAN_MODELS_DIRECTORY CATALAN_TESTDATA_DIRECTORY
    "ces" lingua_czech_language_model CZECH_MODELS_DIRECTORY CZECH_TESTDATA_DIRECTORY
    "cym" lingua_welsh_language_model WELSH_MODELS_DIRECTORY WELSH_TESTDATA_DIRECTORY
    "dan" lingua_danish_language_model DANISH_MODELS_DIRECTORY DANISH_TESTDATA_DIRECTORY
    "deu" lingua_german_language_model GERMAN_MODELS_DIRECTORY GERMAN_TESTDATA_DIRECTORY
    "ell" lingua_greek_language_model GREEK_MODELS_DIRECTORY GREEK_TESTDATA_DIRECTORY
    "eng" lingua_english_language_model ENGLISH_MODELS_DIRECTORY ENGLISH_TESTDATA_DIRECTORY
    "epo" lingua_esperanto_language_model ESPERANTO_MODELS_DIRECTORY ESPERANTO_TESTDATA_DIRECTORY
    "est" lingua_estonian_language_model ESTONIAN_MODELS_DIRECTORY ESTONIAN_TESTDATA_DIRECTORY
    "eus" lingua_basque_language_model BASQUE_MODELS_DIRECTORY BASQUE_TESTDATA_DIRECTORY
    "fas" lingua_persian_language_model PERSIAN_MODELS_DIRECTORY PERSIAN_TESTDATA_DIRECTORY
    "fin" lingua_finnish_language_model FINNISH_MODELS_DIRECTORY FINNISH_TESTDATA_DIRECTORY
    "fra" lingua_french_language_model FRENCH_MODELS_DIRECTORY FRENCH_TESTDATA_DIRECTORY
    "gle" lingua_irish_language_model IRISH_MODELS_DIRECTORY IRISH_TESTDATA_DIRECTORY
    "guj" lingua_gujarati_language_model GUJARATI_MODELS_DIRECTORY GUJARATI_TESTDATA_DIRECTORY
    "heb" lingua_hebrew_language_model HEBREW_MODELS_DIRECTORY HEBREW_TESTDATA_DIRECTORY
    "hin" lingua_hindi_language_model HINDI_MODELS_DIRECTORY HINDI_TESTDATA_DIRECTORY
    "hrv" lingua_croatian_language_model CROATIAN_MODELS_DIRECTORY CROATIAN_TESTDATA_DIRECTORY
    "hun" lingua_hungarian_language_model HUNGARIAN_MODELS_DIRECTORY HUNGARIAN_TESTDATA_DIRECTORY
    "hye" lingua_armenian_language_model ARMENIAN_MODELS_DIRECTORY ARMENIAN_TESTDATA_DIRECTORY
    "ind" lingua_indonesian_language_model INDONESIAN_MODELS_DIRECTORY INDONESIAN_TESTDATA_DIRECTORY
    "isl" lingua_icelandic_language_model ICELANDIC_MODELS_DIRECTORY ICELANDIC_TESTDATA_DIRECTORY
    "ita" lingua_italian_language_model ITALIAN_MODELS_DIRECTORY ITALIAN_TESTDATA_DIRECTORY
    "jpn" lingua_japanese_language_model JAPANESE_MODELS_DIRECTORY JAPANESE_TESTDATA_DIRECTORY
    "kat" lingua_georgian_language_model GEORGIAN_MODELS_DIRECTORY GEORGIAN_TESTDATA_DIRECTORY
    "kaz" lingua_kazakh_language_model KAZAKH_MODELS_DIRECTORY KAZAKH_TESTDATA_DIRECTORY
    "kor" lingua_korean_language_model KOREAN_MODELS_DIRECTORY KOREAN_TESTDATA_DIRECTORY
    "lat" lingua_latin_language_model LATIN_MODELS_DIRECTORY LATIN_TESTDATA_DIRECTORY
    "lav" lingua_latvian_language_model LATVIAN_MODELS_DIRECTORY LATVIAN_TESTDATA_DIRECTORY
    "lit" lingua_lithuanian_language_model LITHUANIAN_MODELS_DIRECTORY LITHUANIAN_TESTDATA_DIRECTORY
    "lug" lingua_ganda_language_model GANDA_MODELS_DIRECTORY GANDA_TESTDATA_DIRECTORY
    "mar" lingua_marathi_language_model MARATHI_MODELS_DIRECTORY MARATHI_TESTDATA_DIRECTORY
    "mkd" lingua_macedonian_language_model MACEDONIAN_MODELS_DIRECTORY MACEDONIAN_TESTDATA_DIRECTORY
    "mon" lingua_mongolian_language_model MONGOLIAN_MODELS_DIRECTORY MONGOLIAN_TESTDATA_DIRECTORY
    "mri" lingua_maori_language_model MAORI_MODELS_DIRECTORY MAORI_TESTDATA_DIRECTORY
    "msa" lingua_malay_language_model MALAY_MODELS_DIRECTORY MALAY_TESTDATA_DIRECTORY
    "nld" lingua_dutch_language_model DUTCH_MODELS_DIRECTORY DUTCH_TESTDATA_DIRECTORY
    "nno" lingua_nynorsk_language_model NYNORSK_MODELS_DIRECTORY NYNORSK_TESTDATA_DIRECTORY
    "nob" lingua_bokmal_language_model BOKMAL_MODELS_DIRECTORY BOKMAL_TESTDATA_DIRECTORY
    "pan" lingua_punjabi_language_model PUNJABI_MODELS_DIRECTORY PUNJABI_TESTDATA_DIRECTORY
    "pol" lingua_polish_language_model POLISH_MODELS_DIRECTORY POLISH_TESTDATA_DIRECTORY
    "por" lingua_portuguese_language_model PORTUGUESE_MODELS_DIRECTORY PORTUGUESE_TESTDATA_DIRECTORY
    "ron" lingua_romanian_language_model ROMANIAN_MODELS_DIRECTORY ROMANIAN_TESTDATA_DIRECTORY
    "rus" lingua_russian_language_model RUSSIAN_MODELS_DIRECTORY RUSSIAN_TESTDATA_DIRECTORY
    "slk" lingua_slovak_language_model SLOVAK_MODELS_DIRECTORY SLOVAK_TESTDATA_DIRECTORY
    "slv" lingua_slovene_language_model SLOVENE_MODELS_DIRECTORY SLOVENE_TESTDATA_DIRECTORY
    "sna" lingua_shona_language_model SHONA_MODELS_DIRECTORY SHONA_TESTDATA_DIRECTORY
    "som" lingua_somali_language_model SOMALI_MODELS_DIRECTORY SOMALI_TESTDATA_DIRECTORY
    "sot" lingua_sotho_language_model SOTHO_MODELS_DIRECTORY SOTHO_TESTDATA_DIRECTORY
    "spa" lingua_spanish_language_model SPANISH_MODELS_DIRECTORY SPANISH_TESTDATA_DIRECTORY
    "sqi" lingua_albanian_language_model ALBANIAN_MODELS_DIRECTORY ALBANIAN_TESTDATA_DIRECTORY
    "srp" lingua_serbian_language_model SERBIAN_MODELS_DIRECTORY SERBIAN_TESTDATA_DIRECTORY
    "swa" lingua_swahili_language_model SWAHILI_MODELS_DIRECTORY SWAHILI_TESTDATA_DIRECTORY
    "swe" lingua_swedish_language_model SWEDISH_MODELS_DIRECTORY SWEDISH_TESTDATA_DIRECTORY
    "tam" lingua_tamil_language_model TAMIL_MODELS_DIRECTORY TAMIL_TESTDATA_DIRECTORY
    "tel" lingua_telugu_language_model TELUGU_MODELS_DIRECTORY TELUGU_TESTDATA_DIRECTORY
    "tgl" lingua_tagalog_language_model TAGALOG_MODELS_DIRECTORY TAGALOG_TESTDATA_DIRECTORY
    "tha" lingua_thai_language_model THAI_MODELS_DIRECTORY THAI_TESTDATA_DIRECTORY
    "tsn" lingua_tswana_language_model TSWANA_MODELS_DIRECTORY TSWANA_TESTDATA_DIRECTORY
    "tso" lingua_tsonga_language_model TSONGA_MODELS_DIRECTORY TSONGA_TESTDATA_DIRECTORY
    "tur" lingua_turkish_language_model TURKISH_MODELS_DIRECTORY TURKISH_TESTDATA_DIRECTORY
    "ukr" lingua_ukrainian_language_model UKRAINIAN_MODELS_DIRECTORY UKRAINIAN_TESTDATA_DIRECTORY
    "urd" lingua_urdu_language_model URDU_MODELS_DIRECTORY URDU_TESTDATA_DIRECTORY
    "vie" lingua_vietnamese_language_model VIETNAMESE_MODELS_DIRECTORY VIETNAMESE_TESTDATA_DIRECTORY
    "xho" lingua_xhosa_language_model XHOSA_MODELS_DIRECTORY XHOSA_TESTDATA_DIRECTORY
    "yor" lingua_yoruba_language_model YORUBA_MODELS_DIRECTORY YORUBA_TESTDATA_DIRECTORY
    "zho" lingua_chinese_language_model CHINESE_MODELS_DIRECTORY CHINESE_TESTDATA_DIRECTORY
    "zul" lingua_zulu_language_model ZULU_MODELS_DIRECTORY ZULU_TESTDATA_DIRECTORY
}
