//! Requests of operations that are chosen at run time, for example by a user on the command line. The rows of a
//! response keep their JSON text, so numbers keep all digits.

use std::future::IntoFuture;

use crypto_intel_core::{
    BoxFuture, Call, CallOptions, Error, ErrorKind, HasMeta, Operation, Paged, PagedRequest,
    Paging, Position, Reply, Reported, Request, Value,
    private::{OrderedFields, position_in},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::paging::Pager;

/// Request of an operation that is chosen at run time; see [`Client::request`](crate::Client::request).
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
/// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
/// let request = client.request("market-price")?.with_text("symbol", "BTC")?;
/// let reply = request.await?;
/// println!("{} rows, the first is {}", reply.rows().len(), reply.rows()[0]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use = "a request does nothing until it is awaited"]
pub struct DynamicRequest {
    call: Call,
}

impl DynamicRequest {
    pub(crate) fn new(call: Call) -> Self {
        DynamicRequest { call }
    }

    /// Returns the catalogue entry of the operation.
    #[must_use]
    pub fn operation(&self) -> &'static Operation {
        self.call.operation()
    }

    /// Returns the call that is sent when this request is awaited.
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// Sets a parameter from a string. The string is parsed according to the type of the parameter. If the parameter
    /// already has a value, the new value replaces it.
    ///
    /// # Errors
    /// Returns [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) in these cases:
    ///
    /// - The operation has no parameter with this name.
    /// - The string is not a value of the parameter's type.
    /// - The parameter is a constant.
    pub fn with_text(mut self, name: &str, text: &str) -> Result<Self, Error> {
        self.call.set_text(name, text)?;
        Ok(self)
    }

    /// Sets a parameter by its name. Names that are not in the catalogue of this release are also accepted.
    pub fn with_param(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.call.set_extra(name.into(), value.into());
        self
    }

    /// Sets options for this call. They take precedence over the settings of the client.
    pub fn with_options(mut self, options: CallOptions) -> Self {
        self.call.set_options(options);
        self
    }

    /// Returns a [`Pager`] for the list of this request. The pager requests the list page by page. Returns `None` if
    /// the operation has no pages.
    pub fn pager(self) -> Option<Pager<Self>> {
        let is_paged = self.operation().paging != Paging::None;
        is_paged.then(|| Pager::new(self.call))
    }
}

impl IntoFuture for DynamicRequest {
    type Output = Result<Reply<DynamicAnswer>, Error>;
    type IntoFuture = BoxFuture<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.call.send())
    }
}

impl Request for DynamicRequest {
    type Answer = DynamicAnswer;
    /// Placeholder without meaning, because the trait requires a constant. The call contains the operation chosen at
    /// run time.
    const OPERATION: &'static Operation = &crypto_intel_core::private::RAW;

    fn into_call(self) -> Call {
        self.call
    }

    fn from_call(call: Call) -> Self {
        DynamicRequest { call }
    }
}

impl PagedRequest for DynamicRequest {}

/// Response of any operation: its rows, and the JSON fields beside the rows.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DynamicAnswer {
    rows: Vec<Row>,
    is_list: bool,
    /// Name of the JSON field that contains the rows, such as `data`. `None` if the whole response is one row or a list
    /// of rows.
    member: Option<String>,
    rest: Vec<(String, Box<RawValue>)>,
}

impl DynamicAnswer {
    /// Returns the rows of the response. A response with a single value has one row.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the rows of the response by value.
    #[must_use]
    pub fn into_rows(self) -> Vec<Row> {
        self.rows
    }

    /// Returns true if the response is a list, and false if it is a single value.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self.is_list
    }

    /// Returns the JSON value of a field beside the rows, such as `meta`.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&RawValue> {
        self.rest.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// Returns the field `meta` of the response as a JSON value. Returns `null` if the response has no `meta`.
    #[must_use]
    pub fn meta(&self) -> Json {
        let meta = self.member("meta").map(|raw| serde_json::from_str(raw.get()));
        meta.and_then(Result::ok).unwrap_or_default()
    }
}

/// Row of a response, as the JSON text that the service sent.
#[derive(Debug, Clone)]
pub struct Row(Box<RawValue>);

impl Row {
    /// Returns the JSON text of the row.
    #[must_use]
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// Parses the row as a JSON value. Its numbers become 64-bit integers or floats, so they may lose digits.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Decode`](ErrorKind::Decode) if a number is out of range, or if the JSON is nested too
    /// deeply.
    pub fn to_value(&self) -> Result<Json, Error> {
        self.decode()
    }

    /// Decodes the row as `T`.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Decode`](ErrorKind::Decode) if the row cannot be decoded as `T`.
    pub fn decode<T: de::DeserializeOwned>(&self) -> Result<T, Error> {
        serde_json::from_str(self.get())
            .map_err(|error| Error::new(ErrorKind::Decode, format!("a row: {error}")))
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.get())
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Serialize for DynamicAnswer {
    /// Writes the field with the rows first, such as `data`, and then the other fields in the order of the response.
    /// The JSON text of each row and of each other field is written as received.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;

        let Some(member) = &self.member else {
            return match (self.is_list, self.rows.first()) {
                (false, Some(row)) => row.serialize(serializer),
                _ => self.rows.serialize(serializer),
            };
        };

        let mut map = serializer.serialize_map(None)?;
        match (self.is_list, self.rows.first()) {
            (false, Some(row)) => map.serialize_entry(member, row)?,
            _ => map.serialize_entry(member, &self.rows)?,
        }
        for (name, value) in &self.rest {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for DynamicAnswer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let whole: Box<RawValue> = Deserialize::deserialize(deserializer)?;
        parse_answer(&whole).map_err(de::Error::custom)
    }
}

fn parse_answer(whole: &RawValue) -> serde_json::Result<DynamicAnswer> {
    if !whole.get().starts_with('{') {
        return answer_from_rows(whole, None, Vec::new());
    }

    let OrderedFields::<&RawValue>(mut members) = serde_json::from_str(whole.get())?;
    match rows_member(&members) {
        Some(index) => {
            let (name, rows) = members.remove(index);
            answer_from_rows(rows, Some(name), members)
        }
        None => answer_from_rows(whole, None, Vec::new()),
    }
}

/// Returns the index of the field that contains the rows: the field `data`. In an object with a field `pagination` but
/// without `data`, the rows are the first list, or the first `null` if no field is a list. Returns `None` for any other
/// object, which is then one row.
fn rows_member(members: &[(String, &RawValue)]) -> Option<usize> {
    let named = |wanted: &str| members.iter().position(|(name, _)| name == wanted);
    let holds = |what: &str| members.iter().position(|(_, value)| value.get().starts_with(what));
    // A list without rows may be sent as `null`.
    let list = || holds("[").or_else(|| holds("null"));
    named("data").or_else(|| named("pagination").and_then(|_| list()))
}

fn answer_from_rows(
    rows: &RawValue,
    member: Option<String>,
    rest: Vec<(String, &RawValue)>,
) -> serde_json::Result<DynamicAnswer> {
    let is_list = rows.get().starts_with('[') || (member.is_some() && rows.get() == "null");
    let rows = match (is_list, rows.get()) {
        (true, "null") => Vec::new(),
        (true, list) => {
            let list: Vec<Box<RawValue>> = serde_json::from_str(list)?;
            list.into_iter().map(Row).collect()
        }
        (false, _) => vec![Row(rows.to_owned())],
    };

    let rest = rest.into_iter().map(|(name, value)| (name, value.to_owned())).collect();
    Ok(DynamicAnswer { rows, is_list, member, rest })
}

impl HasMeta for DynamicAnswer {
    fn reported(&self) -> Reported {
        Reported::from_meta(&self.meta())
    }
}

impl Paged for DynamicAnswer {
    type Item = Row;

    fn position(&self) -> Position {
        let holder = if self.member("pagination").is_some() { "pagination" } else { "meta" };
        let place: Json = self
            .member(holder)
            .and_then(|raw| serde_json::from_str(raw.get()).ok())
            .unwrap_or_default();

        position_in(holder, &place)
    }

    fn items(&self) -> &[Row] {
        &self.rows
    }

    fn into_items(self) -> Vec<Row> {
        self.rows
    }
}
