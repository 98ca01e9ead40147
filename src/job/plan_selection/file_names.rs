//! File names of an index → the archives that they mean.

use std::collections::HashMap;
use std::path::Path;

use crate::error::{Error, Result};
use crate::job::inputs;

/// File names of the index for which is kept which archive they mean.
const MOST_KNOWN: usize = 100_000;

/// Maps the file names of an index to archives.
#[derive(Default)]
pub struct Names<'a> {
    prefix: &'a str,
    /// Archives in the order of their numbers.
    pub locations: Vec<String>,
    /// Position in `locations`, by location.
    numbers: HashMap<String, u32>,
    /// Cached results, by file name.
    known: HashMap<String, Option<u32>>,
    /// Archives that may be read, by the last part of their path; all archives if absent.
    given: Option<HashMap<String, Vec<u32>>>,
    /// The first file name of the index that means each given archive.
    meant: HashMap<u32, String>,
}

impl<'a> Names<'a> {
    pub fn new(given: Vec<String>, prefix: &'a str) -> Names<'a> {
        if given.is_empty() {
            return Names { prefix, ..Names::default() };
        }
        let mut names: HashMap<String, Vec<u32>> = HashMap::new();
        for (input, location) in given.iter().enumerate() {
            names.entry(last_part(inputs::without_query(location)).to_string()).or_default().push(input as u32);
        }
        Names { prefix, locations: given, given: Some(names), ..Names::default() }
    }

    /// The given archive with the same name; of several, the one that has most of the last folders in common.
    fn given_input(&mut self, filename: &str, index: &Path) -> Result<Option<u32>> {
        let inputs =
            self.given.as_ref().and_then(|given| given.get(last_part(filename))).map_or(&[][..], Vec::as_slice);
        let location =
            |input: u32| self.locations.get(input as usize).map_or("", |location| inputs::without_query(location));
        let in_common = |input: u32| common_end(filename, location(input));
        let Some(&best) = inputs.iter().max_by_key(|&&input| in_common(input)) else { return Ok(None) };
        let index = index.display();
        if inputs.iter().filter(|&&input| in_common(input) == in_common(best)).count() > 1 {
            let problem = "several inputs have this name and the folders do not tell which one is meant";
            return Err(Error::Usage(format!("{index}: {filename}: {problem}")));
        }
        let location = location(best);
        let before = self.meant.entry(best).or_insert_with(|| filename.into());
        if common_end(filename, before) < parts(filename).count().min(parts(before).count()) {
            if common_end(filename, location) < common_end(before, location) {
                return Ok(None);
            }
            let problem =
                "the folders do not tell which one is the input of that name: give both, or choose rows with --where";
            return Err(Error::Usage(format!("{index}: {before} and {filename}: {problem}")));
        }
        Ok(Some(best))
    }

    /// Number of the archive that `filename` means; `None` if it is not among the given inputs.
    pub fn input(&mut self, filename: &str, index: &Path) -> Result<Option<u32>> {
        if let Some(&input) = self.known.get(filename) {
            return Ok(input);
        }
        let input = match &self.given {
            Some(_) => self.given_input(filename, index)?,
            None => {
                let index = index.display().to_string();
                let location = inputs::resolve(filename, &index, self.prefix).ok_or_else(|| {
                    Error::Usage(format!("{index}: {filename}: no such file; say where with --set remote.prefix=…"))
                })?;
                // Two file names may resolve to the same archive.
                let next = self.locations.len() as u32;
                let input = *self.numbers.entry(location.clone()).or_insert(next);
                if input == next {
                    self.locations.push(location);
                    inputs::check_count(self.locations.len())?;
                }
                Some(input)
            }
        };
        // An index may name any number of archives that are not among the inputs.
        if self.known.len() == MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(filename.into(), input);
        Ok(input)
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The parts of a path, last one first.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.rsplit('/').filter(|part| !part.is_empty() && *part != ".")
}

/// Number of parts that two paths have in common at their end.
fn common_end(a: &str, b: &str) -> usize {
    parts(a).zip(parts(b)).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_of_one_name_are_told_by_their_folders() {
        let named = |given: &[&str], filenames: &[&str]| -> Result<Vec<Option<u32>>> {
            let mut names = Names::new(given.iter().map(|name| name.to_string()).collect(), "");
            filenames.iter().map(|filename| names.input(filename, Path::new("i.cdxj"))).collect()
        };
        let two = ["in/a/x.warc.gz", "in/b/x.warc.gz"];
        assert_eq!(named(&two, &["b/x.warc.gz", "s3://c/a/x.warc.gz", "y"]).unwrap(), [Some(1), Some(0), None]);
        assert_eq!(named(&["x.warc.gz"], &["crawl/a/x.warc.gz", "a/x.warc.gz"]).unwrap(), [Some(0); 2]);
        let signed = ["https://c.example/a/x.warc.gz?X-Signature=1/2"];
        assert_eq!(named(&signed, &["a/x.warc.gz", "x.warc.gz?X-Signature=1/2"]).unwrap(), [Some(0), None]);
        let one = ["t/seg/1/warc/x.warc.gz"];
        assert_eq!(named(&one, &["c/seg/1/warc/x.warc.gz", "c/seg/1/robots/x.warc.gz"]).unwrap(), [Some(0), None]);
        for (given, filenames) in [
            (&two[..], &["c/x.warc.gz"][..]),
            (&two, &["x.warc.gz"]),
            (&["x.warc.gz"], &["a/x.warc.gz", "b/x.warc.gz"]),
            (&two[..1], &["b/x.warc.gz", "a/x.warc.gz"]),
        ] {
            assert!(matches!(named(given, filenames), Err(Error::Usage(_))), "{given:?} {filenames:?}");
        }
    }
}
