//! Tables that only lay out the page, as most did before style sheets: their cells hold its parts, and are no cells to a reader.
//! A table with text in one cell alone is a box around it, unless it stands between cells of another table.

use std::collections::{HashMap, HashSet};

use super::{Block, BlockKind};

/// A table lays out the page if one cell has half of its text, and so many characters…
const LARGE_CELL: u32 = 480;
/// … or so many blocks with so many characters. One with heading cells does not.
const BLOCKS: u32 = 4;
const CHARACTERS_OF_BLOCKS: u32 = 360;

/// The number of a table and the place of a cell in it.
type Cell = (u32, (u16, u16));

/// Text and blocks of a cell.
#[derive(Default)]
struct Sums {
    characters: u32,
    blocks: u32,
}

impl Sums {
    fn add(&mut self, block: &Block) {
        self.characters = self.characters.saturating_add(block.characters);
        self.blocks = self.blocks.saturating_add(1);
    }
}

/// Takes the blocks of tables that lay out the page out of their tables.
pub fn leave_layout_tables(blocks: &mut [Block]) {
    let mut cells: HashMap<Cell, Sums> = HashMap::new();
    for block in blocks.iter().filter(|block| block.table > 0) {
        cells.entry((block.table, block.cell)).or_default().add(block);
    }
    if cells.is_empty() {
        return;
    }
    // Characters and cells with text.
    let mut tables: HashMap<u32, (u32, u32)> = HashMap::new();
    for ((table, _), cell) in &cells {
        let (characters, filled) = tables.entry(*table).or_default();
        *characters = characters.saturating_add(cell.characters);
        *filled += 1;
    }
    let is_head = |block: &&Block| matches!(block.kind, BlockKind::Th | BlockKind::Caption);
    let headed: HashSet<u32> = blocks.iter().filter(is_head).map(|block| block.table).collect();
    let nested = inner_tables(blocks);
    let lays_out = |((table, _), cell): &(&Cell, &Sums)| {
        let (of_table, filled) = tables.get(table).copied().unwrap_or_default();
        let is_large =
            cell.characters >= LARGE_CELL || cell.blocks >= BLOCKS && cell.characters >= CHARACTERS_OF_BLOCKS;
        let has_most = is_large && cell.characters >= of_table - cell.characters;
        let is_box = filled == 1 && !nested.contains(table);
        (has_most || is_box) && !headed.contains(table)
    };
    let layout: HashSet<u32> = cells.iter().filter(lays_out).map(|((table, _), _)| *table).collect();
    for block in blocks.iter_mut().filter(|block| layout.contains(&block.table)) {
        (block.table, block.cell) = (0, (0, 0));
    }
}

/// The tables with blocks of one other table right before and behind them.
fn inner_tables(blocks: &[Block]) -> HashSet<u32> {
    let runs: Vec<u32> =
        blocks.chunk_by(|a, b| a.table == b.table).filter_map(|run| Some(run.first()?.table)).collect();
    let inner = |around: &[u32]| match around {
        [before, table, after] if before == after && *before > 0 => Some(*table),
        _ => None,
    };
    runs.windows(3).filter_map(inner).collect()
}

#[cfg(test)]
mod tests {
    use crate::page::blocks::{Options, page};

    /// The number of blocks in tables.
    fn in_tables(html: &str) -> usize {
        let mut page = page(html, &Options::default());
        super::leave_layout_tables(&mut page.blocks);
        page.blocks.iter().filter(|block| block.table > 0).count()
    }

    #[test]
    fn tables_of_data_stay() {
        let story = "<p>Boats of two harbours raced to the island and back.".repeat(20);
        let data = "<table><tr><th>Day<th>Tide<tr><td>Monday<td>3.2 m<tr><td>Tuesday<td>3.4 m</table>";
        assert_eq!(in_tables(data), 6);
        assert_eq!(in_tables(&format!("<table><tr><td>Menu<td>{story}</table>")), 0);
        // A table of data within one that lays out the page.
        assert_eq!(in_tables(&format!("<table><tr><td>Menu<td>{story}{data}</table>")), 6);
        assert_eq!(in_tables("<table><tr><td><img src=a.png><tr><td>A train on its way</table>"), 0, "a caption");
        assert_eq!(in_tables("<table><tr><th>Tides</table>"), 1, "a heading cell");
        let nested = "<table><tr><td>Battery<td><table><tr><td>30 hours</table><tr><td>Weight<td>20 g</table>";
        assert_eq!(in_tables(nested), 4, "a cell of another table");
        let row = format!("<tr><td>Monday<td>{}", "A remark about the tide of this day. ".repeat(15));
        assert_eq!(in_tables(&format!("<table>{}</table>", row.repeat(3))), 6, "three long remarks");
    }
}
