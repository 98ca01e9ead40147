use proptest::prelude::*;

use super::*;
use crate::stoplist::sample::{FormSampler, MIN_CHARACTERS};

fn ranked(forms: &[(&str, u64)]) -> Vec<FormFrequency> {
    let row = |(form, count): &(&str, u64)| FormFrequency { count: *count, form: Reverse((*form).into()) };
    forms.iter().map(row).collect()
}

#[test]
fn the_shortest_beginning_that_covers_the_share() {
    let forms = ranked(&[("the", 40), ("–", 10), ("of,", 6), ("1990", 4), ("A", 2)]);
    let cut = |share, most| cut(&forms, 100, share, most).iter().map(|form| &*form.form.0).collect::<Vec<_>>();
    assert_eq!(cut(0.40, 9), ["the"]);
    // 40 + 10 cover half: what is dropped has counted.
    assert_eq!(cut(0.50, 9), ["the"]);
    assert_eq!(cut(0.51, 9), ["the", "of,"]);
    assert_eq!(cut(0.61, 9), ["the", "of,", "A"]);
    assert_eq!(cut(1.0, 2), ["the", "of,"]);
    assert!(cut(0.0, 9).is_empty());
}

#[test]
fn the_share_is_raised_until_good_text_is_dense_enough() {
    let forms = ranked(&[("a", 50), ("b", 5), ("c", 5), ("d", 5)]);
    // Of 100 words each: 30, 32 and 34 in the list by 50, 55 and 60 %.
    let text = format!("{}{}{}{}", "a ".repeat(30), "B ".repeat(2), "c ".repeat(2), "x ".repeat(66));
    let made = |held_out: &[String], length| choose(&forms, 100, held_out, length);
    let held_out = vec![text.clone(); 40];
    let recipe = made(&held_out, ListLength::Recipe);
    assert_eq!((recipe.forms.join(" "), recipe.density, recipe.covered), ("a b".into(), Some(0.32), 0.55));
    let few = Warning::FewHeldOut { paragraphs: 40 };
    assert_eq!(recipe.warnings, [Warning::FewWords { words: 100 }, Warning::FewForms { forms: 2 }, few]);
    assert_eq!(made(&held_out, ListLength::Share(0.5)).warnings.last(), Some(&Warning::LowDensity { density: 0.3 }));
    assert_eq!(made(&held_out, ListLength::Forms(3)).forms.join(" "), "a b c");
    assert_eq!(made(&[], ListLength::Recipe).forms, ["a"]);
    // One in twenty is thin, then fewer.
    let mut mixed = held_out;
    mixed[..2].iter_mut().for_each(|text| *text = "x".into());
    assert_eq!(made(&mixed, ListLength::Recipe).density, Some(0.0));
    mixed[1] = text;
    mixed.push(mixed[2].clone());
    assert_eq!(made(&mixed, ListLength::Recipe).density, Some(0.32));
}

fn made(paragraphs: &[String], memory: usize, workers: usize) -> GeneratedList {
    let folder = tempfile::tempdir().unwrap();
    let worker = |first: usize| {
        let mut sampler = FormSampler::new(folder.path(), memory);
        paragraphs.iter().skip(first).step_by(workers).for_each(|text| sampler.paragraph(text).unwrap());
        sampler.finish().unwrap()
    };
    let mut sample = worker(0);
    (1..workers).for_each(|first| sample.merge(worker(first)));
    make(sample, ListLength::Recipe).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn order_memory_and_workers_make_no_difference(
        (paragraphs, shuffled) in prop::collection::vec("[a-c]{1,2}( [a-dA,]{1,3}){0,120}", 0..300)
            .prop_flat_map(|p| (Just(p.clone()), Just(p).prop_shuffle())),
        workers in 1usize..4,
    ) {
        prop_assert_eq!(made(&paragraphs, 1 << 20, 1), made(&shuffled, 0, workers));
    }
}

#[test]
fn paragraphs_held_out_are_not_counted() {
    let folder = tempfile::tempdir().unwrap();
    let mut sampler = FormSampler::new(folder.path(), 1 << 20);
    let long = |n: usize| format!("{n} {}", "slovo ".repeat(MIN_CHARACTERS / 6));
    let (mut words, lines) = (0, (0..1000).map(long).collect::<Vec<_>>().join("\n"));
    sampler.lines(lines.as_bytes()).unwrap();
    let sample = sampler.finish().unwrap();
    words += sample.words + sample.held_out.len() as u64 * 34;
    assert_eq!(words, 34_000);
    assert!((5..40).contains(&sample.held_out.len()), "{}", sample.held_out.len());
    let mut bad = FormSampler::new(folder.path(), 1 << 20);
    assert!(bad.lines(b"ok\n\xff\n".as_slice()).unwrap_err().to_string().starts_with("line 2: "));
}

#[test]
fn any_number_of_workers_holds_out_the_same_hundred_paragraphs() {
    let folder = tempfile::tempdir().unwrap();
    let sample = |first: usize, step: usize| {
        let mut sampler = FormSampler::new(folder.path(), 1 << 20);
        let numbers = (first..9000).step_by(step);
        numbers.for_each(|n| sampler.paragraph(&format!("{n:0>width$}", width = MIN_CHARACTERS)).unwrap());
        sampler.finish().unwrap()
    };
    let (one, mut two) = (sample(0, 1), sample(0, 2));
    assert_eq!((one.held_out.len(), two.held_out.len()), (MAX_HELD_OUT, 88));
    two.merge(sample(1, 2));
    assert_eq!(two.held_out, one.held_out);
    assert_eq!(two.words, one.words);
}

#[test]
fn lists_have_one_form_a_line() {
    let mut out = Vec::new();
    write_list(&["a".into(), "(The".into()], &mut out).unwrap();
    assert_eq!(out, b"a\n(The\n");
}
