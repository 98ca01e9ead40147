//! Decisions by site rules, which win over those of any cleaner.

use crate::page::blocks::RuleMatch;
use crate::page::rules::Rule;

/// Whether a block is boilerplate by the site rule of its page; None if the rule leaves the block to the cleaner.
///
/// A rule with `content` selectors makes everything else boilerplate, unless none of them matched on the page: then the
/// site has changed, and the cleaner decides. `matched` tells for each selector of the rule whether it matched on the
/// page.
pub fn is_boilerplate(rule_match: RuleMatch, rule: &Rule, matched: &[bool]) -> Option<bool> {
    match rule_match {
        RuleMatch::Content => Some(false),
        RuleMatch::Drop => Some(true),
        RuleMatch::None => rule.content_matched(matched).then_some(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::{Options, page_with_rule};
    use crate::page::rules::SiteRules;

    fn decided(keys: &str, html: &str) -> Vec<(String, Option<bool>)> {
        let rules = SiteRules::parse("r", &format!("[[rule]]\nhost = \"a.example\"\n{keys}")).unwrap();
        let rule = rules.iter().next().unwrap();
        let page = page_with_rule(html, &Options::default(), Some(rule));
        page.blocks
            .into_iter()
            .map(|b| (b.text, is_boilerplate(b.rule_match, rule, &page.rule_findings.matched)))
            .collect()
    }

    fn expect(keys: &str, html: &str, expected: &[(&str, Option<bool>)]) {
        let expected: Vec<_> = expected.iter().map(|&(text, verdict)| (text.to_owned(), verdict)).collect();
        assert_eq!(decided(keys, html), expected, "{keys}");
    }

    const PAGE: &str = "<p>a<div class=text><p>b<p class=share>c</div><p>d";

    #[test]
    fn content_makes_the_rest_boilerplate_only_where_it_matched() {
        let both = "content = \".text\"\ndrop = \".share\"";
        expect(both, PAGE, &[("a", Some(true)), ("b", Some(false)), ("c", Some(true)), ("d", Some(true))]);
        let moved = "content = \".other\"\ndrop = \".share\"";
        expect(moved, PAGE, &[("a", None), ("b", None), ("c", Some(true)), ("d", None)]);
    }

    #[test]
    fn drop_or_metadata_alone_leave_the_rest_to_the_cleaner() {
        expect("drop = \".share\"", PAGE, &[("a", None), ("b", None), ("c", Some(true)), ("d", None)]);
        expect("metadata.title = \"p\"", PAGE, &[("a", None), ("b", None), ("c", None), ("d", None)]);
    }
}
