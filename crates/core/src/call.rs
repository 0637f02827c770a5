//! A call: one operation, its parameter values, and the client that sends the call.
//!
//! Generated request methods set the values. [`Call::parts()`] checks the values and builds the HTTP request.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;
use tracing::Instrument;

use crate::convention::normalise;
use crate::decode::decode;
use crate::error::Error;
use crate::idle::IdleTime;
use crate::operation::{Body, In, Operation, Param, ParamKind, Price};
use crate::options::CallOptions;
use crate::raw_reply::{RawReply, RawStream};
use crate::reply::Reply;
use crate::reported::HasMeta;
use crate::transport::Handle;
use crate::value::{List, Value};

/// Characters to escape in a path segment: all characters except the unreserved ones of RFC 3986. Because `/` and `?`
/// are escaped, a parameter value cannot change the rest of the path.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A call that is not sent yet: one operation, and the values of its parameters.
#[derive(Debug, Clone)]
#[must_use = "a call does nothing until it is sent"]
pub struct Call {
    handle: Handle,
    operation: &'static Operation,
    /// Parameter values, each with the index of its parameter in `operation.params`.
    values: Vec<(usize, Value)>,
    extra: Vec<(String, Value)>,
    options: CallOptions,
    idle: IdleTime,
    /// Complete HTTP request of a call from [`raw`](Self::raw), or of a call that got a new path with
    /// [`with_target`](Self::with_target). For all other calls, this field is `None`, and [`parts`](Self::parts())
    /// builds the request from the catalogue and the parameter values.
    parts: Option<Parts>,
    /// Function that returns true if the response decodes to the type that the caller wants. `None` if the caller wants
    /// undecoded JSON, so that every JSON response is accepted.
    decodes: Option<fn(&Call, RawReply) -> bool>,
}

/// Model and reasoning effort of a chat call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelUse {
    /// Name of the chat model.
    pub model: String,
    /// Reasoning effort, if the call sets it. The service treats a missing effort as `none`.
    pub effort: Option<String>,
}

/// HTTP request of a call, without host and authentication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// HTTP method.
    pub method: Method,
    /// Path and query, starting with `/`.
    pub target: String,
    /// Headers that come from request parameters, and `Content-Type` if the body is not JSON.
    pub headers: HeaderMap,
    /// Request body. It is JSON unless the headers contain another `Content-Type`.
    pub body: Option<Bytes>,
}

impl Call {
    pub(crate) fn new(handle: Handle, operation: &'static Operation) -> Self {
        Call {
            handle,
            operation,
            values: Vec::new(),
            extra: Vec::new(),
            options: CallOptions::default(),
            idle: IdleTime::default(),
            parts: None,
            decodes: None,
        }
    }

    /// Creates a raw call: a call of an operation that is not in the catalogue. The HTTP request in `parts` is sent
    /// unchanged.
    pub fn raw(handle: Handle, parts: Parts) -> Self {
        Call { parts: Some(parts), ..Call::new(handle, &crate::operation::RAW) }
    }

    /// Requests the largest page that the operation allows, but at most `most` rows. If `most` is below the operation's
    /// minimum page size, requests the minimum. The list price of a page does not depend on its size. If the call
    /// already sets a page size, or if the catalogue has no maximum page size, this method changes nothing.
    pub fn with_largest_page(mut self, most: Option<u64>) -> Self {
        let limit = self.operation.paging.limit().and_then(|name| self.operation.param(name));
        if let (Some((index, param)), Some(largest)) = (limit, self.operation.largest_page())
            && let ParamKind::Integer { min, .. } = param.kind
            && self.get(param.name).is_none()
        {
            let wanted = i64::try_from(most.map_or(largest, |most| most.min(largest)));
            self.set(index, wanted.unwrap_or(i64::MAX).max(min.unwrap_or(1)));
        }
        self
    }

    /// Replaces the path and query of the request with `target`, such as the link to a next page that a response
    /// contained. The parameter values of the call are not sent.
    pub fn with_target(self, target: String) -> Self {
        let method = self.operation.method.clone();
        let parts = Parts { method, target, headers: HeaderMap::new(), body: None };
        Call { parts: Some(parts), ..self }
    }

    /// Returns the operation of this call, as described in the catalogue: path, parameters, price and more. The
    /// operation of a [raw](Self::raw) call, which is not in the catalogue, has no parameters and no price.
    #[must_use]
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Returns the handle of the client that sends this call.
    #[must_use]
    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Returns the call with another [`Handle`]. For example, the new handle can have a transport that wraps the
    /// transport of this call.
    pub fn with_handle(self, handle: Handle) -> Self {
        Call { handle, ..self }
    }

    /// Returns the model and reasoning effort of the call. Returns `None` if the price of the operation does not depend
    /// on the model, or if the call sets no model.
    #[must_use]
    pub fn model(&self) -> Option<ModelUse> {
        if !matches!(self.operation.price, Price::ByModel(_)) {
            return None;
        }
        let text = |name: &str| match self.get(name) {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        };
        let nested = || match self.get("reasoning") {
            Some(Value::Json(reasoning)) => Some(reasoning.get("effort")?.as_str()?.to_owned()),
            _ => None,
        };
        Some(ModelUse { model: text("model")?, effort: text("reasoning_effort").or_else(nested) })
    }

    /// Returns the list price of the call. If the operation's price depends on the model, the result is the price for
    /// the model and reasoning effort that this call sets.
    #[must_use]
    pub fn list_price(&self) -> Price {
        let model = self.model();
        let model = model.as_ref();
        self.operation.list_price(
            model.map(|model| model.model.as_str()),
            model.and_then(|model| model.effort.as_deref()),
        )
    }

    /// Returns the options of this call, such as its deadline. They override the options of the client.
    #[must_use]
    pub fn options(&self) -> &CallOptions {
        &self.options
    }

    /// Sets the options of this call, such as its deadline. They override the options of the client.
    pub fn set_options(&mut self, options: CallOptions) {
        self.options = options;
    }

    /// Returns the counter of idle time: the time in which no caller waited for the result of this call.
    #[must_use]
    pub fn idle_time(&self) -> &IdleTime {
        &self.idle
    }

    /// Sets the counter of idle time: the time in which no caller waits for the result of this call.
    pub fn set_idle_time(&mut self, idle: IdleTime) {
        self.idle = idle;
    }

    /// Sets the parameter at `index` in the parameter list of the operation. If the parameter already has a value, the
    /// new value replaces it. Tickers are converted to uppercase, and social media handles lose a leading `@`. If the
    /// operation has no parameter at `index`, sending the call returns an error.
    pub fn set(&mut self, index: usize, value: impl Into<Value>) {
        let value = match self.operation.params.get(index) {
            Some(param) => normalise(param, value.into()),
            None => value.into(),
        };
        match self.values.iter_mut().find(|(i, _)| *i == index) {
            Some((_, old)) => *old = value,
            None => self.values.push((index, value)),
        }
    }

    /// Sets the parameter at `index` like [`set`](Self::set), and returns the call.
    pub fn with(mut self, index: usize, value: impl Into<Value>) -> Self {
        self.set(index, value);
        self
    }

    /// Removes the value of the parameter at `index` in the parameter list of the operation.
    pub fn unset(&mut self, index: usize) {
        self.values.retain(|(i, _)| *i != index);
    }

    /// Returns the value of the parameter called `name`, if it is set.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        let (index, _) = self.operation.param(name)?;
        self.values.iter().find(|(i, _)| *i == index).map(|(_, value)| value)
    }

    /// Parses a string according to the type of the parameter called `name`, and sets the parameter. This method is for
    /// programs that choose operations at run time.
    ///
    /// # Errors
    /// Returns [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) if the operation has no parameter called
    /// `name`, if the string does not have the parameter's type, or if the parameter is a constant, which cannot be
    /// set.
    pub fn set_text(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let Some((index, param)) = self.operation.param(name) else {
            let known: Vec<_> = self.operation.params.iter().map(|p| p.name).collect();
            return Err(self.invalid(format!(
                "the operation has no parameter `{name}`; its parameters are: {}",
                if known.is_empty() { "none".to_owned() } else { known.join(", ") }
            )));
        };
        let wrong = |what: &str| self.invalid(format!("`{name}` must be {what}, not `{text}`"));
        let value = match param.kind {
            ParamKind::Integer { .. } => {
                Value::Integer(text.parse().map_err(|_| wrong("a whole number"))?)
            }
            ParamKind::Number { .. } => Value::Number(text.parse().map_err(|_| wrong("a number"))?),
            ParamKind::Boolean => Value::Boolean(text.parse().map_err(|_| wrong("true or false"))?),
            ParamKind::List { .. } => Value::List(List::from(text)),
            ParamKind::Json(_) => {
                Value::Json(serde_json::from_str(text).map_err(|_| wrong("JSON"))?)
            }
            ParamKind::Constant(_) => return Err(self.invalid(format!("`{name}` cannot be set"))),
            ParamKind::String { .. } | ParamKind::Enum(_) | ParamKind::Moment => text.into(),
        };
        self.set(index, value);
        Ok(())
    }

    /// Sets a parameter, even if it is missing from this release's catalogue of operations. For example, the service
    /// may have added the parameter later. If the catalogue contains the parameter, this method calls
    /// [`set`](Self::set), so that the parameter is not sent twice. A constant parameter such as `stream` is an
    /// exception: in a JSON body, the value of this method replaces the constant.
    pub fn set_extra(&mut self, name: String, value: Value) {
        if let Some((index, param)) = self.operation.param(&name)
            && !matches!(param.kind, ParamKind::Constant(_))
        {
            return self.set(index, value);
        }
        self.extra.retain(|(known, _)| *known != name);
        self.extra.push((name, value));
    }

    /// Changes the operation of the call to `operation`. Each value moves to the new operation's parameter with an
    /// equal name, even if the index of the parameter differs. A value is dropped if the new operation has no parameter
    /// of this name.
    pub(crate) fn with_operation(mut self, operation: &'static Operation) -> Self {
        let old = std::mem::take(&mut self.values);
        for (index, value) in old {
            let Some(param) = self.operation.params.get(index) else { continue };
            if let Some((index, _)) = operation.param(param.name) {
                self.values.push((index, value));
            }
        }
        self.operation = operation;
        self
    }

    pub(crate) fn values(&self) -> &[(usize, Value)] {
        &self.values
    }

    pub(crate) fn extra(&self) -> &[(String, Value)] {
        &self.extra
    }

    pub(crate) fn invalid(&self, message: impl Into<String>) -> Error {
        Error::invalid(message).with_operation(self.operation.id)
    }

    /// Checks the call against the catalogue, and builds the HTTP request.
    ///
    /// # Errors
    /// Returns [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) if a parameter value is missing or
    /// invalid. The message contains the name of the parameter and, for most invalid values, the values that the
    /// parameter accepts.
    pub fn parts(&self) -> Result<Parts, Error> {
        if let Some(parts) = &self.parts {
            return Ok(parts.clone());
        }
        self.check()?;
        // Values are sorted in the order of the catalogue, so that equal calls become equal requests.
        let mut values: Vec<_> = self.values.iter().collect();
        values.sort_by_key(|(index, _)| *index);
        let values =
            values.into_iter().map(|(index, value)| (&self.operation.params[*index], value));
        let values: Vec<(&Param, &Value)> = values.collect();

        let target = self.target(&values);
        let mut headers = self.headers(&values)?;
        let written = crate::body::write(self.operation.body, self.body_fields(&values));
        let body = written.map(|(body, media)| {
            // Transports send `application/json` if no header sets the media type.
            if media != "application/json" {
                headers.insert(http::header::CONTENT_TYPE, media);
            }
            body
        });
        Ok(Parts { method: self.operation.method.clone(), target, headers, body })
    }

    /// Returns the path and query of the request.
    fn target(&self, values: &[(&Param, &Value)]) -> String {
        let mut path = self.operation.path.to_owned();
        for (param, value) in values.iter().filter(|(param, _)| param.location == In::Path) {
            let text = value.to_text();
            let segment = utf8_percent_encode(&text, SEGMENT).to_string();
            path = path.replace(&format!("{{{}}}", param.name), &segment);
        }

        let length = path.len();
        // Some paths already end in a query.
        path.push(if path.contains('?') { '&' } else { '?' });
        let mut query = form_urlencoded::Serializer::for_suffix(path, length + 1);
        for (param, value) in values.iter().filter(|(param, _)| param.location == In::Query) {
            match (param.kind, value) {
                (ParamKind::List { repeated: true }, Value::List(list)) => {
                    query.extend_pairs(list.iter().map(|text| (param.name, text)));
                }
                _ => drop(query.append_pair(param.name, &value.to_text())),
            }
        }
        if self.operation.body == Body::None {
            query.extend_pairs(self.extra.iter().map(|(name, value)| (name, value.to_text())));
        }

        let mut target = query.finish();
        if target.len() == length + 1 {
            target.truncate(length);
        }
        target
    }

    /// Returns the HTTP headers that come from parameters.
    fn headers(&self, values: &[(&Param, &Value)]) -> Result<HeaderMap, Error> {
        let mut headers = HeaderMap::new();
        for (param, value) in values.iter().filter(|(param, _)| param.location == In::Header) {
            let name = HeaderName::from_bytes(param.name.as_bytes());
            let value = HeaderValue::from_str(&value.to_text());
            let (Ok(name), Ok(value)) = (name, value) else {
                return Err(self.invalid(format!(
                    "`{}` has characters that are not allowed in a header",
                    param.name
                )));
            };
            headers.insert(name, value);
        }
        Ok(headers)
    }

    /// Returns the fields of the request body, in this order: body parameters from `values`, constants of the operation
    /// such as `stream`, and the parameters in `self.extra`.
    fn body_fields(&self, values: &[(&Param, &Value)]) -> Vec<(String, Value)> {
        if self.operation.body == Body::None {
            return Vec::new();
        }
        let set = values.iter().filter(|(param, _)| param.location == In::Body);
        let set = set.map(|(param, value)| (param.name.to_owned(), (*value).clone()));
        let constants = self.operation.params.iter().filter_map(|param| match param.kind {
            ParamKind::Constant(flag) => Some((param.name.to_owned(), flag.into())),
            _ => None,
        });
        set.chain(constants).chain(self.extra.iter().cloned()).collect()
    }

    /// Returns true if the response body decodes to the type that the caller wants. For a call that is sent with
    /// [`send_raw`](Self::send_raw), returns true for every valid JSON body.
    ///
    /// A cache must store and return only responses for which this method returns true.
    #[must_use]
    pub fn accepts(&self, reply: &RawReply) -> bool {
        match self.decodes {
            Some(decodes) => decodes(self, reply.clone()),
            None => crate::json::from_slice::<serde::de::IgnoredAny>(&reply.body).is_ok(),
        }
    }

    /// Sends the call and decodes the response.
    ///
    /// # Errors
    /// Returns errors of the transport. Returns [`ErrorKind::Decode`](crate::ErrorKind::Decode) if the response does
    /// not have the type `T`.
    pub async fn send<T: DeserializeOwned + HasMeta>(self) -> Result<Reply<T>, Error> {
        let span = span(self.operation);
        let call = Call { decodes: Some(can_decode::<T>), ..self };
        let receiving = span.in_scope(|| call.receive());
        let received = receiving.instrument(span.clone()).await?;
        span.in_scope(|| received.decode())
    }

    fn receive(self) -> impl Future<Output = Result<Received, Error>> + Send {
        let (operation, handle) = (self.operation, self.handle.clone());
        let (model, price) = (self.model(), self.list_price());
        let keep_body = self.options.keep_body || handle.keep_body();
        // The call moves into the future of the transport, so this future does not contain the call.
        let sent = handle.clone().send(self);
        async move {
            match sent.await {
                Ok(raw) => Ok(Received { handle, operation, model, price, keep_body, raw }),
                Err(error) => Err(error.with_operation(operation.id)),
            }
        }
    }

    /// Sends the call and returns the response body as a stream.
    ///
    /// # Errors
    /// Returns errors of the transport.
    pub async fn open(self) -> Result<RawStream, Error> {
        let operation = self.operation;
        let work = self.handle.clone().open(self).instrument(span(operation));
        work.await.map_err(|error| error.with_operation(operation.id))
    }

    /// Sends the call and returns the response without decoding it.
    ///
    /// # Errors
    /// Returns errors of the transport.
    pub async fn send_raw(self) -> Result<RawReply, Error> {
        let operation = self.operation;
        let work = self.handle.clone().send(self).instrument(span(operation));
        work.await.map_err(|error| error.with_operation(operation.id))
    }
}

/// A response that is not decoded yet, with the operation, model and list price of its call.
struct Received {
    handle: Handle,
    operation: &'static Operation,
    model: Option<ModelUse>,
    price: Price,
    keep_body: bool,
    raw: RawReply,
}

impl Received {
    fn decode<T: DeserializeOwned + HasMeta>(self) -> Result<Reply<T>, Error> {
        let Received { handle, operation, model, price, keep_body, raw } = self;
        match decode::<T>(operation, price, keep_body, handle.transport(), raw) {
            Ok(reply) => {
                if !reply.exchange.http.reused {
                    handle.settled(operation, model.as_ref(), reply.credits_used());
                }
                Ok(reply)
            }
            Err(error) => Err(handle.masked(error).with_operation(operation.id)),
        }
    }
}

fn can_decode<T: DeserializeOwned + HasMeta>(call: &Call, reply: RawReply) -> bool {
    decode::<T>(call.operation, call.list_price(), false, call.handle.transport(), reply).is_ok()
}

/// Creates the tracing span of a call. The span covers the work of the transport and, if the response is decoded, the
/// decoding. The transport sets the span fields that are still empty.
fn span(operation: &Operation) -> tracing::Span {
    use tracing::field::Empty;
    tracing::debug_span!(
        target: "crypto_intel",
        "call",
        operation = operation.id,
        attempts = Empty,
        credits_used = Empty,
        elapsed_ms = Empty,
        reused = Empty,
        // Where OpenTelemetry defines a name for a field, the span uses this name.
        otel.kind = "client",
        otel.name = operation.id,
        otel.status_code = Empty,
        error.type = Empty,
        http.request.method = operation.method.as_str(),
        http.request.resend_count = Empty,
        http.response.status_code = Empty,
        server.address = Empty,
        url.template = operation.path,
    )
}
