use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::hash::mix;

mod keys;

fn distinct(values: impl IntoIterator<Item = u64>) -> DistinctCounter {
    let mut distinct = DistinctCounter::default();
    values.into_iter().for_each(|value| distinct.insert(value));
    distinct
}

#[test]
fn distinct_is_exact_to_its_capacity() {
    let values = |n: u64| (0..n).map(mix);
    for n in [0, 1, 1023, 1024] {
        assert_eq!(distinct(values(n)).count(), n);
        assert_eq!(distinct(values(n).chain(values(n))).count(), n);
    }
    assert!(distinct(values(1025)).count() >= 1025);
    assert_eq!(distinct([0, u64::MAX, 0]).count(), 2);
}

#[test]
fn distinct_is_within_four_standard_errors() {
    let mut bias = 0.0;
    for n in [1_500u64, 5_000, 50_000] {
        for seed in 1..=40u64 {
            let start = mix(seed);
            let estimate = distinct((0..n).map(|i| mix(start.wrapping_add(i)))).count() as f64;
            let error = estimate / n as f64 - 1.0;
            assert!(error.abs() < 4.0 / ((K - 2) as f64).sqrt(), "{n} {seed} {error}");
            bias += error / 120.0;
        }
    }
    assert!(bias.abs() < 4.0 / ((K - 2) as f64 * 120.0).sqrt(), "{bias}");
}

#[test]
fn distinct_is_bounded() {
    let distinct = distinct((0..100_000).map(|i| mix(u64::MAX - i)));
    assert_eq!(distinct.smallest.len(), K);
    assert!(distinct.smallest.is_sorted());
}

/// Pages as (address, blocks) → what is said about each, by the counts over all of them.
fn site(pages: &[(String, Vec<String>)]) -> Vec<HostPage> {
    let (mut host, mut blocks) = (PageCounter::default(), HashMap::<u64, PageCounter>::new());
    for (url, texts) in pages {
        let (url, text) = (text_hash(url.as_bytes()), text_hash(texts.concat().as_bytes()));
        host.insert(url, text);
        texts
            .iter()
            .filter_map(|text| keys::key_of(text))
            .for_each(|key| blocks.entry(key).or_default().insert(url, text));
    }
    let block = |text: &String| HostBlock {
        characters: text.chars().count() as u32,
        pages: keys::key_of(text).map_or(0, |key| blocks[&key].count()),
        ..HostBlock::default()
    };
    let judge = |texts: &Vec<String>| {
        templates(&texts.iter().map(block).collect::<Vec<_>>(), host.count(), &Options::default())
    };
    pages.iter().map(|(_, texts)| judge(texts)).collect()
}

/// A text of its own in so many characters.
fn body(of: usize, characters: usize) -> String {
    let name: String = of.to_string().chars().map(|digit| (b'a' + digit as u8 - b'0') as char).collect();
    format!("{name} ").repeat(characters).chars().take(characters).collect()
}

fn footer() -> String {
    "Imprint, contact and terms of use © 2024".into()
}

#[test]
fn a_common_footer_is_template() {
    assert_eq!(footer().chars().count(), 40);
    let pages: Vec<_> = (0..10).map(|i| (format!("/{i}"), vec![body(i, 300), footer()])).collect();
    for page in site(&pages) {
        assert_eq!(page, HostPage { template: vec![false, true], repeated_page: false });
    }
}

#[test]
fn session_ids_make_no_pages() {
    let same = (0..10).map(|i| (format!("/?sid={i}"), vec![body(1, 300), footer()]));
    let pages: Vec<_> = same.chain([("/other".into(), vec![body(2, 300), footer()])]).collect();
    assert!(site(&pages).iter().all(|page| page.template == [false, false] && !page.repeated_page));
}

#[test]
fn captures_make_no_pages() {
    let same = (0..10).map(|i| ("/news".into(), vec![body(i, 300), footer()]));
    let pages: Vec<_> = same.chain([("/other".into(), vec![body(20, 300), footer()])]).collect();
    assert!(site(&pages).iter().all(|page| page.template == [false, false]));
}

#[test]
fn a_long_text_on_a_few_pages_is_no_template() {
    let press = body(1000, 300);
    let pages: Vec<_> = (0..100)
        .map(|i| (format!("/{i}"), if i < 12 { vec![body(i, 300), press.clone()] } else { vec![body(i, 300)] }))
        .collect();
    assert!(site(&pages).iter().all(|page| !page.template.contains(&true)));
}

/// The front page and a page of a section show the first paragraph of a story.
#[test]
fn a_story_keeps_the_paragraph_that_lists_show() {
    let teasers = [body(100, 125), body(101, 125)];
    let list =
        |of: usize| (format!("/list{of}"), vec![body(of, 300), teasers[0].clone(), teasers[1].clone(), footer()]);
    let story = |i: usize| (format!("/{i}"), vec![teasers[i].clone(), body(10 + i, 900), footer()]);
    let pages = [list(30), list(31), story(0), story(1), ("/about".into(), vec![body(20, 300), footer()])];
    for page in site(&pages) {
        let (last, rest) = page.template.split_last().unwrap();
        assert!(*last && !rest.contains(&true), "{page:?}");
    }
}

#[test]
fn four_pages_decide_nothing() {
    let pages: Vec<_> = (0..4).map(|i| (format!("/{i}"), vec![body(i, 300), footer()])).collect();
    assert!(site(&pages).iter().all(|page| page.template == [false, false] && !page.repeated_page));
}

#[test]
fn a_page_made_of_others_is_repeated() {
    let shared = || vec![body(100, 250), body(101, 250)];
    let pages: Vec<_> = (0..10).map(|i| (format!("/{i}"), [shared(), vec![body(i, 30)]].concat())).collect();
    assert!(site(&pages).iter().all(|page| *page == HostPage { template: vec![false; 3], repeated_page: true }));
}

#[test]
fn counts_of_disjoint_pages_add_up() {
    let see = |range: std::ops::Range<u64>, pages: &mut PageCounter| {
        range.for_each(|i| pages.insert(mix(i), mix(i + 1_000_000)))
    };
    let (mut a, mut b, mut both) = (PageCounter::default(), PageCounter::default(), PageCounter::default());
    see(0..300, &mut a);
    see(300..700, &mut b);
    see(300..700, &mut both);
    see(0..300, &mut both);
    assert_eq!((a.count() + b.count(), both.count()), (700, 700));
}

#[test]
fn both_sides_of_each_threshold() {
    let options = Options::default();
    for (on, of, characters, want) in [
        (4, 4, 10, false),
        (5, 5, 10, true),
        (6, 5, 10, false),
        (2, 5, 10, false),
        (3, 5, 10, true),
        (3, 7, 10, false),
        (50, 100, 10, true),
        (49, 100, 10, false),
        (50, 500, 69, true),
        (50, 501, 69, false),
        (49, 490, 69, false),
        (50, 500, 70, false),
        (50, 250, 199, true),
        (50, 251, 199, false),
        (50, 250, 200, false),
        (50, 100, 200, true),
        (49, 100, 200, false),
        (50, 1_000_000, 10, false),
        (0, 0, 0, false),
    ] {
        assert_eq!(is_template(on, of, characters, &options), want, "{on} of {of}, {characters}");
    }
}

fn everywhere(characters: u32) -> HostBlock {
    HostBlock { characters, pages: 10, ..HostBlock::default() }
}

#[test]
fn headings_and_titles_stay() {
    let own = HostBlock { pages: 1, ..everywhere(400) };
    let page =
        templates(&[HostBlock { protected: true, ..everywhere(30) }, everywhere(30), own], 10, &Options::default());
    assert_eq!(page, HostPage { template: vec![false, true, false], repeated_page: false });
}

/// What is said about blocks that stand on so many of 10 pages, beside a long text of the page's own.
fn parts(blocks: &[(Part, u32)]) -> Vec<bool> {
    let block = |(index, &(part, pages)): (usize, &(Part, u32))| HostBlock {
        index: index as u32,
        part,
        pages,
        ..everywhere(30)
    };
    let own = HostBlock { index: 1_000, pages: 1, ..everywhere(4_000) };
    let blocks: Vec<HostBlock> = blocks.iter().enumerate().map(block).chain([own]).collect();
    let mut template = templates(&blocks, 10, &Options::default()).template;
    assert_eq!(template.pop(), Some(false));
    template
}

#[test]
fn tables_and_lists_are_taken_as_a_whole() {
    for part in [Part::Cell(1), Part::Item] {
        assert_eq!(parts(&[(part, 10), (part, 10), (part, 10)]), [true; 3]);
        assert_eq!(parts(&[(part, 10), (part, 1), (part, 10)]), [false; 3]);
    }
    let cells_and_items = [(Part::Item, 10), (Part::Item, 10), (Part::Cell(1), 10), (Part::Cell(1), 1)];
    assert_eq!(parts(&cells_and_items), [true, true, false, false]);
    assert_eq!(parts(&[(Part::Cell(1), 10), (Part::Cell(2), 1)]), [true, false]);
    assert_eq!(parts(&[(Part::Text, 10), (Part::Text, 1), (Part::Text, 10)]), [true, false, true]);
}

#[test]
fn what_another_block_parts_is_no_whole() {
    let cell = |index, pages| HostBlock { index, pages, part: Part::Cell(1), ..everywhere(30) };
    let page = templates(&[cell(0, 10), cell(2, 1)], 10, &Options::default());
    assert_eq!(page.template, [true, false]);
}

#[test]
fn a_heading_goes_with_what_follows_it() {
    use Part::{Heading, Text};
    assert_eq!(parts(&[(Heading, 10), (Text, 1)]), [false, false]);
    assert_eq!(parts(&[(Heading, 10), (Text, 10), (Text, 1)]), [true, true, false]);
    assert_eq!(parts(&[(Heading, 10), (Heading, 10), (Text, 1)]), [false, false, false]);
    // Boilerplate is nothing that stays, and may be left out of the blocks.
    let heading = HostBlock { part: Heading, ..everywhere(30) };
    let boilerplate = HostBlock { index: 1, boilerplate: true, pages: 1, ..everywhere(30) };
    let own = |index| HostBlock { index, pages: 1, ..everywhere(400) };
    for blocks in [&[heading, boilerplate, own(2)][..], &[heading, own(2)]] {
        let template = templates(blocks, 10, &Options::default()).template;
        assert_eq!(template.iter().filter(|template| **template).count(), 1);
        assert!(template[0], "{blocks:?}");
    }
    assert_eq!(templates(&[heading, own(1)], 10, &Options::default()).template, [false, false]);
}

#[test]
fn at_most_four_fifths_are_taken() {
    let options = Options::default();
    let with = |taken| templates(&[everywhere(taken), HostBlock { pages: 1, ..everywhere(40) }], 10, &options);
    assert_eq!(with(160), HostPage { template: vec![true, false], repeated_page: false });
    assert_eq!(with(161), HostPage { template: vec![false, false], repeated_page: true });
    // A protected block is content that stays.
    let protected = [everywhere(160), HostBlock { protected: true, ..everywhere(40) }];
    assert_eq!(templates(&protected, 10, &options).template, [true, false]);
}

/// An essay at some addresses of a small site has nowhere else to stay.
#[test]
fn long_texts_are_templates_on_many_pages_only() {
    let options = Options::default();
    let at = |characters, pages, host_pages| {
        let shared = HostBlock { pages, ..everywhere(characters) };
        templates(&[shared, HostBlock { pages: 1, ..everywhere(4_000) }], host_pages, &options).template[0]
    };
    assert_eq!([at(69, 5, 10), at(70, 7, 10), at(70, 8, 10)], [true, false, true]);
    assert_eq!([at(199, 9, 15), at(199, 10, 15)], [false, true]);
    assert_eq!([at(200, 7, 10), at(200, 8, 10)], [false, true]);
    assert_eq!([at(200, 49, 98), at(200, 50, 100)], [false, true]);
}

#[test]
fn boilerplate_is_not_counted_as_content() {
    let menu = HostBlock { boilerplate: true, ..everywhere(4_000) };
    let own = HostBlock { pages: 1, ..everywhere(100) };
    let page = templates(&[menu, own], 10, &Options::default());
    assert_eq!(page, HostPage { template: vec![true, false], repeated_page: false });
    assert_eq!(templates(&[menu], 10, &Options::default()), HostPage { template: vec![true], repeated_page: false });
    assert_eq!(templates(&[], 10, &Options::default()), HostPage { template: vec![], repeated_page: false });
}

fn any_part() -> impl Strategy<Value = Part> {
    prop::sample::select(vec![Part::Text, Part::Heading, Part::Cell(1), Part::Cell(2), Part::Item])
}

prop_compose! {
    fn any_block()(index in 0u32..20, part in any_part(), characters in 0u32..600, pages in 0u32..60, boilerplate: bool, protected in proptest::bool::weighted(0.1)) -> HostBlock {
        HostBlock { index, part, characters, pages, boilerplate, protected }
    }
}

proptest! {
    #[test]
    fn order_and_repetition_make_no_difference(mut values in proptest::collection::vec(any::<u64>(), 0..2_000), seed: u64) {
        let before = distinct(values.iter().copied());
        let twice = values.clone();
        values.sort_unstable_by_key(|&value| mix(value ^ seed));
        prop_assert_eq!(&distinct(values.into_iter().chain(twice)), &before);
    }

    #[test]
    fn a_part_is_never_more_than_the_whole(values in proptest::collection::vec(any::<u64>(), 0..3_000), part in 0..3_000usize) {
        let part = values.iter().copied().take(part);
        prop_assert!(distinct(part).count() <= distinct(values.iter().copied()).count());
    }

    #[test]
    fn few_values_are_counted_exactly(values in proptest::collection::hash_set(any::<u64>(), 0..=K)) {
        prop_assert_eq!(distinct(values.iter().copied()).count(), values.len() as u64);
    }

    #[test]
    fn guards_hold(blocks in proptest::collection::vec(any_block(), 0..12), of in 0u32..200) {
        let page = templates(&blocks, of, &Options::default());
        prop_assert_eq!(page.template.len(), blocks.len());
        let judged = || blocks.iter().zip(&page.template);
        prop_assert!(judged().all(|(block, &template)| !(template && (block.protected || block.pages == 0))));
        let content = |kept_only: bool| -> u32 {
            judged().filter(|(b, t)| !(b.boilerplate || kept_only && **t)).map(|(b, _)| b.characters).sum()
        };
        prop_assert!(content(true) * 5 >= content(false));
        prop_assert!(!page.repeated_page || content(true) > 0 && !page.template.contains(&true));
    }

    #[test]
    fn more_pages_never_make_less_of_a_template(on in 0u32..100, of in 0u32..1000, characters in 0u32..300) {
        let options = Options::default();
        prop_assert!(on >= of || !is_template(on, of, characters, &options) || is_template(on + 1, of, characters, &options));
    }
}
