//! The marks before the items of lists, by which parsers tell lists that follow each other apart.

use crate::emit::structure::{Item, ParagraphContainer};

/// Largest number of an item: it may have nine digits.
pub const MAX_NUMBER: u32 = 999_999_999;

/// The marks of the items of a list. CommonMark takes lists that follow each other for one, and counts its items on from the
/// first, unless the marks change.
#[derive(Debug, Clone, Copy, Default)]
pub struct ListMarks {
    /// Whether they are `*` and `1)`, not `-` and `1.`.
    other: bool,
    /// The number that an item has without a change.
    next: u32,
}

impl ListMarks {
    /// What stands before the first line of an item.
    pub fn mark(&mut self, item: Item) -> String {
        let number = Some(item.number).filter(|number| (1..=MAX_NUMBER).contains(number));
        let counts_on = number.is_none_or(|number| self.next == 0 || number == self.next);
        self.other ^= !counts_on;
        self.next = number.map_or(0, |number| number + 1);
        match (number, self.other) {
            (Some(number), false) => format!("{number}. "),
            (Some(number), true) => format!("{number}) "),
            (None, false) => "- ".into(),
            (None, true) => "* ".into(),
        }
    }
}

/// What stands before the first line in containers that begin behind those in `kept`. `lists` has the marks of the lists that were
/// open; `follows_list`: the first container stands where a list has just ended.
pub fn list_marks(
    lists: &mut Vec<ListMarks>,
    kept: &[ParagraphContainer],
    begun: &[ParagraphContainer],
    follows_list: bool,
) -> String {
    let open = kept.iter().filter(|container| is_list(container)).count();
    let ended = lists.get(open).copied().filter(|_| follows_list);
    lists.truncate(open);
    let mut marks = String::new();
    for (at, container) in begun.iter().enumerate() {
        match container {
            ParagraphContainer::List(_) => {
                let other = ended.is_some_and(|ended| at == 0 && !ended.other);
                lists.push(ListMarks { other, next: 0 });
            }
            ParagraphContainer::Item(item) => {
                marks.push_str(&lists.last_mut().map(|list| list.mark(*item)).unwrap_or_default());
            }
            ParagraphContainer::Quote(_) => marks.push_str("> "),
            _ => {}
        }
    }
    marks
}

/// Whether a container is a list.
pub fn is_list(container: &ParagraphContainer) -> bool {
    matches!(container, ParagraphContainer::List(_))
}
