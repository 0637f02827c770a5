//! Calls of aggregates: over groups, over windows, with a condition.

use sqlparser::ast::{DuplicateTreatment, Expr, Function, FunctionArguments};

use super::super::problem::Problem;
use super::Compiler;
use super::call::filled;
use super::functions::{self, Gives};
use super::scope::Scope;
use super::types::{Sql, Ty};

/// Parts of an aggregate that are put together last.
struct Parts {
    /// The call itself.
    core: Sql,
    /// ` FILTER (WHERE ...)`.
    filter: String,
    has_windows: bool,
}

impl Compiler<'_> {
    /// The aggregate called `name`, in lower case, without the `If` at its end.
    pub(super) fn aggregate(
        &mut self,
        function: &Function,
        name: &str,
        args: &[&Expr],
        has_if: bool,
        scope: &Scope<'_>,
    ) -> Result<Sql, Problem> {
        let written = function.name.to_string();
        let mut values = Vec::new();
        for arg in args {
            values.push(scope.row_by_row(|| self.expr(arg, scope))?);
        }

        let filters = self.filters(function, has_if, &mut values, scope)?;
        for value in values.iter().chain(&filters) {
            if (value.has_aggregate && function.over.is_none()) || value.has_window {
                return Err(Problem::text(format!("`{written}` holds another aggregate")));
            }
        }

        let parts = self.put_together(function, name, values, &filters)?;
        let mut sql = parts.core.clone().of(&filters);
        sql.text.push_str(&parts.filter);

        match &function.over {
            None => {
                sql.has_aggregate = true;
                // Inside an aggregate every column is grouped.
                sql.bare = None;
            }
            Some(over) => {
                if !parts.has_windows {
                    return Err(Problem::text(format!("`{written}` is not run over a window")));
                }
                let mut keys = Vec::new();
                let over = self.over(over, scope, &mut keys)?;
                sql = sql.of(&keys);
                sql.text.push_str(&format!(" OVER {over}"));
                sql.has_window = true;
            }
        }

        sql.is_constant = false;
        // The sum of nothing is 0.
        if name == "sum" {
            sql.text = format!("coalesce({}, 0)", sql.text);
        }

        Ok(sql)
    }

    /// Conditions: of `sumIf(x, condition)`, and of FILTER.
    fn filters(
        &mut self,
        function: &Function,
        has_if: bool,
        values: &mut Vec<Sql>,
        scope: &Scope<'_>,
    ) -> Result<Vec<Sql>, Problem> {
        let mut filters = Vec::new();
        if has_if {
            let missing = || Problem::text(format!("`{}` takes a condition last", function.name));
            filters.push(values.pop().ok_or_else(missing)?);
        }
        if let Some(filter) = &function.filter {
            filters.push(scope.row_by_row(|| self.expr(filter, scope))?);
        }
        Ok(filters)
    }

    fn put_together(
        &mut self,
        function: &Function,
        name: &str,
        values: Vec<Sql>,
        filters: &[Sql],
    ) -> Result<Parts, Problem> {
        let written = function.name.to_string();
        let conditions: Vec<_> = filters.iter().map(|filter| filter.text.as_str()).collect();
        let filter = if conditions.is_empty() {
            String::new()
        } else {
            format!(" FILTER (WHERE {})", conditions.join(" AND "))
        };

        let treatment = match &function.args {
            FunctionArguments::List(list) => list.duplicate_treatment,
            _ => None,
        };
        let distinct = treatment == Some(DuplicateTreatment::Distinct);

        if name == "count" {
            let text = match values.as_slice() {
                [] if !distinct => "count(*)".to_owned(),
                [one] if !distinct => format!("count({})", one.text),
                several if distinct && !several.is_empty() => {
                    format!("count(DISTINCT {})", together(several).text)
                }
                _ => return Err(Problem::text("`count` takes one value, or nothing")),
            };
            let core = Sql::new(text, Ty::Int).of(&values);
            return Ok(Parts { core, filter, has_windows: !distinct });
        }

        let aggregate = functions::aggregate(name)
            .ok_or_else(|| Problem::text(format!("there is no aggregate `{written}` here")))?;
        let mut values = self.fitted(&written, aggregate.takes, values)?;
        if aggregate.takes == "*+" {
            values = vec![together(&values)];
        }

        if distinct {
            if !matches!(name, "sum" | "avg" | "min" | "max") {
                return Err(Problem::text(format!("`{written}` takes no DISTINCT here")));
            }
            if let Some(first) = values.first_mut() {
                first.text = format!("DISTINCT {}", first.text);
            }
        }

        let parameters = self.parameters_of(function, aggregate.text.contains("$p"))?;
        let core = filled(aggregate.text, aggregate.gives, &values, &parameters);
        let core = match (aggregate.gives, core.ty) {
            // An average or a middle of whole numbers need not be one.
            (Gives::Is(ty), _) => Sql { ty, ..core },
            _ => core,
        };

        Ok(Parts { core, filter, has_windows: aggregate.has_windows && !distinct })
    }

    /// The parameters of `quantile(0.9)(x)`, as numbers.
    fn parameters_of(&mut self, function: &Function, is_taken: bool) -> Result<String, Problem> {
        let written = function.name.to_string();
        let FunctionArguments::List(list) = &function.parameters else {
            return Ok(match written.to_lowercase().trim_end_matches("if") {
                "quantiles" => {
                    return Err(Problem::text(
                        "`quantiles` takes levels: `quantiles(0.5, 0.9)(x)`",
                    ));
                }
                "topk" => "10",
                name if name.starts_with("quantile") => "0.5",
                _ => "0",
            }
            .to_owned());
        };

        if !is_taken {
            return Err(Problem::text(format!("`{written}` takes no parameters")));
        }

        let mut texts = Vec::new();
        for arg in &list.args {
            let number = arg.to_string();
            let value: f64 = number
                .parse()
                .map_err(|_| Problem::text(format!("`{number}` is no parameter of `{written}`")))?;
            if !(0.0..=1_000_000.0).contains(&value) {
                return Err(Problem::text(format!("`{number}` is out of range for `{written}`")));
            }

            texts.push(if value.fract() == 0.0 {
                format!("{value:.0}")
            } else {
                format!("{value:e}")
            });
        }

        let is_level = written.to_lowercase().starts_with("quantile");
        let is_list = written.to_lowercase().starts_with("quantiles");
        if texts.is_empty() || (texts.len() > 1 && !is_list) {
            return Err(Problem::text(format!("`{written}` takes one parameter")));
        }
        if is_level && texts.iter().any(|text| text.parse::<f64>().is_ok_and(|level| level > 1.0)) {
            return Err(Problem::text(format!("the level of `{written}` lies between 0 and 1")));
        }

        Ok(texts.join(", "))
    }
}

/// Several values as one that is equal only to its like.
fn together(values: &[Sql]) -> Sql {
    match values {
        [only] => only.clone(),
        several => super::expr::joined("json_array", several, Ty::Text),
    }
}
