//! The order of sources, field by field: which keys of `<meta>` are read, and
//! what comes before what. Parsing of the values belongs to the other files.

use std::borrow::Cow;

use ::url::Url;

use super::authors::ValueOf;
use super::jsonld::{self, JsonLd};
use super::organisations::is_organisation;
use super::title::SiteNames;
use super::{authors, bylines, license, tidy, title};
use crate::page::head::{FOOTER_LICENSE, Head, MetadataCandidate};
use crate::page::url::{self, Site};

/// Most keywords kept.
const MAX_KEYWORDS: usize = 50;

const AUTHOR_KEYS: [&str; 14] = [
    "author",
    "og:author",
    "og:article:author",
    "article:author",
    "byl",
    "byline",
    "dc.creator",
    "dc:creator",
    "dcterms.creator",
    "citation_author",
    "parsely-author",
    "sailthru.author",
    "rbauthors",
    "shareaholic:article_author_name",
];

/// Those of [`AUTHOR_KEYS`] that catalogues repeat for each author.
const REPEATED_KEYS: [&str; 4] = ["dc.creator", "dc:creator", "dcterms.creator", "citation_author"];

const SITENAME_KEYS: [&str; 8] = [
    "og:site_name",
    "article:publisher",
    "publisher",
    "citation_journal_title",
    "dc.publisher",
    "dcterms.publisher",
    "sitename",
    "application-name",
];

const SECTION_KEYS: [&str; 5] = ["article:section", "og:article:section", "section", "parsely-section", "dc.subject"];

const KEYWORD_KEYS: [&str; 7] = [
    "article:tag",
    "og:article:tag",
    "keywords",
    "news_keywords",
    "parsely-tags",
    "dcterms.subject",
    "citation_keywords",
];

const LICENSE_KEYS: [&str; 7] =
    ["dcterms.license", "dc.rights.license", "cc:license", "license", "dcterms.rights", "dc.rights", "rights-standard"];

const LANGUAGE_KEYS: [&str; 6] =
    ["content-language", "language", "dc.language", "dcterms.language", "inlanguage", "og:locale"];

/// All a page says, before anything is decided.
pub(super) struct Sources<'a> {
    pub(super) head: &'a Head,
    pub(super) json_ld: JsonLd,
}

impl<'a> Sources<'a> {
    pub(super) fn of(head: &'a Head) -> Self {
        Self { head, json_ld: jsonld::read_json_ld(&head.json_ld) }
    }

    /// The content of the first `<meta>` of the first key that has one.
    pub(super) fn meta(&self, keys: &[&str]) -> Option<String> {
        keys.iter().find_map(|key| self.texts(std::slice::from_ref(key)).find_map(|text| tidy(&text)))
    }

    /// The contents of all `<meta>` of these keys as texts: what was escaped twice is decoded.
    fn texts<'s>(&'s self, keys: &[&str]) -> impl Iterator<Item = Cow<'s, str>> {
        self.contents(keys).map(htmlize::unescape)
    }

    /// The contents of all `<meta>` of these keys, in document order, as the attribute has them: addresses, dates and
    /// tags, in which a second decoding could do harm (`?a=1&copy=2`).
    pub(super) fn contents<'s>(&'s self, keys: &[&str]) -> impl Iterator<Item = &'s str> {
        let wanted = |key: &str| keys.contains(&key);
        self.head.meta.iter().filter(move |meta| wanted(&meta.key)).map(|meta| meta.content.as_str())
    }

    fn links<'s>(&'s self, rel: &'s str) -> impl Iterator<Item = &'s str> {
        let holds = move |rels: &str| rels.split_whitespace().any(|word| word == rel);
        self.head.links.iter().filter(move |link| holds(&link.rel)).map(|link| link.href.as_str())
    }

    /// `<meta>`; JSON-LD replaces a shorter name; else [`Sources::sitename_by_domain`].
    pub(super) fn sitename(&self, site: Option<&Site>) -> Option<String> {
        let not_url = |name: &String| !name.contains("://");
        let named = SITENAME_KEYS.iter().find_map(|key| self.meta(&[key]).filter(not_url));
        let named = named.map(|name| String::from(name.trim_start_matches('@')));
        let linked = self.json_ld.sitename.as_deref().and_then(tidy).filter(not_url);
        match (named, linked) {
            (Some(named), Some(linked)) if linked.chars().count() > named.chars().count() => Some(linked),
            (named, linked) => named.or(linked),
        }
        .filter(|name| !name.is_empty())
        .or_else(|| self.sitename_by_domain(site))
    }

    /// The part of the title that is spelled as the domain, or an address; the account of the site, if it is spelled as the
    /// domain; the host.
    fn sitename_by_domain(&self, site: Option<&Site>) -> Option<String> {
        let domain = SiteNames::new(None, site.map_or("", |site| &site.domain));
        let account = || self.meta(&["twitter:site"]).map(|name| String::from(name.trim_start_matches('@')));
        title::site_in_title(&self.head.title, &domain)
            .or_else(|| account().filter(|name| domain.is(name)))
            .or_else(|| site.map(|site| String::from(site.host.strip_prefix("www.").unwrap_or(&site.host))))
    }

    /// The persons of JSON-LD, else those of `<meta>`, else those of the byline. Single words
    /// (accounts), organisations and what names the site count only if there is nobody else.
    pub(super) fn authors(&self, site: &SiteNames, title: Option<u32>) -> Vec<String> {
        let listed = |values: &[String]| values.iter().flat_map(|value| authors::names(value)).collect();
        let owned = Cow::<[String]>::Owned;
        let declared: Vec<Vec<String>> = AUTHOR_KEYS.iter().map(|key| self.names(key)).collect();
        let sources = std::iter::once(owned(listed(&self.json_ld.authors)))
            .chain(declared.iter().map(|names| Cow::Borrowed(names.as_slice())))
            .chain(std::iter::once_with(|| owned(bylines::authors(self.head, title))))
            .chain(std::iter::once_with(|| owned(self.twitter_author())))
            .chain(std::iter::once_with(|| owned(listed(&self.json_ld.all_authors))));
        let mut spare = Vec::new();
        for names in sources {
            let Named { persons, others } = Named::of(&names, site);
            if !persons.is_empty() {
                // Some templates give the first of several authors only.
                let declared = declared.iter().map(|names| Named::of(names, site).persons);
                let has_all = |names: &Vec<String>| persons.iter().all(|person| names.contains(person));
                let mut longer = declared.filter(|names| names.len() > persons.len());
                return longer.find(has_all).unwrap_or(persons);
            }
            if spare.is_empty() {
                // Beside an organisation's name stand its place and country.
                let (full, rest): (Vec<_>, Vec<_>) =
                    others.into_iter().partition(|name| name.contains(' ') && !site.is(name));
                spare = if full.is_empty() { rest } else { full };
            }
        }
        spare
    }

    /// The names in all `<meta>` of a key.
    fn names(&self, key: &str) -> Vec<String> {
        let page = self.head.meta.iter().filter(|meta| meta.key == key && !meta.item);
        let of = match (REPEATED_KEYS.contains(&key), page.clone().nth(1).is_some()) {
            (false, _) => ValueOf::Any,
            (true, false) => ValueOf::Catalogue,
            (true, true) => ValueOf::One,
        };
        page.flat_map(|meta| authors::names_by(&htmlize::unescape(&meta.content), of)).collect()
    }

    /// `twitter:data1` where `twitter:label1` says "Written by" (WordPress writes it so).
    fn twitter_author(&self) -> Vec<String> {
        let labelled = |n: &str| self.contents(&[&format!("twitter:label{n}")]).any(authors::is_author_label);
        let line = ["1", "2"].into_iter().find(|n| labelled(n));
        line.map(|n| self.names(&format!("twitter:data{n}"))).unwrap_or_default()
    }

    pub(super) fn section(&self) -> Option<String> {
        self.meta(&SECTION_KEYS).or_else(|| self.json_ld.section.as_deref().and_then(tidy))
    }

    /// `<meta>` and JSON-LD, split at commas and semicolons, else the links to tags beside the text; each kept once.
    pub(super) fn keywords(&self) -> Vec<String> {
        let declared = each_once(self.texts(&KEYWORD_KEYS).chain(self.json_ld.keywords.iter().map(Cow::from)));
        if !declared.is_empty() {
            return declared;
        }
        let is_tag =
            |link: &&MetadataCandidate| !link.aside && link.names.split_ascii_whitespace().any(|name| name == "tag");
        each_once(self.head.candidates.iter().filter(is_tag).map(|link| &link.text))
    }

    /// A Creative Commons address anywhere, else what the page states, else a licence in its footer.
    pub(super) fn license(&self) -> Option<String> {
        let linked = |wanted: fn(&&str) -> bool| {
            self.links("license").filter(wanted).chain(self.json_ld.license.as_deref()).map(Cow::from)
        };
        let stated = |wanted| linked(wanted).chain(self.texts(&LICENSE_KEYS));
        let creative_commons = stated(|_| true).find_map(|text| license::creative_commons(&text));
        // A page of the site itself is about licences, or its imprint.
        creative_commons
            .or_else(|| stated(|href| href.contains("://") || href.starts_with("//")).find_map(|text| tidy(&text)))
            .or_else(|| self.footer_license())
    }

    /// The Creative Commons licence in the footer, if there is only one: others are those of pictures.
    fn footer_license(&self) -> Option<String> {
        let mut named = self.links(FOOTER_LICENSE).filter_map(license::creative_commons);
        let first = named.next()?;
        named.all(|other| other == first).then_some(first)
    }

    pub(super) fn canonical(&self, page: &Url, domain: &str) -> Option<String> {
        let absolute = |value: &&str| value.contains("://");
        let mut named = self.links("canonical").chain(self.contents(&["og:url"]).filter(absolute));
        named.find_map(|href| url::canonical(href, page, domain))
    }

    pub(super) fn language(&self) -> Option<String> {
        let html = std::iter::once(self.head.html_lang.as_str());
        let meta = LANGUAGE_KEYS.iter().flat_map(|key| self.contents(std::slice::from_ref(key)));
        html.chain(meta).chain(self.json_ld.language.as_deref()).find_map(language_tag)
    }
}

/// What a source of authors names: persons, and accounts, organisations and the site itself. Each name once.
struct Named {
    persons: Vec<String>,
    others: Vec<String>,
}

impl Named {
    fn of(names: &[String], site: &SiteNames) -> Named {
        let mut found = Vec::new();
        authors::merge(&mut found, names);
        let is_person = |name: &String| name.contains(' ') && !site.is_in(name) && !is_organisation(name);
        let (persons, others) = found.into_iter().partition(is_person);
        Named { persons, others }
    }
}

/// Signs between keywords: commas and semicolons of Latin, Chinese, Japanese and Arabic script.
const KEYWORD_SEPARATORS: [char; 7] = [',', ';', '，', '、', '；', '،', '؛'];

/// The keywords of lists that are separated by commas or semicolons, each once whatever its case.
pub(super) fn each_once(lists: impl Iterator<Item = impl AsRef<str>>) -> Vec<String> {
    let (mut keywords, mut known): (Vec<String>, Vec<String>) = Default::default();
    for list in lists {
        for keyword in list.as_ref().split(KEYWORD_SEPARATORS).filter_map(tidy) {
            let lower = keyword.to_lowercase();
            if keywords.len() < MAX_KEYWORDS && !known.contains(&lower) {
                keywords.push(keyword);
                known.push(lower);
            }
        }
    }
    keywords
}

/// A tag such as `pt-BR`; `None` if the value does not begin with one.
fn language_tag(value: &str) -> Option<String> {
    let first = value.trim().split([',', ';', ' ', '.']).next()?.replace('_', "-");
    let (primary, rest) = first.split_once('-').map_or((first.as_str(), None), |(primary, rest)| (primary, Some(rest)));
    let sound = (2..=3).contains(&primary.len()) && primary.bytes().all(|b| b.is_ascii_alphabetic());
    let rest = rest.filter(|rest| {
        !rest.is_empty() && rest.len() <= 20 && rest.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    });
    let primary = primary.to_ascii_lowercase();
    sound.then(|| rest.map_or(primary.clone(), |rest| format!("{primary}-{rest}")))
}
