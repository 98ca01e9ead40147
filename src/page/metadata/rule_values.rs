//! Values that the rule of a site found → fields of [`Metadata`], which they replace.

use jiff::civil::Date;

use super::sources::each_once;
use super::{Metadata, PublishedSource, authors, dates, license, tidy};
use crate::page::rules::MetadataField;

/// The metadata with the fields replaced for which a rule has a usable value.
///
/// * `values`: [`crate::page::blocks::RuleFindings::values`].
/// * `captured`: the day of capture; dates later than the day after are refused. Unknown: none is. Dates before the web are
///   taken: a rule says what they are.
pub fn apply_rule_values(metadata: Metadata, values: &[(MetadataField, String)], captured: Option<Date>) -> Metadata {
    let all = |wanted| values.iter().filter(move |(field, _)| *field == wanted).map(|(_, value)| value.as_str());
    let text = |field| all(field).find_map(tidy);
    let day = |field| all(field).filter_map(dates::parse).find(|&day| dates::not_after(day, captured));
    let mut author = Vec::new();
    all(MetadataField::Author).for_each(|value| authors::merge(&mut author, &authors::names(value)));
    let keywords = each_once(all(MetadataField::Keywords));
    let published = day(MetadataField::Date);
    Metadata {
        title: text(MetadataField::Title).or(metadata.title),
        author: if author.is_empty() { metadata.author } else { author },
        published: published.or(metadata.published),
        published_source: published.map(|_| PublishedSource::Rule).or(metadata.published_source),
        modified: day(MetadataField::Modified).or(metadata.modified),
        section: text(MetadataField::Section).or(metadata.section),
        keywords: if keywords.is_empty() { metadata.keywords } else { keywords },
        sitename: text(MetadataField::Sitename).or(metadata.sitename),
        license: all(MetadataField::License)
            .find_map(license::creative_commons)
            .or_else(|| text(MetadataField::License))
            .or(metadata.license),
        ..metadata
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn declared() -> Metadata {
        Metadata {
            title: Some("T".into()),
            author: vec!["Old Name".into()],
            published: Some(date(2001, 1, 1)),
            published_source: Some(PublishedSource::Meta),
            keywords: vec!["k".into()],
            robots: Some("noindex".into()),
            ..Metadata::default()
        }
    }

    fn by(values: &[(MetadataField, &str)]) -> Metadata {
        let values: Vec<_> = values.iter().map(|&(field, value)| (field, value.to_owned())).collect();
        apply_rule_values(declared(), &values, Some(date(2020, 1, 1)))
    }

    #[test]
    fn a_rule_may_find_dates_before_the_web() {
        let published = |day: &str| by(&[(MetadataField::Date, day)]).published;
        assert_eq!(published("1950-02-03"), Some(date(1950, 2, 3)));
        assert_eq!(published("2020-01-03"), Some(date(2001, 1, 1)), "later than the day after the capture");
    }

    #[test]
    fn every_field_is_replaced() {
        let metadata = by(&[
            (MetadataField::Title, " "),
            (MetadataField::Title, "Title"),
            (MetadataField::Title, "Second"),
            (MetadataField::Author, "By Jane Doe and John Smith"),
            (MetadataField::Author, "Jane Doe"),
            (MetadataField::Date, "soon"),
            (MetadataField::Date, "9. 10. 2015"),
            (MetadataField::Modified, "2016-01-02T10:00"),
            (MetadataField::Section, "Sport"),
            (MetadataField::Keywords, "a, b"),
            (MetadataField::Keywords, "B; c"),
            (MetadataField::Sitename, "Site"),
            (MetadataField::License, "see https://creativecommons.org/licenses/by/4.0/"),
        ]);
        let expected = Metadata {
            title: Some("Title".into()),
            author: vec!["Jane Doe".into(), "John Smith".into()],
            published: Some(date(2015, 10, 9)),
            published_source: Some(PublishedSource::Rule),
            modified: Some(date(2016, 1, 2)),
            section: Some("Sport".into()),
            keywords: vec!["a".into(), "b".into(), "c".into()],
            sitename: Some("Site".into()),
            license: Some("CC BY 4.0".into()),
            ..declared()
        };
        assert_eq!(metadata, expected);
    }

    #[test]
    fn values_are_text_and_not_markup() {
        assert_eq!(by(&[(MetadataField::Title, "Say &amp; in HTML")]).title.as_deref(), Some("Say &amp; in HTML"));
    }

    #[test]
    fn what_cannot_be_used_replaces_nothing() {
        assert_eq!(by(&[]), declared());
        let unusable = [
            (MetadataField::Date, "2020-01-03"),
            (MetadataField::Author, "https://a.example"),
            (MetadataField::Title, ""),
        ];
        assert_eq!(by(&unusable), declared());
    }
}
