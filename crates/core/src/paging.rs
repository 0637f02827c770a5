//! The position of a page in a list, as a decoded response reports it.
//!
//! The crate `crypto-intel-core` only reads the position. The client requests the pages.

use serde_json::Value;

use crate::envelope::{Data, Envelope};
use crate::json::whole;
use crate::record::Extra;

/// Position of a page in its list, as the response reports it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Position {
    /// Number of rows of the whole list, if the response reports it.
    pub total: Option<i64>,
    /// Page size that the service applied.
    pub limit: Option<i64>,
    /// Number of rows before this page.
    pub offset: Option<i64>,
    /// True if more rows follow this page. `None` if the response does not report it.
    pub has_more: Option<bool>,
    /// Opaque cursor of the next page. `None` and an empty string both mean that this page has no cursor.
    pub next_cursor: Option<String>,
    /// Names of the response fields about the page position that have a value of an unexpected type, such as a list in
    /// `total`. The other fields of this struct do not contain these values.
    pub unreadable: Vec<&'static str>,
}

/// Returns the names of known fields whose value has an unexpected type. These are the `names` that `extra` contains,
/// because the decoder stores such values in `extra`.
#[doc(hidden)]
#[must_use]
pub fn unreadable(extra: &Extra, names: &[&'static str]) -> Vec<&'static str> {
    names.iter().copied().filter(|name| extra.get(name).is_some()).collect()
}

/// Reads the position of a page from untyped JSON. `place` is the value of the response field that contains the
/// position. `holder` is the name of this response field, such as `meta`.
#[doc(hidden)]
#[must_use]
pub fn position_in(holder: &'static str, place: &Value) -> Position {
    let mut unreadable = Vec::new();
    if !place.is_object() && !place.is_null() {
        unreadable.push(holder);
    }
    let mut member = |name: &'static str, fits: fn(&Value) -> bool| {
        let value = place.get(name).filter(|value| !value.is_null())?;
        if !fits(value) {
            unreadable.push(name);
        }
        Some(value)
    };
    let total = member("total", |value| whole(value).is_some());
    let has_more = member("has_more", Value::is_boolean);
    let next_cursor = member("next_cursor", Value::is_string);
    let pagination_key = member("pagination_key", Value::is_string);

    let number = |name: &str| whole(place.get(name)?);
    let token = [next_cursor, pagination_key].into_iter().flatten().find_map(Value::as_str);
    Position {
        total: total.and_then(whole),
        limit: number("limit"),
        offset: number("offset"),
        has_more: has_more.and_then(Value::as_bool),
        next_cursor: token.map(str::to_owned),
        unreadable,
    }
}

/// A `meta` or `pagination` record that reports the position of a page in its list.
pub trait PageMeta {
    /// Returns the position of the page in its list, such as its offset and cursor. By default, all fields are absent.
    fn position(&self) -> Position {
        Position::default()
    }
}

/// A response that is one page of a list.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is a complete response and has no further pages",
    label = "a request for this response has no `items()`, `pages()` or `pager()`",
    note = "await the request; the field `data` of the `Reply` contains the rows"
)]
pub trait Paged {
    /// Type of one row.
    type Item;

    /// Returns the position of this page in the list.
    fn position(&self) -> Position;

    /// Returns the rows of this page by reference.
    fn items(&self) -> &[Self::Item];

    /// Returns the rows of this page, by value.
    fn into_items(self) -> Vec<Self::Item>;
}

impl<T, M: PageMeta> Paged for Envelope<Vec<T>, M>
where
    Vec<T>: Data,
{
    type Item = T;

    fn position(&self) -> Position {
        let mut position = self.meta.position();
        position.unreadable.extend(unreadable(&self.extra, &["meta"]));
        position
    }

    fn items(&self) -> &[T] {
        &self.data
    }

    fn into_items(self) -> Vec<T> {
        self.data
    }
}
