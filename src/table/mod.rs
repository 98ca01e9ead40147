//! Rows of tables ↔ Arrow columns. A struct declared with [`table_row!`] is the only definition of its
//! table: names, order and types of the columns are those of its fields. Nothing here opens a file.

mod column;

use std::collections::BTreeMap;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::DataType;

pub(crate) use column::codes;
pub use column::{Code, Column};

/// Rows, or the name of the first column that is missing, has another type or holds a value that its field cannot
/// take.
pub type Rows<T> = Result<Vec<T>, &'static str>;

/// A file of `schemas/`: the version of a table and the descriptions of its columns.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct SchemaFile {
    pub version: u32,
    pub columns: BTreeMap<String, String>,
}

impl SchemaFile {
    /// Parses a file that is part of the program.
    pub fn parse(text: &str) -> SchemaFile {
        toml::from_str(text).expect("schemas/ parse; a test reads them")
    }
}

/// A row type with its table. Implemented by [`table_row!`].
pub trait Table: Default {
    /// Name of the table.
    const NAME: &'static str;
    /// Text of `schemas/NAME.toml`.
    const SCHEMA: &'static str;
    /// What [`Table::SCHEMA`] says, parsed once.
    fn described() -> &'static SchemaFile;
    /// Name and type of each column, and whether it holds nulls, in order.
    fn columns() -> Vec<(&'static str, DataType, bool)>;
    /// One array for each column whose name is wanted, in order. Its type is that of the column, or a dictionary of that type.
    fn arrays(rows: &[Self], is_wanted: impl Fn(&str) -> bool) -> Vec<ArrayRef>;
    /// The rows of a batch.
    fn rows(batch: &RecordBatch) -> Rows<Self>;
}

/// Defines a struct whose fields are the columns of a table, and implements [`Table`] for it.
///
/// After `in` comes the name of the table, whose columns `schemas/NAME.toml` describes. Attributes and
/// documentation are those of the struct. `field: type = value` is a column that files of earlier versions may lack, and
/// its value for them.
macro_rules! table_row {
    (
        $(#[$about:meta])*
        $vis:vis struct $row:ident in $table:literal {
            $($(#[$field_about:meta])* $field_vis:vis $field:ident: $type:ty $(= $absent:expr)?),* $(,)?
        }
    ) => {
        $(#[$about])*
        $vis struct $row {
            $(
                $(#[$field_about])*
                #[allow(missing_docs, reason = "schemas/ describes the columns")]
                $field_vis $field: $type,
            )*
        }

        impl $crate::table::Table for $row {
            const NAME: &'static str = $table;
            const SCHEMA: &'static str =
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/schemas/", $table, ".toml"));

            fn described() -> &'static $crate::table::SchemaFile {
                use std::sync::LazyLock;
                static FILE: LazyLock<$crate::table::SchemaFile> =
                    LazyLock::new(|| $crate::table::SchemaFile::parse(<$row as $crate::table::Table>::SCHEMA));
                &FILE
            }

            fn columns() -> Vec<(&'static str, arrow_schema::DataType, bool)> {
                use $crate::table::Column;
                vec![$((stringify!($field), <$type>::data_type(), <$type>::NULLABLE)),*]
            }

            fn arrays(rows: &[Self], is_wanted: impl Fn(&str) -> bool) -> Vec<arrow_array::ArrayRef> {
                use $crate::table::Column;
                let mut arrays = Vec::new();
                $(
                    if is_wanted(stringify!($field)) {
                        arrays.push(<$type>::array(rows, |row| &row.$field));
                    }
                )*
                arrays
            }

            fn rows(batch: &arrow_array::RecordBatch) -> $crate::table::Rows<Self> {
                use $crate::table::Column;
                let mut rows: Vec<Self> = Vec::new();
                rows.resize_with(batch.num_rows(), Default::default);
                $(
                    #[allow(unreachable_patterns, reason = "the last arm is for columns that no file may lack")]
                    match batch.column_by_name(stringify!($field)) {
                        Some(array) => {
                            <$type>::fill(array, &mut rows, |row| &mut row.$field).ok_or(stringify!($field))?;
                        }
                        None if <$type>::MAY_BE_ABSENT => {}
                        $(None => rows.iter_mut().for_each(|row| row.$field = $absent),)?
                        None => return Err(stringify!($field)),
                    }
                )*
                Ok(rows)
            }
        }
    };
}
pub(crate) use table_row;
