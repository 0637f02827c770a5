//! Conversations over several questions. [`Thread`] sends the identifier of the last answer, and [`History`] sends
//! all messages.

use crypto_intel_api::Api;
use crypto_intel_api::generated::chat::{
    ChatCompletion, ChatCompletionsRequest, ChatCompletionsRequestModel, ChatMessage,
    ChatMessageRole, Response, ResponsesReasoningEffort, ResponsesRequest, ResponsesRequestModel,
};
use crypto_intel_core::{Error, Reply};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer::ChatCompletionExt;
use super::request::{ResponseInput, ResponsesRequestExt, assistant, system, user};

/// A conversation through `responses`. The service stores the messages, and this struct has the identifier of the
/// last answer. It can be saved with `serde` and resumed later.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
/// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
/// use crypto_intel::{chat::Thread, prelude::*};
///
/// let mut thread = Thread::new("svc-2.0-instant").instructions("Answer in one sentence.");
/// println!("{}", thread.ask(&client, "What is ETH?").await?.text());
/// let saved = serde_json::to_string(&thread).expect("a thread is JSON");
///
/// let mut thread: Thread = serde_json::from_str(&saved).expect("as saved");
/// println!("{}", thread.ask(&client, "And its supply?").await?.text());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Thread {
    model: ResponsesRequestModel,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instructions: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    effort: Option<ResponsesReasoningEffort>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<String>,
    /// Messages that the service has not seen yet. The next question sends them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    earlier: Option<ResponseInput>,
}

impl Thread {
    /// Creates a conversation with a model.
    #[must_use]
    pub fn new(model: impl Into<ResponsesRequestModel>) -> Self {
        Thread { model: model.into(), instructions: None, effort: None, last: None, earlier: None }
    }

    /// Continues after an answer with a known identifier.
    #[must_use]
    pub fn resume(model: impl Into<ResponsesRequestModel>, last: impl Into<String>) -> Self {
        Thread { last: Some(last.into()), ..Self::new(model) }
    }

    /// Sets instructions that apply to every question.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Sets the reasoning effort of every question.
    #[must_use]
    pub fn effort(mut self, effort: impl Into<ResponsesReasoningEffort>) -> Self {
        self.effort = Some(effort.into());
        self
    }

    /// Returns the identifier of the last answer.
    #[must_use]
    pub fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// Creates the request for the next question. Use it to set more parameters, or to stream the answer. Then pass the
    /// answer to [`note`](Self::note).
    pub fn request(&self, api: &Api, question: impl Into<Value>) -> ResponsesRequest {
        let question = question.into();
        let input = match &self.earlier {
            Some(earlier) => earlier.clone().followed_by(question).into(),
            None => question,
        };
        let mut request = api.responses(self.model.clone(), input);
        if let Some(instructions) = &self.instructions {
            request = request.instructions(instructions.as_str());
        }
        if let Some(effort) = &self.effort {
            request = request.effort(effort.clone());
        }
        match &self.last {
            Some(last) => request.previous_response_id(last.as_str()),
            None => request,
        }
    }

    /// Continues the conversation after this answer.
    pub fn note(&mut self, answer: &Response) {
        if !answer.id.is_empty() {
            self.last = Some(answer.id.clone());
            self.earlier = None;
        }
    }

    /// Asks the next question.
    ///
    /// # Errors
    /// Errors of the request. The conversation is then unchanged, and the question can be asked again.
    pub async fn ask(
        &mut self,
        api: &Api,
        question: impl Into<Value>,
    ) -> Result<Reply<Response>, Error> {
        let reply = self.request(api, question).await?;
        self.note(&reply);
        Ok(reply)
    }
}

/// A conversation through `chat-completions`. Each request contains all messages so far.
/// It can be saved with `serde` and resumed later.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct History {
    model: ChatCompletionsRequestModel,
    messages: Vec<ChatMessage>,
}

impl History {
    /// Creates a conversation with a model.
    #[must_use]
    pub fn new(model: impl Into<ChatCompletionsRequestModel>) -> Self {
        History { model: model.into(), messages: Vec::new() }
    }

    /// Adds a system message.
    #[must_use]
    pub fn system(mut self, text: impl Into<String>) -> Self {
        self.messages.push(system(text));
        self
    }

    /// Returns the messages so far.
    #[must_use]
    pub fn messages(&self) -> &[ChatMessage] {
        &self.messages
    }

    /// Adds a message.
    pub fn push(&mut self, message: ChatMessage) {
        self.messages.push(message);
    }

    /// Creates the request for the next question. Use it to set more parameters, or to stream the answer. The history
    /// is unchanged until [`note`](Self::note) adds the question and its answer.
    pub fn request(&self, api: &Api, question: impl Into<String>) -> ChatCompletionsRequest {
        let messages = self.messages.iter().cloned().chain([user(question)]);
        #[expect(
            deprecated,
            reason = "a `History` is the only form of conversation for the deprecated operation"
        )]
        api.chat_completions(self.model.clone(), messages)
    }

    /// Converts the conversation to a [`Thread`], to continue it through `responses`. System messages become the
    /// instructions. All other messages are sent with the next question, as items of `input`. The interface does not
    /// describe these items, so this method uses the form of common services. After that question, the service stores
    /// the conversation.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
    /// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
    /// use crypto_intel::{chat::History, prelude::*};
    ///
    /// let mut history = History::new("svc-1.5").system("Answer in one sentence.");
    /// history.ask(&client, "What is ETH?").await?;
    ///
    /// let mut thread = history.into_thread("svc-2.0");
    /// println!("{}", thread.ask(&client, "And its supply?").await?.text());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn into_thread(self, model: impl Into<ResponsesRequestModel>) -> Thread {
        let (guidance, said): (Vec<_>, Vec<_>) =
            self.messages.into_iter().partition(|message| message.role == ChatMessageRole::System);
        let guidance: Vec<String> = guidance.into_iter().map(|message| message.content).collect();
        let earlier = said.into_iter().fold(ResponseInput::new(), ResponseInput::chat_message);

        Thread {
            instructions: (!guidance.is_empty()).then(|| guidance.join("\n\n")),
            earlier: (earlier != ResponseInput::new()).then_some(earlier),
            ..Thread::new(model)
        }
    }

    /// Adds a question and its answer.
    pub fn note(&mut self, question: impl Into<String>, answer: &ChatCompletion) {
        self.messages.push(user(question));
        self.messages.push(assistant(answer.text()));
    }

    /// Asks the next question.
    ///
    /// # Errors
    /// Errors of the request. The history is then unchanged, and the question can be asked again.
    pub async fn ask(
        &mut self,
        api: &Api,
        question: impl Into<String>,
    ) -> Result<Reply<ChatCompletion>, Error> {
        let question = question.into();
        let reply = self.request(api, question.as_str()).await?;
        self.note(question, &reply);
        Ok(reply)
    }
}
