//! Calls of functions.

use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments,
};

use crate::moment::DAY;

use super::super::problem::Problem;
use super::Compiler;
use super::expr::joined;
use super::functions::{self, Aggregate, Gives};
use super::scope::Scope;
use super::types::{Sql, Ty};

/// The values that a function is given; `*` is none.
pub(super) fn arguments(function: &Function) -> Result<Vec<&Expr>, Problem> {
    let name = &function.name;
    let FunctionArguments::List(list) = &function.args else {
        return Err(Problem::text(format!("`{name}` is called with brackets")));
    };
    if !list.clauses.is_empty() {
        return Err(Problem::text(format!("`{name}` takes nothing but values here")));
    }
    let args = list.args.iter().filter_map(|arg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(Ok(expr)),
        FunctionArg::Unnamed(FunctionArgExpr::Wildcard) if list.args.len() == 1 => None,
        other => Some(Err(Problem::text(format!("`{name}` takes no `{other}`")))),
    });
    args.collect()
}

fn is_distinct(function: &Function) -> bool {
    matches!(&function.args, FunctionArguments::List(list)
        if list.duplicate_treatment == Some(DuplicateTreatment::Distinct))
}

impl Compiler<'_> {
    pub(super) fn call(&mut self, function: &Function, scope: &Scope<'_>) -> Result<Sql, Problem> {
        let written = function.name.to_string();
        let name = written.to_lowercase();
        if !function.within_group.is_empty() || function.null_treatment.is_some() {
            return Err(Problem::text(format!("`{written}` takes nothing but values here")));
        }

        let args = arguments(function)?;
        let (plain, has_if) = match name.strip_suffix("if") {
            Some(plain) if is_aggregate(plain) => (plain, true),
            _ => (name.as_str(), false),
        };
        if is_aggregate(plain) && !(plain == "any" && args.is_empty()) {
            return self.aggregate(function, plain, &args, has_if, scope);
        }
        if let Some(windowed) = functions::windowed(&name) {
            return self.windowed(function, windowed, &args, scope);
        }
        if function.over.is_some() || function.filter.is_some() || is_distinct(function) {
            return Err(Problem::text(format!("`{written}` is no aggregate")));
        }
        if function.parameters != FunctionArguments::None {
            return Err(Problem::text(format!("`{written}` takes no parameters")));
        }
        if let Some(sql) = self.of_units(&name, &args, scope)? {
            return Ok(sql);
        }

        let mut values = Vec::new();
        for arg in args {
            values.push(self.expr(arg, scope)?);
        }

        self.apply(&name, values).map_err(|problem| match problem {
            Problem::Text(message) => {
                Problem::Text(message.replace(&format!("`{name}`"), &format!("`{written}`")))
            }
            other => other,
        })
    }

    /// The function of single values called `name`, in lower case, of `values`.
    pub(super) fn apply(&mut self, name: &str, values: Vec<Sql>) -> Result<Sql, Problem> {
        if let Some(sql) = self.special(name, &values)? {
            return Ok(sql);
        }
        let Some(function) = functions::scalar(name) else {
            let hint = match name {
                "arrayjoin" => "; rows are not made of arrays here",
                "match" | "extract" | "replaceregexpall" | "replaceregexpone" => {
                    "; patterns are those of LIKE here"
                }
                "rand" | "rand32" | "rand64" | "randcanonical" | "generateuuidv4" => {
                    "; the same query has the same answer here"
                }
                _ => "",
            };
            return Err(Problem::text(format!("there is no function `{name}` here{hint}")));
        };
        let values = self.fitted(name, function.takes, values)?;
        Ok(filled(function.text, function.gives, &values, ""))
    }

    /// Values that fit what a function takes.
    pub(super) fn fitted(
        &mut self,
        name: &str,
        takes: &str,
        values: Vec<Sql>,
    ) -> Result<Vec<Sql>, Problem> {
        let (least, given) = (functions::least(takes), values.len());
        if given < least {
            return Err(Problem::text(format!(
                "`{name}` takes {least} values and is given {given}"
            )));
        }

        let mut fitted = Vec::new();
        for (at, value) in values.into_iter().enumerate() {
            let what = || format!("value {} of `{name}`", at + 1);
            let value = match functions::letter(takes, at) {
                None => {
                    return Err(Problem::text(format!("`{name}` takes no {given} values")));
                }
                Some('t') => {
                    value.must_be(Ty::Text, &what())?;
                    value
                }

                Some('n') => {
                    value.must_be(Ty::Float, &what())?;
                    value
                }
                Some('a') => {
                    value.must_be(Ty::Array, &what())?;
                    value
                }

                Some('d') => {
                    let value = self.meant_like(value, Ty::DateTime)?;
                    value.must_be(Ty::DateTime, &what())?;
                    value
                }

                Some(_) => value,
            };
            fitted.push(value);
        }

        Ok(fitted)
    }

    /// Functions whose types, or numbers of values, no table tells.
    fn special(&mut self, name: &str, values: &[Sql]) -> Result<Option<Sql>, Problem> {
        Ok(Some(match (name, values) {
            ("now" | "now64", []) => Sql::new(self.now.to_string(), Ty::DateTime),
            ("today" | "current_date" | "curdate", []) => {
                Sql::new((self.now - self.now.rem_euclid(DAY)).to_string(), Ty::Date)
            }
            ("yesterday", []) => {
                Sql::new((self.now - self.now.rem_euclid(DAY) - DAY).to_string(), Ty::Date)
            }
            ("plus", [a, b]) => self.added(a.clone(), b.clone(), false)?,
            ("minus", [a, b]) => self.added(a.clone(), b.clone(), true)?,
            ("equals", [a, b]) => self.compared(a.clone(), "=", b.clone())?,
            ("notequals", [a, b]) => self.compared(a.clone(), "<>", b.clone())?,
            ("less", [a, b]) => self.compared(a.clone(), "<", b.clone())?,
            ("greater", [a, b]) => self.compared(a.clone(), ">", b.clone())?,
            ("lessorequals", [a, b]) => self.compared(a.clone(), "<=", b.clone())?,
            ("greaterorequals", [a, b]) => self.compared(a.clone(), ">=", b.clone())?,
            ("if", [condition, a, b]) => {
                let text = format!("iif({}, {}, {})", condition.text, a.text, b.text);
                Sql::new(text, a.ty.or(b.ty)).of(values)
            }
            ("multiif", [.., last]) if values.len() >= 3 && values.len() % 2 == 1 => {
                let mut ty = last.ty;
                let mut text = "CASE".to_owned();
                for pair in values[..values.len() - 1].chunks_exact(2) {
                    text.push_str(&format!(" WHEN {} THEN {}", pair[0].text, pair[1].text));
                    ty = ty.or(pair[1].ty);
                }
                Sql::new(format!("{text} ELSE {} END", last.text), ty).of(values)
            }
            ("and" | "or", [_, _, ..]) => {
                let texts: Vec<_> = values.iter().map(|value| value.text.as_str()).collect();
                let word = if name == "and" { " AND " } else { " OR " };
                Sql::new(format!("({})", texts.join(word)), Ty::Int).of(values)
            }
            ("greatest" | "least" | "coalesce" | "ifnull", [only]) if name != "ifnull" => {
                only.clone()
            }
            ("greatest" | "least" | "coalesce" | "ifnull", [first, ..]) => {
                let mut ty = first.ty;
                let mut alike = Vec::new();
                let known = values.iter().find(|value| value.ty.is_time());

                for value in values {
                    let other = known.map_or(first.ty, |time| time.ty);
                    let value = if other.is_time() {
                        self.meant_like(value.clone(), other)?
                    } else {
                        value.clone()
                    };
                    ty = ty.or(value.ty);
                    alike.push(value);
                }

                let engine = match name {
                    "greatest" => "max",
                    "least" => "min",
                    _ => "coalesce",
                };

                joined(
                    engine,
                    &alike,
                    if ty == Ty::Any { known.map_or(Ty::Any, |k| k.ty) } else { ty },
                )
            }
            ("concat", [_, ..]) => {
                let texts: Vec<_> = values
                    .iter()
                    .map(|value| Ok(self.shown(value)?.text))
                    .collect::<Result<_, Problem>>()?;
                Sql::new(format!("({})", texts.join(" || ")), Ty::Text).of(values)
            }
            ("tostring", [value]) => self.shown(value)?,
            ("todate" | "todate32" | "date", [value]) => self.dated(value)?,
            ("todatetime" | "todatetime64", [value, ..]) => match value.ty {
                Ty::Text => {
                    Sql { ty: Ty::DateTime, ..self.meant_like(value.clone(), Ty::DateTime)? }
                }
                Ty::Int | Ty::Date | Ty::DateTime | Ty::Any | Ty::Null => {
                    Sql { ty: Ty::DateTime, literal: None, ..value.clone() }
                }
                _ => {
                    let whole = self.apply("toint64", vec![value.clone()])?;
                    Sql { ty: Ty::DateTime, ..whole }
                }
            },
            ("length" | "empty" | "notempty", [value]) => {
                let length = match value.ty {
                    Ty::Array => format!("json_array_length({})", value.text),
                    _ => {
                        value.must_be(Ty::Text, &format!("what `{name}` is given"))?;
                        format!("octet_length({})", value.text)
                    }
                };

                let text = match name {
                    "empty" => format!("({length} = 0)"),
                    "notempty" => format!("({length} > 0)"),
                    _ => length,
                };

                Sql::new(text, Ty::Int).of(values)
            }
            ("json_array", []) => Sql::new("json_array()", Ty::Array),
            _ => return Ok(None),
        }))
    }

    /// A value as a text.
    fn shown(&mut self, value: &Sql) -> Result<Sql, Problem> {
        let text = match value.ty {
            Ty::Text | Ty::Array => return Ok(Sql { ty: Ty::Text, ..value.clone() }),
            Ty::Date => format!("ch_show({}, 1)", value.text),
            Ty::DateTime => format!("ch_show({}, 0)", value.text),
            _ => format!("ch_text({})", value.text),
        };
        Ok(Sql::new(text, Ty::Text).of([value]))
    }

    fn dated(&mut self, value: &Sql) -> Result<Sql, Problem> {
        let time = match value.ty {
            Ty::Date => return Ok(value.clone()),
            Ty::Text => self.meant_like(value.clone(), Ty::DateTime)?,
            // A small number counts days, a large one seconds.
            Ty::Int => Sql::new(format!("ch_days({})", value.text), Ty::DateTime).of([value]),
            _ => {
                value.must_be(Ty::DateTime, "what `toDate` is given")?;
                value.clone()
            }
        };
        Ok(Sql::new(format!("ch_start({}, 'day', 1)", time.text), Ty::Date).of([&time]))
    }

    fn windowed(
        &mut self,
        function: &Function,
        windowed: &Aggregate,
        args: &[&Expr],
        scope: &Scope<'_>,
    ) -> Result<Sql, Problem> {
        let name = function.name.to_string();
        let Some(over) = &function.over else {
            return match name.to_lowercase().as_str() {
                "first_value" => self.aggregate(function, "any", args, false, scope),
                "last_value" => self.aggregate(function, "anylast", args, false, scope),
                _ => Err(Problem::text(format!("`{name}` needs OVER"))),
            };
        };
        let mut values = Vec::new();
        for arg in args {
            values.push(self.expr(arg, scope)?);
        }

        let mut values = self.fitted(&name, windowed.takes, values)?;
        // What lies outside the window is empty rather than nothing, as the dialect has it.
        if windowed.text.starts_with('l') && windowed.takes == "*|n*" {
            if values.len() == 1 {
                values.push(Sql::new("1", Ty::Int));
            }
            if values.len() == 2 {
                values.push(Sql::new(values[0].ty.empty(), values[0].ty));
            }
        }

        let mut parts = values.clone();
        let over = self.over(over, scope, &mut parts)?;
        let mut sql = filled(windowed.text, windowed.gives, &values, "").of(&parts);
        sql.text = format!("{} OVER {over}", sql.text);
        sql.has_window = true;
        sql.is_constant = false;

        Ok(sql)
    }
}

/// Whether `name`, in lower case, is an aggregate.
pub(super) fn is_aggregate(name: &str) -> bool {
    name == "count" || functions::aggregate(name).is_some()
}

/// A template with its values.
pub(super) fn filled(template: &str, gives: Gives, values: &[Sql], parameters: &str) -> Sql {
    let texts: Vec<_> = values.iter().map(|value| value.text.as_str()).collect();
    let mut text = String::new();
    let mut letters = template.chars().peekable();

    while let Some(letter) = letters.next() {
        let mark = letters.peek().copied().filter(|_| letter == '$');
        match mark {
            Some('*') => text.push_str(&texts.join(", ")),
            Some('p') => text.push_str(parameters),
            Some(digit) if digit.is_ascii_digit() => {
                let at = digit.to_digit(10).map_or(0, |digit| digit as usize).saturating_sub(1);
                text.push_str(texts.get(at).copied().unwrap_or("NULL"));
            }
            _ => {
                text.push(letter);
                continue;
            }
        }

        letters.next();
    }

    let ty = match gives {
        Gives::Is(ty) => ty,
        Gives::First => values.first().map_or(Ty::Any, |value| value.ty),
        Gives::Common => values.iter().fold(Ty::Null, |ty, value| ty.or(value.ty)),
    };

    Sql::new(text, ty).of(values)
}
