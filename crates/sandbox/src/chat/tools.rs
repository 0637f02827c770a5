//! Tools: the one on offer that suits the question best is asked for, once a question.

use serde_json::{Value, json};

use crate::context::Context;
use crate::refusal::Refusal;
use crypto_intel_world::args::Args;

use super::fit::{Figure, Filler};
use super::matter::Matter;
use super::words::Words;

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
    /// Whether arguments are to be filled with figures of the data.
    pub(super) fn want_figures(&self) -> bool {
        self.must
    }

    /// The calls that the question needs: those of the tool that suits it best, one a subject
    /// where the tool takes one. None once it has been run, unless a call is required.
    pub(super) fn wishes(
        &self,
        ctx: &Context<'_>,
        question: &str,
        matter: &Matter,
        figures: &[Figure],
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
            let filler = Filler {
                ctx,
                root: &tool.parameters,
                question,
                subjects: subject.map_or(&[][..], std::slice::from_ref),
                // What must be called may be how an answer of a type is asked for.
                figures: if self.must { figures } else { &[] },
                prose: "",
            };
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
