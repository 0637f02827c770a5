//! Expressions.

use sqlparser::ast::{
    AccessExpr, BinaryOperator, CaseWhen, CeilFloorKind, Expr, Subscript, TrimWhereField,
    UnaryOperator, Value,
};

use super::super::problem::Problem;
use super::scope::Scope;
use super::types::{Sql, Ty};
use super::{Compiler, LONGEST};

impl Compiler<'_> {
    pub(super) fn expr(&mut self, expr: &Expr, scope: &Scope<'_>) -> Result<Sql, Problem> {
        self.spend()?;
        let mut sql = self.any(expr, scope)?;
        if sql.text.len() > LONGEST {
            return Err(Problem::text("the query is too large once every alias is replaced"));
        }
        if sql.bare.is_some() && scope.groups.borrow().contains(&sql.text) {
            sql.bare = None;
        }
        Ok(sql)
    }

    fn any(&mut self, expr: &Expr, scope: &Scope<'_>) -> Result<Sql, Problem> {
        match expr {
            Expr::Identifier(name) => self.name(std::slice::from_ref(name), scope),
            Expr::CompoundIdentifier(parts) => self.name(parts, scope),
            Expr::Value(value) => self.literal(&value.value),
            Expr::Nested(inner) => {
                let inner = self.expr(inner, scope)?;
                Ok(Sql { text: format!("({})", inner.text), ..inner })
            }
            Expr::BinaryOp { left, op, right } => self.binary(left, op, right, scope),
            Expr::UnaryOp { op, expr } => self.unary(op, expr, scope),
            Expr::Function(function) => self.call(function, scope),
            Expr::IsNull(inner) => self.test(inner, "IS NULL", scope),
            Expr::IsNotNull(inner) => self.test(inner, "IS NOT NULL", scope),
            Expr::IsTrue(inner) => self.test(inner, "IS TRUE", scope),
            Expr::IsNotTrue(inner) => self.test(inner, "IS NOT TRUE", scope),
            Expr::IsFalse(inner) => self.test(inner, "IS FALSE", scope),
            Expr::IsNotFalse(inner) => self.test(inner, "IS NOT FALSE", scope),
            Expr::IsDistinctFrom(a, b) => self.compare(a, "IS NOT", b, scope),
            Expr::IsNotDistinctFrom(a, b) => self.compare(a, "IS", b, scope),
            Expr::Between { expr, negated, low, high } => {
                self.between(expr, *negated, low, high, scope)
            }
            Expr::InList { expr, list, negated } => self.in_list(expr, list, *negated, scope),
            Expr::InSubquery { expr, subquery, negated } => {
                self.in_subquery(expr, subquery, *negated, scope)
            }
            Expr::Like { negated, any: false, expr, pattern, escape_char: None } => {
                self.like(expr, pattern, *negated, false, scope)
            }
            Expr::ILike { negated, any: false, expr, pattern, escape_char: None } => {
                self.like(expr, pattern, *negated, true, scope)
            }
            Expr::Case { operand, conditions, else_result, .. } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref(), scope)
            }
            Expr::Cast { expr, data_type, .. } => {
                let value = self.expr(expr, scope)?;
                self.convert(value, &data_type.to_string())
            }
            Expr::TypedString(typed) => {
                let value = self.literal(&typed.value.value)?;
                self.convert(value, &typed.data_type.to_string())
            }
            Expr::Extract { field, expr, .. } => {
                let name = format!("to{}", field.to_string().to_lowercase());
                let value = self.expr(expr, scope)?;
                self.apply(&name, vec![value])
            }
            Expr::Ceil { expr, field } => self.rounded("ceil", expr, field, scope),
            Expr::Floor { expr, field } => self.rounded("floor", expr, field, scope),
            Expr::Position { expr, r#in } => {
                let (needle, hay) = (self.expr(expr, scope)?, self.expr(r#in, scope)?);
                self.apply("position", vec![hay, needle])
            }
            Expr::Substring { expr, substring_from, substring_for, .. } => {
                let mut values = vec![self.expr(expr, scope)?];
                for part in substring_from.iter().chain(substring_for) {
                    values.push(self.expr(part, scope)?);
                }
                self.apply("substring", values)
            }
            Expr::Trim { trim_where, trim_what: None, expr, trim_characters: None } => {
                let name = match trim_where {
                    Some(TrimWhereField::Leading) => "trimleft",
                    Some(TrimWhereField::Trailing) => "trimright",
                    Some(TrimWhereField::Both) | None => "trimboth",
                };
                let value = self.expr(expr, scope)?;
                self.apply(name, vec![value])
            }
            Expr::Exists { subquery, negated } => {
                let inner = self.query(subquery, Some(scope))?;
                let word = if *negated { "NOT EXISTS" } else { "EXISTS" };
                let mut sql = Sql::new(format!("({word} ({}))", inner.sql), Ty::Int);
                sql.is_constant = false;
                Ok(sql)
            }
            Expr::Subquery(query) => {
                let inner = self.query(query, Some(scope))?;
                let [(_, ty)] = inner.columns.as_slice() else {
                    return Err(Problem::text("a subquery that is a value has one column"));
                };
                let mut sql = Sql::new(format!("({})", inner.sql), *ty);
                sql.is_constant = false;
                Ok(sql)
            }
            Expr::Array(array) => {
                let values = self.exprs(&array.elem, scope)?;
                Ok(joined("json_array", &values, Ty::Array))
            }
            Expr::CompoundFieldAccess { root, access_chain } => {
                self.element(root, access_chain, scope)
            }
            Expr::Interval(_) => {
                Err(Problem::text("an INTERVAL is added to a time or taken from one"))
            }
            other => Err(Problem::text(format!("`{other}` is not run here"))),
        }
    }

    pub(super) fn exprs(&mut self, exprs: &[Expr], scope: &Scope<'_>) -> Result<Vec<Sql>, Problem> {
        exprs.iter().map(|expr| self.expr(expr, scope)).collect()
    }

    pub(super) fn literal(&mut self, value: &Value) -> Result<Sql, Problem> {
        Ok(match value {
            Value::Number(text, _) => number(text)?,
            Value::SingleQuotedString(text) => self.text(text),
            Value::Boolean(truth) => Sql::new(if *truth { "1" } else { "0" }, Ty::Int),
            Value::Null => Sql::new("NULL", Ty::Null),
            other => return Err(Problem::text(format!("`{other}` is no value here"))),
        })
    }

    /// A text as a parameter.
    pub(super) fn text(&mut self, text: &str) -> Sql {
        let mut sql = Sql::new(self.parameter(text), Ty::Text);
        sql.literal = Some(text.to_owned());
        sql
    }

    fn unary(
        &mut self,
        op: &UnaryOperator,
        expr: &Expr,
        scope: &Scope<'_>,
    ) -> Result<Sql, Problem> {
        let value = self.expr(expr, scope)?;
        let (word, ty) = match op {
            UnaryOperator::Minus => ("-", value.ty),
            UnaryOperator::Plus => ("+", value.ty),
            UnaryOperator::Not | UnaryOperator::BangNot => ("NOT ", Ty::Int),
            other => return Err(Problem::text(format!("`{other}` is not run here"))),
        };
        if word != "NOT " {
            value.must_be(Ty::Float, &format!("what follows `{word}`"))?;
        }
        Ok(Sql::new(format!("({word}{})", value.text), ty).of([&value]))
    }

    fn binary(
        &mut self,
        left: &Expr,
        op: &BinaryOperator,
        right: &Expr,
        scope: &Scope<'_>,
    ) -> Result<Sql, Problem> {
        let word = match op {
            BinaryOperator::Eq => "=",
            BinaryOperator::NotEq => "<>",
            BinaryOperator::Gt => ">",
            BinaryOperator::Lt => "<",
            BinaryOperator::GtEq => ">=",
            BinaryOperator::LtEq => "<=",
            BinaryOperator::Spaceship => "IS",
            BinaryOperator::And | BinaryOperator::Or => {
                let (a, b) = (self.expr(left, scope)?, self.expr(right, scope)?);
                let word = if *op == BinaryOperator::And { "AND" } else { "OR" };
                return Ok(
                    Sql::new(format!("({} {word} {})", a.text, b.text), Ty::Int).of([&a, &b])
                );
            }

            BinaryOperator::Xor => {
                let values = vec![self.expr(left, scope)?, self.expr(right, scope)?];
                return self.apply("xor", values);
            }
            BinaryOperator::StringConcat => {
                let values = vec![self.expr(left, scope)?, self.expr(right, scope)?];
                return self.apply("concat", values);
            }

            BinaryOperator::Plus => return self.sum(left, right, false, scope),
            BinaryOperator::Minus => return self.sum(left, right, true, scope),
            BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Modulo => {
                let values = vec![self.expr(left, scope)?, self.expr(right, scope)?];
                let name = match op {
                    BinaryOperator::Multiply => "multiply",
                    BinaryOperator::Divide => "divide",
                    _ => "modulo",
                };
                return self.apply(name, values);
            }

            BinaryOperator::MyIntegerDivide => {
                let values = vec![self.expr(left, scope)?, self.expr(right, scope)?];
                return self.apply("intdiv", values);
            }

            other => return Err(Problem::text(format!("`{other}` is not run here"))),
        };

        self.compare(left, word, right, scope)
    }

    fn case(
        &mut self,
        operand: Option<&Expr>,
        conditions: &[CaseWhen],
        else_result: Option<&Expr>,
        scope: &Scope<'_>,
    ) -> Result<Sql, Problem> {
        let mut parts = Vec::new();
        let (mut text, mut ty) = ("CASE".to_owned(), Ty::Null);
        for when in conditions {
            let condition = match operand {
                Some(operand) => self.compare(operand, "=", &when.condition, scope)?,
                None => self.expr(&when.condition, scope)?,
            };
            let result = self.expr(&when.result, scope)?;
            text.push_str(&format!(" WHEN {} THEN {}", condition.text, result.text));
            ty = ty.or(result.ty);
            parts.extend([condition, result]);
        }

        if let Some(result) = else_result {
            let result = self.expr(result, scope)?;
            text.push_str(&format!(" ELSE {}", result.text));
            ty = ty.or(result.ty);
            parts.push(result);
        }

        text.push_str(" END");
        Ok(Sql::new(text, ty).of(&parts))
    }

    fn test(&mut self, expr: &Expr, word: &str, scope: &Scope<'_>) -> Result<Sql, Problem> {
        let value = self.expr(expr, scope)?;
        Ok(Sql::new(format!("({} {word})", value.text), Ty::Int).of([&value]))
    }

    fn rounded(
        &mut self,
        name: &str,
        expr: &Expr,
        field: &CeilFloorKind,
        scope: &Scope<'_>,
    ) -> Result<Sql, Problem> {
        let mut values = vec![self.expr(expr, scope)?];
        match field {
            CeilFloorKind::Scale(scale) => values.push(self.literal(&scale.value)?),
            CeilFloorKind::DateTimeField(field) if field.to_string().is_empty() => {}
            CeilFloorKind::DateTimeField(sqlparser::ast::DateTimeField::NoDateTime) => {}
            CeilFloorKind::DateTimeField(field) => {
                return Err(Problem::text(format!("{name} to {field} is not run here")));
            }
        }
        self.apply(name, values)
    }

    fn element(
        &mut self,
        root: &Expr,
        chain: &[AccessExpr],
        scope: &Scope<'_>,
    ) -> Result<Sql, Problem> {
        let mut value = self.expr(root, scope)?;
        for access in chain {
            let AccessExpr::Subscript(Subscript::Index { index }) = access else {
                return Err(Problem::text(format!("`{access}` is not run here")));
            };
            let index = self.expr(index, scope)?;
            value = self.apply("arrayelement", vec![value, index])?;
        }
        Ok(value)
    }
}

/// A call of a function of the engine with all values in their order.
pub(super) fn joined(name: &str, values: &[Sql], ty: Ty) -> Sql {
    let texts: Vec<_> = values.iter().map(|value| value.text.as_str()).collect();
    Sql::new(format!("{name}({})", texts.join(", ")), ty).of(values)
}

/// A number, written again: a whole one where it fits.
fn number(text: &str) -> Result<Sql, Problem> {
    let digits = text.replace('_', "");
    if let Ok(whole) = digits.parse::<i64>() {
        return Ok(Sql::new(whole.to_string(), Ty::Int));
    }
    match digits.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(Sql::new(format!("{number:e}"), Ty::Float)),
        _ => Err(Problem::text(format!("`{text}` is no number"))),
    }
}
