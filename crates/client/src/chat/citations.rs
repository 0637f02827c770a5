//! Citations of a chat answer: the sources of its text.
//!
//! The input is the list of annotations in an answer of either endpoint. The interface text describes how to request
//! annotations (parameter `citation`), but not their form. This module reads the form that standard clients read:
//! `{"type": "url_citation", "url", "title", "start_index", "end_index"}`. For chat completions these fields are in an
//! object `url_citation`.
//!
//! The output is [`Citation`] values.

use std::ops::Range;

use serde_json::Value;

/// A source that an answer cites.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Citation {
    /// Address of the source. It can be relative to the service.
    pub url: String,
    /// Title of the source.
    pub title: Option<String>,
    /// Range of characters that the source supports. It refers to the text of [`text`](super::ResponseExt::text), or to
    /// the text of one message if the answer has several messages. `None` if the service does not state the range.
    pub range: Option<Range<usize>>,
}

/// Reads the citations in a list of annotations. Annotations of other kinds are skipped.
pub(crate) fn citations(annotations: Option<&Value>) -> impl Iterator<Item = Citation> {
    let annotations = annotations.and_then(Value::as_array).into_iter().flatten();
    annotations.filter_map(citation)
}

fn citation(annotation: &Value) -> Option<Citation> {
    let fields = annotation.get("url_citation").unwrap_or(annotation);
    let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
    let index = |name: &str| usize::try_from(fields.get(name)?.as_u64()?).ok();
    Some(Citation {
        url: text("url")?,
        title: text("title"),
        range: index("start_index").zip(index("end_index")).map(|(start, end)| start..end),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_forms_are_read_and_other_annotations_are_skipped() {
        let fields = json!({"url": "/a", "title": "A", "start_index": 2, "end_index": 5});
        let mut flat = fields.clone();
        flat["type"] = "url_citation".into();
        let nested = json!({"type": "url_citation", "url_citation": fields});
        let list =
            json!([flat, nested, {"type": "file_path"}, 1, {"url": "/b", "start_index": -1}]);

        let found: Vec<_> = citations(Some(&list)).collect();
        let whole = Citation { url: "/a".into(), title: Some("A".into()), range: Some(2..5) };
        let bare = Citation { url: "/b".into(), title: None, range: None };
        assert_eq!(found, [whole.clone(), whole, bare]);
        assert_eq!(citations(None).count(), 0);
    }
}
