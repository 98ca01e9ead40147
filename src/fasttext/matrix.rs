//! Matrices of a model: rows of numbers as they stand in the file, or product-quantised ones, whose rows are codes of
//! centroids (Jégou et al. 2011).

use std::ops::Range;

use super::bytes::{Broken, Cursor, floats};

/// Centroids of a part of a row; a code is one byte.
const CENTROIDS: usize = 256;

/// Sums that are added up side by side, as wide as the registers of most processors.
const LANES: usize = 8;

/// A matrix over the bytes of a file, which its methods are given each time.
#[derive(Debug)]
pub enum Matrix {
    Dense(Dense),
    Quantised(Box<Quantised>),
}

#[derive(Debug)]
pub struct Dense {
    rows: usize,
    columns: usize,
    data: Range<usize>,
}

#[derive(Debug)]
pub struct Quantised {
    rows: usize,
    columns: usize,
    codes: Range<usize>,
    centroids: Quantiser,
    /// Codes of the lengths of the rows, if these are apart.
    lengths: Option<(Range<usize>, Quantiser)>,
}

/// Centroids of each part of a row.
#[derive(Debug)]
struct Quantiser {
    /// Parts of a row, and numbers of each but the last one.
    parts: usize,
    width: usize,
    last_width: usize,
    centroids: Vec<f32>,
}

impl Matrix {
    pub fn read_dense(cursor: &mut Cursor<'_>, what: &str) -> Result<Matrix, Broken> {
        let (rows, columns) = (cursor.long_count(what)?, cursor.long_count(what)?);
        let length = rows.checked_mul(columns).and_then(|numbers| numbers.checked_mul(4));
        let length = length.ok_or_else(|| format!("announces {rows} × {columns} numbers as {what}"))?;
        Ok(Matrix::Dense(Dense { rows, columns, data: cursor.range(length, what)? }))
    }

    pub fn read_quantised(cursor: &mut Cursor<'_>, what: &str) -> Result<Matrix, Broken> {
        let has_lengths = cursor.flag(what)?;
        let (rows, columns) = (cursor.long_count(what)?, cursor.long_count(what)?);
        let size = cursor.count(what)?;
        let codes = cursor.range(size, what)?;
        let centroids = Quantiser::read(cursor, columns, what)?;
        if rows.checked_mul(centroids.parts) != Some(size) {
            return Err(format!("has {size} codes for {rows} rows of {what}"));
        }
        let lengths = match has_lengths {
            true => Some((cursor.range(rows, what)?, Quantiser::read(cursor, 1, what)?)),
            false => None,
        };
        Ok(Matrix::Quantised(Box::new(Quantised { rows, columns, codes, centroids, lengths })))
    }

    pub fn rows(&self) -> usize {
        match self {
            Matrix::Dense(dense) => dense.rows,
            Matrix::Quantised(quantised) => quantised.rows,
        }
    }

    pub fn columns(&self) -> usize {
        match self {
            Matrix::Dense(dense) => dense.columns,
            Matrix::Quantised(quantised) => quantised.columns,
        }
    }

    /// Adds a row to `sum`; nothing if there is no such row.
    pub fn add(&self, bytes: &[u8], row: usize, sum: &mut [f32]) {
        match self {
            Matrix::Dense(dense) => {
                sum.iter_mut().zip(floats(dense.row(bytes, row))).for_each(|(sum, number)| *sum += number);
            }
            Matrix::Quantised(quantised) => {
                let length = quantised.length(bytes, row);
                for (part, centroid) in sum.chunks_mut(quantised.centroids.width).zip(quantised.row(bytes, row)) {
                    part.iter_mut().zip(centroid).for_each(|(sum, number)| *sum += length * number);
                }
            }
        }
    }

    /// The product of a row and a vector.
    pub fn dot(&self, bytes: &[u8], row: usize, vector: &[f32]) -> f32 {
        match self {
            Matrix::Dense(dense) => dot(dense.row(bytes, row), vector),
            Matrix::Quantised(quantised) => {
                let mut sum = 0.0;
                for (part, centroid) in vector.chunks(quantised.centroids.width).zip(quantised.row(bytes, row)) {
                    part.iter().zip(centroid).for_each(|(number, other)| sum += number * other);
                }
                sum * quantised.length(bytes, row)
            }
        }
    }
}

/// The order of the additions is fixed, so that the result is the same everywhere.
fn dot(row: &[u8], vector: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    let (whole, rest) = vector.as_chunks::<LANES>();
    let rows = row.chunks_exact(4 * LANES);
    for (numbers, others) in rows.zip(whole) {
        for ((sum, number), other) in sums.iter_mut().zip(floats(numbers)).zip(others) {
            *sum += number * other;
        }
    }
    let tail = row.get(whole.len() * 4 * LANES..).unwrap_or_default();
    sums.iter().sum::<f32>() + floats(tail).zip(rest).map(|(number, other)| number * other).sum::<f32>()
}

impl Dense {
    fn row<'b>(&self, bytes: &'b [u8], row: usize) -> &'b [u8] {
        let data = bytes.get(self.data.clone()).unwrap_or_default();
        let width = self.columns * 4;
        if row >= self.rows { &[] } else { data.get(row * width..(row + 1) * width).unwrap_or_default() }
    }
}

impl Quantised {
    /// The centroids of the parts of a row; none if there is no such row.
    fn row<'b>(&'b self, bytes: &'b [u8], row: usize) -> impl Iterator<Item = &'b [f32]> {
        let parts = self.centroids.parts;
        let codes = bytes.get(self.codes.clone()).unwrap_or_default();
        let codes = if row >= self.rows { &[] } else { codes.get(row * parts..(row + 1) * parts).unwrap_or_default() };
        codes.iter().enumerate().map(|(part, code)| self.centroids.centroid(part, *code))
    }

    fn length(&self, bytes: &[u8], row: usize) -> f32 {
        let Some((codes, quantiser)) = &self.lengths else { return 1.0 };
        let code = bytes.get(codes.clone()).and_then(|codes| codes.get(row)).copied().unwrap_or_default();
        quantiser.centroid(0, code).first().copied().unwrap_or_default()
    }
}

impl Quantiser {
    /// Reads the centroids for rows of `columns` numbers.
    fn read(cursor: &mut Cursor<'_>, columns: usize, what: &str) -> Result<Quantiser, Broken> {
        let (dimension, parts) = (cursor.count(what)?, cursor.count(what)?);
        let (width, last_width) = (cursor.count(what)?, cursor.count(what)?);
        let covered = parts.checked_sub(1).and_then(|whole| whole.checked_mul(width)?.checked_add(last_width));
        if dimension != columns || covered != Some(columns) || width == 0 || last_width > width {
            return Err(format!("has {what} in {parts} parts of {width} numbers for rows of {columns}"));
        }
        let numbers = dimension.checked_mul(CENTROIDS).ok_or_else(|| format!("announces {dimension} columns"))?;
        Ok(Quantiser { parts, width, last_width, centroids: cursor.floats(numbers, what)? })
    }

    fn centroid(&self, part: usize, code: u8) -> &[f32] {
        let width = if part + 1 == self.parts { self.last_width } else { self.width };
        let start = part * CENTROIDS * self.width + usize::from(code) * width;
        self.centroids.get(start..start + width).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_all_numbers() {
        for length in [0, 1, 7, 8, 9, 16, 100] {
            let vector: Vec<f32> = (0..length).map(|n| n as f32).collect();
            let bytes: Vec<u8> = vector.iter().flat_map(|number| (number + 1.0).to_le_bytes()).collect();
            let wanted: f32 = vector.iter().map(|number| number * (number + 1.0)).sum();
            assert_eq!(dot(&bytes, &vector), wanted, "{length}");
        }
    }

    #[test]
    fn a_matrix_is_not_longer_than_its_file() {
        let read = |rows: i64, columns: i64| {
            let bytes = [rows.to_le_bytes(), columns.to_le_bytes(), [0; 8]].concat();
            Matrix::read_dense(&mut Cursor::new(&bytes), "the matrix").map(|matrix| matrix.rows())
        };
        assert_eq!(read(2, 1), Ok(2));
        assert!(read(3, 1).unwrap_err().contains("12 bytes are announced, 8 are left"));
        assert!(read(i64::MAX, 8).unwrap_err().contains("announces"));
        assert!(read(-1, 1).unwrap_err().contains("-1"));
    }
}
