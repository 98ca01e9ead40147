//! The words beside a date that say what it is the date of, in several languages.

use super::months::month;

/// Where a text in lower case says what its dates are: byte offsets of the first words of each meaning.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct DatePhrases {
    /// Offset of the first phrase that speaks of publication.
    pub(super) published: Option<usize>,
    /// Offset of the first phrase that speaks of a change.
    pub(super) changed: Option<usize>,
    /// Offset of the first phrase for the date of something else: an account, a copyright, an event, the end of an offer, a
    /// visit to a source, a quoted mail.
    pub(super) other: Option<usize>,
}

impl DatePhrases {
    /// Searches at the start of each word; in scripts that write words without spaces, at every character.
    pub(super) fn of(lower: &str) -> DatePhrases {
        let mut said = DatePhrases::default();
        let mut before = ' ';
        for (at, c) in lower.char_indices() {
            let starts = !before.is_alphabetic() || c >= UNPARTED;
            before = c;
            let Some(rest) = lower.get(at..).filter(|_| starts) else { continue };
            let speaks = |phrases: &PhraseSet| phrases.begin(rest).then_some(at);
            said.published = said.published.or_else(|| speaks(&PUBLISHED));
            said.changed = said.changed.or_else(|| speaks(&CHANGED));
            said.other = said.other.or_else(|| speaks(&OTHER).or_else(|| is_day_of_access(rest).then_some(at)));
        }
        said
    }

    /// Whether the text speaks of a change and not of publication.
    pub(super) fn only_changed(self) -> bool {
        self.changed.is_some() && self.published.is_none()
    }

    /// The part of the text where the day of publication stands, and the one where that of the change does:
    /// `3 May 2014, updated 5 May 2014`; `updated 5 May 2014, published 3 May 2014`.
    pub(super) fn parts(self, lower: &str) -> Option<(&str, &str)> {
        let changed = self.changed?;
        match self.published.filter(|published| *published > changed) {
            Some(published) => lower.split_at_checked(published).map(|(before, after)| (after, before)),
            None => lower.split_at_checked(changed),
        }
    }
}

/// Whether a text begins as citations of the web end: `retrieved 4 may 2014`, `accessed may 4`.
fn is_day_of_access(text: &str) -> bool {
    let Some(behind) = ["retrieved ", "accessed "].iter().find_map(|word| text.strip_prefix(word)) else {
        return false;
    };
    let mut words = behind.split(' ').map(|word| word.trim_end_matches(['.', ',']));
    let is_month = |word: &str| month(word).is_some();
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let is_date = |word: &str| is_number(word) && word.contains(['-', '/', '.']);
    words.next().is_some_and(|first| {
        is_month(first) || is_date(first) || is_number(first) && words.next().is_some_and(is_month)
    })
}

/// The first of the scripts that write words without spaces or with particles before them.
const UNPARTED: char = '\u{0900}';

/// A set of phrases that are found at the start of words.
struct PhraseSet {
    phrases: &'static [&'static str],
    /// For each first byte the set of second bytes, one bit each: most words begin otherwise.
    next: [u32; 256],
}

impl PhraseSet {
    #[allow(clippy::indexing_slicing)] // Evaluated by the compiler.
    const fn new(phrases: &'static [&'static str]) -> PhraseSet {
        let mut next = [0; 256];
        let mut left = phrases;
        while let [phrase, rest @ ..] = left {
            if let [first, second, ..] = phrase.as_bytes() {
                next[*first as usize] |= 1 << (*second & 31);
            }
            left = rest;
        }
        PhraseSet { phrases, next }
    }

    fn begin(&self, text: &str) -> bool {
        let [first, second, ..] = text.as_bytes() else { return false };
        let seconds = self.next.get(usize::from(*first)).copied().unwrap_or_default();
        seconds & (1 << (second & 31)) != 0 && self.phrases.iter().any(|phrase| text.starts_with(phrase))
    }
}

macro_rules! phrases {
    ($($phrase:literal)*) => { PhraseSet::new(&[$($phrase),*]) };
}

static PUBLISHED: PhraseSet = phrases![
    "publish" "posted" "veröffentlicht" "erschienen" "erstellt" "publié" "publie le" "mis en ligne"
    "paru le" "publica" "pubblica" "gepubliceerd" "geplaatst" "opublikowan" "dodano" "publikováno" "vydáno"
    "publicerad" "publisert" "publiceret" "julkaistu" "опубликован" "опубліковано" "yayın" "eklenme"
    "közzét" "дата публикации" "δημοσ" "发布" "發布" "公開" "投稿" "掲載" "입력" "등록" "written" "released"
    "публикувано" "objavlj" "zverejnen" "zveřejn" "publicēts" "paskelbta" "avaldatud" "megjelen"
    "diterbitkan" "đăng" "פורסם" "تاريخ النشر" "प्रकाशित" "প্রকাশ" "เผยแพร่" "نُشر" "نشر في" "تاریخ انتشار" "منتشر شده" "публикуван"
    "објављ" "жариялан" "dərc olun" "dərc edil" "გამოქვეყნ" "հրապարակվ" "udgivet" "offentliggjort" "birt " "birt:"
];

static CHANGED: PhraseSet = phrases![
    "update" "modif" "aktualisier" "geändert" "stand:" "letzte änderung" "mis à jour" "mise à jour"
    "actualiza" "aggiorna" "atualiza" "bijgewerkt" "laatst gewijzigd" "aktualiz" "uppdaterad" "oppdatert"
    "opdateret" "päivitetty" "обновлен" "оновлено" "güncel" "edited" "revised" "überarbeitet" "изменен"
    "frissít" "更新" "ažurir" "ажурир" "upraven" "atjaun" "atnaujin" "uuendatud" "diperbarui" "cập nhật"
    "עודכן" "تحديث" "अपडेट" "zaktualiz" "ενημερώθηκε" "ενημέρωση:" "τελευταία ενημέρωση" "최종수정" "최종 수정" "기사수정" "수정일" "수정:"
    "به‌روزرسانی" "بروزرسانی" "আপডেট" "হালনাগাদ" "อัปเดต" "อัพเดต" "ปรับปรุงล่าสุด" "แก้ไขล่าสุด" "обновен" "módosítva" "uppfært"
    "жаңартылды" "yeniləndi" "yenilənib" "განახლდა" "განახლებულია" "թարմացվ" "actualitzat" "përditësuar" "اپ ڈیٹ"
];

static OTHER: PhraseSet = phrases![
    "registered" "joined" "join date" "founded" "gegründet" "birthday" "geboren" "member since"
    "mitglied seit" "registriert" "inscrit" "copyright" "©" "(c) "
    "available until" "valid until" "expires" "deadline" "takes place" "will be held" "next issue"
    "verfügbar bis" "gültig bis" "einsendeschluss" "anmeldeschluss" "termin:" "findet am" "nächste ausgabe"
    "disponible jusqu" "valable jusqu" "aura lieu" "disponible hasta" "válido hasta" "tendrá lugar"
    "disponibile fino" "si terrà" "beschikbaar tot" "vindt plaats"
    "closing date" "bewerbungsfrist" "bewerbungsschluss" "date limite" "fecha límite" "sluitingsdatum"
    "archived from" "retrieved on" "retrieved:" "accessed on" "accessed:" "last visited" "abgerufen am" "abgerufen:"
    "aufgerufen am" "zuletzt besucht" "zugriff am" "zugriff:" "letzter zugriff" "consulté le" "page consultée" "consultado el" "consultado em" "consultato il"
    "geraadpleegd op" "acesso em:" "dostęp:" "dostęp dnia" "hämtad den" "дата обращения"
    "wrote:" "schrieb:" "a écrit :" "a écrit:" "escribió:" "ha scritto:" "schreef:"
];

#[cfg(test)]
mod tests {
    use super::*;

    fn published(text: &str) -> bool {
        DatePhrases::of(text).published.is_some()
    }

    #[test]
    fn words_beside_dates() {
        assert!(published("veröffentlicht am 3. mai 2014") && published("|publié le 3 mai 2014"));
        assert!(published("記事公開 2014") && published("публикувано на 3 май"));
        assert!(!published("3 may 2014") && !published("unpublished") && !published(""));
        assert!(
            DatePhrases::of("stand: 3.5.2014").only_changed()
                && DatePhrases::of("3 may 2014 (last updated)").only_changed()
        );
        assert!(
            DatePhrases::of("最終更新 2014").only_changed() && DatePhrases::of("mise à jour le 3 mai").only_changed()
        );
        assert!(!DatePhrases::of("published, updated").only_changed());
        assert!(
            DatePhrases::of("© 3 may 2014").other.is_some() && DatePhrases::of("joined: 3 may 2014").other.is_some()
        );
        assert!(
            DatePhrases::of("video verfügbar bis 3.5.2014").other.is_some()
                && DatePhrases::of("der stammtisch findet am 3.5.2014 statt").other.is_some()
        );
        assert_eq!(DatePhrases::of("3 may 2014").other, None);
    }

    #[test]
    fn the_days_of_publication_and_change_are_parted() {
        let parts = |text: &'static str| DatePhrases::of(text).parts(text);
        assert_eq!(parts("3 may (updated 5 may)"), Some(("3 may (", "updated 5 may)")));
        assert_eq!(parts("updated 5 may, published 3 may"), Some(("published 3 may", "updated 5 may, ")));
        assert_eq!(parts("published 3 may, updated 5 may"), Some(("published 3 may, ", "updated 5 may")));
        assert_eq!(parts("published 3 may"), None);
    }
}
