//! What identifies languages: the table, or the crate lingua, whose models the table was made from, in a program built
//! with the feature `lingua`.

use serde::{Deserialize, Serialize};

pub use lingua::Lingua;

/// What identifies languages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", rename_all = "lowercase")]
pub enum Method {
    /// The table that is part of the program.
    #[default]
    Table,
    /// The crate lingua, 8 to 13 ms a page.
    #[cfg(feature = "lingua")]
    Lingua,
}

impl Method {
    /// Whether this is the default, which is not written into the plans of jobs.
    pub fn is_default(&self) -> bool {
        *self == Method::default()
    }
}

impl TryFrom<String> for Method {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Method, &'static str> {
        match name.as_str() {
            "table" => Ok(Method::Table),
            #[cfg(feature = "lingua")]
            "lingua" => Ok(Method::Lingua),
            #[cfg(not(feature = "lingua"))]
            "lingua" => Err("this program does not contain lingua; build it with the feature, as in \
                             `cargo install --path . --features lingua`"),
            _ => Err("should be \"table\" or \"lingua\""),
        }
    }
}

#[cfg(feature = "lingua")]
mod lingua {
    use std::fmt;

    use ::lingua::{LanguageDetector, LanguageDetectorBuilder};

    use super::super::Language;
    use super::Method;

    /// lingua with all its languages and high accuracy.
    pub struct Lingua(LanguageDetector);

    impl Lingua {
        pub fn of(method: Method) -> Option<Lingua> {
            let all = || Lingua(LanguageDetectorBuilder::from_all_languages().build());
            (method == Method::Lingua).then(all)
        }

        /// lingua's answer and its confidence in it, 0 to 1; none if it has none: no letters, or two languages that
        /// are equally probable.
        pub fn best(&self, text: &str) -> Option<(Language, f64)> {
            let confidences = self.0.compute_language_confidence_values(text);
            let [(language, confidence), (_, second), ..] = confidences.as_slice() else { return None };
            let language = Language::by_code(&language.iso_code_639_3().to_string())?;
            (confidence - second >= f64::EPSILON).then_some((language, *confidence))
        }
    }

    impl fmt::Debug for Lingua {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("Lingua")
        }
    }
}

#[cfg(not(feature = "lingua"))]
mod lingua {
    use super::super::Language;
    use super::Method;

    /// lingua, which this program does not contain.
    #[derive(Debug)]
    pub enum Lingua {}

    impl Lingua {
        pub fn of(_: Method) -> Option<Lingua> {
            None
        }

        pub fn best(&self, _: &str) -> Option<(Language, f64)> {
            match *self {}
        }
    }
}
