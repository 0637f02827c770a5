//! Brings the answers of an operation into the two shapes the generator accepts: one success
//! and one error type.
//!
//! The client does not decode errors by operation (it reads the status first), so nothing is
//! lost here but the promise.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::report::{Change, Report};
use crate::schemas::{METHODS, escape};

pub fn responses(document: &mut Value, report: &mut Report) {
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    for (path, item) in paths {
        for method in METHODS {
            let Some(Value::Object(answers)) =
                item.get_mut(*method).and_then(|operation| operation.get_mut("responses"))
            else {
                continue;
            };
            settle(&format!("/paths/{}/{method}/responses", escape(path)), answers, report);
        }
    }
}

fn settle(place: &str, answers: &mut Map<String, Value>, report: &mut Report) {
    let successes: Vec<String> =
        answers.keys().filter(|status| status.starts_with('2')).cloned().collect();
    for status in successes.iter().skip(1) {
        answers.remove(status);
        report.note(Change::Dropped, "a second kind of success", format!("{place}/{status}"));
    }
    let error = answers
        .iter()
        .find(|(status, _)| status.starts_with(['4', '5']))
        .or_else(|| answers.iter().find(|(status, _)| *status == "default"))
        .map(|(_, answer)| answer.clone());
    let error = error.map(|mut error| {
        // What has no schema has no type, which the generator does not expect.
        if let Some(content) = error.get_mut("content").and_then(Value::as_object_mut) {
            content.retain(|_, media| media.get("schema").is_some());
        }
        error
    });
    let kinds: BTreeSet<String> = answers
        .iter()
        .filter(|(status, _)| !status.starts_with('2'))
        .map(|(_, answer)| answer.get("content").map(Value::to_string).unwrap_or_default())
        .collect();
    answers.retain(|status, _| status.starts_with('2'));
    if let Some(error) = error {
        // `default` beside a success of another type is what the generator cannot take.
        answers.insert("4XX".to_owned(), error.clone());
        answers.insert("5XX".to_owned(), error);
        report.note(Change::Rewritten, "the error answers as `4XX` and `5XX` of one type", place);
    }
    if kinds.len() > 1 {
        report.note(Change::Loosened, "several kinds of error as the first of them", place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::show;
    use serde_json::json;

    #[test]
    fn one_success_and_one_error_remain() {
        insta::assert_snapshot!(show(
            json!({"paths": {
                "/default": {"get": {"responses": {"200": {"description": "a"}, "default": {"description": "e"}}}},
                "/many": {"get": {"responses": {"200": {"description": "a"}, "202": {"description": "b"},
                    "400": {"description": "e"}, "502": {"content": {"text/plain": {}}}}}},
                "/none": {"get": {"responses": {"204": {"description": "a"}}}},
            }}),
            responses
        ));
    }
}
