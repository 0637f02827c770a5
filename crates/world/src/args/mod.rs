//! Arguments of one request, parsed and checked with the same rules as in the service.
//!
//! The input is an operation of the catalogue and the parts of an HTTP request. The output is [`Args`], or a
//! [`Refusal`] that names the wrong parameter.

mod check;

use std::collections::BTreeMap;

use crypto_intel_core::{In, Operation, ParamKind, Rule};
use serde_json::{Map, Value};

use crate::args::check::{check_json, check_supported, parse_text, split_list, to_json_integer};
use crate::refusal::Refusal;
use crate::timestamp::{self, Forms};

/// Checked arguments of one request. If an argument is absent, getters such as [`Args::text`] return the default value
/// of the parameter.
#[derive(Debug)]
pub struct Args {
    /// Operation that the request calls.
    pub operation: &'static Operation,
    given: BTreeMap<&'static str, Value>,
}

/// Parts of an HTTP request that contain arguments.
#[derive(Debug, Clone, Copy, Default)]
pub struct Carriers<'a> {
    /// Query string, without its question mark.
    pub query: &'a str,
    /// Decoded values of path parameters, by name.
    pub path_values: &'a [(&'static str, String)],
    /// Header names and values. Names are compared without regard to case.
    pub headers: &'a [(&'a str, &'a [u8])],
    /// Fields of the JSON body. `None` if the request has no body.
    pub body: Option<&'a Map<String, Value>>,
    /// Body fields that select one of several operations with the same path. For example, `stream` selects the
    /// operation with a streamed response.
    pub switches: &'a [&'static str],
    /// Body fields that are accepted although the catalogue does not list them.
    pub undescribed: &'static [&'static str],
    /// Body fields that accept any string, even if the catalogue does not list it as an allowed value. An example is
    /// the field `model` of a chat request.
    pub open: &'static [&'static str],
}

impl Args {
    /// Parses and checks all arguments of a request for `operation`.
    ///
    /// # Errors
    /// Returns an error of kind `Invalid` (status 400) if an argument is missing, unknown, repeated or not supported by
    /// the service, or if two arguments contradict each other. Returns an error of kind `Unfit` (status 422) if a value
    /// has the wrong type, is out of range or is not an allowed value. The message names the parameter.
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
            return Err(unknown_parameter(operation, name, location));
        };
        check_supported(param)?;
        // For an optional time or choice, an empty string counts as absent. The interface description allows this for
        // some parameters.
        let is_choice = matches!(param.kind, ParamKind::Moment | ParamKind::Enum(_));
        if text.is_empty() && !param.required && is_choice {
            return Ok(());
        }
        // A required string or list that is empty counts as missing.
        let is_text = matches!(param.kind, ParamKind::String { .. } | ParamKind::List { .. });
        if text.trim().is_empty() && param.required && is_text {
            return Err(Refusal::invalid(format!("`{name}` is required and must not be empty")));
        }
        let value = parse_text(param, text)?;

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
                return Err(Refusal::invalid(format!("`{name}` is set more than once")));
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
                return Err(unknown_parameter(self.operation, name, In::Body));
            };
            check_supported(param)?;

            // A body field with the value `null` counts as absent.
            if !value.is_null() {
                let is_open = carriers.open.contains(&param.name) && value.is_string();
                if !is_open {
                    check_json(param, value)?;
                }
                self.given.insert(param.name, to_json_integer(param, value));
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
                return Err(Refusal::invalid(format!("only one of {} may be set", list(names))));
            }
        }

        Ok(())
    }

    /// Rejects time ranges that end before they start.
    fn check_range(&self) -> Result<(), Refusal> {
        for (start, end) in
            [("from", "to"), ("start_time", "end_time"), ("open_time", "close_time")]
        {
            if let (Some(from), Some(to)) = (self.timestamp(start), self.timestamp(end))
                && from > to
            {
                return Err(Refusal::invalid(format!("`{start}` is after `{end}`")));
            }
        }
        Ok(())
    }

    /// Returns true if the request contains the argument `name`.
    pub fn is_given(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// Returns the value of an argument if the request contains it. Does not return defaults.
    pub fn given(&self, name: &str) -> Option<&Value> {
        self.given.get(name)
    }

    /// Iterates over the names and values of the arguments in the request. Does not return defaults.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.given.iter().map(|(name, value)| (*name, value))
    }

    fn default_text(&self, name: &str) -> Option<&'static str> {
        self.operation.param(name)?.1.default
    }

    /// Returns a string argument. If the request does not contain the argument, returns the parameter's default.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.given.get(name) {
            Some(value) => value.as_str(),
            None => self.default_text(name),
        }
    }

    /// Returns an integer argument, or its default.
    pub fn integer(&self, name: &str) -> Option<i64> {
        match self.given.get(name) {
            Some(value) => value.as_i64(),
            None => self.default_text(name)?.parse().ok(),
        }
    }

    /// Returns a number argument, or its default. A string such as `"1.5"` is parsed as a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.given.get(name) {
            Some(Value::String(text)) => text.parse().ok(),
            Some(value) => value.as_f64(),
            None => self.default_text(name)?.parse().ok(),
        }
    }

    /// Returns a boolean argument, or its default. Returns false if the argument is absent and has no default.
    pub fn flag(&self, name: &str) -> bool {
        match self.given.get(name) {
            Some(value) => value.as_bool().unwrap_or(false),
            None => self.default_text(name) == Some("true"),
        }
    }

    /// Returns the strings of a list argument, or its default. Returns an empty list if the argument is absent and has
    /// no default.
    pub fn list(&self, name: &str) -> Vec<&str> {
        match self.given.get(name) {
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(text)) => vec![text],
            Some(_) => Vec::new(),
            None => self.default_text(name).map_or(Vec::new(), |text| split_list(text).collect()),
        }
    }

    /// Returns a time argument in Unix seconds. If the request does not contain the argument, returns `None`, even if
    /// the parameter has a default.
    pub fn timestamp(&self, name: &str) -> Option<i64> {
        match self.given.get(name)? {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => {
                let (_, param) = self.operation.param(name)?;
                timestamp::read(text, Forms::from_param(param))
            }
            _ => None,
        }
    }
}

fn unknown_parameter(operation: &Operation, name: &str, location: In) -> Refusal {
    if name == "reasoning_effort" && operation.param("reasoning").is_some() {
        return Refusal::invalid("`reasoning_effort` is unknown; use `reasoning.effort`");
    }
    let known: Vec<_> =
        operation.params.iter().filter(|p| p.location == location).map(|p| p.name).collect();
    let hint = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Refusal::invalid(format!("`{name}` is not a parameter of this endpoint (known: {hint})"))
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
            open: &[],
        };
        Args::read(operation, carriers).map_err(|refusal| {
            let status = match refusal.kind {
                Kind::Invalid => 400,
                Kind::NotFound => 404,
                Kind::Unfit => 422,
                Kind::Unavailable => 502,
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
    fn time_range_accepts_text_or_number_of_days() {
        let window = |text: &str| {
            let args = read("market-price", &format!("symbol=BTC&time_range={text}"), None);
            args.unwrap().text("time_range").map(str::to_owned)
        };
        assert_eq!(window("30"), window("30d"));
        check("market-price", "symbol=BTC&time_range=31", "422 `time_range` must be one of 1d");
    }

    #[test]
    fn errors_name_the_parameter() {
        check("market-price", "", "400 `symbol` is required");
        check("market-price", "symbol=", "400 `symbol` is required and must not be empty");
        check("market-price", "symbol=,", "422 `symbol` must contain at least one value");
        assert!(!read("market-ranking", "order=", None).unwrap().is_given("order"));
        check("market-price", "symbol=BTC&colour=red", "400 `colour` is not a parameter");
        check("market-price", "symbol=BTC&symbol=ETH", "400 `symbol` is set more than once");
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
        assert!(refusal.ends_with("the chain, `ethereum`"), "{refusal}");
    }

    #[test]
    fn nested_body_fields_are_validated() {
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
    fn integer_argument_accepts_whole_float_only() {
        let most = |most: Value| {
            let body = json!({"sql": "SELECT 1", "max_rows": most});
            read("onchain-sql-preflight", "", Some(body)).map(|args| args.integer("max_rows"))
        };
        assert_eq!(most(json!(70.0)), Ok(Some(70)));
        for wrong in [json!(70.5), json!(1e300), json!("70")] {
            assert_eq!(most(wrong), Err("422 `max_rows` must be a whole number".to_owned()));
        }
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
