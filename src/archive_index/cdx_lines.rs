//! Reads an index in CDXJ or classic CDX, line by line.

use std::io::{BufRead, Read};
use std::path::Path;

use super::{RowOutcome, refused};
use crate::error::{Error, Result};
use crate::select::bound::BoundExpression;
use crate::select::cdx::{CdxLineError, CdxParser, columns};
use crate::select::expression::Expression;

/// Most bytes of a line; longer lines are skipped and counted as unreadable.
const MAX_LINE: usize = 1 << 20;

/// The rows of a CDXJ or CDX file.
pub struct CdxLines {
    reader: Box<dyn BufRead + Send>,
    parser: CdxParser,
    bound: Option<BoundExpression>,
    line: Vec<u8>,
    /// Whether `line` was read ahead by `open`.
    ahead: bool,
    /// Whether the first line is unreadable and not counted yet.
    cut: bool,
}

impl CdxLines {
    /// Opens an index. A file whose first two lines are neither CDXJ nor CDX is rejected: one may be the rest of a line.
    pub fn open(path: &Path, reader: Box<dyn BufRead + Send>, filter: Option<&Expression>) -> Result<CdxLines> {
        let bound = filter.map(|filter| filter.bind(&columns())).transpose().map_err(refused(path))?;
        let mut lines =
            CdxLines { reader, parser: CdxParser::default(), bound, line: Vec::new(), ahead: false, cut: false };
        while lines.advance(path)? {
            match lines.parser.parse(&String::from_utf8_lossy(&lines.line)) {
                Ok(None) => {}
                Ok(Some(_)) => {
                    lines.ahead = true;
                    return Ok(lines);
                }
                Err(CdxLineError::Unreadable) if lines.cut => break,
                Err(CdxLineError::Unreadable) => lines.cut = true,
                Err(error) => return Err(Error::damaged(path, error)),
            }
        }
        match lines.cut {
            true => Err(Error::damaged(path, "is not an index: neither Parquet, CDXJ nor CDX")),
            false => Ok(lines),
        }
    }

    /// The next row, or `None` at the end of the file.
    pub fn next_row(&mut self, path: &Path) -> Result<Option<RowOutcome>> {
        if std::mem::take(&mut self.cut) {
            return Ok(Some(RowOutcome::Unreadable));
        }
        loop {
            if !std::mem::take(&mut self.ahead) && !self.advance(path)? {
                return Ok(None);
            }
            if self.line.len() > MAX_LINE {
                self.skip_line(path)?;
                return Ok(Some(RowOutcome::Unreadable));
            }
            let text = String::from_utf8_lossy(&self.line);
            let line = match self.parser.parse(&text) {
                Ok(Some(line)) => line,
                Ok(None) => continue,
                Err(CdxLineError::Unreadable) => return Ok(Some(RowOutcome::Unreadable)),
                Err(error) => return Err(Error::damaged(path, error)),
            };
            let wanted = self.bound.as_ref().is_none_or(|bound| bound.matches(|column| line.value(column)));
            let (filename, offset, length) = line.location();
            return Ok(Some(if wanted { RowOutcome::wanted(filename, offset, length) } else { RowOutcome::Unwanted }));
        }
    }

    /// Reads the next line, or its first `MAX_LINE` + 1 bytes; false at the end of the file.
    fn advance(&mut self, path: &Path) -> Result<bool> {
        self.line.clear();
        let mut limited = self.reader.by_ref().take(MAX_LINE as u64 + 1);
        limited.read_until(b'\n', &mut self.line).map_err(Error::io("read", path))?;
        Ok(!self.line.is_empty())
    }

    /// Skips the rest of a line that is too long.
    fn skip_line(&mut self, path: &Path) -> Result<()> {
        while self.line.last() != Some(&b'\n') && self.advance(path)? {}
        Ok(())
    }
}
