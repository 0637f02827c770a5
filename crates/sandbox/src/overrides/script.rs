//! An override with its list of responses, and the conditions that a call must meet. Each entry of the list is called a
//! step.
//!
//! Each call that meets the conditions gets the response of the next step.

use std::collections::VecDeque;

use crypto_intel_world::args::Args;
use crypto_intel_world::example;
use serde::Serialize;
use serde_json::Value;

use crate::fault::Fault;

/// Responses to the calls of one operation, in place of generated responses.
///
/// An override is a list of steps, which are used in order. A step is used for one call, or for the number of calls
/// that [`times`] sets. The last step is used for all further calls, unless `times` limits it. After all steps are used
/// up, responses are generated again.
///
/// Any value that can be serialized becomes an override with one step. The value can be a record of `crypto_intel_api`
/// or `crypto_intel`, or a JSON value. An operation that returns a list accepts a list of rows. Other operations accept
/// their record. The rows are the whole list: the sandbox splits them into pages, but does not filter or sort them. The
/// sandbox adds `meta`. A JSON object with `data` and `meta` is the whole response.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use crypto_intel_api::generated::market::MarketMetricPoint;
/// use crypto_intel_sandbox::{Override, Sandbox, UnixSeconds};
/// use serde_json::json;
///
/// let sandbox = Sandbox::start().await?;
///
/// // Typed rows, for all calls.
/// let mut point = MarketMetricPoint::default();
/// point.timestamp = UnixSeconds(1_767_225_600);
/// point.value = 91_000.0;
/// sandbox.answer("market-price", vec![point.clone()])?;
///
/// // The generated rows with some fields changed.
/// sandbox.answer("market-ranking", Override::partial(json!({"price_usd": 1.5})))?;
///
/// // A sequence: a response, three errors, and then another response for all further calls.
/// let sequence = Override::data(vec![point.clone()])
///     .then(Override::status(503).times(3))
///     .then(Override::data(json!([])));
/// sandbox.answer("market-price", sequence.when("symbol", "ETH"))?;
///
/// // Data that the operation cannot return cause an error, with the JSON path and a suggested fix.
/// let error = sandbox.answer("market-price", json!([{"timestamp": 1_767_225_600, "valeu": 1.0}])).unwrap_err();
/// assert!(error.to_string().contains("`data[0].valeu` is unknown: did you mean `value`?"));
/// # Ok(())
/// # }
/// ```
///
/// [`times`]: Override::times
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Override {
    pub(super) steps: VecDeque<Step>,
    /// Conditions of the override. Each condition is the name of a parameter, and the value that a call must pass.
    pub(super) conditions: Vec<(String, Value)>,
    /// Reason why the data of the override could not be serialized as JSON.
    pub(super) problem: Option<String>,
    /// True if the data may differ from the API description of the operation, for example by an unknown field.
    pub(super) unchecked: bool,
}

/// Error for an override that is invalid, or that does not fit its operation. If a field is wrong, the message contains
/// the JSON path of this field, and in some cases a suggested fix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidOverride(pub(super) String);

/// One step of an override. It contains the response of the step, and the number of calls that get this response.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    pub(super) content: Content,
    /// Number of further calls that get the response of this step. `None` means that all further calls get it.
    pub(super) times: Option<u32>,
}

/// Content of one step of an override. The sandbox builds the response from this content.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Content {
    /// A list of rows, a record, or a whole response.
    Data(Value),
    /// Fields that replace fields of the generated response.
    Partial(Value),
    /// Text of a chat answer.
    Text(String),
    /// A fault that replaces or changes the generated response.
    Fault(Fault),
    /// The generated response, unchanged.
    Invented,
}

impl Override {
    pub(super) fn new(content: Content) -> Self {
        let steps = VecDeque::from([Step { content, times: None }]);
        Override { steps, conditions: Vec::new(), problem: None, unchecked: false }
    }

    fn serialised(data: impl Serialize, content: fn(Value) -> Content) -> Self {
        match serde_json::to_value(data) {
            Ok(value) => Override::new(content(value)),
            Err(error) => {
                Override { problem: Some(error.to_string()), ..Override::new(Content::Invented) }
            }
        }
    }

    /// Responds with `data`: a list of rows, one record, or the complete JSON body of a response. If `data` is a list
    /// or one record, the sandbox adds the other fields of the body, such as `meta`.
    pub fn data(data: impl Serialize) -> Self {
        Override::serialised(data, Content::Data)
    }

    /// Responds with the generated data, in which `fields` are replaced. If the response is a list, a JSON object
    /// changes every row. In a JSON array, the first item changes the first row, the second item the second row, and so
    /// on. Nested objects are merged field by field. All other values are replaced.
    ///
    /// If the response is one record, a JSON object changes this record. The response of some operations, such as
    /// `market-price`, is a record that contains a list of rows. For these operations, a JSON array changes the rows. A
    /// JSON object such as `{"symbol": "ETH"}` changes the record if the record type has all fields of the object. Any
    /// other JSON object changes every row. For example, `{"value": 1.5}` changes the rows, because only the rows have
    /// a field `value`.
    ///
    /// Pass JSON and not a typed record, because a typed record always has values for its required fields.
    pub fn partial(fields: impl Serialize) -> Self {
        Override::serialised(fields, Content::Partial)
    }

    /// Responds to a chat request with this text. The response is one JSON object or a stream, as the request demands.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use crypto_intel_sandbox::{Override, Sandbox};
    ///
    /// let sandbox = Sandbox::start().await?;
    /// sandbox.answer("responses", Override::text("Sell everything."))?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn text(text: impl Into<String>) -> Self {
        Override::new(Content::Text(text.into()))
    }

    /// Responds with an error of this HTTP status. The call is not charged.
    pub fn status(status: u16) -> Self {
        Override::fault(Fault::status(status))
    }

    /// Responds with a [`Fault`], such as `"status=429;retry-after=2"` or `"cut=100"`.
    pub fn fault(mut fault: Fault) -> Self {
        let times = fault.times.take();
        let mut script = Override::new(Content::Fault(fault));
        script.steps[0].times = times;
        script
    }

    /// Responds with the generated response, as if there were no override. For example,
    /// `Override::invented().times(2).then(Override::status(503))` returns status 503 from the third call on.
    pub fn invented() -> Self {
        Override::new(Content::Invented)
    }

    /// Sets the number of calls that receive the last response of this override. For example,
    /// `Override::status(503).times(2)` returns status 503 for two calls. If `times` is 0, the sandbox rejects the
    /// override. Later calls receive the response that is added next. Without a next response, the override no longer
    /// applies.
    pub fn times(mut self, times: u32) -> Self {
        if let Some(step) = self.steps.back_mut() {
            step.times = Some(times);
        }
        self
    }

    /// Appends the steps and the conditions of another override. The last step of this override is used for one call,
    /// unless [`times`](Self::times) was set for this step. For example,
    /// `Override::status(503).then(Override::invented())` returns status 503 for one call, and generated responses for
    /// all later calls.
    pub fn then(mut self, next: impl Into<Override>) -> Self {
        let next = next.into();
        if let Some(step) = self.steps.back_mut() {
            step.times.get_or_insert(1);
        }
        self.steps.extend(next.steps);
        self.conditions.extend(next.conditions);
        self.problem = self.problem.or(next.problem);
        self.unchecked |= next.unchecked;
        self
    }

    /// Accepts data that the operation cannot return according to the API description, such as unknown fields, other
    /// types, or unknown enum values. Use this method to test responses of a newer version of the service.
    pub fn unchecked(mut self) -> Self {
        self.unchecked = true;
        self
    }

    /// Limits the override to calls with this argument, such as `when("symbol", "ETH")`. A call must meet all
    /// conditions of an override. If several overrides match a call, the override with the most conditions is used.
    pub fn when(mut self, parameter: impl Into<String>, value: impl Into<Value>) -> Self {
        self.conditions.push((parameter.into(), value.into()));
        self
    }

    /// Returns true if the arguments of a call meet all conditions.
    pub(super) fn accepts(&self, args: &Args) -> bool {
        self.conditions.iter().all(|(name, wanted)| match args.given(name) {
            Some(given) => is_equal(given, wanted),
            None => args.text(name).is_some_and(|default| is_equal(&default.into(), wanted)),
        })
    }

    /// Returns the content of the response to the next call, and counts the call. Returns `None` if no response is
    /// left.
    pub(super) fn next(&mut self) -> Option<Content> {
        let step = self.steps.front_mut()?;
        let content = step.content.clone();
        match &mut step.times {
            Some(times) if *times > 1 => *times -= 1,
            Some(_) => drop(self.steps.pop_front()),
            None => {}
        }
        Some(content)
    }

    pub(super) fn is_over(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns true if each step of the override can also respond to a streaming request. A text or a fault can be sent
    /// as a stream. Rows, a record or replaced fields cannot.
    pub(super) fn can_stream(&self) -> bool {
        let whole = |step: &Step| matches!(step.content, Content::Data(_) | Content::Partial(_));
        !self.steps.iter().any(whole)
    }
}

/// Returns true if an argument equals the value of a condition. Both values are compared as text, so the number 1
/// equals the text `1`. A list with one item equals that item.
fn is_equal(given: &Value, wanted: &Value) -> bool {
    match (given, wanted) {
        (Value::Array(items), wanted) if items.len() == 1 && !wanted.is_array() => {
            is_equal(&items[0], wanted)
        }
        (given, wanted) => example::written(given) == example::written(wanted),
    }
}

impl<T: Serialize> From<T> for Override {
    fn from(data: T) -> Self {
        Override::data(data)
    }
}
