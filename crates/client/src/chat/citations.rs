//! Citations of a chat answer: the sources on which its text is based.
//!
//! The input is the JSON array `annotations` in an answer from the endpoint `responses` or `chat-completions`. The
//! service's OpenAPI document does not describe the fields of an annotation. This module reads the fields that other
//! common chat APIs use: `{"type": "url_citation", "url", "title", "start_index", "end_index"}`. In answers from
//! `chat-completions`, these fields are inside an object `url_citation`.
//!
//! The output is a list of [`Citation`] values.

use std::ops::Range;

use serde_json::Value;

/// A source that the text of an answer cites.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Citation {
    /// URL of the source. It can be relative to the base URL of the service.
    pub url: String,
    /// Title of the source, if the service sends it.
    pub title: Option<String>,
    /// Range of the answer's text to which the citation belongs. The service sends its start index and its exclusive
    /// end index. The indexes refer to the text of the message with the citation. `None` if the service does not send
    /// both indexes.
    pub range: Option<Range<usize>>,
}

/// Returns the citations in a JSON array of annotations. Annotations without a string field `url` are skipped.
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
    fn both_citation_forms_are_read_and_others_skipped() {
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
