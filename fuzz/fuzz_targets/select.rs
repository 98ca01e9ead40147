//! Any text as an expression and as lines of an index: no panic, and what is printed reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warcorpus::select::cdx;
use warcorpus::select::expression::Expression;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (first, lines) = text.split_once('\n').unwrap_or((&text, ""));
    let filter = Expression::parse(first).ok();
    if let Some(filter) = &filter {
        assert_eq!(Expression::parse(&filter.to_string()).as_ref(), Ok(filter));
    }
    let bound = filter.and_then(|filter| filter.bind(&cdx::columns()).ok());
    let mut parser = cdx::CdxParser::default();
    for line in lines.lines() {
        if let (Ok(Some(line)), Some(bound)) = (parser.parse(line), &bound) {
            bound.matches(|column| line.value(column));
            line.location();
        }
    }
});
