//! What is written beside a date, in several languages.

/// Whether a text in small letters says that something was published.
pub(super) fn is_publication_phrase(lower: &str) -> bool {
    PUBLISHED.iter().any(|phrase| lower.contains(phrase))
}

/// Whether a text in small letters speaks of a change.
pub(super) fn is_change_phrase(lower: &str) -> bool {
    CHANGED.iter().any(|phrase| lower.contains(phrase))
}

/// Whether a text in small letters speaks of the day of something else: an account, a right.
pub(super) fn is_other_day(lower: &str) -> bool {
    let words =
        ["registered", "joined", "member since", "mitglied seit", "registriert", "inscrit", "copyright", "©", "(c) "];
    words.iter().any(|word| lower.contains(word))
}

const PUBLISHED: [&str; 40] = [
    "publish",
    "posted",
    "veröffentlicht",
    "erschienen",
    "erstellt",
    "publié",
    "publie le",
    "mis en ligne",
    "paru le",
    "publicado",
    "publicada",
    "pubblicato",
    "pubblicata",
    "gepubliceerd",
    "geplaatst",
    "opublikowan",
    "dodano",
    "publikováno",
    "vydáno",
    "publicerad",
    "publisert",
    "publiceret",
    "julkaistu",
    "опубликован",
    "опубліковано",
    "yayın",
    "eklenme",
    "közzét",
    "publicat",
    "дата публикации",
    "δημοσ",
    "发布",
    "發布",
    "公開",
    "投稿",
    "掲載",
    "입력",
    "등록",
    "written",
    "released",
];

const CHANGED: [&str; 24] = [
    "update",
    "modif",
    "aktualisiert",
    "geändert",
    "stand:",
    "letzte änderung",
    "mis à jour",
    "actualizado",
    "actualizada",
    "aggiornat",
    "atualizado",
    "bijgewerkt",
    "laatst gewijzigd",
    "zaktualizowan",
    "aktualizováno",
    "uppdaterad",
    "oppdatert",
    "opdateret",
    "päivitetty",
    "обновлен",
    "оновлено",
    "güncel",
    "edited",
    "更新",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_beside_dates() {
        assert!(is_publication_phrase("veröffentlicht am 3. mai 2014"));
        assert!(is_publication_phrase("publié le 3 mai 2014"));
        assert!(!is_publication_phrase("3 may 2014"));
        assert!(is_change_phrase("stand: 3.5.2014") && is_change_phrase("last updated 3 may 2014"));
        assert!(is_other_day("© 3 may 2014") && is_other_day("joined: 3 may 2014"));
        assert!(!is_other_day("3 may 2014"));
    }
}
