//! Rules of one's own: expressions in the language of `select.where` over the names of the signals, `language`, and the
//! names of models, which stand for their scores.

use std::collections::BTreeMap;

use compact_str::CompactString;

use super::quantiles::{self, Quantiles};
use super::signals::{Group, LINE_SIGNALS, SIGNALS, Signals, by_name};
use super::thresholds::Thresholds;
use crate::select::bound::{BoundExpression, ColumnType, ColumnValue, IndexColumn};
use crate::select::expression::{Expression, Literal};

#[derive(Debug, Clone)]
pub struct OwnRule {
    pub name: CompactString,
    condition: BoundExpression,
    /// The condition in languages with quantiles of their own, if it names quantiles.
    by_language: BTreeMap<String, BoundExpression>,
}

impl OwnRule {
    /// Whether the condition is true of a text in a language, with a score of each model.
    pub fn passes(&self, language: &str, signals: &Signals, scores: &[Option<f32>]) -> bool {
        let condition = self.by_language.get(language).unwrap_or(&self.condition);
        condition.matches(|column| match (SIGNALS.get(column), column.checked_sub(SIGNALS.len() + 1)) {
            (Some((_, _, value)), _) => value(signals).map(ColumnValue::Real),
            (None, Some(model)) => scores.get(model).copied().flatten().map(|score| ColumnValue::Real(score.into())),
            (None, None) => Some(ColumnValue::Text(language)),
        })
    }
}

/// Parses a rule, in which a signal or score can be compared with the name of one of its quantiles. `models` are the names of
/// the models. Returns it with the groups of signals that it names.
pub fn own_rule(rule: &str, thresholds: &Thresholds, models: &[&str]) -> Result<(OwnRule, Vec<Group>), String> {
    let quantiles = thresholds.quantiles();
    let expression = Expression::parse(rule).map_err(|error| error.to_string())?;
    let missing = expression.columns().into_iter().find_map(|name| Some((name, thresholds.missing_list(name)?)));
    if let Some((name, what)) = missing {
        return Err(format!("`{name}` needs a list: {what}"));
    }
    let bind = |language: &str| {
        let (with_quantiles, missing) = resolved(&expression, language, quantiles, models);
        match missing {
            Some(missing) => {
                Err(format!("{missing} needs a file of quantiles: warcorpus stats CORPUS --quantiles FILE"))
            }
            None => bound(&with_quantiles, models),
        }
    };
    let condition = bind(quantiles::ALL)?;
    let mut by_language = BTreeMap::new();
    if resolved(&expression, quantiles::ALL, quantiles, models).0 != expression {
        for language in quantiles.languages() {
            by_language.insert(language.to_string(), bind(language)?);
        }
    }
    let used = expression.columns().into_iter().filter_map(|name| by_name(name).map(|(group, _)| group)).collect();
    Ok((OwnRule { name: rule.into(), condition, by_language }, used))
}

/// The expression with values in place of names of quantiles, and a name that has no value.
fn resolved(
    expression: &Expression,
    language: &str,
    quantiles: &Quantiles,
    models: &[&str],
) -> (Expression, Option<String>) {
    let mut missing = None;
    let expression = expression.map_literals(&mut |column, literal| {
        let Literal::Text(word) = literal else { return literal.clone() };
        if by_name(column).is_none() && !models.contains(&column) || !quantiles::is_name(word) {
            return literal.clone();
        }
        match quantiles.of(language, column, word) {
            Some(value) => Literal::Text(value.to_string()),
            None => {
                missing = Some(format!("{word} of `{column}`"));
                literal.clone()
            }
        }
    });
    (expression, missing)
}

fn bound(expression: &Expression, models: &[&str]) -> Result<BoundExpression, String> {
    let signals = SIGNALS.iter().map(|(name, ..)| (*name, ColumnType::Real));
    let scores = models.iter().map(|name| (*name, ColumnType::Real));
    let lists = LINE_SIGNALS.iter().map(|(name, instead)| (*name, ColumnType::List(instead)));
    let columns = signals.chain([("language", ColumnType::Language)]).chain(scores).chain(lists).enumerate();
    let columns: Vec<IndexColumn> =
        columns.map(|(index, (name, data_type))| IndexColumn { name, index, data_type }).collect();
    expression.bind(&columns).map_err(|error| error.to_string())
}
