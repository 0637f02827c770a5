//! Content of a chat answer, before it is written in the format of one of the two chat endpoints.

use serde_json::Value;

use crate::context::Context;
use crypto_intel_world::args::Args;

use super::compose::Text;
use super::tools::Wish;

/// Content of a chat answer, before it is written in the format of one of the two chat endpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChatAnswer {
    /// Name of the model that answered.
    pub(super) model: String,
    pub(super) text: Text,
    /// Tool calls that the answer requests. If there are any, the answer's text is empty.
    pub(super) wishes: Vec<Wish>,
    /// True if the answer contains reasoning of the model.
    pub(super) thinks: bool,
    /// True if the answer was truncated because it reached the requested token limit.
    pub(super) is_cut: bool,
    pub(super) input_tokens: usize,
    /// Number of output tokens, including reasoning tokens.
    pub(super) output_tokens: usize,
    pub(super) reasoning_tokens: usize,
}

impl ChatAnswer {
    pub(super) fn status(&self) -> &'static str {
        if self.is_cut { "incomplete" } else { "completed" }
    }

    /// Splits the text into the pieces of a stream. Each piece is one word with the space that follows it.
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

/// Returns the identifier of an item in a chat answer, such as a tool call: `prefix` and 24 hexadecimal digits. `index`
/// distinguishes items with equal prefixes.
pub(super) fn numbered(ctx: &Context<'_>, prefix: &str, index: usize) -> String {
    let seed = ctx.seed.named("chat").at(ctx.nonce).at(index as u64);
    format!("{prefix}{}", seed.hex(24))
}
