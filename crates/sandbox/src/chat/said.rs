//! Content of an answer, before it gets the form of an endpoint.

use serde_json::Value;

use crate::context::Context;
use crypto_intel_world::args::Args;

use super::compose::Text;
use super::tools::Wish;

/// Content of an answer, before it gets the form of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    /// Model that answered.
    pub(super) model: String,
    pub(super) text: Text,
    /// Requested tool calls. If there are any, the text is empty.
    pub(super) wishes: Vec<Wish>,
    /// True if the model reasons before its answer.
    pub(super) thinks: bool,
    /// True if the answer was truncated at the token limit.
    pub(super) is_cut: bool,
    pub(super) input_tokens: usize,
    /// Number of output tokens, including the tokens of the reasoning.
    pub(super) output_tokens: usize,
    pub(super) reasoning_tokens: usize,
}

impl Said {
    pub(super) fn status(&self) -> &'static str {
        if self.is_cut { "incomplete" } else { "completed" }
    }

    /// Splits the text into the pieces of a stream: word by word.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &str> {
        self.text.text.split_inclusive(' ')
    }
}

pub(super) fn model(args: &Args) -> &str {
    args.text("model").unwrap_or_default()
}

pub(super) fn effort(args: &Args) -> Option<&str> {
    args.text("reasoning_effort")
        .or_else(|| args.given("reasoning").and_then(|r| r.get("effort")).and_then(Value::as_str))
}

pub(super) fn id(ctx: &Context<'_>, prefix: &str) -> String {
    numbered(ctx, prefix, 0)
}

/// Returns the identifier of item number `index` of its kind in an answer.
pub(super) fn numbered(ctx: &Context<'_>, prefix: &str, index: usize) -> String {
    let seed = ctx.seed.named("chat").at(ctx.nonce).at(index as u64);
    format!("{prefix}{}", seed.hex(24))
}
