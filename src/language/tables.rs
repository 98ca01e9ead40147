//! Which languages each table of n-grams has, and which scripts decide a language by themselves. Used by language-table
//! as well.

use super::script::Script::{self, *};

/// Numbers of the first script with a narrow table, and of the first without a table.
pub const FIRST_NARROW: usize = Devanagari as usize;
pub const FIRST_OWN: usize = Hangul as usize;

/// Number of tables of Latin script. A text is scored by the first, and by the others only if that leaves doubt.
pub const LATIN_TABLES: usize = 3;

/// Tables with rows of 64 languages. Codes are in the order of the rows. Behind a colon stands the language that is
/// answered where it is another: `ara` for its varieties, which cannot be told apart in a sentence.
pub const WIDE_TABLES: [(Script, &str); LATIN_TABLES + 2] = [
    (
        Latin,
        "afr aze bos cat ces cym dan deu eng epo est eus fin fra gle hrv hun ind isl ita lat lav lit lug mri \
         msa nld nno nob pol por ron slk slv sna som sot spa sqi swa swe tgl tsn tso tur vie xho yor zul \
         ast ceb crh fao fit fkv gla glg ido nbl nde pcm srp ssw vls",
    ),
    (
        Latin,
        "ace aln:sqi azz ban bar bbc bew bjn bre bug cbk cor csb dsb dtp fij fry fur gos grn gsw hat hsb ile \
         ilo ina jav jbo lfn lij lim lld lmo ltg ltz mad mak mas min mlg mlt myx nan nds nij oci olo pag pam pap \
         pms pon roh scn sma sme smj smn smo sms srd sun",
    ),
    (
        Latin,
        "aar ary:ara aym bam bas bem cjk cnh dik dyu ewe fon fuv glv guz hau ibo kab kac kam kbp kea kha kik \
         kin kmb kmr knc kon lgg lin lua luo lus lwg mos mww nso nuj nus nya orm que run sag swg szl tah taq \
         tok ton tpi tuk tum twi umb uzb vec ven vol vro war wol",
    ),
    (
        Cyrillic,
        "bel bul kaz mkd mon rus srp ukr abk bak bxr chu chv kaa kir koi kpv mdf mhr mns mrj myv sah tat tgk tyv udm uzb xal",
    ),
    (Arabic, "ara fas urd ace aeb:ara apc:ara arq:ara ary:ara arz:ara azb bjn ckb kas knc min prs:fas pus shi snd uig"),
];

/// Tables with rows of 16 languages.
pub const NARROW_TABLES: [(Script, &str); 11] = [
    (Devanagari, "hin mar awa bho hne kas mag mai nep san"),
    (Bengali, "ben asm mni"),
    (Greek, "ell grc"),
    (Hebrew, "heb yid"),
    (Armenian, "hye hyw"),
    (Ethiopic, "amh tir"),
    (Tibetan, "bod dzo"),
    (Myanmar, "mya shn"),
    (Canadian, "iku"),
    (Tifinagh, "zgh taq"),
    (Syriac, "syc"),
];

/// Scripts that only one language of the table is written in, which needs no n-grams; kana beside Han makes Japanese.
pub const OWN_SCRIPTS: [(Script, &str); 27] = [
    (Hangul, "kor"),
    (Kana, "jpn"),
    (Han, "zho"),
    (Georgian, "kat"),
    (Thai, "tha"),
    (Lao, "lao"),
    (Gujarati, "guj"),
    (Gurmukhi, "pan"),
    (Oriya, "ori"),
    (Tamil, "tam"),
    (Telugu, "tel"),
    (Kannada, "kan"),
    (Malayalam, "mal"),
    (Sinhala, "sin"),
    (Khmer, "khm"),
    (Thaana, "div"),
    (Cherokee, "chr"),
    (OlChiki, "sat"),
    (MeeteiMayek, "mni"),
    (Coptic, "cop"),
    (Nko, "nqo"),
    (Adlam, "ful"),
    (Chakma, "ccp"),
    (Mongolian, "mon"),
    (Javanese, "jav"),
    (Yi, "iii"),
    (Vai, "vai"),
];

/// The languages of a table: code of the texts, and code of the answer.
pub fn languages(codes: &str) -> impl Iterator<Item = (&str, &str)> {
    codes.split(' ').map(|code| code.split_once(':').unwrap_or((code, code)))
}

/// All tables, in the order in which they are written.
pub fn tables() -> impl Iterator<Item = (Script, &'static str)> {
    WIDE_TABLES.into_iter().chain(NARROW_TABLES)
}

#[cfg(test)]
mod tests {
    use super::super::hash::{NARROW, WIDE};
    use super::*;

    #[test]
    fn tables_are_in_the_order_of_scripts_and_have_room_for_their_languages() {
        let scripts: Vec<usize> = tables().skip(LATIN_TABLES - 1).map(|(script, _)| script as usize).collect();
        assert!(scripts.iter().copied().eq(0..FIRST_OWN));
        assert_eq!(WIDE_TABLES.len() - LATIN_TABLES + 1, FIRST_NARROW);
        assert!(OWN_SCRIPTS.iter().map(|(script, _)| *script as usize).eq(scripts.len()..Other as usize));
        assert!(WIDE_TABLES.iter().all(|(_, codes)| languages(codes).count() <= WIDE));
        assert!(NARROW_TABLES.iter().all(|(_, codes)| languages(codes).count() <= NARROW));
    }
}
