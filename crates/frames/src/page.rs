//! Splits the body of a response into one JSON text per row. A list in the field `data` is parsed only once.

use std::fmt;

use crypto_intel_core::private::{OrderedFields, RAW, position_in};
use crypto_intel_core::{
    Call, HasMeta, Operation, Paged, PagedRequest, Position, Reported, Request,
};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// Request of any operation. The response is decoded into a [`Page`] of rows.
pub(crate) struct RowsRequest(Call);

impl Request for RowsRequest {
    type Answer = Page;
    /// Placeholder operation. The trait requires a constant, but this request can be for any operation. The actual
    /// operation of a request is in its [`Call`].
    const OPERATION: &'static Operation = &RAW;

    fn into_call(self) -> Call {
        self.0
    }

    fn from_call(call: Call) -> Self {
        RowsRequest(call)
    }
}

impl PagedRequest for RowsRequest {}

/// Rows of a response, as JSON texts. The form of the response determines its rows:
///
/// - If the response is a list, its items are the rows.
/// - If the field `data` is a list, the items of this list are the rows. If `data` is `null`, the response has no rows.
///   Any other value of `data` is one row.
/// - In a response such as `{"orders": [...], "pagination": {...}}`, the rows are the items of the first list beside
///   `pagination`.
/// - Any other JSON object is one row.
#[derive(Debug, Default)]
pub(crate) struct Page {
    rows: Rows,
    /// JSON value with the position of the page in the list, such as its cursor or offset. `holder` is the response
    /// field that contains this value: `pagination` or `meta`.
    place: Value,
    holder: &'static str,
    meta: Value,
}

/// Concatenated JSON texts of the rows, with the end offset of each text.
#[derive(Debug, Default)]
struct Rows {
    text: String,
    ends: Vec<usize>,
    /// One entry per row. A pager counts the entries, and reads the content of the last entry only.
    items: Vec<PageRow>,
}

/// Row of a page for the pager, which requests the next page. Only the last row contains its JSON text, because the
/// pager reads no other row.
#[derive(Debug, Default)]
pub(crate) struct PageRow(Option<Box<RawValue>>);

impl Page {
    pub(crate) fn rows(&self) -> usize {
        self.rows.ends.len()
    }

    /// Returns the metadata (`meta`) of the page.
    pub(crate) fn meta(&self) -> &Value {
        &self.meta
    }

    /// Returns the JSON text of the row at `index`, which must be less than the number of rows.
    pub(crate) fn row(&self, index: usize) -> &str {
        let begin = index.checked_sub(1).map_or(0, |before| self.rows.ends[before]);
        &self.rows.text[begin..self.rows.ends[index]]
    }
}

impl Rows {
    fn push(&mut self, raw: &str) {
        self.text.push_str(raw);
        self.ends.push(self.text.len());
    }

    fn of_list(raw: &RawValue) -> serde_json::Result<Rows> {
        serde_json::from_str(raw.get())
    }

    fn of_one(raw: &str) -> Rows {
        let mut rows = Rows::default();
        rows.push(raw);
        rows
    }

    fn finish(mut self) -> Self {
        let last = self.ends.len();
        let begin = last.checked_sub(2).map_or(0, |before| self.ends[before]);
        self.items = (1..last).map(|_| PageRow(None)).collect();
        if last > 0 {
            self.items.push(PageRow(RawValue::from_string(self.text[begin..].to_owned()).ok()));
        }
        self
    }
}

impl<'de> Deserialize<'de> for Rows {
    /// Reads the rows from a JSON value. Each item of a list becomes one row. `null` has no rows, and any other value
    /// is one row.
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct List;

        impl<'de> Visitor<'de> for List {
            type Value = Rows;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("rows")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Rows, A::Error> {
                let mut rows = Rows::default();
                while let Some(row) = list.next_element::<&'de RawValue>()? {
                    rows.push(row.get());
                }
                Ok(rows)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Rows, A::Error> {
                Ok(Rows::of_one(&object_text(&OrderedFields::read(map)?)))
            }

            fn visit_unit<E: serde::de::Error>(self) -> Result<Rows, E> {
                Ok(Rows::default())
            }

            fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Rows, E> {
                Ok(Rows::of_one(&Value::from(value).to_string()))
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Rows, E> {
                Ok(Rows::of_one(&Value::from(number).to_string()))
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Rows, E> {
                Ok(Rows::of_one(&Value::from(number).to_string()))
            }

            fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Rows, E> {
                Ok(Rows::of_one(&Value::from(number).to_string()))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Rows, E> {
                Ok(Rows::of_one(&Value::from(text).to_string()))
            }
        }

        json.deserialize_any(List)
    }
}

/// Returns the JSON text of an object.
fn object_text(OrderedFields(fields): &OrderedFields<&RawValue>) -> String {
    let field =
        |(name, raw): &(String, &RawValue)| format!("{}:{}", Value::from(name.as_str()), raw.get());
    let fields: Vec<_> = fields.iter().map(field).collect();
    format!("{{{}}}", fields.join(","))
}

impl<'de> Deserialize<'de> for Page {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct Whole;

        impl<'de> Visitor<'de> for Whole {
            type Value = Page;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a response with rows")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Page, A::Error> {
                let mut rows = None;
                let mut others = OrderedFields(Vec::new());
                while let Some(name) = map.next_key::<String>()? {
                    match name.as_str() {
                        "data" => rows = Some(map.next_value::<Rows>()?),
                        _ => others.0.push((name, map.next_value()?)),
                    }
                }
                Page::new(rows, &others).map_err(A::Error::custom)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Page, A::Error> {
                let rows = Rows::deserialize(serde::de::value::SeqAccessDeserializer::new(list))?;
                Page::new(Some(rows), &OrderedFields(Vec::new())).map_err(A::Error::custom)
            }

            fn visit_unit<E: serde::de::Error>(self) -> Result<Page, E> {
                Ok(Page::default())
            }
        }

        json.deserialize_any(Whole)
    }
}

impl Page {
    fn new(rows: Option<Rows>, others: &OrderedFields<&RawValue>) -> serde_json::Result<Page> {
        let member = |wanted: &str| others.0.iter().find(|(name, _)| name == wanted);
        let holds = |what: &str| others.0.iter().find(|(_, raw)| raw.get().starts_with(what));
        // A list without rows may be `null`.
        let list = || holds("[").or_else(|| holds("null"));
        let rows = match (rows, member("pagination").and_then(|_| list())) {
            (Some(rows), _) => rows,
            (None, Some((_, list))) => Rows::of_list(list)?,
            (None, None) => Rows::of_one(&object_text(others)),
        };

        // A wrong `meta` never makes a response undecodable.
        let value = |name| {
            let raw = member(name).map(|(_, raw)| serde_json::from_str(raw.get()));
            raw.and_then(Result::ok)
        };
        let meta: Value = value("meta").unwrap_or_default();
        let (holder, place) = match member("pagination") {
            Some(_) => ("pagination", value("pagination").unwrap_or_default()),
            None => ("meta", meta.clone()),
        };
        Ok(Page { rows: rows.finish(), place, holder, meta })
    }
}

impl Serialize for PageRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl HasMeta for Page {
    fn reported(&self) -> Reported {
        Reported::from_meta(&self.meta)
    }
}

impl Paged for Page {
    type Item = PageRow;

    fn position(&self) -> Position {
        position_in(self.holder, &self.place)
    }

    fn items(&self) -> &[PageRow] {
        &self.rows.items
    }

    fn into_items(self) -> Vec<PageRow> {
        self.rows.items
    }
}
