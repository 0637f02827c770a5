//! Writes the parameter values of a call into the body of an HTTP request.
//!
//! The inputs are the kind of body ([`Body`]) and the values with their field names. The output is the body as bytes,
//! and its media type.

use bytes::Bytes;
use http::HeaderValue;

use crate::operation::Body;
use crate::value::Value;

/// Writes the body of a request, and returns it with its media type. Returns `None` if the request has no body.
pub(crate) fn write(body: Body, members: Vec<(String, Value)>) -> Option<(Bytes, HeaderValue)> {
    let json = |members: Vec<(String, Value)>| {
        let members: serde_json::Map<_, _> =
            members.into_iter().map(|(name, value)| (name, value.into_json())).collect();
        let text = serde_json::Value::Object(members).to_string();
        (Bytes::from(text), HeaderValue::from_static("application/json"))
    };

    match body {
        Body::None => None,
        Body::Optional if members.is_empty() => None,
        Body::Optional | Body::Required => Some(json(members)),
        Body::Form => Some(form(&members)),
        Body::Multipart => Some(multipart(members)),
        Body::Whole(media) => {
            let (_, value) = members.into_iter().next()?;
            Some((single_value(media, value), HeaderValue::from_static(media)))
        }
    }
}

/// Writes one value as the whole request body. `media` is the media type of the body. For a JSON media type, the body
/// is JSON. For any other media type, the body is plain text. The bytes of a [`Value::Bytes`] are written unchanged.
fn single_value(media: &str, value: Value) -> Bytes {
    let json = media == "application/json" || media.ends_with("+json");
    match value {
        Value::Bytes(bytes) => bytes,
        value if json => Bytes::from(value.into_json().to_string()),
        value => Bytes::from(value.to_text().into_owned()),
    }
}

fn form(members: &[(String, Value)]) -> (Bytes, HeaderValue) {
    let mut form = form_urlencoded::Serializer::new(String::new());
    for (name, value) in members {
        match value {
            Value::List(list) => {
                form.extend_pairs(list.iter().map(|text| (name, text)));
            }
            value => {
                form.append_pair(name, &value.to_text());
            }
        }
    }
    let media = HeaderValue::from_static("application/x-www-form-urlencoded");
    (Bytes::from(form.finish()), media)
}

/// Writes a multipart form. A [`Value::Bytes`] becomes a file whose name is the name of the form field.
///
/// The boundary is not random, because equal calls must produce equal requests. The boundary is the first of
/// `part-00000000-boundary`, `part-00000001-boundary` and so on that occurs in no value of the form.
fn multipart(members: Vec<(String, Value)>) -> (Bytes, HeaderValue) {
    let parts: Vec<(String, bool, Bytes)> = members
        .into_iter()
        .map(|(name, value)| {
            // Quotes and line breaks in the name would end the header of this form field.
            let name = name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
            match value {
                Value::Bytes(bytes) => (name, true, bytes),
                value => (name, false, Bytes::from(value.to_text().into_owned())),
            }
        })
        .collect();
    let occurs = |boundary: &str| {
        let boundary = boundary.as_bytes();
        parts.iter().any(|(_, _, bytes)| bytes.windows(boundary.len()).any(|part| part == boundary))
    };
    let boundary = (0u32..)
        .map(|number| format!("part-{number:08x}-boundary"))
        .find(|boundary| !occurs(boundary))
        .unwrap_or_default();

    let mut body = Vec::new();
    for (name, file, bytes) in &parts {
        let about = if *file {
            format!("; filename=\"{name}\"\r\nContent-Type: application/octet-stream")
        } else {
            String::new()
        };
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"{about}\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());

    let media = format!("multipart/form-data; boundary={boundary}");
    let media = HeaderValue::from_str(&media)
        .unwrap_or_else(|_| HeaderValue::from_static("multipart/form-data"));
    (Bytes::from(body), media)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body_text(body: Body, members: Vec<(&str, Value)>) -> Option<(String, String)> {
        let members = members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let (bytes, media) = write(body, members)?;
        Some((String::from_utf8(bytes.to_vec()).unwrap(), media.to_str().unwrap().to_owned()))
    }

    #[test]
    fn json_body_is_object_of_fields_or_single_value() {
        assert_eq!(body_text(Body::Optional, vec![]), None);
        assert_eq!(body_text(Body::None, vec![("a", 1.into())]), None);
        let json = |text: &str| Some((text.to_owned(), "application/json".to_owned()));
        assert_eq!(body_text(Body::Required, vec![]), json("{}"));
        assert_eq!(body_text(Body::Required, vec![("a", 1.into())]), json(r#"{"a":1}"#));
        let list = Value::Json(serde_json::json!([1, "b"]));
        assert_eq!(
            body_text(Body::Whole("application/json"), vec![("body", list)]),
            json(r#"[1,"b"]"#)
        );
        assert_eq!(body_text(Body::Whole("application/json"), vec![]), None);
        assert_eq!(
            body_text(Body::Whole("text/csv"), vec![("body", "a,b\n".into())]),
            Some(("a,b\n".to_owned(), "text/csv".to_owned()))
        );
    }

    #[test]
    fn form_is_url_encoded() {
        let members = vec![("a b", "1 & 2".into()), ("c", Value::List(["x", "y"].into()))];
        assert_eq!(
            body_text(Body::Form, members),
            Some((
                "a+b=1+%26+2&c=x&c=y".to_owned(),
                "application/x-www-form-urlencoded".to_owned()
            ))
        );
    }

    #[test]
    fn multipart_boundary_occurs_in_no_value() {
        let file = Value::Bytes(Bytes::from_static(b"--part-00000000-boundary--"));
        let (body, media) =
            body_text(Body::Multipart, vec![("te\"xt\r\n", "1".into()), ("file", file)]).unwrap();
        assert_eq!(media, "multipart/form-data; boundary=part-00000001-boundary");
        assert_eq!(
            body,
            "--part-00000001-boundary\r\nContent-Disposition: form-data; name=\"te%22xt%0D%0A\"\r\n\r\n\
             1\r\n--part-00000001-boundary\r\nContent-Disposition: form-data; name=\"file\"; \
             filename=\"file\"\r\nContent-Type: application/octet-stream\r\n\r\n\
             --part-00000000-boundary--\r\n--part-00000001-boundary--\r\n"
        );
    }
}
