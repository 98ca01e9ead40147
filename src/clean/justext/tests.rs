use proptest::prelude::*;

use super::*;
use crate::clean::stoplist::Stoplist;
use crate::page::blocks::{Options, page};

fn english() -> &'static Stoplist {
    Stoplist::by_name("English").expect("the list is part of the program")
}

fn block(text: &str) -> Block {
    let characters = text.chars().count() as u32;
    Block { text: text.to_owned(), characters, ..Block::default() }
}

/// `n` characters of stop words, or of words that are none.
fn filled(word: &str, n: usize) -> Block {
    let mut text: String = std::iter::repeat_n(format!("{word} "), n).collect::<String>().chars().take(n).collect();
    if text.ends_with(' ') {
        text.pop();
        text.push('x');
    }
    block(&text)
}

fn linked(mut block: Block, link_characters: u32) -> Block {
    block.link_characters = link_characters;
    block
}

fn heading(mut block: Block) -> Block {
    block.heading = true;
    block
}

fn alone(block: Block) -> Class {
    classify(&[block], Some(english()), &Params::default())[0].context_free
}

fn classes(blocks: &[Block], params: &Params) -> Vec<Class> {
    classify(blocks, Some(english()), params).into_iter().map(|v| v.class).collect()
}

fn final_classes(blocks: &[Block]) -> Vec<Class> {
    classes(blocks, &Params::default())
}

fn good() -> Block {
    filled("the", 218)
}

fn near() -> Block {
    filled("the", 86)
}

fn short() -> Block {
    block("Short text here")
}

fn bad(n: usize) -> Block {
    linked(filled("xyzzy", n), n as u32)
}

/// `stop` stop words among `words`, long enough not to be short.
fn mixture(stop: usize, words: usize) -> Block {
    let text: Vec<&str> = (0..words).map(|i| if i < stop { "the" } else { "xyzzy" }).collect();
    block(&text.join(" "))
}

use Class::{Bad, Good, NearGood, Short};

#[test]
fn length_thresholds() {
    assert_eq!(alone(filled("xyzzy", 69)), Short);
    assert_eq!(alone(filled("xyzzy", 70)), Bad);
    assert_eq!(alone(filled("the", 69)), Short);
    assert_eq!(alone(filled("the", 70)), NearGood);
    assert_eq!(alone(filled("the", 200)), NearGood);
    assert_eq!(alone(filled("the", 201)), Good);
}

#[test]
fn link_thresholds() {
    assert_eq!(alone(linked(filled("the", 300), 60)), Good, "density 0.2 is not above it");
    assert_eq!(alone(linked(filled("the", 300), 61)), Bad);
    assert_eq!(alone(linked(filled("the", 69), 1)), Bad, "short with a link");
    assert_eq!(alone(linked(filled("the", 69), 0)), Short);
    assert_eq!(alone(linked(heading(filled("the", 50)), 10)), Bad, "density 0.2 goes by the rule for short blocks");
}

#[test]
fn the_reason_goes_by_the_exact_link_density() {
    // 0.2 as a 32-bit number is more than 0.2: the block is bad for its stop words.
    let block = linked(filled("xyzzy", 100), 20);
    let params = Params::default();
    let classes = classify(std::slice::from_ref(&block), Some(english()), &params);
    assert_eq!((classes[0].context_free, reason(&block, &classes[0], &params)), (Bad, Reason::StopWords));
    assert_eq!(reason(&linked(block, 21), &classes[0], &params), Reason::Links);
}

#[test]
fn what_leans_on_a_template_goes_with_it() {
    let neighbour = |(index, context_free)| Neighbour { index, heading: false, characters: 50, context_free };
    let blocks: Vec<Neighbour> = (3..).zip([Good, Short, Good, NearGood]).map(neighbour).collect();
    let cleaner = JusText::new(&Params::default());
    assert!(cleaner.uses_neighbours());
    assert_eq!(cleaner.revise(&blocks, &[false; 4]), [] as [u32; 0]);
    assert_eq!(cleaner.revise(&blocks, &[true, false, false, false]), [3, 4]);
    assert_eq!(cleaner.revise(&blocks, &[true, false, true, false]), [3, 4, 5, 6]);
}

/// Work that grows with the square of these would not end.
#[test]
fn many_headings_take_linear_time() {
    let blocks = vec![Neighbour { index: 0, heading: true, characters: 0, context_free: Short }; 2_000_000];
    assert!(neighbours::final_classes(&blocks, &Params::default()).iter().all(|class| *class == Bad));
}

#[test]
fn stopword_thresholds() {
    assert_eq!(alone(mixture(32, 100)), Good, "0.32");
    assert_eq!(alone(mixture(31, 100)), NearGood);
    assert_eq!(alone(mixture(30, 100)), NearGood, "0.30");
    assert_eq!(alone(mixture(29, 100)), Bad);
}

#[test]
fn words_keep_punctuation_and_lose_case() {
    let verdict = classify(&[block("the, of. AND")], Some(english()), &Params::default())[0];
    assert!((verdict.stopword_density - 1.0 / 3.0).abs() < 1e-6);
}

#[test]
fn copyright_and_select_are_bad() {
    let with = |end: &str| alone(block(&format!("{} {end}", good().text)));
    assert_eq!((with("©"), with("&copy"), with("(c)")), (Bad, Bad, Good));
    assert_eq!(alone(Block { in_select: true, ..good() }), Bad);
}

#[test]
fn no_text_is_short() {
    let verdict = classify(&[block("")], Some(english()), &Params::default())[0];
    assert_eq!((verdict.context_free, verdict.class, verdict.link_density), (Short, Bad, 0.0));
    assert!(verdict.is_boilerplate());
}

#[test]
fn worked_chains() {
    assert_eq!(final_classes(&[short(), near(), short(), good(), short()]), [Bad, Good, Good, Good, Bad]);
    assert_eq!(final_classes(&[near(), near()]), [Bad, Bad]);
    assert_eq!(final_classes(&[good(), short(), near(), short()]), [Good, Good, Good, Bad]);
}

#[test]
fn short_blocks_follow_their_neighbours() {
    assert_eq!(final_classes(&[good(), short(), good()]), [Good, Good, Good]);
    assert_eq!(final_classes(&[bad(80), short(), bad(80)]), [Bad, Bad, Bad]);
    assert_eq!(final_classes(&[good(), short(), bad(80)]), [Good, Bad, Bad]);
    assert_eq!(final_classes(&[bad(80), short(), short(), good()]), [Bad, Bad, Bad, Good]);
    assert_eq!(final_classes(&[good(), short(), near(), bad(80)]), [Good, Good, Good, Bad]);
}

#[test]
fn headings_are_rescued() {
    assert_eq!(final_classes(&[heading(short()), good()]), [Good, Good]);
    assert_eq!(final_classes(&[short(), good()]), [Bad, Good], "only headings");
    assert_eq!(final_classes(&[heading(short()), heading(short()), good()]), [Good, Good, Good]);
    let linked_heading = linked(heading(short()), 3);
    assert_eq!(final_classes(&[linked_heading, good()]), [Bad, Good], "bad on its own stays bad");
    let none = Params { no_headings: true, ..Params::default() };
    assert_eq!(classes(&[heading(short()), good()], &none), [Bad, Good]);
}

#[test]
fn heading_distance() {
    let far = |n: usize| final_classes(&[heading(short()), bad(n), good()])[0];
    assert_eq!((far(197), far(200), far(201), far(202)), (Good, Good, Bad, Bad));
    let split = final_classes(&[heading(short()), bad(150), bad(60), good()]);
    assert_eq!(split[0], Bad, "distances add up");
}

#[test]
fn the_documented_heading_step_is_off() {
    let blocks = [heading(short()), short(), good()];
    assert_eq!(final_classes(&blocks), [Good, Bad, Good]);
    let documented = Params { heading_prepass: true, ..Params::default() };
    assert_eq!(classes(&blocks, &documented), [Good, Good, Good]);
}

#[test]
fn without_a_stop_list_only_length_and_links_decide() {
    let params = Params::default().without_stoplist();
    let alone = |n| classify(&[filled("xyzzy", n)], None, &params)[0].context_free;
    assert_eq!((alone(69), alone(70), alone(200), alone(201)), (Short, NearGood, NearGood, Good));
    let dense = Params::default().without_stoplist().for_dense_script();
    let alone = |n| classify(&[block(&"語".repeat(n))], None, &dense)[0].context_free;
    assert_eq!((alone(29), alone(30), alone(80), alone(81)), (Short, NearGood, NearGood, Good));
    // The greatest values mean that no length will do.
    let never = Params { length_low: u32::MAX, length_high: u32::MAX, ..Params::default() }.for_dense_script();
    assert!(never.length_low > 1 << 29 && never.length_high > 1 << 29);
}

#[test]
fn a_page_goes_all_the_way() {
    let long = "the ".repeat(60);
    let html = format!("<h1>Title</h1><p>{long}</p><ul><li><a href=x>menu</a></ul>");
    let page = page(&html, &Options::default());
    assert_eq!(final_classes(&page.blocks), [Good, Good, Bad]);
}

fn any_block() -> impl Strategy<Value = Block> {
    let text = prop::sample::select(vec![0usize, 10, 69, 70, 86, 120, 200, 201, 300]);
    (text, any::<bool>(), 0u32..30, any::<bool>()).prop_map(|(n, stop, links, is_heading)| {
        let block = linked(filled(if stop { "the" } else { "xyzzy" }, n), if links > 20 { links } else { 0 });
        if is_heading { heading(block) } else { block }
    })
}

/// The neighbour search as the specification words it: a walk for every block.
fn walked(blocks: &[Block]) -> Vec<Class> {
    let mut class: Vec<Class> =
        classify(blocks, Some(english()), &Params::default()).iter().map(|v| v.context_free).collect();
    let alone = class.clone();
    let side = |class: &[Class], i: usize, step: isize, ignore: bool| {
        let mut at = i as isize + step;
        while let Some(&c) = usize::try_from(at).ok().and_then(|at| class.get(at)) {
            if matches!(c, Good | Bad) || c == NearGood && !ignore {
                return c;
            }
            at += step;
        }
        Bad
    };
    let old = class.clone();
    for i in (0..old.len()).filter(|&i| old[i] == Short) {
        let (before, after) = (side(&old, i, -1, true), side(&old, i, 1, true));
        let near = before == Bad && side(&old, i, -1, false) == NearGood
            || after == Bad && side(&old, i, 1, false) == NearGood;
        let good = (before, after) == (Good, Good) || (before, after) != (Bad, Bad) && near;
        class[i] = if good { Good } else { Bad };
    }
    for i in 0..class.len() {
        if class[i] == NearGood {
            let both_bad = side(&class, i, -1, true) == Bad && side(&class, i, 1, true) == Bad;
            class[i] = if both_bad { Bad } else { Good };
        }
    }
    for i in 0..class.len() {
        if blocks[i].heading && class[i] == Bad && alone[i] != Bad {
            let (mut j, mut distance) = (i + 1, 0);
            while j < class.len() && distance <= 200 {
                if class[j] == Good {
                    class[i] = Good;
                    break;
                }
                distance += blocks[j].characters;
                j += 1;
            }
        }
    }
    class
}

proptest! {
    #[test]
    fn only_good_and_bad_remain(blocks in prop::collection::vec(any_block(), 0..30)) {
        for verdict in classify(&blocks, Some(english()), &Params::default()) {
            prop_assert!(matches!(verdict.class, Good | Bad));
            prop_assert_eq!(verdict.is_boilerplate(), verdict.class == Bad);
        }
    }

    #[test]
    fn a_bad_block_at_the_end_changes_nothing_before(blocks in prop::collection::vec(any_block(), 0..30)) {
        let mut more = blocks.clone();
        more.push(bad(80));
        let (before, after) = (final_classes(&blocks), final_classes(&more));
        prop_assert_eq!(&before[..], &after[..blocks.len()]);
    }

    #[test]
    fn linear_and_walking_searches_agree(blocks in prop::collection::vec(any_block(), 0..40)) {
        prop_assert_eq!(final_classes(&blocks), walked(&blocks));
    }
}
