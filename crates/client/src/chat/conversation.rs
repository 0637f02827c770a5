//! Conversations of several questions and answers. A [`Thread`] sends only the new question and the identifier of the
//! last answer. A [`History`] sends all messages of the conversation with each question.

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

/// A conversation through the endpoint `responses`. The service stores the messages of the conversation, and this
/// struct stores the identifier of the last answer. A program can save the struct with `serde` and resume the
/// conversation later.
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
    /// Messages of the [`History`] from which this conversation was created, without its system messages. The request
    /// for the next question contains these messages, because the service has not stored them. An answer with an
    /// identifier sets this field to `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    earlier: Option<ResponseInput>,
}

impl Thread {
    /// Creates a conversation with this model. The conversation has no messages yet.
    #[must_use]
    pub fn new(model: impl Into<ResponsesRequestModel>) -> Self {
        Thread { model: model.into(), instructions: None, effort: None, last: None, earlier: None }
    }

    /// Resumes a conversation after the answer with the identifier `last`.
    #[must_use]
    pub fn resume(model: impl Into<ResponsesRequestModel>, last: impl Into<String>) -> Self {
        Thread { last: Some(last.into()), ..Self::new(model) }
    }

    /// Sets the instructions for the model. The request for every question contains them.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Sets the reasoning effort of the model for every question.
    #[must_use]
    pub fn effort(mut self, effort: impl Into<ResponsesReasoningEffort>) -> Self {
        self.effort = Some(effort.into());
        self
    }

    /// Returns the identifier of the last answer, or `None` before the first answer.
    #[must_use]
    pub fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// Creates the request for the next question. A program can set more parameters of the request before sending it,
    /// and can stream the answer. After the complete answer has arrived, the program must pass the answer to
    /// [`note`](Self::note).
    pub fn request(&self, api: &Api, question: impl Into<Value>) -> ResponsesRequest {
        let question = question.into();
        let input = match &self.earlier {
            Some(earlier) => earlier.clone().with_question(question).into(),
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

    /// Adds an answer to the conversation. The next question follows this answer. An answer without an identifier is
    /// ignored, because the next request cannot refer to it.
    pub fn note(&mut self, answer: &Response) {
        if !answer.id.is_empty() {
            self.last = Some(answer.id.clone());
            self.earlier = None;
        }
    }

    /// Sends the next question and adds its answer to the conversation.
    ///
    /// # Errors
    /// Returns an error if the call fails. The conversation is then unchanged, so the program can ask the question
    /// again.
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

/// A conversation through the endpoint `chat-completions`. Each request contains all messages of the conversation. A
/// program can save the struct with `serde` and resume the conversation later.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct History {
    model: ChatCompletionsRequestModel,
    messages: Vec<ChatMessage>,
}

impl History {
    /// Creates a conversation with this model. The conversation has no messages yet.
    #[must_use]
    pub fn new(model: impl Into<ChatCompletionsRequestModel>) -> Self {
        History { model: model.into(), messages: Vec::new() }
    }

    /// Adds a system message to the conversation. A system message instructs the model.
    #[must_use]
    pub fn system(mut self, text: impl Into<String>) -> Self {
        self.messages.push(system(text));
        self
    }

    /// Returns all messages of the conversation, the oldest first.
    #[must_use]
    pub fn messages(&self) -> &[ChatMessage] {
        &self.messages
    }

    /// Adds a message to the end of the conversation.
    pub fn push(&mut self, message: ChatMessage) {
        self.messages.push(message);
    }

    /// Creates the request for the next question. A program can set more parameters of the request, or stream its
    /// answer. This method does not change the history. To add the question and its answer, call [`note`](Self::note).
    pub fn request(&self, api: &Api, question: impl Into<String>) -> ChatCompletionsRequest {
        let messages = self.messages.iter().cloned().chain([user(question)]);
        #[expect(
            deprecated,
            reason = "a `History` sends its questions through this deprecated operation"
        )]
        api.chat_completions(self.model.clone(), messages)
    }

    /// Converts the conversation to a [`Thread`], which continues it through the endpoint `responses`.
    ///
    /// System messages become the instructions of the thread. The request for the first question of the
    /// thread contains all other messages as items of the parameter `input`. After this request, the service stores the
    /// conversation. The service's OpenAPI document does not define the items of `input`. This method therefore uses
    /// the JSON format of other common chat APIs.
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

    /// Adds a question and the text of its answer to the conversation.
    pub fn note(&mut self, question: impl Into<String>, answer: &ChatCompletion) {
        self.messages.push(user(question));
        self.messages.push(assistant(answer.text()));
    }

    /// Sends the next question, and adds the question and its answer to the conversation.
    ///
    /// # Errors
    /// Returns an error if the call fails. The history is then unchanged, so the program can ask the question again.
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
