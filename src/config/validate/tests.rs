use super::*;

#[test]
fn limits_have_least_and_most_values() {
    let refused = |set: String| Config::load(None, &[set]).map(drop).map_err(|error| error.to_string());
    for (key, least) in [
        ("record_bytes", 1024),
        ("header_bytes", 1024),
        ("payload_bytes", 0),
        ("block_bytes", 1024),
        ("text_bytes", 1024),
        ("header_fields", 10),
        ("blocks", 1),
        ("containers", 0u64),
    ] {
        for fine in [least, u32::MAX.into()] {
            assert_eq!(refused(format!("limits.{key}={fine}")), Ok(()));
        }
        let wrong = [least.checked_sub(1), Some(1 << 32), Some(600_000_000_000_000_000)];
        for wrong in wrong.into_iter().flatten() {
            let error = refused(format!("limits.{key}={wrong}")).unwrap_err();
            assert!(error.contains(&format!("limits.{key}")) && error.contains(&wrong.to_string()), "{error}");
        }
    }
}

#[test]
fn masking_needs_kinds_and_dropping_needs_rules() {
    let checked = |job: &str| {
        let config = Config::load(Some(("my.toml", job)), &[]).unwrap();
        config.check_effects().map_err(|error| error.to_string())
    };
    let error = checked("[pii]\nmode = \"mask\"").unwrap_err();
    assert!(error.starts_with("`pii.mode` = mask: needs pii.kinds"), "{error}");
    let model = "[[quality.model]]\nname = \"edu\"\npath = \"m.bin\"\nlabel = \"hq\"\n";
    let drop = "[quality]\naction = \"drop\"\n";
    for job in [drop.to_string(), format!("{drop}signals = [\"basic\"]"), format!("{drop}{model}")] {
        let error = checked(&job).unwrap_err();
        assert!(error.starts_with("`quality.action` = drop: needs quality.recipe"), "{error}");
    }
    for job in [
        String::new(),
        "[pii]\nmode = \"mask\"\nkinds = [\"email\"]".to_string(),
        format!("{drop}recipe = \"gopher\""),
        format!("{drop}rules = [\"n_words >= 50\"]"),
        format!("{drop}{model}threshold = 0.5"),
        "[quality]\nsignals = [\"basic\"]".to_string(),
    ] {
        assert_eq!(checked(&job), Ok(()), "{job}");
    }
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let checked = |sets: &[&str]| {
        let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
        Config::load(None, &sets).unwrap().check_effects().map_err(|error| error.to_string())
    };
    let (mark, contained) = ("near.action=mark", "containment.drop=true");
    let error = checked(&[mark, contained]).unwrap_err();
    assert!(error.starts_with("`near.action` = mark: cannot be used together with containment.drop"), "{error}");
    for (set, want) in [
        ("sites.length_low=201", "`sites.length_low` = 201: must be at most sites.length_high = 200"),
        ("sites.share_short=0.51", "`sites.share_short` = 0.51: must be at most sites.share_long = 0.5"),
    ] {
        let error = checked(&[set]).unwrap_err();
        assert!(error.starts_with(want), "{error}");
    }
    for sets in [&[mark][..], &[contained], &["sites.length_low=200", "sites.share_short=0.5"]] {
        assert_eq!(checked(sets), Ok(()), "{sets:?}");
    }
}

#[test]
fn columns_of_a_tagger_need_one() {
    let checked = |sets: &[&str]| {
        let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
        let config = Config::load(None, &sets).unwrap();
        config.check_tagged_columns(&config.output.formats).map_err(|error| error.to_string())
    };
    let (columns, tagger) = ("vertical.columns=word,lc,lemma", "emit.tagger=cat");
    let error = checked(&[columns, "output.formats=text,vertical"]).unwrap_err();
    assert!(error.contains("`lemma` would be empty; see emit.tagger"), "{error}");
    for sets in [
        &[columns, "output.formats=text,vertical", tagger][..],
        &[columns, "output.formats=text"],
        &["vertical.columns=word,lc", "output.formats=vertical"],
    ] {
        assert_eq!(checked(sets), Ok(()), "{sets:?}");
    }
}

#[test]
fn tags_that_no_format_shows_are_told() {
    let hidden = |sets: &[&str]| {
        let sets: Vec<String> = ["emit.tagger=cat"].iter().chain(sets).map(|set| set.to_string()).collect();
        let config = Config::load(None, &sets).unwrap();
        config.hidden_tags(&config.output.formats).is_some()
    };
    let columns = "vertical.columns=word,lemma";
    for sets in
        [&[][..], &["output.formats=text,jsonl", columns], &["output.formats=conllu", "emit.tagger_columns=sense"]]
    {
        assert!(hidden(sets), "{sets:?}");
    }
    for sets in [&[columns][..], &["output.formats=text,conllu"], &["emit.tagger="]] {
        assert!(!hidden(sets), "{sets:?}");
    }
}
