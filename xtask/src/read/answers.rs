//! Reads the success response of an operation, and decides whether the operation has pages.

use serde_json::Value;

use super::reader::{JSON, Reader};
use super::strings;
use crate::model::{Answer, Paging, Type};
use crate::report::{Change, Report};

impl Reader<'_> {
    pub(super) fn answer(&self, place: &str, operation: &Value) -> (u16, Answer) {
        let answers = operation.get("responses").and_then(Value::as_object);
        let success = answers
            .into_iter()
            .flatten()
            .find_map(|(status, answer)| Some((status.parse::<u16>().ok()?, status, answer)));
        let Some((status, key, answer)) = success.filter(|(code, ..)| (200..300).contains(code))
        else {
            return (200, Answer::Empty);
        };

        if answer.get("x-bytes").is_some() {
            return (status, Answer::Bytes);
        }
        let content = answer.get("content").and_then(Value::as_object);
        let Some(content) = content.filter(|content| !content.is_empty()) else {
            return (status, Answer::Empty);
        };
        if !content.contains_key("application/json") {
            return (status, Answer::Stream);
        }

        let ty = self.types.at(&format!("{place}/responses/{key}/content/{JSON}/schema"));
        (status, self.envelope(&ty).unwrap_or(Answer::Bare(ty)))
    }

    /// Returns the types of the fields `data` and `meta` of an envelope. An envelope is a record with exactly these two
    /// required fields, and `meta` is a record. Returns `None` for any other type.
    fn envelope(&self, ty: &Type) -> Option<Answer> {
        let Type::Named(name) = ty else { return None };
        let schema = &self.document["components"]["schemas"][name];
        let members = self.types.records.get(name)?;
        let mut required = strings(&schema["required"]);
        required.sort();
        if members.len() != 2 || required != ["data", "meta"] {
            return None;
        }

        let Type::Named(meta) = members.get("meta")? else { return None };
        let nullable = schema.pointer("/properties/data/nullable").is_some_and(|flag| flag == true);
        Some(match members.get("data")?.clone() {
            Type::List(row) => Answer::Rows { row: *row, meta: meta.clone() },
            data if nullable && !matches!(data, Type::Any | Type::Map(_)) => {
                Answer::One { data: Type::Option(Box::new(data)), meta: meta.clone() }
            }
            data => Answer::One { data, meta: meta.clone() },
        })
    }

    /// Returns the fields of a response's rows: each field's name, and whether it is required. Returns an empty list if
    /// the response has no rows or the rows are not records.
    pub(super) fn row_fields(&self, answer: &Answer) -> Vec<(&str, bool)> {
        let row = match answer {
            Answer::Rows { row, .. } => Some(row),
            // The response has further fields next to `data` and `meta`.
            Answer::Bare(Type::Named(name)) => match self.types.records.get(name) {
                Some(fields) => match fields.get("data") {
                    Some(Type::List(row)) => Some(row.as_ref()),
                    _ => None,
                },
                None => None,
            },
            _ => None,
        };
        let Some(Type::Named(name)) = row else { return Vec::new() };
        let schema = &self.document["components"]["schemas"][name];
        let required = strings(&schema["required"]);
        let fields = schema["properties"].as_object().into_iter().flatten();
        fields.map(|(field, _)| (field.as_str(), required.contains(field))).collect()
    }

    /// Checks that the response has the rows that `paging` requires, and returns `paging`. For example, paging by
    /// cursor requires rows in the field `data`. If the response lacks the rows, adds a note to the report and returns
    /// [`Paging::None`].
    pub(super) fn fitting(
        &self,
        paging: Paging,
        answer: &Answer,
        at: &str,
        report: &mut Report,
    ) -> Paging {
        let fits = match (&paging, answer) {
            (Paging::None, _) => true,
            (Paging::PaginationKey { position, items, .. }, Answer::Bare(Type::Named(name))) => {
                let members = self.types.records.get(name);
                let member = |name: &str| members.and_then(|members| members.get(name));
                let schema = &self.document["components"]["schemas"][name];
                let needed = strings(&schema["required"]).contains(position);
                needed
                    && matches!(member(position), Some(Type::Named(_)))
                    && matches!(member(items), Some(Type::List(_)))
            }
            (Paging::PaginationKey { .. }, _) => false,
            (_, Answer::Rows { .. }) => true,
            _ => false,
        };
        if fits {
            return paging;
        }

        report.note(
            Change::Decided,
            "`x-paging` is ignored, because the response has no rows in `data`",
            at,
        );
        Paging::None
    }
}
