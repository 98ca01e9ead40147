//! Thresholds that do nothing, because the recipe does not have their rules.

use super::{Thresholds, listed};
use crate::nearest::nearest;
use crate::quality::presets::{PRESETS, rules_of, steps_of};

impl Thresholds {
    /// Refuses a threshold of a rule that the recipe `recipe` does not have: it would do nothing. A recipe that is unknown
    /// is not this one's mistake.
    ///
    /// # Errors
    /// Which rule it is, and what is meant perhaps.
    pub fn check_used(&self, recipe: &str) -> Result<(), String> {
        let unused = self.unused(recipe);
        let has_others = self
            .by_language
            .values()
            .any(|own| !own.lists.is_empty() || own.rules.keys().any(|rule| !unused.contains(&rule.as_str())));
        let Some(&name) = unused.first().filter(|_| !has_others) else {
            self.log_unused(recipe);
            return Ok(());
        };
        if recipe.is_empty() {
            let of_rule = PRESETS.iter().find(|(_, steps)| rules_of(&steps()).any(|rule| rule.name == name));
            let preset = of_rule.map_or("fineweb", |(preset, _)| *preset);
            return Err(format!(
                "`{name}` does nothing without quality.recipe; set one that has this rule, such as \"{preset}\""
            ));
        }
        let Some(steps) = steps_of(recipe) else { return Ok(()) };
        let rules: Vec<&str> = rules_of(&steps).map(|rule| rule.name).collect();
        let nearest = nearest(name, rules.iter().copied());
        let rules = rules.join(", ");
        Err(format!("`{recipe}` has no rule `{name}`; the nearest is `{nearest}`, and all are {rules}"))
    }

    /// Names in the log, in one line, rules that have a threshold but are none of the recipe `recipe`. A file may have
    /// thresholds for several recipes.
    pub fn log_unused(&self, recipe: &str) {
        let unused = self.unused(recipe);
        if unused.is_empty() {
            return;
        }
        let why = match recipe {
            "" => "quality.recipe is not set".to_string(),
            _ => format!("{recipe} does not have these rules"),
        };
        tracing::info!("quality.thresholds: without effect, because {why}: {}", listed(&unused));
    }

    /// Names of rules that have a threshold but are none of a recipe, each once.
    fn unused(&self, recipe: &str) -> Vec<&str> {
        let steps = steps_of(recipe).unwrap_or_default();
        let names = self.by_language.values().flat_map(|own| own.rules.keys()).map(String::as_str);
        let mut unused: Vec<&str> = names.filter(|name| rules_of(&steps).all(|rule| rule.name != *name)).collect();
        unused.sort_unstable();
        unused.dedup();
        unused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_without_effect_are_refused() {
        let refused = |text: &str, recipe: &str| Thresholds::parse(text).unwrap().check_used(recipe).unwrap_err();
        let error = refused("gopher_short_doc = 30", "");
        assert!(error.starts_with("`gopher_short_doc` does nothing without quality.recipe"), "{error}");
        assert!(error.ends_with("such as \"gopher\""), "{error}");
        let error = refused("[ces]\ntoo_few_sentences = false", "gopher");
        assert!(error.contains("`gopher` has no rule `too_few_sentences`; the nearest is `"), "{error}");
        assert!(error.contains("gopher_short_doc, gopher_long_doc"), "{error}");
        for (text, recipe) in [
            ("gopher_short_doc = 30", "gopher"),
            ("[ces]\ntop_2_gram = 0.2", "fineweb2"),
            ("too_few_sentences = false", "c4"),
            // Lists and quantiles serve signals and rules of one's own.
            ("[ces]\nstop_words = ['a']", ""),
            ("[quantiles.all]\ndocuments = 7", ""),
            // The recipe is refused.
            ("gopher_short_doc = 30", "gofer"),
            ("", ""),
        ] {
            assert_eq!(Thresholds::parse(text).unwrap().check_used(recipe), Ok(()), "{text} {recipe}");
        }
        let both = Thresholds::parse("gopher_short_doc = 30\n[ces]\ntoo_few_sentences = 2").unwrap();
        assert_eq!(both.unused("gopher"), ["too_few_sentences"]);
    }
}
