//! Checks the values of a configuration against their ranges.

use super::{Action, Config, ConfigError, PiiMode};
use crate::clean::stoplist::Stoplist;
use crate::emit::conllu::AnnotationColumns;
use crate::emit::model_tokens::{NOT_BUILT_IN, is_stored};
use crate::emit::{OutputFormat, conllu, label_names, parquet, vertical};
use crate::nearest::nearest;
use crate::quality::signals::group_of;
use crate::stoplist::file::is_path;

type Checked = Result<(), ConfigError>;

/// Letters of the longest name of a corpus. Names of files begin with it, and a file system takes 255 bytes.
const LONGEST_NAME: usize = 200;
/// Robots directives that `robots.respect` may list.
const DIRECTIVES: [&str; 11] = [
    "noindex",
    "nofollow",
    "none",
    "noarchive",
    "nocache",
    "nosnippet",
    "noimageindex",
    "notranslate",
    "noai",
    "noimageai",
    "tdm-reservation",
];

/// Most bytes that stand in place of a line end.
const LONGEST_NEWLINE: usize = 16;

/// Most bytes, and most of anything counted, of a record or its page: places in them are numbers of 32 bits.
const MOST_OF_A_RECORD: u64 = u32::MAX as u64;

/// Least bytes of text of a file.
const LEAST_SHARD_BYTES: u64 = 1 << 16;

impl Config {
    pub(super) fn validate(&self) -> Checked {
        self.validate_text()?;
        self.validate_near()?;
        self.validate_sites_and_overlap()?;
        self.validate_output()?;
        self.validate_limits()?;
        self.validate_models()?;
        // Files of thresholds are read when the job is planned.
        if self.quality.thresholds.iter().all(|thresholds| thresholds.contains('=')) {
            self.recipe()?;
        }
        let index = !self.select.index.is_empty() || self.select.filter.is_empty();
        check(
            "select.where",
            &self.select.filter,
            index,
            "needs an index to apply the expression to: set select.index, or --select",
        )?;
        let shard = self.plan.shard_bytes;
        check("plan.shard_bytes", shard, shard == 0 || shard >= 1024, "must be 0 or at least 1024")
    }

    /// Refuses columns of a tagger in formats of a corpus that has none: all their values would be empty. Not part of
    /// [`Config::load`], so that a corpus that was built in this way can be read.
    ///
    /// # Errors
    /// `ConfigError` with the first of these columns.
    pub fn check_tagged_columns(&self, formats: &[OutputFormat]) -> Result<(), ConfigError> {
        let columns = &self.vertical.columns;
        let of_tagger = columns.iter().find(|column| self.emit.tagger_columns.contains(column));
        let has_columns = formats.iter().any(|format| format.name == vertical::FORMAT.name);
        let Some(column) = of_tagger.filter(|_| has_columns && self.emit.tagger.is_empty()) else { return Ok(()) };
        let want = format!("the corpus is not tagged, so that `{column}` would be empty; see emit.tagger");
        check("vertical.columns", columns.join(","), false, &want)
    }

    /// Why the formats show nothing of what the tagger adds; `None` if one of them does, or there is no tagger.
    pub fn hidden_tags(&self, formats: &[OutputFormat]) -> Option<String> {
        let tags = &self.emit.tagger_columns;
        let of_vertical = || self.vertical.columns.iter().any(|column| tags.contains(column));
        let are_shown = formats.contains(&vertical::FORMAT) && of_vertical()
            || formats.contains(&conllu::FORMAT) && AnnotationColumns::new(tags).has_any();
        let columns = tags.join(",");
        (!are_shown && !self.emit.tagger.is_empty()).then(|| {
            format!(
                "no format that is written has the columns of emit.tagger; with vertical, add --set \
                 vertical.columns=word,{columns}"
            )
        })
    }

    /// Refuses settings that promise what nothing of the job does, or that contradict each other: texts would be published
    /// unmasked, or unfiltered. Not part of [`Config::load`], so that a corpus that was built in this way can be read.
    ///
    /// # Errors
    /// `ConfigError` with the first of these settings.
    pub fn check_effects(&self) -> Result<(), ConfigError> {
        let masks = self.pii.mode != PiiMode::Mask || !self.pii.kinds.is_empty();
        check(
            "pii.mode",
            "mask",
            masks,
            "needs pii.kinds, such as [\"email\", \"ip\", \"iban\", \"phone\", \"card\"]; without it nothing is masked",
        )?;
        let quality = &self.quality;
        let model = quality.model.iter().any(|model| model.threshold.is_some());
        let judges = model || !quality.recipe.is_empty() || !quality.rules.is_empty();
        check(
            "quality.action",
            "drop",
            judges || quality.action != Action::Drop,
            "needs quality.recipe, quality.rules or a quality.model with a threshold; without them nothing is dropped",
        )?;
        self.check_contradictions()
    }

    fn check_contradictions(&self) -> Checked {
        check(
            "near.action",
            "mark",
            self.near.action != Action::Mark || !self.containment.drop,
            "cannot be used together with containment.drop = true, which drops representatives whose marked duplicates \
             stay; set near.action = \"drop\" or containment.drop = false",
        )?;
        let sites = &self.sites.rules;
        let (short, long) = (sites.length_low, sites.length_high);
        let want = format!("must be at most sites.length_high = {long}: a short block would be a long one, too");
        check("sites.length_low", short, short <= long, &want)?;
        let (short, long) = (sites.share_short, sites.share_long);
        let want =
            format!("must be at most sites.share_long = {long}: a short block is a template from a smaller share on");
        check("sites.share_short", short, short <= long, &want)
    }

    fn validate_models(&self) -> Checked {
        let is_table = self.language.model.is_empty() || self.language.identification.identifier.is_default();
        check("language.model", &self.language.model, is_table, "cannot be used together with language.identifier")?;
        let models = &self.quality.model;
        for (place, model) in models.iter().enumerate() {
            check("quality.model.name", &model.name, label_names::is_free(&model.name), label_names::WANTED)?;
            let other = models.iter().take(place).all(|earlier| earlier.name != model.name);
            check("quality.model.name", &model.name, other, "is there twice")?;
            let joined = self.labels.iter().all(|label| label.name != model.name);
            check("quality.model.name", &model.name, joined, "must differ from the columns that `annotate` joined")?;
            let threshold = model.threshold.unwrap_or_default();
            check("quality.model.threshold", threshold, (0.0..=1.0).contains(&threshold), "must be 0 to 1")?;
            let newline = !model.newline.contains('\n') && model.newline.len() <= LONGEST_NEWLINE;
            check(
                "quality.model.newline",
                format!("{:?}", model.newline),
                newline,
                "must be at most 16 bytes of one line",
            )?;
        }
        Ok(())
    }

    fn validate_limits(&self) -> Checked {
        let limits = &self.limits;
        for (key, number, least) in [
            ("limits.record_bytes", limits.record_bytes, 1024),
            ("limits.header_bytes", limits.header_bytes as u64, 1024),
            ("limits.header_fields", limits.header_fields as u64, 10),
            ("limits.payload_bytes", limits.payload_bytes as u64, 0),
            ("limits.blocks", limits.blocks as u64, 1),
            ("limits.containers", limits.containers as u64, 0),
            ("limits.block_bytes", limits.block_bytes as u64, 1024),
            ("limits.text_bytes", limits.text_bytes as u64, 1024),
        ] {
            let want = format!("must be {least} to {MOST_OF_A_RECORD}");
            check(key, number, (least..=MOST_OF_A_RECORD).contains(&number), &want)?;
        }
        Ok(())
    }

    fn validate_near(&self) -> Checked {
        let near = &self.near;
        check("near.threshold", near.threshold, (0.05..=1.0).contains(&near.threshold), "must be 0.05 to 1")?;
        check("near.recall", near.recall, (0.0..1.0).contains(&near.recall), "must be at least 0, below 1")?;
        check("near.shingle", near.shingle, (1..=50).contains(&near.shingle), "must be 1 to 50 words")?;
        check("near.permutations", near.permutations, (1..=1024).contains(&near.permutations), "must be 1 to 1024")?;
        let both = (near.bands == 0) == (near.rows == 0);
        let (key, set) = if near.bands == 0 { ("near.rows", near.rows) } else { ("near.bands", near.bands) };
        check(key, set, both, "set both near.bands and near.rows, or neither")?;
        let minima = near.bands.saturating_mul(near.rows);
        check("near.rows", near.rows, minima <= 4096, "near.bands × near.rows must be at most 4096")?;
        check("near.max_star", near.max_star, (0.0..=1.0).contains(&near.max_star), "must be 0 to 1")?;
        let containment = &self.containment;
        let threshold = (0.05..=1.0).contains(&containment.threshold);
        check("containment.threshold", containment.threshold, threshold, "must be 0.05 to 1")?;
        let drops = !containment.drop || containment.enabled && near.enabled;
        check("containment.drop", containment.drop, drops, "needs containment.enabled and near.enabled")?;
        check("containment.scale", containment.scale, containment.scale >= 1, "must be at least 1")
    }

    fn validate_sites_and_overlap(&self) -> Checked {
        let sites = &self.sites.rules;
        for (key, share) in [
            ("sites.share_short", sites.share_short),
            ("sites.share_medium", sites.share_medium),
            ("sites.share_long", sites.share_long),
        ] {
            check(key, share, (0.0..=1.0).contains(&share), "must be 0 to 1")?;
        }
        let overlap = &self.overlap;
        check("overlap.ngram", overlap.ngram, (1..=50).contains(&overlap.ngram), "must be 1 to 50 words")?;
        check("overlap.threshold", overlap.threshold, (0.0..=1.0).contains(&overlap.threshold), "must be 0 to 1")
    }

    fn validate_text(&self) -> Checked {
        let language = &self.language.identification;
        let confidence = (0.0..=1.0).contains(&language.min_confidence);
        check("language.min_confidence", language.min_confidence, confidence, "must be 0 to 1")?;
        check(
            "language.document_sample",
            language.document_sample,
            language.document_sample >= 20,
            "must be at least 20",
        )?;
        check(
            "language.paragraph_sample",
            language.paragraph_sample,
            language.paragraph_sample >= 20,
            "must be at least 20",
        )?;
        for directive in &self.robots.respect {
            check_is_one_of("robots.respect", directive, DIRECTIVES, "directive")?;
        }
        let justext = &self.clean.justext;
        for (key, share) in [
            ("clean.max_link_density", justext.max_link_density),
            ("clean.stopwords_low", justext.stopwords_low),
            ("clean.stopwords_high", justext.stopwords_high),
        ] {
            check(key, share, (0.0..=1.0).contains(&share), "must be 0 to 1")?;
        }
        let compat = !self.clean.compat || self.clean.cleaner.has_compat();
        check("clean.compat", self.clean.compat, compat, "needs clean.cleaner = \"justext\"")?;
        if !["auto", "own", "all", "none"].contains(&self.clean.stoplist.as_str())
            && Stoplist::by_name(&self.clean.stoplist).is_none()
            && !is_path(&self.clean.stoplist)
        {
            check_is_one_of("clean.stoplist", &self.clean.stoplist, Stoplist::names(), "list")?;
        }
        Ok(())
    }

    fn validate_output(&self) -> Checked {
        let output = &self.output;
        let mut chars = output.name.chars();
        let length = output.name.len() <= LONGEST_NAME;
        check(
            "output.name",
            &output.name,
            length,
            &format!("must have {LONGEST_NAME} letters at most: files are named after it"),
        )?;
        let name = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
        check(
            "output.name",
            &output.name,
            name,
            "must be ASCII letters, digits and _, not a digit first (Manatee's rule)",
        )?;
        check("output.zstd_level", output.zstd_level, (1..=22).contains(&output.zstd_level), "must be 1 to 22")?;
        check("output.gzip_level", output.gzip_level, (0..=12).contains(&output.gzip_level), "must be 0 to 12")?;
        check("output.row_group_rows", output.row_group_rows, output.row_group_rows >= 1, "must be at least 1")?;
        let shard_bytes = output.shard_bytes == 0 || output.shard_bytes >= LEAST_SHARD_BYTES;
        check("output.shard_bytes", output.shard_bytes, shard_bytes, "must be 0, or at least 65536")?;
        // A finished corpus is read without its tokenizer.
        let tokenizer = output.tokenizer.is_empty() || cfg!(feature = "tokenizers") || is_stored(&output.tokenizer);
        check("output.tokenizer", &output.tokenizer, tokenizer, NOT_BUILT_IN)?;
        self.validate_texts()?;
        self.validate_columns()
    }

    /// The columns of the format `parquet`.
    fn validate_texts(&self) -> Checked {
        let columns = &self.parquet.columns;
        let labels = self.label_columns();
        let mut known: Vec<&str> = labels.iter().map(|label| label.name.as_str()).collect();
        parquet::column_names().for_each(|name| known.push(name));
        let measured = self.recipe().map(|recipe| recipe.groups().to_vec()).unwrap_or_default();
        for (place, column) in columns.iter().enumerate() {
            check_is_one_of("parquet.columns", column, known.iter().copied(), "column")?;
            if let Some(group) = group_of(column).filter(|_| parquet::is_signal(column)) {
                let want = format!("is of a group that is not measured; add {} to quality.signals", group.name());
                check("parquet.columns", column, measured.contains(&group), &want)?;
            }
            let is_counted = column != parquet::TOKEN_COUNT || !self.output.tokenizer.is_empty();
            check("parquet.columns", column, is_counted, "is not counted; set output.tokenizer")?;
            check("parquet.columns", column, !columns.iter().take(place).any(|one| one == column), "is there twice")?;
        }
        check("parquet.columns", "[]", !columns.is_empty(), "must name a column")
    }

    /// Columns become attributes of a Manatee registry, so their names follow its rules.
    fn validate_columns(&self) -> Checked {
        let is_name = |name: &String| {
            name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.len() < 80
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let differ =
            |names: &[String]| names.iter().enumerate().all(|(i, name)| !names.iter().take(i).any(|n| n == name));
        let (columns, tagger) = (&self.vertical.columns, &self.emit.tagger_columns);
        let first = columns.first().is_some_and(|first| first == "word");
        let sound = first && columns.iter().all(is_name) && differ(columns);
        check(
            "vertical.columns",
            columns.join(","),
            sound,
            "must be word first, then other lower-case names, each once",
        )?;
        let own = |name: &String| is_name(name) && name != "word" && name != "lc";
        let sound = !tagger.is_empty() && tagger.iter().all(own) && differ(tagger);
        check("emit.tagger_columns", tagger.join(","), sound, "must be lower-case names, each once, not word or lc")?;
        for column in columns {
            let all = ["word", "lc"].into_iter().chain(tagger.iter().map(String::as_str));
            check_is_one_of("vertical.columns", column, all, "column")?;
        }
        // They stand between quotes in a line of the registry.
        for (key, value) in [("maintainer", &self.vertical.maintainer), ("info_url", &self.vertical.info_url)] {
            let sound = !value.contains(|c: char| c == '"' || c.is_control());
            check(&format!("vertical.{key}"), value, sound, "must be without quotes and line ends")?;
        }
        check("emit.tagger_seconds", self.emit.tagger_seconds, self.emit.tagger_seconds >= 1, "must be at least 1")
    }
}

/// An error that names the key, its value and the valid values `want`, unless `ok`.
fn check(key: &str, got: impl std::fmt::Display, ok: bool, want: &str) -> Checked {
    if ok {
        return Ok(());
    }
    Err(ConfigError::OutOfRange { key: key.into(), got: got.to_string(), want: want.to_string() })
}

/// An error that names the key, its value and the most similar of the valid values, unless it is one of them.
fn check_is_one_of<'a>(
    key: &str,
    got: &str,
    all: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
    noun: &str,
) -> Checked {
    let all = all.into_iter();
    if all.clone().any(|known| known == got) {
        return Ok(());
    }
    check(key, got, false, &format!("no such {noun}; the nearest is \"{}\"", nearest(got, all)))
}

#[cfg(test)]
mod tests;
