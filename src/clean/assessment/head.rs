//! Features of the address, the head and the containers of a page.

use super::address::Address;
use super::assessment_row::AssessmentRow;
use super::word_groups::{ADDRESS_WORDS, BODY_WORDS, GroupCounts, NAMES, TITLE_WORDS};
use crate::clean::{PageProfile, indicator, stated_types};
use crate::page::blocks::{Page, Tag};
use crate::page::head::Head;
use crate::text::words;

/// Types of JSON-LD objects, by the kind of page that they indicate.
const TYPES: [(&str, &[&str]); 8] = [
    ("article", stated_types::ARTICLE),
    ("forum", stated_types::FORUM),
    ("product", &["product", "productgroup", "offer", "aggregateoffer"]),
    ("collection", &["collectionpage", "itemlist", "offercatalog", "searchresultspage"]),
    ("organization", stated_types::ORGANIZATION),
    ("page", stated_types::PAGE),
    ("item", &["listitem"]),
    ("faq", &["faqpage"]),
];
/// Programs that make pages, by the kind of page.
const GENERATORS: [(&str, &[&str]); 4] = [
    (
        "forum",
        &["discourse", "vbulletin", "phpbb", "xenforo", "invision", "vanilla", "mybb", "smf", "flarum", "nodebb"],
    ),
    (
        "documentation",
        &[
            "docusaurus",
            "sphinx",
            "mkdocs",
            "mediawiki",
            "gitbook",
            "hugo",
            "docutils",
            "jekyll",
            "asciidoctor",
            "vitepress",
            "doxygen",
            "dokuwiki",
            "antora",
        ],
    ),
    ("shop", &["shopify", "woocommerce", "magento", "prestashop", "bigcommerce"]),
    ("site", &["wordpress", "elementor", "wix", "squarespace", "drupal", "joomla", "hubspot"]),
];
/// Elements whose number is a feature.
const ELEMENTS: [Tag; 15] = [
    Tag::Article,
    Tag::Main,
    Tag::Section,
    Tag::Nav,
    Tag::Aside,
    Tag::Form,
    Tag::Table,
    Tag::Ul,
    Tag::Li,
    Tag::Dl,
    Tag::Pre,
    Tag::Figure,
    Tag::Blockquote,
    Tag::Header,
    Tag::Footer,
];
/// JSON-LD types that are read.
const MOST_TYPES: usize = 200;

/// The names of the types of a page's JSON-LD objects, as written.
pub fn types_of(head: &Head) -> Vec<&str> {
    head.json_ld.iter().flat_map(|json| stated_types::types(json)).take(MOST_TYPES).collect()
}

/// Appends the features of the address.
pub fn push_address(row: &mut AssessmentRow, address: &Address<'_>) {
    let (last, path) = (address.last, address.path);
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count() as f32;
    let years = address.folders.iter().filter(|part| part.len() == 4 && digits(part) == 4.0).count();
    let names = ["depth", "last", "hyphens", "digits", "query", "length", "labels", "years"];
    let values = [
        address.folders.len() as f32 + indicator(!last.is_empty()),
        last.len() as f32,
        last.bytes().filter(|byte| b"-_".contains(byte)).count() as f32,
        digits(last),
        address.query.len() as f32,
        path.len() as f32,
        address.labels.len() as f32,
        years as f32,
    ];
    row.all("address", names, &values);
    row.flag("address_slash", path.ends_with('/'));
    row.flag("address_ending", last.contains('.'));
    let mut buffer = Vec::new();
    let mut groups = |parts: &[&str], most: usize| {
        let mut counts = GroupCounts::default();
        for part in parts {
            buffer.clear();
            words::model_hashes(part, &mut buffer);
            if buffer.len() <= most {
                buffer.iter().for_each(|&word| counts.add(ADDRESS_WORDS.of_word(word)));
            }
        }
        counts.0
    };
    let first = address.folders.first().copied().unwrap_or(last);
    let stem = last.split('.').next().unwrap_or_default();
    row.all("host", NAMES, &groups(&address.labels, usize::MAX));
    row.all("folder", NAMES, &groups(&address.folders, 2));
    row.all("first", NAMES, &groups(&[first], usize::MAX));
    row.all("last_word", NAMES, &groups(&[last], usize::MAX));
    row.all("last_alone", NAMES, &groups(&[stem], 1));
}

/// Appends the features of the head.
pub fn push_head(row: &mut AssessmentRow, head: &Head, types: &[&str]) {
    let (mut counts, mut buffer) = (GroupCounts::default(), Vec::new());
    words::model_hashes(head.title.get(..head.title.floor_char_boundary(1000)).unwrap_or_default(), &mut buffer);
    buffer.iter().for_each(|&word| counts.add(TITLE_WORDS.of_word(word)));
    row.all("title", NAMES, &counts.0);
    row.push("title_words", buffer.len() as f32);
    row.push("title_length", head.title.len() as f32);
    row.push("title_bars", head.title.matches(['|', '–', '—', '-', '·', '»']).count() as f32);
    row.flag("title_question", head.title.contains('?'));
    let of_key = |wanted: &str| head.meta.iter().find(|meta| meta.key == wanted);
    row.push("og_type", stated_types::og_type(head));
    let count = |names: &[&str]| types.iter().filter(|name| stated_types::is_one_of(name, names)).count() as f32;
    row.all("type", TYPES.map(|(name, _)| name), &TYPES.map(|(_, names)| count(names)));
    let generator = of_key("generator").map(|meta| meta.content.to_ascii_lowercase()).unwrap_or_default();
    let is_by = |names: &[&str]| indicator(names.iter().any(|name| generator.contains(name)));
    row.all("by", GENERATORS.map(|(name, _)| name), &GENERATORS.map(|(_, names)| is_by(names)));
    let any = |parts: &[&str]| head.meta.iter().any(|meta| parts.iter().any(|part| meta.key.contains(part)));
    row.flag("meta_price", any(&["price", "product:"]));
    row.flag("meta_date", any(&["published", "date"]));
    row.flag("meta_author", any(&["author"]));
    row.flag("meta_section", any(&["section", "article:tag"]));
    row.push("description", of_key("description").map_or(0.0, |meta| meta.content.len() as f32));
    let linked = |rel: &str| head.links.iter().any(|link| link.rel.split_ascii_whitespace().any(|own| own == rel));
    let rels = ["next", "prev", "amphtml", "author", "shortlink"];
    row.all("rel", rels, &rels.map(|rel| indicator(linked(rel))));
    row.push("times", head.times as f32);
    row.push("metas", head.meta.len() as f32);
    row.push("scripts", head.json_ld.len() as f32);
    row.push("script_bytes", head.json_ld.iter().map(String::len).sum::<usize>() as f32);
}

/// Appends the features of the containers.
pub fn push_containers(row: &mut AssessmentRow, page: &Page<'_>, profile: &PageProfile) {
    let (mut elements, mut body) = ([0.0; ELEMENTS.len()], GroupCounts::default());
    let roles = ["articlebody", "name", "price", "offers", "text", "itemlistelement", "main"];
    let mut role_counts = roles.map(|_| 0.0);
    for (container, names) in page.containers.iter().zip(profile.names()) {
        if let Some(place) = ELEMENTS.iter().position(|tag| *tag == container.tag) {
            elements.get_mut(place).into_iter().for_each(|count| *count += 1.0);
        }
        if container.tag == Tag::Body {
            profile.tokens(names).iter().for_each(|&name| body.add(BODY_WORDS.of_word(name)));
        }
        for word in container.role.split_ascii_whitespace() {
            let place = roles.iter().position(|role| role.eq_ignore_ascii_case(word));
            place.and_then(|place| role_counts.get_mut(place)).into_iter().for_each(|count| *count += 1.0);
        }
    }
    row.push("containers", page.containers.len() as f32);
    row.all("element", ELEMENTS.map(Tag::name), &elements);
    row.all("body", NAMES, &body.0);
    row.all("role", roles, &role_counts);
}
