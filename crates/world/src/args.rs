//! The parameters of one request, read and held to the catalogue as the service would.

use std::collections::BTreeMap;

use crypto_intel_core::{In, Operation, Param, ParamKind, Rule, long_chain_name};
use serde_json::{Map, Value};

use crate::moment;
use crate::refusal::Refusal;
use crate::schema;

/// Checked parameters. Getters fall back on the default of the catalogue.
#[derive(Debug)]
pub struct Args {
    /// What is called.
    pub operation: &'static Operation,
    given: BTreeMap<&'static str, Value>,
}

/// Where a request carries its parameters.
#[derive(Debug, Clone, Copy)]
pub struct Carriers<'a> {
    /// The query string, without its question mark.
    pub query: &'a str,
    /// Values of the parameters in the path, decoded.
    pub path_values: &'a [(&'static str, String)],
    /// Names and values; names match whatever their case.
    pub headers: &'a [(&'a str, &'a [u8])],
    /// Members of the JSON body, where there is one.
    pub body: Option<&'a Map<String, Value>>,
    /// Members of the body that chose this operation among others of its path.
    pub switches: &'a [&'static str],
    /// Members of the body that are taken as they are, although the description lacks them.
    pub undescribed: &'static [&'static str],
}

impl Args {
    /// Reads and checks every parameter of `operation`.
    ///
    /// # Errors
    /// 400 for what is missing, unknown, given twice or contradictory; 422 for a value of the
    /// wrong type, out of range or not in its set. The message names the parameter.
    pub fn read(operation: &'static Operation, carriers: Carriers<'_>) -> Result<Self, Refusal> {
        let mut args = Args { operation, given: BTreeMap::new() };
        args.read_query(carriers.query)?;
        for (name, text) in carriers.path_values {
            args.read_text(operation, name, In::Path, text)?;
        }

        for param in operation.params.iter().filter(|p| p.location == In::Header) {
            let found =
                carriers.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(param.name));
            if let Some((_, value)) = found {
                let text = std::str::from_utf8(value)
                    .ok()
                    .filter(|text| text.chars().all(|c| c == '\t' || (' '..='~').contains(&c)))
                    .ok_or_else(|| {
                        Refusal::unfit(format!("`{}` must be plain text", param.name))
                    })?;
                args.given.insert(param.name, Value::from(text));
            }
        }

        if let Some(members) = carriers.body {
            args.read_body(members, &carriers)?;
        }

        args.check_presence()?;
        args.check_range()?;
        Ok(args)
    }

    fn read_query(&mut self, query: &str) -> Result<(), Refusal> {
        for (name, text) in form_urlencoded::parse(query.as_bytes()) {
            self.read_text(self.operation, &name, In::Query, &text)?;
        }
        Ok(())
    }

    fn read_text(
        &mut self,
        operation: &'static Operation,
        name: &str,
        location: In,
        text: &str,
    ) -> Result<(), Refusal> {
        let known = operation.param(name).filter(|(_, param)| param.location == location);
        let Some((_, param)) = known else {
            return Err(unknown(operation, name, location));
        };
        refuse(param)?;
        // The description allows an empty text for an optional moment: none is meant.
        if text.is_empty() && !param.required && param.kind == ParamKind::Moment {
            return Ok(());
        }
        let value = from_text(param, operation, text)?;

        match (self.given.get_mut(param.name), value) {
            (None, value) => {
                self.given.insert(param.name, value);
            }
            (Some(Value::Array(items)), Value::Array(more))
                if matches!(param.kind, ParamKind::List { repeated: true }) =>
            {
                items.extend(more);
            }
            (Some(_), _) => {
                return Err(Refusal::invalid(format!("`{name}` is given more than once")));
            }
        }

        Ok(())
    }

    fn read_body(
        &mut self,
        members: &Map<String, Value>,
        carriers: &Carriers<'_>,
    ) -> Result<(), Refusal> {
        for (name, value) in members {
            let known = self.operation.param(name).filter(|(_, param)| param.location == In::Body);
            let Some((_, param)) = known else {
                if let Some(name) = carriers.undescribed.iter().find(|known| *known == name) {
                    self.given.insert(name, value.clone());
                    continue;
                }
                if carriers.switches.contains(&name.as_str()) {
                    if value.is_boolean() || value.is_null() {
                        continue;
                    }
                    return Err(Refusal::unfit(format!("`{name}` must be true or false")));
                }
                return Err(unknown(self.operation, name, In::Body));
            };
            refuse(param)?;

            // A client that writes null where it has nothing means absence.
            if !value.is_null() {
                check_json(param, value)?;
                self.given.insert(param.name, value.clone());
            }
        }

        Ok(())
    }

    fn check_presence(&self) -> Result<(), Refusal> {
        for param in self.operation.params.iter().filter(|param| param.required) {
            if !self.given.contains_key(param.name) {
                return Err(Refusal::invalid(format!("`{}` is required", param.name)));
            }
        }

        let list = |names: &[&str]| {
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
        };

        for rule in self.operation.rules {
            let (names, most) = match rule {
                Rule::AtLeastOne(names) => (*names, names.len()),
                Rule::ExactlyOne(names) => (*names, 1),
            };
            let given = names.iter().filter(|name| self.given.contains_key(**name)).count();
            if given == 0 {
                return Err(Refusal::invalid(format!("{} is required", list(names))));
            }
            if given > most {
                return Err(Refusal::invalid(format!("only one of {} may be given", list(names))));
            }
        }

        Ok(())
    }

    /// A range must not end before it starts.
    fn check_range(&self) -> Result<(), Refusal> {
        for (start, end) in
            [("from", "to"), ("start_time", "end_time"), ("open_time", "close_time")]
        {
            if let (Some(from), Some(to)) = (self.moment(start), self.moment(end))
                && from > to
            {
                return Err(Refusal::invalid(format!("`{start}` is after `{end}`")));
            }
        }
        Ok(())
    }

    /// Whether the request has the parameter itself.
    pub fn is_given(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// The value of the request, without defaults.
    pub fn given(&self, name: &str) -> Option<&Value> {
        self.given.get(name)
    }

    /// What the request says, in the order of names, without defaults.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.given.iter().map(|(name, value)| (*name, value))
    }

    fn default_of(&self, name: &str) -> Option<&'static str> {
        self.operation.param(name)?.1.default
    }

    /// A text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.given.get(name) {
            Some(value) => value.as_str(),
            None => self.default_of(name),
        }
    }

    /// A whole number.
    pub fn integer(&self, name: &str) -> Option<i64> {
        match self.given.get(name) {
            Some(value) => value.as_i64(),
            None => self.default_of(name)?.parse().ok(),
        }
    }

    /// A number, also where the description declares a text.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.given.get(name) {
            Some(Value::String(text)) => text.parse().ok(),
            Some(value) => value.as_f64(),
            None => self.default_of(name)?.parse().ok(),
        }
    }

    /// A flag; absent means false.
    pub fn flag(&self, name: &str) -> bool {
        match self.given.get(name) {
            Some(value) => value.as_bool().unwrap_or(false),
            None => self.default_of(name) == Some("true"),
        }
    }

    /// Several texts; absent means none.
    pub fn list(&self, name: &str) -> Vec<&str> {
        match self.given.get(name) {
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(text)) => vec![text],
            Some(_) => Vec::new(),
            None => self.default_of(name).map_or(Vec::new(), |text| split(text).collect()),
        }
    }

    /// A point in time in Unix seconds.
    pub fn moment(&self, name: &str) -> Option<i64> {
        match self.given.get(name)? {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => moment::read(text, name, self.operation.tag),
            _ => None,
        }
    }
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|item| !item.is_empty())
}

/// Refuses what the service refuses although its description lists it.
fn refuse(param: &Param) -> Result<(), Refusal> {
    match param.refused {
        Some(why) => Err(Refusal::invalid(format!("`{}` {why}", param.name))),
        None => Ok(()),
    }
}

fn unknown(operation: &Operation, name: &str, location: In) -> Refusal {
    if name == "reasoning_effort" && operation.param("reasoning").is_some() {
        return Refusal::invalid("`reasoning_effort` is not known here; use `reasoning.effort`");
    }
    let known: Vec<_> =
        operation.params.iter().filter(|p| p.location == location).map(|p| p.name).collect();
    let hint = if known.is_empty() { "there are none".to_owned() } else { known.join(", ") };
    Refusal::invalid(format!("`{name}` is not a parameter of this endpoint (known: {hint})"))
}

fn from_text(param: &Param, operation: &Operation, text: &str) -> Result<Value, Refusal> {
    let name = param.name;
    let unfit =
        |expected: &str| Refusal::unfit(format!("`{name}` must be {expected}, not `{text}`"));

    match param.kind {
        ParamKind::Integer { min, max } => {
            let number: i64 = text.parse().map_err(|_| unfit("a whole number"))?;
            in_range(name, number, min, max)?;
            Ok(number.into())
        }
        ParamKind::Number { min, max } => {
            let number: f64 = text.parse().map_err(|_| unfit("a number"))?;
            if !number.is_finite() {
                return Err(unfit("a finite number"));
            }
            in_range(name, number, min, max)?;
            Ok(number.into())
        }
        ParamKind::Boolean | ParamKind::Constant(_) => match text {
            "true" => Ok(true.into()),
            "false" => Ok(false.into()),
            _ => Err(unfit("true or false")),
        },
        ParamKind::Enum(values) => {
            // A window may be a whole number, says the interface text: of days, most likely.
            let days = format!("{text}d");
            let text = if values.contains(&days.as_str()) { &days } else { text };
            is_listed(name, text, values)?;
            Ok(text.into())
        }
        ParamKind::String { min, max } => {
            has_length(name, text, min, max)?;
            if param.required && text.is_empty() {
                return Err(Refusal::unfit(format!("`{name}` must not be empty")));
            }
            Ok(text.into())
        }
        ParamKind::List { .. } => {
            let items: Vec<Value> = split(text).map(Value::from).collect();
            if items.is_empty() && param.required {
                return Err(Refusal::unfit(format!("`{name}` must name at least one")));
            }
            Ok(items.into())
        }
        ParamKind::Moment => match moment::read(text, name, operation.tag) {
            Some(_) => Ok(text.into()),
            None => Err(unfit("Unix seconds or YYYY-MM-DD")),
        },
        ParamKind::Json(_) => Ok(text.into()),
    }
}

fn check_json(param: &Param, value: &Value) -> Result<(), Refusal> {
    let name = param.name;
    let unfit = |expected: &str| Err(Refusal::unfit(format!("`{name}` must be {expected}")));
    match (param.kind, value) {
        (ParamKind::Integer { min, max }, Value::Number(number)) => match number.as_i64() {
            Some(number) => in_range(name, number, min, max),
            None => unfit("a whole number"),
        },
        (ParamKind::Integer { .. }, _) => unfit("a whole number"),
        (ParamKind::Number { min, max }, Value::Number(number)) => match number.as_f64() {
            Some(number) => in_range(name, number, min, max),
            None => unfit("a number"),
        },
        (ParamKind::Number { .. }, _) => unfit("a number"),
        (ParamKind::Boolean | ParamKind::Constant(_), Value::Bool(_)) => Ok(()),
        (ParamKind::Boolean | ParamKind::Constant(_), _) => unfit("true or false"),
        (ParamKind::Enum(values), Value::String(text)) => is_listed(name, text, values),
        (ParamKind::String { min, max }, Value::String(text)) => has_length(name, text, min, max),
        (ParamKind::Moment, Value::String(_)) => Ok(()),
        (ParamKind::Enum(_) | ParamKind::String { .. } | ParamKind::Moment, _) => unfit("a text"),
        (ParamKind::List { .. }, Value::Array(items)) if items.iter().all(Value::is_string) => {
            Ok(())
        }
        (ParamKind::List { .. }, _) => unfit("a list of texts"),
        (ParamKind::Json(ty), value) => {
            let mut faults = Vec::new();
            schema::judge(ty, value, name, &mut faults);
            match faults.first() {
                None => Ok(()),
                Some(fault) if fault.structural => Err(Refusal::invalid(fault.to_string())),
                Some(fault) => Err(Refusal::unfit(fault.to_string())),
            }
        }
    }
}

fn in_range<T: PartialOrd + std::fmt::Display>(
    name: &str,
    number: T,
    min: Option<T>,
    max: Option<T>,
) -> Result<(), Refusal> {
    if let Some(min) = min.as_ref().filter(|min| number < **min) {
        return Err(Refusal::unfit(format!("`{name}` must be at least {min}, not {number}")));
    }
    if let Some(max) = max.as_ref().filter(|max| number > **max) {
        return Err(Refusal::unfit(format!("`{name}` must be at most {max}, not {number}")));
    }
    Ok(())
}

fn has_length(name: &str, text: &str, min: Option<u32>, max: Option<u32>) -> Result<(), Refusal> {
    let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    let fault = match (min, max) {
        (Some(min), _) if length < min => format!("at least {min}"),
        (_, Some(max)) if length > max => format!("at most {max}"),
        _ => return Ok(()),
    };
    Err(Refusal::unfit(format!("`{name}` must be {fault} characters long, not {length}")))
}

fn is_listed(name: &str, text: &str, values: &[&str]) -> Result<(), Refusal> {
    if values.contains(&text) {
        return Ok(());
    }
    let hint = match long_chain_name(text).filter(|long| name == "chain" && values.contains(long)) {
        Some(long) => format!("; chains have their long names: use `{long}`"),
        None => String::new(),
    };
    let message = format!("`{name}` must be one of {}, not `{text}`{hint}", values.join(", "));
    Err(Refusal::unfit(message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::Kind;
    use crypto_intel_api::generated::catalogue::OPERATIONS;
    use serde_json::json;

    fn read(id: &str, query: &str, body: Option<Value>) -> Result<Args, String> {
        let operation = OPERATIONS.iter().find(|op| op.id == id).unwrap();
        let carriers = Carriers {
            query,
            path_values: &[],
            headers: &[],
            body: body.as_ref().and_then(Value::as_object),
            switches: &["stream"],
            undescribed: &[],
        };
        Args::read(operation, carriers).map_err(|refusal| {
            let status = match refusal.kind {
                Kind::Invalid => 400,
                Kind::NotFound => 404,
                Kind::Unfit => 422,
            };
            format!("{status} {}", refusal.message)
        })
    }

    #[track_caller]
    fn check(id: &str, query: &str, expected: &str) {
        let refusal = read(id, query, None).unwrap_err();
        assert!(refusal.starts_with(expected), "{refusal}");
    }

    #[test]
    fn a_window_is_a_text_or_a_number_of_days() {
        let window = |text: &str| {
            let args = read("market-price", &format!("symbol=BTC&time_range={text}"), None);
            args.unwrap().text("time_range").map(str::to_owned)
        };
        assert_eq!(window("30"), window("30d"));
        check("market-price", "symbol=BTC&time_range=31", "422 `time_range` must be one of 1d");
    }

    #[test]
    fn faults_name_the_parameter() {
        check("market-price", "", "400 `symbol` is required");
        check("market-price", "symbol=", "422 `symbol` must name at least one");
        check("market-price", "symbol=BTC&colour=red", "400 `colour` is not a parameter");
        check("market-price", "symbol=BTC&symbol=ETH", "400 `symbol` is given more than once");
        check("market-price", "symbol=BTC&from=yesterday", "422 `from` must be Unix seconds");
        assert!(!read("market-price", "symbol=BTC&from=", None).unwrap().is_given("from"));
        check("market-price", "symbol=BTC&from=20&to=10", "400 `from` is after `to`");
        check("market-ranking", "limit=0", "422 `limit` must be at least 1, not 0");
        check("market-ranking", "limit=101", "422 `limit` must be at most 100, not 101");
        check("market-ranking", "limit=ten", "422 `limit` must be a whole number, not `ten`");
        check("market-ranking", "order=up", "422 `order` must be one of asc, desc, not `up`");
        check("project-detail", "", "400 `id` or `x_id` or `handle` or `q` is required");
        check("signal-detail", "id=a&project_slug=b", "400 only one of `id` or `project_slug`");
        let refusal = read("onchain-gas-price", "chain=eth", None).unwrap_err();
        assert!(refusal.ends_with("use `ethereum`"), "{refusal}");
    }

    #[test]
    fn bodies_are_judged_to_the_depth() {
        let body = |body: Value| read("responses", "", Some(body)).map(|_| ());
        let fine = json!({"model": "svc-2.0", "input": "hi", "stream": false, "prompt": null});
        assert_eq!(body(fine), Ok(()));
        assert_eq!(
            body(json!({"model": "svc-2.0", "input": "hi", "reasoning": {"effort": "vast"}})),
            Err("422 `reasoning.effort` must be one of none, minimal, low, medium, high, xhigh, \
                 not `vast`"
                .to_owned())
        );
        let flat = json!({"model": "svc-2.0", "input": "hi", "reasoning_effort": "low"});
        assert!(body(flat).unwrap_err().ends_with("use `reasoning.effort`"));
        let message = json!({"model": "svc-ask", "messages": [{"role": "user"}]});
        assert_eq!(
            read("chat-completions", "", Some(message)).map(|_| ()),
            Err("400 `messages[0].content` is required".to_owned())
        );
    }

    #[test]
    fn getters_fall_back_on_the_default() {
        let args = read("market-ranking", "offset=5", None).unwrap();
        assert_eq!(args.integer("limit"), Some(20));
        assert_eq!(args.integer("offset"), Some(5));
        assert_eq!(args.text("sort_by"), Some("market_cap"));
        assert!(!args.is_given("limit"));
        assert!(
            read("exchange-candles", "exchange=upbit&pair=BTC-KRW", None)
                .unwrap()
                .flag("include_synthetic")
        );
    }
}
