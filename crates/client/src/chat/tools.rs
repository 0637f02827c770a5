//! Tools for the model: Rust functions of the program that the model may call. The tool loop runs these functions until
//! the model gives a final answer.
//!
//! The service's OpenAPI document describes how a `chat-completions` request offers tools. The document does not
//! describe tool calls, their results, or tools for `responses`. For these parts, this module uses the JSON format of
//! other common chat APIs.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::sync::Arc;

use crypto_intel_api::generated::chat::{
    ChatCompletion, ChatCompletionsRequest, ChatMessage, ChatMessageRole, ChatTool,
    ChatToolFunction, ChatToolType, Response, ResponsesRequest,
};
use crypto_intel_core::{BoxFuture, Error, ErrorKind, Reply, Request, Value};
use futures_util::future::join_all;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, json};

use super::answer::{ChatCompletionExt, ResponseExt, ToolCall};
use super::request::{ResponseInput, assistant};
use super::typed::{schema, set_by_name};
use crate::credits::{Credits, list_price};

type Function = dyn Fn(ToolCall) -> BoxFuture<Result<String, String>> + Send + Sync;

/// A Rust function that the model may call as a tool.
#[derive(Clone)]
pub struct Tool {
    name: String,
    description: String,
    parameters: Map<String, serde_json::Value>,
    function: Arc<Function>,
}

impl Tool {
    /// Creates a tool from an asynchronous function with one argument. The model receives the JSON Schema of the
    /// argument type, with the doc comments of its fields.
    ///
    /// The model also receives the returned value as JSON text. If the function returns an error, the model receives
    /// the error message and can correct the tool call.
    ///
    /// ```
    /// use crypto_intel::chat::Tool;
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Holding {
    ///     /// Ticker, such as `ETH`.
    ///     symbol: String,
    /// }
    ///
    /// let tool = Tool::new("my_holding", "How much of a token I hold", |it: Holding| async move {
    ///     match it.symbol.as_str() {
    ///         "ETH" => Ok(2.5),
    ///         other => Err(format!("there is no {other} in the wallet")),
    ///     }
    /// });
    /// assert_eq!(tool.name(), "my_holding");
    /// ```
    pub fn new<A, O, E, F, R>(
        name: impl Into<String>,
        description: impl Into<String>,
        function: F,
    ) -> Self
    where
        A: DeserializeOwned + JsonSchema,
        O: Serialize,
        E: fmt::Display,
        F: Fn(A) -> R + Send + Sync + 'static,
        R: Future<Output = Result<O, E>> + Send + 'static,
    {
        let function = move |call: ToolCall| -> BoxFuture<Result<String, String>> {
            match call.parse::<A>() {
                Err(error) => Box::pin(std::future::ready(Err(error.message().to_owned()))),
                Ok(argument) => {
                    let running = function(argument);
                    Box::pin(async move {
                        let output = running.await.map_err(|error| error.to_string())?;
                        serde_json::to_string(&output).map_err(|error| error.to_string())
                    })
                }
            }
        };

        Tool {
            name: name.into(),
            description: description.into(),
            parameters: schema::<A>(),
            function: Arc::new(function),
        }
    }

    /// Returns the name under which the model calls the tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the JSON Schema of the tool's argument.
    #[must_use]
    pub fn parameters(&self) -> &Map<String, serde_json::Value> {
        &self.parameters
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.name).finish_non_exhaustive()
    }
}

/// List of tools that a chat request offers to the model.
#[derive(Debug, Clone, Default)]
pub struct Tools(Vec<Tool>);

impl Tools {
    /// Creates an empty list of tools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool. It replaces an earlier tool with the same name.
    #[must_use]
    pub fn with(mut self, tool: Tool) -> Self {
        self.0.retain(|known| known.name != tool.name);
        self.0.push(tool);
        self
    }

    /// Creates a loop that sends the request and offers these tools to the model. The loop runs the tools that an
    /// answer requests, and sends their results to the model in the next request. It ends when an answer requests no
    /// tools or is incomplete, or when a limit is reached.
    ///
    /// # Defaults
    /// The loop sends at most 8 requests. Only the budget of the client limits the credits of the loop.
    pub fn run<R: ToolRequest>(&self, request: R) -> ToolLoop<R> {
        ToolLoop { tools: self.clone(), request, rounds: 8, credits: None }
    }

    /// Runs one tool call. An error of the tool becomes the result that the model receives.
    async fn call(&self, call: ToolCall) -> ToolRun {
        let result = match self.0.iter().find(|tool| tool.name == call.name) {
            Some(tool) => (tool.function)(call.clone()).await,
            None => {
                let known: Vec<_> = self.0.iter().map(Tool::name).collect();
                let known = known.join(", ");
                Err(format!("there is no tool `{}`; the tools are: {known}", call.name))
            }
        };
        ToolRun { call, result }
    }
}

/// A tool call and its result.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolRun {
    /// Tool call that the model requested.
    pub call: ToolCall,
    /// Result that the model received: JSON text, or an error message.
    pub result: Result<String, String>,
}

impl ToolRun {
    fn output(&self) -> String {
        match &self.result {
            Ok(output) => output.clone(),
            Err(message) => json!({"error": message}).to_string(),
        }
    }
}

/// Reason why a tool loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolLoopEnd {
    /// The model gave a final answer: it requests no more tools.
    Answered,
    /// The last answer is incomplete. The loop did not run the tool calls of this answer, because their arguments may
    /// be incomplete too.
    Incomplete,
    /// The loop reached its limit on the number of requests. The last answer still requests tools.
    Rounds,
    /// The next request would exceed the credit limit of the loop. The last answer still requests tools.
    Credits,
}

/// Result of a tool loop.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolLoopOutcome<A> {
    /// Last answer of the model.
    pub answer: Reply<A>,
    /// Reason why the loop ended.
    pub end: ToolLoopEnd,
    /// Number of requests that the loop sent.
    pub rounds: u32,
    /// Tool calls that the loop ran, in the order in which the model requested them.
    pub runs: Vec<ToolRun>,
    /// Total credits of all requests that the loop sent. Each request counts with the higher of two values: its list
    /// price, or the credits used that the service reported.
    pub credits: Credits,
}

/// A tool loop that has not started. Awaiting it runs the loop and returns a [`ToolLoopOutcome`].
#[derive(Debug, Clone)]
#[must_use = "a tool loop does nothing until it is awaited"]
pub struct ToolLoop<R> {
    tools: Tools,
    request: R,
    rounds: u32,
    credits: Option<Credits>,
}

impl<R: ToolRequest> ToolLoop<R> {
    /// Sets the maximum number of requests of the loop. The value 0 counts as 1.
    pub fn max_rounds(mut self, rounds: u32) -> Self {
        self.rounds = rounds.max(1);
        self
    }

    /// Sets the maximum credits of the loop. Before each request, the loop adds the list price of this request to the
    /// credits of the requests before it. If the sum exceeds the limit, the loop ends and does not send the request.
    /// If the first request alone exceeds the limit, awaiting the loop returns [`ErrorKind::OverBudget`]. A request
    /// without a published list price counts only after its response, with the credits used that the service reports.
    pub fn max_credits(mut self, credits: u64) -> Self {
        self.credits = Some(Credits(credits));
        self
    }

    async fn run_rounds(self) -> Result<ToolLoopOutcome<R::Answer>, Error> {
        let mut request = self.request.offer(&self.tools);
        let price = list_price(&request.clone().into_call()).credits().unwrap_or_default();
        let exceeds = |spent: Credits| self.credits.is_some_and(|limit| spent + price > limit);
        if let Some(limit) = self.credits.filter(|_| exceeds(Credits(0))) {
            let message = format!(
                "the list price of a request, {price}, exceeds the limit of the tool loop, {limit}"
            );
            return Err(Error::new(ErrorKind::OverBudget, message).with_operation(R::OPERATION.id));
        }

        let (mut spent, mut rounds, mut runs) = (Credits(0), 0, Vec::new());
        loop {
            let answer = request.clone().into_call().send::<R::Answer>().await?;
            rounds += 1;
            let reported = answer.credits_used().and_then(|used| u64::try_from(used).ok());
            spent = spent + price.max(Credits(reported.unwrap_or_default()));

            let calls = R::calls(&answer);
            let end = if R::incomplete_reason(&answer).is_some() {
                Some(ToolLoopEnd::Incomplete)
            } else if calls.is_empty() {
                Some(ToolLoopEnd::Answered)
            } else if rounds >= self.rounds {
                Some(ToolLoopEnd::Rounds)
            } else if exceeds(spent) {
                Some(ToolLoopEnd::Credits)
            } else {
                None
            };
            if let Some(end) = end {
                return Ok(ToolLoopOutcome { answer, end, rounds, runs, credits: spent });
            }

            let done = join_all(calls.into_iter().map(|call| self.tools.call(call))).await;
            request = request.hand_back(&answer, &done);
            runs.extend(done);
        }
    }
}

impl<R: ToolRequest> IntoFuture for ToolLoop<R> {
    type Output = Result<ToolLoopOutcome<R::Answer>, Error>;
    type IntoFuture = BoxFuture<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run_rounds())
    }
}

/// A chat request that can offer tools to the model. `responses` and `chat-completions` requests implement this trait.
pub trait ToolRequest: Request<Answer: Sync> + Clone + Send + Sync + 'static {
    /// Adds the tools to the parameters of the request.
    #[must_use]
    fn offer(self, tools: &Tools) -> Self;

    /// Returns the tool calls that the model requests in an answer.
    fn calls(answer: &Self::Answer) -> Vec<ToolCall>;

    /// Returns the reason why an answer is incomplete. Returns `None` for a complete answer.
    fn incomplete_reason(answer: &Self::Answer) -> Option<&str>;

    /// Creates the next request of the loop. The request contains the results of the tool calls.
    #[must_use]
    fn hand_back(self, answer: &Self::Answer, runs: &[ToolRun]) -> Self;
}

impl ToolRequest for ResponsesRequest {
    fn offer(self, tools: &Tools) -> Self {
        let tools: Vec<_> = tools
            .0
            .iter()
            .map(|tool| {
                json!({
                    "type": "function",
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.parameters,
                })
            })
            .collect();
        self.extra_param("tools", serde_json::Value::from(tools))
    }

    fn calls(answer: &Response) -> Vec<ToolCall> {
        answer.tool_calls()
    }

    fn incomplete_reason(answer: &Response) -> Option<&str> {
        answer.incomplete_reason()
    }

    fn hand_back(self, answer: &Response, runs: &[ToolRun]) -> Self {
        let input = runs
            .iter()
            .fold(ResponseInput::new(), |input, run| input.tool_output(&run.call.id, run.output()));
        let mut call = self.into_call();
        set_by_name(&mut call, "input", Value::Json(input.into()));
        set_by_name(&mut call, "previous_response_id", Value::Text(answer.id.clone()));
        Self::from_call(call)
    }
}

impl ToolRequest for ChatCompletionsRequest {
    fn offer(self, tools: &Tools) -> Self {
        self.tools(tools.0.iter().map(|tool| {
            let function = ChatToolFunction::new(tool.name.as_str())
                .description(tool.description.as_str())
                .parameters(tool.parameters.clone());
            ChatTool::new(function, ChatToolType::Function)
        }))
    }

    fn calls(answer: &ChatCompletion) -> Vec<ToolCall> {
        answer.tool_calls()
    }

    fn incomplete_reason(answer: &ChatCompletion) -> Option<&str> {
        answer.incomplete_reason()
    }

    fn hand_back(self, answer: &ChatCompletion, runs: &[ToolRun]) -> Self {
        let mut call = self.into_call();
        let mut messages = match call.get("messages") {
            Some(Value::Json(serde_json::Value::Array(messages))) => messages.clone(),
            _ => Vec::new(),
        };
        let mut message = assistant(answer.text());
        if let Some(choice) = answer.choice() {
            message.tool_calls.clone_from(&choice.message.tool_calls);
        }
        let results = runs.iter().map(|run| {
            let mut result = ChatMessage::new(run.output(), ChatMessageRole::Tool);
            result.tool_call_id = Some(run.call.id.clone());
            result
        });
        messages.extend(
            [message]
                .into_iter()
                .chain(results)
                .filter_map(|message| serde_json::to_value(message).ok()),
        );
        set_by_name(&mut call, "messages", Value::Json(messages.into()));
        Self::from_call(call)
    }
}
