//! A rule file and a page: rules are refused with a message or applied, and both tokenisers read the page alike.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warcorpus::page::blocks::{Options, page, page_with_rule};
use warcorpus::page::rules::SiteRules;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (selector, html) = text.split_once('\n').unwrap_or((&text, ""));
    let quoted = toml_string(selector);
    let rules = format!("[[rule]]\nhost = \"a.example\"\ncontent = [{quoted}]\nremove = [{quoted}]\n");
    let Ok(rules) = SiteRules::parse("fuzz", &rules) else { return };
    let Some(rule) = rules.iter().next() else { return };
    let plain = page(html, &Options::default());
    let ruled = page_with_rule(html, &Options::default(), Some(rule));
    // A rule may divide blocks, but neither adds text nor takes it away.
    let text = |page: &warcorpus::page::blocks::Page<'_>| -> String {
        page.blocks.iter().flat_map(|block| block.text.chars()).filter(|c| !c.is_whitespace()).collect()
    };
    assert_eq!(text(&plain), text(&ruled));
});

fn toml_string(text: &str) -> String {
    let escaped: String = text.chars().flat_map(|c| format!("\\U{:08x}", c as u32).into_bytes()).map(char::from).collect();
    format!("\"{escaped}\"")
}
