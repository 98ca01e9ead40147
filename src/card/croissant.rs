//! Croissant 1.1: the corpus, its files and their columns as JSON-LD.
//! Reference: docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html.

use serde_json::{Map, Value, json};

use super::Card;
use super::columns::{Column, Kind};

/// The file set and the record set of the documents.
const FILES: &str = "files";
const RECORDS: &str = "documents";

/// Addresses of the licences that corpora often have, by the identifiers of Hugging Face.
const LICENSES: [(&str, &str); 10] = [
    ("apache-2.0", "https://www.apache.org/licenses/LICENSE-2.0"),
    ("cc-by-4.0", "https://creativecommons.org/licenses/by/4.0/"),
    ("cc-by-nc-4.0", "https://creativecommons.org/licenses/by-nc/4.0/"),
    ("cc-by-nc-sa-4.0", "https://creativecommons.org/licenses/by-nc-sa/4.0/"),
    ("cc-by-sa-3.0", "https://creativecommons.org/licenses/by-sa/3.0/"),
    ("cc-by-sa-4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
    ("cc0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    ("mit", "https://opensource.org/license/mit"),
    ("odbl", "https://opendatacommons.org/licenses/odbl/1-0/"),
    ("odc-by", "https://opendatacommons.org/licenses/by/1-0/"),
];

/// The text of `croissant.json`.
pub fn croissant(card: &Card) -> String {
    let mut object = json!({
        "@context": context(),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": card.name,
        "description": card.summary(),
        "license": license(card.license.as_deref()),
        "version": card.release,
        "citeAs": format!("{}, version {}. Made with warcorpus {}.", card.name, card.release, card.program),
        "distribution": distribution(card),
        "recordSet": [{
            "@type": "cr:RecordSet",
            "@id": RECORDS,
            "name": RECORDS,
            "description": "One record per document.",
            "field": fields(card),
        }],
    });
    let given = [("url", &card.url), ("datePublished", &card.date)];
    for (key, value) in given.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?))) {
        put(&mut object, key, json!(value));
    }
    responsible_ai(card).into_iter().for_each(|(key, value)| put(&mut object, key, value));
    format!("{object:#}\n")
}

/// What the vocabulary Croissant RAI 1.0 asks, as far as the job tells it.
fn responsible_ai(card: &Card) -> [(&'static str, Value); 4] {
    let made = &card.made;
    let collection = format!(
        "{} records of {} web archives were read; {} became documents, and {} of these are kept.",
        made.records,
        made.archive_files,
        made.pages,
        card.kept()
    );
    let settings: Vec<String> = made.settings.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    let finds = made.pii.iter().map(|reason| format!("{}: {} finds", reason.name, reason.count));
    let personal: Vec<String> = [card.personal_data()].into_iter().chain(finds).collect();
    [
        ("rai:dataCollection", json!(collection)),
        ("rai:dataCollectionType", json!(["Web Scraping"])),
        ("rai:dataPreprocessingProtocol", json!(settings)),
        ("rai:personalSensitiveInformation", json!(personal)),
    ]
}

fn license(license: Option<&str>) -> &str {
    let Some(license) = license else { return "unknown" };
    LICENSES.iter().find(|(name, _)| *name == license).map_or(license, |(_, address)| address)
}

/// The context of the specification.
fn context() -> Value {
    let mut context = Map::new();
    let mut put = |key: &str, value: Value| drop(context.insert(key.into(), value));
    put("@language", json!("en"));
    put("@vocab", json!("https://schema.org/"));
    put("cr", json!("http://mlcommons.org/croissant/"));
    put("rai", json!("http://mlcommons.org/croissant/RAI/"));
    put("dct", json!("http://purl.org/dc/terms/"));
    put("sc", json!("https://schema.org/"));
    put("conformsTo", json!("dct:conformsTo"));
    put("data", json!({"@id": "cr:data", "@type": "@json"}));
    put("dataType", json!({"@id": "cr:dataType", "@type": "@vocab"}));
    put("examples", json!({"@id": "cr:examples", "@type": "@json"}));
    ["name", "description"].iter().for_each(|key| put(key, json!({"@container": "@language"})));
    for key in [
        "arrayShape",
        "citeAs",
        "column",
        "containedIn",
        "equivalentProperty",
        "extract",
        "field",
        "fileObject",
        "fileProperty",
        "fileSet",
        "format",
        "includes",
        "isArray",
        "isLiveDataset",
        "jsonPath",
        "key",
        "md5",
        "parentField",
        "path",
        "recordSet",
        "references",
        "regex",
        "repeated",
        "replace",
        "samplingRate",
        "separator",
        "source",
        "subField",
        "transform",
    ] {
        put(key, json!(format!("cr:{key}")));
    }
    Value::Object(context)
}

/// Every file, and the set of them.
fn distribution(card: &Card) -> Vec<Value> {
    let media_types = card.files.kind.media_types();
    let file = |file: &super::DataFile| {
        json!({
            "@type": "cr:FileObject",
            "@id": file.path,
            "name": file.path,
            "contentUrl": file.path,
            "contentSize": format!("{} B", file.bytes),
            "encodingFormat": media_types,
            "sha256": file.sha256,
        })
    };
    let set = json!({
        "@type": "cr:FileSet",
        "@id": FILES,
        "name": FILES,
        "description": "All files of documents, in corpus order.",
        "encodingFormat": media_types,
        "includes": card.files.kind.glob(),
    });
    card.files.files.iter().map(file).chain([set]).collect()
}

fn fields(card: &Card) -> Vec<Value> {
    let mut all = Vec::new();
    for column in &card.files.columns {
        match &column.kind {
            // Fields of an object have the path in it.
            Kind::Fields(inner) => all.extend(inner.iter().filter_map(|field| self::field(field, Some(&column.name)))),
            _ => all.extend(field(column, None)),
        }
    }
    all
}

/// A field of a column, or of an object in the column `outer`. None for an object in an object.
fn field(column: &Column, outer: Option<&str>) -> Option<Value> {
    let data_type = match &column.kind {
        Kind::Text | Kind::Texts => "sc:Text",
        Kind::Bool => "sc:Boolean",
        Kind::Integer("uint16") => "cr:UInt16",
        Kind::Integer("uint32") => "cr:UInt32",
        Kind::Integer("uint64") => "cr:UInt64",
        Kind::Integer(_) => "cr:Int64",
        Kind::Float("float32") | Kind::Numbers("float32") => "cr:Float32",
        Kind::Float(_) | Kind::Numbers(_) | Kind::Unknown => "cr:Float64",
        Kind::Date => "sc:Date",
        Kind::Time => "sc:DateTime",
        Kind::Fields(_) => return None,
    };
    let name = outer.map_or(column.name.clone(), |outer| format!("{outer}.{}", column.name));
    let mut source = json!({"fileSet": {"@id": FILES}, "extract": {"column": outer.unwrap_or(&column.name)}});
    if outer.is_some() {
        put(&mut source, "transform", json!({"jsonPath": format!("$.{}", column.name)}));
    }
    let mut field = json!({
        "@type": "cr:Field", "@id": format!("{RECORDS}/{name}"), "name": name, "dataType": data_type, "source": source,
    });
    if !column.description.is_empty() {
        put(&mut field, "description", json!(column.description));
    }
    if matches!(column.kind, Kind::Texts | Kind::Numbers(_)) {
        put(&mut field, "isArray", json!(true));
        put(&mut field, "arrayShape", json!("-1"));
    }
    Some(field)
}

fn put(object: &mut Value, key: &str, value: Value) {
    object.as_object_mut().into_iter().for_each(|object| drop(object.insert(key.into(), value.clone())));
}
