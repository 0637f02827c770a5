//! One SELECT.

use sqlparser::ast::{
    Distinct, Expr, GroupByExpr, LimitClause, OrderBy, Select, SelectItem,
    SelectItemQualifiedWildcardKind, Value, WildcardAdditionalOptions,
};

use super::super::problem::Problem;
use super::bounds::Condition;
use super::order::{Key, ordered_by};
use super::scope::Scope;
use super::types::Sql;
use super::{Compiler, Output, is_limit_by};

/// A selected expression.
pub(super) struct Item {
    pub(super) name: String,
    pub(super) sql: Sql,
}

impl Compiler<'_> {
    pub(super) fn select(
        &mut self,
        select: &Select,
        order: Option<&OrderBy>,
        limit: Option<&LimitClause>,
        parent: Option<&Scope<'_>>,
    ) -> Result<Output, Problem> {
        check_clauses(select)?;
        let mut scope = Scope { parent, ..Scope::default() };
        let mut conditions = Vec::new();
        let mut rest = self.from(select, &mut scope, &mut conditions)?;
        scope.aliases = aliases(select);
        let filters = select.prewhere.iter().chain(&select.selection);
        conditions.extend(filters.map(|expr| Condition { expr, only: None }));
        self.bound(&scope, &conditions)?;

        let windows = self.named_windows(&select.named_window, &scope)?;
        let mut groups = self.groups(select, &scope)?;
        let items = self.items(&select.projection, &scope)?;
        let having = select.having.as_ref().map(|having| self.expr(having, &scope)).transpose()?;
        let columns: Vec<_> = items.iter().map(|item| (item.name.clone(), item.sql.ty)).collect();
        let keys = match order {
            Some(order) => self.keys(order, &scope, &items)?,
            None => Vec::new(),
        };
        let is_grouped = !matches!(&select.group_by, GroupByExpr::Expressions(by, _) if by.is_empty())
            || items.iter().any(|item| item.sql.has_aggregate)
            || having.as_ref().is_some_and(|having| having.has_aggregate);
        if matches!(select.group_by, GroupByExpr::All(_)) {
            let plain =
                items.iter().filter(|item| !item.sql.has_aggregate && !item.sql.is_constant);
            groups = plain.map(|item| item.sql.text.clone()).collect();
        } else if is_grouped {
            let sqls = items.iter().map(|item| &item.sql).chain(keys.iter().map(|key| &key.sql));
            sqls.chain(&having).try_for_each(check_grouped)?;
        }

        let mut filters = Vec::new();
        for filter in select.prewhere.iter().chain(&select.selection) {
            let sql = scope.row_by_row(|| self.expr(filter, &scope))?;
            if sql.has_aggregate || sql.has_window {
                let message =
                    "WHERE sees single rows: what it says of an aggregate belongs in HAVING";
                return Err(Problem::text(message));
            }
            filters.push(format!("({})", sql.text));
        }
        let mut having = having.map(|having| format!("({})", having.text));
        if !is_grouped {
            filters.extend(having.take());
        }
        if !filters.is_empty() {
            rest.push_str(&format!(" WHERE {}", filters.join(" AND ")));
        }
        if !groups.is_empty() {
            rest.push_str(&format!(" GROUP BY {}", groups.join(", ")));
        }
        if let Some(having) = having {
            rest.push_str(&format!(" HAVING {having}"));
        }
        rest.push_str(&windows);

        let distinct = match &select.distinct {
            None | Some(Distinct::All) => "",
            Some(Distinct::Distinct) => "DISTINCT ",
            Some(Distinct::On(_)) => {
                return Err(Problem::text("DISTINCT ON is not run here; use LIMIT 1 BY"));
            }
        };
        let list: Vec<_> = items
            .iter()
            .enumerate()
            .map(|(at, item)| format!("{} AS k{at}", item.sql.text))
            .collect();
        let list = format!("{distinct}{}", list.join(", "));
        let sql = match limit {
            Some(limit) if is_limit_by(limit) => {
                self.limit_by(limit, &list, &rest, &items, &keys, &scope)?
            }
            limit => {
                let limit = limit.map(|limit| self.limit(limit)).transpose()?.unwrap_or_default();
                format!("SELECT {list}{rest}{}{limit}", ordered_by(&keys, true))
            }
        };
        Ok(Output { sql, columns })
    }

    /// LIMIT n BY: the first rows of each group, in the order of the whole.
    fn limit_by(
        &mut self,
        limit: &LimitClause,
        list: &str,
        rest: &str,
        items: &[Item],
        keys: &[Key],
        scope: &Scope<'_>,
    ) -> Result<String, Problem> {
        let LimitClause::LimitOffset { limit: most, offset, limit_by } = limit else {
            return Err(Problem::text("LIMIT BY needs a number of rows"));
        };
        let most = most.as_ref().map_or(Ok(1), |most| self.whole(most, "LIMIT"))?;
        let offset = offset.as_ref().map(|offset| &offset.value);
        let skipped = offset.map_or(Ok(0), |offset| self.whole(offset, "OFFSET"))?;
        let mut parts = Vec::new();
        for expr in limit_by {
            parts.push(self.expr(expr, scope)?.text);
        }

        let outer: Vec<_> = (0..items.len()).map(|at| format!("k{at}")).collect();
        // A window does not know the names of columns, so that keys are spelled out.
        let order = ordered_by(keys, false);
        let end = skipped.saturating_add(most);

        Ok(format!(
            "SELECT {} FROM (SELECT {list}, row_number() OVER (PARTITION BY {}{order}) AS kb, \
             row_number() OVER ({order}) AS ko{rest}) WHERE kb > {skipped} AND kb <= {end} \
             ORDER BY ko",
            outer.join(", "),
            parts.join(", "),
        ))
    }

    /// The compiled expressions of GROUP BY.
    fn groups(&mut self, select: &Select, scope: &Scope<'_>) -> Result<Vec<String>, Problem> {
        let (exprs, modifiers) = match &select.group_by {
            GroupByExpr::All(modifiers) => (&Vec::new(), modifiers),
            GroupByExpr::Expressions(exprs, modifiers) => (exprs, modifiers),
        };
        if !modifiers.is_empty() {
            return Err(Problem::text("GROUP BY takes no ROLLUP, CUBE or TOTALS here"));
        }

        let mut emitted = Vec::new();
        for expr in exprs {
            let meant = match position(expr) {
                Some(place) => selected(select, place)?,
                None => expr,
            };
            let sql = scope.row_by_row(|| self.expr(meant, scope))?;
            if sql.has_aggregate || sql.has_window {
                return Err(Problem::text(format!("GROUP BY sees single rows, not `{expr}`")));
            }

            scope.groups.borrow_mut().push(sql.text.clone());
            // One value for all rows makes no groups.
            if !sql.is_constant {
                emitted.push(sql.text);
            }
        }

        Ok(emitted)
    }

    fn items(
        &mut self,
        projection: &[SelectItem],
        scope: &Scope<'_>,
    ) -> Result<Vec<Item>, Problem> {
        let mut items = Vec::new();
        for item in projection {
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    let name = match expr {
                        Expr::Identifier(name) => name.value.clone(),
                        Expr::CompoundIdentifier(parts) => {
                            let last = parts.last().map(|part| part.value.clone());
                            free(&items, last.unwrap_or_default(), &expr.to_string())
                        }
                        other => other.to_string(),
                    };
                    items.push(Item { name, sql: self.expr(expr, scope)? });
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    // Inside its own definition an alias means a column.
                    let sql = self.defined(&alias.value, expr, scope)?;
                    items.push(Item { name: alias.value.clone(), sql });
                }
                SelectItem::Wildcard(options) => self.wildcard("", options, scope, &mut items)?,
                SelectItem::QualifiedWildcard(
                    SelectItemQualifiedWildcardKind::ObjectName(name),
                    options,
                ) => self.wildcard(&name.to_string(), options, scope, &mut items)?,
                other => {
                    return Err(Problem::text(format!("`{other}` cannot be selected here")));
                }
            }
        }

        if items.is_empty() {
            return Err(Problem::text("nothing is selected"));
        }

        Ok(items)
    }

    fn wildcard(
        &mut self,
        qualifier: &str,
        options: &WildcardAdditionalOptions,
        scope: &Scope<'_>,
        items: &mut Vec<Item>,
    ) -> Result<(), Problem> {
        self.has_wildcard = true;
        let except: Vec<&str> = match &options.opt_except {
            Some(except) => std::iter::once(&except.first_element)
                .chain(&except.additional_elements)
                .map(|ident| ident.value.as_str())
                .collect(),
            None => Vec::new(),
        };

        if options.opt_exclude.is_some()
            || options.opt_replace.is_some()
            || options.opt_rename.is_some()
            || options.opt_ilike.is_some()
        {
            return Err(Problem::text("of `*`, only EXCEPT is run here"));
        }

        let before = items.len();
        for source in &scope.sources {
            if !qualifier.is_empty() && !source.names.iter().any(|name| name == qualifier) {
                continue;
            }

            for (at, column) in source.columns.iter().enumerate() {
                if except.contains(&column.name.as_str()) {
                    continue;
                }
                if let Some(stored) = source.stored {
                    self.uses[stored].columns.insert(at);
                }

                let text = format!("{}.{}", source.emitted, column.emitted);
                let mut sql = Sql::new(text, column.ty);
                sql.is_constant = false;
                if !scope.groups.borrow().contains(&sql.text) {
                    sql.bare = Some(column.name.clone());
                }

                let full = match source.names.first() {
                    Some(table) => format!("{table}.{}", column.name),
                    None => column.name.clone(),
                };
                let name = free(items, column.name.clone(), &full);
                items.push(Item { name, sql });
            }
        }

        if items.len() == before {
            return Err(Problem::text(format!("`{qualifier}*` stands for no column")));
        }

        Ok(())
    }
}

fn check_grouped(sql: &Sql) -> Result<(), Problem> {
    match &sql.bare {
        None => Ok(()),
        Some(column) => Err(Problem::text(format!(
            "column `{column}` is neither under an aggregate nor in GROUP BY"
        ))),
    }
}

/// The name of a column, with its table if another has it already.
fn free(items: &[Item], name: String, full: &str) -> String {
    if items.iter().any(|item| item.name == name) { full.to_owned() } else { name }
}

/// The place among the columns that a bare number means.
pub(super) fn position(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(text, _) => text.parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn in_list(place: usize, count: usize) -> Result<usize, Problem> {
    match place.checked_sub(1) {
        Some(at) if at < count => Ok(at),
        _ => Err(Problem::text(format!("there is no column {place}: {count} are selected"))),
    }
}

/// The expression selected at a place, for GROUP BY.
fn selected(select: &Select, place: usize) -> Result<&Expr, Problem> {
    let at = in_list(place, select.projection.len())?;
    match &select.projection[at] {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Ok(expr),
        other => {
            Err(Problem::text(format!("GROUP BY {place} means `{other}`, which is no column")))
        }
    }
}

fn aliases(select: &Select) -> Vec<(&str, &Expr)> {
    let named = select.projection.iter().filter_map(|item| match item {
        SelectItem::ExprWithAlias { expr, alias } => Some((alias.value.as_str(), expr)),
        _ => None,
    });
    named.collect()
}

fn check_clauses(select: &Select) -> Result<(), Problem> {
    let present = [
        ("INTO", select.into.is_some()),
        ("TOP", select.top.is_some()),
        ("QUALIFY", select.qualify.is_some()),
        ("LATERAL VIEW", !select.lateral_views.is_empty()),
        ("CONNECT BY", !select.connect_by.is_empty()),
        ("CLUSTER BY", !select.cluster_by.is_empty()),
        ("DISTRIBUTE BY", !select.distribute_by.is_empty()),
        ("SORT BY", !select.sort_by.is_empty()),
        ("EXCLUDE", select.exclude.is_some()),
        ("AS STRUCT", select.value_table_mode.is_some()),
    ];
    match present.into_iter().find(|(_, is_there)| *is_there) {
        Some((clause, _)) => Err(Problem::text(format!("{clause} is not run here"))),
        None => Ok(()),
    }
}
