//! What a rule of the site says → fields of [`Metadata`], over what the page says of itself.

use jiff::civil::Date;

use super::sources::each_once;
use super::{Metadata, authors, dates, license, tidy};
use crate::page::rules::Field;

/// The metadata with the fields replaced for which a rule has a usable value.
///
/// * `values`: [`crate::page::blocks::Ruled::values`].
/// * `captured`: the day of capture; later dates are refused. Unknown: none is.
pub fn ruled(metadata: Metadata, values: &[(Field, String)], captured: Option<Date>) -> Metadata {
    let all = |wanted| values.iter().filter(move |(field, _)| *field == wanted).map(|(_, value)| value.as_str());
    let text = |field| all(field).find_map(tidy);
    let day =
        |field| all(field).filter_map(|text| dates::parse(text, false)).find(|&day| dates::plausible(day, captured));
    let mut author = Vec::new();
    all(Field::Author).for_each(|value| authors::merge(&mut author, authors::names(value)));
    let keywords = each_once(all(Field::Keywords));
    let published = day(Field::Date);
    Metadata {
        title: text(Field::Title).or(metadata.title),
        author: if author.is_empty() { metadata.author } else { author },
        published: published.or(metadata.published),
        published_source: published.map(|_| "rule").or(metadata.published_source),
        modified: day(Field::Modified).or(metadata.modified),
        section: text(Field::Section).or(metadata.section),
        keywords: if keywords.is_empty() { metadata.keywords } else { keywords },
        sitename: text(Field::Sitename).or(metadata.sitename),
        license: all(Field::License)
            .find_map(license::creative_commons)
            .or_else(|| text(Field::License))
            .or(metadata.license),
        ..metadata
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn told() -> Metadata {
        Metadata {
            title: Some("T".into()),
            author: vec!["Old Name".into()],
            published: Some(date(2001, 1, 1)),
            published_source: Some("meta"),
            keywords: vec!["k".into()],
            robots: Some("noindex".into()),
            ..Metadata::default()
        }
    }

    fn by(values: &[(Field, &str)]) -> Metadata {
        let values: Vec<_> = values.iter().map(|&(field, value)| (field, value.to_owned())).collect();
        ruled(told(), &values, Some(date(2020, 1, 1)))
    }

    #[test]
    fn every_field_is_replaced() {
        let metadata = by(&[
            (Field::Title, " "),
            (Field::Title, "Title"),
            (Field::Title, "Second"),
            (Field::Author, "By Jane Doe and John Smith"),
            (Field::Author, "Jane Doe"),
            (Field::Date, "soon"),
            (Field::Date, "9. 10. 2015"),
            (Field::Modified, "2016-01-02T10:00"),
            (Field::Section, "Sport"),
            (Field::Keywords, "a, b"),
            (Field::Keywords, "B; c"),
            (Field::Sitename, "Site"),
            (Field::License, "see https://creativecommons.org/licenses/by/4.0/"),
        ]);
        let expected = Metadata {
            title: Some("Title".into()),
            author: vec!["Jane Doe".into(), "John Smith".into()],
            published: Some(date(2015, 10, 9)),
            published_source: Some("rule"),
            modified: Some(date(2016, 1, 2)),
            section: Some("Sport".into()),
            keywords: vec!["a".into(), "b".into(), "c".into()],
            sitename: Some("Site".into()),
            license: Some("CC BY 4.0".into()),
            ..told()
        };
        assert_eq!(metadata, expected);
    }

    #[test]
    fn values_are_text_and_not_markup() {
        assert_eq!(by(&[(Field::Title, "Say &amp; in HTML")]).title.as_deref(), Some("Say &amp; in HTML"));
    }

    #[test]
    fn what_cannot_be_used_replaces_nothing() {
        assert_eq!(by(&[]), told());
        let unusable = [(Field::Date, "2020-01-03"), (Field::Author, "https://a.example"), (Field::Title, "")];
        assert_eq!(by(&unusable), told());
    }
}
