//! Example arguments with which every operation succeeds: for tests over the whole catalogue, for
//! documentation and for users who try an operation.

use crypto_intel_core::{In, Operation, Param, ParamKind, Rule, Type};
use serde_json::{Map, Value, json};

use crate::Refusal;
use crate::args::{Args, Carriers};
use crate::assets::{self, ASSETS};
use crate::prediction::first_question;
use crate::social;
use crate::transactions;

/// Id of a SQL job that every sandbox has. It succeeded with one row.
pub const JOB: &str = "11111111-1111-4111-8111-111111111111";

/// Arguments of a successful call of `operation`: the required ones and no others. Values have the types of
/// a JSON body.
#[must_use]
pub fn parameters(operation: &Operation) -> Vec<(&'static str, Value)> {
    let of_rules = operation.rules.iter().filter_map(|rule| {
        let (Rule::AtLeastOne(names) | Rule::ExactlyOne(names)) = rule;
        // Prefer arguments that people can read.
        let readable = names.iter().find(|name| matches!(**name, "q" | "symbol" | "project_slug"));
        readable.or(names.first()).copied()
    });
    operation
        .params
        .iter()
        .filter(|param| param.required || matches!(param.kind, ParamKind::Constant(_)))
        .map(|param| param.name)
        .chain(of_rules)
        .filter_map(|name| Some((name, value(operation.param(name)?.1))))
        .collect()
}

/// Formats a value for a path, query or header. Lists are joined with commas.
#[must_use]
pub fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Parses arguments as if a request had sent them. Each is sent where the catalogue says; unknown names go
/// into the query.
///
/// # Errors
/// See [`Args::read`].
pub fn args(operation: &'static Operation, values: &[(&str, Value)]) -> Result<Args, Refusal> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    let (mut path, mut headers, mut body) = (Vec::new(), Vec::new(), Map::new());
    for (name, value) in values {
        let text = written(value);
        match operation.param(name).map(|(_, param)| (param.name, param.location)) {
            Some((name, In::Path)) => path.push((name, text)),
            Some((name, In::Header)) => headers.push((name, text)),
            Some((name, In::Body)) => drop(body.insert(name.to_owned(), value.clone())),
            _ => drop(query.append_pair(name, &text)),
        }
    }

    let headers: Vec<_> = headers.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let carriers = Carriers {
        query: &query.finish(),
        path_values: &path,
        headers: &headers,
        body: (!body.is_empty()).then_some(&body),
        ..Carriers::default()
    };
    Args::read(operation, carriers)
}

/// A value of `param` that the sandbox accepts.
#[must_use]
pub fn value(param: &Param) -> Value {
    match param.kind {
        ParamKind::Enum(values) => values.first().copied().unwrap_or_default().into(),
        ParamKind::Integer { min, max } => number_of(param, min, max).into(),
        ParamKind::Number { min, .. } => min.unwrap_or(1.0).into(),
        ParamKind::Boolean => true.into(),
        ParamKind::Constant(value) => value.into(),
        ParamKind::Moment if param.name == "as_of" => text(param).into(),
        ParamKind::Moment => if param.name == "to" { "2026-01-03" } else { "2026-01-01" }.into(),
        ParamKind::Json(ty) => of_type(param.name, ty),
        ParamKind::List { .. } => json!([text(param)]),
        ParamKind::String { .. } => text(param).into(),
    }
}

fn number_of(param: &Param, min: Option<i64>, max: Option<i64>) -> i64 {
    let usual = match param.name {
        "open_time" | "start_time" => 1_767_225_600,
        "close_time" | "end_time" => 4_102_444_800,
        _ => 10,
    };
    usual.clamp(min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX))
}

fn of_type(name: &str, ty: Type) -> Value {
    match (name, ty) {
        ("messages", _) => json!([{"role": "user", "content": "What moved BTC today?"}]),
        ("input", _) => "What moved BTC today?".into(),
        (_, Type::List(_)) => json!([]),
        (_, Type::Map(_) | Type::Record(_)) => json!({}),
        _ => "".into(),
    }
}

fn wallet() -> String {
    format!("0x{}", "2".repeat(40))
}

/// Example value in the catalogue's description of a parameter.
fn told(param: &Param) -> Option<&'static str> {
    let (_, rest) = param.doc.split_once("for example `")?;
    rest.split_once('`').map(|(value, _)| value)
}

fn text(param: &Param) -> String {
    // Some parameter names have several meanings; the description tells them apart.
    let is_of = |thing: &str| param.doc.contains(thing);
    match param.name {
        // Newest quarter that is filed by the middle of 2026.
        "as_of" => "2026-03-31".to_owned(),
        // The first asset is the best known. The catalogue has examples for tickers that are no assets.
        "interval" | "symbol" => match told(param) {
            Some(told) if assets::by_symbol(told).is_err() => told.to_owned(),
            _ => ASSETS[0].symbol.to_owned(),
        },
        "pair" => "BTC/USDT".to_owned(),
        "currency" => "usd".to_owned(),
        "q" if is_of("the fund") => "cobalt".to_owned(),
        "id" if is_of("the fund") => "cobalt-ventures".to_owned(),
        "q" | "project_slug" => "bitcoin".to_owned(),
        "handle" => "bitcoin".to_owned(),
        "ticker" | "market_ticker" | "kalshi_market_ticker" => first_question().ticker.clone(),
        "event_ticker" => first_question().event_ticker.clone(),
        "event_slug" => first_question().event_slug.clone(),
        "market_slug" => first_question().slug.clone(),
        "condition_id" | "polymarket_condition_id" => first_question().condition_id.clone(),
        "token_id" => first_question().token_id(true).to_owned(),
        "hash" => transactions::example_hash(&wallet(), 1_767_225_600),
        // A protocol is easier to read than an address; both are accepted.
        "project" => "uniswap".to_owned(),
        "address" | "addresses" => wallet(),
        "x_id" => ASSETS[0].x_id(),
        "ids" | "tweet_id" => social::example_id("bitcoin", 1_767_225_600),
        "url" => "https://news.example/article".to_owned(),
        "sql" => "SELECT 1".to_owned(),
        "source" => "agent.tokens".to_owned(),
        "id" if is_of("Article id") => social::article_id(1_767_225_600),
        "id" => "bitcoin".to_owned(),
        "job_id" => JOB.to_owned(),
        _ => "bitcoin".to_owned(),
    }
}
