//! Names inside one SELECT: what its FROM brings, and the aliases of what it selects.

use std::cell::{Cell, RefCell};

use sqlparser::ast::{Expr, Ident};

use super::super::problem::Problem;
use super::Compiler;
use super::types::{Sql, Ty};

/// A table, a subquery or a WITH table in a FROM.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// What it may be called in front of a column: its alias, or its name with and without the
    /// database.
    pub(super) names: Vec<String>,
    /// What it is called in the engine.
    pub(super) emitted: String,
    pub(super) columns: Vec<Column>,
    /// The use of a stored table that it is.
    pub(super) stored: Option<usize>,
}

/// A column as a query sees it.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) name: String,
    /// What it is called in the engine.
    pub(super) emitted: String,
    pub(super) ty: Ty,
}

/// The names that an expression may use.
#[derive(Debug, Default)]
pub(super) struct Scope<'a> {
    pub(super) sources: Vec<Source>,
    /// Aliases of selected expressions.
    pub(super) aliases: Vec<(&'a str, &'a Expr)>,
    /// Aliases that are being replaced by what they stand for.
    pub(super) expanding: RefCell<Vec<String>>,
    /// How many rules apply that see one row at a time: WHERE, or inside an aggregate.
    pub(super) by_row: Cell<usize>,
    /// The query around this one.
    pub(super) parent: Option<&'a Scope<'a>>,
    /// The compiled expressions of GROUP BY.
    pub(super) groups: RefCell<Vec<String>>,
    /// Names of WINDOW, as written and in the engine.
    pub(super) windows: RefCell<Vec<(String, String)>>,
}

impl Scope<'_> {
    /// Where `name`, perhaps of the table `qualifier`, is found: source and column.
    pub(super) fn place(&self, qualifier: &str, name: &str) -> Option<(usize, usize)> {
        self.sources.iter().enumerate().find_map(|(at, source)| {
            let is_meant = qualifier.is_empty() || source.names.iter().any(|n| n == qualifier);
            let column = source.columns.iter().position(|column| column.name == name)?;
            is_meant.then_some((at, column))
        })
    }

    /// What the alias `name` stands for, if it is not being replaced already.
    pub(super) fn alias(&self, name: &str) -> Option<&Expr> {
        let is_expanding = self.expanding.borrow().iter().any(|other| other == name);
        let found = self.aliases.iter().find(|(alias, _)| *alias == name && !is_expanding);
        found.map(|(_, expr)| *expr)
    }

    /// Does `work` as a rule that sees one row at a time.
    pub(super) fn row_by_row<T>(&self, work: impl FnOnce() -> T) -> T {
        self.by_row.set(self.by_row.get() + 1);
        let done = work();
        self.by_row.set(self.by_row.get() - 1);
        done
    }
}

impl Compiler<'_> {
    /// A name with or without a table in front of it.
    pub(super) fn name(&mut self, parts: &[Ident], scope: &Scope<'_>) -> Result<Sql, Problem> {
        let (name, qualifier) = match parts {
            [] => return Err(Problem::text("a name is empty")),
            [qualifier @ .., name] => {
                let words: Vec<_> = qualifier.iter().map(|part| part.value.as_str()).collect();
                (name, words.join("."))
            }
        };

        if let Some(found) = self.look_up(&qualifier, &name.value, scope)? {
            return Ok(found);
        }

        let full = if qualifier.is_empty() {
            name.value.clone()
        } else {
            format!("{qualifier}.{}", name.value)
        };
        let mut message = format!("there is no column `{full}` here");

        if name.quote_style == Some('"') {
            message.push_str("; a text stands in single quotes");
        } else if let Some(near) = nearest(&name.value, scope) {
            message.push_str(&format!("; `{near}` is the nearest name"));
        }

        Err(Problem::Text(message))
    }

    /// An expression that has an alias: inside it, the alias means a column.
    pub(super) fn defined(
        &mut self,
        alias: &str,
        expr: &Expr,
        scope: &Scope<'_>,
    ) -> Result<Sql, Problem> {
        scope.expanding.borrow_mut().push(alias.to_owned());
        let sql = self.expr(expr, scope);
        scope.expanding.borrow_mut().pop();
        sql
    }

    fn look_up(
        &mut self,
        qualifier: &str,
        name: &str,
        scope: &Scope<'_>,
    ) -> Result<Option<Sql>, Problem> {
        let place = scope.place(qualifier, name);
        if let Some(expr) = scope.alias(name).filter(|_| qualifier.is_empty()) {
            let meant = self.defined(name, expr, scope);
            // `sum(x) AS x ... WHERE x > 0` means the column: no row has the sum.
            let by_row = scope.by_row.get() > 0 && place.is_some();
            match meant {
                Ok(meant) if by_row && (meant.has_aggregate || meant.has_window) => {}
                Err(_) if by_row => {}
                meant => return meant.map(Some),
            }
        }

        if let Some((at, column)) = place {
            let source = &scope.sources[at];
            if let Some(stored) = source.stored {
                self.uses[stored].columns.insert(column);
            }
            let column = &source.columns[column];
            let mut sql = Sql::new(format!("{}.{}", source.emitted, column.emitted), column.ty);
            sql.bare = Some(name.to_owned());
            sql.is_constant = false;
            return Ok(Some(sql));
        }

        if qualifier.is_empty()
            && let Some(at) = self.scalars.iter().rposition(|(scalar, _)| scalar == name)
        {
            // A value may name those before it, and no column.
            let later = self.scalars.split_off(at);
            let value = self.expr(&later[0].1, &Scope::default());
            self.scalars.extend(later);
            return value.map(Some);
        }

        let Some(parent) = scope.parent else { return Ok(None) };
        let mut found = self.look_up(qualifier, name, parent)?;
        if let Some(found) = &mut found {
            // Within one row of the query around it is a constant, but not for grouping.
            found.bare = None;
        }

        Ok(found)
    }
}

/// The name of a column that differs from `name` in a letter or two.
fn nearest(name: &str, scope: &Scope<'_>) -> Option<String> {
    let columns = scope.sources.iter().flat_map(|source| &source.columns);
    columns
        .map(|column| (distance(name, &column.name), &column.name))
        .filter(|(distance, _)| *distance <= 2)
        .min()
        .map(|(_, name)| name.clone())
}

/// How many letters must be put in, taken out or changed; names are short.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().take(64).enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let change = before + usize::from(letter != *other);
            before = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(before + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn spelling_mistakes_are_counted() {
        for (a, b, expected) in
            [("amount", "amount", 0), ("amuont", "amount", 2), ("", "ab", 2), ("tx", "tx_hash", 5)]
        {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }
}
