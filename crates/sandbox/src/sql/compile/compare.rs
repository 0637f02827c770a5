//! Comparisons.

use sqlparser::ast::{Expr, Query};

use super::super::problem::Problem;
use super::Compiler;
use super::scope::Scope;
use super::types::{Sql, Ty};

impl Compiler<'_> {
    pub(super) fn compare(
        &mut self,
        left: &Expr,
        word: &str,
        right: &Expr,
        scope: &Scope<'_>,
    ) -> Result<Sql, Problem> {
        if let (Expr::Tuple(a), Expr::Tuple(b)) = (left, right) {
            return self.compare_tuples(a, word, b, scope);
        }
        let (a, b) = (self.expr(left, scope)?, self.expr(right, scope)?);
        self.compared(a, word, b)
    }

    /// A comparison of two values, of which a text literal may stand for a date or a number.
    pub(super) fn compared(&mut self, a: Sql, word: &str, b: Sql) -> Result<Sql, Problem> {
        let a = self.meant_like(a, b.ty)?;
        let b = self.meant_like(b, a.ty)?;
        a.compares_with(&b)?;
        Ok(Sql::new(format!("({} {word} {})", a.text, b.text), Ty::Int).of([&a, &b]))
    }

    pub(super) fn compare_tuples(
        &mut self,
        left: &[Expr],
        word: &str,
        right: &[Expr],
        scope: &Scope<'_>,
    ) -> Result<Sql, Problem> {
        if left.len() != right.len() || !matches!(word, "=" | "<>") {
            return Err(Problem::text("tuples of one length are compared with = and != only"));
        }
        let mut parts = Vec::new();
        for (a, b) in left.iter().zip(right) {
            parts.push(self.compare(a, "=", b, scope)?);
        }
        let texts: Vec<_> = parts.iter().map(|part| part.text.as_str()).collect();
        let not = if word == "=" { "" } else { "NOT " };
        Ok(Sql::new(format!("({not}({}))", texts.join(" AND ")), Ty::Int).of(&parts))
    }

    pub(super) fn between(
        &mut self,
        expr: &Expr,
        negated: bool,
        low: &Expr,
        high: &Expr,
        scope: &Scope<'_>,
    ) -> Result<Sql, Problem> {
        let value = self.expr(expr, scope)?;
        let mut bounds = Vec::new();
        for bound in [low, high] {
            let bound = self.expr(bound, scope)?;
            let bound = self.meant_like(bound, value.ty)?;
            value.compares_with(&bound)?;
            bounds.push(bound);
        }

        let not = if negated { "NOT " } else { "" };
        let text =
            format!("({} {not}BETWEEN {} AND {})", value.text, bounds[0].text, bounds[1].text);

        Ok(Sql::new(text, Ty::Int).of(bounds.iter().chain([&value])))
    }

    pub(super) fn in_list(
        &mut self,
        expr: &Expr,
        list: &[Expr],
        negated: bool,
        scope: &Scope<'_>,
    ) -> Result<Sql, Problem> {
        let not = if negated { "NOT " } else { "" };
        if let Expr::Tuple(parts) = expr {
            let mut rows = Vec::new();
            for item in list {
                let Expr::Tuple(values) = item else {
                    return Err(Problem::text("a tuple is IN a list of tuples"));
                };
                rows.push(self.compare_tuples(parts, "=", values, scope)?);
            }
            let texts: Vec<_> = rows.iter().map(|row| row.text.as_str()).collect();
            let any = if texts.is_empty() { "0".to_owned() } else { texts.join(" OR ") };
            return Ok(Sql::new(format!("({not}({any}))"), Ty::Int).of(&rows));
        }

        let value = self.expr(expr, scope)?;
        // `x IN [1, 2]` and `x IN ((1, 2))` mean the same as without the outer brackets.
        let list = match list {
            [Expr::Array(array)] => &array.elem,
            [Expr::Tuple(items)] => items,
            list => list,
        };
        let mut items = Vec::new();

        for item in list {
            let item = self.expr(item, scope)?;
            let item = self.meant_like(item, value.ty)?;
            value.compares_with(&item)?;
            items.push(item);
        }

        if let ([item], Ty::Array) = (items.as_slice(), items.first().map_or(Ty::Any, |i| i.ty)) {
            let has = self.apply("has", vec![item.clone(), value])?;
            return Ok(Sql { text: format!("({not}{})", has.text), ..has });
        }

        let texts: Vec<_> = items.iter().map(|item| item.text.as_str()).collect();
        let text = format!("({} {not}IN ({}))", value.text, texts.join(", "));
        Ok(Sql::new(text, Ty::Int).of(items.iter().chain([&value])))
    }

    pub(super) fn in_subquery(
        &mut self,
        expr: &Expr,
        query: &Query,
        negated: bool,
        scope: &Scope<'_>,
    ) -> Result<Sql, Problem> {
        let values = match expr {
            Expr::Tuple(parts) => self.exprs(parts, scope)?,
            other => vec![self.expr(other, scope)?],
        };
        let inner = self.query(query, Some(scope))?;
        let (given, there) = (values.len(), inner.columns.len());

        if given != there {
            return Err(Problem::text(format!(
                "{given} values are IN a subquery of {there} columns"
            )));
        }

        for (value, (name, ty)) in values.iter().zip(&inner.columns) {
            value.compares_with(&Sql::new(name.as_str(), *ty))?;
        }

        let texts: Vec<_> = values.iter().map(|value| value.text.as_str()).collect();
        let left =
            if texts.len() == 1 { texts[0].to_owned() } else { format!("({})", texts.join(", ")) };
        let not = if negated { "NOT " } else { "" };
        let mut sql = Sql::new(format!("({left} {not}IN ({}))", inner.sql), Ty::Int).of(&values);
        sql.is_constant = false;

        Ok(sql)
    }

    pub(super) fn like(
        &mut self,
        expr: &Expr,
        pattern: &Expr,
        negated: bool,
        any_case: bool,
        scope: &Scope<'_>,
    ) -> Result<Sql, Problem> {
        let (value, pattern) = (self.expr(expr, scope)?, self.expr(pattern, scope)?);
        let sql = self.apply(if any_case { "ilike" } else { "like" }, vec![value, pattern])?;
        let text = if negated { format!("(NOT {})", sql.text) } else { sql.text.clone() };
        Ok(Sql { text, ..sql })
    }
}
