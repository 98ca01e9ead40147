//! The layers of `src/`: imports point one way. The graph is computed from the sources, test modules left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Modules in the order in which a record passes through them. A module may import those above it.
const LAYERS: [&str; 39] = [
    // common ground
    "error",
    "limits",
    "hash",
    "portable_math",
    "key",
    "named",
    "order",
    "nearest",
    "threads",
    "process",
    // a record on its way
    "archive",
    "text",
    "html",
    "fasttext",
    "language",
    "pii",
    "page",
    "clean",
    "dedup",
    "table",
    "document",
    "figures",
    "pipeline",
    "select",
    "quality",
    "emit",
    "card",
    "remote",
    "store",
    "archive_index",
    "concord",
    "stoplist",
    "stats",
    "tags",
    "compare",
    // the job around it
    "config",
    "stages",
    "job",
    "commands",
];

/// Above all layers: the command line.
const TOP: &str = "cli";

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The module of the crate that a file belongs to; `None` for the root and for files of tests.
fn module(path: &Path, root: &Path) -> Option<String> {
    let relative = path.strip_prefix(root).unwrap();
    let is_test = relative.iter().any(|part| part == "tests" || part == "tests.rs");
    let first = relative.iter().next()?.to_str()?.trim_end_matches(".rs").to_string();
    (!is_test && first != "lib" && first != "main").then_some(first)
}

/// The text up to the first test module, without comments and without declarations of test modules in other files.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let text = text.replace("#[cfg(test)]\nmod tests;\n", "");
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Modules that `crate::…` paths in the code name, groups (`crate::{a::b, c}`) included.
fn imported(code: &str) -> BTreeSet<String> {
    let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut found = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let Some(group) = rest.strip_prefix('{') else {
            found.insert(name(rest));
            continue;
        };
        let (mut depth, mut first) = (1, true);
        for (at, c) in group.char_indices() {
            if first && !c.is_whitespace() {
                found.insert(name(&group[at..]));
                first = false;
            }
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' => first = depth == 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    found
}

/// Module → modules that it imports, and one file that does.
fn graph() -> BTreeMap<String, BTreeMap<String, PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut graph: BTreeMap<String, BTreeMap<String, PathBuf>> = BTreeMap::new();
    for path in files {
        let Some(from) = module(&path, &root) else { continue };
        let edges = graph.entry(from.clone()).or_default();
        for to in imported(&code(&fs::read_to_string(&path).unwrap())) {
            if to != from {
                edges.insert(to, path.clone());
            }
        }
    }
    graph
}

#[test]
fn imports_point_one_way() {
    let layer = |module: &str| LAYERS.iter().chain([&TOP]).position(|layer| *layer == module);
    let mut wrong = Vec::new();
    for (from, imports) in graph() {
        let Some(own) = layer(&from) else {
            wrong.push(format!("src/{from} is in no layer"));
            continue;
        };
        for (to, path) in imports {
            // Macros are exported at the root of the crate.
            if layer(&to).is_some_and(|other| other >= own) {
                wrong.push(format!("{} imports crate::{to}, which is above {from}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The test would pass on an empty graph, or on one read wrongly.
#[test]
fn the_graph_is_that_of_the_sources() {
    let graph = graph();
    assert!(LAYERS.iter().chain([&TOP]).all(|layer| graph.contains_key(*layer)), "a layer has no sources");
    for (from, to) in [("cli", "commands"), ("stages", "config"), ("clean", "page"), ("store", "archive")] {
        assert!(graph[from].contains_key(to), "{from} imports {to}");
    }
    assert_eq!(
        imported("use crate::{a::{b, c}, d};\nfn e() { crate::f::g() }"),
        ["a", "d", "f"].map(String::from).into()
    );
    assert_eq!(code("use crate::a;\n// crate::b\n#[cfg(test)]\nmod tests { use crate::c; }"), "use crate::a;");
    let declared =
        "use crate::a;\n#[cfg(test)]\nmod tests;\nuse crate::b;\n#[cfg(test)]\nmod tests {\n    use crate::c;\n}";
    assert_eq!(code(declared), "use crate::a;\nuse crate::b;");
}

/// The names in the first column of the table of modules, in order.
fn listed(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.trim_start_matches("//!").trim_start());
    let rows =
        lines.skip_while(|line| !line.starts_with("| module |")).skip(2).take_while(|line| line.starts_with('|'));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    names.map(|name| name.trim_end_matches(".rs").to_string()).collect()
}

#[test]
fn the_documentation_lists_the_layers_in_their_order() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let layers: Vec<&str> = LAYERS.into_iter().chain([TOP]).collect();
    for file in ["src/lib.rs", "docs/architecture.md"] {
        assert_eq!(listed(&fs::read_to_string(root.join(file)).unwrap()), layers, "{file}");
    }
}

/// Threads are created in one file.
#[test]
fn threads_are_created_in_one_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let creates = ["thread::spawn", "thread::scope", "thread::Builder", "ThreadPoolBuilder", "runtime::Builder"];
    for path in files.iter().filter(|path| module(path, &root).is_some_and(|module| module != "threads")) {
        let code = code(&fs::read_to_string(path).unwrap());
        let found = creates.iter().find(|create| code.contains(*create));
        assert_eq!(found, None, "{} creates a thread; src/threads.rs is the place", path.display());
    }
}
