//! Tools: the one on offer that suits the question best is asked for, once a question.

use serde_json::{Map, Value, json};

use crate::args::Args;
use crate::context::Context;
use crate::refusal::Refusal;

use super::matter::Matter;
use super::subject::Subject;
use super::words::Words;

/// Members of the body that tools need and the description lacks: standard clients send them to
/// both endpoints, so that both take them.
pub(super) const MEMBERS: &[&str] = &["tools", "tool_choice", "parallel_tool_calls"];

/// A tool that is to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wish {
    pub(super) name: String,
    /// JSON text, as models write it.
    pub(super) arguments: String,
}

impl Wish {
    /// In the form of the completions.
    pub(super) fn as_chat(&self, id: &str) -> Value {
        let function = json!({"name": self.name, "arguments": self.arguments});
        json!({"id": id, "type": "function", "function": function})
    }

    /// The same in two pieces, the arguments apart from the rest.
    pub(super) fn as_deltas(&self, index: usize, id: &str) -> impl Iterator<Item = Value> + use<> {
        let function = json!({"name": self.name, "arguments": ""});
        let first = json!({"index": index, "id": id, "type": "function", "function": function});
        let second = json!({"index": index, "function": {"arguments": self.arguments}});
        [first, second].into_iter()
    }

    /// As an item of a response's output.
    pub(super) fn as_item(&self, id: &str, call: &str, status: &str) -> Value {
        json!({
            "id": id,
            "type": "function_call",
            "status": status,
            "call_id": call,
            "name": self.name,
            "arguments": self.arguments,
        })
    }
}

/// A tool on offer.
#[derive(Debug, Clone)]
struct Offer {
    name: String,
    description: String,
    parameters: Value,
}

/// The tools on offer, those that may be chosen only.
#[derive(Debug, Clone, Default)]
pub(super) struct Offers {
    tools: Vec<Offer>,
    /// A call is wanted even when there is a result already.
    must: bool,
    /// One call at a time.
    single: bool,
}

/// The tools of a request, in the form of either endpoint.
///
/// # Errors
/// 400 for a tool without a name and for a choice that is none of them.
pub(super) fn offers(args: &Args) -> Result<Offers, Refusal> {
    let mut offers = Offers::default();
    let listed = match args.given("tools") {
        None => &[][..],
        Some(Value::Array(tools)) => tools.as_slice(),
        Some(_) => return Err(Refusal::invalid("`tools` must be a list")),
    };
    for (index, tool) in listed.iter().enumerate() {
        // Tools that the service would run itself are not the caller's to run.
        if tool.get("type").is_some_and(|kind| kind != "function") {
            continue;
        }
        let function = tool.get("function").unwrap_or(tool);
        let Some(name) = function.get("name").and_then(Value::as_str) else {
            return Err(Refusal::invalid(format!("`tools[{index}]` has no `name`")));
        };
        let description = function.get("description").and_then(Value::as_str).unwrap_or_default();
        offers.tools.push(Offer {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters: function.get("parameters").cloned().unwrap_or_else(|| json!({})),
        });
    }
    offers.single = args.given("parallel_tool_calls") == Some(&Value::Bool(false));
    match args.given("tool_choice") {
        None => {}
        Some(Value::String(choice)) => match choice.as_str() {
            "auto" => {}
            "none" => offers.tools.clear(),
            "required" => offers.must = true,
            other => {
                let message =
                    format!("`tool_choice` must be none, auto, required or a tool, not `{other}`");
                return Err(Refusal::invalid(message));
            }
        },
        Some(choice) => {
            let name = choice.get("function").unwrap_or(choice).get("name").and_then(Value::as_str);
            offers.tools.retain(|tool| Some(tool.name.as_str()) == name);
            offers.must = true;
        }
    }
    if offers.must && offers.tools.is_empty() {
        return Err(Refusal::invalid("`tool_choice` names no tool that is on offer"));
    }
    Ok(offers)
}

/// Calls in one answer.
const MOST: usize = 8;

impl Offers {
    /// The calls that the question needs: those of the tool that suits it best, one a subject
    /// where the tool takes one. None once it has been run, unless a call is required.
    pub(super) fn wishes(
        &self,
        ctx: &Context<'_>,
        question: &str,
        matter: &Matter,
        has_results: bool,
    ) -> Vec<Wish> {
        if has_results && !self.must {
            return Vec::new();
        }
        let words = Words::of(question);
        let suits = |tool: &Offer| {
            let text = format!("{} {}", tool.name, tool.description);
            let about = Words::of(&text);
            words.small().filter(|word| word.len() > 2 && about.has(word)).count()
        };
        // The first of those that suit best.
        let best = self.tools.iter().rev().max_by_key(|tool| suits(tool));
        let Some(tool) = best else { return Vec::new() };
        let mut wishes: Vec<Wish> = Vec::new();
        let subjects: Vec<_> = match matter.subjects.as_slice() {
            [] => vec![None],
            subjects => subjects.iter().map(Some).collect(),
        };
        for subject in subjects {
            let filler = Filler { ctx, question, subject };
            let arguments = filler.value(&tool.parameters, "", 0).to_string();
            let wish = Wish { name: tool.name.clone(), arguments };
            if !wishes.contains(&wish) {
                wishes.push(wish);
            }
        }
        wishes.truncate(if self.single { 1 } else { MOST });
        wishes
    }
}

/// Objects within objects that are filled.
const DEPTH: usize = 8;

/// Fills arguments.
struct Filler<'a> {
    ctx: &'a Context<'a>,
    question: &'a str,
    subject: Option<&'a Subject>,
}

impl Filler<'_> {
    /// A value that fits a plain schema: what the question says where the name asks for it, else
    /// what the schema itself suggests.
    fn value(&self, schema: &Value, name: &str, depth: usize) -> Value {
        let known = self.known(name);
        let listed = schema.get("enum").and_then(Value::as_array);
        if let (Some(text), Some(values)) = (&known, listed)
            && values.iter().any(|value| value == text)
        {
            return text.as_str().into();
        }
        let chosen = [schema.get("const"), schema.get("default"), schema.pointer("/enum/0")];
        if let Some(chosen) = chosen.into_iter().flatten().next() {
            return chosen.clone();
        }
        let types = schema.get("type");
        let kind = types.and_then(|kind| kind.as_str().or_else(|| kind.get(0)?.as_str()));
        let example = || schema.pointer("/examples/0").cloned();
        match kind {
            Some("string") => match known {
                Some(text) => text.into(),
                None => example().unwrap_or_else(|| "BTC".into()),
            },
            Some("integer" | "number") => {
                example().or_else(|| schema.get("minimum").cloned()).unwrap_or(json!(1))
            }
            Some("boolean") => example().unwrap_or(json!(true)),
            Some("array") => match schema.get("items").filter(|_| depth < DEPTH) {
                Some(items) => json!([self.value(items, name.trim_end_matches('s'), depth + 1)]),
                None => json!([]),
            },
            Some("object") | None if depth < DEPTH => self.object(schema, depth),
            Some("object") => json!({}),
            _ => Value::Null,
        }
    }

    fn object(&self, schema: &Value, depth: usize) -> Value {
        let required = schema.get("required").and_then(Value::as_array);
        let is_required =
            |name: &str| required.is_some_and(|names| names.iter().any(|n| n == name));
        let properties = schema.get("properties").and_then(Value::as_object);
        let members = properties.into_iter().flatten().filter_map(|(name, schema)| {
            let wanted = is_required(name) || self.names_subject(name);
            wanted.then(|| (name.clone(), self.value(schema, name, depth + 1)))
        });
        Value::Object(members.collect::<Map<_, _>>())
    }

    fn names_subject(&self, name: &str) -> bool {
        !is_about_question(name) && self.known(name).is_some()
    }

    /// What the question says for an argument of this name.
    fn known(&self, name: &str) -> Option<String> {
        let name = name.to_ascii_lowercase();
        if is_about_question(&name) {
            return Some(super::tokens::start(self.question, 512).to_owned());
        }
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        let subject = self.subject?;
        match subject {
            Subject::Wallet(address) => {
                has(&["address", "wallet", "account"]).then(|| address.clone())
            }
            Subject::Fund(fund) => has(&["fund", "name"]).then(|| (*fund).to_owned()),
            Subject::Asset(_) | Subject::Company(_)
                if has(&["symbol", "ticker", "coin", "asset", "token"]) =>
            {
                subject.symbol().map(str::to_owned)
            }
            Subject::Asset(asset) if has(&["pair"]) => Some(format!("{}/USDT", asset.symbol)),
            Subject::Asset(asset) if has(&["address", "contract"]) => Some(asset.address(self.ctx)),
            Subject::Asset(asset) if has(&["chain", "network"]) => Some(asset.chain.to_owned()),
            Subject::Asset(asset) if has(&["slug", "project"]) => Some(asset.slug()),
            Subject::Asset(asset) if has(&["name"]) => Some(asset.name.to_owned()),
            Subject::Company(company) if has(&["name", "company"]) => Some(company.name.to_owned()),
            Subject::Asset(_) | Subject::Company(_) => None,
        }
    }
}

fn is_about_question(name: &str) -> bool {
    matches!(name, "q" | "query" | "question" | "text" | "prompt" | "input")
}
