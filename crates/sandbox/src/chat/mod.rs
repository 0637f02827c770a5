//! The two chat endpoints, with responses as JSON and as server-sent events.
//!
//! Chat answers are scripted. The module `question` finds subjects and topics in a question. The table in `topics`
//! selects data endpoints, which `lookup` calls. `compose` writes the returned values as text.
//!
//! Responses, streams, tool calls and answers with a JSON Schema have the format that standard clients expect. The text
//! of an answer is only an example.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use crypto_intel_core::{ModelPrice, Operation, Price};
use serde_json::Value;

use crate::account::Identity;
use crate::context::Context;
use crate::refusal::Refusal;
use crate::stop::Stop;
use crypto_intel_world::args::Args;

mod accept;
mod ask;
mod chat_answer;
mod completions;
mod compose;
mod lookup;
mod memory;
mod pace;
mod question;
mod responses;
mod schema_values;
mod tokens;
mod tools;
mod topics;

#[cfg(test)]
mod tests;

pub(crate) use accept::{adapt, check, is_chat, open, undescribed, unknown_model};
pub(crate) use memory::SavedTurn;
pub(crate) use pace::Pace;

use ask::{ChatRequest, Form};
use chat_answer::{ChatAnswer, effort, id, model, numbered};
use compose::{Style, Text};
use memory::{Memory, Turn};
use question::Question;
use schema_values::Filler;

/// Maximum stored length of a tool's name, in tokens.
const NAME: usize = 32;
/// Maximum number of questions that the sandbox reads in one request. Older questions are ignored.
const RECENT: usize = 32;

/// State of the chat that is kept between requests, and settings of the chat.
#[derive(Debug)]
pub(crate) struct Chat {
    memory: Memory,
    pace: Pace,
    strict: bool,
}

/// Returns the price of a call in credits, or 0 if the price is not published. A chat call without an effort has the
/// price of the effort `none`.
pub(crate) fn price(operation: &Operation, args: &Args) -> i64 {
    match operation.price {
        Price::Free | Price::Unknown => 0,
        Price::Credits(credits) => credits.into(),
        Price::ByModel(table) => by_model(table, model(args), effort(args)),
    }
}

fn by_model(table: &[ModelPrice], model: &str, effort: Option<&str>) -> i64 {
    // A model without a listed price costs as much as the first listed model, because the API documentation has no
    // price for it.
    let is_listed = table.iter().any(|line| line.model == model);
    let model = if is_listed { model } else { table.first().map_or("", |line| line.model) };
    let lines = || table.iter().filter(|line| line.model == model);
    let exact =
        lines().find(|line| line.effort.is_none() || line.effort == Some(effort.unwrap_or("none")));
    // If the model has no price for this effort, its lowest price applies.
    exact.or_else(|| lines().min_by_key(|line| line.credits)).map_or(0, |line| line.credits.into())
}

impl Chat {
    pub(crate) fn new(pace: Pace, strict: bool) -> Self {
        Chat { memory: Memory::default(), pace, strict }
    }

    /// Returns the data of all stored answers for a saved state.
    pub(crate) fn to_saved(&self) -> Vec<SavedTurn> {
        self.memory.to_saved()
    }

    /// Adds the stored answers of a saved sandbox.
    pub(crate) fn restore(&self, ctx: &Context<'_>, turns: Vec<SavedTurn>) {
        self.memory.restore(ctx, turns);
    }

    /// Returns true if the chat rejects requests with fields that the API documentation does not describe.
    pub(crate) fn is_strict(&self) -> bool {
        self.strict
    }

    /// Returns the response to a chat request as one JSON object.
    ///
    /// # Errors
    /// Returns status 404 for an unknown `previous_response_id`. Returns status 400 for invalid tools or an invalid
    /// format.
    pub(crate) fn document(
        &self,
        ctx: &Context<'_>,
        args: &Args,
        owner: &Identity,
    ) -> Result<Value, Refusal> {
        let said = self.compose_answer(ctx, args, owner)?;
        Ok(if is_completions(args.operation) {
            completions::document(ctx, &said)
        } else {
            responses::document(ctx, args, &said)
        })
    }

    /// Returns the response to a chat request as a stream of server-sent events.
    ///
    /// # Errors
    /// Returns status 404 for an unknown `previous_response_id`. Returns status 400 for invalid tools or an invalid
    /// format.
    pub(crate) fn stream(
        &self,
        ctx: &Context<'_>,
        args: &Args,
        owner: &Identity,
        stop: Stop,
    ) -> Result<Response, Refusal> {
        let said = self.compose_answer(ctx, args, owner)?;
        let (events, opening) = if is_completions(args.operation) {
            completions::events(ctx, args, &said)
        } else {
            responses::events(ctx, args, &said)
        };
        let head =
            [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
        Ok((head, pace::body(events, opening, self.pace, stop)).into_response())
    }

    fn compose_answer(
        &self,
        ctx: &Context<'_>,
        args: &Args,
        owner: &Identity,
    ) -> Result<ChatAnswer, Refusal> {
        let before = match args.text("previous_response_id") {
            Some(id) => self.memory.find(owner, id)?,
            None => Turn::default(),
        };
        let asked = ChatRequest::from_args(args, &before.calls)?;

        // Old messages are ignored.
        let recent = &asked.questions[asked.questions.len().saturating_sub(RECENT)..];
        let question =
            recent.iter().fold(before.question, |question, text| question.followed_by(ctx, text));
        let text = asked.questions.last().map_or(before.text.as_str(), String::as_str);
        let input_tokens = before.tokens + asked.tokens;
        let said = answer_text(ctx, args, &asked, &question, text, input_tokens);

        if !is_completions(args.operation) {
            let tokens = said.input_tokens + said.output_tokens - said.reasoning_tokens;
            let calls = said.wishes.iter().enumerate();
            let calls = calls.map(|(n, wish)| {
                (numbered(ctx, "call_", n), tokens::start(&wish.name, NAME).to_owned())
            });
            let turn = Turn { calls: calls.collect(), question, text: text.to_owned(), tokens };
            self.memory.keep(owner, id(ctx, "resp_"), turn);
        }
        Ok(said)
    }
}

fn answer_text(
    ctx: &Context<'_>,
    args: &Args,
    asked: &ChatRequest,
    question: &Question,
    text: &str,
    input_tokens: usize,
) -> ChatAnswer {
    let effort = effort(args);
    let model = compose::answering_model(args.operation, model(args), effort, question);
    let thinks = effort.is_some_and(|effort| effort != "none") || model.ends_with("thinking");
    let style = Style {
        paragraphs: compose::paragraphs(&model, effort),
        citations: &args.list("citation"),
        abilities: &args.list("ability"),
    };

    let is_scripted = ctx.text.is_some();
    let values = match &asked.form {
        _ if is_scripted => Vec::new(),
        Form::Text if !asked.offers.must_call() => Vec::new(),
        _ => compose::values(ctx, question, &style),
    };
    let wishes = match is_scripted {
        true => Vec::new(),
        false => asked.offers.calls(ctx, text, question, &values, !asked.results.is_empty()),
    };

    let mut said = ChatAnswer {
        text: Text::default(),
        wishes,
        thinks: thinks && !model.ends_with("instant"),
        model,
        is_cut: false,
        input_tokens,
        output_tokens: 0,
        reasoning_tokens: 0,
    };

    if !said.wishes.is_empty() {
        said.thinks = false;
        said.output_tokens = said.wishes.iter().map(|wish| tokens::count(&wish.arguments)).sum();
        return said;
    }

    said.text = match &ctx.text {
        Some(text) => Text { text: text.clone(), ..Text::default() },
        None => compose::answer(ctx, question, &asked.results, &style),
    };
    if let (Form::Json(schema), false) = (&asked.form, is_scripted) {
        let filler = Filler {
            ctx,
            root: schema,
            question: text,
            subjects: &question.subjects,
            values: &values,
            text: &said.text.text,
        };
        said.text.text = filler.value(schema, "", 0).to_string();
        said.text.citations.clear();
    }

    if said.thinks {
        said.reasoning_tokens = tokens::count(&said.text.thoughts);
    }
    if let Some(limit) = args.integer("max_output_tokens") {
        let limit = usize::try_from(limit).unwrap_or(0);
        // The reasoning comes before the text and counts towards the same limit.
        said.reasoning_tokens = said.reasoning_tokens.min(limit);
        said.is_cut = said.text.truncate(limit - said.reasoning_tokens);
    }
    said.output_tokens = said.reasoning_tokens + tokens::count(&said.text.text);
    said
}

/// Returns true for the chat completions endpoint, which has the parameter `messages`.
fn is_completions(operation: &Operation) -> bool {
    operation.param("messages").is_some()
}
