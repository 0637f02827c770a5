//! FROM: stored tables, subqueries, tables of WITH, and what joins them.

use sqlparser::ast::{
    FunctionArg, FunctionArgExpr, Ident, Join, JoinConstraint, JoinOperator, ObjectName, Select,
    TableAlias, TableFactor,
};

use super::super::problem::Problem;
use super::super::tables;
use super::bounds::Condition;
use super::scope::{Column, Scope, Source};
use super::types::Ty;
use super::{Compiler, Use, renamed};

/// Most numbers that `numbers` counts.
const MOST_NUMBERS: i64 = 1_000_000;

impl Compiler<'_> {
    /// The text after FROM; what it brings is added to `scope`. Conditions of joins that hold for
    /// every row of the result are added to `conditions`.
    pub(super) fn from<'q>(
        &mut self,
        select: &'q Select,
        scope: &mut Scope<'_>,
        conditions: &mut Vec<Condition<'q>>,
    ) -> Result<String, Problem> {
        let mut text = String::new();
        for (at, part) in select.from.iter().enumerate() {
            text.push_str(if at == 0 { " FROM " } else { " CROSS JOIN " });
            text.push_str(&self.factor(&part.relation, scope)?);
            for join in &part.joins {
                text.push_str(&self.join(join, scope, conditions)?);
            }
        }
        Ok(text)
    }

    fn join<'q>(
        &mut self,
        join: &'q Join,
        scope: &mut Scope<'_>,
        conditions: &mut Vec<Condition<'q>>,
    ) -> Result<String, Problem> {
        let (word, constraint) = match &join.join_operator {
            JoinOperator::Join(constraint) | JoinOperator::Inner(constraint) => {
                ("JOIN", constraint)
            }
            JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => {
                ("LEFT JOIN", constraint)
            }
            JoinOperator::Right(constraint) | JoinOperator::RightOuter(constraint) => {
                ("RIGHT JOIN", constraint)
            }

            JoinOperator::FullOuter(constraint) => ("FULL JOIN", constraint),
            JoinOperator::CrossJoin(constraint) => ("CROSS JOIN", constraint),
            _ => {
                return Err(Problem::text(format!("this kind of join is not run here: `{join}`")));
            }
        };
        let before = scope.sources.len();
        let factor = self.factor(&join.relation, scope)?;

        let condition = match constraint {
            JoinConstraint::None if word == "CROSS JOIN" => String::new(),
            JoinConstraint::None | JoinConstraint::Natural => {
                return Err(Problem::text(format!("a join needs ON or USING: `{join}`")));
            }
            JoinConstraint::On(expr) => {
                match word {
                    "JOIN" => conditions.push(Condition { expr, only: None }),
                    // Rows without a partner stay, so that only the joined table is bound.
                    "LEFT JOIN" => conditions.push(Condition { expr, only: Some(before) }),
                    _ => {}
                }
                let sql = self.expr(expr, scope)?;
                if sql.has_aggregate || sql.has_window {
                    return Err(Problem::text("ON compares rows: it holds no aggregate"));
                }
                format!(" ON {}", sql.text)
            }

            JoinConstraint::Using(names) => self.using(names, scope, before)?,
        };

        Ok(format!(" {word} {factor}{condition}"))
    }

    /// USING as the conditions that it stands for.
    fn using(
        &mut self,
        names: &[ObjectName],
        scope: &Scope<'_>,
        right: usize,
    ) -> Result<String, Problem> {
        let mut parts = Vec::new();
        for name in names {
            let ident = single(name)?;
            let joined = &scope.sources[right].names;
            let left = self.name(std::slice::from_ref(ident), scope)?;
            let right = match joined.first() {
                Some(table) => self.name(&[Ident::new(table.clone()), ident.clone()], scope)?,
                None => return Err(Problem::text("a subquery in a join needs an alias")),
            };
            left.compares_with(&right)?;
            parts.push(format!("{} = {}", left.text, right.text));
        }
        Ok(format!(" ON {}", parts.join(" AND ")))
    }

    fn factor(&mut self, factor: &TableFactor, scope: &mut Scope<'_>) -> Result<String, Problem> {
        match factor {
            TableFactor::Table { name, alias, args, sample, .. } => {
                if sample.is_some() {
                    return Err(Problem::text("SAMPLE is not run here"));
                }
                match args {
                    Some(args) => self.table_function(name, &args.args, alias.as_ref(), scope),
                    None => self.table(name, alias.as_ref(), scope),
                }
            }
            TableFactor::Derived { lateral: false, subquery, alias, sample: None } => {
                let output = self.query(subquery, scope.parent)?;
                let emitted = self.fresh('s');
                let mut columns = output.columns();
                let mut names = Vec::new();

                if let Some(alias) = alias {
                    columns = renamed(columns, alias)?;
                    names.push(alias.name.value.clone());
                }

                let text = format!("({}) AS {emitted}", output.sql);
                scope.sources.push(Source { names, emitted, columns, stored: None });
                Ok(text)
            }
            TableFactor::NestedJoin { table_with_joins, alias: None } => {
                let mut ignored = Vec::new();
                let mut text = self.factor(&table_with_joins.relation, scope)?;
                for join in &table_with_joins.joins {
                    text.push_str(&self.join(join, scope, &mut ignored)?);
                }
                Ok(format!("({text})"))
            }
            TableFactor::Function { name, args, alias, lateral: false, .. } => {
                self.table_function(name, args, alias.as_ref(), scope)
            }
            other => Err(Problem::text(format!("`{other}` is nothing to select from here"))),
        }
    }

    fn table(
        &mut self,
        name: &ObjectName,
        alias: Option<&TableAlias>,
        scope: &mut Scope<'_>,
    ) -> Result<String, Problem> {
        let words: Vec<_> = name
            .0
            .iter()
            .map(|part| part.as_ident().map(|ident| ident.value.as_str()).unwrap_or_default())
            .collect();
        let emitted = self.fresh('s');

        let named = |own: Vec<String>| match alias {
            Some(alias) => vec![alias.name.value.clone()],
            None => own,
        };

        if let [word] = words.as_slice()
            && let Some(table) = self.tables.iter().rev().find(|table| table.name == *word)
        {
            let text = format!("{} AS {emitted}", table.emitted);
            let columns = table.columns.clone();
            let names = named(vec![(*word).to_owned()]);
            scope.sources.push(Source { names, emitted, columns, stored: None });
            return Ok(text);
        }

        let stored = match words.as_slice() {
            ["agent", table] => tables::find(table),
            [other, _] => {
                let message = format!("there is no database `{other}`; tables are `agent.<table>`");
                return Err(Problem::Text(message));
            }
            [table] if tables::find(table).is_some() => {
                return Err(Problem::text(format!("tables are `agent.<table>`: `agent.{table}`")));
            }
            _ => None,
        };

        let Some(table) = stored else {
            let message = format!("there is no table `{}`; the schema lists all", words.join("."));
            return Err(Problem::Text(message));
        };
        let at = self.uses.iter().position(|used| used.table.name == table.name);
        let at = at.unwrap_or_else(|| {
            self.uses.push(Use { table, columns: Default::default(), spans: Vec::new() });
            self.uses.len() - 1
        });
        let columns = table.columns().into_iter().enumerate();

        let columns = columns.map(|(at, column)| Column {
            name: column.name.to_owned(),
            emitted: format!("c{at}"),
            ty: Ty::read(column.ty).unwrap_or(Ty::Any),
        });
        let names = named(vec![table.name.clone(), format!("agent.{}", table.name)]);

        let source = Source {
            names,
            emitted: emitted.clone(),
            columns: columns.collect(),
            stored: Some(at),
        };
        scope.sources.push(source);

        Ok(format!("t{at} AS {emitted}"))
    }

    /// `numbers(n)`, the one function that makes rows here: files, addresses and other servers
    /// are nothing that a query reaches.
    fn table_function(
        &mut self,
        name: &ObjectName,
        args: &[FunctionArg],
        alias: Option<&TableAlias>,
        scope: &mut Scope<'_>,
    ) -> Result<String, Problem> {
        let called = name.to_string();
        if called != "numbers" {
            let message = format!(
                "`{called}` is not read from: tables are `agent.<table>`, and `numbers(n)` counts"
            );
            return Err(Problem::Text(message));
        }

        let mut values = Vec::new();
        for arg in args {
            match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => {
                    values.push(self.whole(expr, "what `numbers` is given")?);
                }
                other => return Err(Problem::text(format!("`numbers` takes no `{other}`"))),
            }
        }

        let (first, count) = match values.as_slice() {
            [count] => (0, *count),
            [first, count] => (*first, *count),
            _ => return Err(Problem::text("`numbers` takes how many, or the first and how many")),
        };
        if count > MOST_NUMBERS {
            return Err(Problem::TooMuch(format!("`numbers` counts to {MOST_NUMBERS} at most")));
        }

        let (emitted, inner) = (self.fresh('s'), self.fresh('n'));
        let last = first.saturating_add(count).saturating_sub(1);
        let text = format!(
            "(WITH RECURSIVE {inner}(k0) AS (SELECT {first} WHERE {count} > 0 UNION ALL \
             SELECT k0 + 1 FROM {inner} WHERE k0 < {last}) SELECT k0 FROM {inner}) AS {emitted}"
        );
        let names = vec![alias.map_or("numbers".to_owned(), |alias| alias.name.value.clone())];
        let number = Column { name: "number".to_owned(), emitted: "k0".to_owned(), ty: Ty::Int };
        scope.sources.push(Source { names, emitted, columns: vec![number], stored: None });

        Ok(text)
    }
}

fn single(name: &ObjectName) -> Result<&Ident, Problem> {
    match name.0.as_slice() {
        [part] => part.as_ident().ok_or_else(|| Problem::text(format!("`{name}` is no column"))),
        _ => Err(Problem::text(format!("`{name}` in USING must be a single name"))),
    }
}
